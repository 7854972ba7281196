/** What storage needs before a pipeline runs: the ledger's months and indexes for the fields that are looked up. */
import { fill } from "@accord/contracts/messages/fill";
import { storageTexts as words } from "@accord/contracts/messages/en/storage";
import { INDEXED_BYTES, isTooLargeToIndex, UnstorableValue } from "./unstorable-values.store.ts";
import { instanceSchema, type Pool } from "../../../../platform/db/db.ts";
import {
  columnType,
  fieldColumn,
  indexName,
  quoteIdentifier,
  type RecordEntity,
  recordTable,
} from "../../../data/schema/index.ts";

const made = new Set<string>();

/** Makes the ledger's partitions for this month and the next; rows of months nobody foresaw go to the default one. */
export async function ensureLedgerMonths(pool: Pool, instanceId: string): Promise<void> {
  const schema = quoteIdentifier(instanceSchema(instanceId));
  const { rows } = await pool.query(`SELECT to_char(now(), 'YYYY-MM') AS month`);
  const key = `${instanceId} ${rows[0].month}`;
  if (made.has(key)) return;
  for (const ahead of [0, 1]) {
    const { rows: months } = await pool.query(
      `SELECT to_char(m, 'YYYY_MM') AS name, to_char(m, 'YYYY-MM-DD') AS first,
              to_char(m + interval '1 month', 'YYYY-MM-DD') AS last
       FROM (SELECT date_trunc('month', now()) + $1 * interval '1 month' AS m) months`,
      [ahead],
    );
    const { name, first, last } = months[0];
    await pool
      .query(
        `CREATE TABLE IF NOT EXISTS ${schema}.ledger_${name} PARTITION OF ${schema}.ledger
         FOR VALUES FROM ('${first}') TO ('${last}')`,
      )
      .catch((error: unknown) => {
        // Rows of that month stand in the default partition already, or another worker was first: both are fine.
        if (!(error instanceof Error) || !("code" in error) || !HARMLESS.has(String(error.code))) throw error;
      });
  }
  made.add(key);
}

const HARMLESS: ReadonlySet<string> = new Set(["23514", "42P07", "42P17", "23505"]);

/** Throws `UnstorableValue` when a field can't be looked up by what its records hold. */
export async function prepareInstance(
  pool: Pool,
  instanceId: string,
  { entity, lookedUp }: { entity: RecordEntity; lookedUp: readonly string[] },
): Promise<void> {
  await ensureLedgerMonths(pool, instanceId);
  const wanted = entity.fields.filter(({ apiName }) => lookedUp.includes(apiName));
  // Only what is missing is made: CREATE INDEX locks the table against writing before it looks whether there is one.
  const { rows } = await pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid
     WHERE i.indrelid = $1::regclass AND c.relname = ANY ($2::text[])`,
    [recordTable(instanceId, entity.apiName), wanted.map(({ apiName }) => indexName(entity.apiName, apiName))],
  );
  const known = new Set(rows.map(({ name }) => name));
  for (const field of wanted) {
    if (known.has(indexName(entity.apiName, field.apiName))) continue;
    const isText = columnType(field) === "text" && field.dataType !== "reference";
    const expression = isText ? `lower(${fieldColumn(field)} COLLATE "und-x-icu")` : fieldColumn(field);
    const name = quoteIdentifier(indexName(entity.apiName, field.apiName));
    await pool
      .query(`CREATE INDEX IF NOT EXISTS ${name} ON ${recordTable(instanceId, entity.apiName)} (${expression})`)
      .catch((error: unknown) => {
        if (!isTooLargeToIndex(error)) throw error;
        const limit = INDEXED_BYTES.toLocaleString("en");
        throw new UnstorableValue(fill(words.fieldNotComparable, { field: field.apiName, limit }));
      });
  }
}
