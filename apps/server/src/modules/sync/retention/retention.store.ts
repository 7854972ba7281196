/** Deletes what happened long ago from an instance, a bounded batch at a time. Answers how many rows went. */
import type { Id } from "@accord/contracts";
import type { PoolClient } from "pg";
import { instanceSchema, type Pool } from "../../../platform/db/db.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { quoteIdentifier } from "../../data/schema/index.ts";

type InstanceId = Id<"instance">;

/** Rows of one batch. */
export const MAX_ROWS = 1_000;
/** In milliseconds. A batch that takes longer is given up: smaller ones come with less load. */
const MAX_BATCH_MS = 10_000;
/** The newest cycles of a pipeline, which stay however old they are. */
const CYCLES_KEPT = 50;

/** One transaction that may neither take long nor keep others waiting for a lock. */
export const batch = <Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> =>
  transaction(pool, async ({ client }) => {
    await client.query(`SET LOCAL statement_timeout = ${MAX_BATCH_MS}; SET LOCAL lock_timeout = 1000`);
    return work(client);
  });

export function retentionStore(pool: Pool) {
  const tableOf = (at: InstanceId, name: string): string => `${quoteIdentifier(instanceSchema(at))}.${name}`;
  const run = (sql: string, values: unknown[]): Promise<number> =>
    batch(pool, async (client) => (await client.query(sql, values)).rowCount ?? 0);

  return {
    /** Connectors that have, or had, an address for posts. */
    async webhooks(at: InstanceId): Promise<string[]> {
      const { rows } = await pool.query("SELECT connector_id FROM webhook_endpoint WHERE instance_id = $1", [at]);
      return rows.map((row) => row.connector_id);
    },

    /** Positions of the sources of an instance's pipelines, by pipeline and node. */
    async positions(at: InstanceId): Promise<{ pipelineId: string; nodeId: string; cursor: unknown }[]> {
      const { rows } = await pool.query(`SELECT pipeline_id, node_id, cursor FROM ${tableOf(at, "source_position")}`);
      return rows.map((row) => ({ pipelineId: row.pipeline_id, nodeId: row.node_id, cursor: row.cursor }));
    },

    /** Posts up to a number that came more than `days` ago, and wait for no answer. */
    deletePosts(at: InstanceId, connectorId: string, { days, upTo }: { days: number; upTo: number }): Promise<number> {
      const table = tableOf(at, "webhook_message");
      return run(
        `DELETE FROM ${table} WHERE number IN (SELECT number FROM ${table} WHERE connector_id = $1 AND number <= $2
           AND received_at < now() - $3 * interval '1 day' AND (held_until IS NULL OR held_until < now())
         ORDER BY received_at LIMIT $4)`,
        [connectorId, upTo, days, MAX_ROWS],
      );
    },

    /** Refused posts of all webhooks that came more than `days` ago. */
    deleteRefusals(at: InstanceId, days: number): Promise<number> {
      const table = tableOf(at, "webhook_refusal");
      return run(
        `DELETE FROM ${table} WHERE number IN (
           SELECT number FROM ${table} WHERE at < now() - $1 * interval '1 day' ORDER BY at LIMIT $2)`,
        [days, MAX_ROWS],
      );
    },

    /** Everything of a webhook that was deleted: posts first, its address with the last of them. */
    deleteWebhook(at: InstanceId, connectorId: string): Promise<number> {
      return batch(pool, async (client) => {
        const table = tableOf(at, "webhook_message");
        const { rowCount } = await client.query(
          `DELETE FROM ${table} WHERE number IN (SELECT number FROM ${table} WHERE connector_id = $1 ORDER BY number LIMIT $2)`,
          [connectorId, MAX_ROWS],
        );
        if (rowCount === MAX_ROWS) return MAX_ROWS;
        for (const name of ["webhook_refusal", "webhook_refusal_cut"])
          await client.query(`DELETE FROM ${tableOf(at, name)} WHERE connector_id = $1`, [connectorId]);
        await client.query(
          `WITH gone AS (DELETE FROM webhook_endpoint WHERE instance_id = $1 AND connector_id = $2 RETURNING address)
           DELETE FROM webhook_rate WHERE address IN (SELECT address FROM gone)`,
          [at, connectorId],
        );
        return rowCount ?? 0;
      });
    },

    /** Cycles that ended more than `days` ago, but for the newest of each pipeline. */
    deleteCycles(at: InstanceId, days: number): Promise<number> {
      const table = tableOf(at, "cycle");
      return run(
        `DELETE FROM ${table} WHERE number IN (
           SELECT old.number FROM sync_pipeline p CROSS JOIN LATERAL (
             SELECT number FROM ${table} c WHERE c.pipeline_id = p.pipeline_id AND finished_at < now() - $2 * interval '1 day'
               AND number < (SELECT number FROM ${table} WHERE pipeline_id = p.pipeline_id
                             ORDER BY number DESC OFFSET ${CYCLES_KEPT - 1} LIMIT 1)
             ORDER BY finished_at LIMIT $3
           ) old WHERE p.instance_id = $1 LIMIT $3)`,
        [at, days, MAX_ROWS],
      );
    },

    /** Quarantined records that were resolved more than `days` ago. */
    deleteResolved(at: InstanceId, days: number): Promise<number> {
      const table = tableOf(at, "quarantine");
      return run(
        `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table}
           WHERE status = 'RESOLVED' AND resolved_at < now() - $1 * interval '1 day' ORDER BY resolved_at LIMIT $2)`,
        [days, MAX_ROWS],
      );
    },
  };
}

export type RetentionStore = ReturnType<typeof retentionStore>;
