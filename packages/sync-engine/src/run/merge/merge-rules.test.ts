/** The rules by which a page's records are decided: when they changed, what follows from a leaving, what is kept and told. */
import type { Value, Values } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import { RecordMatcher } from "./duplicates/match-existing.ts";
import { placeName } from "./authority/authority.ts";
import { CandidateIndex } from "./duplicates/candidate-index.ts";
import { changeTime } from "./authority/change-time.ts";
import { rejectedValues, recordConflicts, conversionWarning } from "./authority/conflicts.ts";
import { discardedEdits, warningsOfDeleted } from "./discarded-edits.ts";
import { attemptFingerprint, seenFingerprint } from "../state/fingerprint.ts";
import { contributedFields, recordPending } from "./pending-references.ts";
import type { AttachPlan } from "../plan/plan.ts";
import { decideReferences } from "./reference-updates.ts";
import {
  flowOf,
  momentOf,
  resolvedWith,
  storedLink,
  storedRecord,
  inboundRecordOf,
  twoSystems,
} from "../protocol/fixtures/stored.ts";
import { emptyBatch } from "../protocol/storage.ts";
import type { ResolvedReference } from "../protocol/stored-references.ts";
import type { RefusalReason } from "../protocol/stored.ts";
import type { Normalization } from "../protocol/inbound-record.ts";
import { sink, source, A, B } from "./fixtures/merge-rules.ts";

const family = twoSystems({}, { scenario: { hasReferences: true } });

const any = (): boolean => true;

const none = (): boolean => false;

describe("a record that was deleted elsewhere", () => {
  test("takes edits along that say something else than it does, and only what was edited", () => {
    const stored = storedRecord({ values: { name: "Ada", phone: "1" }, deleted: true });
    expect(discardedEdits({ name: "Eve", phone: "1", note: null }, any, stored)).toEqual({ name: ["Eve", "deleted"] });
    expect(discardedEdits({ name: "Eve" }, none, stored)).toBeNull();
    expect(discardedEdits({ name: "Ada" }, any, stored)).toBeNull();
    expect(discardedEdits({ name: "Eve", phone: "2" }, (field) => field === "phone", stored)).toEqual({
      phone: ["2", "deleted"],
    });
    expect(warningsOfDeleted("n", inboundRecordOf(), { name: ["Eve", "deleted"] })).toMatchObject([
      { nodeId: "n", code: "edited_while_deleted", record: "A1", field: "name" },
    ]);
  });
});

describe("when a record changed", () => {
  const at = (
    modifiedAt: string | undefined,
    known: string | null | undefined,
    more: { seen?: string; reapply?: boolean; isCurrent?: boolean } = {},
  ) =>
    changeTime(
      {
        record: { id: "1", values: {}, ...(modifiedAt === undefined ? {} : { modifiedAt }) },
        link: known === undefined ? null : storedLink({ modifiedAt: known, seen: "known" }),
        seen: more.seen ?? "new",
      },
      { now: "now", reapply: more.reapply ?? false },
      more.isCurrent ?? true,
    );

  test("is what its source says, or now where it says nothing", () => {
    expect([
      at(undefined, null),
      at(momentOf(1), undefined),
      at(momentOf(1), null),
      at(momentOf(2), momentOf(1)),
    ]).toEqual(["now", momentOf(1), momentOf(1), momentOf(2)]);
  });

  test("is now where it changed and its time did not, of a source that tells how records stand", () => {
    expect(at(momentOf(1), momentOf(1))).toBe("now");
    expect(at(momentOf(1), momentOf(2))).toBe("now");
    expect(at(momentOf(1), momentOf(1), { seen: "known" }), "it did not change").toBe(momentOf(1));
    expect(at(momentOf(1), momentOf(1), { reapply: true })).toBe(momentOf(1));
    expect(at(momentOf(1), momentOf(1), { isCurrent: false })).toBe(momentOf(1));
  });
});

