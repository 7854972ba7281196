/** Everything sync knows about one core entity, deleted with it: links, ledger, deliveries, cursors, quarantine. */
import type { Id } from "@accord/contracts";
import { instanceSchema, type Client, type Pool } from "../../../../platform/db/db.ts";
import { transaction } from "../../../../platform/db/transaction.ts";

/** Tables are found by their columns, so that one made later is not forgotten here. */
export async function deletePipelineData(pool: Pool, at: Id<"instance">, pipelineId: Id<"entity">): Promise<void> {
  const schema = instanceSchema(at);
  await transaction(pool, async ({ client }) => {
    const withPlace = await tablesWith(client, schema, "place");
    const withPipeline = await tablesWith(client, schema, "pipeline_id");
    for (const table of withPlace)
      await client.query(
        `DELETE FROM "${schema}"."${table}" WHERE place IN (SELECT number FROM "${schema}".place WHERE pipeline_id = $1)`,
        [pipelineId],
      );
    await client.query(
      `DELETE FROM "${schema}".ledger WHERE entity IN (SELECT number FROM "${schema}".sync_entity WHERE pipeline_id = $1)`,
      [pipelineId],
    );
    for (const table of withPipeline)
      await client.query(`DELETE FROM "${schema}"."${table}" WHERE pipeline_id = $1`, [pipelineId]);
    for (const table of await tablesWith(client, "public", "pipeline_id"))
      await client.query(`DELETE FROM public."${table}" WHERE instance_id = $1 AND pipeline_id = $2`, [at, pipelineId]);
  });
}

/** Partitions are left to the table they are a part of. */
async function tablesWith(client: Client, schema: string, column: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND a.attname = $2 AND NOT a.attisdropped AND c.relname <> 'ledger'
     ORDER BY c.relname`,
    [`"${schema}"`, column],
  );
  return rows.map(({ name }) => name);
}
