/** Reads of records: pages, single records, names of referenced ones, counts; and each person's choice of columns. */
import type { Id } from "@accord/contracts";
import type { CoreEntity, CoreField } from "@accord/contracts/data/entities";
import type { RecordCount } from "@accord/contracts/data/records";
import type { Values } from "@accord/contracts/data/values";
import { fixedSql, printSql, sql, type SqlFragment, SecretFields } from "@accord/expressions";
import type { Client, Db, Pool } from "../../../platform/db/db.ts";
import { withClient } from "../../../platform/db/transaction.ts";
import { selectList, fieldColumn, recordTable, toValues } from "../schema/index.ts";
import { beyond, cursorColumn, orderBy, type Order, type Position } from "./record-page.ts";

type InstanceId = Id<"instance">;
type Shape = Pick<CoreEntity, "apiName" | "fields">;

/** Counting exactly is given up after this, for an estimate. */
const COUNT_TIMEOUT_MS = 3_000;
/** Beyond this many, an exact number is not worth its price. */
const COUNT_LIMIT = 50_000;
const QUERY_CANCELED = "57014";

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

export const isTimeout = (error: unknown): boolean => codeOf(error) === QUERY_CANCELED;

/** The database could not read a value as its type (SQLSTATE class 22), e.g. the 31st of February in a forged cursor. */
export const isBadValue = (error: unknown): boolean => codeOf(error).startsWith("22");

export interface StoredRecord {
  id: Id<"record">;
  deleted: boolean;
  version: number;
  createdAt: string;
  updatedAt: string;
  values: Values;
}

interface Row extends Record<string, unknown> {
  accord_id: Id<"record">;
  accord_deleted: boolean;
  accord_version: number;
  accord_created_at: string;
  accord_updated_at: string;
}

const toRecord = (fields: readonly CoreField[], row: Row): StoredRecord => ({
  id: row.accord_id,
  deleted: row.accord_deleted,
  version: row.accord_version,
  createdAt: row.accord_created_at,
  updatedAt: row.accord_updated_at,
  values: toValues(fields, row),
});

const tableOf = (at: InstanceId, apiName: string): SqlFragment => fixedSql(recordTable(at, apiName));

function columnsOf(fields: readonly CoreField[]): SqlFragment {
  const own = "accord_id, accord_deleted, accord_version, accord_created_at, accord_updated_at";
  return fixedSql(fields.length > 0 ? `${own}, ${selectList(fields)}` : own);
}

