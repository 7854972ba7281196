/** What is known of an external record after a destination's answer about it. */
import type { WriteOutcome } from "@accord/connector-sdk";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import type { Values } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import {
  asExpectation,
  fieldOf,
  isExpectation,
  REMOVED_BY_US,
  seenFingerprint,
  writtenFingerprint,
} from "../../state/fingerprint.ts";
import { partsOf } from "../../merge/partial-reads.ts";
import type { PendingWrite } from "./pending-writes.ts";
import type { SinkPlan } from "../../plan/plan.ts";
import { outlineOf, spellingHash } from "../../state/normalization/spelling.ts";
import {
  claimedDelivery,
  momentOf,
  NOW,
  pendingWriteOf,
  storedLink,
  storedRecord,
  twoSystems,
} from "../../protocol/fixtures/stored.ts";
import type { ClaimedDelivery } from "../../protocol/storage.ts";
import { settle } from "./write-outcome.ts";

const { sink } = twoSystems({ lagMs: 2_999 });
const unread: SinkPlan = { ...sink, place: { ...sink.place, readFields: [], shared: [] } };
const { readFields, writeFields } = sink.place;
const done = (more: Partial<Extract<WriteOutcome, { status: "done" }>> = {}): WriteOutcome => ({
  status: "done",
  id: "A1",
  ...more,
});
const after = (pendingWrite: PendingWrite, outcome = done(), at = sink) => settle(at, pendingWrite, outcome, NOW);
const update = (delivery: Partial<ClaimedDelivery> = {}, more: Partial<PendingWrite> = {}) =>
  pendingWriteOf("update", { delivery: claimedDelivery(delivery), ...more });
const known = {
  seen: seenFingerprint("programx", readFields, { email: null, name: null, phone: "1", note: null }),
  lastWritten: writtenFingerprint(writeFields, { name: "Eve", phone: "1" }),
  refused: writtenFingerprint(writeFields, { note: "x" }),
  modifiedAt: momentOf(1),
};
const writtenOf = (lastWritten: string | null | undefined, field: string) =>
  fieldOf(lastWritten ?? "", writeFields.indexOf(field));
const seenOf = (seen: string | null | undefined, field: string) => fieldOf(seen ?? "", readFields.indexOf(field));
const UNKNOWN = writtenOf("", "name");

