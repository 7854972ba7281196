/** A record that leaves a place, and what a place is known to hold after it was seen. */
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { describe, expect, test } from "vitest";
import { REMOVED_BY_US, replaceFields, seenFingerprint, writtenFingerprint } from "../state/fingerprint.ts";
import { deletionEffectOf } from "../source/source-deletion.ts";
import { computeLinkUpdate } from "../state/links/link-update.ts";
import type { Plan, SinkPlan } from "../plan/plan.ts";
import { momentOf, resolvedWith, storedLink, storedRecord, inboundRecordOf } from "../protocol/fixtures/stored.ts";
import { sinkStateAfter } from "../state/sink-state.ts";
import { plan, source, sink, A, B } from "./fixtures/merge-rules.ts";

const { readFields, writeFields } = sink.place;

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
    expect(leave(deleting(A, B), { link: { dead: true, lastWritten: REMOVED_BY_US } })).toBeNull();
    expect(leave(deleting(A, B), { link: { dead: false, lastWritten: REMOVED_BY_US } })).not.toBeNull();
  });
});

describe("what a place holds, as just seen", () => {
  const ADA = { email: "a@x", name: "Ada", phone: "1", note: "n" };
  const seenOf = (values: object) => seenFingerprint(source.program, readFields, { ...values });
  const lastWritten = writtenFingerprint(writeFields, ADA);
  const see = (
    shown: object,
    core: object | null,
    more: { link?: object | null; refused?: object | null; inbound?: object; sink?: SinkPlan } = {},
  ) => {
    const link = more.link === null ? null : storedLink({ seen: seenOf(ADA), lastWritten, ...more.link });
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
    expect(see(ADA, ADA)).toMatchObject({ lastWritten, differs: false, refused: null });
    const edited = see({ ...ADA, name: "Eve" }, { ...ADA, name: "Eve" });
    expect([edited.differs, part(edited.lastWritten, "name")]).toEqual([false, hashValue("Eve")]);
    expect(see({ ...ADA, name: "Eve" }, ADA).differs).toBe(true);
    expect(see(ADA, { ...ADA, name: "Eve" }).differs).toBe(true);
    expect(see(ADA, null).differs, "its record is deleted").toBe(false);
    expect(see(ADA, ADA, { link: null }).lastWritten).toBe(lastWritten);
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
    expect([again.differs, part(again.lastWritten, "name")]).toEqual([false, hashValue("Ada")]);
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
    const link = storedLink({ seen: seenOf(ADA), lastWritten });
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
    expect(after({}, null)).toMatchObject({ isNew: true, recordId: "r1", lastWritten });
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
