/** Where a run of the tests stands, and when it is given up. */
import { expect, test } from "vitest";
import { Progress } from "./progress.ts";

const limits = { stalled: 12 * 60_000, whole: 70 * 60_000 };
const minutes = (count: number): number => count * 60_000;

test("says what has ended and what runs, the longest first", () => {
  const progress = new Progress(0, 3, limits);
  progress.fileBegan("a.test.ts", 0);
  progress.testEnded(false, 1000);
  progress.testEnded(true, 2000);
  progress.fileEnded("a.test.ts", 2000);
  progress.fileBegan("b.test.ts", minutes(1));
  progress.fileBegan("c.test.ts", minutes(2) - 30_000);
  expect(progress.line(minutes(2))).toBe(
    "2 min: 1 of 3 files, 1 tests passed, 1 failed; running: b.test.ts (60 s), c.test.ts (30 s)",
  );
  expect(progress.running()).toEqual(["b.test.ts", "c.test.ts"]);
});

test("a file that never ends is given up, and so is a run that goes on for too long", () => {
  const progress = new Progress(0, 2, limits);
  progress.fileBegan("a.test.ts", 0);
  expect(progress.overdue(minutes(12))).toBeUndefined();
  expect(progress.overdue(minutes(12) + 1)).toBe("No test has ended for 12 minutes.");
  progress.testEnded(false, minutes(12));
  expect(progress.overdue(minutes(24))).toBeUndefined();
  for (let minute = 12; minute <= 70; minute += 1) progress.testEnded(false, minutes(minute));
  expect(progress.overdue(minutes(70))).toBeUndefined();
  expect(progress.overdue(minutes(70) + 1)).toBe("The tests took more than 70 minutes.");
});
