/** The end of a cycle, in one transaction: the lease given back, positions reached, and what it did kept. */
import type { CycleProblem, CycleSummary } from "@accord/sync-engine/run";
import type { PoolClient } from "pg";
import { instanceSchema } from "../../../../platform/db/db.ts";
import { quoteIdentifier } from "../../../data/schema/index.ts";

export interface HeldCycle {
  instanceId: string;
  pipelineId: string;
  epoch: number;
  cycleNumber: number;
  versionNumber: number;
}

/** What follows on a cycle. */
export interface AfterCycle {
  dueInMs: number;
  isResync: boolean;
  /** Why the pipeline stops; null while it goes on. */
  error: { message: string; detail: string | null } | null;
  /** It stops for an outage: a cycle now and then finds out whether that is over. */
  isProbing: boolean;
  /** Whether there is anything to report it. */
  isWorthKeeping: boolean;
  /** What earlier cycles said of sources that this one did not read to their end. */
  standing?: readonly CycleProblem[];
}

/** Nothing happens when the lease was lost. */
export async function endCycle(
  client: PoolClient,
  cycle: HeldCycle,
  summary: CycleSummary,
  next: AfterCycle,
): Promise<void> {
  const schema = quoteIdentifier(instanceSchema(cycle.instanceId));
  const ended = await giveBack(client, schema, cycle, summary, next);
  if (ended === null) return;
  for (const position of summary.positions) {
    if (position) await savePosition(client, schema, cycle.pipelineId, position);
  }
  if (!next.isWorthKeeping) return;
  await client.query(
    `INSERT INTO ${schema}.cycle
       (number, pipeline_id, is_resync, version_number, began_at, finished_at, outcome, counts, problems, lag_ms)
     VALUES ($1, $2, $3, $4, $5, now(), $6, $7, $8, $9)`,
    [
      cycle.cycleNumber,
      cycle.pipelineId,
      next.isResync,
      cycle.versionNumber,
      ended.beganAt,
      summary.outcome,
      JSON.stringify(summary.counts),
      JSON.stringify(summary.problems.slice(0, 200)),
      ended.lagMs,
    ],
  );
}

/** As screens read it: with what still stands of the cycles before. */
export const lastCycleOf = (summary: CycleSummary, { standing = [] }: Pick<AfterCycle, "standing">): string =>
  JSON.stringify({ ...summary, problems: [...summary.problems, ...standing], positions: [] });

/** SQL: `cycle` with the warnings of records of the one before it, of one that had nothing to do or did not get that far. */
export const keepingWarnings = (
  cycle: string,
): string => `jsonb_set(${cycle}, '{problems}', (${cycle}->'problems') || coalesce((
  SELECT jsonb_agg(problem) FROM jsonb_path_query(last_cycle,
    '$.problems[*] ? (@.severity == "warning" && exists(@.count) && !exists(@.isOfSource))') AS problem
  WHERE NOT (${cycle}->'problems') @> jsonb_build_array(problem)), '[]'))`;

const WITH_RESYNCED_SOURCES = `(SELECT coalesce(array_agg(DISTINCT node), '{}') FROM unnest(whole_sources ||
  ARRAY(SELECT jsonb_array_elements_text(resync->'nodeIds'))) AS node)`;

/** The resync is the one that the cycle ran: a newer version may have put its own in place meanwhile. */
const IS_OWN = "resync->>'resyncId' = $9";
const IS_OVER = `((${IS_OWN} AND $14) OR ($8 AND resync->>'status' = 'CANCEL_REQUESTED'))`;

/** What was found to be gone and is known as deleted by now is forgotten: should it come back, that is news. */
const forgettingMissing = (schema: string): string => `WITH forgotten AS (
  DELETE FROM ${schema}.missing_record m USING ${schema}.place p
  WHERE p.pipeline_id = $2 AND m.place = p.number AND NOT EXISTS (
    SELECT FROM ${schema}.link l WHERE l.place = m.place AND l.external_id = m.external_id AND NOT l.dead))`;