describe("values that were kept out", () => {
  const spelling = (refused: Normalization["refused"]): Normalization => ({
    fields: new Set(),
    respelled: null,
    doubtful: new Set(),
    refused,
    warnings: [],
  });

  test("are those of authority, those that take turns, and those that can't be read", () => {
    const refused = { name: ["Eve", "older"] } as const;
    const of = (more: object) => rejectedValues(inboundRecordOf(more), { name: [...refused.name] });
    expect(of({})).toEqual(refused);
    expect(of({ spelling: spelling({}) })).toEqual(refused);
    expect(of({ spelling: spelling({ note: ["x", "alternates"] }) })).toEqual({
      ...refused,
      note: ["x", "alternates"],
    });
    expect(of({ refusedFields: [{ field: "phone", value: "?" }] })).toEqual({
      ...refused,
      phone: ["?", "not_convertible"],
    });
    expect(of({ refusedFields: [{ field: "phone", value: "?", connectorField: "tel" }] })).toEqual({
      ...refused,
      phone: ["?", "not_convertible", "tel"],
    });
    expect(rejectedValues(inboundRecordOf(), null)).toBeNull();
    expect(rejectedValues(inboundRecordOf({ refusedFields: [{ field: "phone", value: "?" }] }), null)).toEqual({
      phone: ["?", "not_convertible"],
    });
    expect(conversionWarning("n", inboundRecordOf(), "phone", "?")).toMatchObject({
      record: "A1",
      field: "phone",
      sample: '"?" in record A1',
    });
  });

  test("of two that disagree wait for a person; fields on which a source agrees wait no more", () => {
    const batch = emptyBatch(A, null);
    const said = { stored: { recordId: "r1" }, inbound: inboundRecordOf(), timeOf: () => "2026" };
    const contributed = { name: "Eve", phone: null, note: "x", email: "e" };
    recordConflicts(batch, {
      ...said,
      contributed,
      values: contributed,
      merged: {
        values: {},
        refused: { name: ["Eve", "older"], phone: [null, "empty_rejected"], note: ["x", "lower_ranked"] },
      },
      timeOf: (field) => (field === "note" ? "2025" : "2026"),
    });
    expect(batch.conflicts).toEqual([
      { recordId: "r1", field: "name", value: "Eve", at: "2026", reason: "older" },
      { recordId: "r1", field: "note", value: "x", at: "2025", reason: "lower_ranked" },
    ]);
    expect(batch.agreed).toEqual([{ recordId: "r1", field: "email" }]);
    const calm = emptyBatch(A, null);
    recordConflicts(calm, {
      ...said,
      contributed: { name: "Ada" },
      values: { name: "Ada" },
      merged: { values: {}, refused: null },
    });
    expect([calm.conflicts, calm.agreed]).toEqual([undefined, [{ recordId: "r1", field: "name" }]]);
  });

  test("wait for a person too where nothing proves them to be edits; blanks and what the record holds do not", () => {
    const listed = (reason: RefusalReason, value: Value, held: Value = "Ada") => {
      const batch = emptyBatch(A, null);
      const inbound = inboundRecordOf({ spelling: spelling({ name: [value, reason] }) });
      const said = { contributed: {}, values: { name: value }, merged: { values: { name: held }, refused: null } };
      recordConflicts(batch, { stored: { recordId: "r1" }, inbound, ...said, timeOf: () => "2026" });
      return batch.conflicts ?? [];
    };
    const conflict = { recordId: "r1", field: "name", value: "Eve", at: "2026" };
    expect(listed("unconfirmed", "Eve")).toEqual([{ ...conflict, reason: "unconfirmed" }]);
    expect(listed("stale_read", "Eve")).toEqual([{ ...conflict, reason: "stale_read" }]);
    expect([listed("alternates", "Eve"), listed("unconfirmed", ""), listed("unconfirmed", "Ada")]).toEqual([
      [],
      [],
      [],
    ]);
  });
});

