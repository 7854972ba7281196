/** Copies of a record that a person deleted here: what counts as a change of one, and what the others have yet to say or hear. */
import { describe, expect, test } from "vitest";
import { resolvedWith, storedLink, storedRecord, twoSystems } from "../../protocol/fixtures/stored.ts";
import { asExpectation, fieldOf, isKnown, replaceFields, seenFingerprint, UNKNOWN } from "../fingerprint.ts";
import {
  hasChanges,
  isReleased,
  isWrittenAfterReading,
  linkAfterReturn,
  linkOfCopy,
  returned,
} from "./released-links.ts";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };
const { plan, source } = twoSystems();
const { program, place } = source;
const seenOf = (values: object): string => seenFingerprint(program, place.readFields, { ...ADA, ...values });
const phone = place.readFields.indexOf("phone");

test("nothing stands for a copy whose record is gone, unless that was merged into one that is there", () => {
  const link = storedLink({ recordId: "r1" });
  const records = new Map([["w", storedRecord({ recordId: "w" })]]);
  expect(isReleased(link, resolvedWith({ records: new Map([["r1", storedRecord()]]) }))).toBe(false);
  expect(isReleased(link, resolvedWith({ records }))).toBe(true);
  expect(isReleased(link, resolvedWith({ records, merged: new Map([["r1", "w"]]) }))).toBe(false);
  expect(isReleased(link, resolvedWith({ records, merged: new Map([["r1", "lost"]]) }))).toBe(true);
});

describe("a copy has changed", () => {
  const changed = (known: string | null, values: object, more: object = {}, at = source) =>
    hasChanges(
      at,
      { id: "A1", values: { ...ADA, ...values }, ...more },
      storedLink({ seen: known, modifiedAt: "2026" }),
      seenOf(values),
    );

  test("where a field shows something else than was known, be it the first or the last", () => {
    expect(changed(seenOf({}), {})).toBe(false);
    for (const field of ["email", "name", "phone", "note"])
      expect(changed(seenOf({}), { [field]: "x" }), field).toBe(true);
  });

  test("not where nothing was known of it, or the field is read no more", () => {
    expect(changed(null, { phone: "2" })).toBe(false);
    const unknown = replaceFields(seenOf({}), place.readFields.length, new Map([[phone, UNKNOWN]]));
    expect(changed(unknown, { phone: "2" })).toBe(false);
    expect(changed(unknown, { phone: "2", name: "Eve" })).toBe(true);
    const lapsed = { ...source, place: { ...place, lapsed: new Set([phone]) } };
    expect(changed(seenOf({}), { phone: "2" }, {}, lapsed)).toBe(false);
  });

  test("not where the time of change is that of our last write, whatever it makes of that", () => {
    const written = asExpectation(seenOf({}));
    expect(changed(written, { phone: "2" }, { modifiedAt: "2026" })).toBe(false);
    expect(changed(written, { phone: "2" }, { modifiedAt: "2027" })).toBe(true);
    expect(changed(written, { phone: "2" })).toBe(true);
    expect(changed(seenOf({}), { phone: "2" }, { modifiedAt: "2026" }), "it was read since").toBe(true);
  });
});

test("a copy that turned out to be our creation is tied as it shows itself", () => {
  expect(linkOfCopy({ id: "A7", values: {}, modifiedAt: "2026" }, "r9", "seen")).toEqual({
    ...{ externalId: "A7", recordId: "r9", seen: "seen", modifiedAt: "2026" },
    ...{ lastWritten: null, refused: null, respelled: null, dead: false },
  });
  expect(linkOfCopy({ id: "A7", values: {} }, "r9", "seen").modifiedAt).toBeNull();
});

describe("a record that is back", () => {
  const [, other] = plan.sources;
  const [, sink] = plan.sinks;
  if (!other || !sink) throw new Error("there is one system only");
  const said = { email: ADA.email, name: ADA.name };
  const open = ({ coreField }: { coreField: string }): boolean => !(coreField in said);

  test("has what its source did not say read from the other copies, and written to none of them as a blank", () => {
    const { recordId, others } = returned(plan, source, "r1", said);
    expect(recordId).toBe("r1");
    expect(others).toEqual([
      {
        placeId: other.place.id,
        unread: other.mappings.filter(open).map(({ readIndex }) => readIndex),
        untold: sink.mappings.filter(open).map(({ writeIndex }) => writeIndex),
        isAsked: true,
      },
    ]);
    expect(others[0]?.unread).toHaveLength(2);
    expect(returned(plan, source, "r1", ADA).others, "it said all").toEqual([]);
  });

  test("has only those copies asked for that can be, and that are read", () => {
    const isAsked = (sources: typeof plan.sources) => returned({ ...plan, sources }, source, "r1", said).others[0];
    const blind = plan.sources.map((one) => ({ ...one, canGetById: false }));
    expect(isAsked(blind)).toMatchObject({ isAsked: false, unread: [expect.any(Number), expect.any(Number)] });
    expect(isAsked([source])).toMatchObject({ isAsked: false, unread: [] });
    const sinks = plan.sinks.filter((one) => one.place.id !== other.place.id);
    expect(returned({ ...plan, sinks }, source, "r1", said).others[0]).toMatchObject({ isAsked: true, untold: [] });
  });

  test("leaves in the tie of another copy what that is not asked to say again", () => {
    const tie = storedLink({ seen: seenOf({}), lastWritten: null });
    const after = linkAfterReturn(tie, { placeId: 2, unread: [phone], untold: [], isAsked: true });
    const known = place.readFields.filter((_, index) => isKnown(fieldOf(after.seen ?? "", index)));
    expect(known).toEqual(place.readFields.filter((field) => field !== "phone"));
    expect(after.lastWritten).toBeNull();
    expect(linkAfterReturn(storedLink(), { placeId: 2, unread: [phone], untold: [], isAsked: true }).seen).toBeNull();
  });

  test("is told to whole-record destinations once their copies were read, where those may say more", () => {
    const { recordId, others } = returned(plan, source, "r1", said);
    const whole = { ...sink, onlyChangedFields: false };
    expect(isWrittenAfterReading(whole, { recordId, others })).toBe(true);
    expect(isWrittenAfterReading({ ...sink, onlyChangedFields: true }, { recordId, others })).toBe(false);
    expect(isWrittenAfterReading(whole, { recordId, others: [] })).toBe(false);
    const unread = { ...whole, place: { ...whole.place, readFields: [] } };
    expect(isWrittenAfterReading(unread, { recordId, others })).toBe(false);
    const elsewhere = others.map((one) => ({ ...one, placeId: 99 }));
    expect(isWrittenAfterReading(whole, { recordId, others: [...elsewhere, ...others] })).toBe(true);
    expect(isWrittenAfterReading(whole, { recordId, others: elsewhere })).toBe(false);
  });
});
