/** Why each field of a record is, or is not, sent to a destination: what people read when they ask. */
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { expect, test } from "vitest";
import { FakeSystem, PLAIN_TRAITS, planFor } from "@accord/sync-simulation/testing";
import { fieldVerdicts } from "./field-verdicts.ts";
import { replaceFields } from "../state/fingerprint.ts";
import { ConversionError, type SinkPlan } from "../plan/plan.ts";
import type { StoredLink } from "../protocol/stored.ts";

const [plain] = planFor([new FakeSystem("A", PLAIN_TRAITS)], "NONE").sinks;
if (!plain) throw new Error("the plan has no destination");
const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: null };

/** The record there, which was told these values. */
function linkWith(lastWritten: { [field: string]: unknown } | null, dead = false): StoredLink {
  const parts = new Map(
    Object.entries(lastWritten ?? {}).map(([field, value]) => [
      plain!.place.writeFields.indexOf(field),
      hashValue(value as string),
    ]),
  );
  return {
    externalId: "A1",
    recordId: "r1",
    seen: null,
    lastWritten: lastWritten && replaceFields(null, plain!.place.writeFields.length, parts),
    refused: null,
    respelled: null,
    modifiedAt: null,
    dead,
  };
}

const verdicts = (
  sink: SinkPlan,
  link: StoredLink | null,
  references = new Map<string, Map<string, string>>(),
  values: object = ADA,
) =>
  Object.fromEntries(
    fieldVerdicts(sink, { ...values }, link, references).map(({ coreField, verdict }) => [coreField, verdict]),
  );

test("a record that is created there is sent whole but for what is empty; so is one that is gone there", () => {
  const whole = { email: "differs", name: "differs", phone: "differs", note: "empty" };
  expect(verdicts(plain, null)).toEqual(whole);
  expect(verdicts(plain, linkWith(ADA, true))).toEqual(whole);
});

test("of a record that is there goes what differs, alone or with the rest", () => {
  const sink = { ...plain, onlyChangedFields: true };
  const lastWritten = { ...ADA, name: "Adah" };
  expect(verdicts(sink, linkWith(lastWritten))).toEqual({
    email: "held_there",
    name: "differs",
    phone: "held_there",
    note: "held_there",
  });
  const all = { ...plain, onlyChangedFields: false };
  expect(verdicts(all, linkWith(lastWritten))).toEqual({
    email: "goes_along",
    name: "differs",
    phone: "goes_along",
    note: "goes_along",
  });
  expect(verdicts(all, linkWith(ADA))).toMatchObject({ email: "held_there", name: "held_there" });
  expect(verdicts(sink, linkWith(null)), "nobody knows what is there").toMatchObject({
    email: "differs",
    note: "differs",
  });
});

test("what is only sent at creation, can't be converted, or names what is not there yet, says so with the core's value", () => {
  const mappings = plain.mappings.map((mapping) => {
    if (mapping.coreField === "name") return { ...mapping, createOnly: true };
    if (mapping.coreField === "phone") return { ...mapping, convert: () => new ConversionError("no number") };
    return mapping.coreField === "email" ? { ...mapping, reference: { connectorId: "A", entity: "contact" } } : mapping;
  });
  const sink = { ...plain, mappings };
  expect(verdicts(sink, linkWith(ADA))).toMatchObject({
    name: "create_only",
    phone: "not_convertible",
    email: "reference_unknown",
  });
  expect(verdicts(sink, null).name).toBe("differs");
  const references = new Map([["A/contact", new Map([["ada@example.com", "A7"]])]]);
  expect(fieldVerdicts(sink, ADA, null, references)).toContainEqual({
    coreField: "email",
    connectorField: "email",
    value: "A7",
    verdict: "differs",
  });
  expect(fieldVerdicts(sink, ADA, null, references)).toContainEqual(
    expect.objectContaining({ coreField: "phone", value: "1", verdict: "not_convertible" }),
  );
  expect(verdicts(sink, null, references, { ...ADA, email: null }).email, "it names nobody").toBe("empty");
});
