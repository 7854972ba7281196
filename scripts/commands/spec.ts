/** `npm run spec`: which rows of the checklist the passing tests of the last whole run prove; `-- --json` for programs. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ROOT } from "../setup/root.mjs";
import { coveredRows, readResults } from "../setup/test-results.ts";

const checklist = z
  .record(z.string(), z.string())
  .parse(JSON.parse(readFileSync(join(ROOT, "docs/checklist.json"), "utf8")));
const ids = Object.keys(checklist);
const results = join(ROOT, "test-results/vitest.json");

if (!existsSync(results)) {
  // To a program the shape is always the same: nothing was run, so nothing is proven.
  if (process.argv.includes("--json")) console.log(JSON.stringify({ total: ids.length, covered: 0, rows: {} }));
  console.error("No test run to read from. Run: npm test");
  process.exit(1);
}
const rows = coveredRows(readResults(readFileSync(results, "utf8")), ids);
const proven = ids.filter((id) => rows.has(id));

if (process.argv.includes("--json")) {
  const named = Object.fromEntries(proven.map((id) => [id, rows.get(id)]));
  console.log(JSON.stringify({ total: ids.length, covered: proven.length, rows: named }));
} else {
  for (const id of proven) {
    console.log(`${id}  ${checklist[id]}`);
    for (const title of rows.get(id) ?? []) console.log(`         ${title}`);
  }
  console.log(`\n${proven.length} of ${ids.length} rows are proven by passing tests.`);
}
