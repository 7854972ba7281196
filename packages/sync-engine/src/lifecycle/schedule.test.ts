/** When sources have their turn: intervals, cron, and the two nights a year when clocks change. */
import type { SourceSchedule } from "@accord/contracts/sync/schedules";
import { expect, test } from "vitest";
import { nextRunAt, scheduleProblem } from "./schedule.ts";

const after = (schedule: SourceSchedule, from: string, count = 1): string[] => {
  const turns: string[] = [];
  let at = Date.parse(from);
  for (let index = 0; index < count; index += 1) {
    at = nextRunAt(schedule, at);
    turns.push(new Date(at).toISOString().replace(".000", ""));
  }
  return turns;
};
const cron = (expression: string, timeZone = "UTC"): SourceSchedule => ({ kind: "cron", expression, timeZone });

test("intervals count from the last reading; a month ends where it ends", () => {
  expect(after({ kind: "minute" }, "2026-03-01T10:00:30Z")).toEqual(["2026-03-01T10:01:30Z"]);
  expect(after({ kind: "interval", every: 15, unit: "minutes" }, "2026-03-01T10:00:00Z")).toEqual([
    "2026-03-01T10:15:00Z",
  ]);
  expect(after({ kind: "interval", every: 2, unit: "days" }, "2026-02-27T10:00:00Z")).toEqual(["2026-03-01T10:00:00Z"]);
  expect(after({ kind: "interval", every: 1, unit: "months" }, "2026-01-31T08:00:00Z")).toEqual([
    "2026-02-28T08:00:00Z",
  ]);
  expect(after({ kind: "interval", every: 13, unit: "months" }, "2023-01-31T08:00:00Z")).toEqual([
    "2024-02-29T08:00:00Z",
  ]);
});

test("cron with seconds, lists, ranges, steps and names", () => {
  expect(after(cron("*/20 * * * * *"), "2026-03-01T10:00:05Z", 3)).toEqual([
    "2026-03-01T10:00:20Z",
    "2026-03-01T10:00:40Z",
    "2026-03-01T10:01:00Z",
  ]);
  expect(after(cron("0 30 9-10 * * MON-FRI"), "2026-02-27T10:00:00Z", 3)).toEqual([
    "2026-02-27T10:30:00Z",
    "2026-03-02T09:30:00Z",
    "2026-03-02T10:30:00Z",
  ]);
  expect(after(cron("15,45 3 * JUN ?"), "2026-03-01T10:00:00Z", 2)).toEqual([
    "2026-06-01T03:15:00Z",
    "2026-06-01T03:45:00Z",
  ]);
  expect(after(cron("0 0 29 2 *"), "2096-03-01T00:00:00Z")).toEqual(["2104-02-29T00:00:00Z"]);
});

test("a day of the month and a day of the week: either is enough", () => {
  expect(after(cron("0 0 0 13 * FRI"), "2026-03-01T00:00:00Z", 3)).toEqual([
    "2026-03-06T00:00:00Z",
    "2026-03-13T00:00:00Z",
    "2026-03-20T00:00:00Z",
  ]);
  expect(after(cron("0 0 0 * * 7"), "2026-03-02T00:00:00Z")).toEqual(["2026-03-08T00:00:00Z"]);
});

test("the last day of a month, and the second Friday", () => {
  expect(after(cron("0 0 0 L * *"), "2026-02-01T00:00:00Z", 2)).toEqual([
    "2026-02-28T00:00:00Z",
    "2026-03-31T00:00:00Z",
  ]);
  expect(after(cron("0 0 0 * * FRI#2"), "2026-03-01T00:00:00Z")).toEqual(["2026-03-13T00:00:00Z"]);
});

test("a time that the clocks skip in spring comes right after the change, once", () => {
  const nightly = cron("0 30 2 * * *", "Europe/Berlin");
  expect(after(nightly, "2026-03-28T00:00:00Z", 3)).toEqual([
    "2026-03-28T01:30:00Z",
    "2026-03-29T01:00:00Z",
    "2026-03-30T00:30:00Z",
  ]);
});

test("a time that the clocks repeat in autumn counts once", () => {
  const nightly = cron("0 30 2 * * *", "Europe/Berlin");
  expect(after(nightly, "2026-10-24T12:00:00Z", 2)).toEqual(["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]);
  expect(after(cron("0 0 3 * * *", "Europe/Berlin"), "2026-10-24T12:00:00Z")).toEqual(["2026-10-25T02:00:00Z"]);
});

test("a schedule of every hour runs in each real hour, changes of clocks or not", () => {
  const hourly = cron("0 30 * * * *", "Europe/Berlin");
  for (const from of ["2026-10-24T23:00:00Z", "2026-03-28T23:00:00Z"]) {
    const turns = after(hourly, from, 5).map((at) => Date.parse(at));
    expect(turns.slice(1).map((at, index) => at - turns[index]!)).toEqual([3.6e6, 3.6e6, 3.6e6, 3.6e6]);
  }
});

test("[F8] a zone that moves its clocks by half an hour, and one west of Greenwich", () => {
  expect(after(cron("0 15 2 * * *", "Australia/Lord_Howe"), "2026-10-03T00:00:00Z", 2)).toEqual([
    "2026-10-03T15:30:00Z",
    "2026-10-04T15:15:00Z",
  ]);
  expect(after(cron("0 0 0 1 * *", "America/New_York"), "2026-10-31T12:00:00Z", 2)).toEqual([
    "2026-11-01T04:00:00Z",
    "2026-12-01T05:00:00Z",
  ]);
});

test("an expression that can't be meant is refused with the field and the fault", () => {
  const fault = (expression: string, zone?: string): string | null => scheduleProblem(cron(expression, zone));
  expect(fault("* * * *")).toContain("6 fields");
  expect(fault("60 * * * * *")).toMatch(/^seconds: "60" is none of /);
  expect(fault("0 0 25 * * *")).toMatch(/^hours: "25" is none of /);
  expect(fault("0 10-5 * * * *")).toMatch(/^minutes: "10-5" is none of /);
  expect(fault("0 */0 * * * *")).toMatch(/^minutes: "\*\/0" is none of /);
  expect(fault("0 0 0 30 FEB *")).toBe("names a day that none of its months has");
  expect(fault("0 0 0 soon * *")).toContain("day of the month");
  expect(fault("0 5/10 * * * *")).toBeNull();
  expect(fault("0 0 0 * * *", "Mars/Olympus")).toContain("no time zone");
  expect(fault("0 0 0 * * *", "Asia/Kolkata")).toBeNull();
});
