/** What a destination is sent of the records it has to hear of: what differs there, what may be written, what has to wait. */
import { hashValue } from "@accord/connector-sdk/fingerprint";
import type { Values } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import {
  attemptFingerprint,
  REMOVED_BY_US,
  replaceFields,
  seenFingerprint,
  writtenFingerprint,
} from "./fingerprint.ts";
import { beginPacking, claimRequest, createOnlyChanges, endPacking, goOnPacking } from "./pack.ts";
import type { Packed } from "./parcels.ts";
import { Inconvertible, type SinkMapping, type SinkPlan } from "./plan.ts";
import { DELIVERY_ATTEMPTS } from "./retry.ts";
import { claimedDelivery, claimedOf, momentOf, NOW, storedLink, storedRecord, twoSystems } from "./stored.fixtures.ts";
import type { Claimed, ClaimedDelivery } from "./storage.ts";
import type { StoredLink } from "./stored.ts";

const { sink } = twoSystems({ lagMs: 59_999 });
const family = twoSystems({}, { story: { hasReferences: true } }).sink;
const ENV = { now: NOW, random: () => 0.5 };
const ADA = { email: "ada@example.com", name: "Ada" };
const FIELDS = sink.place.toldFields;
const unread: SinkPlan = { ...sink, place: { ...sink.place, readFields: [], shared: [] } };

function packed(delivery: Partial<ClaimedDelivery>, at: SinkPlan = sink, more: Partial<Claimed> = {}): Packed {
  return endPacking(at, beginPacking(at, claimedOf([claimedDelivery(delivery)], more), ENV));
}
const told = (values: object) => storedLink({ told: writtenFingerprint(FIELDS, { ...values }) });
/** What is sent as an update of the record's values over what the place was told. */
const sent = (values: object, before: object, at: SinkPlan = sink) =>
  packed({ record: storedRecord({ values: { ...values } }), link: told(before) }, at).parcels[0]?.values ?? null;
const withMapping = (change: (mapping: SinkMapping) => Partial<SinkMapping>): SinkPlan => ({
  ...sink,
  mappings: sink.mappings.map((mapping) => ({ ...mapping, ...change(mapping) })),
});

test("a claim asks for so many records, and for what its references are called there", () => {
  expect(claimRequest(sink, 20, false)).toEqual({ placeId: sink.place.id, limit: 20, references: [] });
  expect(claimRequest(family, 20, false).references).toEqual([
    { coreField: "boss", connectorId: "A", entity: "contact" },
  ]);
});

describe("a record that is there", () => {
  test("is told what differs from what it was told, and nothing where nothing does", () => {
    expect(sent({ ...ADA, name: "Eve" }, { ...ADA, phone: null, note: null })).toEqual({ name: "Eve" });
    expect(sent(ADA, { ...ADA, phone: null, note: null })).toBeNull();
    expect(packed({ link: told({ ...ADA, phone: null, note: null }) })).toMatchObject({
      parcels: [],
      settled: [{ recordId: "r1", result: "done", waits: [], nextAt: 0 }],
    });
  });

  test("is told all of it when it was never told anything, blanks too", () => {
    const { parcels, settled } = packed({ link: storedLink() });
    expect(parcels).toMatchObject([
      { operation: "update", externalId: "A1", values: { ...ADA, phone: null, note: null } },
    ]);
    expect(parcels[0]?.written).toBe(attemptFingerprint(FIELDS, { ...ADA, phone: null, note: null }));
    expect(settled).toEqual([]);
  });

  test("is told everything once anything differs, where only whole records are written", () => {
    const whole = { ...sink, onlyChangedFields: false };
    const all = { ...ADA, phone: null, note: null };
    expect(sent({ ...ADA, name: "Eve" }, all, whole)).toEqual({ ...all, name: "Eve" });
    expect(sent(ADA, all, whole)).toBeNull();
  });

  test("is not told fields that are only set on creation, nor what can't be converted", () => {
    const createOnly = withMapping(({ connectorField }) => ({ createOnly: connectorField === "name" }));
    expect(sent({ ...ADA, name: "Eve", phone: "1" }, { ...ADA, note: null }, createOnly)).toEqual({ phone: "1" });
    const failing = withMapping(({ connectorField, convert }) =>
      connectorField === "name" ? { convert: () => new Inconvertible("no") } : { convert },
    );
    expect(sent({ ...ADA, name: "Eve", phone: "1" }, { ...ADA, note: null }, failing)).toEqual({ phone: "1" });
  });

  describe("of which a field changed that is only set on creation", () => {
    const fixed = withMapping(({ connectorField }) => ({ createOnly: connectorField === "name" }));
    const warned = (link: Partial<StoredLink>, values: Values = { ...ADA, name: "Eve" }, at: SinkPlan = fixed) =>
      createOnlyChanges(
        at,
        beginPacking(
          at,
          claimedOf([claimedDelivery({ record: storedRecord({ values }), link: storedLink(link) })]),
          ENV,
        ),
      );
    const made = writtenFingerprint(FIELDS, ADA);
    const shown = (values: Values) => seenFingerprint("12345678", sink.place.readFields, values);

    test("keeps its old value, and people hear of it", () => {
      const warning = { nodeId: sink.nodeId, code: "create_only", record: "A1", field: "name" };
      expect(warned({ told: made })).toEqual([
        { ...warning, message: expect.stringContaining("name is only written") },
      ]);
      expect(warned({ told: made, seen: shown(ADA) })).toHaveLength(1);
    });

    test("is no matter where it did not change, holds the new value, was never told, or may not be updated at all", () => {
      expect(warned({ told: made }, ADA)).toEqual([]);
      expect(warned({ told: made, seen: shown({ ...ADA, name: "Eve" }) })).toEqual([]);
      expect(warned({ told: null })).toEqual([]);
      expect(warned({ told: writtenFingerprint(FIELDS, { email: ADA.email }) })).toEqual([]);
      expect(warned({ told: made, dead: true })).toEqual([]);
      expect(warned({ told: made }, undefined, { ...fixed, update: false })).toEqual([]);
      expect(warned({ told: made }, undefined, sink)).toEqual([]);
    });
  });

  test("is not told over a reference of its own that nobody knows yet", () => {
    const record = storedRecord({ values: { ...ADA, name: "Eve", phone: "1" } });
    expect(packed({ record, link: told({ ...ADA, note: null }), open: ["name"] }).parcels[0]?.values).toEqual({
      phone: "1",
    });
  });

  test("is not updated where nothing may be", () => {
    const { parcels, settled } = packed({}, { ...sink, update: false });
    expect([parcels, settled]).toMatchObject([[], [{ result: "done" }]]);
    expect(settled[0]).not.toHaveProperty("leavesAside");
  });
});

