/** What a destination is sent of the records it has to learn of: what differs there, what may be written, what has to wait. */
import { hashValue } from "@accord/connector-sdk/fingerprint";
import type { Values } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import {
  attemptFingerprint,
  REMOVED_BY_US,
  replaceFields,
  seenFingerprint,
  writtenFingerprint,
} from "../state/fingerprint.ts";
import { beginPreparation, claimRequest, finishPreparation, resumePreparation } from "./prepare-writes.ts";
import { createOnlyChanges } from "./create-only-changes.ts";
import type { PreparedWrites } from "./deliveries/pending-writes.ts";
import { ConversionError, type SinkMapping, type SinkPlan } from "../plan/plan.ts";
import { DELIVERY_ATTEMPTS } from "../protocol/retry.ts";
import {
  claimedDelivery,
  claimedOf,
  momentOf,
  NOW,
  storedLink,
  storedRecord,
  twoSystems,
} from "../protocol/stored.fixtures.ts";
import type { Claimed, ClaimedDelivery } from "../protocol/storage.ts";
import type { StoredLink } from "../protocol/stored.ts";

const { sink } = twoSystems({ lagMs: 59_999 });
const family = twoSystems({}, { scenario: { hasReferences: true } }).sink;
const ENV = { now: NOW, random: () => 0.5 };
const ADA = { email: "ada@example.com", name: "Ada" };
const FIELDS = sink.place.writeFields;
const unread: SinkPlan = { ...sink, place: { ...sink.place, readFields: [], shared: [] } };

function preparedWrites(
  delivery: Partial<ClaimedDelivery>,
  at: SinkPlan = sink,
  more: Partial<Claimed> = {},
): PreparedWrites {
  return finishPreparation(at, beginPreparation(at, claimedOf([claimedDelivery(delivery)], more), ENV));
}
const told = (values: object) => storedLink({ told: writtenFingerprint(FIELDS, { ...values }) });
/** What is sent as an update of the record's values over what the place was told. */
const sent = (values: object, before: object, at: SinkPlan = sink) =>
  preparedWrites({ record: storedRecord({ values: { ...values } }), link: told(before) }, at).pendingWrites[0]
    ?.values ?? null;
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
    expect(preparedWrites({ link: told({ ...ADA, phone: null, note: null }) })).toMatchObject({
      pendingWrites: [],
      settled: [{ recordId: "r1", result: "done", waits: [], nextAt: 0 }],
    });
  });

  test("is told all of it when it was never told anything, blanks too", () => {
    const { pendingWrites, settled } = preparedWrites({ link: storedLink() });
    expect(pendingWrites).toMatchObject([
      { operation: "update", externalId: "A1", values: { ...ADA, phone: null, note: null } },
    ]);
    expect(pendingWrites[0]?.written).toBe(attemptFingerprint(FIELDS, { ...ADA, phone: null, note: null }));
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
      connectorField === "name" ? { convert: () => new ConversionError("no") } : { convert },
    );
    expect(sent({ ...ADA, name: "Eve", phone: "1" }, { ...ADA, note: null }, failing)).toEqual({ phone: "1" });
  });

  describe("of which a field changed that is only set on creation", () => {
    const fixed = withMapping(({ connectorField }) => ({ createOnly: connectorField === "name" }));
    const warned = (link: Partial<StoredLink>, values: Values = { ...ADA, name: "Eve" }, at: SinkPlan = fixed) =>
      createOnlyChanges(
        at,
        beginPreparation(
          at,
          claimedOf([claimedDelivery({ record: storedRecord({ values }), link: storedLink(link) })]),
          ENV,
        ),
      );
    const made = writtenFingerprint(FIELDS, ADA);
    const shown = (values: Values) => seenFingerprint("12345678", sink.place.readFields, values);

    test("keeps its old value, and people learn of it", () => {
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
    expect(
      preparedWrites({ record, link: told({ ...ADA, note: null }), open: ["name"] }).pendingWrites[0]?.values,
    ).toEqual({
      phone: "1",
    });
  });

  test("is not updated where nothing may be", () => {
    const { pendingWrites, settled } = preparedWrites({}, { ...sink, update: false });
    expect([pendingWrites, settled]).toMatchObject([[], [{ result: "done" }]]);
    expect(settled[0]).not.toHaveProperty("keepsQuarantined");
  });
});

