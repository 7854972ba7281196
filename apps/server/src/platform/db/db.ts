/** The two databases: `app` (people, configuration, secrets, jobs) and `data` (a schema of records per instance). */
import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import type { Log } from "../log/log.ts";
import { preparing } from "./prepared.ts";
import { valueTypes } from "./value-types.ts";

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
}

const CONNECT_TIMEOUT_MS = 10_000;

export function openDatabase({ url, name, connections, log, statementTimeoutMs = 0 }: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: name,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    types: valueTypes,
    options: `-c timezone=UTC -c datestyle=ISO,YMD -c statement_timeout=${statementTimeoutMs}`,
  });
  // A connection that breaks fails the query it was in, and the pool makes a new one. It also says so as an event,
  // lent out or idle, which ends the process where nobody listens.
  pool.on("error", (error) => {
    if (!pool.ending) log.warn({ reason: error.message, database: name }, "an idle database connection was lost");
  });
  pool.on("connect", (client) => client.on("error", () => {}));
  const db = new Kysely<{}>({ dialect: new PostgresDialect({ pool: preparing(pool) }) });
  let closed: Promise<void> | undefined;
  return { url, db, pool, close: () => (closed ??= pool.end()) };
}

/** The schema of one instance in the database `data`. Always write instance tables as `"<schema>"."<table>"`. */
export function instanceSchema(instanceId: string): string {
  if (!/^[0-9a-f]{24}$/.test(instanceId)) throw new TypeError("not an instance id");
  return `i_${instanceId}`;
}
