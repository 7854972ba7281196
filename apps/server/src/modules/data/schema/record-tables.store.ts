/** Makes, changes and drops the records' tables in `data`. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import { instanceSchema, type Client, type Pool } from "../../../platform/db/db.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { TableChanges } from "./entity-definition.ts";
import {
  SYSTEM_COLUMNS,
  addField,
  changeIndex,
  changeType,
  createTable,
  dropField,
  dropTable,
  recordTableName,
} from "./record-table.ts";

/** A reader in the way is waited for this long, then everybody else goes first and we try again. */
const LOCK_TIMEOUT = "2s";
const LOCK_TRIES = 10;
const LOCK_NOT_AVAILABLE = "55P03";

async function runDdl(pool: Pool, statements: readonly string[]): Promise<void> {
  if (statements.length === 0) return;
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction(pool, async ({ client }) => {
        await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
        for (const statement of statements) await client.query(statement);
      });
    } catch (error) {
      const waited = error instanceof Error && "code" in error && error.code === LOCK_NOT_AVAILABLE;
      if (!waited || attempt === LOCK_TRIES) throw error;
    }
  }
}

type Shape = Pick<CoreEntity, "apiName" | "fields">;

/** Columns a table really has, by name; empty when there is no table. */
async function readColumns(client: Pool | Client, instanceId: string, entityApiName: string): Promise<string[]> {
  const found = await client.query<{ attname: string }>(
    `SELECT a.attname FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
       JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relname = $2 AND a.attnum > 0 AND NOT a.attisdropped`,
    [instanceSchema(instanceId), recordTableName(entityApiName)],
  );
  return found.rows.map((row) => row.attname);
}

const OWN_COLUMNS: ReadonlySet<string> = new Set(Object.values(SYSTEM_COLUMNS));

/**
 * Brings the table to the new version, but for columns that go: those wait until the version is committed.
 * Safe to repeat after a crash at any point.
 */
export async function prepareTable(
  pool: Pool,
  instanceId: string,
  change: { entity: Shape; published: Pick<Shape, "fields"> | null; changes: TableChanges },
): Promise<void> {
  const { entity, published, changes } = change;
  const known = new Set(published?.fields.map((field) => field.apiName));
  // Left over from an earlier publish that stopped half-way; keeping them would give a new field of the name old values.
  const leftOver = (await readColumns(pool, instanceId, entity.apiName)).filter(
    (column) => !OWN_COLUMNS.has(column) && !known.has(column),
  );
  await runDdl(pool, [
    ...leftOver.flatMap((apiName) => dropField(instanceId, entity.apiName, { apiName })),
    ...(published ? changes.added.flatMap((field) => addField(instanceId, entity.apiName, field)) : []),
    ...(published ? [] : [...dropTable(instanceId, entity.apiName), ...createTable(instanceId, entity)]),
  ]);
  for (const { from, to } of changes.retyped) await retype(pool, changeType(instanceId, entity.apiName, from, to));
  for (const field of changes.reindexed) await runDdl(pool, changeIndex(instanceId, entity.apiName, field));
}

async function retype(pool: Pool, steps: ReturnType<typeof changeType>): Promise<void> {
  await runDdl(pool, steps.prepare);
  for (let after: string | null = ""; after !== null;) {
    const { rows }: { rows: { last: string | null }[] } = await pool.query(steps.backfill, [after]);
    after = rows[0]?.last ?? null;
  }
  await runDdl(pool, steps.swap);
}

export const dropColumns = (pool: Pool, instanceId: string, entityApiName: string, fields: TableChanges["removed"]) =>
  runDdl(
    pool,
    fields.flatMap((field) => dropField(instanceId, entityApiName, field)),
  );

export const dropRecords = (pool: Pool, instanceId: string, entityApiName: string) =>
  runDdl(pool, dropTable(instanceId, entityApiName));

/** Makes what is missing of a published entity's table, e.g. after the database `data` was restored from a backup. */
export async function repairTable(pool: Pool, instanceId: string, entity: Shape): Promise<void> {
  const columns = new Set(await readColumns(pool, instanceId, entity.apiName));
  if (columns.size === 0) return runDdl(pool, createTable(instanceId, entity));
  const missing = entity.fields.filter((field) => !columns.has(field.apiName));
  await runDdl(
    pool,
    missing.flatMap((field) => addField(instanceId, entity.apiName, field)),
  );
}
