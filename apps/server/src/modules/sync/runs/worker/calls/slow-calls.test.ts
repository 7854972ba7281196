/** Which systems count as holding a cycle up: those that have answered nothing for ten seconds, however often they were asked. */
import { expect, test } from "vitest";
import { SLOW_CALL_MS, SlowCalls } from "./slow-calls.ts";

function watched() {
  const clock = { now: 1_000 };
  const calls = new SlowCalls(() => clock.now);
  const after = (ms: number) => {
    clock.now += ms;
    return calls.heldUp();
  };
  return { calls, after };
}

test("a call under way is named after ten seconds, and no more once it is answered", () => {
  const { calls, after } = watched();
  const over = calls.begin("crm");
  expect(after(SLOW_CALL_MS - 1)).toEqual([]);
  expect(after(1)).toEqual([{ connectorId: "crm", isLimited: false, since: 1_000 }]);
  over(true);
  expect(after(60_000)).toEqual([]);
});

test("a system that fails and is asked again has been silent since the first of these calls", () => {
  const { calls, after } = watched();
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const over = calls.begin("crm");
    after(3_000);
    over(false);
  }
  expect(after(0)).toEqual([{ connectorId: "crm", isLimited: false, since: 1_000 }]);
  calls.begin("crm")(true);
  expect(after(60_000)).toEqual([]);
});

test("short pauses that a system asks for one after the other are one", () => {
  const { calls, after } = watched();
  for (const pause of [1_000, 2_000, 4_000, 8_000]) {
    calls.wait("crm", true);
    expect(calls.isWaiting).toBe(true);
    after(pause);
    calls.wait("crm", false);
    calls.begin("crm")(false);
  }
  expect(after(0)).toEqual([{ connectorId: "crm", isLimited: true, since: 1_000 }]);
  expect(calls.isWaiting).toBe(false);
});

test("the answer to one call says nothing of another one that is still under way, nor of another system", () => {
  const { calls, after } = watched();
  calls.begin("crm");
  after(500);
  const later = calls.begin("crm");
  calls.begin("billing")(true);
  later(true);
  expect(after(SLOW_CALL_MS)).toEqual([{ connectorId: "crm", isLimited: false, since: 1_000 }]);
});

test("a wait for a limit is over with any answer, whoever had asked", () => {
  const { calls, after } = watched();
  calls.wait("crm", true);
  calls.wait("crm", false);
  calls.answered("crm");
  expect(after(60_000)).toEqual([]);
});

test("a change of what is written down is noted once, and by what was written", () => {
  const { calls, after } = watched();
  const over = calls.begin("crm");
  const before = calls.heldUp();
  const now = after(SLOW_CALL_MS);
  expect(calls.noteWritten(before), "it became slow while that was on its way").toBe(false);
  expect(calls.noteWritten(now)).toBe(true);
  expect(calls.noteWritten(calls.heldUp())).toBe(false);
  over(true);
  expect(calls.noteWritten(calls.heldUp())).toBe(true);
});
