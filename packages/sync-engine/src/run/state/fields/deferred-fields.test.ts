/** Writing again without the fields that a record was refused for: what is known of the record says which are missing. */
import { expect, test } from "vitest";
import { DELIVERY_ATTEMPTS, deliveryDelay } from "../../protocol/retry.ts";
import { claimedDelivery, NOW, pendingWriteOf, storedLink, twoSystems } from "../../protocol/fixtures/stored.ts";
import { waitForField, withoutRefused } from "./deferred-fields.ts";
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
