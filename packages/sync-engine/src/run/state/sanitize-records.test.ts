/** Records that can't be stored as they come: made fit, or quarantined, each without holding up the others of its page. */
import type { SourceRecord } from "@accord/connector-sdk";
import { MAX_LEVELS } from "@accord/expressions";
import { expect, test } from "vitest";
import { MAX_RECORD_SIZE, MAX_ID_LENGTH, shownId, sanitizeRecords } from "./sanitize-records.ts";

const BROKEN = "a\u0000b";
const FIT = "a\ufffdb";
const good: SourceRecord = { id: "1", values: { name: "Ada", age: 36, tags: ["x"], note: null } };
const nested = (levels: number): SourceRecord["values"] => {
  let value: SourceRecord["values"][string] = "leaf";
  for (let level = 0; level < levels; level += 1) value = [value];
  return { deep: value };
};
const pageOf = (...records: SourceRecord[]) => sanitizeRecords({ records, bad: [{ place: "line 1", message: "cut" }] });

test("a page whose records are fit is the same page", () => {
  const records = [good, { id: "2", values: {}, deleted: true }];
  const fit = sanitizeRecords({ records, bad: undefined });
  expect(fit.records).toBe(records);
  expect(fit).toMatchObject({ bad: [], replaced: [] });
});

test("characters that can't be stored are replaced, wherever they stand, and said so", () => {
  const { records, bad, replaced } = pageOf(good, { id: "2", values: { name: BROKEN, tags: ["ok", BROKEN], age: 1 } });
  expect(records).toEqual([good, { id: "2", values: { name: FIT, tags: ["ok", FIT], age: 1 } }]);
  expect(replaced).toEqual([
    { id: "2", field: "name" },
    { id: "2", field: "tags" },
  ]);
  expect(bad).toEqual([{ place: "line 1", message: "cut" }]);
});

test("a record whose id can't be stored, or whose values nest too deeply, is quarantined; the others go on", () => {
  const { records, bad } = pageOf({ id: BROKEN, values: {} }, { id: "2", values: nested(MAX_LEVELS + 2) }, good);
  expect(records).toEqual([good]);
  expect(bad.slice(1)).toMatchObject([
    { place: `id ${FIT}`, message: expect.stringContaining("id") },
    { place: "id 2", id: "2", message: expect.stringContaining("deep is nested deeper") },
  ]);
  expect(pageOf({ id: BROKEN, values: {}, deleted: true }).records).toEqual([]);
});

test("a record whose id is longer than 800 characters is quarantined under the beginning of its id", () => {
  const longest = { id: "x".repeat(MAX_ID_LENGTH), values: {} };
  const { records, bad } = pageOf(longest, { id: `y${longest.id}`, values: {} });
  expect(records).toEqual([longest]);
  const place = `id y${"x".repeat(99)}… (801 characters)`;
  expect(bad.slice(1)).toEqual([{ place, message: "Its id has more than 800 characters." }]);
});

test("an id that is as long as one may be is shown whole", () => {
  const longest = "x".repeat(MAX_ID_LENGTH);
  expect(shownId(longest)).toBe(longest);
});

test("a record may hold a million characters, in one text or many; what a deleted one held is of no account", () => {
  const long = (length: number): string => "x".repeat(length);
  const taken = (values: SourceRecord["values"], deleted = false): number =>
    pageOf({ id: "2", values, deleted }).records.length;
  expect(taken({ a: long(MAX_RECORD_SIZE) })).toBe(1);
  expect(taken({ a: long(MAX_RECORD_SIZE + 1) })).toBe(0);
  expect(taken({ a: long(MAX_RECORD_SIZE / 2), b: long(MAX_RECORD_SIZE / 2) })).toBe(1);
  expect(taken({ a: long(MAX_RECORD_SIZE / 2), b: [long(MAX_RECORD_SIZE / 2), "xx"] })).toBe(0);
  expect(taken({ a: { b: [long(MAX_RECORD_SIZE), "x"] } })).toBe(0);
  expect(taken({ a: long(MAX_RECORD_SIZE + 1) }, true)).toBe(1);
  const [, quarantineEntries] = pageOf({ id: "2", values: { a: long(MAX_RECORD_SIZE + 1) } }).bad;
  expect(quarantineEntries).toEqual({ place: "id 2", id: "2", message: "It holds more than 1,000,000 characters." });
});
