/** Use case of a pipeline's metrics over time: every interval of a period, those without cycles included. */
import type { Period } from "@accord/contracts/sync/monitoring/page-filters";
import type { MetricHistory } from "@accord/contracts/sync/monitoring/metrics";
import type { Caller } from "../../../../../platform/ctx.ts";
import type { Pool } from "../../../../../platform/db/db.ts";
import { demandPipeline, type EntityId, type ServiceContext } from "../../published-pipelines.ts";
import { metricHistoryOf } from "./metric-history.store.ts";

/** A minute, a quarter of an hour, two hours. */
const SPANS: Record<Period, { seconds: number; intervals: number }> = {
  "1h": { seconds: 60, intervals: 60 },
  "24h": { seconds: 900, intervals: 96 },
  "7d": { seconds: 7_200, intervals: 84 },
};

const EMPTY = {
  cycles: 0,
  failedCycles: 0,
  read: 0,
  changed: 0,
  written: 0,
  refused: 0,
  quarantined: 0,
  averageMs: null,
  longestMs: null,
  lagMs: null,
};

export function metricHistory(parts: Pick<ServiceContext, "deps" | "needs" | "schedule"> & { metricReads: Pool }) {
  return {
    async metricHistory({ instanceId }: Caller, entityId: EntityId, period: Period): Promise<MetricHistory> {
      await demandPipeline(parts, instanceId, entityId);
      const { seconds, intervals } = SPANS[period];
      const span = { seconds, intervals, now: parts.deps.clock.now() };
      const stored = await metricHistoryOf(parts.metricReads, { instanceId, pipelineId: entityId }, span);
      const timeOf = (index: number): string => new Date(stored.from + index * seconds * 1_000).toISOString();
      const byIndex = new Map(stored.intervals.map(({ index, ...sums }) => [index, sums]));
      return {
        entityId,
        period,
        from: timeOf(0),
        to: timeOf(intervals),
        intervalSeconds: seconds,
        intervals: Array.from({ length: intervals }, (_, index) => ({
          from: timeOf(index),
          ...(byIndex.get(index) ?? EMPTY),
        })),
        keptSince: stored.keptSince,
        countedSince: stored.countedSince,
      };
    },
  };
}
