/** Writing again without the fields that a record was refused for: what is known of the record says which are missing. */
import type { WriteOutcome } from "@accord/connector-sdk";
import { expect, test } from "vitest";
import { DELIVERY_ATTEMPTS, deliveryDelay } from "../../protocol/retry.ts";
import { claimedDelivery, NOW, pendingWriteOf, storedLink, twoSystems } from "../../protocol/fixtures/stored.ts";
import { refusedFields, waitForField, withoutRefused } from "./deferred-fields.ts";
import { isMissingUnsure, partAt, seenFingerprint } from "../fingerprint.ts";

const { source, sink } = twoSystems();
const { readFields } = sink.place;

/** The record was last read with these fields; the system refuses those named. */
function refusedFor(read: Record<string, string | null>, ...fields: string[]) {
  const seen = seenFingerprint(source.program, readFields, read);
  const delivery = claimedDelivery({ link: storedLink({ seen }) });
  return withoutRefused(sink, pendingWriteOf("update", { delivery }), fields, NOW);
}

test("a field that the record was read without is known to be missing, unsure whether it holds what was written", () => {
  const { result, nextAt, link } = refusedFor({ email: "ada@example.com", name: "Ada" }, "phone");
  expect([result, nextAt]).toEqual(["again", NOW]);
  expect(isMissingUnsure(partAt(link?.seen ?? "", readFields.indexOf("phone")))).toBe(true);
});

test("a field that the record shows leaves what is known of it as it was: nothing of it was written", () => {
  expect(refusedFor({ email: "ada@example.com", name: "Ada", phone: "1", note: null }, "phone").link).toBeNull();
});

test("each of the fields may be the one that is missing, the first as well", () => {
  for (const field of readFields) {
    const read = Object.fromEntries(readFields.filter((one) => one !== field).map((one) => [one, "x"]));
    const { link } = refusedFor(read, field);
    const unsure = readFields.filter((_, index) => isMissingUnsure(partAt(link?.seen ?? "", index)));
    expect(unsure).toEqual([field]);
    const values = Object.fromEntries(readFields.map((one) => [one, "new"]));
    const delivery = claimedDelivery({ link: storedLink({ seen: seenFingerprint(source.program, readFields, read) }) });
    const outcome = { status: "rejected", code: "refused", message: "" } as const;
    expect(refusedFields(sink, pendingWriteOf("update", { delivery, values }), outcome)).toEqual([field]);
  }
});

test("a record is refused for the field that its system names, where that was written; else for what it lacks", () => {
  const delivery = claimedDelivery({
    link: storedLink({ seen: seenFingerprint(source.program, readFields, { name: "Ada" }) }),
  });
  const refusedBy = (outcome: WriteOutcome) =>
    refusedFields(sink, pendingWriteOf("update", { delivery, values: { name: "Eve", phone: "2" } }), outcome);
  const rejected = { status: "rejected", code: "unknown_field", message: "" } as const;
  expect(refusedBy({ ...rejected, field: "name" })).toEqual(["name"]);
  expect([refusedBy({ ...rejected, field: "note" }), refusedBy(rejected)]).toEqual([["phone"], ["phone"]]);
  expect(refusedBy({ ...rejected, code: "too_long", field: "name" })).toEqual(["phone"]);
  expect(refusedBy({ status: "unknown", message: "" }), "it was not refused").toEqual([]);
});

test("what waits for a field is tried again, and an attempt before it stays in doubt", () => {
  const unanswered = { intent: "create" as const, written: ["attempt"] };
  expect(waitForField(claimedDelivery({ unanswered }), NOW)).toMatchObject({ result: "again", answered: false });
  expect(waitForField(claimedDelivery(), NOW)).toMatchObject({ result: "again", answered: true });
});

test("it is tried less and less often, then every quarter of an hour, and never given up", () => {
  let attempts = 0;
  const waits = Array.from({ length: DELIVERY_ATTEMPTS + 2 }, () => {
    const next = waitForField(claimedDelivery({ attempts }), NOW);
    expect(next.result).toBe("again");
    attempts = next.attempts;
    return next.nextAt - NOW;
  });
  const growing = Array.from({ length: DELIVERY_ATTEMPTS - 1 }, (_, attempt) => deliveryDelay(attempt));
  const quarter = 15 * 60_000;
  expect(waits).toEqual([...growing, quarter, quarter, quarter]);
});
