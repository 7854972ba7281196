/** Actions written down: begun once for each key, claimed when due, and what became of them. */
import type { Id } from "@accord/contracts";
import type { ActionCall, ActionEnd, ActionOutcome } from "@accord/sync-engine/actions";
import type { PoolClient, QueryResultRow } from "pg";
import type { Pool } from "../../../platform/db/db.ts";
import type { StoredCall, StoredWork } from "./sealed-work.ts";

type InstanceId = Id<"instance">;

export type ActionState = "DUE" | "BEGUN" | "DONE" | "FAILED" | "UNKNOWN";

export interface ActionRun {
  id: string;
  instanceId: InstanceId;
  pipelineId: string;
  versionNumber: number;
  nodeId: string;
  label: string;
  action: string;
  key: string | null;
  externalId: string | null;
  recordId: string | null;
  work: ActionCall["work"];
  state: ActionState;
  attempts: number;
  /** Somebody may still be at it. */
  isHeld: boolean;
  createdAt: string;
  endedAt: string | null;
  dismissedAt: string | null;
  outcome: ActionOutcome | null;
}

const COLUMNS = `id, instance_id, pipeline_id, version_number, node_id, label, action, key, external_id, record_id, work,
  state, attempts, coalesce(held_until > now(), false) AS held, created_at, ended_at, dismissed_at, outcome`;

/** As it was written down: `openedRun` gives its work. */
export type StoredRun = Omit<ActionRun, "work"> & { work: StoredWork };

const asRun = (row: QueryResultRow): StoredRun => ({
  id: row["id"],
  instanceId: row["instance_id"],
  pipelineId: row["pipeline_id"],
  versionNumber: row["version_number"],
  nodeId: row["node_id"],
  label: row["label"],
  action: row["action"],
  key: row["key"],
  externalId: row["external_id"],
  recordId: row["record_id"],
  work: row["work"],
  state: row["state"],
  attempts: row["attempts"],
  isHeld: row["held"],
  createdAt: row["created_at"],
  endedAt: row["ended_at"],
  dismissedAt: row["dismissed_at"],
  outcome: row["outcome"],
});

/** How long a worker has for one action; then somebody else may take it up. */
export const HOLD_MS = 180_000;
const HOLD = `${HOLD_MS} milliseconds`;

export interface ActionPipeline {
  instanceId: string;
  pipelineId: string;
  versionNumber: number;
}

/** Where the links of a page's records stand. */
export interface PageLinks {
  /** The links' table, quoted. */
  table: string;
  placeId: number;
}

/**
 * Writes actions down. One whose key is there already is not written again. `begun`: the caller performs them itself;
 * else they wait until they are claimed. Keyless ones belong to a page that commits with them: its links tell which
 * records they are about.
 */
export async function insertActions(
  db: Pool | PoolClient,
  pipeline: ActionPipeline,
  calls: readonly { id: string; call: StoredCall; key: string | null }[],
  { begun, links }: { begun: boolean; links: PageLinks | null },
): Promise<void> {
  if (calls.length === 0) return;
  await db.query(
    `INSERT INTO sync_action (id, instance_id, pipeline_id, version_number, node_id, label, action, key, external_id,
       record_id, work, state, attempts, held_until, awaited)
     SELECT w.id, $1, $2, $3, w.node_id, w.label, w.action, w.key, w.external_id, ${links ? recordOf("w", links) : "w.record_id"}, w.work,
       ${begun ? "'BEGUN'" : "'DUE'"}, ${begun ? 1 : 0}, ${begun ? `now() + interval '${HOLD}'` : "NULL"}, ${begun}
     FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::jsonb[])
       AS w(id, node_id, label, action, key, external_id, record_id, work)
     ON CONFLICT (instance_id, pipeline_id, key) WHERE key IS NOT NULL DO NOTHING`,
    [
      pipeline.instanceId,
      pipeline.pipelineId,
      pipeline.versionNumber,
      calls.map(({ id }) => id),
      calls.map(({ call }) => call.nodeId),
      calls.map(({ call }) => call.label),
      calls.map(({ call }) => call.action),
      calls.map(({ key }) => key),
      calls.map(({ call }) => call.externalId),
      calls.map(({ call }) => call.recordId),
      calls.map(({ call }) => JSON.stringify(call.work)),
    ],
  );
}

/** This coming of their records is over: when they come again they are acted on again. */
export async function endOccurrences(
  db: Pool | PoolClient,
  { instanceId, pipelineId }: ActionPipeline,
  { keys, links }: { keys: readonly string[]; links: PageLinks },
): Promise<void> {
  if (keys.length === 0) return;
  await db.query(
    `UPDATE sync_action a SET key = NULL, record_id = ${recordOf("a", links)}
     WHERE instance_id = $1 AND pipeline_id = $2 AND key = ANY ($3)`,
    [instanceId, pipelineId, keys],
  );
}

/** On the way to the core a new record has no id yet; its link does, once the page is written. */
const recordOf = (row: string, { table, placeId }: PageLinks): string =>
  `coalesce(${row}.record_id, (SELECT l.record_id FROM ${table} l
     WHERE l.place = ${Number(placeId)} AND l.external_id = ${row}.external_id))`;