describe("a record that is not there", () => {
  const fresh = { link: null };

  test("is created with what it holds, without blanks", () => {
    expect(packed(fresh)).toMatchObject({
      parcels: [
        { operation: "create", externalId: null, values: ADA, written: attemptFingerprint(FIELDS, ADA), waits: [] },
      ],
      settled: [],
    });
    const createOnly = withMapping(() => ({ createOnly: true }));
    expect(packed(fresh, createOnly).parcels[0]?.values).toEqual(ADA);
  });

  test("is created even if nothing of it can be told there", () => {
    expect(packed({ ...fresh, record: storedRecord({ values: {} }) }).parcels).toMatchObject([
      { operation: "create", values: {} },
    ]);
  });

  test("is not created where nothing may be", () => {
    expect(packed(fresh, { ...sink, create: false })).toMatchObject({ parcels: [], settled: [{ result: "done" }] });
  });

  test("comes back where we removed it; where others did, only by permission", () => {
    const removed = { link: storedLink({ dead: true, told: REMOVED_BY_US }) };
    const gone = { link: storedLink({ dead: true, told: writtenFingerprint(FIELDS, ADA) }) };
    expect(packed(removed).parcels).toMatchObject([{ operation: "create", values: ADA }]);
    expect(packed(gone), "what was set aside since it is gone stays so").toMatchObject({
      parcels: [],
      settled: [{ result: "done", leavesAside: true }],
    });
    expect(packed(gone, { ...sink, recreate: true }).parcels).toMatchObject([{ operation: "create" }]);
    expect(packed(removed, { ...sink, create: false, recreate: true }).parcels).toEqual([]);
  });
});

describe("a value made by a field's own pipeline", () => {
  const computed = withMapping(({ connectorField }) => ({ isComputed: connectorField === "name" }));

  test("is told where there is one; where nothing came through, nothing is said of the field", () => {
    expect(sent({ ...ADA, name: "Eve" }, { ...ADA, phone: null, note: null }, computed)).toEqual({ name: "Eve" });
    expect(sent({ email: ADA.email, phone: "1" }, { ...ADA, note: null }, computed)).toEqual({ phone: "1" });
    // Of others a missing value is a blank one.
    expect(sent({ email: ADA.email }, { ...ADA, phone: null, note: null }, sink)).toEqual({ name: null });
  });
});