/** When the cycle began, and how long ago the one before had ended; null when its lease was lost. */
async function giveBack(
  client: PoolClient,
  schema: string,
  { instanceId, pipelineId, epoch }: HeldCycle,
  summary: CycleSummary,
  next: AfterCycle,
): Promise<{ beganAt: string; lagMs: number | null } | null> {
  const { rows } = await client.query(
    `${forgettingMissing(schema)}, before AS (
       SELECT last_finished_at FROM sync_pipeline WHERE instance_id = $1 AND pipeline_id = $2)
     UPDATE sync_pipeline SET owner = NULL, lease_until = NULL, stalled_at = NULL, broken_times = 0,
              broken_since = NULL, activity = 'Waiting', failures = $4,
              due_at = CASE WHEN poked THEN now() ELSE now() + $5 * interval '1 millisecond' END,
              last_cycle = CASE WHEN $12 THEN $6::jsonb ELSE ${keepingWarnings("$6::jsonb")} END, last_finished_at = now(), error = $7::jsonb,
              paused = (paused AND NOT probing) OR $7::jsonb IS NOT NULL, probing = $15 AND (probing OR NOT paused),
              last_cycle_ms = extract(epoch FROM now() - cycle_began_at) * 1000,
              resync = CASE WHEN ${IS_OVER} THEN NULL WHEN ${IS_OWN} THEN resync || jsonb_build_object('finished', $10::jsonb, 'reading', 0, 'recordsRead',
                coalesce((resync->>'recordsRead')::bigint, 0) + $11, 'cursors', (resync->'cursors') || $13::jsonb) ELSE resync END,
              last_resync_at = CASE WHEN ${IS_OVER} THEN now() ELSE last_resync_at END,
              whole_sources = CASE WHEN $14 AND ${IS_OWN} AND resync->>'scope' = 'all' THEN ${WITH_RESYNCED_SOURCES} ELSE whole_sources END
       WHERE instance_id = $1 AND pipeline_id = $2 AND epoch = $3
       RETURNING cycle_began_at, (SELECT round(extract(epoch FROM now() - before.last_finished_at) * 1000)::float8 FROM before) AS lag_ms`,
    [
      instanceId,
      pipelineId,
      epoch,
      JSON.stringify(summary.failures),
      next.dueInMs,
      lastCycleOf(summary, next),
      next.error === null ? null : JSON.stringify(next.error),
      summary.outcome === "cancelled",
      summary.resync?.resyncId ?? null,
      JSON.stringify(summary.resync?.finished ?? []),
      Object.values(summary.counts.read).reduce((sum, count) => sum + count, 0),
      next.isWorthKeeping,
      JSON.stringify(resyncCursors(summary)),
      summary.resync?.done === true,
      next.isProbing,
    ],
  );
  const [row] = rows;
  return row ? { beganAt: row.cycle_began_at, lagMs: row.lag_ms } : null;
}

const resyncCursors = ({ positions }: CycleSummary): { [nodeId: string]: unknown } =>
  Object.fromEntries(
    positions.flatMap((position) => (position?.of === "resync" ? [[position.nodeId, position.cursor]] : [])),
  );

async function savePosition(
  client: PoolClient,
  schema: string,
  pipelineId: string,
  position: NonNullable<CycleSummary["positions"][number]>,
): Promise<void> {
  if (position.of === "resync") return;
  await client.query(
    `INSERT INTO ${schema}.source_position AS p (pipeline_id, node_id, cursor, read_at, through, known_until)
     VALUES ($1, $2, $3, now(), $4, $5)
     ON CONFLICT (pipeline_id, node_id)
     DO UPDATE SET cursor = EXCLUDED.cursor, read_at = now(), through = EXCLUDED.through,
                   known_until = coalesce(EXCLUDED.known_until, p.known_until)`,
    [
      pipelineId,
      position.nodeId,
      JSON.stringify(position.cursor),
      position.isComplete === true,
      position.knownUntil ?? null,
    ],
  );
}