describe("a record that is not there", () => {
  const fresh = { link: null };

  test("is created with what it holds, without blanks", () => {
    expect(preparedWrites(fresh)).toMatchObject({
      pendingWrites: [
        { operation: "create", externalId: null, values: ADA, written: attemptFingerprint(FIELDS, ADA), waits: [] },
      ],
      settled: [],
    });
    const createOnly = withMapping(() => ({ createOnly: true }));
    expect(preparedWrites(fresh, createOnly).pendingWrites[0]?.values).toEqual(ADA);
  });

  test("is created even if nothing of it can be told there", () => {
    expect(preparedWrites({ ...fresh, record: storedRecord({ values: {} }) }).pendingWrites).toMatchObject([
      { operation: "create", values: {} },
    ]);
  });

  test("is not created where nothing may be", () => {
    expect(preparedWrites(fresh, { ...sink, create: false })).toMatchObject({
      pendingWrites: [],
      settled: [{ result: "done" }],
    });
  });

  test("comes back where we removed it; where others did, only by permission", () => {
    const removed = { link: storedLink({ dead: true, told: REMOVED_BY_US }) };
    const gone = { link: storedLink({ dead: true, told: writtenFingerprint(FIELDS, ADA) }) };
    expect(preparedWrites(removed).pendingWrites).toMatchObject([{ operation: "create", values: ADA }]);
    expect(preparedWrites(gone), "what was set aside since it is gone stays so").toMatchObject({
      pendingWrites: [],
      settled: [{ result: "done", keepsQuarantined: true }],
    });
    expect(preparedWrites(gone, { ...sink, recreate: true }).pendingWrites).toMatchObject([{ operation: "create" }]);
    expect(preparedWrites(removed, { ...sink, create: false, recreate: true }).pendingWrites).toEqual([]);
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
    expect(preparedWrites({ record, link: null }, family, known).pendingWrites[0]).toMatchObject({
      values: { boss: "A9" },
      waits: [],
    });
    const [pendingWrite] = preparedWrites({ record, link: null }, family).pendingWrites;
    expect(pendingWrite?.values).toEqual(ADA);
    expect(pendingWrite?.waits).toEqual([{ connectorId: "A", entity: "contact", targetId: "r9" }]);
  });

  test("that is all there is to tell is waited for as well; a blank one is for nothing", () => {
    const all = writtenFingerprint(family.place.writeFields, { ...ADA, phone: null, note: null });
    expect(preparedWrites({ record, link: storedLink({ told: all }) }, family).settled).toMatchObject([
      { result: "done", waits: [{ targetId: "r9" }] },
    ]);
    const blank = preparedWrites({ record: storedRecord(), link: storedLink({ told: all }) }, family);
    expect(blank.pendingWrites[0]).toMatchObject({ values: { boss: null }, waits: [] });
  });
});

describe("a deleted record", () => {
  const deleted = { record: storedRecord({ deleted: true }) };
  const created = { intent: "create" as const, written: [""] };

  test("is deleted there, and done where it is not", () => {
    expect(preparedWrites(deleted).pendingWrites).toMatchObject([
      { operation: "delete", externalId: "A1", values: {}, written: "" },
    ]);
    for (const link of [null, storedLink({ dead: true })])
      expect(preparedWrites({ ...deleted, link })).toMatchObject({ pendingWrites: [], settled: [{ result: "done" }] });
  });

  test("stays where nothing is deleted, also as a second one of what it was merged into", () => {
    for (const isMerged of [false, true]) {
      const gone = { ...deleted, isMerged };
      expect(preparedWrites(gone, { ...sink, delete: false })).toMatchObject({
        pendingWrites: [],
        settled: [{ result: "done" }],
      });
      expect(preparedWrites(gone, { ...sink, delete: true }).pendingWrites).toMatchObject([{ operation: "delete" }]);
    }
  });

  test("that is not there any more was deleted here only: its copy stays, and what is in doubt may be one", () => {
    expect(preparedWrites({ record: null })).toMatchObject({ pendingWrites: [], settled: [{ result: "done" }] });
    const inDoubt = { record: null, link: null, unanswered: created };
    for (const at of [sink, { ...unread, idempotentCreate: true }])
      expect(preparedWrites(inDoubt, at)).toMatchObject({
        pendingWrites: [],
        settled: [{ result: "again", answered: false }],
      });
  });

  test("whose creation is in doubt is only read for where nothing is deleted, and not created once more", () => {
    const inDoubt = { ...deleted, link: null, unanswered: created };
    const knowing = { ...unread, delete: false, idempotentCreate: true };
    for (const at of [{ ...sink, delete: false }, knowing])
      expect(preparedWrites(inDoubt, at)).toMatchObject({
        pendingWrites: [],
        settled: [{ result: "again", answered: false }],
      });
  });

  test("whose creation is in doubt is looked for first: read where somebody reads", () => {
    const inDoubt = { ...deleted, link: null, unanswered: created };
    const [waiting] = preparedWrites({ ...inDoubt, attempts: 2 }).settled;
    expect(waiting).toMatchObject({ result: "again", answered: false, attempts: 3, nextAt: NOW + 60_000 });
    const [later] = preparedWrites({ ...inDoubt, attempts: 3 }).settled;
    expect(later?.nextAt).toBe(NOW + 128_000);
    expect(preparedWrites({ ...inDoubt, attempts: DELIVERY_ATTEMPTS }).settled).toMatchObject([{ result: "done" }]);
    expect(preparedWrites({ ...inDoubt, unanswered: { ...created, intent: "update" } }).settled).toMatchObject([
      { result: "done" },
    ]);
    expect(
      preparedWrites({ ...inDoubt, canLookup: true } as Partial<ClaimedDelivery>, {
        ...sink,
        canLookup: true,
        matchOn: "email",
      }).pendingWrites,
    ).toEqual([]);
  });

  test("whose creation is in doubt is created once more where nobody reads but the destination knows it again", () => {
    const inDoubt = { ...deleted, link: null, unanswered: created };
    const blind = { ...unread, idempotentCreate: false, canLookup: false, matchOn: null };
    for (const knowing of [
      { ...blind, idempotentCreate: true },
      { ...blind, canLookup: true, matchOn: "email" },
    ])
      expect(preparedWrites(inDoubt, knowing).pendingWrites).toMatchObject([
        { operation: "create", externalId: null, values: ADA, written: attemptFingerprint(FIELDS, ADA) },
      ]);
    for (const other of [blind, { ...blind, canLookup: true }, { ...blind, matchOn: "email" }])
      expect(preparedWrites(inDoubt, other)).toMatchObject({ pendingWrites: [], settled: [{ result: "again" }] });
    expect(preparedWrites({ ...inDoubt, record: null }, { ...blind, idempotentCreate: true }).pendingWrites).toEqual(
      [],
    );
  });
});

