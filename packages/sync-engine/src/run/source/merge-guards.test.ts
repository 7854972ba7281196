/** What a page relies on not to be merged away while it is decided. */
import { expect, test } from "vitest";
import { mergeGuardsOf } from "./merge-guards.ts";
import { emptyBatch } from "../protocol/storage.ts";

const TIE = { seen: null, lastWritten: null, refused: null, respelled: null, modifiedAt: null, dead: false };
const LOOKED_UP = {
  merged: new Map([["loser", "winner"]]),
  references: new Map([["crm/contact", new Map([["7", "boss"]])]]),
};

const tied = (recordId: string, isNew: boolean) => ({ ...TIE, externalId: `of ${recordId}`, recordId, isNew });

test("on records whose external records it ties anew, unless they were merged away before", () => {
  const batch = { ...emptyBatch(1, null), links: [tied("known", false), tied("fresh", true), tied("loser", false)] };
  expect(mergeGuardsOf(batch, LOOKED_UP)).toEqual(["known"]);
});

test("on records that are named, where it writes any", () => {
  const written = { creates: [{ recordId: "fresh", values: {}, origin: {} }] };
  expect(mergeGuardsOf({ ...emptyBatch(1, null), ...written }, LOOKED_UP)).toEqual(["boss"]);
  const changed = { recordId: "known", expectedVersion: 1, values: {}, origin: {}, deleted: false };
  expect(mergeGuardsOf({ ...emptyBatch(1, null), updates: [changed] }, LOOKED_UP)).toEqual(["boss"]);
  expect(mergeGuardsOf(emptyBatch(1, null), LOOKED_UP)).toEqual([]);
});
