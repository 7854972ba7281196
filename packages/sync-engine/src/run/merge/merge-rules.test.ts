/** The rules by which a page's records are decided: when they changed, what follows from a leaving, what is kept and told. */
import { hashValue } from "@accord/connector-sdk/fingerprint";
import type { Value, Values } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import { RecordMatcher } from "./duplicates/match-existing.ts";
import { placeName } from "./authority/authority.ts";
import { CandidateIndex } from "./duplicates/candidate-index.ts";
import { changeTime } from "./authority/change-time.ts";
import { rejectedValues, recordConflicts, conversionWarning } from "./authority/conflicts.ts";
import { discardedEdits, warningsOfDeleted } from "./discarded-edits.ts";
import {
  attemptFingerprint,
  REMOVED_BY_US,
  replaceFields,
  seenFingerprint,
  writtenFingerprint,
} from "../state/fingerprint.ts";
import { deletionEffectOf } from "../source/source-deletion.ts";
import { computeLinkUpdate } from "../state/links/link-update.ts";
import { contributedFields, recordPending } from "./pending-references.ts";
import type { AttachPlan, Plan, SinkPlan } from "../plan/plan.ts";
import { decideReferences } from "./reference-updates.ts";
import {
  flowOf,
  momentOf,
  resolvedWith,
  storedLink,
  storedRecord,
  inboundRecordOf,
  twoSystems,
} from "../protocol/stored.fixtures.ts";
import { emptyBatch } from "../protocol/storage.ts";
import type { ResolvedReference } from "../protocol/stored-references.ts";
import type { RefusalReason } from "../protocol/stored.ts";
import { sinkStateAfter } from "../state/sink-state.ts";
import type { Normalization } from "../protocol/inbound-record.ts";

const { plan, source, sink } = twoSystems();
const family = twoSystems({}, { scenario: { hasReferences: true } });
const [A, B] = plan.sinks.map(({ place }) => place.id) as [number, number];
const { readFields, writeFields } = sink.place;
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

