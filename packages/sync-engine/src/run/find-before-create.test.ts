/** Looking before creating: what is there already is tied or updated, and nothing unseen is written over. */
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { describe, expect, test } from "vitest";
import { FakeSystem } from "../simulation/fake-system.ts";
import { PLAIN_TRAITS } from "../simulation/fixtures/plain-traits.ts";
import { planFor } from "../simulation/scenario.ts";
import { adoptFound, isUnread, lookupOf } from "./find-before-create.ts";
import { replaceFields, writtenFingerprint } from "./fingerprint.ts";
import type { Parcel } from "./parcels.ts";
import type { SinkPlan } from "./plan.ts";
import type { ClaimedDelivery } from "./storage.ts";
import { claimedDelivery, storedLink } from "./stored.fixtures.ts";

const traits = { ...PLAIN_TRAITS, idempotentCreate: false, canLookup: true };
const [sink] = planFor([new FakeSystem("A", traits)], "NONE").sinks;
if (!sink) throw new Error("the plan has no destination");
const writeOnly: SinkPlan = { ...sink, place: { ...sink.place, readFields: [], shared: [] } };
const ADA = { email: "ada@example.com", name: "Ada" };
const NOW = 1_000_000;

function creation(values: Parcel["values"] = ADA, more: Partial<ClaimedDelivery> = {}): Parcel {
  const record = { recordId: "r1", version: 1, values, origin: {}, deleted: false };
  const delivery = claimedDelivery({ wanted: 1, record, link: null, ...more });
  return { delivery, operation: "create", externalId: null, values, written: "" };
}
const adopt = (parcel: Parcel, found: Parameters<typeof adoptFound>[2], at: SinkPlan = sink) =>
  adoptFound(at, { parcels: [parcel], settled: [] }, found, NOW);
const there = { id: "A7", values: { email: "ADA@example.com", name: "Ada L" } };

describe("before a creation", () => {
  test("is asked for by its key, each key once; nothing where there is none, or the system can't be asked", () => {
    const parcels = [
      creation(),
      creation(),
      creation({ email: "" }),
      creation({ email: null }),
      creation({ name: "Eve" }),
    ];
    expect(lookupOf(sink, [...parcels, { ...creation({ email: "b" }), operation: "update" }])).toEqual({
      field: "email",
      values: ["ada@example.com"],
    });
    expect(lookupOf(sink, parcels.slice(2))).toBeNull();
    expect(lookupOf({ ...sink, canLookup: false }, parcels)).toBeNull();
    expect(lookupOf({ ...sink, matchOn: null }, parcels)).toBeNull();
  });

  test("what nobody finds is created, unless it is to be deleted: then it is done", () => {
    expect(adopt(creation(), [])).toMatchObject({ parcels: [{ operation: "create" }], settled: [] });
    expect(adopt(creation(), [{ ...there, deleted: true }])).toMatchObject({ parcels: [{ operation: "create" }] });
    const deleted = creation(ADA, { record: { recordId: "r1", version: 1, values: ADA, origin: {}, deleted: true } });
    expect(adopt(deleted, [])).toMatchObject({ parcels: [], settled: [{ result: "done" }] });
    expect(adopt(deleted, [there]), "it is there: its id is learned first").toMatchObject({
      settled: [{ result: "again", link: { externalId: "A7" } }],
    });
  });

  test("what is there is updated where nobody reads; of several the first, whatever the case of its key", () => {
    const found = [there, { id: "A8", values: ADA }];
    expect(adopt(creation(), found, writeOnly)).toMatchObject({
      parcels: [{ operation: "update", externalId: "A7" }],
      settled: [],
    });
  });

  test("what is found by its key is left to another creation of that key in doubt, unless this one is in doubt too", () => {
    const written = writtenFingerprint(sink.place.toldFields, ADA);
    const [tied] = adopt({ ...creation(), written }, [there]).settled;
    expect(tied?.foundBy).toEqual({ toldIndex: sink.place.toldFields.indexOf("email"), key: hashValue(ADA.email) });
    const inDoubt = creation(ADA, { unanswered: { intent: "create", written: [written] } });
    expect(adopt({ ...inDoubt, written }, [there]).settled[0]?.foundBy).toBeUndefined();
  });

  test("while another creation of that key stays in doubt, the destination is asked less and less often", () => {
    const asked = [0, 1, 2, 3, 4].map((attempts) => {
      const [tied] = adopt(creation(ADA, { attempts }), [there]).settled;
      return [tied?.attempts, (tied?.nextAt ?? 0) - NOW];
    });
    expect(asked).toEqual([
      [1, 2_000 + sink.readDelayMs],
      [2, 8_000],
      [3, 32_000],
      [4, 128_000],
      [4, 512_000],
    ]);
    const unanswered = { intent: "create" as const, written: [] };
    const inDoubt = creation(ADA, { attempts: 3, unanswered });
    expect(adopt(inDoubt, [there]).settled[0], "it waits for nobody else").toMatchObject({
      attempts: 3,
      nextAt: NOW + 2_000 + sink.readDelayMs,
    });
  });

  test("what is there and read too is only tied, with nothing seen but what we may have written there ourselves", () => {
    const [tied] = adopt(creation(), [there]).settled;
    expect(tied).toMatchObject({
      result: "again",
      answered: true,
      nextAt: NOW + 2_000 + sink.readDelayMs,
      link: { externalId: "A7", isNew: true, dead: false },
    });
    expect(tied?.link?.seen).toBe(replaceFields(null, sink.place.readFields.length, new Map()));
    const written = [writtenFingerprint(sink.place.toldFields, { ...there.values, name: "Ada" })];
    const [doubtful] = adopt(creation(ADA, { unanswered: { intent: "create", written } }), [there]).settled;
    expect(doubtful?.answered).toBe(false);
    const email = sink.place.readFields.indexOf("email");
    expect(doubtful?.link?.seen).toBe(
      replaceFields(null, sink.place.readFields.length, new Map([[email, hashValue(there.values.email)]])),
    );
  });
});

test("an update goes over what was never seen if any of its fields was not", () => {
  const count = sink.place.readFields.length;
  const seen = (...fields: string[]): string =>
    replaceFields(null, count, new Map(fields.map((field) => [sink.place.readFields.indexOf(field), hashValue("x")])));
  const update = (known: string | null): Parcel => ({
    ...creation(ADA, { link: storedLink({ seen: known }) }),
    operation: "update",
    externalId: "A1",
  });
  expect(isUnread(sink, update(null))).toBe(true);
  expect(isUnread(sink, update(seen("email")))).toBe(true);
  expect(isUnread(sink, update(seen("email", "name")))).toBe(false);
  expect(isUnread(sink, { ...update(null), operation: "delete" })).toBe(false);
  expect(isUnread(sink, creation())).toBe(false);
});
