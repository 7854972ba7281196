/** Core entities by the small number that stands for them in an instance's ledger. */
import type { PoolClient } from "pg";

/**
 * Numbers an entity when it has no number yet. `schema`: quoted. Asked at each edit: an insert that finds its row there
 * would use up one of the few numbers each time.
 */
export async function numberEntity(client: PoolClient, schema: string, pipelineId: string): Promise<number> {
  const known = await numberOf(client, schema, pipelineId);
  if (known !== null) return known;
  await client.query(`INSERT INTO ${schema}.sync_entity (pipeline_id) VALUES ($1) ON CONFLICT DO NOTHING`, [
    pipelineId,
  ]);
  const given = await numberOf(client, schema, pipelineId);
  if (given === null) throw new Error(`Entity ${pipelineId} has no number`);
  return given;
}

async function numberOf(client: PoolClient, schema: string, pipelineId: string): Promise<number | null> {
  const { rows } = await client.query(`SELECT number FROM ${schema}.sync_entity WHERE pipeline_id = $1`, [pipelineId]);
  return rows[0]?.number ?? null;
}
