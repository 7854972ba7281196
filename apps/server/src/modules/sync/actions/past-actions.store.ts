/** Actions as people look back at them: pages of what was performed, or has to be, and what became of it. */
import type { ActionOutcome } from "@accord/sync-engine/actions";
import type { QueryResultRow } from "pg";
import { type BoundedPage, boundedPage, shortMembers, takePage } from "../../../platform/db/bounded-page.ts";
import type { Pool } from "../../../platform/db/db.ts";
import type { ActionState } from "./action-runs.store.ts";

export interface PastAction {
  id: string;
  nodeId: string;
  label: string;
  action: string;
  state: ActionState;
  attempts: number;
  externalId: string | null;
  recordId: string | null;
  createdAt: string;
  endedAt: string | null;
  dismissedAt: string | null;
  outcome: ActionOutcome | null;
}

export interface ActionFilter {
  states: readonly ActionState[];
  nodeId: string | null;
  recordId: string | null;
  /** Actions before this one. */
  before: string | null;
  count: number;
}

const COLUMNS = [
  ...["id", "node_id", "label", "action", "state", "attempts", "external_id", "record_id"],
  ...["created_at", "ended_at", "dismissed_at"],
];

/** The newest first. */
export async function readPastActions(
  pool: Pool,
  { instanceId, pipelineId }: { instanceId: string; pipelineId: string },
  { states, nodeId, recordId, before, count }: ActionFilter,
): Promise<BoundedPage<PastAction>> {
  const picked = `SELECT ${COLUMNS.join(", ")}, outcome FROM sync_action WHERE instance_id = $1 AND pipeline_id = $2
     AND (cardinality($3::text[]) = 0 OR state = ANY ($3)) AND ($4::text IS NULL OR node_id = $4)
     AND ($5::text IS NULL OR id < $5) AND ($7::text IS NULL OR record_id = $7) ORDER BY id DESC LIMIT $6`;
  const large = { outcome: { short: shortMembers("outcome", "jsonb") } };
  const { rows } = await pool.query(boundedPage(picked, { order: "id DESC", columns: COLUMNS, large }), [
    instanceId,
    pipelineId,
    states,
    nodeId,
    before,
    count + 1,
    recordId,
  ]);
  return takePage(rows, count, readRow);
}

const readRow = (row: QueryResultRow): PastAction => ({
  id: row["id"],
  nodeId: row["node_id"],
  label: row["label"],
  action: row["action"],
  state: row["state"],
  attempts: row["attempts"],
  externalId: row["external_id"],
  recordId: row["record_id"],
  createdAt: row["created_at"],
  endedAt: row["ended_at"],
  dismissedAt: row["dismissed_at"],
  outcome: row["outcome"],
});