describe("a reference", () => {
  const record = storedRecord({ values: { ...ADA, boss: "r9" } });
  const known = { references: new Map([["A/contact", new Map([["r9", "A9"]])]]) };

  test("is told by its name there; one that is not there yet is left out, and waited for", () => {
    expect(packed({ record, link: null }, family, known).parcels[0]).toMatchObject({
      values: { boss: "A9" },
      waits: [],
    });
    const [parcel] = packed({ record, link: null }, family).parcels;
    expect(parcel?.values).toEqual(ADA);
    expect(parcel?.waits).toEqual([{ connectorId: "A", entity: "contact", targetId: "r9" }]);
  });

  test("that is all there is to tell is waited for as well; a blank one is for nothing", () => {
    const all = writtenFingerprint(family.place.toldFields, { ...ADA, phone: null, note: null });
    expect(packed({ record, link: storedLink({ told: all }) }, family).settled).toMatchObject([
      { result: "done", waits: [{ targetId: "r9" }] },
    ]);
    const blank = packed({ record: storedRecord(), link: storedLink({ told: all }) }, family);
    expect(blank.parcels[0]).toMatchObject({ values: { boss: null }, waits: [] });
  });
});

describe("a deleted record", () => {
  const deleted = { record: storedRecord({ deleted: true }) };
  const created = { intent: "create" as const, written: [""] };

  test("is deleted there, and done where it is not", () => {
    expect(packed(deleted).parcels).toMatchObject([{ operation: "delete", externalId: "A1", values: {}, written: "" }]);
    for (const link of [null, storedLink({ dead: true })])
      expect(packed({ ...deleted, link })).toMatchObject({ parcels: [], settled: [{ result: "done" }] });
  });

  test("stays where nothing is deleted, also as a second one of what it was merged into", () => {
    for (const isMerged of [false, true]) {
      const gone = { ...deleted, isMerged };
      expect(packed(gone, { ...sink, delete: false })).toMatchObject({ parcels: [], settled: [{ result: "done" }] });
      expect(packed(gone, { ...sink, delete: true }).parcels).toMatchObject([{ operation: "delete" }]);
    }
  });

  test("that is not there any more was deleted here only: its copy stays, and what is in doubt may be one", () => {
    expect(packed({ record: null })).toMatchObject({ parcels: [], settled: [{ result: "done" }] });
    const inDoubt = { record: null, link: null, unanswered: created };
    for (const at of [sink, { ...unread, idempotentCreate: true }])
      expect(packed(inDoubt, at)).toMatchObject({ parcels: [], settled: [{ result: "again", answered: false }] });
  });

  test("whose creation is in doubt is only read for where nothing is deleted, and not created once more", () => {
    const inDoubt = { ...deleted, link: null, unanswered: created };
    const knowing = { ...unread, delete: false, idempotentCreate: true };
    for (const at of [{ ...sink, delete: false }, knowing])
      expect(packed(inDoubt, at)).toMatchObject({ parcels: [], settled: [{ result: "again", answered: false }] });
  });

  test("whose creation is in doubt is looked for first: read where somebody reads", () => {
    const inDoubt = { ...deleted, link: null, unanswered: created };
    const [waiting] = packed({ ...inDoubt, attempts: 2 }).settled;
    expect(waiting).toMatchObject({ result: "again", answered: false, attempts: 3, nextAt: NOW + 60_000 });
    const [later] = packed({ ...inDoubt, attempts: 3 }).settled;
    expect(later?.nextAt).toBe(NOW + 128_000);
    expect(packed({ ...inDoubt, attempts: DELIVERY_ATTEMPTS }).settled).toMatchObject([{ result: "done" }]);
    expect(packed({ ...inDoubt, unanswered: { ...created, intent: "update" } }).settled).toMatchObject([
      { result: "done" },
    ]);
    expect(
      packed({ ...inDoubt, canLookup: true } as Partial<ClaimedDelivery>, {
        ...sink,
        canLookup: true,
        matchOn: "email",
      }).parcels,
    ).toEqual([]);
  });

  test("whose creation is in doubt is created once more where nobody reads but the destination knows it again", () => {
    const inDoubt = { ...deleted, link: null, unanswered: created };
    const blind = { ...unread, idempotentCreate: false, canLookup: false, matchOn: null };
    for (const knowing of [
      { ...blind, idempotentCreate: true },
      { ...blind, canLookup: true, matchOn: "email" },
    ])
      expect(packed(inDoubt, knowing).parcels).toMatchObject([
        { operation: "create", externalId: null, values: ADA, written: attemptFingerprint(FIELDS, ADA) },
      ]);
    for (const other of [blind, { ...blind, canLookup: true }, { ...blind, matchOn: "email" }])
      expect(packed(inDoubt, other)).toMatchObject({ parcels: [], settled: [{ result: "again" }] });
    expect(packed({ ...inDoubt, record: null }, { ...blind, idempotentCreate: true }).parcels).toEqual([]);
  });
});

