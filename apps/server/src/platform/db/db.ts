/** The two databases: `app` (people, configuration, secrets, jobs) and `data` (a schema of records per instance). */
import type { Id } from "@accord/contracts";
import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import type { Log } from "../log/log.ts";
import { boundedClient } from "./bounded-client.ts";
import { preparing } from "./prepared.ts";
import { configureTypeParsers } from "./value-types.ts";

/** No tables of its own: each store names the ones it uses with `db.withTables<…>()`. A transaction fits as well. */
export type Db = Kysely<{}>;
export type Tx = Transaction<{}>;
export type Pool = pg.Pool;
export type Client = pg.ClientBase;

export interface Database {
  /** For connections of their own: LISTEN, job queue. Holds the password. */
  url: string;
  db: Db;
  /** Raw access on the same connections: bulk statements, COPY, cursors, LISTEN. */
  pool: Pool;
  /** What people wait for while they look: read-only, bounded in time, and never behind a busy cycle in the queue. */
  reads: Pool;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  /** Shows in `pg_stat_activity`. */
  name: string;
  connections: number;
  log: Log;
  /** Longest a single statement may run, in milliseconds; 0 = as long as it needs. */
  statementTimeoutMs?: number;
  /** Longest a transaction may wait for its server between two statements, in milliseconds; 0 = as long as it needs. */
  idleInTransactionTimeoutMs?: number;
}

const CONNECT_TIMEOUT_MS = 10_000;
const READ_CONNECTIONS = 10;
/** Longest a page may take; the caller hears `query_timeout`. */
const READ_TIMEOUT_MS = 20_000;
/** Most that a page may hold on its way: about twice the largest answer. The caller hears `answer_too_large`. */
export const MAX_READ_BYTES = 40_000_000;

export function openDatabase(options: DatabaseOptions): Database {
  const { url, statementTimeoutMs = 0, idleInTransactionTimeoutMs = 0 } = options;
  const pool = openPool(
    options,
    `-c statement_timeout=${statementTimeoutMs} -c idle_in_transaction_session_timeout=${idleInTransactionTimeoutMs}`,
  );
  // Settings of the session, not of a transaction: a page is one statement then, and one way there and back.
  const reads = openPool(
    { ...options, name: `${options.name}-reads`, connections: READ_CONNECTIONS },
    `-c statement_timeout=${READ_TIMEOUT_MS} -c default_transaction_read_only=on`,
    boundedClient(MAX_READ_BYTES),
  );
  const db = new Kysely<{}>({ dialect: new PostgresDialect({ pool: preparing(pool) }) });
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await Promise.all([pool.end(), reads.end()]);
  };
  return { url, db, pool, reads, close: () => (closed ??= close()) };
}

/** Connections are made when they are needed. */
function openPool(
  { url, name, connections, log }: DatabaseOptions,
  settings: string,
  Client?: ReturnType<typeof boundedClient>,
): Pool {
  const pool = new pg.Pool({
    ...(Client ? { Client } : {}),
    connectionString: url,
    application_name: name,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    types: configureTypeParsers,
    options: `-c timezone=UTC -c datestyle=ISO,YMD ${settings}`,
  });
  // A connection that breaks fails the query it was in, and the pool makes a new one. It also says so as an event,
  // lent out or idle, which ends the process where nobody listens.
  pool.on("error", (error) => {
    if (!pool.ending) log.warn({ reason: error.message, database: name }, "an idle database connection was lost");
  });
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** The schema of one instance in the database `data`. Always write instance tables as `"<schema>"."<table>"`. */
export function instanceSchema(instanceId: string): string {
  if (!/^[0-9a-f]{24}$/.test(instanceId)) throw new TypeError("not an instance id");
  return `i_${instanceId}`;
}

/** Ids of the instances that have a schema in the database `data`, in order. */
export async function instancesIn(pool: Pool): Promise<Id<"instance">[]> {
  const { rows } = await pool.query<{ id: Id<"instance"> }>(
    "SELECT substr(nspname, 3) AS id FROM pg_namespace WHERE nspname ~ '^i_[0-9a-f]{24}$' ORDER BY nspname",
  );
  return rows.map(({ id }) => id);
}
