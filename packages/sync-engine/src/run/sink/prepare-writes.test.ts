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
import { beginPreparation, claimRequest } from "./prepare-writes.ts";
import { createOnlyChanges } from "./create-only-changes.ts";
import { ConversionError, type SinkPlan } from "../plan/plan.ts";
import { DELIVERY_ATTEMPTS } from "../protocol/retry.ts";
import { claimedDelivery, claimedOf, momentOf, NOW, storedLink, storedRecord } from "../protocol/fixtures/stored.ts";
import type { ClaimedDelivery } from "../protocol/storage.ts";
import type { StoredLink } from "../protocol/stored.ts";
import {
  sink,
  family,
  ENV,
  ADA,
  FIELDS,
  preparedWrites,
  writtenLink,
  sent,
  withMapping,
} from "./fixtures/prepare-writes.ts";

const unread: SinkPlan = { ...sink, place: { ...sink.place, readFields: [], shared: [] } };

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
    expect(preparedWrites({ link: writtenLink({ ...ADA, phone: null, note: null }) })).toMatchObject({
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
      expect(warned({ lastWritten: made })).toEqual([
        { ...warning, message: expect.stringContaining("name is only written") },
      ]);
      expect(warned({ lastWritten: made, seen: shown(ADA) })).toHaveLength(1);
    });

    test("is no matter where it did not change, holds the new value, was never told, or may not be updated at all", () => {
      expect(warned({ lastWritten: made }, ADA)).toEqual([]);
      expect(warned({ lastWritten: made, seen: shown({ ...ADA, name: "Eve" }) })).toEqual([]);
      expect(warned({ lastWritten: null })).toEqual([]);
      expect(warned({ lastWritten: writtenFingerprint(FIELDS, { email: ADA.email }) })).toEqual([]);
      expect(warned({ lastWritten: made, dead: true })).toEqual([]);
      expect(warned({ lastWritten: made }, undefined, { ...fixed, update: false })).toEqual([]);
      expect(warned({ lastWritten: made }, undefined, sink)).toEqual([]);
    });
  });

  test("is not told over a reference of its own that nobody knows yet", () => {
    const record = storedRecord({ values: { ...ADA, name: "Eve", phone: "1" } });
    expect(
      preparedWrites({ record, link: writtenLink({ ...ADA, note: null }), open: ["name"] }).pendingWrites[0]?.values,
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
    const removed = { link: storedLink({ dead: true, lastWritten: REMOVED_BY_US }) };
    const gone = { link: storedLink({ dead: true, lastWritten: writtenFingerprint(FIELDS, ADA) }) };
    expect(preparedWrites(removed).pendingWrites).toMatchObject([{ operation: "create", values: ADA }]);
    expect(preparedWrites(gone), "what was set aside since it is gone stays so").toMatchObject({
      pendingWrites: [],
      settled: [{ result: "done", keepsQuarantined: true }],
    });
    expect(preparedWrites(gone, { ...sink, recreate: true }).pendingWrites).toMatchObject([{ operation: "create" }]);
    expect(preparedWrites(removed, { ...sink, create: false, recreate: true }).pendingWrites).toEqual([]);
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

test("what the place holds is known by the hash of each field", () => {
  const part = hashValue("Ada");
  const index = FIELDS.indexOf("name");
  const link = storedLink({
    lastWritten: replaceFields(null, FIELDS.length, new Map([[index, part]])),
    modifiedAt: momentOf(0),
  });
  expect(preparedWrites({ link }).pendingWrites[0]?.values).toEqual({ email: ADA.email, phone: null, note: null });
});
