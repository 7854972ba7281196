/** When a failing system is asked again by itself, as its pipeline's health says it. */
import { expect, test } from "vitest";
import { nextTryAt } from "./pipeline-health.ts";

const NOW = Date.parse("2026-01-01T10:00:00.000Z");
const MINUTE = 60_000;
const at = (more: { isPaused?: boolean; isProbing?: boolean; dueIn?: number; waitsFor?: number }) => {
  const { isPaused = false, isProbing = false, dueIn = 0, waitsFor = 0 } = more;
  const dueAt = new Date(NOW + dueIn).toISOString();
  const next = nextTryAt({ isPaused, isProbing, dueAt }, NOW + waitsFor, NOW);
  return next === undefined ? undefined : next - NOW;
};

test("it is asked once its wait is over and a cycle is due", () => {
  expect(at({ dueIn: MINUTE, waitsFor: 4 * MINUTE }), "cycles before leave it alone").toBe(4 * MINUTE);
  expect(at({ dueIn: 5 * MINUTE, waitsFor: MINUTE }), "no cycle before").toBe(5 * MINUTE);
});

test("nothing is said while it is due, or being asked", () => {
  expect(at({ dueIn: -MINUTE, waitsFor: -1 })).toBeUndefined();
});

test("a pipeline that a person paused asks nothing; one stopped by an outage looks after it", () => {
  expect(at({ isPaused: true, dueIn: MINUTE })).toBeUndefined();
  expect(at({ isPaused: true, isProbing: true, dueIn: 15 * MINUTE })).toBe(15 * MINUTE);
});
