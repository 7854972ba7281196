/** Fields that a system leaves out: each record that had a value there is named, and what it held stays known. */
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { expect, test } from "vitest";
import { fieldOf, heldBefore, isKnown, partAt, seenFingerprint } from "../fingerprint.ts";
import { isLeftOut, missingFields, vanishedFields, withHeldBefore } from "./missing-fields.ts";
import { storedLink, inboundRecordOf, twoSystems } from "../../protocol/fixtures/stored.ts";

const { source } = twoSystems();
const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "x" };
const { phone: _, ...UNTOLD } = ADA;
const PHONE = source.place.readFields.indexOf("phone");
const seen = (values: object): string => seenFingerprint(source.program, source.place.readFields, { ...values });
const shown = (before: string | null, values: object = UNTOLD): string =>
  withHeldBefore(source.place, seen(values), storedLink({ seen: before }));
const missing = (...records: string[]) =>
  missingFields(
    source,
    records.map((known, index) => inboundRecordOf({ record: { id: `${index + 1}`, values: UNTOLD }, seen: known })),
  ).map(({ record, field, code }) => `${record} ${field} ${code}`);

test("each record that came without a field is named, if it had a value there", () => {
  expect(missing(shown(seen(ADA)), shown(seen(ADA)))).toEqual(["1 phone field_missing", "2 phone field_missing"]);
  expect(missing(shown(seen({ ...ADA, phone: null })), shown(seen(ADA))), "it was blank").toEqual([
    "2 phone field_missing",
  ]);
  expect(missing(shown(null), shown(seen(UNTOLD))), "nothing is known").toEqual([]);
  expect(missing(shown(seen(ADA), ADA), shown(seen(ADA), { ...ADA, phone: null }))).toEqual([]);
  const records = [inboundRecordOf({ seen: shown(seen(ADA)) })];
  expect(missingFields(source, records)).toMatchObject([
    { nodeId: source.nodeId, message: expect.stringContaining("phone") },
  ]);
});

test("a field that is left out is not one that is empty, and nothing is known of it", () => {
  const left = seen(UNTOLD);
  expect([isLeftOut({ seen: left }, PHONE), isLeftOut({ seen: seen({ ...ADA, phone: null }) }, PHONE)]).toEqual([
    true,
    false,
  ]);
  expect([isKnown(fieldOf(left, PHONE)), fieldOf(seen({ ...ADA, phone: null }), PHONE)]).toEqual([
    false,
    hashValue(null),
  ]);
});

test("what a field held before stays known as long as it is left out", () => {
  const before = seen(ADA);
  const first = shown(before);
  expect(partAt(first, PHONE).slice(1)).toBe(hashValue("1").slice(1));
  expect(shown(first), "read again").toBe(first);
  expect(shown(before, ADA), "nothing is left out").toBe(before);
});

test("fields that vanished at the last refresh of the schema are named for the whole system", () => {
  const [first, ...others] = source.mappings;
  const mappings = [{ ...first!, isMissing: true }, ...others];
  expect(vanishedFields({ ...source, mappings })).toMatchObject([{ code: "field_missing", field: first?.coreField }]);
  expect(vanishedFields(source)).toEqual([]);
});

test("what each field held is known however many are left out at once, wherever they stand", () => {
  const part = shown(seen(ADA), {});
  const held = source.place.readFields.filter((field, index) =>
    heldBefore(partAt(part, index), hashValue(ADA[field as keyof typeof ADA])),
  );
  expect(held).toEqual(source.place.readFields);
});