/** Runs reads under a time limit of their own, in one snapshot. */
async function reading<Result>(
  pool: Pool,
  limitMs: number,
  read: (client: Client) => Promise<Result>,
): Promise<Result> {
  return withClient(pool, async (client) => {
    await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${limitMs}`);
    try {
      const result = await read(client);
      await client.query("COMMIT");
      return result;
    } catch (error) {
      await client.query("ROLLBACK");
      throw error;
    }
  });
}

const run = async <Found extends object>(on: Pool | Client, statement: SqlFragment): Promise<Found[]> => {
  const { text, params } = printSql(statement);
  return (await on.query<Found & Record<string, unknown>>(text, params)).rows;
};

export interface PageRequest {
  entity: Shape;
  where: SqlFragment;
  order: Order;
  from: Position | null;
  direction: "next" | "previous";
  count: number;
}

export interface Page {
  records: StoredRecord[];
  /** Positions of the first and the last record, and whether anything lies before and after them. */
  first: Position | null;
  last: Position | null;
  hasMore: boolean;
}

/**
 * `count` records in the list's order; `hasMore`: there are others further on in `direction`. One statement, so that
 * it is one snapshot; `pool` bounds how long it may take.
 */
export async function readPage(pool: Pool, at: InstanceId, request: PageRequest): Promise<Page> {
  const { entity, where, order, from, direction, count } = request;
  const conditions = from ? sql`${where} AND ${beyond(order, direction, from)}` : where;
  const statement = sql`SELECT ${columnsOf(entity.fields)}, ${cursorColumn(order)} AS accord_cursor
    FROM ${tableOf(at, entity.apiName)} WHERE ${conditions}
    ORDER BY ${orderBy(order, direction)} LIMIT ${fixedSql(String(count + 1))}`;
  const found = await run<Row & { accord_cursor: string | null }>(pool, statement);
  const rows = found.slice(0, count);
  if (direction === "previous") rows.reverse();
  const position = (row: (typeof rows)[number] | undefined): Position | null =>
    row ? { value: row.accord_cursor, id: row.accord_id } : null;
  return {
    records: rows.map((row) => toRecord(entity.fields, row)),
    first: position(rows[0]),
    last: position(rows.at(-1)),
    hasMore: found.length > count,
  };
}

export async function readRecord(
  pool: Pool,
  at: InstanceId,
  entity: Shape,
  recordId: Id<"record">,
): Promise<StoredRecord | null> {
  const statement = sql`SELECT ${columnsOf(entity.fields)} FROM ${tableOf(at, entity.apiName)} WHERE accord_id = ${recordId}`;
  const [row] = await run<Row>(pool, statement);
  return row ? toRecord(entity.fields, row) : null;
}

/** Which of the ids exist and are not deleted, and their names when the entity has a name field. */
export async function readNames(
  pool: Pool,
  at: InstanceId,
  entity: Pick<CoreEntity, "apiName" | "nameField" | "fields">,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  const isSecret = SecretFields.of(entity.fields).has(entity.nameField ?? "");
  const name = fixedSql(isSecret || entity.nameField === null ? "NULL" : fieldColumn({ apiName: entity.nameField }));
  const rows = await run<{ id: string; name: string | null }>(
    pool,
    sql`SELECT accord_id AS id, ${name} AS name FROM ${tableOf(at, entity.apiName)} WHERE accord_id = ANY(${ids}::text[]) AND NOT accord_deleted`,
  );
  return new Map(rows.map((row) => [row.id, row.name]));
}

/** Which of the ids are records of the entity, deleted ones included. */
export async function readPresent(
  pool: Pool,
  at: InstanceId,
  apiName: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await run<{ id: string }>(
    pool,
    sql`SELECT accord_id AS id FROM ${tableOf(at, apiName)} WHERE accord_id = ANY(${ids}::text[])`,
  );
  return new Set(rows.map((row) => row.id));
}

/** Whether another record that is not deleted fulfils the condition. */
export async function isTaken(
  pool: Pool,
  at: InstanceId,
  entityApiName: string,
  { condition, except }: { condition: SqlFragment; except: string | null },
): Promise<boolean> {
  const others = except === null ? fixedSql("TRUE") : sql`accord_id <> ${except}`;
  const rows = await run(
    pool,
    sql`SELECT 1 FROM ${tableOf(at, entityApiName)} WHERE NOT accord_deleted AND ${condition} AND ${others} LIMIT 1`,
  );
  return rows.length > 0;
}

/** How many records the condition holds for. Small numbers exactly, big ones from the planner's statistics. */
export async function countWhere(
  pool: Pool,
  at: InstanceId,
  apiName: string,
  where: SqlFragment,
): Promise<RecordCount> {
  const selection = sql`SELECT 1 FROM ${tableOf(at, apiName)} WHERE ${where}`;
  try {
    const counted = await reading(pool, COUNT_TIMEOUT_MS, (client) =>
      run<{ count: number }>(
        client,
        sql`SELECT count(*) AS count FROM (${selection} LIMIT ${fixedSql(String(COUNT_LIMIT + 1))}) AS counted`,
      ),
    );
    const count = counted[0]?.count ?? 0;
    if (count <= COUNT_LIMIT) return { count, precision: "exact" };
    const estimate = await estimateWhere(pool, selection);
    return estimate > COUNT_LIMIT
      ? { count: estimate, precision: "estimated" }
      : { count: COUNT_LIMIT, precision: "atLeast" };
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return { count: await estimateWhere(pool, selection), precision: "estimated" };
  }
}

async function estimateWhere(pool: Pool, selection: SqlFragment): Promise<number> {
  const rows = await run<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>(
    pool,
    sql`EXPLAIN (FORMAT JSON) ${selection}`,
  );
  return Math.round(rows[0]?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0);
}

/** When a record of the entity last changed; null when there is none. Reads the table: for small ones only. */
export async function readLastChange(pool: Pool, at: InstanceId, apiName: string): Promise<string | null> {
  const rows = await run<{ last: string | null }>(
    pool,
    sql`SELECT max(accord_updated_at) AS last FROM ${tableOf(at, apiName)}`,
  );
  return rows[0]?.last ?? null;
}

// ── Choice of columns ───────────────────────────────────────────────────────────────────────────────────────────

type Tables = { record_columns: { instance_id: string; user_id: string; entity_id: string; columns: string[] } };
const tables = (db: Db) => db.withTables<Tables>();

export async function readColumns(
  db: Db,
  at: InstanceId,
  userId: Id<"user">,
  entityId: Id<"entity">,
): Promise<string[] | null> {
  const row = await tables(db)
    .selectFrom("record_columns")
    .select("columns")
    .where("instance_id", "=", at)
    .where("user_id", "=", userId)
    .where("entity_id", "=", entityId)
    .executeTakeFirst();
  return row?.columns ?? null;
}

export const saveColumns = (db: Db, at: InstanceId, userId: Id<"user">, entityId: Id<"entity">, columns: string[]) =>
  tables(db)
    .insertInto("record_columns")
    .values({ instance_id: at, user_id: userId, entity_id: entityId, columns })
    .onConflict((conflict) => conflict.columns(["user_id", "entity_id"]).doUpdateSet({ columns }))
    .execute();
