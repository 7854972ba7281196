/** Rules of a few lines that cycles lean on: who is notified of merges, what a field becomes, whose word ranks where. */
import { FieldSchema } from "@accord/contracts/data/schema";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { describe, expect, test } from "vitest";
import { outranks, rankOf, rejectionReason, type FieldRule } from "./merge/authority/authority.ts";
import { converter } from "./graph/field-conversion.ts";
import {
  afterLoss,
  asExpectation,
  fieldOf,
  holds,
  isAsExpected,
  isExpectation,
  isKnown,
  isOfOtherVersion,
  isRead,
  lossIn,
  MAX_LOSSES,
  replaceFields,
  seenFingerprint,
  writtenFingerprint,
} from "./state/fingerprint.ts";
import { sinksAffectedByMerges, warningsOfMerging } from "./merge/duplicates/merge-page.ts";
import type { MergePlan } from "./merge/duplicates/merge-plan.ts";
import { ConversionError, type SinkPlan } from "./plan/plan.ts";
import { onCallFinished, onCallStarted, reservedFor, newRateBudget, waitBefore } from "./limits/rate-budget.ts";
import { normalizationOf } from "./state/normalization/normalized-values.ts";
import { spellingHash } from "./state/normalization/spelling.ts";
import { momentOf, storedLink, inboundRecordOf, twoSystems } from "./protocol/fixtures/stored.ts";

const { source, sink } = twoSystems();

describe("of merges", () => {
  test("every destination hears; records that lost are deleted where deletions are allowed", () => {
    const at = (id: number, mayDelete: boolean): SinkPlan => ({
      ...sink,
      delete: mayDelete,
      place: { ...sink.place, id },
    });
    expect(sinksAffectedByMerges({ sinks: [at(1, true), at(2, false)] })).toEqual({
      notifySinkIds: [1, 2],
      deleteAt: [1],
    });
  });

  test("people hear where there were too many to merge, not where they asked for reports only", () => {
    const report = { mergeId: "m", winnerId: "r1", loserIds: ["r2"] };
    const rules = { match: { nodeId: "core" } } as MergePlan;
    const reports = [
      { ...report, why: "tooMany" as const },
      { ...report, winnerId: "r3", why: "reportOnly" as const },
    ];
    expect(warningsOfMerging(rules, { merges: [], reports, notifySinkIds: [], deleteAt: [] })).toEqual([
      {
        nodeId: "core",
        code: "too_many_duplicates",
        message: "More duplicates than allowed were found, so none of them was merged.",
        record: "r1",
      },
    ]);
  });
});

describe("a value between two fields", () => {
  const field = (more: object = {}) => FieldSchema.parse({ apiName: "f", displayName: "f", ...more });
  const convert = (from: object, to: object) => converter(field(from), field(to), "UTC");

  test("of plain text stays as it is; what is no text becomes one", () => {
    const text = convert({}, {});
    expect([text("a"), text(null), text(5)]).toEqual(["a", null, "5"]);
    expect(convert({}, { dataType: "password" })("a")).toBe("a");
  });

  test("for a list becomes a list of one, for a limited field has to fit", () => {
    expect(convert({}, { isMultiValueField: true })("a")).toEqual(["a"]);
    expect(convert({}, { length: 3 })("abcd")).toBeInstanceOf(ConversionError);
    expect(convert({}, { dataType: "integer" })("x")).toBeInstanceOf(ConversionError);
    expect(convert({ dataType: "integer" }, {})(5)).toBe("5");
  });

  test("of JSON stays the JSON that it is, in a list where the other side has lists", () => {
    const value = { a: [1] };
    expect(convert({ dataType: "object" }, { dataType: "object" })(value)).toEqual(value);
    const list = convert({ dataType: "object" }, { dataType: "object", isMultiValueField: true });
    expect([list(value), list([value]), list(null)]).toEqual([[value], [value], null]);
  });
});