describe("references that name a record which nobody knows", () => {
  const pending = [{ connectorId: "A", entity: "contact", field: "boss", externalId: "9" }];

  test("are no blanks, and are kept where they are news", () => {
    const inbound = inboundRecordOf({ pending, stored: storedRecord() });
    expect(contributedFields(inbound, { name: "Ada", boss: null, note: "x" }, (field) => field !== "note")).toEqual({
      name: "Ada",
    });
    const batch = emptyBatch(A, null);
    recordPending(batch, family.source, inbound, { recordId: "r1", timeOf: () => "2026", isChanged: any });
    expect(batch.pending).toEqual([{ ...pending[0], recordId: "r1", at: "2026" }]);
    expect(batch.clearedPending).toEqual([{ recordId: "r1", field: "boss" }]);
    const old = emptyBatch(A, null);
    recordPending(old, family.source, inbound, { recordId: "r1", timeOf: () => "2026", isChanged: none });
    expect([old.pending, old.clearedPending]).toEqual([[], undefined]);
    const fresh = emptyBatch(A, null);
    recordPending(fresh, family.source, inboundRecordOf({ pending }), {
      recordId: "r1",
      timeOf: () => "2026",
      isChanged: any,
    });
    expect([fresh.pending.length, fresh.clearedPending]).toEqual([1, undefined]);
  });

  const found = (more: Partial<ResolvedReference> = {}): ResolvedReference => ({
    record: storedRecord({ values: { boss: null } }),
    field: "boss",
    targetId: "r9",
    placeId: A,
    at: "2026",
    ...more,
  });

  test("are followed once it is known: written, and told everywhere, though they were the same before", () => {
    const batch = decideReferences(family.plan, A, [found(), found({ field: "name", targetId: "r8" })]);
    expect(batch.resolvedPending).toEqual([
      { recordId: "r1", field: "boss" },
      { recordId: "r1", field: "name" },
    ]);
    expect(batch.updates).toMatchObject([
      { recordId: "r1", expectedVersion: 3, values: { boss: "r9", name: "r8" }, deleted: false },
    ]);
    expect(batch.ledger).toMatchObject([{ recordId: "r1", operation: "update", changes: { boss: [null, "r9"] } }]);
    expect(batch.deliveries.map(({ placeId, onlyIfOutstanding }) => [placeId, onlyIfOutstanding])).toEqual([
      [A, false],
      [B, false],
    ]);
    const same = decideReferences(family.plan, A, [found({ record: storedRecord({ values: { boss: "r9" } }) })]);
    expect([same.updates, same.ledger, same.deliveries.length]).toEqual([[], [], 2]);
  });

  test("count as said when they were named, though the field held the same before: an edit made in between is older", () => {
    const latest = twoSystems({}, { scenario: { hasReferences: true }, authority: "LATEST" });
    const [a] = latest.plan.sources.map(({ place }) => placeName(place));
    const origin = { boss: { by: a ?? "", at: "2026-01-01T00:00:00.000Z" } };
    const record = storedRecord({ values: { boss: "r9" }, origin });
    const at = "2026-01-02T00:00:00.000Z";
    const batch = decideReferences(latest.plan, A, [found({ record, at })]);
    expect(batch.updates).toMatchObject([{ recordId: "r1", values: { boss: "r9" }, origin: { boss: { by: a, at } } }]);
  });

  test("are looked up anew where who they name was merged away meanwhile: the batch counts on each of them to stand", () => {
    const batch = decideReferences(family.plan, A, [found(), found({ field: "name", targetId: "r8" })]);
    expect(batch.standing).toEqual(["r9", "r8"]);
  });

  test("of a place that is no source any more are dropped", () => {
    const batch = decideReferences(family.plan, 99, [found({ placeId: 99 })]);
    expect(batch).toMatchObject({ updates: [], deliveries: [], resolvedPending: [{ recordId: "r1" }] });
  });
});

