/**
 * `npm test`: all tests in one run, or those named: `npm test -- sync-engine`. `--database`: integration tests of what
 * depends on the database server. Ends with `N passed, N failed, N skipped`.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DATABASE_TESTS } from "../setup/database-tests.ts";
import { UNFINISHED } from "../setup/progress-reporter.ts";
import { ROOT } from "../setup/root.mjs";
import { runTool } from "../setup/run-tool.ts";
import { countResults, failedTests, readResults } from "../setup/test-results.ts";
import { timesOf } from "../setup/test-times.ts";

const words = process.argv
  .slice(2)
  .flatMap((word) => (word === "--database" ? ["--project", "integration", ...Object.keys(DATABASE_TESTS)] : [word]));
// Only a whole run may answer what `npm run spec` asks.
const file = join(ROOT, "test-results", words.length === 0 ? "vitest.json" : "vitest.partial.json");

mkdirSync(join(ROOT, "test-results"), { recursive: true });
rmSync(file, { force: true });
rmSync(UNFINISHED, { force: true });
const { code } = await runTool("vitest", ["run", ...words], {
  show: true,
  environment: { ACCORD_TEST_RESULTS: file },
});
const kind = words.length === 0 ? "txt" : "partial.txt";
const keepFailed = (names: string): void => writeFileSync(join(ROOT, "test-results", `failed.${kind}`), names);
if (!existsSync(file)) {
  console.error("The tests ended before they could report.");
  keepFailed(existsSync(UNFINISHED) ? readFileSync(UNFINISHED, "utf8") : "");
  console.log("0 passed, 1 failed, 0 skipped");
  process.exit(1);
}
const results = readResults(readFileSync(file, "utf8"));
const { passed, failed, skipped } = countResults(results);
// A failure outside any test: an error nobody awaited, or databases left behind.
const failures = code !== 0 && failed === 0 ? 1 : failed;
keepFailed(
  failedTests(results)
    .map((name) => `${name}\n`)
    .join(""),
);
if (words.length === 0) for (const line of timesOf(results)) console.log(line);
const line = `${passed} passed, ${failures} failed, ${skipped} skipped`;
writeFileSync(join(ROOT, "test-results", `counts.${kind}`), `${line}\n`);
console.log(line);
process.exit(failures === 0 ? 0 : 1);
