/** Systems whose reads show our writes late: what they show meanwhile is no edit, what people enter there is. */
import type { SourceRecord } from "@accord/connector-sdk";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { describe, expect, test } from "vitest";
import { asExpectation, writtenFingerprint } from "../state/fingerprint.ts";
import { isLateRead, joinParts, partsOf, replacedBy, withUnread } from "./partial-reads.ts";
import { claimedDelivery, momentOf, storedLink, twoSystems } from "../protocol/fixtures/stored.ts";
import { PipelineDriver, type SystemTraits } from "@accord/sync-simulation/testing";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };
const STEP = 500;

/** A, and B that shows everything late, in agreement about Ada; then A's note was written to B and B does not show it yet. */
function late(traits: Partial<SystemTraits>) {
  const lagMs = traits.lagMs ?? 10_000;
  const driver = new PipelineDriver({ systems: [{}, { comparesLate: true, ...traits, lagMs }] });
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  driver.now += lagMs;
  driver.settle();
  driver.system("A").update("A1", { note: "second" }, driver.now);
  driver.cycle();
  driver.now += 1_500;
  return driver;
}

function run(driver: PipelineDriver, forMs: number): void {
  for (const end = driver.now + forMs; driver.now < end; driver.now += STEP) driver.cycle();
}

const notes = (driver: PipelineDriver): unknown[] => [driver.row("A")["note"], driver.row("B")["note"]];

const KINDS: [string, Partial<SystemTraits>][] = [3_000, 10_000].flatMap((lagMs) =>
  [true, false].flatMap((answersStoredValues) =>
    [true, false].map((reportsModifiedAt): [string, Partial<SystemTraits>] => [
      `${lagMs} ms late, ${answersStoredValues ? "answering" : "silent"}, ${reportsModifiedAt ? "with" : "without"} times`,
      { lagMs, answersStoredValues, reportsModifiedAt },
    ]),
  ),
);

test.each(KINDS)(
  "a second edit stands while the system still shows what was there before the first: %s",
  (_, traits) => {
    const driver = late(traits);
    driver.system("A").update("A1", { note: "third" }, driver.now);
    run(driver, 60_000);
    expect(notes(driver)).toEqual(["third", "third"]);
    expect(driver.store.ledger.filter(({ operation }) => operation === "update")).toHaveLength(2);
    expect(driver.store.outstanding()).toBe(0);
  },
);

test.each(KINDS)("edits of several fields, one after the other, all stand: %s", (_, traits) => {
  const driver = late(traits);
  driver.system("A").update("A1", { name: "Ada King" }, driver.now);
  run(driver, 12_000);
  driver.system("A").update("A1", { phone: "2" }, driver.now);
  run(driver, 1_000);
  driver.system("A").update("A1", { note: "third", name: "Countess" }, driver.now);
  run(driver, 90_000);
  const all = { name: "Countess", phone: "2", note: "third" };
  expect([driver.row("A"), driver.row("B")]).toMatchObject([all, all]);
});

/** The next writes to B find this record there. */
function finding(driver: PipelineDriver, record: SourceRecord): void {
  driver.answer = ({ operations }, system) =>
    system.name === "B" ? operations.map(() => ({ status: "conflict", record })) : null;
}

test.each([
  ["another value than ever was there", { note: "by hand" }, {}],
  ["another field than was written", { note: "first", name: "Eve" }, {}],
  ["what was there before, entered again later", { note: "first" }, { modifiedAt: "2030-01-01T00:00:00.000Z" }],
])("what somebody enters is taken at once, though our write does not show yet: %s", (_, entered, time) => {
  const driver = late({ lagMs: 10_000, reportsModifiedAt: true });
  finding(driver, { id: "B1", values: { ...ADA, ...entered }, ...time });
  driver.system("A").update("A1", { note: "third" }, driver.now);
  driver.cycle();
  expect(driver.row("A")).toMatchObject(entered);
});

test("what was there before our write is an edit once it still shows a minute later", () => {
  const driver = late({ lagMs: 0, comparesLate: false });
  finding(driver, { id: "B1", values: ADA });
  driver.system("A").update("A1", { note: "third" }, driver.now);
  run(driver, 50_000);
  expect(notes(driver)[0]).toBe("third");
  const calls = driver.sent["B"] ?? 0;
  run(driver, 15_000);
  expect(notes(driver)[0]).toBe("first");
  expect(calls).toBeLessThan(10);
});

