/** One transaction for typed queries and raw statements alike. For typed queries alone, `db.transaction()` is enough. */
import { Kysely, PostgresDialect } from "kysely";
import type { PoolClient } from "pg";
import type { Db, Pool } from "./db.ts";

/** Both work on the same connection, in the same transaction. */
export interface OpenTransaction {
  db: Db;
  client: PoolClient;
}

export interface TransactionOptions {
  isolation?: "read committed" | "repeatable read" | "serializable";
  readOnly?: boolean;
  /** How often to start over after a deadlock or a serialization failure; `work` must bear being repeated. */
  retries?: number;
}

const SERIALIZATION_FAILURE = "40001";
const DEADLOCK = "40P01";

/** Runs `work` in a transaction: commits what it did, or nothing when it throws. */
export async function transaction<Result>(
  pool: Pool,
  work: (open: OpenTransaction) => Promise<Result>,
  options: TransactionOptions = {},
): Promise<Result> {
  for (let left = options.retries ?? 0; ; left--) {
    try {
      return await once(pool, work, options);
    } catch (error) {
      if (left <= 0 || !isRepeatable(error)) throw error;
    }
  }
}

/** Lends one connection for work outside a transaction, e.g. statements that manage transactions themselves. */
export async function withClient<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let broken = true;
  try {
    const result = await work(client);
    broken = false;
    return result;
  } finally {
    // After a failure nobody knows what the session still holds: settings, locks, a half-read COPY.
    client.release(broken);
  }
}

/** Typed queries on a connection that somebody else began, e.g. inside a raw transaction. */
export function kyselyOn(client: PoolClient): Db {
  const borrowed = { query: client.query.bind(client), release: () => {} };
  const dialect = new PostgresDialect({
    pool: { options: {}, connect: () => Promise.resolve(borrowed as never), end: () => Promise.resolve() },
  });
  return new Kysely<{}>({ dialect });
}

async function once<Result>(
  pool: Pool,
  work: (open: OpenTransaction) => Promise<Result>,
  { isolation = "read committed", readOnly = false }: TransactionOptions,
): Promise<Result> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query(`BEGIN ISOLATION LEVEL ${isolation} ${readOnly ? "READ ONLY" : "READ WRITE"}`);
    const result = await work({ db: kyselyOn(client), client });
    const ended = await client.query("COMMIT");
    // PostgreSQL answers COMMIT with ROLLBACK when a failed statement was swallowed inside `work`.
    if (ended.command === "ROLLBACK") throw new Error("the transaction was undone: a statement inside it had failed");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => (broken = true));
    throw error;
  } finally {
    client.release(broken);
  }
}

function isRepeatable(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === SERIALIZATION_FAILURE || code === DEADLOCK;
}
