/** Charts and numbers of a pipeline's metrics: which belong together, and the cycles that each of them counts. */
import type { Period } from "@accord/contracts/sync/monitoring/page-filters";
import type { MetricHistory, MetricInterval } from "@accord/contracts/sync/monitoring/metrics";

export type Metric = Exclude<keyof MetricInterval, "from">;

/** In milliseconds; null where nothing is known. */
const TIMES = ["averageMs", "longestMs", "lagMs"] as const satisfies readonly Metric[];
export const isTime = (metric: Metric): boolean => TIMES.some((time) => time === metric);

export const CHARTS = {
  throughput: { kind: "COLUMN", metrics: ["read", "changed", "written"] },
  latency: { kind: "LINE", metrics: ["averageMs", "longestMs"] },
  refusals: { kind: "COLUMN", metrics: ["refused", "quarantined", "failedCycles"] },
  lag: { kind: "LINE", metrics: ["lagMs"] },
} as const satisfies Record<string, { kind: "COLUMN" | "LINE"; metrics: readonly Metric[] }>;
export type ChartName = keyof typeof CHARTS;
export const CHART_NAMES: readonly ChartName[] = ["throughput", "latency", "refusals", "lag"];

/** Over all intervals: sums of counts, the average of all cycles, and the longest of times. */
export function totalOf(intervals: readonly MetricInterval[], metric: Metric): number | null {
  if (!isTime(metric)) return intervals.reduce((sum, interval) => sum + (interval[metric] ?? 0), 0);
  const known = intervals.flatMap((interval) => {
    const value = interval[metric];
    return value === null ? [] : [{ value, cycles: interval.cycles }];
  });
  if (known.length === 0) return null;
  if (metric !== "averageMs") return Math.max(...known.map(({ value }) => value));
  const cycles = known.reduce((sum, one) => sum + one.cycles, 0);
  return known.reduce((sum, one) => sum + one.value * one.cycles, 0) / cycles;
}

/** The times that the log is narrowed to, both ends included, for the cycles of an interval; of all without one. */
export function spanOf(
  { from, to, intervalSeconds }: Pick<MetricHistory, "from" | "to" | "intervalSeconds">,
  interval?: Pick<MetricInterval, "from">,
): { from: string; to: string } {
  const start = interval?.from ?? from;
  const end = interval ? Date.parse(interval.from) + intervalSeconds * 1_000 : Date.parse(to);
  return { from: start, to: new Date(end - 1).toISOString() };
}

/** What an interval is called on an axis: each of a period otherwise. */
export function intervalNames(intervals: readonly Pick<MetricInterval, "from">[], period: Period): string[] {
  const time: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" };
  const format = new Intl.DateTimeFormat(
    undefined,
    period === "7d" ? { ...time, month: "short", day: "numeric" } : time,
  );
  const seen = new Map<string, number>();
  return intervals.map(({ from }) => {
    const name = format.format(new Date(from));
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    // An hour that comes twice, when clocks are put back.
    return times === 0 ? name : `${name} (${times + 1})`;
  });
}

export const inSeconds = (ms: number): number => Math.round(ms / 10) / 100;
