/** The tests that judge mutants of storage: some for each store, each of them once. */
import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { ROOT } from "../setup/root.mjs";
import { filesOf, testsOf } from "./engine-test-files.ts";

const STORES = globSync("apps/server/src/modules/sync/runs/**/*.store.ts", { cwd: ROOT });

test("each store is judged by tests that exist, none of them twice", () => {
  expect(STORES.length).toBeGreaterThan(20);
  for (const store of STORES) {
    const tests = filesOf(ROOT, testsOf(store));
    expect(tests, store).not.toEqual([]);
    expect([...new Set(tests)], store).toEqual(tests);
  }
});
