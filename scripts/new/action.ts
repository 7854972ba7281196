/** `npm run new -- action <name>`: a kind of action of pipelines, in one file. */
import type { Names, Scaffold } from "./scaffold.ts";

export function actionScaffold({ kebab, camel, title }: Names): Scaffold {
  const registry = "packages/sync-engine/src/actions/registry.ts";
  return {
    files: {
      [`packages/sync-engine/src/actions/${kebab}.ts`]: `/** ${title}. */
import { z } from "zod";
import { input, schemaIssues } from "../functions/define.ts";
import type { ActionDefinition } from "./define.ts";
import { neededText } from "./inputs.ts";

const CONFIGURATION = z.looseObject({ text: z.string({ error: "Write a text." }).min(1, "Write a text.") });

export const ${camel}: ActionDefinition = {
  name: "${camel}",
  label: "${title}",
  summary: "Says in one sentence what it does.",
  group: "message",
  levels: ["entity", "field"],
  effect: "work",
  inputs: [input({ name: "text", label: "Text", datatype: "textarea", required: true, allowUserToken: true })],
  check: (configuration) => schemaIssues(CONFIGURATION, configuration, () => false),
  prepare: (configuration, context) => {
    const read = neededText(CONFIGURATION.parse(configuration).text, context, "text", "The text");
    return (record, env) => ({ kind: "log", level: "info", text: read(record, env) });
  },
  examples: [
    {
      says: "the text of each record",
      config: { text: "Saw {{previous.values.Name}}" },
      record: { values: { Name: "Acme" } },
      work: { kind: "log", level: "info", text: "Saw Acme" },
    },
    {
      says: "a text without tokens",
      config: { text: "A record came" },
      record: { values: {} },
      work: { kind: "log", level: "info", text: "A record came" },
    },
    {
      says: "a text that is blank for the record is refused",
      config: { text: "{{previous.values.Name}}" },
      record: { values: {} },
      fails: "input_blank",
    },
  ],
};
`,
    },
    lines: [
      { file: registry, after: /^import /, line: `import { ${camel} } from "./${kebab}.ts";` },
      { file: registry, after: /^ {2}\w+,$/, line: `  ${camel},` },
    ],
    next: [
      "Write its inputs and what it asks the world to do; `group` is its place in the palette, like its line in registry.ts.",
      "Work of another kind: add it to ActionPayload in call.ts. The compiler then leads to who performs it and to what a test run shows.",
      "Give examples for every rule you state: they run as tests and are printed in docs/actions.md.",
      "npm test -- packages/sync-engine/src/actions && npm run golden -- --update",
    ],
  };
}
