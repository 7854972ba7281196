/** The states of an alert: one notice for each crossing, one for each row of failures. */
import { expect, test } from "vitest";
import { type Evaluation, stepOf } from "./alert-state.ts";
import type { Latch } from "./alerts.store.ts";

const value = { value: 1, text: "1", mark: "" };
const ENDS: Readonly<Record<string, Evaluation>> = {
  ok: { state: "OK", value },
  crossed: { state: "CROSSED", value },
  empty: { state: "NO_VALUE" },
  failed: { state: "FAILED", problem: "It failed." },
};

function notices(...ends: readonly Evaluation[]): (string | null)[] {
  let at: { latch: Latch; failures: number } = { latch: "UNKNOWN", failures: 0 };
  return ends.map((end) => {
    const { notice, ...next } = stepOf(at, end);
    at = next;
    return notice;
  });
}
const { ok, crossed, empty, failed } = ENDS;

test("each crossing is notified once, the first of all among them", () => {
  expect(notices(crossed!, crossed!, ok!, crossed!, crossed!)).toEqual(["crossed", null, null, "crossed", null]);
  expect(notices(ok!, crossed!, ok!)).toEqual([null, "crossed", null]);
});

test("failures and empty values between two values above the limit are no crossing", () => {
  expect(notices(crossed!, failed!, crossed!, empty!, crossed!)).toEqual(["crossed", null, null, null, null]);
});

test("the third failure in a row is notified, no other one, and the next row anew", () => {
  expect(notices(failed!, failed!, failed!, failed!, ok!, failed!, failed!, empty!, failed!)).toEqual([
    ...[null, null, "failing", null],
    ...[null, null, null, null, null],
  ]);
  expect(notices(failed!, failed!, failed!, ok!, failed!, failed!, failed!).filter(Boolean)).toHaveLength(2);
});
