/** Counting in bounded memory: numbers that are found again, and what is said when no more are kept. */
import { expect, test } from "vitest";
import { IdCounts, KnownIds } from "./ids.ts";
import { NumberTable } from "./number-table.ts";

test("each number is found with what belongs to it, also after the table has grown", () => {
  const table = new NumberTable(100_000, { hasValues: true });
  const keyOf = (at: number): number => (at * 2_654_435_761) % 9_007_199_254_740_990;
  for (let at = 0; at < 10_000; at += 1) table.set(keyOf(at), at);
  table.set(keyOf(7), 70);
  expect(table.size).toBe(10_000);
  expect([0, 1, 7, 9_999].map((at) => table.get(keyOf(at)))).toEqual([0, 1, 70, 9_999]);
  expect(table.get(keyOf(10_000))).toBeUndefined();
});

test("a full table keeps what it has and takes nothing else", () => {
  const table = new NumberTable(2, { hasValues: false });
  for (const key of [0, 5, 9]) table.set(key);
  expect([table.size, table.isFull, table.get(0), table.get(5), table.get(9)]).toEqual([2, true, 0, 5, undefined]);
});

test("doubled and empty ids are counted until there are more than are remembered, which is said", () => {
  const counts = new IdCounts(["id"], 3);
  for (const id of ["a", "b", "a", "", null]) counts.add({ id });
  expect([counts.list(), counts.isFull]).toEqual([[{ column: "id", doubled: 1, empty: 2 }], false]);
  for (const id of ["c", "d", "e"]) counts.add({ id });
  expect([counts.list()[0]?.doubled, counts.isFull]).toEqual([1, true]);
  const known = new KnownIds(2);
  known.add("a");
  expect([known.has("a"), known.has("b"), known.isFull]).toEqual([true, false, false]);
});
