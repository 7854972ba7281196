/** Sums over a pipeline's cycles. */
import { instanceSchema, type Pool } from "../../../../../platform/db/db.ts";
import { quoteIdentifier } from "../../../../data/schema/index.ts";

export interface CycleSums {
  since: string;
  cycles: number;
  resyncs: number;
  failedCycles: number;
  averageCycleMs: number | null;
  created: number;
  updated: number;
  deleted: number;
  refused: number;
  quarantined: number;
  /** By source node. */
  read: ReadonlyMap<string, number>;
  /** By place number. */
  delivered: ReadonlyMap<number, number>;
}

export async function cycleSums(pool: Pool, instanceId: string, pipelineId: string, days: number): Promise<CycleSums> {
  const cycle = `${quoteIdentifier(instanceSchema(instanceId))}.cycle`;
  const recent = "pipeline_id = $1 AND finished_at >= now() - $2 * interval '1 day'";
  const sumOf = (name: string): string => `coalesce(sum((counts->>'${name}')::bigint), 0)::float8 AS ${name}`;
  const { rows } = await pool.query(
    `SELECT now() - $2 * interval '1 day' AS since, count(*)::int AS cycles,
            count(*) FILTER (WHERE is_resync)::int AS resyncs,
            count(*) FILTER (WHERE outcome = 'failed')::int AS failed,
            (avg(extract(epoch FROM finished_at - began_at)) * 1000)::float8 AS average_ms,
            ${["created", "updated", "deleted", "refused", "quarantined"].map(sumOf).join(", ")}
     FROM ${cycle} WHERE ${recent}`,
    [pipelineId, days],
  );
  const { rows: parts } = await pool.query(
    `SELECT side, part.key, sum(part.value::bigint)::float8 AS count
     FROM ${cycle} CROSS JOIN unnest(ARRAY['read', 'delivered']) AS side CROSS JOIN jsonb_each_text(counts->side) AS part
     WHERE ${recent} GROUP BY 1, 2`,
    [pipelineId, days],
  );
  const of = (side: string): [string, number][] =>
    parts.filter((row) => row.side === side).map((row) => [row.key, row.count]);
  const [sums] = rows;
  return {
    since: sums.since,
    cycles: sums.cycles,
    resyncs: sums.resyncs,
    failedCycles: sums.failed,
    averageCycleMs: sums.average_ms,
    created: sums.created,
    updated: sums.updated,
    deleted: sums.deleted,
    refused: sums.refused,
    quarantined: sums.quarantined,
    read: new Map(of("read")),
    delivered: new Map(of("delivered").map(([place, count]) => [Number(place), count])),
  };
}