describe("a record that leaves a place", () => {
  const deleting = (...may: number[]): Plan => ({
    ...plan,
    sinks: plan.sinks.map((one) => ({ ...one, delete: may.includes(one.place.id) })),
  });
  const leave = (
    at: Plan,
    more: { link?: object; stored?: object | null; others?: number[]; aliased?: string[] } = {},
  ) =>
    deletionEffectOf(
      at,
      A,
      storedLink(more.link),
      more.stored === null ? null : storedRecord(more.stored),
      resolvedWith({
        otherPlaces: new Map(more.others ? [["r1", more.others]] : []),
        aliased: new Set(more.aliased ?? []),
      }),
    );

  test("takes it along where nobody else holds on to it", () => {
    expect(leave(deleting(A, B))).toEqual({ operation: "delete", tell: [B] });
    expect(leave(deleting(A, B), { others: [B] })).toEqual({ operation: "delete", tell: [B] });
    expect(leave(deleting(), { others: [] })).toEqual({ operation: "delete", tell: [] });
    expect(leave(deleting(B), { others: [B, 99] }), "nobody deletes there").toMatchObject({ operation: "unlink" });
    expect(leave(deleting(B, 99), { link: { dead: true } })).toEqual({ operation: "delete", tell: [B] });
  });

  test("only loses its tie where others hold it, or a second one of it lives on", () => {
    expect(leave(deleting(A), { others: [B] })).toEqual({ operation: "unlink", tell: [] });
    expect(leave(deleting(A, B), { aliased: ["r1"] })).toEqual({ operation: "unlink", tell: [] });
    expect(leave(deleting(A, B), { aliased: ["r2"] })).toMatchObject({ operation: "delete" });
    const restoring = {
      ...deleting(A),
      sinks: deleting(A).sinks.map((one) => ({ ...one, recreate: one.place.id === A })),
    };
    expect(leave(restoring, { others: [B] })).toEqual({ operation: "unlink", tell: [A] });
    expect(leave(deleting(A), { others: [B], link: { dead: true } })).toBeNull();
  });

  test("changes nothing where it is gone already, or we removed it ourselves", () => {
    expect(leave(deleting(A, B), { stored: null })).toBeNull();
    expect(leave(deleting(A, B), { stored: { deleted: true } })).toBeNull();
    expect(leave(deleting(A, B), { link: { dead: true, told: REMOVED_BY_US } })).toBeNull();
    expect(leave(deleting(A, B), { link: { dead: false, told: REMOVED_BY_US } })).not.toBeNull();
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

describe("what a place holds, as just seen", () => {
  const ADA = { email: "a@x", name: "Ada", phone: "1", note: "n" };
  const seenOf = (values: object) => seenFingerprint(source.program, readFields, { ...values });
  const told = writtenFingerprint(writeFields, ADA);
  const see = (
    shown: object,
    core: object | null,
    more: { link?: object | null; refused?: object | null; inbound?: object; sink?: SinkPlan } = {},
  ) => {
    const link = more.link === null ? null : storedLink({ seen: seenOf(ADA), told, ...more.link });
    const inbound = inboundRecordOf({
      seen: seenOf(shown),
      link,
      mapped: { ...shown },
      record: { id: "A1", values: { ...shown } },
      ...more.inbound,
    });
    const refused = (more.refused ?? null) as Parameters<typeof sinkStateAfter>[4];
    return sinkStateAfter(more.sink ?? sink, source, inbound, core && { ...core }, refused);
  };
  const part = (text: string | null, field: string) =>
    text === null
      ? ""
      : replaceFields(text, writeFields.length, new Map())
          .slice(8 * (writeFields.indexOf(field) + 1))
          .slice(0, 8);

  test("is what it should hold, or differs from it", () => {
    expect(see(ADA, ADA)).toMatchObject({ told, differs: false, refused: null });
    const edited = see({ ...ADA, name: "Eve" }, { ...ADA, name: "Eve" });
    expect([edited.differs, part(edited.told, "name")]).toEqual([false, hashValue("Eve")]);
    expect(see({ ...ADA, name: "Eve" }, ADA).differs).toBe(true);
    expect(see(ADA, { ...ADA, name: "Eve" }).differs).toBe(true);
    expect(see(ADA, null).differs, "its record is deleted").toBe(false);
    expect(see(ADA, ADA, { link: null }).told).toBe(told);
  });

  test("differs by fields only that are written there, on an update, from the core", () => {
    const change = (field: string, more: object): SinkPlan => ({
      ...sink,
      mappings: sink.mappings.map((mapping) => (mapping.connectorField === field ? { ...mapping, ...more } : mapping)),
    });
    for (const more of [{ createOnly: true }, { isComputed: true }, { reference: { connectorId: "A", entity: "e" } }])
      expect(see({ ...ADA, name: "Eve" }, ADA, { sink: change("name", more) }).differs).toBe(false);
    const reference = change("name", { reference: { connectorId: "A", entity: "e" } });
    expect(see(ADA, ADA, { sink: reference, refused: { name: ["x", "older"] } }).differs, "it was refused").toBe(true);
    expect(see(ADA, ADA, { sink: reference, inbound: { renamed: ["name"] } }).differs, "it lost a merge").toBe(true);
    expect(see(ADA, ADA, { sink: reference, refused: { phone: ["x", "older"] } }).differs).toBe(false);
  });

  test("that was refused is remembered; coming back after it was overwritten, it is left", () => {
    const first = see({ ...ADA, name: "Eve" }, ADA, { refused: { name: ["Eve", "older"] } });
    expect(first.differs).toBe(true);
    expect(part(first.refused, "name")).toBe(hashValue("Eve"));
    const again = see({ ...ADA, name: "Eve" }, ADA, { link: { refused: first.refused } });
    expect([again.differs, part(again.told, "name")]).toEqual([false, hashValue("Ada")]);
    expect(see({ ...ADA, name: "Bob" }, ADA, { link: { refused: first.refused } }).differs).toBe(true);
  });

  test("that was refused is written over once more where the field was missing meanwhile", () => {
    const { refused } = see({ ...ADA, name: "Eve" }, ADA, { refused: { name: ["Eve", "older"] } });
    const returned = new Map([[readFields.indexOf("name"), "asBefore"]] as const);
    expect(see({ ...ADA, name: "Eve" }, ADA, { link: { refused }, inbound: { returned } }).differs).toBe(true);
  });

  test("and can't be read is left as it is", () => {
    const unread = { refusedFields: [{ field: "name", value: "?" }] };
    expect(see({ ...ADA, name: "?" }, ADA, { inbound: unread }).differs).toBe(false);
  });

  test("makes no new link where nothing changed, and a new one for each change", () => {
    const link = storedLink({ seen: seenOf(ADA), told });
    const after = (more: object = {}, known: object | null = {}, recordId = "r1") => {
      const inbound = inboundRecordOf({
        seen: seenOf(ADA),
        link: known && { ...link, ...known },
        mapped: ADA,
        record: { id: "A1", values: ADA },
        ...more,
      });
      return computeLinkUpdate(sink, source, inbound, { recordId, values: ADA, refused: null }).write;
    };
    expect(after()).toBeNull();
    expect(after({}, null)).toMatchObject({ isNew: true, recordId: "r1", told });
    expect(after({}, { dead: true })).toMatchObject({ dead: false, isNew: false });
    expect(after({}, { seen: null })).toMatchObject({ seen: seenOf(ADA) });
    expect(after({}, {}, "r2")).toMatchObject({ recordId: "r2" });
    expect(after({ isAlias: true }, {}, "r2"), "a second one keeps its own record").toBeNull();
    expect(after({ isAlias: true }, { seen: null }, "r2")).toMatchObject({ recordId: "r1" });
    expect(
      after({ record: { id: "A1", values: ADA, modifiedAt: momentOf(2) } }, { modifiedAt: momentOf(1) }),
    ).toMatchObject({ modifiedAt: momentOf(2) });
    expect(
      after({ record: { id: "A1", values: ADA, modifiedAt: momentOf(1) } }, { modifiedAt: momentOf(2) }),
    ).toBeNull();
    expect(after({}, { respelled: "x" })).toBeNull();
    const spelling = {
      fields: new Set<number>(),
      doubtful: new Set<number>(),
      respelled: "new",
      refused: {},
      warnings: [],
    };
    expect(after({ spelling }, { respelled: "x" })).toMatchObject({ respelled: "new" });
  });
});
