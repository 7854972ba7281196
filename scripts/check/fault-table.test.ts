/** The table of faults in docs/faults.md names every test of a fault, and no test that isn't one. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../setup/root.mjs";
import { sourceFiles } from "./source-files.ts";

const TITLE = /\b(?:test|describe)(?:\.each\([\s\S]*?\))?\(\s*["'`]([^"'`]*\[F\d+\][^"'`]*)/g;

/** Test files by fault, as titles say: `test("[F9] a full disk …")`. */
function testsByFault(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of sourceFiles().filter((one) => /\.test\.tsx?$/.test(one) && !one.startsWith("scripts/check/"))) {
    const titles = [...readFileSync(join(ROOT, file), "utf8").matchAll(TITLE)].map(([, title = ""]) => title).join(" ");
    for (const [, fault = ""] of titles.matchAll(/\[(F\d+)\]/g)) {
      const files = found.get(fault) ?? [];
      if (!files.includes(file)) found.set(fault, [...files, file]);
    }
  }
  return found;
}

/** Test files by fault, as the table says. */
function rowsOfTable(): Map<string, string[]> {
  const table = readFileSync(join(ROOT, "docs/faults.md"), "utf8");
  const rows = [...table.matchAll(/^\| (F\d+) \|.*\| ([^|]*) \|$/gm)];
  return new Map(
    rows.map(([, fault = "", tests = ""]) => [fault, [...tests.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file)]),
  );
}

test("every fault has tests whose titles carry its id, and the table names them all", () => {
  const table = rowsOfTable();
  const tests = testsByFault();
  const sorted = (map: ReadonlyMap<string, readonly string[]>) =>
    [...map]
      .map(([fault, files]) => [fault, [...files].sort()])
      .sort(([left], [right]) => (String(left) < String(right) ? -1 : 1));
  expect(table.size).toBeGreaterThan(15);
  expect(sorted(table)).toEqual(sorted(tests));
});
