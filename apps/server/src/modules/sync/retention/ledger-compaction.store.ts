/**
 * Compacts the old end of an instance's ledger. Of entries older than the time they are kept for stays what still held at
 * the end of that time: the newest of each field and the newest that says whether the record lives; and the newest write
 * to a place that can't take values of its record up to now. So who set a present value is known for ever, and a record as
 * of any later time is whole.
 */
import type { Id } from "@accord/contracts";
import type { PoolClient } from "pg";
import { instanceSchema, type Pool } from "../../../platform/db/db.ts";
import { withClient } from "../../../platform/db/transaction.ts";
import { quoteIdentifier } from "../../data/schema/index.ts";
import { isStillUnfit, LIFE_OPERATIONS } from "../runs/index.ts";
import { batch, MAX_ROWS } from "./retention.store.ts";

/** Entries that stay are looked at again only so often. */
const PASS_EVERY = "interval '1 day'";
/** Months that hold less are not worth being rewritten. */
export const MIN_REWRITTEN_BYTES = 8_000_000;

const LIFE = `('${LIFE_OPERATIONS.join("', '")}')`;

/** Whether a later entry that is old too (`n`) has what makes the old entry (`g`) worth keeping. */
const noLater = (ledger: string, condition: string): string =>
  `NOT EXISTS (SELECT FROM ${ledger} n WHERE n.record_id = g.record_id AND n.number > g.number AND n.at < $1 AND ${condition})`;

const isNeeded = (ledger: string, schema: string): string =>
  `(g.operation IN ${LIFE} AND ${noLater(ledger, `n.operation IN ${LIFE}`)})
   OR (g.operation <> 'write' AND EXISTS (SELECT FROM json_object_keys(g.changes) AS field
       WHERE ${noLater(ledger, "n.operation <> 'write' AND n.changes -> field IS NOT NULL")}))
   OR (g.operation = 'write' AND g.refused IS NOT NULL AND ${isStillUnfit(schema)})`;

/**
 * Looks at the next entries older than `days`. Answers whether there are more in this pass; false as well while another
 * server is at it, and until the next pass is due.
 */
export async function compactLedger(pool: Pool, instanceId: Id<"instance">, days: number): Promise<boolean> {
  const schema = quoteIdentifier(instanceSchema(instanceId));
  const state = await batch(pool, (client) => compactNext(client, schema, days));
  if (state !== "ended") return state === "more";
  await shrinkMonths(pool, instanceId, days);
  return false;
}

async function compactNext(client: PoolClient, schema: string, days: number): Promise<"more" | "ended" | "idle"> {
  const ledger = `${schema}.ledger`;
  const { rows: turns } = await client.query<{ position: string; since: string }>(
    `SELECT position, now() - $1 * interval '1 day' AS since FROM ${schema}.ledger_compaction
     WHERE finished_at IS NULL OR finished_at < now() - ${PASS_EVERY} FOR UPDATE SKIP LOCKED`,
    [days],
  );
  const turn = turns[0];
  if (!turn) return "idle";
  const { rows } = await client.query<{ last: string | null; count: number }>(
    `SELECT max(number) AS last, count(*)::int AS count FROM (
       SELECT number FROM ${ledger} WHERE at < $1 AND number > $2 ORDER BY number LIMIT $3) page`,
    [turn.since, turn.position, MAX_ROWS],
  );
  const { last = null, count = 0 } = rows[0] ?? {};
  if (last !== null)
    await client.query(
      `DELETE FROM ${ledger} g WHERE g.at < $1 AND g.number > $2 AND g.number <= $3 AND NOT (${isNeeded(ledger, schema)})`,
      [turn.since, turn.position, last],
    );
  const isEnd = count < MAX_ROWS;
  await client.query(
    `UPDATE ${schema}.ledger_compaction SET position = $1::bigint, finished_at = CASE WHEN $2::boolean THEN now() END`,
    [isEnd ? 0 : last, isEnd],
  );
  return isEnd ? "ended" : "more";
}

/** Nothing is written into old months any more, so the room that is free there would stay so: they give it back. */
async function shrinkMonths(pool: Pool, instanceId: Id<"instance">, days: number): Promise<void> {
  const schema = instanceSchema(instanceId);
  const { rows } = await pool.query<{ name: string; bytes: string }>(
    `SELECT c.relname AS name, pg_relation_size(c.oid) AS bytes FROM pg_class c
     WHERE c.relnamespace = $1::regnamespace AND c.relispartition AND c.relkind = 'r' AND c.relname ~ '^ledger_[0-9]{4}_[0-9]{2}$'
       AND to_date(substr(c.relname, 8), 'YYYY_MM') + interval '1 month' <= now() - $2 * interval '1 day' ORDER BY c.relname`,
    [quoteIdentifier(schema), days],
  );
  for (const { name, bytes } of rows) {
    const table = `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
    const { rows: found } = await pool.query(`SELECT EXISTS (SELECT FROM ${table}) AS found`);
    if (!found[0]?.found) await batch(pool, (client) => client.query(`DROP TABLE ${table}`));
    else if (Number(bytes) >= MIN_REWRITTEN_BYTES) await rewriteIfHalfEmpty(pool, { schema, name, table });
  }
}

async function rewriteIfHalfEmpty(
  pool: Pool,
  { schema, name, table }: { schema: string; name: string; table: string },
): Promise<void> {
  await pool.query(`ANALYZE ${table}`);
  const { rows } = await pool.query<{ is_half_empty: boolean }>(
    `SELECT pg_relation_size(c.oid) > 2 * c.reltuples * (28 +
       (SELECT coalesce(sum(avg_width), 0) FROM pg_stats WHERE schemaname = $1 AND tablename = $2)) AS is_half_empty
     FROM pg_class c WHERE c.oid = $3::regclass`,
    [schema, name, table],
  );
  if (!rows[0]?.is_half_empty) return;
  await withClient(pool, async (client) => {
    // Not within a transaction: who reads the month waits for the rewriting alone, and it for nobody long.
    await client.query("SET lock_timeout = 1000");
    try {
      await client.query(`VACUUM (FULL) ${table}`);
    } finally {
      await client.query("RESET lock_timeout");
    }
  });
}
