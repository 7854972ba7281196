/** When a worker may no longer send: by whichever clock says that more time has passed. */
import { expect, test } from "vitest";
import type { Clock } from "./clock.ts";
import { LeaseDeadline, LeaseEndedError, readClocks } from "./lease-deadline.ts";

const LEASE_MS = 30_000;

function clocks(): Clock & { monotonic: number; wall: number } {
  return {
    monotonic: 1_000,
    wall: 1_700_000_000_000,
    now() {
      return new Date(this.wall);
    },
    monotonicMs() {
      return this.monotonic;
    },
  };
}

test("a lease is good until shortly before its end", () => {
  const clock = clocks();
  const deadline = new LeaseDeadline(clock, LEASE_MS, readClocks(clock));
  clock.monotonic += 24_000;
  clock.wall += 24_000;
  expect(() => deadline.assertMaySend()).not.toThrow();
  clock.monotonic += 2_000;
  clock.wall += 2_000;
  expect(() => deadline.assertMaySend()).toThrow(LeaseEndedError);
});

test("a machine that slept while its steady clock stood still has lost its lease", () => {
  const clock = clocks();
  const deadline = new LeaseDeadline(clock, LEASE_MS, readClocks(clock));
  clock.wall += 70_000;
  expect(() => deadline.assertMaySend()).toThrow(LeaseEndedError);
  expect(deadline.signal.aborted).toBe(true);
});

test("a clock that is set back makes no lease longer", () => {
  const clock = clocks();
  const deadline = new LeaseDeadline(clock, LEASE_MS, readClocks(clock));
  clock.wall -= 3_600_000;
  clock.monotonic += 26_000;
  expect(() => deadline.assertMaySend()).toThrow(LeaseEndedError);
});

test("a renewal counts from when it was asked for, and comes too late once the lease was over", () => {
  const clock = clocks();
  const deadline = new LeaseDeadline(clock, LEASE_MS, readClocks(clock));
  const pass = (milliseconds: number): void => {
    clock.monotonic += milliseconds;
    clock.wall += milliseconds;
  };
  pass(10_000);
  const askedAt = readClocks(clock);
  pass(10_000);
  deadline.renewed(askedAt);
  pass(14_000);
  expect(() => deadline.assertMaySend()).not.toThrow();
  pass(2_000);
  // Nobody has looked at the deadline since it passed.
  deadline.renewed(readClocks(clock));
  expect(() => deadline.assertMaySend()).toThrow(LeaseEndedError);
});
