/** Cycles that are asked for: of one pipeline, with every source read, or of all that wait for a system. */
import type { PoolClient } from "pg";
import { instanceSchema, type Pool } from "../../../../platform/db/db.ts";
import { quoteIdentifier } from "../../../data/schema/index.ts";
import { SELF } from "./pipeline-rows.store.ts";

/** Wakes workers in every process. */
export const WAKE_CHANNEL = "accord_sync";

/** Every source is read, whatever its schedule, and every system that failed is asked again. */
const NOW_AND_ALL = "poked = true, read_all = true, due_at = now()";

export function cycleRequests(pool: Pool, wake: (client: Pool) => Promise<unknown>) {
  return {
    /** Asks for a cycle now; one under way is followed by another. */
    async requestCycle(instanceId: string, pipelineId: string, client: Pool | PoolClient = pool): Promise<void> {
      await client.query(
        `WITH poked AS (UPDATE sync_pipeline SET poked = true, due_at = least(due_at, now()) WHERE ${SELF})
         SELECT pg_notify('${WAKE_CHANNEL}', '')`,
        [instanceId, pipelineId],
      );
    },

    /** A cycle now that reads every source, whatever its schedule. */
    async runNow(instanceId: string, pipelineId: string): Promise<void> {
      await pool.query(`UPDATE sync_pipeline SET ${NOW_AND_ALL} WHERE ${SELF}`, [instanceId, pipelineId]);
      await wake(pool);
    },

    /** A cycle now of each pipeline that waits because this connector's system failed: it asks the system again. */
    async retrySystem(instanceId: string, connectorId: string): Promise<void> {
      const { rowCount } = await pool.query(
        `UPDATE sync_pipeline s SET ${NOW_AND_ALL}
         WHERE instance_id = $1 AND EXISTS (
           SELECT FROM ${quoteIdentifier(instanceSchema(instanceId))}.place p
           WHERE p.pipeline_id = s.pipeline_id AND p.connector_id = $2 AND s.failures ? p.number::text)`,
        [instanceId, connectorId],
      );
      if (rowCount) await wake(pool);
    },
  };
}
