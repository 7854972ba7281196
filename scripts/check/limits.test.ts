/** docs/limits.md says what the code says: every number in it, and every list of the API. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ENDPOINTS } from "@accord/contracts/endpoints";
import { expect, test } from "vitest";
import { z } from "zod";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/limits.md"), "utf8");
const NAMED = /\(`([^`]+)`, ([\w./-]+\.ts)\)/g;
const MAX_ROWS = 1_000;

test("every limit that the page names stands so in the code", () => {
  const named = [...page.matchAll(NAMED)];
  expect(named.length).toBeGreaterThan(25);
  for (const [, limit = "", file = ""] of named) {
    const code = readFileSync(join(root, file), "utf8");
    expect(code.includes(limit), `${limit} in ${file}`).toBe(true);
  }
});

test("every limit by number in a table has one by bytes and one by time beside it", () => {
  const rows = page
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| What") && !line.startsWith("| Calls"));
  expect(rows.length).toBeGreaterThan(12);
  for (const row of rows) {
    const cells = row.split("|").slice(1, -1);
    expect(cells, row).toHaveLength(4);
    for (const cell of cells) expect(cell.trim(), row).not.toBe("");
  }
});

/** The largest number of rows that a query or body may ask for; null: it takes none. */
function largestCount(schema: z.ZodType | undefined): number | null {
  if (!(schema instanceof z.ZodObject)) return null;
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as {
    properties?: Record<string, { maximum?: number } | undefined>;
  };
  for (const name of ["count", "pageSize", "rows"]) {
    const property = json.properties?.[name];
    if (property) return property.maximum ?? Infinity;
  }
  return null;
}

test("every call that takes a number of rows takes no more than the page says", () => {
  const counted = ENDPOINTS.flatMap(({ name, query, body }) =>
    [query, body].flatMap((schema) => {
      const largest = largestCount(schema);
      return largest === null ? [] : [{ name, largest }];
    }),
  );
  expect(counted.length).toBeGreaterThan(12);
  expect(counted.filter(({ largest }) => largest > MAX_ROWS)).toEqual([]);
});
