/** Sums over a pipeline's cycles, interval by interval, of the newest ones up to a limit. */
import { MAX_METRIC_CYCLES } from "@accord/contracts/sync/monitoring/metrics";
import { instanceSchema, type Pool } from "../../../../../platform/db/db.ts";
import { quoteIdentifier } from "../../../../data/schema/index.ts";

/** Sums of one interval; those without cycles are left out. */
export interface StoredInterval {
  /** Counted from the first of the period. */
  index: number;
  cycles: number;
  failedCycles: number;
  read: number;
  changed: number;
  written: number;
  refused: number;
  quarantined: number;
  averageMs: number;
  longestMs: number;
  lagMs: number | null;
}

export interface StoredHistory {
  /** Milliseconds: where the period begins, at a whole interval. */
  from: number;
  intervals: StoredInterval[];
  keptSince: string | null;
  countedSince: string | null;
}

/** `limit`: cycles that are counted. The last interval is the one that `now` is in. */
export async function metricHistoryOf(
  pool: Pool,
  { instanceId, pipelineId }: { instanceId: string; pipelineId: string },
  { seconds, intervals, now }: { seconds: number; intervals: number; now: Date },
  limit = MAX_METRIC_CYCLES,
): Promise<StoredHistory> {
  const cycle = `${quoteIdentifier(instanceSchema(instanceId))}.cycle`;
  const sumOf = (side: string): string =>
    `(SELECT coalesce(sum(value::bigint), 0) FROM jsonb_each_text(counts->'${side}'))`;
  const countOf = (name: string): string => `coalesce((counts->>'${name}')::bigint, 0)`;
  const { rows } = await pool.query(
    `WITH span AS (
       SELECT to_timestamp((floor(extract(epoch FROM $5::timestamptz) / $2) - $3 + 1) * $2) AS from_at
     ), counted AS MATERIALIZED (
       SELECT began_at, finished_at, outcome, counts, lag_ms FROM ${cycle}, span
       WHERE pipeline_id = $1 AND finished_at >= from_at AND finished_at < from_at + $2 * $3 * interval '1 second'
       ORDER BY finished_at DESC LIMIT $4
     ), sums AS (
       SELECT floor(extract(epoch FROM finished_at - from_at) / $2)::int AS index, count(*)::int AS cycles,
         (count(*) FILTER (WHERE outcome IN ('failed', 'lost')))::int AS failed,
         sum(${sumOf("read")})::float8 AS read, sum(${sumOf("delivered")})::float8 AS written,
         sum(${["created", "updated", "deleted"].map(countOf).join(" + ")})::float8 AS changed,
         sum(${countOf("refused")})::float8 AS refused, sum(${countOf("quarantined")})::float8 AS quarantined,
         (avg(extract(epoch FROM finished_at - began_at)) * 1000)::float8 AS average_ms,
         (max(extract(epoch FROM finished_at - began_at)) * 1000)::float8 AS longest_ms, max(lag_ms)::float8 AS lag_ms
       FROM counted, span GROUP BY 1
     )
     SELECT (extract(epoch FROM from_at) * 1000)::float8 AS from_ms,
       (SELECT min(finished_at) FROM ${cycle} WHERE pipeline_id = $1) AS kept_since,
       CASE WHEN (SELECT count(*) FROM counted) = $4 THEN (SELECT min(finished_at) FROM counted) END AS counted_since,
       sums.*
     FROM span LEFT JOIN sums ON true ORDER BY index`,
    [pipelineId, seconds, intervals, limit, now],
  );
  const [first] = rows;
  return {
    from: first.from_ms,
    keptSince: first.kept_since,
    countedSince: first.counted_since,
    intervals: rows
      .filter(({ index }) => index !== null)
      .map((row) => ({
        index: row.index,
        cycles: row.cycles,
        failedCycles: row.failed,
        read: row.read,
        changed: row.changed,
        written: row.written,
        refused: row.refused,
        quarantined: row.quarantined,
        averageMs: row.average_ms,
        longestMs: row.longest_ms,
        lagMs: row.lag_ms,
      })),
  };
}
