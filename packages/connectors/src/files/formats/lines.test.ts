/** Quotation marks that are never closed: what reading them costs, and what is read behind them. */
import type { FileSettings } from "@accord/contracts/connections/file-settings";
import { expect, test } from "vitest";
import { csv } from "./text.ts";

const SETTINGS: FileSettings = {
  ...{ header: "no", delimiter: "comma", encoding: "utf-8", dates: "yearFirst", numbers: "plain", idColumn: null },
};

/** Reads a file at once; pieces of it are at hand. */
async function readAll(text: string, most = 1_000_000) {
  const bytes = Buffer.from(text);
  let read = 0;
  const file = {
    name: "a.csv",
    state: async () => ({ size: bytes.length, modified: 1 }),
    open: async () => ({
      async read(offset: number, length: number) {
        const piece = bytes.subarray(offset, offset + length);
        read += piece.length;
        return piece;
      },
      close: async () => {},
    }),
  };
  const request = { from: null, size: bytes.length, most };
  const page = await csv.read({ file, format: csv, part: null }, SETTINGS, request);
  return { ...page, read, size: bytes.length };
}

test("lines that each open a quote anew are read in a few looks at each byte, and other work goes on meanwhile", async () => {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const { rows, read, size, finished } = await readAll('"a"b,"c\n'.repeat(400_000));
  isOver = true;
  expect([size, finished]).toEqual([3_200_000, true]);
  expect(read).toBeLessThan(size * 8);
  expect(turns).toBeGreaterThan(5);
  // The last ones fit into a row.
  expect(rows.length).toBeGreaterThan(250_000);
  expect(rows.every(({ problem, damage }) => problem !== undefined || damage !== undefined)).toBe(true);
  expect(rows.slice(0, 1_000).map(({ line }) => line)).toEqual(Array.from({ length: 1_000 }, (_, at) => at + 1));
});

test("rows behind a quotation mark that is never closed may hold line breaks; behind many of them, no more than a line", async () => {
  const plain = "2,some ordinary text\n".repeat(60_000);
  const one = await readAll(`1,"open\n${plain}3,"two\nlines"\n4,d\n`);
  expect(one.rows.filter(({ problem }) => problem).map(({ line }) => line)).toEqual([1]);
  expect(one.rows.slice(-2).map(({ line, values }) => [line, Object.values(values)])).toEqual([
    [60_002, ["3", "two\nlines"]],
    [60_004, ["4", "d"]],
  ]);
  const opening = Array.from({ length: 5 }, (_, at) => `${at},"a"b,"c\n`).join("");
  const many = await readAll(`0,d\n${opening}${plain}3,"two\nlines"\n`);
  const shown = many.rows.map(({ line, problem, values }) => problem ?? [line, ...Object.values(values)]);
  expect(shown.slice(0, 7)).toEqual([
    [1, "0", "d"],
    ...Array.from({ length: 5 }, () => expect.stringContaining("never closed")),
    [7, "2", "some ordinary text"],
  ]);
  expect(shown.slice(-1)).toEqual([[60_007, "3", "two\nlines"]]);
  expect(shown).toHaveLength(60_007);
});