describe("a record that was written", () => {
  test("holds what it was told; of what was not written the same is known as before", () => {
    const { link, result, nextAt, answered, waits } = after(update({ link: storedLink(known) }));
    expect([result, nextAt, answered, waits]).toEqual(["done", NOW, true, undefined]);
    expect(link).toMatchObject({
      externalId: "A1",
      recordId: "r1",
      refused: known.refused,
      modifiedAt: known.modifiedAt,
      dead: false,
      isNew: false,
    });
    expect([
      writtenOf(link?.lastWritten, "name"),
      writtenOf(link?.lastWritten, "phone"),
      writtenOf(link?.lastWritten, "note"),
    ]).toEqual([hashValue("Ada"), hashValue("1"), UNKNOWN]);
    expect([seenOf(link?.seen, "name"), seenOf(link?.seen, "phone")]).toEqual([hashValue("Ada"), hashValue("1")]);
  });

  test("was changed when its system says so; a time from before holds where it says nothing", () => {
    expect(after(update({ link: storedLink(known) }), done({ modifiedAt: momentOf(9) })).link?.modifiedAt).toBe(
      momentOf(9),
    );
    expect(after(update({ link: storedLink({ ...known, dead: true }) })).link?.modifiedAt).toBeNull();
  });

  test("is known anew where nothing was known, or its former self is gone", () => {
    for (const link of [null, storedLink({ ...known, dead: true, respelled: "0:a:b:1:0" })]) {
      const fresh = after(update({ link })).link;
      expect(fresh).toMatchObject({ isNew: true, refused: null, dead: false });
      expect([writtenOf(fresh?.lastWritten, "phone"), seenOf(fresh?.seen, "phone")]).toEqual([UNKNOWN, UNKNOWN]);
      expect(fresh?.respelled?.split(" ")).toHaveLength(1);
    }
  });

  test("will show how it is spelled there, unless that was said", () => {
    const silent = after(update({ link: storedLink(known) })).link;
    expect(isExpectation(silent?.seen ?? null)).toBe(true);
    const awaited = [spellingHash("Ada"), seenOf(known.seen, "name")];
    expect(partsOf(silent?.respelled ?? null).entries).toBe(
      [writeFields.indexOf("name"), "", "", 0, 1, ...awaited, 0, outlineOf("Ada")].join(":"),
    );
    const said = after(update({ link: storedLink(known) }), done({ values: { name: "ADA", phone: "2" } })).link;
    expect([isExpectation(said?.seen ?? null), partsOf(said?.respelled ?? null).entries]).toEqual([false, null]);
    // Only of fields that were sent: another one may have been changed by somebody.
    expect([seenOf(said?.seen, "name"), seenOf(said?.seen, "phone")]).toEqual([hashValue("ADA"), hashValue("1")]);
    expect(writtenOf(said?.lastWritten, "name")).toBe(hashValue("Ada"));
    const half = after(update({ link: storedLink(known) }), done({ values: {} })).link;
    expect(seenOf(half?.seen, "name")).toBe(hashValue("Ada"));
  });

  test("will show a later time of change than the write's own, where its answer told that, once it is edited", () => {
    const entryOf = (outcome?: WriteOutcome, respelled: string | null = null): string | undefined => {
      const { link } = after(update({ link: storedLink({ ...known, respelled }) }), outcome);
      return partsOf(link?.respelled ?? null)
        .entries?.split(":")
        .slice(4)
        .join(":");
    };
    const [spelled, before] = [spellingHash("Ada"), seenOf(known.seen, "name")];
    expect(entryOf(done({ modifiedAt: momentOf(9) }))).toBe(`1:${spelled}:${before}:1:${outlineOf("Ada")}`);
    expect(entryOf(done(), `${writeFields.indexOf("name")}:::0:1:${spelled}:${before}:1`)).toBe(
      `1:${spelled}:${before}:0:${outlineOf("Ada")}`,
    );
    // Of what only an earlier write wrote, the time of the last one says nothing.
    const phone = writeFields.indexOf("phone");
    const { link } = after(update({ link: storedLink({ ...known, respelled: `${phone}:::0:1:s:b:1` }) }));
    expect(partsOf(link?.respelled ?? null).entries?.split(" ")).toContain(`${phone}:::0:2:s:b`);
  });

  test("will show a secret of which nothing is kept that says how it begins or how long it is", () => {
    const secret = { ...sink, mappings: sink.mappings.map((mapping) => ({ ...mapping, isSecret: true as const })) };
    const { link } = after(update({ link: storedLink(known) }), done(), secret);
    expect(
      partsOf(link?.respelled ?? null).entries?.endsWith(`:${spellingHash("Ada")}:${seenOf(known.seen, "name")}`),
    ).toBe(true);
  });

  test("shows what was sent where it is read back as the number that the system keeps of it", () => {
    const sent = update({ link: storedLink(known) }, { values: { phone: "+49123" } });
    const { link } = after(sent, done({ isReadBack: true, values: { phone: "49123" } }));
    expect([seenOf(link?.seen, "phone"), partsOf(link?.respelled ?? null).entries]).toEqual([hashValue("49123"), null]);
    const edited = after(sent, done({ isReadBack: true, values: { phone: "4912" } })).link;
    expect(seenOf(edited?.seen, "phone")).toBe(hashValue("+49123"));
  });

  test("will show what became of each field that the answer leaves out, or tells to be blank", () => {
    const both = { values: { name: "Ada", phone: "2" } };
    const entry = (field: string, sent: string, before: string) =>
      [writeFields.indexOf(field), "", "", 0, 1, spellingHash(sent), before, 0, outlineOf(sent)].join(":");
    const answers: Values[] = [{ name: "ADA" }, { name: "ADA", phone: null }];
    for (const values of answers) {
      const { link } = after(update({ link: storedLink(known) }, both), done({ values }));
      expect(isExpectation(link?.seen ?? null)).toBe(true);
      expect([seenOf(link?.seen, "name"), seenOf(link?.seen, "phone")]).toEqual([hashValue("ADA"), hashValue("2")]);
      expect(partsOf(link?.respelled ?? null).entries).toBe(entry("phone", "2", hashValue("1")));
    }
    for (const field of readFields.filter((one) => writeFields.includes(one) && one !== "name")) {
      const sent = update({ link: storedLink(known) }, { values: { name: "Ada", [field]: "new" } });
      const { link } = after(sent, done({ values: { name: "Ada" } }));
      expect(isExpectation(link?.seen ?? null), field).toBe(true);
      expect(partsOf(link?.respelled ?? null).entries?.split(":")[0], field).toBe(String(writeFields.indexOf(field)));
    }
    // What was cleared is blank where it is left out; what nobody reads will not show.
    const cleared = update({ link: storedLink(known) }, { values: { name: "Ada", phone: null } });
    const blank = after(cleared, done({ values: { name: "Ada" } })).link;
    expect([isExpectation(blank?.seen ?? null), partsOf(blank?.respelled ?? null).entries]).toEqual([false, null]);
    const lapsed = { ...sink, place: { ...sink.place, lapsed: new Set([readFields.indexOf("phone")]) } };
    const untold = after(update({ link: storedLink(known) }, both), done({ values: { name: "Ada" } }), lapsed).link;
    expect([isExpectation(untold?.seen ?? null), partsOf(untold?.respelled ?? null).entries]).toEqual([false, null]);
  });

  test("where nobody reads is known by what it was told alone", () => {
    const { link } = after(update({ link: storedLink({ ...known, seen: null }) }), done(), unread);
    expect([link?.seen, link?.respelled]).toEqual([null, null]);
    expect(writtenOf(link?.lastWritten, "name")).toBe(hashValue("Ada"));
  });

  test("stands in its history with what it was told", () => {
    expect(after(update({}, { values: { name: "Ada", phone: null } })).ledger).toEqual({
      recordId: "r1",
      operation: "write",
      externalId: "A1",
      changes: { name: [null, "Ada"], phone: [null, null] },
      refused: null,
    });
  });

  test("goes on waiting for references that were left out", () => {
    const waits = [{ connectorId: "A", entity: "contact", targetId: "r9" }];
    expect(after(update({}, { waits })).waits).toEqual(waits);
  });
});

