/** Looking before creating: what is there already is tied or updated, and nothing unseen is written over. */
import type { SourceRecord } from "@accord/connector-sdk";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { describe, expect, test } from "vitest";
import { FakeSystem, PLAIN_TRAITS, PipelineDriver, planFor } from "@accord/sync-simulation/testing";
import { adoptExisting, isUnverified, lookupOf } from "./find-before-create.ts";
import { replaceFields, writtenFingerprint } from "../../state/fingerprint.ts";
import type { PreparedWrites, PendingWrite } from "../deliveries/pending-writes.ts";
import type { SinkPlan } from "../../plan/plan.ts";
import type { ClaimedDelivery } from "../../protocol/storage.ts";
import { claimedDelivery, storedLink } from "../../protocol/fixtures/stored.ts";

const traits = { ...PLAIN_TRAITS, idempotentCreate: false, canLookup: true };
const [sink] = planFor([new FakeSystem("A", traits)], "NONE").sinks;
if (!sink) throw new Error("the plan has no destination");
const writeOnly: SinkPlan = { ...sink, place: { ...sink.place, readFields: [], shared: [] } };
const ADA = { email: "ada@example.com", name: "Ada" };
const NOW = 1_000_000;

function creation(values: PendingWrite["values"] = ADA, more: Partial<ClaimedDelivery> = {}): PendingWrite {
  const record = { recordId: "r1", version: 1, values, origin: {}, deleted: false };
  const delivery = claimedDelivery({ wanted: 1, record, link: null, ...more });
  return { delivery, operation: "create", externalId: null, values, written: "" };
}
const keyed = (recordId: string, email: string, more: Partial<ClaimedDelivery> = {}): PendingWrite =>
  creation({ email }, { recordId, ...more });
const adopt = (pendingWrite: PendingWrite, found: Parameters<typeof adoptExisting>[2], at: SinkPlan = sink) =>
  adoptExisting(at, { pendingWrites: [pendingWrite], settled: [], waiting: [], now: NOW }, found, NOW);
const there = { id: "A7", values: { email: "ADA@example.com", name: "Ada L" } };

