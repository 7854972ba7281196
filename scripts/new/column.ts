/** `npm run new -- column <name>`: a column of the table of pipelines. */
import type { Names, Scaffold } from "./scaffold.ts";

export function columnScaffold({ camel, title }: Names): Scaffold {
  const columns = "apps/web/src/studios/sync/pipelines/pipeline-columns.tsx";
  return {
    files: {},
    lines: [
      {
        file: "packages/contracts/src/messages/en/sync/table.ts",
        after: /^ {4}resynced: /,
        line: `    ${camel}: "${title}",`,
      },
    ],
    edits: [
      {
        file: columns,
        find: /\n\];\n*$/,
        by: `\n  {\n    id: "${camel}",\n    header: t("table.${camel}"),\n    width: 110,\n    cell: (row) => row.fieldsMapped,\n  },\n];\n`,
      },
      { file: columns, find: /(RARELY_NEEDED = \[[^\]]*)\]/, by: `$1  "${camel}",\n]` },
    ],
    next: [
      `Say in ${columns} what stands in it; a fact that rows lack is added to PipelineRow in contracts/sync/pipelines.ts.`,
      "It is hidden until somebody chooses it: take it out of RARELY_NEEDED only if nothing is cut at 1280 pixels then.",
      "npm test -- pipelines-screen",
    ],
  };
}
