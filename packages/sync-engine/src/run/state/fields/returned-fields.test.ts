/** Fields that are back after something was written to them unseen: what they show need not be anybody's edit. */
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { describe, expect, test } from "vitest";
import { inboundRecordOf, storedLink, twoSystems } from "../../protocol/fixtures/stored.ts";
import { parseEntries } from "../normalization/awaited-normalizations.ts";
import { writeIndexOf } from "./read-index.ts";
import { missingPart, replaceFields, seenFingerprint, writtenFingerprint } from "../fingerprint.ts";
import type { StoredLink } from "../../protocol/stored.ts";
import { judgeShown, returnedFields } from "./returned-fields.ts";
import { PipelineDriver } from "@accord/sync-simulation/testing";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };
const PHONE = { field: "phone", writes: "ignored" } as const;

test("a value that is neither what was there nor what was written meanwhile goes over no other one", () => {
  const driver = new PipelineDriver({ systems: [{}, {}] });
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  driver.system("A").vanished = PHONE;
  driver.now += 60_000;
  driver.system("B").update("B1", { phone: "2" }, driver.now);
  driver.settle(4);
  driver.now += 60_000;
  driver.system("A").update("A1", { phone: "7" }, driver.now);
  driver.system("A").vanished = null;
  driver.settle();
  expect(driver.systems.map(({ name }) => driver.row(name)["phone"])).toEqual(["2", "2"]);
  const refused = driver.store.ledger.flatMap((entry) => (entry.refused?.["phone"] ? [entry.refused["phone"]] : []));
  expect(refused, "people find it in the record's history").toEqual([["7", "stale_read"]]);
});

test("what was written to a field before it was missing is no longer awaited once that one field is back", () => {
  const { source, sink } = twoSystems();
  const phone = source.place.readFields.indexOf("phone");
  const write = writeIndexOf(source.place, phone) ?? -1;
  const link = storedLink({ respelled: `${write}:written1:shown001:1:1:spelled1:before01` });
  const judged = (fields: number[]) => {
    const inbound = inboundRecordOf({ link, returned: new Map(fields.map((index) => [index, "asBefore"])) });
    return judgeShown(sink, source, inbound, ADA, { now: "2026-01-01T00:00:00.000Z", reapply: false });
  };
  expect([...parseEntries(link.respelled).keys()]).toEqual([write]);
  expect(judged([phone])?.respelled).toBeNull();
  expect(judged([]), "nothing has come back").toBeNull();
});

describe("a field that is back", () => {
  const { source } = twoSystems();
  const { readFields, writeFields } = source.place;
  const phone = readFields.indexOf("phone");
  const write = writeIndexOf(source.place, phone) ?? -1;
  const awaited = `${write}:written1:shown001:1:1:spelled1:before01`;
  /** What is said of the phone, which held `before` (undefined: it was never seen) and shows `now`. */
  const returned = (
    before: string | undefined,
    now: string | null,
    link: Partial<StoredLink> = {},
    isUnsure = false,
  ) => {
    const shown = { ...ADA, phone: now };
    const seen = seenFingerprint(source.program, readFields, ADA);
    const mark = missingPart(before === undefined ? null : hashValue(before), isUnsure);
    const known = replaceFields(seen, readFields.length, new Map([[phone, mark]]));
    const inbound = inboundRecordOf({
      record: { id: "A1", values: shown },
      seen: seenFingerprint(source.program, readFields, shown),
      mapped: shown,
      link: storedLink({ seen: known, ...link }),
    });
    return returnedFields(source, inbound).get(phone) ?? "edit";
  };
  const lastWritten = writtenFingerprint(writeFields, { phone: "2" });

  test("shows what it held before, or nothing, or what it was told since: that is no news", () => {
    expect(returned("1", "1")).toBe("asBefore");
    expect(returned("1", null)).toBe("asBefore");
    expect(returned("1", "2", { lastWritten })).toBe("asBefore");
    expect(returned(undefined, "2", { lastWritten, respelled: awaited }), "it was never seen, but written").toBe(
      "asBefore",
    );
  });

  test("shows another value: an edit, unless it may always have stood there or be what was written meanwhile", () => {
    expect(returned("1", "3")).toBe("edit");
    expect(returned("1", "3", { lastWritten })).toBe("edit");
    expect(returned("1", "3", {}, true), "something was written that may be stored").toBe("unsure");
    expect(returned(undefined, "3")).toBe("unsure");
    expect(returned(undefined, "2", { lastWritten }), "found by a look-up, never read").toBe("unsure");
  });

  test("is back where its record is known: one entered again after its deletion is new", () => {
    const shown = seenFingerprint(source.program, readFields, ADA);
    const seen = replaceFields(shown, readFields.length, new Map([[phone, missingPart(hashValue("1"), false)]]));
    const inbound = { record: { id: "A1", values: ADA }, seen: shown, mapped: ADA };
    const back = (more: object) => [...returnedFields(source, inboundRecordOf({ ...inbound, ...more })).keys()];
    expect(back({ link: storedLink({ seen }) })).toEqual([phone]);
    expect(back({ link: storedLink({ seen }), isBack: true })).toEqual([]);
    expect(back({ link: null })).toEqual([]);
    expect(back({ link: storedLink({ seen: shown }) }), "none was missing").toEqual([]);
  });
});
