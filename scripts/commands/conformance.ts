/**
 * `npm run conformance`: the conformance kit over every connector, or those whose path has one of the words given; one line
 * for each system that it was run against. `--json` for programs. Fails where a test failed, or a connector was not asked.
 */
import { CONNECTORS } from "@accord/connectors";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { conformanceFiles, conformanceRows, KIT_TITLE, type ConformanceRow } from "../setup/conformance.ts";
import { ROOT } from "../setup/root.mjs";
import { runTool } from "../setup/run-tool.ts";
import { failedTests, readResults } from "../setup/test-results.ts";

const words = process.argv.slice(2).filter((word) => word !== "--json");
const json = process.argv.includes("--json");
const files = conformanceFiles().filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
if (files.length === 0) {
  console.error(`No test of a connector has "${words.join('" or "')}" in its path.`);
  process.exit(2);
}
const results = join(ROOT, "test-results/conformance.json");
mkdirSync(join(ROOT, "test-results"), { recursive: true });
rmSync(results, { force: true });
const { output } = await runTool(
  "vitest",
  ["run", "--project", "integration", "--testNamePattern", KIT_TITLE, ...files],
  { show: !json, environment: { ACCORD_TEST_RESULTS: results } },
);
const answers = read();
const rows = conformanceRows(answers);
const asked = new Set(rows.map(({ connector }) => connector));
const missing = words.length > 0 ? [] : CONNECTORS.map(({ type }) => type).filter((type) => !asked.has(type));
const failed = failedTests(answers);

if (json) console.log(JSON.stringify({ systems: rows, notAsked: missing, failed }));
else {
  console.table(Object.fromEntries(rows.map((row) => [row.system, { connector: row.connector, ...cells(row) }])));
  console.log("passed of asked; – where a system has nothing of the kind: `--json` says why for each test");
  for (const name of failed) console.log(`failed: ${name}`);
  for (const type of missing) console.log(`not asked: ${type}`);
}
process.exit(failed.length + missing.length > 0 ? 1 : 0);

function read() {
  try {
    return readResults(readFileSync(results, "utf8"));
  } catch {
    console.error(output);
    console.error("The tests ended before they could report.");
    process.exit(1);
  }
}

function cells({ areas }: ConformanceRow): Record<string, string> {
  return Object.fromEntries(
    Object.entries(areas).map(([area, { passed, failed: broken, notApplicable }]) => [
      area,
      passed + broken === 0 && notApplicable.length > 0 ? "–" : `${passed}/${passed + broken}`,
    ]),
  );
}
