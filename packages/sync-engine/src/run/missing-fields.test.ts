/** Fields that a system no longer tells: each record that had a value there is named, where no record has the field. */
import { expect, test } from "vitest";
import { seenFingerprint } from "./fingerprint.ts";
import { missingFields } from "./missing-fields.ts";
import { storedLink, travellerOf, twoSystems } from "./stored.fixtures.ts";
import type { Traveller } from "./traveller.ts";

const { source } = twoSystems();
const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "x" };
const seen = (values: object): string => seenFingerprint(source.program, source.place.readFields, { ...values });
const { phone: _, ...UNTOLD } = ADA;

/** A record without its phone, that was seen with it. */
const known = (id: string, more: Partial<Traveller> = {}): Traveller =>
  travellerOf({ record: { id, values: UNTOLD }, link: storedLink({ seen: seen(ADA) }), ...more });
const missing = (...travellers: Traveller[]) =>
  missingFields(source, travellers).map(({ record, field, code }) => `${record} ${field} ${code}`);

test("a field that no record has any more is missed by those that had a value in it", () => {
  expect(missing(known("1"), known("2"))).toEqual(["1 phone field_missing", "2 phone field_missing"]);
  expect(missingFields(source, [known("1")])).toMatchObject([
    { nodeId: source.nodeId, message: expect.stringContaining("phone") },
  ]);
  const blank = known("2", { link: storedLink({ seen: seen({ ...ADA, phone: null }) }) });
  expect(missing(blank, known("1")), "it was blank").toEqual(["1 phone field_missing"]);
  expect(missing(known("1", { link: null }), known("2", { link: storedLink({ seen: null }) }))).toEqual([]);
  expect(missing()).toEqual([]);
});

test("a field that one record tells, if only a blank or what can't be read, is there", () => {
  const telling = (record: Partial<Traveller["record"]>) =>
    known("2", { record: { id: "2", values: UNTOLD, ...record } });
  expect(missing(known("1"), telling({ values: { ...UNTOLD, phone: null } }))).toEqual([]);
  expect(missing(telling({ values: { ...UNTOLD, phone: null } }), known("1"))).toEqual([]);
  const bad = (field: string) => telling({ badFields: [{ field, message: "", excerpt: "" }] });
  expect(missing(known("1"), bad("phone"))).toEqual([]);
  expect(missing(known("1"), bad("name"))).toHaveLength(2);
});