describe("a fingerprint", () => {
  const fields = ["a", "b"];
  const seen = seenFingerprint("programx", fields, { a: "1", b: null });

  test("says of each field whether it holds a value, and nothing of fields that came later", () => {
    expect(seen).toBe(`programx${hashValue("1")}${hashValue(null)}`);
    expect(seenFingerprint("p", fields, { a: "1", b: "2" })).toBe(`p${hashValue("1")}${hashValue("2")}`);
    expect(seenFingerprint("programx", [], {})).toBe("programx");
    expect([fieldOf(seen, 0), fieldOf(seen, 1)]).toEqual([hashValue("1"), hashValue(null)]);
    expect([isKnown(fieldOf(seen, 1)), isKnown(fieldOf(seen, 2))]).toEqual([true, false]);
    expect([holds(seen, 0, hashValue("1")), holds(seen, 1, hashValue("1")), holds(null, 0, hashValue("1"))]).toEqual([
      true,
      false,
      false,
    ]);
    expect(writtenFingerprint(fields, { b: null })).toBe(`----------------${hashValue(null)}`);
  });

  test("that is expected is met by the same fields alone", () => {
    expect(isAsExpected(asExpectation(seen), seen)).toBe(true);
    expect(isAsExpected(asExpectation(seen), seenFingerprint("programx", fields, { a: "2", b: null }))).toBe(false);
    expect([isAsExpected(seen, seen), isAsExpected(null, seen)]).toEqual([false, false]);
  });

  test("tells its program by all but the first character; what was written has none", () => {
    expect(isOfOtherVersion(seen, "programx")).toBe(false);
    expect(isOfOtherVersion(asExpectation(seen), "programx")).toBe(false);
    expect(isOfOtherVersion(seen, "programy")).toBe(true);
    expect(isOfOtherVersion(seen, "pXogramx")).toBe(true);
    expect(isOfOtherVersion(writtenFingerprint(fields, {}), "programx")).toBe(false);
  });

  test("tells after which loss of fields it was made, in place of some characters of its program", () => {
    const later = afterLoss(seen, 37);
    expect([lossIn(seen), lossIn(later), lossIn(afterLoss(later, MAX_LOSSES))]).toEqual([0, 37, MAX_LOSSES]);
    expect(later).toBe(`p+11ramx${seen.slice(8)}`);
    expect([isRead(later), isOfOtherVersion(later, "programx"), isOfOtherVersion(later, "programy")]).toEqual([
      true,
      false,
      true,
    ]);
    const written = afterLoss(writtenFingerprint(fields, { a: "1" }), 1);
    expect([isRead(written), isOfOtherVersion(written, "programx"), isExpectation(written)]).toEqual([
      false,
      false,
      true,
    ]);
    expect(isExpectation(asExpectation(later)) && lossIn(asExpectation(later))).toBe(37);
  });

  test("keeps what is not replaced, and grows with its place's fields", () => {
    const parts = new Map([[1, hashValue("2")]]);
    expect(replaceFields(seen, 2, parts)).toBe(`programx${hashValue("1")}${hashValue("2")}`);
    expect(replaceFields(seen, 3, new Map())).toBe(`${seen}--------`);
    expect(replaceFields(null, 2, parts)).toBe(`----------------${hashValue("2")}`);
  });
});

test("places that are no source any more rank behind all others", () => {
  const rule = {
    ranks: new Map([
      ["a", 0],
      ["b", 5],
    ]),
  } as unknown as FieldRule;
  expect(rankOf(rule, "gone")).toBeGreaterThan(rankOf(rule, "b"));
  const ranked = { ...rule, authority: "RANKED", rejectEmptyValues: true, rejectEmptyStrings: true } as FieldRule;
  const stored = (by: string) => ({ value: "old", set: { by, at: "2026" } });
  const heard = { isFirst: false, isRepeat: false };
  expect(rejectionReason(ranked, { by: "gone", at: "2027" }, "new", stored("b"), heard)).toBe("lower_ranked");
  expect(rejectionReason(ranked, { by: "b", at: "2025" }, "new", stored("gone"), heard)).toBeNull();
});

test("of two claims the better ranked is the stronger where rank decides, the later one where time does", () => {
  const ranks = new Map([
    ["a", 0],
    ["b", 1],
    ["c", 1],
  ]);
  const rule = (authority: FieldRule["authority"]): FieldRule => ({
    authority,
    ranks,
    rejectEmptyValues: true,
    rejectEmptyStrings: true,
    keepsOrigin: true,
  });
  const claim = (by: string, at: string) => ({ by, at });
  for (const authority of ["RANKED", "SELECTED"] as const) {
    expect(outranks(rule(authority), claim("a", "2025"), claim("b", "2026"))).toBe(true);
    expect(outranks(rule(authority), claim("b", "2026"), claim("a", "2025"))).toBe(false);
    expect(outranks(rule(authority), claim("b", "2026"), claim("c", "2025")), "ranked alike").toBe(true);
  }
  expect(outranks(rule("LATEST"), claim("a", "2025"), claim("b", "2026"))).toBe(false);
  expect(outranks(rule("LATEST"), claim("b", "2026"), claim("a", "2025"))).toBe(true);
  expect([
    outranks(rule("LATEST"), claim("a", "1"), undefined),
    outranks(rule("LATEST"), undefined, claim("a", "1")),
  ]).toEqual([true, false]);
  expect(outranks(rule("LATEST"), undefined, undefined)).toBe(false);
});

