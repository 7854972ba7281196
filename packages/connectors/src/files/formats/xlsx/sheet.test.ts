/** Merged cells are found wherever the pieces of a sheet end, and nothing in it makes looking for them slow. */
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { mergedRange } from "./sheet.ts";

const found = (pieces: readonly string[], row = 3) =>
  mergedRange(Readable.from(pieces.map((piece) => Buffer.from(piece))), row);

test("a merged range is found wherever a piece ends", async () => {
  const text = `<worksheet>${"<row/>".repeat(80)}<x:mergeCells count="2"><x:mergeCell ref="B9:C9"/><x:mergeCell\n r="1" ref="A2:D2"/></x:mergeCells>`;
  for (let at = 0; at <= text.length; at += 1) expect(await found([text.slice(0, at), text.slice(at)])).toBe("A2:D2");
  expect(await found([text], 1)).toBeUndefined();
  expect(await found([`<t>the mergeCell ref="A1:B1" of old</t>`])).toBeUndefined();
});

test("thousands of elements that begin and never end are passed at the speed of others", async () => {
  expect(await found(["<mergeCell ".repeat(200_000)])).toBeUndefined();
});

test("looking for them ends when nobody waits any more", async () => {
  const checkpoint = (): never => {
    throw new Error("nobody waits");
  };
  await expect(mergedRange(Readable.from([Buffer.from("<row/>")]), 1, checkpoint)).rejects.toThrow("nobody waits");
});
