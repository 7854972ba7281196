/** Large answers are written in pieces that are together what JSON.stringify gives, with turns for others in between. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { TooLargeError, writeJson } from "./write-json.ts";

const textOf = async (value: unknown) => Buffer.concat(await writeJson(value, 20_000_000)).toString();

test("the pieces are what JSON.stringify gives", async () => {
  await fc.assert(
    fc.asyncProperty(fc.anything({ withDate: true, withNullPrototype: true, maxDepth: 6 }), async (value) => {
      const expected = JSON.stringify(value) ?? "null";
      expect(await textOf(value)).toBe(expected);
    }),
  );
  const rows = Array.from({ length: 1_001 }, (_, index) => ({ index, none: undefined, at: new Date(index) }));
  for (const value of [rows, { rows }, { data: { rows, none: undefined, empty: {} } }, [undefined, () => 1, rows]])
    expect(await textOf(value)).toBe(JSON.stringify(value));
});

function busyFor(milliseconds: number): string {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) continue;
  return "x";
}

test("others get their turn while a large answer is written", async () => {
  // Each row takes its time, however fast the machine is.
  const rows = Array.from({ length: 200 }, (_, index) => ({ index, toJSON: () => busyFor(1) }));
  let turns = 0;
  let ended = false;
  const count = (): void => {
    turns++;
    if (!ended) setImmediate(count);
  };
  setImmediate(count);
  const pieces = await writeJson({ data: { rows } }, 20_000_000);
  ended = true;
  expect(turns).toBeGreaterThan(4);
  expect(pieces.length).toBeGreaterThan(4);
});

test("too many bytes are refused, wherever they are", async () => {
  await expect(writeJson({ text: "é".repeat(600) }, 1_000)).rejects.toThrow(TooLargeError);
  await expect(writeJson({ rows: Array.from({ length: 1_000 }, () => "x") }, 1_000)).rejects.toThrow(TooLargeError);
  expect(await writeJson({ text: "x" }, 1_000)).toHaveLength(1);
});