test("a record whose writing was begun too often without an end is put aside; not one that is to be deleted", () => {
  expect(packed({ attempts: DELIVERY_ATTEMPTS })).toMatchObject({
    parcels: [],
    settled: [
      {
        result: "parked",
        answered: false,
        quarantine: {
          direction: "destination",
          externalId: "A1",
          recordId: "r1",
          nodeId: null,
          code: "gave_up",
          payload: ADA,
        },
      },
    ],
  });
  expect(packed({ attempts: DELIVERY_ATTEMPTS - 1, link: null }).parcels).toHaveLength(1);
  expect(packed({ attempts: DELIVERY_ATTEMPTS, record: null, link: null }).settled).toMatchObject([
    { result: "parked", quarantine: { externalId: null, payload: null } },
  ]);
  expect(packed({ attempts: DELIVERY_ATTEMPTS, record: storedRecord({ deleted: true }) }).parcels).toHaveLength(1);
});

describe("the road behind the core", () => {
  const roadOf = (change: (flow: { values: object; failure: unknown }) => object | null): SinkPlan => ({
    ...sink,
    road: (page) => ({
      state: "arrived",
      arrived: page.flatMap((flow) => {
        const changed = change(flow);
        return changed ? [{ ...flow, ...changed }] : [];
      }),
      acts: [],
      performed: [],
    }),
  });

  test("gets the record as it stands, and whether it is there already", () => {
    const flowsOf = (delivery: Partial<ClaimedDelivery>, at: SinkPlan = sink) => {
      const { trip } = beginPacking(at, claimedOf([claimedDelivery(delivery)]), ENV);
      return trip.state === "arrived" ? trip.arrived : [];
    };
    expect(flowsOf({})).toMatchObject([
      { values: ADA, source: null, recordId: "r1", before: null, change: "update", occasion: "3" },
    ]);
    expect(flowsOf({ link: null })).toMatchObject([{ change: "insert" }]);
    expect(flowsOf({ link: storedLink({ dead: true }) })).toMatchObject([{ change: "insert" }]);
    const actions = { ...sink, isActionsOnly: true };
    expect(flowsOf({ record: storedRecord({ version: 1 }) }, actions)).toMatchObject([{ change: "insert" }]);
    expect(flowsOf({ record: storedRecord({ version: 2 }), link: null }, actions)).toMatchObject([
      { change: "update" },
    ]);
  });

  test("settles what it filters out, and puts aside what fails on it", () => {
    expect(
      packed(
        {},
        roadOf(() => null),
      ),
    ).toMatchObject({ parcels: [], settled: [{ recordId: "r1", result: "done" }] });
    const failure = { nodeId: "n", code: "bad", message: "Bad" };
    expect(
      packed(
        {},
        roadOf(() => ({ failure })),
      ),
    ).toMatchObject({
      parcels: [],
      settled: [
        {
          result: "parked",
          quarantine: { direction: "destination", externalId: "A1", recordId: "r1", ...failure, payload: ADA },
        },
      ],
    });
  });

  test("may change what is told; of several copies the first counts", () => {
    const twice: SinkPlan = {
      ...sink,
      road: (page) => ({
        state: "arrived",
        arrived: page.flatMap((flow) => [
          { ...flow, values: { name: "first" } },
          { ...flow, values: { name: "second" } },
        ]),
        acts: [],
        performed: [],
      }),
    };
    expect(packed({ link: null }, twice).parcels.map(({ values }) => values)).toEqual([{ name: "first" }]);
  });

  test("that asks is gone on with once there are answers", () => {
    const asking: SinkPlan = {
      ...sink,
      road: (page) => ({
        state: "asking",
        questions: [],
        resume: () => ({ state: "arrived", arrived: page, acts: [], performed: [] }),
      }),
    };
    const packing = beginPacking(asking, claimedOf([claimedDelivery({ link: null })]), ENV);
    expect(() => endPacking(asking, packing)).toThrow("still on their road");
    const arrived = goOnPacking(packing, []);
    expect(endPacking(asking, arrived).parcels).toHaveLength(1);
    expect(goOnPacking(arrived, [])).toBe(arrived);
  });
});

test("what the place holds is known by the hash of each field", () => {
  const part = hashValue("Ada");
  const index = FIELDS.indexOf("name");
  const link = storedLink({
    told: replaceFields(null, FIELDS.length, new Map([[index, part]])),
    modifiedAt: momentOf(0),
  });
  expect(packed({ link }).parcels[0]?.values).toEqual({ email: ADA.email, phone: null, note: null });
});
