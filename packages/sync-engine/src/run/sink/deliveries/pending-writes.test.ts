/** What is written down before a write, and what connectors get: keys of attempts, and what must stand there still. */
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { describe, expect, test } from "vitest";
import { replaceFields } from "../../state/fingerprint.ts";
import { intentOf, operationOf, type PendingWrite } from "./pending-writes.ts";
import type { SinkPlan } from "../../plan/plan.ts";
import { DELIVERY_ATTEMPTS } from "../../protocol/retry.ts";
import {
  claimedDelivery,
  NOW,
  pendingWriteOf,
  storedLink,
  storedRecord,
  twoSystems,
} from "../../protocol/fixtures/stored.ts";
import type { ClaimedDelivery } from "../../protocol/storage.ts";

const { sink } = twoSystems({ lagMs: 4_999 });
const unread: SinkPlan = { ...sink, place: { ...sink.place, readFields: [], shared: [] } };
const doubt = (...written: string[]) => ({ intent: "update" as const, written });
const update = (more: Partial<ClaimedDelivery> = {}, pendingWrite: Partial<PendingWrite> = {}): PendingWrite =>
  pendingWriteOf("update", { delivery: claimedDelivery(more), ...pendingWrite });

/** In place of the program of an attempt begun then: seconds in base 36. */
const BEGUN = `0${(NOW / 1_000).toString(36).padStart(7, "0")}`;

describe("an intent", () => {
  test("names the record and the reason, and how long nobody may try again", () => {
    expect(intentOf(sink, update({}, { written: "--------wwwwwwww" }), NOW)).toEqual({
      holdMs: 5_000,
      adopts: null,
      recordId: "r1",
      wanted: 7,
      intent: "update",
      written: [`${BEGUN}wwwwwwww`],
    });
    expect(intentOf(sink, pendingWriteOf("create"), NOW)).toMatchObject({ adopts: null, intent: "create" });
    expect(intentOf(sink, pendingWriteOf("delete"), NOW)).toMatchObject({ adopts: null, intent: "delete" });
  });

  test("to write to a record that was only found takes it, and counts as its creation", () => {
    for (const link of [null, storedLink({ dead: true })])
      expect(intentOf(unread, update({ link }, { externalId: "A7" }), NOW)).toMatchObject({
        adopts: "A7",
        intent: "create",
      });
  });

  test("remembers the latest attempts without an answer, as many as there may be", () => {
    expect(intentOf(sink, update({ unanswered: doubt("a", "b") }, {}), NOW).written).toEqual(["a", "b", BEGUN]);
    const many = Array.from({ length: DELIVERY_ATTEMPTS }, (_, index) => `${index}`);
    expect(intentOf(sink, update({ unanswered: doubt(...many) }), NOW).written).toEqual([...many.slice(1), BEGUN]);
  });
});

describe("an operation", () => {
  test("creates where nothing is known to be there, under one key for each external record that was lost", () => {
    expect(operationOf(sink, pendingWriteOf("create"))).toEqual({
      kind: "create",
      values: { name: "Ada" },
      idempotencyKey: `${sink.place.id}-r1-create-`,
    });
    const again = pendingWriteOf("create", { delivery: claimedDelivery({ link: storedLink({ dead: true }) }) });
    expect(operationOf(sink, again)).toMatchObject({ idempotencyKey: `${sink.place.id}-r1-create-A1` });
    const third = pendingWriteOf("create", { delivery: claimedDelivery({ link: null, takenTimes: 2 }) });
    expect(operationOf(sink, third), "answered with others' records").toMatchObject({
      idempotencyKey: `${sink.place.id}-r1-create--2`,
    });
    expect(operationOf(sink, update({}, { externalId: null }))).toMatchObject({ kind: "create" });
  });

  test("updates or deletes by id", () => {
    expect(operationOf(sink, update())).toMatchObject({ kind: "update", id: "A1", values: { name: "Ada" } });
    const deletion = operationOf(sink, pendingWriteOf("delete", { values: {} }));
    expect(deletion).toMatchObject({ kind: "delete", id: "A1" });
    expect(deletion).not.toHaveProperty("values");
  });

  test("has the same key for each attempt at the same thing, and another for any other", () => {
    const keyOf = (pendingWrite: PendingWrite, at = sink) => operationOf(at, pendingWrite).idempotencyKey;
    const others = [
      update({ wanted: 8 }),
      update({ record: storedRecord({ version: 4 }) }),
      update({ recordId: "r2" }),
      update({}, { written: "x" }),
      update({ link: storedLink({ seen: "s" }) }),
      update({ link: storedLink({ lastWritten: "t" }) }),
      update({ link: storedLink({ modifiedAt: "2026" }) }),
      update({ unanswered: doubt("") }),
      update({ unanswered: doubt("", "") }),
      pendingWriteOf("delete"),
    ];
    const keys = [update(), ...others].map((pendingWrite) => keyOf(pendingWrite));
    expect(new Set(keys).size).toBe(keys.length);
    expect(keyOf(update())).toBe(keyOf(update({ attempts: 3, dueForMs: 9 })));
    // Nobody reads there: what was in doubt is still the same thing.
    expect(keyOf(update({ unanswered: doubt("") }), unread)).toBe(keyOf(update(), unread));
  });
});

describe("a write goes ahead", () => {
  const known = replaceFields(
    null,
    sink.place.readFields.length,
    new Map([[sink.place.readFields.indexOf("name"), hashValue("Eve")]]),
  );
  const seen = { link: storedLink({ seen: known }) };
  const expectedOf = (pendingWrite: PendingWrite, at = sink) => {
    const operation = operationOf(at, pendingWrite);
    return "expected" in operation ? operation.expected : null;
  };
  const EMPTY = hashValue(null);

  test("while the fields that it writes hold what was seen; what was never seen has to be empty", () => {
    expect(expectedOf(update(seen))).toEqual({ name: hashValue("Eve") });
    expect(expectedOf(update(seen, { values: { name: "Ada", phone: "1" } }))).toEqual({
      name: hashValue("Eve"),
      phone: EMPTY,
    });
    expect(expectedOf(update())).toEqual({ name: EMPTY });
    expect(expectedOf(update({ link: null }))).toEqual({ name: EMPTY });
  });

  test("of a deletion, while all that is read there holds it", () => {
    const all = Object.fromEntries(sink.place.readFields.map((field) => [field, EMPTY]));
    expect(expectedOf(pendingWriteOf("delete", { delivery: claimedDelivery(seen), values: {} }))).toEqual({
      ...all,
      name: hashValue("Eve"),
    });
  });

  test("whatever stands there, where nobody reads; and a creation asks for nothing", () => {
    expect(operationOf(unread, update(seen))).not.toHaveProperty("expected");
    expect(operationOf(sink, pendingWriteOf("create"))).not.toHaveProperty("expected");
  });
});
