/** The list of tests for other PostgreSQL servers names integration tests that are there. */
import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { DATABASE_TESTS } from "./database-tests.ts";
import { ROOT } from "./root.mjs";

test("every entry of the list stands for integration tests", () => {
  const files = ["packages", "apps", "scripts"].flatMap((folder) =>
    globSync(`${folder}/**/*.int.test.ts`, { cwd: ROOT, exclude: (name) => name === "node_modules" }),
  );
  expect(Object.keys(DATABASE_TESTS).filter((part) => !files.some((file) => file.includes(part)))).toEqual([]);
});
