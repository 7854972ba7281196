/** Numbers of a pipeline's metrics, and the cycles behind them. */
import type { MetricInterval } from "@accord/contracts/sync/monitoring/metrics";
import { expect, test } from "vitest";
import { intervalNames, spanOf, totalOf } from "./metrics.model.ts";

const EMPTY: MetricInterval = {
  from: "2026-03-10T10:00:00.000Z",
  ...{ cycles: 0, failedCycles: 0, read: 0, changed: 0, written: 0, refused: 0, quarantined: 0 },
  ...{ averageMs: null, longestMs: null, lagMs: null },
};
const intervals: MetricInterval[] = [
  EMPTY,
  { ...EMPTY, from: "2026-03-10T10:15:00.000Z", cycles: 3, read: 4, averageMs: 100, longestMs: 200, lagMs: 5 },
  { ...EMPTY, from: "2026-03-10T10:30:00.000Z", cycles: 1, read: 1, averageMs: 500, longestMs: 500, lagMs: null },
];

test("counts of a period are sums, its average is that of all cycles, and of other times the longest counts", () => {
  expect(totalOf(intervals, "read")).toBe(5);
  expect(totalOf(intervals, "averageMs")).toBe(200);
  expect([totalOf(intervals, "longestMs"), totalOf(intervals, "lagMs")]).toEqual([500, 5]);
  expect([totalOf([EMPTY], "averageMs"), totalOf([EMPTY], "cycles")]).toEqual([null, 0]);
});

test("a number leads to the cycles of its interval, and of no other", () => {
  const history = { from: intervals[0]!.from, to: "2026-03-10T10:45:00.000Z", intervalSeconds: 900 };
  expect(spanOf(history, intervals[1])).toEqual({ from: intervals[1]?.from, to: "2026-03-10T10:29:59.999Z" });
  expect(spanOf(history)).toEqual({ from: history.from, to: "2026-03-10T10:44:59.999Z" });
});

test("each interval of a period has a name of its own", () => {
  const twice = [...intervals, { from: "2026-03-11T10:15:00.000Z" }];
  expect(new Set(intervalNames(twice, "24h")).size).toBe(4);
  expect(new Set(intervalNames(twice, "7d")).size).toBe(4);
});
