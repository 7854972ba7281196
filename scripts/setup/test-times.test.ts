/** What a whole run prints of its times. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./root.mjs";
import { kindOf, timesOf } from "./test-times.ts";

const file = (name: string, from: number, to: number) => ({
  name: join(ROOT, name),
  status: "passed",
  startTime: from * 1000,
  endTime: to * 1000,
  assertionResults: [],
});

test("each kind of tests is named with its seconds beside its budget, and the slowest files", () => {
  const testResults = [file("e2e/a.e2e.test.ts", 10, 30), file("e2e/b.e2e.test.ts", 20, 800), file("a.test.ts", 0, 2)];
  expect(timesOf({ testResults })).toEqual([
    "unit: 1 files in 2 s of 120 s; one after the other 2 s",
    "e2e: 2 files in 790 s of 660 s, over it; one after the other 800 s",
    "Slowest files (scripts/setup/test-seconds.json gives their order):",
    "  780 s  e2e/b.e2e.test.ts",
    "  20 s  e2e/a.e2e.test.ts",
    "  2 s  a.test.ts",
  ]);
});

test("a file's kind follows from its name", () => {
  const names = ["a.int.test.ts", "a.test.tsx", "a.browser.test.ts", "a.e2e.test.ts", "a.store.test.ts"];
  expect(names.map(kindOf)).toEqual(["integration", "browser", "browser", "e2e", "unit"]);
});