describe("a record that was created", () => {
  const creation = (
    written: string[] | null,
    more: Partial<PendingWrite> = {},
    delivery: Partial<ClaimedDelivery> = {},
  ) => {
    const values = { name: "Ada", phone: "1" };
    const unanswered = written && { intent: "create" as const, written };
    return pendingWriteOf("create", {
      values,
      written: writtenFingerprint(writeFields, values),
      delivery: claimedDelivery({ link: null, unanswered, ...delivery }),
      ...more,
    });
  };

  test("may have been deleted there for another record: it takes that over, at once or by its time", () => {
    expect(after(creation(null), done(), { ...sink, idempotentCreate: true }).takesOver).toBe("ifLater");
    expect(after(creation(null), done(), { ...sink, idempotentCreate: false }).takesOver).toBe("always");
    expect(after(update())).not.toHaveProperty("takesOver");
  });

  test("is quarantined should its answer name what another record has there, known by itself alone", () => {
    const { ifTaken } = after(creation(null), done({ id: "A7" }));
    expect(ifTaken?.quarantine).toMatchObject({
      ...{ direction: "destination", externalId: null, recordId: "r1", code: "already_linked" },
      message: expect.stringContaining("its record A7,"),
      payload: { name: "Ada", phone: "1" },
    });
    expect(after(update())).not.toHaveProperty("ifTaken");
  });

  test("may stand in what another record has there, unless the answer shows another value", () => {
    const strayOf = (outcome?: WriteOutcome) => after(creation(null), outcome).ifTaken?.answered?.written;
    const fields = ["name", "phone"].map((field) => writeFields.indexOf(field));
    const stray = strayOf();
    expect(stray).toMatchObject({ fields, nextAt: NOW + 5_000 });
    expect(writtenOf(stray?.attempt, "name")).toBe(hashValue("Ada"));
    const alike: Values[] = [{ name: "ADA", phone: "1" }, { phone: null }, { name: "Ada" }];
    for (const values of alike) expect(strayOf(done({ values }))).toEqual(stray);
    expect(strayOf(done({ values: { name: "Eve", phone: "1" } }))).toBeNull();
  });

  test("again, holds for sure what all attempts agree on; the rest is said once more, as an update", () => {
    const other = writtenFingerprint(writeFields, { name: "Ada", phone: "2" });
    const repeated = after(creation([other]), done({ modifiedAt: momentOf(9), values: { name: "ADA", phone: "9" } }));
    expect(repeated).toMatchObject({ result: "again", answered: false, nextAt: NOW + 5_000 });
    expect(repeated.link).toMatchObject({ isNew: true, modifiedAt: null });
    expect([writtenOf(repeated.link?.lastWritten, "name"), writtenOf(repeated.link?.lastWritten, "phone")]).toEqual([
      hashValue("Ada"),
      UNKNOWN,
    ]);
    // The answer may speak of the first one, and of what people did to it since.
    expect(seenOf(repeated.link?.seen, "name")).toBe(hashValue("Ada"));
    expect(isExpectation(repeated.link?.seen ?? null)).toBe(true);
    const agreed = after(creation([writtenFingerprint(writeFields, { name: "Ada", phone: "1" })]));
    expect(agreed).toMatchObject({ result: "done", answered: true, nextAt: NOW });
    expect(after(creation([other]), done(), unread)).toMatchObject({ result: "again", nextAt: NOW });
    const updated = creation([other], {}, { unanswered: { intent: "update", written: [other] } });
    expect(after(updated), "only a creation may have been done before").toMatchObject({ result: "done" });
  });

  test("and deleted in the core since is deleted there next", () => {
    const gone = creation(null, {}, { record: storedRecord({ deleted: true }) });
    expect(after(gone)).toMatchObject({ result: "again", answered: false, nextAt: NOW + 5_000, link: { dead: false } });
    expect(after(creation(null, {}, { record: null }))).toMatchObject({ result: "done" });
  });
});

test("a record that was deleted is remembered as removed by us, and as it was last seen", () => {
  const link = storedLink({ ...known, respelled: "1:a:b:1:0" });
  const deletion = pendingWriteOf("delete", {
    values: {},
    delivery: claimedDelivery({ link, record: storedRecord({ deleted: true }) }),
  });
  expect(after(deletion)).toMatchObject({
    result: "done",
    answered: true,
    link: { dead: true, lastWritten: REMOVED_BY_US, seen: known.seen, respelled: "1:a:b:1:0", isNew: false },
    ledger: { operation: "write", changes: {} },
  });
});

test("a record that is gone keeps its tie, as a dead one", () => {
  const gone = settle(sink, update({ link: storedLink(known) }), { status: "missing" }, NOW);
  expect(gone.link).toEqual({ ...storedLink(known), dead: true, isNew: false });
  expect(settle(sink, update({ link: null }), { status: "missing" }, NOW).link).toBeNull();
  expect(settle({ ...sink, recreate: true, create: false }, update(), { status: "missing" }, NOW).result).toBe(
    "parked",
  );
});

test("what is expected to be shown is marked in its first character alone", () => {
  expect(asExpectation("abcdefgh1")).toBe("-bcdefgh1");
});
