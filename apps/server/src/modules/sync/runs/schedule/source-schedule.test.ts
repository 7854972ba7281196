/** Sources by their own schedules, in one pipeline. */
import type { SourceSchedule } from "@accord/contracts/sync/schedules";
import { expect, test } from "vitest";
import { type ScheduleContext, dueAgain, isDue, nextTurnIn } from "./source-schedule.ts";

const NOON = Date.parse("2026-05-04T12:00:00Z");
const MINUTE = 60_000;
const turns: ScheduleContext = {
  positions: new Map(),
  now: NOON,
  publishedAt: NOON - 600 * MINUTE,
  wasRequested: false,
  isReadAll: false,
};
const source = (schedule: SourceSchedule, isAlsoSink = false) => ({ nodeId: schedule.kind, schedule, isAlsoSink });
type Source = ReturnType<typeof source>;
const ago = (minutes: number) => ({ cursor: null, isComplete: true, ageMs: minutes * MINUTE });
const due = (one: Source, minutes: number, more: Partial<ScheduleContext> = {}): boolean =>
  isDue(one, { ...turns, positions: new Map([[one.nodeId, ago(minutes)]]), ...more });

const live = source({ kind: "minute" });
const hourly = source({ kind: "interval", every: 1, unit: "hours" });
const nightly = source({ kind: "cron", expression: "0 0 3 * * *", timeZone: "UTC" });

test("each source has its turn by its own schedule", () => {
  expect(due(live, 1)).toBe(true);
  expect(due(live, 0.5)).toBe(false);
  expect(due(hourly, 59)).toBe(false);
  expect(due(hourly, 60)).toBe(true);
  expect(due(nightly, 8 * 60)).toBe(false);
  expect(due(nightly, 10 * 60)).toBe(true);
});

test("a change by hand doesn't drag sources with a timetable along, a person's run does", () => {
  const all = [live, hourly, nightly];
  expect(all.map((one) => due(one, 0, { wasRequested: true }))).toEqual([true, false, false]);
  expect(all.map((one) => due(one, 0, { wasRequested: true, isReadAll: true }))).toEqual([true, true, true]);
  expect(due({ ...nightly, isAlsoSink: true }, 0, { wasRequested: true })).toBe(true);
});

test("before its first reading a source is read at once, one by cron at its first time after publishing", () => {
  expect(isDue(hourly, turns)).toBe(true);
  expect(isDue(nightly, turns)).toBe(true);
  expect(isDue(nightly, { ...turns, publishedAt: NOON - MINUTE })).toBe(false);
});

test("[F1] a reading that broke off goes on at once, whatever its timetable says", () => {
  for (const one of [live, hourly, nightly]) {
    const positions = new Map([[one.nodeId, { ...ago(0), isComplete: false }]]);
    expect(isDue(one, { ...turns, positions })).toBe(true);
  }
});

test("the next cycle is due when the first source is", () => {
  const positions = new Map([
    ["minute", ago(2)],
    ["interval", ago(59.5)],
    ["cron", ago(60)],
  ]);
  const sources = [live, hourly, nightly];
  expect(nextTurnIn(sources, { ...turns, positions }, NOON + 1000)).toBe(0.5 * MINUTE - 1000);
  expect(nextTurnIn([live, nightly], { ...turns, positions }, NOON + 1000)).toBe(MINUTE);
  expect(nextTurnIn([nightly], { ...turns, positions }, NOON)).toBe(15 * 60 * MINUTE);
});

test("while a cycle goes on, sources come again by their schedule or when somebody asks, but not those being read", () => {
  const all = [live, hourly, nightly];
  const again = (isRequested: boolean, minutes: number, state: "done" | "open" | "failed" = "done"): string[] => {
    const progress = [live, hourly].map(({ nodeId }) => ({ nodeId, state, readAt: NOON - minutes * MINUTE }));
    return dueAgain(all, progress, { now: NOON, isRequested });
  };
  expect(again(false, 0.5)).toEqual([]);
  expect(again(false, 1)).toEqual(["minute"]);
  expect(again(false, 60)).toEqual(["minute", "interval"]);
  expect(again(true, 0.5)).toEqual(["minute"]);
  expect(again(true, 60, "open")).toEqual([]);
  expect(again(true, 60, "failed")).toEqual([]);
  // One that had no turn in this cycle is read when somebody asks.
  expect(dueAgain([live], [], { now: NOON, isRequested: true })).toEqual(["minute"]);
  expect(dueAgain([live], [], { now: NOON, isRequested: false })).toEqual([]);
});
