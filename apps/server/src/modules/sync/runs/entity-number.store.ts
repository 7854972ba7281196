/** Core entities by the small number that stands for them in an instance's ledger. */
import type { PoolClient } from "pg";

/** Numbers an entity when it has no number yet. `schema`: quoted. */
export async function numberEntity(client: PoolClient, schema: string, pipelineId: string): Promise<number> {
  await client.query(`INSERT INTO ${schema}.sync_entity (pipeline_id) VALUES ($1) ON CONFLICT DO NOTHING`, [
    pipelineId,
  ]);
  const { rows } = await client.query(`SELECT number FROM ${schema}.sync_entity WHERE pipeline_id = $1`, [pipelineId]);
  return rows[0].number;
}
