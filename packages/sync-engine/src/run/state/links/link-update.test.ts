/** What is stored of an external record once its page is in. */
import { describe, expect, test } from "vitest";
import { inboundRecordOf, storedLink, twoSystems } from "../../protocol/fixtures/stored.ts";
import { computeLinkUpdate } from "./link-update.ts";

const { source } = twoSystems();
const outcome = { recordId: "r1", values: { name: "Ada" }, refused: null };

test("a place that is only read neither differs from the core nor waits for a field, and its link is written when it is new", () => {
  expect(computeLinkUpdate(null, source, inboundRecordOf({ seen: "as read" }), outcome)).toMatchObject({
    differs: false,
    waits: false,
    write: { externalId: "A1", recordId: "r1", seen: "as read", isNew: true },
  });
});

test("a link that says the same already is not written again", () => {
  const link = storedLink({ seen: "as read" });
  const update = (seen: string) => computeLinkUpdate(null, source, inboundRecordOf({ link, seen }), outcome);
  expect(update("as read")).toEqual({ write: null, differs: false, waits: false, unfit: false, arrived: false });
  expect(update("as read later").write).toMatchObject({ seen: "as read later", isNew: false });
});

describe("a link of a place that is only read", () => {
  const known = storedLink({ seen: "as read", modifiedAt: "2026", respelled: "r", lastWritten: "t", refused: "f" });
  const written = (more: Parameters<typeof inboundRecordOf>[0], recordId = "r1") =>
    computeLinkUpdate(null, source, inboundRecordOf({ seen: "as read", link: known, ...more }), {
      ...outcome,
      recordId,
    }).write;
  const record = (modifiedAt?: string) => ({ record: { id: "A1", values: {}, ...(modifiedAt ? { modifiedAt } : {}) } });

  test("keeps the latest time of change that was told, and what was told and refused before", () => {
    expect(written(record("2027"))).toMatchObject({
      modifiedAt: "2027",
      lastWritten: "t",
      refused: "f",
      respelled: "r",
    });
    expect([written(record("2025")), written(record("2026")), written(record())]).toEqual([null, null, null]);
    expect(written({ ...record("2025"), seen: "later" })).toMatchObject({ modifiedAt: "2026", seen: "later" });
    expect(written({ ...record("2025"), link: { ...known, modifiedAt: null } })).toMatchObject({ modifiedAt: "2025" });
  });

  test("is written where its record is another one, which it then moved to; a second record of one thing keeps its own", () => {
    expect(written({}, "r2")).toMatchObject({ recordId: "r2", isMoved: true, isNew: false });
    expect(written({ isAlias: true }, "r2")).toBeNull();
    expect(written({ isAlias: true, seen: "later" }, "r2")).toMatchObject({ recordId: "r1", isNew: false });
    expect(written({ isAlias: true, seen: "later" }, "r2")).not.toHaveProperty("isMoved");
  });

  test("is written where it lives again, or its filter let it through", () => {
    expect(written({ link: { ...known, dead: true } })).toMatchObject({ dead: false, isNew: false });
    const heldBack = { since: null, shown: "", values: {} };
    expect(written({ link: { ...known, heldBack } })).not.toBeNull();
    expect(written({ link: { ...known, heldBack } })).not.toHaveProperty("heldBack");
  });

  test("is new for a row that takes a record over, without notes of writes to the one before", () => {
    expect(written({ isSuccessor: true })).toMatchObject({ isNew: true, respelled: null });
    const spelling = {
      fields: new Set<number>(),
      doubtful: new Set<number>(),
      refused: {},
      warnings: [],
      respelled: "judged",
    };
    expect(written({ spelling })).toMatchObject({ respelled: "judged" });
    expect(written({ spelling, isSuccessor: true })).toMatchObject({ respelled: null });
  });
});
