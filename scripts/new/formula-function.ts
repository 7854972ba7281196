/** `npm run new -- formula-function <name>`: a function of formulas, in memory and in SQL. */
import type { Names, Scaffold } from "./scaffold.ts";

export function formulaFunctionScaffold({ snake, title }: Names): Scaffold {
  const functions = "packages/expressions/src/formula/functions/text.ts";
  const entry = `  text({
    name: "${snake}",
    signature: "${snake}(text)",
    help: "${title}: say in one sentence what comes out.",
    parameters: ["text"],
    returns: "text",
    memory: ([held]) => String(held),
    sql: ([held]) => sql`;
  return {
    files: {},
    lines: [],
    edits: [{ file: functions, find: /\n\];\n*$/, by: `\n${entry}\`\${held}\`,\n  }),\n];\n` }],
    next: [
      `It stands at the end of ${functions}: move it to its place, or to the list of its family beside it.`,
      "Write what it does twice: for values in memory and as SQL. Both must give the same for whatever comes in.",
      "Give it cases in packages/expressions/src/test-kit/formulas.ts: each runs in memory and on PostgreSQL.",
      "npm test -- packages/expressions && npm run golden -- --update",
    ],
  };
}