export async function readByKeys(
  pool: Pool,
  { instanceId, pipelineId }: ActionPipeline,
  keys: readonly string[],
): Promise<StoredRun[]> {
  const { rows } = await pool.query(
    `SELECT ${COLUMNS} FROM sync_action WHERE instance_id = $1 AND pipeline_id = $2 AND key = ANY ($3)`,
    [instanceId, pipelineId, keys],
  );
  return rows.map(asRun);
}

/** Takes up again what somebody began and left; false when another one was faster. */
export async function reclaim(pool: Pool, run: Pick<ActionRun, "id" | "attempts">): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE sync_action SET attempts = attempts + 1, held_until = now() + interval '${HOLD}'
     WHERE id = $1 AND attempts = $2 AND state = 'BEGUN' AND held_until <= now()`,
    [run.id, run.attempts],
  );
  return rowCount === 1;
}

const IS_DUE = `((a.state = 'DUE' AND a.due_at <= now())
              OR (a.state = 'BEGUN' AND (a.key IS NULL OR NOT a.awaited) AND a.held_until <= now()))`;

/** Instances in which something may be due. */
export async function dueInstances(pool: Pool): Promise<ActionRun["instanceId"][]> {
  const { rows } = await pool.query(
    `SELECT DISTINCT a.instance_id FROM sync_action a WHERE a.state IN ('DUE', 'BEGUN') AND ${IS_DUE}`,
  );
  return rows.map((row) => row.instance_id);
}

/**
 * Begins what is due in an instance, at most `limit`. Actions of one record follow each other: a later one waits
 * for the earlier ones of its pipeline and record, but not for one whose page went away while it was performed.
 */
export async function claimDue(pool: Pool, instanceId: string, limit: number): Promise<StoredRun[]> {
  const { rows } = await pool.query(
    `WITH due AS (
       SELECT a.id, a.state AS before FROM sync_action a
       WHERE a.instance_id = $2 AND a.state IN ('DUE', 'BEGUN') AND ${IS_DUE}
         AND NOT EXISTS (
           SELECT 1 FROM sync_action e
           WHERE e.state IN ('DUE', 'BEGUN') AND NOT (e.awaited AND e.held_until <= now()) AND e.instance_id = a.instance_id AND e.pipeline_id = a.pipeline_id
             AND coalesce(e.external_id, e.record_id) = coalesce(a.external_id, a.record_id) AND e.id < a.id)
       ORDER BY a.due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     UPDATE sync_action SET state = 'BEGUN', attempts = attempts + 1, held_until = now() + interval '${HOLD}'
     FROM due WHERE sync_action.id = due.id
     RETURNING ${COLUMNS.replace("id,", "sync_action.id,")}, due.before`,
    [limit, instanceId],
  );
  return rows.map((row) => ({ ...asRun(row), isHeld: row.before === "BEGUN" }));
}

/**
 * How it ended; `again` in so many milliseconds instead when it is worth another try. A success settles what failed
 * before at the same node for the same record.
 */
export async function settleAction(
  pool: Pool,
  run: Pick<ActionRun, "id" | "attempts" | "instanceId" | "pipelineId" | "nodeId" | "externalId" | "recordId">,
  end: ActionEnd,
): Promise<void> {
  const isOver = end.state !== "DUE";
  await pool.query(
    `UPDATE sync_action SET state = $3, outcome = $4, held_until = NULL,
       due_at = now() + $5 * interval '1 millisecond', ended_at = ${isOver ? "now()" : "NULL"}
     WHERE id = $1 AND attempts = $2 AND state = 'BEGUN'`,
    [run.id, run.attempts, end.state, JSON.stringify(end.outcome), end.state === "DUE" ? end.inMs : 0],
  );
  if (end.state !== "DONE") return;
  await pool.query(
    `UPDATE sync_action SET dismissed_at = now()
     WHERE instance_id = $1 AND pipeline_id = $2 AND node_id = $3 AND id <> $4
       AND state IN ('FAILED', 'UNKNOWN') AND dismissed_at IS NULL AND (record_id = $5 OR external_id = $6)`,
    [run.instanceId, run.pipelineId, run.nodeId, run.id, run.recordId, run.externalId],
  );
}

/** Ends what a page had begun a day ago without ever coming back for it. */
export async function endAbandoned(pool: Pool, outcome: ActionOutcome): Promise<void> {
  await pool.query(
    `UPDATE sync_action SET state = 'UNKNOWN', outcome = $1, held_until = NULL, ended_at = now()
     WHERE awaited AND state = 'BEGUN' AND held_until < now() - interval '1 day'`,
    [JSON.stringify(outcome)],
  );
}

/** Forgets what ended long ago, and everything of a key that can't come again. Answers how many. */
export async function forgetOld(pool: Pool, days: number): Promise<number> {
  const { rowCount } = await pool.query("DELETE FROM sync_action WHERE ended_at < now() - $1 * interval '1 day'", [
    days,
  ]);
  return rowCount ?? 0;
}
