/** How custom actions ended the last time, by the nodes that perform them. */
import type { Id } from "@accord/contracts";
import type { LastActionResult } from "@accord/contracts/sync/custom-action-checks";
import type { Pool } from "../../../../platform/db/db.ts";

type ActionId = Id<"customAction">;

/** So many of a pipeline's latest actions are looked through. */
const MAX_EXAMINED = 1_000;

/** The pool has to be the one for reads. An action whose nodes performed nothing of late is absent. */
export async function readLastResults(
  pool: Pool,
  instanceId: Id<"instance">,
  nodes: readonly { actionId: ActionId; entityId: Id<"entity">; nodeId: string }[],
): Promise<Map<ActionId, LastActionResult>> {
  if (nodes.length === 0) return new Map();
  const { rows } = await pool.query(
    `SELECT DISTINCT ON (n.action_id) n.action_id, n.pipeline_id, a.state, a.ended_at, a.outcome->>'message' AS message
     FROM unnest($2::text[], $3::text[], $4::text[]) AS n(action_id, pipeline_id, node_id)
     CROSS JOIN LATERAL (
       SELECT * FROM (
         SELECT id, node_id, action, state, ended_at, outcome, work FROM sync_action
         WHERE instance_id = $1 AND pipeline_id = n.pipeline_id ORDER BY id DESC LIMIT ${MAX_EXAMINED}
       ) AS latest
       WHERE node_id = n.node_id AND action = 'customAction' AND ended_at IS NOT NULL
         -- The node may have performed another action before; of sealed work that is not known.
         AND coalesce(work->>'actionId', n.action_id) = n.action_id
       ORDER BY id DESC LIMIT 1
     ) AS a
     ORDER BY n.action_id, a.ended_at DESC`,
    [
      instanceId,
      nodes.map(({ actionId }) => actionId),
      nodes.map(({ entityId }) => entityId),
      nodes.map(({ nodeId }) => nodeId),
    ],
  );
  return new Map(
    rows.map((row) => [
      row["action_id"],
      { state: row["state"], endedAt: row["ended_at"], message: row["message"], entityId: row["pipeline_id"] },
    ]),
  );
}
