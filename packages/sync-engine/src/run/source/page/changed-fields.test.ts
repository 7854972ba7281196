/** Which fields a source changed itself since its record was last seen or written. */
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { describe, expect, test } from "vitest";
import type { SourcePlan } from "../../plan/plan.ts";
import { inboundRecordOf, storedLink } from "../../protocol/fixtures/stored.ts";
import { replaceFields, writtenFingerprint } from "../../state/fingerprint.ts";
import { changedFields } from "./changed-fields.ts";
import { ADA, printOf, source } from "./page.fixtures.ts";

describe("what the source changed itself since its record was last seen or written", () => {
  const known = printOf();
  const shown = (values: object) => printOf({ ...ADA, ...values });
  const changed = (
    more: Parameters<typeof inboundRecordOf>[0],
    reapply = false,
    at: SourcePlan = source,
    completed = {},
  ) => {
    const inbound = inboundRecordOf({ mapped: { ...ADA }, seen: known, ...more });
    const isChanged = changedFields(at, inbound, { ...inbound.mapped, ...completed }, reapply);
    return ["email", "name", "phone", "note", "made"].filter(isChanged);
  };
  const ALL = ["email", "name", "phone", "note", "made"];
  const only: SourcePlan = { ...source, isAlsoSink: false };

  test("is what it shows otherwise; everything of what is new or was never seen", () => {
    expect(changed({ link: storedLink({ seen: known }) })).toEqual([]);
    expect(changed({ link: storedLink({ seen: known }), seen: shown({ name: "Eve" }) })).toContain("name");
    expect(changed({ link: storedLink({ seen: known }), seen: shown({ name: "Eve" }) })).not.toContain("phone");
    expect(changed({ link: null })).toEqual(ALL);
    expect(changed({ link: storedLink({ seen: null }) })).toEqual(ALL);
  });

  test("is everything when all is read again, but where we write too; on another path what nodes compute", () => {
    const other = replaceFields(known, source.place.readFields.length, new Map());
    const link = storedLink({ seen: `Xotherpr${other.slice(8)}` });
    expect(changed({ link }, false, only)).toEqual(["made"]);
    expect(changed({ link }, false, source)).toEqual(["made"]);
    expect(changed({ link: storedLink({ seen: known }) }, true, only)).toEqual(ALL);
    expect(changed({ link: storedLink({ seen: known }) }, true, source)).toEqual([]);
  });

  test("is nothing of a second external record of one thing that was never seen", () => {
    expect(changed({ link: storedLink(), isAlias: true })).toEqual([]);
    expect(changed({ link: storedLink({ seen: known }), isAlias: true, seen: shown({ name: "Eve" }) })).toContain(
      "name",
    );
    expect(changed({ link: storedLink({ seen: known }), isAlias: true }, true, only)).toEqual([]);
  });

  test("is not what we may have written there ourselves, nor a spelling of it", () => {
    const written = [writtenFingerprint(source.place.writeFields, { ...ADA, name: "Eve" })];
    const link = storedLink({ seen: known });
    expect(changed({ link, seen: shown({ name: "Eve" }), written })).toEqual([]);
    expect(changed({ link, seen: shown({ name: "Bob" }), written })).toContain("name");
    expect(changed({ link: null, seen: shown({ name: "Eve" }), written }), "new, but ours").toEqual([]);
    const spelling = {
      fields: new Set([source.place.readFields.indexOf("name")]),
      respelled: null,
      doubtful: new Set<number>(),
      refused: {},
      warnings: [],
    };
    expect(changed({ link, seen: shown({ name: "ADA" }), spelling })).toEqual([]);
  });

  test("is not a blank that our creation left; where the record was known before, it was cleared", () => {
    const written = [writtenFingerprint(source.place.writeFields, { name: "Ada" })];
    const blank = { record: { id: "A1", values: {} }, seen: shown({ phone: null }), written };
    expect(changed({ ...blank, link: null })).not.toContain("phone");
    expect(changed({ ...blank, link: storedLink({ seen: null }) })).toContain("phone");
  });

  test("makes a value that nodes computed new when anything was read anew", () => {
    const link = storedLink({ seen: known });
    const seen = shown({ phone: "2" });
    const computed = { name: "computed", made: 1 };
    expect(changed({ link, seen, mapped: { ...ADA, phone: "2" } }, false, source, computed)).toEqual([
      "name",
      "phone",
      "made",
    ]);
    expect(changed({ link }, false, source, computed)).toEqual([]);
  });

  test("is known by its hash", () => {
    expect(known.slice(8, 16)).toBe(hashValue(ADA[source.place.readFields[0] as keyof typeof ADA]));
  });
});
