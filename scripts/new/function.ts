/** `npm run new -- function <name>`: a pipeline function, in one file. */
import type { Names, Scaffold } from "./scaffold.ts";

export function functionScaffold({ kebab, camel, title }: Names): Scaffold {
  return {
    files: {
      [`packages/sync-engine/src/functions/text/${kebab}.ts`]: `/** ${title}. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { defineValueFunction } from "../kinds/value-function.ts";

export const ${camel} = defineValueFunction({
  name: "${camel}",
  label: "${title}",
  family: "text",
  summary: "Says in one sentence what comes out.",
  config: z.object({}),
  output: "string",
  prepare: () => (value) => textOf(value),
  examples: [
    { says: "a text stays as it is", config: {}, in: "Acme", out: "Acme" },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: ["Acme", "Bolt"], out: ["Acme", "Bolt"] },
    { says: "a number is taken as text", config: {}, in: 12, out: "12" },
  ],
});
`,
    },
    lines: [
      {
        file: "packages/sync-engine/src/functions/registry.ts",
        after: /^import \{ upperCase \}|^import /,
        line: `import { ${camel} } from "./text/${kebab}.ts";`,
      },
      { file: "packages/sync-engine/src/functions/registry.ts", after: /^ {2}\w+,$/, line: `  ${camel},` },
    ],
    next: [
      "It is in the family of texts: if it belongs elsewhere, move the file and change `family`.",
      "Write the summary, the inputs and what it does; move its line in registry.ts to its place in the palette.",
      "Give examples for every rule you state: they run as tests and are printed in docs/functions.md.",
      "npm test -- packages/sync-engine/src/functions && npm run golden -- --update",
    ],
  };
}
