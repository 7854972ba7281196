/** Ends the run of a pipeline whose records a person changes behind its back: its epoch is over, and the next looks anew. */
import type { PoolClient } from "pg";

/** The lease's time stays as it is: until then the run may still be sending. */
export async function fenceRun(client: PoolClient, instanceId: string, pipelineId: string): Promise<void> {
  await client.query(
    `UPDATE sync_pipeline SET epoch = epoch + 1, poked = true, due_at = now()
     WHERE instance_id = $1 AND pipeline_id = $2`,
    [instanceId, pipelineId],
  );
}
