/** A resync is asked for, begun, and called off. */
import type { PoolClient } from "pg";
import { instanceSchema, type Pool } from "../../../../platform/db/db.ts";
import { quoteIdentifier } from "../../../data/schema/index.ts";
import { type PipelineRow, type ResyncRow, SELF } from "./pipeline-rows.store.ts";

export function resyncTurns(
  pool: Pool,
  one: (text: string, values: unknown[]) => Promise<PipelineRow | null>,
  wake: (client: Pool | PoolClient) => Promise<unknown>,
) {
  return {
    /** Null when a resync is under way already. */
    async startResync(instanceId: string, pipelineId: string, resync: ResyncRow): Promise<PipelineRow | null> {
      const row = await one(
        `UPDATE sync_pipeline SET resync = $3, resync_turn = true, due_at = now(), poked = true
         WHERE ${SELF} AND resync IS NULL`,
        [instanceId, pipelineId, JSON.stringify(resync)],
      );
      await wake(pool);
      return row;
    },

    /** One that no worker has begun ends at once; else the worker ends it after its page. */
    async cancelResync(instanceId: string, pipelineId: string): Promise<PipelineRow | null> {
      const row = await one(
        `UPDATE sync_pipeline SET poked = true, due_at = now(),
           resync = CASE WHEN owner IS NULL THEN NULL ELSE jsonb_set(resync, '{status}', '"CANCEL_REQUESTED"') END
         WHERE ${SELF} AND resync IS NOT NULL`,
        [instanceId, pipelineId],
      );
      if (row) await wake(pool);
      return row;
    },

    /** As many records as the places are known to hold will be read again, unless only some are asked for. */
    async beginResync(
      { instanceId, pipelineId, epoch }: Pick<PipelineRow, "instanceId" | "pipelineId" | "epoch">,
      placeIds: readonly number[],
    ): Promise<void> {
      const schema = quoteIdentifier(instanceSchema(instanceId));
      await pool.query(
        `UPDATE sync_pipeline SET resync = resync || jsonb_build_object('status', 'PROCESSING', 'about',
           CASE WHEN resync->>'scope' = 'all' THEN nullif(
             (SELECT count(*) FROM ${schema}.link WHERE place = ANY($4::smallint[]) AND NOT dead), 0) END)
         WHERE ${SELF} AND epoch = $3 AND resync->>'status' = 'NEW'`,
        [instanceId, pipelineId, epoch, placeIds],
      );
    },
  };
}
