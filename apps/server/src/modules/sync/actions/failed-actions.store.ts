/** Actions that failed and stay in sight: counted by pipeline, performed again or let go by people. */
import type { Id } from "@accord/contracts";
import type { RunProblem } from "@accord/contracts/sync/monitoring/runs";
import type { Pool } from "../../../platform/db/db.ts";

const FAILED = "state IN ('FAILED', 'UNKNOWN') AND dismissed_at IS NULL";

/** By pipeline, the most affected records first; the detail names one of them. */
export async function readActionProblems(pool: Pool, at: Id<"instance">): Promise<Map<string, RunProblem[]>> {
  const { rows } = await pool.query(
    `SELECT pipeline_id, node_id, coalesce(outcome->>'code', 'action_failed') AS code,
       label || ': ' || coalesce(outcome->>'message', 'The action failed.') AS message,
       min(coalesce(external_id, record_id, '')) AS detail, count(*)::int AS count
     FROM sync_action WHERE instance_id = $1 AND ${FAILED}
     GROUP BY 1, 2, 3, 4 ORDER BY count(*) DESC, 4 LIMIT 500`,
    [at],
  );
  const problems = new Map<string, RunProblem[]>();
  for (const { pipeline_id: pipelineId, node_id: nodeId, code, message, detail, count } of rows) {
    const own = problems.get(pipelineId) ?? [];
    own.push({ nodeId, targetId: null, code, errorMessage: message, errorDetail: detail, count });
    problems.set(pipelineId, own);
  }
  return problems;
}

interface Chosen {
  instanceId: string;
  pipelineId: string;
  /** null: all failed ones. */
  ids: readonly string[] | null;
}

const CHOSEN = `instance_id = $1 AND pipeline_id = $2 AND ($3::text[] IS NULL OR id = ANY ($3)) AND ${FAILED}`;

/** They are due at once and have all their tries again. Answers how many. */
export async function repeatFailed(pool: Pool, { instanceId, pipelineId, ids }: Chosen): Promise<number> {
  const { rowCount } = await pool.query(
    `UPDATE sync_action SET state = 'DUE', due_at = now(), attempts = 0, ended_at = NULL, key = NULL, held_until = NULL
     WHERE ${CHOSEN}`,
    [instanceId, pipelineId, ids],
  );
  return rowCount ?? 0;
}

export async function dismissFailed(pool: Pool, { instanceId, pipelineId, ids }: Chosen): Promise<number> {
  const { rowCount } = await pool.query(`UPDATE sync_action SET dismissed_at = now() WHERE ${CHOSEN}`, [
    instanceId,
    pipelineId,
    ids,
  ]);
  return rowCount ?? 0;
}

/** Whether all of these are actions of the pipeline, in whatever state. */
export async function hasActions(pool: Pool, { instanceId, pipelineId, ids }: Chosen): Promise<boolean> {
  if (ids === null) return true;
  const { rows } = await pool.query(
    "SELECT count(*)::int AS count FROM sync_action WHERE instance_id = $1 AND pipeline_id = $2 AND id = ANY ($3)",
    [instanceId, pipelineId, ids],
  );
  return rows[0].count === new Set(ids).size;
}
