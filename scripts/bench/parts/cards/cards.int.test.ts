/** The bench of cards runs, at a small size. */
import { expect, test } from "vitest";
import { measure } from "../../cards.ts";
import { CARD_CASES } from "./card-cases.ts";

test("each card is measured with the mirror and without it, then what forty leave to others", async () => {
  const said: string[] = [];
  const measured = await measure(["--orders", "3000", "--customers", "40"], (line) => said.push(line));
  expect(said[0]).toBe("making 3,000 orders of 40 customers");
  expect(measured.map(({ name }) => name)).toEqual([
    ...CARD_CASES.flatMap(({ name }) => [`${name}: mirror / DuckDB`, `${name}: without / PostgreSQL`]),
    "page of records beside 40 cards, p99",
    "sync of 5000 records beside 40 cards",
  ]);
  for (const { ours, limit } of measured) expect(Math.min(ours, limit)).toBeGreaterThan(0);
}, 300_000);

test("a size that is no number is refused before anything is made", async () => {
  await expect(measure(["--orders", "many"], () => {})).rejects.toThrow("--orders must be followed by a whole number");
});