describe("a new record's core record", () => {
  const byEmail: AttachPlan = {
    nodeId: "rule",
    equalities: [{ field: "email", keyIndex: 0 }],
    matches: (intent, values) => values["email"] === intent.keys[0],
  };
  const matcher = { ...source, attach: [byEmail] };
  const flow = { ...flowOf(), attach: [{ nodeId: "rule", keys: ["a@x"], now: 0 }] };
  const person = (recordId: string, more: object = {}) => storedRecord({ recordId, values: { email: "a@x" }, ...more });
  const find = (candidates: ReturnType<typeof person>[], taken: string[] = [], resolved = resolvedWith(), at = flow) =>
    new RecordMatcher(matcher, candidates, resolved).find({ inbound: inboundRecordOf(), flow: at }, new Set(taken));

  test("is the oldest that its rule holds for and that nobody has taken", () => {
    expect(find([person("r1")])).toMatchObject({ record: { recordId: "r1" }, nodeId: "rule", isAmbiguous: false });
    expect(find([person("r1"), person("r2")])).toMatchObject({ record: { recordId: "r1" }, isAmbiguous: true });
    expect(find([person("r1"), person("r2")], ["r1"])).toMatchObject({
      record: { recordId: "r2" },
      isAmbiguous: false,
    });
    expect(find([person("r1", { deleted: true })])).toBeNull();
    expect(find([person("r1", { values: { email: "b@x" } })])).toBeNull();
    expect(
      find([person("r1")], [], resolvedWith(), { ...flow, attach: [{ nodeId: "other", keys: ["a@x"], now: 0 }] }),
    ).toBeNull();
    expect(find([])).toBeNull();
  });

  test("is first of all one that we tried to create there, deleted or not", () => {
    const own = person("r9", { deleted: true });
    const tried = (more: object = {}) =>
      resolvedWith({
        records: new Map([["r9", own]]),
        unanswered: new Map([["r9", { intent: "create" as const, written: [], ...more }]]),
      });
    expect(find([person("r1")], [], tried())).toMatchObject({ record: { recordId: "r9" }, isAmbiguous: false });
    for (const [taken, resolved] of [
      [["r9"], tried()],
      [[], tried({ isTied: true })],
      [[], tried({ intent: "update" })],
    ] as const)
      expect(find([person("r1")], [...taken], resolved)).toMatchObject({ record: { recordId: "r1" } });
  });

  test("is, of several that we tried to create there, the one whose values it shows, though somebody has edited it", () => {
    const { readFields, writeFields } = sink.place;
    const created = (values: Values) => attemptFingerprint(writeFields, { email: "a@x", ...values });
    const resolved = resolvedWith({
      records: new Map(["r1", "r2", "r3"].map((recordId) => [recordId, person(recordId)])),
      unanswered: new Map(
        [
          ["r1", { name: "Ada", phone: "1", note: "first" }] as const,
          ["r2", { name: "Eve", phone: "2", note: "second" }] as const,
          ["r3", { name: "Eve", phone: "3", note: "third" }] as const,
        ].map(([recordId, values]) => [recordId, { intent: "create", written: ["", created(values)] }]),
      ),
    });
    const shows = (values: Values): string | null => {
      const record = {
        id: "A9",
        values: { ...Object.fromEntries(readFields.map((field) => [field, null])), ...values },
      };
      const inbound = inboundRecordOf({ record, seen: seenFingerprint("a.program", readFields, record.values) });
      const found = new RecordMatcher(matcher, [], resolved).find({ inbound, flow }, new Set());
      return found && "record" in found ? found.record.recordId : null;
    };
    expect(shows({ email: "a@x", name: "Eve", phone: "2", note: "edited" })).toBe("r2");
    expect(shows({ email: "a@x", name: "edited", phone: "3", note: "THIRD" }), "in the system's spelling").toBe("r3");
    expect(shows({ email: "a@x", name: "Ada", phone: "1", note: "edited" })).toBe("r1");
    expect(shows({ email: "a@x", name: "Eve", phone: "4", note: "edited" }), "the older one of two alike").toBe("r2");
    expect(shows({ email: "a@x", name: "new", phone: "4", note: "new" }), "they are alike in all that it shows").toBe(
      "r1",
    );
  });

  test("is looked up by what is the same for the rule: letters in any case, numbers however written, never blanks", () => {
    const values = (value: string | number | null) => storedRecord({ values: { email: value } });
    const loose: AttachPlan = { ...byEmail, matches: () => true };
    const count = (key: string | number | null, ...held: (string | number | null)[]) =>
      new CandidateIndex(held.map(values)).find(loose, { nodeId: "rule", keys: [key], now: 0 }).length;
    expect([
      count("A@X", "a@x"),
      count("5", 5),
      count(5, "5.0"),
      count("", ""),
      count(null, null),
      count("b", "a"),
    ]).toEqual([1, 1, 1, 0, 0, 0]);
  });
});
