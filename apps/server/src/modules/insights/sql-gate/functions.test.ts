/** The page about SQL lists exactly the functions that the gate lets through. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SQL_FUNCTIONS } from "./functions.ts";

const PAGE = join(import.meta.dirname, "../../../../../../docs/sql-mode.md");

test("docs/sql-mode.md lists every function, with what it gives, and no other", () => {
  const rows = [...readFileSync(PAGE, "utf8").matchAll(/^\| `([^`]+)` \| (\w+) \| (.+) \|$/gm)];
  expect(rows.map(([, signature, category, help]) => ({ signature, category, help }))).toEqual(
    SQL_FUNCTIONS.map(({ signature, category, help }) => ({ signature, category, help })),
  );
});