describe("what a write replaced", () => {
  const { sink } = twoSystems();
  const { readFields, writeFields } = sink.place;
  const seen = writtenFingerprint(readFields, ADA);
  const lastWritten = writtenFingerprint(writeFields, ADA);
  const delivery = (more: object = {}, writtenForMs: number | null = null) =>
    claimedDelivery({ writtenForMs, link: storedLink({ seen, lastWritten, ...more }) });
  const index = (field: string): number => readFields.indexOf(field);
  const replaced = (values: object, more: object = {}, writtenForMs: number | null = null) =>
    replacedBy(sink.place, delivery(more, writtenForMs), { ...values });
  const part = (...values: string[]): string => values.map((value) => hashValue(value)).join("");

  test("stands before a field's own entries, or alone", () => {
    expect([null, "~1:x", "name", "~1:x name phone"].map(partsOf)).toEqual([
      { replaced: null, entries: null },
      { replaced: "~1:x", entries: null },
      { replaced: null, entries: "name" },
      { replaced: "~1:x", entries: "name phone" },
    ]);
    for (const text of ["~1:x", "name", "~1:x name phone"])
      expect(joinParts(partsOf(text).replaced, partsOf(text).entries)).toBe(text);
    expect(joinParts(null, null)).toBeNull();
  });

  test("is what was seen and told before, in the fields that are written", () => {
    expect(replaced({ name: "Eve" })).toBe(`~${index("name")}:${part("Ada")}`);
    expect(replaced({ name: "Ada" }), "it says the same").toBeNull();
    expect(replaced({}), "nothing is written").toBeNull();
    expect(replaced({ name: "Eve" }, { lastWritten: writtenFingerprint(writeFields, { ...ADA, name: "Ida" }) })).toBe(
      `~${index("name")}:${part("Ada", "Ida")}`,
    );
    expect(replaced({ name: "Eve" }, { seen: null, lastWritten: null }), "nothing is known").toBeNull();
    expect(replaced({ name: "Eve" }, { dead: true })).toBeNull();
    expect(replacedBy(sink.place, claimedDelivery({ link: null }), { name: "Eve" })).toBeNull();
  });

  test("adds to what the write before replaced, for a minute; of many values the last six are kept", () => {
    const respelled = `~${index("name")}:${part("Old")} rest`;
    expect(replaced({ name: "Eve" }, { respelled }, 59_999)).toBe(`~${index("name")}:${part("Old", "Ada")}`);
    expect(replaced({ name: "Old" }, { respelled }, 0)).toBe(`~${index("name")}:${part("Ada")}`);
    expect(replaced({ name: "Eve" }, { respelled }, 60_000)).toBe(`~${index("name")}:${part("Ada")}`);
    expect(replaced({ phone: "2" }, { respelled }, 0)).toBe(
      `~${index("name")}:${part("Old")},${index("phone")}:${part("1")}`,
    );
    const many = ["a", "b", "c", "d", "e", "f"];
    expect(replaced({ name: "Eve" }, { respelled: `~${index("name")}:${part(...many)}` }, 0)).toBe(
      `~${index("name")}:${part(...many.slice(1), "Ada")}`,
    );
    const back = `~${index("name")}:${part("Ada")}`;
    expect(replaced({ name: "Ada" }, { respelled: back }, 0), "it is as it was").toBeNull();
  });

  test("grows by what was written and not read yet, never by what was only read", () => {
    const link = storedLink({ seen: asExpectation(seen), lastWritten });
    const shown = writtenFingerprint(readFields, { ...ADA, name: "Eve", phone: "2" });
    const after = (...written: string[]) =>
      withUnread(
        sink.place,
        { link, seen: shown },
        {
          before: null,
          isWritten: (index) => written.includes(writeFields[index] ?? ""),
        },
      );
    expect(after("name")).toBe(`~${index("name")}:${part("Ada")}`);
    expect(after("note"), "it shows what was written").toBeNull();
    expect(after()).toBeNull();
  });

  test("is what a late read shows, and nothing else", () => {
    const respelled = `~${index("name")}:${part("Old")}`;
    const isLate = (
      values: object,
      more: object = {},
      { writtenForMs = 0, ...record }: { writtenForMs?: number; modifiedAt?: string; deleted?: boolean } = {},
    ) =>
      isLateRead(sink, delivery({ respelled, ...more }, writtenForMs), {
        id: "A1",
        values: { ...ADA, ...values },
        ...record,
      });
    expect(isLate({ name: "Old" })).toBe(true);
    expect(isLate({}), "it shows what is expected").toBe(false);
    expect(isLate({ name: "Old", phone: "9" })).toBe(false);
    expect(isLate({ name: "Eve" })).toBe(false);
    expect(isLate({ name: "Old" }, {}, { writtenForMs: 60_000 })).toBe(false);
    expect(isLate({ name: "Old" }, { dead: true })).toBe(false);
    expect(isLate({ name: "Old" }, {}, { deleted: true })).toBe(false);
    const times = (known: number, shown: number) =>
      isLate({ name: "Eve" }, { modifiedAt: momentOf(known) }, { modifiedAt: momentOf(shown) });
    expect([times(2, 1), times(1, 2), times(1, 1)], "where both tell a time, that says it").toEqual([
      true,
      false,
      false,
    ]);
  });
});