describe("before a creation", () => {
  test("is asked for by its key, each key once; nothing where there is none, or the system can't be asked", () => {
    const pendingWrites = [
      creation(),
      creation(),
      creation({ email: "" }),
      creation({ email: null }),
      creation({ name: "Eve" }),
    ];
    expect(lookupOf(sink, [...pendingWrites, { ...creation({ email: "b" }), operation: "update" }])).toEqual({
      field: "email",
      values: ["ada@example.com"],
    });
    expect(lookupOf(sink, pendingWrites.slice(2))).toBeNull();
    expect(lookupOf({ ...sink, canLookup: false }, pendingWrites)).toBeNull();
    expect(lookupOf({ ...sink, matchOn: null }, pendingWrites)).toBeNull();
  });

  test("what nobody finds is created, unless it is to be deleted: then it is done", () => {
    expect(adopt(creation(), [])).toMatchObject({
      pendingWrites: [{ operation: "create" }],
      settled: [],
      waiting: [],
      now: NOW,
    });
    expect(adopt(creation(), [{ ...there, deleted: true }])).toMatchObject({
      pendingWrites: [{ operation: "create" }],
    });
    const deleted = creation(ADA, { record: { recordId: "r1", version: 1, values: ADA, origin: {}, deleted: true } });
    expect(adopt(deleted, [])).toMatchObject({ pendingWrites: [], settled: [{ result: "done" }] });
    expect(adopt(deleted, [there]), "it is there: its id is learned first").toMatchObject({
      settled: [{ result: "again", link: { externalId: "A7" } }],
    });
  });

  test("what is there is updated where nobody reads, whatever the case of its key", () => {
    expect(adopt(creation(), [there], writeOnly)).toMatchObject({
      pendingWrites: [{ operation: "update", externalId: "A7" }],
      settled: [],
    });
  });

  test("a key in the same case goes before others; of several that have it, the first", () => {
    const found = [there, { id: "A8", values: ADA }, { id: "A9", values: ADA }];
    expect(adopt(creation(), found, writeOnly)).toMatchObject({
      pendingWrites: [{ operation: "update", externalId: "A8" }],
      settled: [],
    });
  });

  describe("keys that differ in case only", () => {
    const two = [keyed("r1", "aB1"), keyed("r2", "AB1")];
    const adoptTwo = (found: readonly SourceRecord[], pendingWrites = two, at = writeOnly) =>
      adoptExisting(at, { pendingWrites, settled: [], waiting: [], now: NOW }, found, NOW);
    const at = (id: string, email: string): SourceRecord => ({ id, values: { email } });
    const updated = ({ pendingWrites }: PreparedWrites) =>
      pendingWrites.map(({ operation, externalId }) => [operation, externalId]);

    test("are two records, each with its own, in whatever order they are found", () => {
      const found = [at("x2", "AB1"), at("x1", "aB1")];
      expect(updated(adoptTwo(found))).toEqual([
        ["update", "x1"],
        ["update", "x2"],
      ]);
      const { settled } = adoptTwo(found, two, sink);
      expect(settled.map(({ recordId, link }) => [recordId, link?.externalId])).toEqual([
        ["r1", "x1"],
        ["r2", "x2"],
      ]);
    });

    test("the one that is not found is created: the other's record is none of its own", () => {
      expect(updated(adoptTwo([at("x1", "aB1"), at("x1", "aB1")]))).toEqual([
        ["update", "x1"],
        ["create", null],
      ]);
    });

    test("the one that has its own there leaves what differs from it to the other one, where nobody else wants that", () => {
      expect(updated(adoptTwo([at("x1", "aB1"), at("x2", "ab1")]))).toEqual([
        ["update", "x1"],
        ["update", "x2"],
      ]);
    });

    test("and from all that is found there: a person has to say which it is, and nothing is written", () => {
      const quarantineEntries = { result: "parked", answered: true, quarantine: { code: "ambiguous_match" } };
      expect(adoptTwo([at("x1", "ab1")])).toMatchObject({
        pendingWrites: [],
        settled: [quarantineEntries, quarantineEntries],
      });
      const several = adoptTwo([at("x1", "ab1"), at("x2", "Ab1")], [keyed("r1", "AB1")]);
      expect(several).toMatchObject({ pendingWrites: [], settled: [quarantineEntries] });
      const inDoubt = keyed("r1", "AB1", { unanswered: { intent: "create", written: [] } });
      expect(adoptTwo([at("x1", "ab1"), at("x2", "Ab1")], [inDoubt]).settled).toMatchObject([{ answered: false }]);
    });
  });

  test.each([
    ["nothing", null],
    ["an empty text", ""],
    ["blanks", " "],
    ["an object", { code: 1 }],
  ])("%s is no key: a search may bring along whoever has none either", (_, email) => {
    const found = [{ id: "x9", values: { email, name: "Somebody else" } }];
    for (const pendingWrite of [creation({ email, name: "Eve" }), creation({ name: "Eve" })]) {
      expect(lookupOf(sink, [pendingWrite])).toBeNull();
      expect(
        adoptExisting(
          sink,
          { pendingWrites: [pendingWrite, creation()], settled: [], waiting: [], now: NOW },
          found,
          NOW,
        ),
      ).toMatchObject({
        pendingWrites: [{ operation: "create" }, { operation: "create" }],
        settled: [],
      });
    }
  });

  test("one record is found for one of two with its key; one in doubt goes first, and the other one waits", () => {
    const unanswered = { intent: "create" as const, written: [] };
    const pendingWrites = [keyed("r1", "a"), keyed("r2", "a", { unanswered }), keyed("r3", "a", { unanswered })];
    const found = [{ id: "x1", values: { email: "a" } }];
    const { settled } = adoptExisting(sink, { pendingWrites, settled: [], waiting: [], now: NOW }, found, NOW);
    expect(
      settled.map(({ recordId, link, attempts, answered }) => [recordId, link?.externalId, attempts, answered]),
    ).toEqual([
      ["r1", undefined, 1, true],
      ["r2", "x1", 0, false],
      ["r3", undefined, 1, false],
    ]);
  });

  test("what is found by its key is left to another creation of that key in doubt, unless this one is in doubt too", () => {
    const written = writtenFingerprint(sink.place.writeFields, ADA);
    const [tied] = adopt({ ...creation(), written }, [there]).settled;
    expect(tied?.foundBy).toEqual({ writeIndex: sink.place.writeFields.indexOf("email"), key: hashValue(ADA.email) });
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
    const written = [writtenFingerprint(sink.place.writeFields, { ...there.values, name: "Ada" })];
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
  const update = (known: string | null): PendingWrite => ({
    ...creation(ADA, { link: storedLink({ seen: known }) }),
    operation: "update",
    externalId: "A1",
  });
  expect(isUnverified(sink, update(null))).toBe(true);
  expect(isUnverified(sink, update(seen("email")))).toBe(true);
  expect(isUnverified(sink, update(seen("email", "name")))).toBe(false);
  expect(isUnverified(sink, { ...update(null), operation: "delete" })).toBe(false);
  expect(isUnverified(sink, creation())).toBe(false);
});

test("a double of what a system holds already is quarantined there for a person to see", () => {
  const driver = new PipelineDriver({ systems: [{}, {}] });
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  driver.system("B").insert({ ...ADA, name: "Eve" }, driver.now);
  driver.settle(4);
  const double = driver.store.recordAt(2, "B2");
  expect(driver.store.quarantine).toMatchObject([
    { direction: "destination", recordId: double, code: "already_linked", payload: { name: "Eve" } },
  ]);
  expect(driver.system("A").rows()).toHaveLength(1);
});