test("a record whose writing was begun too often without an end is quarantined; not one that is to be deleted", () => {
  expect(preparedWrites({ attempts: DELIVERY_ATTEMPTS })).toMatchObject({
    pendingWrites: [],
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
  expect(preparedWrites({ attempts: DELIVERY_ATTEMPTS - 1, link: null }).pendingWrites).toHaveLength(1);
  expect(preparedWrites({ attempts: DELIVERY_ATTEMPTS, record: null, link: null }).settled).toMatchObject([
    { result: "parked", quarantine: { externalId: null, payload: null } },
  ]);
  expect(
    preparedWrites({ attempts: DELIVERY_ATTEMPTS, record: storedRecord({ deleted: true }) }).pendingWrites,
  ).toHaveLength(1);
});

describe("the path behind the core", () => {
  const pathOf = (change: (flow: { values: object; failure: unknown }) => object | null): SinkPlan => ({
    ...sink,
    path: (page) => ({
      state: "completed",
      completed: page.flatMap((flow) => {
        const changed = change(flow);
        return changed ? [{ ...flow, ...changed }] : [];
      }),
      deferredActions: [],
      executedActions: [],
    }),
  });

  test("gets the record as it stands, and whether it is there already", () => {
    const flowsOf = (delivery: Partial<ClaimedDelivery>, at: SinkPlan = sink) => {
      const { execution } = beginPreparation(at, claimedOf([claimedDelivery(delivery)]), ENV);
      return execution.state === "completed" ? execution.completed : [];
    };
    expect(flowsOf({})).toMatchObject([
      { values: ADA, source: null, recordId: "r1", before: null, change: "update", occurrenceKey: "3" },
    ]);
    expect(flowsOf({ link: null })).toMatchObject([{ change: "insert" }]);
    expect(flowsOf({ link: storedLink({ dead: true }) })).toMatchObject([{ change: "insert" }]);
    const actions = { ...sink, isActionsOnly: true };
    expect(flowsOf({ record: storedRecord({ version: 1 }) }, actions)).toMatchObject([{ change: "insert" }]);
    expect(flowsOf({ record: storedRecord({ version: 2 }), link: null }, actions)).toMatchObject([
      { change: "update" },
    ]);
  });

  test("settles what it filters out, and quarantines what fails on it", () => {
    expect(
      preparedWrites(
        {},
        pathOf(() => null),
      ),
    ).toMatchObject({ pendingWrites: [], settled: [{ recordId: "r1", result: "done" }] });
    const failure = { nodeId: "n", code: "bad", message: "Bad" };
    expect(
      preparedWrites(
        {},
        pathOf(() => ({ failure })),
      ),
    ).toMatchObject({
      pendingWrites: [],
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
      path: (page) => ({
        state: "completed",
        completed: page.flatMap((flow) => [
          { ...flow, values: { name: "first" } },
          { ...flow, values: { name: "second" } },
        ]),
        deferredActions: [],
        executedActions: [],
      }),
    };
    expect(preparedWrites({ link: null }, twice).pendingWrites.map(({ values }) => values)).toEqual([
      { name: "first" },
    ]);
  });

  test("that asks is gone on with once there are answers", () => {
    const asking: SinkPlan = {
      ...sink,
      path: (page) => ({
        state: "suspended",
        dataRequests: [],
        resume: () => ({ state: "completed", completed: page, deferredActions: [], executedActions: [] }),
      }),
    };
    const preparation = beginPreparation(asking, claimedOf([claimedDelivery({ link: null })]), ENV);
    expect(() => finishPreparation(asking, preparation)).toThrow("still on their road");
    const completed = resumePreparation(preparation, []);
    expect(finishPreparation(asking, completed).pendingWrites).toHaveLength(1);
    expect(resumePreparation(completed, [])).toBe(completed);
  });
});

test("what the place holds is known by the hash of each field", () => {
  const part = hashValue("Ada");
  const index = FIELDS.indexOf("name");
  const link = storedLink({
    told: replaceFields(null, FIELDS.length, new Map([[index, part]])),
    modifiedAt: momentOf(0),
  });
  expect(preparedWrites({ link }).pendingWrites[0]?.values).toEqual({ email: ADA.email, phone: null, note: null });
});