describe("a rate budget", () => {
  const answer = {
    status: 200,
    headers: { "x-ratelimit-remaining": "2", "x-ratelimit-limit": "100", "x-ratelimit-reset": "4" },
  };

  test("begins with nothing known and nothing under way", () => {
    expect(newRateBudget()).toEqual({
      openAt: 0,
      probe: "none",
      refusals: 0,
      left: null,
      limit: null,
      resetAt: 0,
      underWay: 0,
    });
    const budget = onCallFinished(onCallStarted(newRateBudget(), 0), answer, 0, 0.5);
    expect(budget).toMatchObject({ left: 2, limit: 100, resetAt: 4_000, underWay: 0 });
    expect([waitBefore(budget, "live", 0), waitBefore({ ...budget, left: 0 }, "live", 0)]).toEqual([0, 4_000]);
  });

  test("counts what is under way off what an answer says is left; never below none", () => {
    const two = onCallStarted(onCallStarted(newRateBudget(), 0), 0);
    expect(onCallFinished(two, answer, 0, 0.5)).toMatchObject({ left: 1, underWay: 1 });
    expect(onCallFinished(newRateBudget(), null, 0, 0.5).underWay).toBe(0);
  });

  test("keeps a tenth of a limit from resyncs, and nothing of one that is not known", () => {
    expect([
      reservedFor(100, "resync"),
      reservedFor(19, "resync"),
      reservedFor(100, "live"),
      reservedFor(null, "resync"),
    ]).toEqual([10, 1, 0, 0]);
  });

  test("waits twice as long after each refusal that gives no time, a minute at most, spread by chance", () => {
    const refused = (refusals: number, rng: number) =>
      onCallFinished({ ...newRateBudget(), refusals }, { status: 429, headers: {} }, 0, rng);
    expect([0, 1, 5, 6, 9].map((refusals) => refused(refusals, 0.5).openAt)).toEqual([
      1_000, 2_000, 32_000, 60_000, 60_000,
    ]);
    expect([refused(0, 0).openAt, refused(0, 1).openAt]).toEqual([750, 1_250]);
    expect(refused(3, 0)).toMatchObject({ refusals: 4, probe: "wanted", left: null });
  });
});

describe("what a system shows after it was written to", () => {
  const { writeFields, readFields } = sink.place;
  const index = writeFields.indexOf("name");
  /** Of a record whose name was written. `mapped`: what the source's mappings made of what is shown. */
  function spelled(
    written: string | null,
    shown: string | null,
    mapped: object,
    { isReadBack = true, values = {} as object } = {},
  ) {
    const from = {
      ...source,
      mappings: source.mappings.filter(({ connectorField }) => isReadBack || connectorField !== "name"),
    };
    const parts = new Map([[readFields.indexOf("name"), hashValue(written)]]);
    const link = storedLink({
      lastWritten: writtenFingerprint(writeFields, { name: written }),
      seen: asExpectation(replaceFields(null, readFields.length, parts)),
      respelled: `${index}:::0:1`,
    });
    const record = { id: "A1", values: { name: shown } };
    const seen = seenFingerprint(source.program, readFields, record.values);
    const inbound = inboundRecordOf({ record, seen, link, mapped: { ...mapped } });
    return normalizationOf(sink, from, inbound, { name: written, ...values }, momentOf(9));
  }
  const isTaken = (spelling: ReturnType<typeof spelled>) => spelling?.fields.has(readFields.indexOf("name"));

  test("is as written where it is that in the core's normal form, whatever the core holds by now", () => {
    expect(isTaken(spelled("5", "5.0", { name: "5" }, { values: { name: "6" } }))).toBe(true);
    expect(isTaken(spelled("5", "seven", { name: "7" }, { values: { name: "5" } }))).toBe(false);
  });

  test("is not as written by the word of another field, nor where it can't be read", () => {
    // The core's name comes from elsewhere: what it holds says nothing of what is shown here.
    const elsewhere = spelled("5", "seven", { name: "5" }, { isReadBack: false });
    expect(isTaken(elsewhere)).toBe(false);
    expect(elsewhere?.respelled).toContain(hashValue("seven"));
    expect(isTaken(spelled(null, "seven", {}, { values: { name: null } }))).toBe(false);
    expect(isTaken(spelled("null", null, {})), "nothing is no spelling of a word").toBe(false);
    expect(isTaken(spelled("Null", "null ", {})), "two words alike").toBe(true);
  });

  test("says nothing of fields that are only set on creation, made on the path, or name other records", () => {
    const parts = new Map([[readFields.indexOf("name"), hashValue("a b")]]);
    const link = storedLink({
      lastWritten: writtenFingerprint(writeFields, { name: "a b" }),
      seen: asExpectation(replaceFields(null, readFields.length, parts)),
      respelled: `${index}:::0:1:${spellingHash("a b")}:${hashValue("before")}`,
    });
    const record = { id: "A1", values: { name: "A B" } };
    const seen = seenFingerprint(source.program, readFields, record.values);
    const ofMapping = (more: object) => {
      const mappings = sink.mappings.map((mapping) =>
        mapping.writeIndex === index ? { ...mapping, ...more } : mapping,
      );
      const inbound = inboundRecordOf({ record, seen, link, mapped: { name: "A B" } });
      return normalizationOf({ ...sink, mappings }, source, inbound, { name: "a b" }, momentOf(9));
    };
    expect(ofMapping({})?.warnings).toMatchObject([{ code: "respelled" }]);
    for (const more of [
      { createOnly: true },
      { isComputed: true },
      { reference: { connectorId: "A", entity: "contact" } },
    ])
      expect(ofMapping(more)).toMatchObject({ warnings: [], respelled: link.respelled });
  });
});
