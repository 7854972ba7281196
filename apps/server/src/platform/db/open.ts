/** Opens the two databases of the server: the embedded ones in the home folder, or those that the settings name. */
import pg from "pg";
import type { Config } from "../../config.ts";
import type { Log } from "../log/log.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../postgres/embedded.ts";
import { stopInTime } from "../stop-in-time.ts";
import { type Database, openDatabase } from "./db.ts";

export interface Databases {
  app: Database;
  data: Database;
  /** Only without an external database. */
  embedded?: EmbeddedPostgres;
  /** Closes both, and stops the embedded PostgreSQL. */
  close(): Promise<void>;
}

/** The database can't be used as it is; the message says what to do. */
export class DatabaseError extends Error {
  override name = "DatabaseError";
}

const APP_CONNECTIONS = 20;
const DATA_CONNECTIONS = 30;
const APP_STATEMENT_TIMEOUT_MS = 60_000;
/** PostgreSQL ends the transactions of a server that is frozen, and with them its locks: no later than leases run out. */
const DATA_IDLE_IN_TRANSACTION_MS = 30_000;
const MIN_VERSION = 15;

/**
 * Starts the embedded PostgreSQL where no external one is set, makes the databases that don't exist yet, opens both.
 * Migrations are a step of their own: `migrate`.
 * @throws DatabaseError, DataDirInUseError, PostgresStartError
 */
export async function openDatabases(
  config: Pick<Config, "home" | "databaseUrl" | "dataDatabaseUrl">,
  log: Log,
): Promise<Databases> {
  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres(config.home, log);
  try {
    const appUrl = config.databaseUrl ?? embedded?.url("app") ?? "";
    const dataUrl = config.dataDatabaseUrl ?? embedded?.url("data") ?? "";
    await ensureDatabase(appUrl);
    await ensureDatabase(dataUrl);
    if (!config.databaseUrl) await embedded?.lockDown("app");
    if (!config.dataDatabaseUrl) await embedded?.lockDown("data");
    const app = openDatabase({
      url: appUrl,
      name: "accord-app",
      connections: APP_CONNECTIONS,
      statementTimeoutMs: APP_STATEMENT_TIMEOUT_MS,
      log,
    });
    const data = openDatabase({
      url: dataUrl,
      name: "accord-data",
      connections: DATA_CONNECTIONS,
      idleInTransactionTimeoutMs: DATA_IDLE_IN_TRANSACTION_MS,
      log,
    });
    const close = async (): Promise<void> => {
      await Promise.all([
        stopInTime("connections to the app database", app.close, { log }),
        stopInTime("connections to the data database", data.close, { log }),
      ]);
      await embedded?.stop();
    };
    return { app, data, embedded, close };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

/** Makes the database if the server has none of this name, and refuses a server that is too old. */
export async function ensureDatabase(url: string): Promise<void> {
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  try {
    await checkServer(url);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === "3D000")) throw explain(url, error);
    const maintenance = new URL(url);
    maintenance.pathname = "/postgres";
    const client = new pg.Client({ connectionString: maintenance.href });
    try {
      await client.connect();
      await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)} ENCODING 'UTF8' TEMPLATE template0`);
    } catch (cause) {
      const exists = cause instanceof pg.DatabaseError && (cause.code === "42P04" || cause.code === "23505");
      if (!exists) {
        throw new DatabaseError(
          `The database "${name}" doesn't exist and couldn't be made (${reasonOf(cause)}). ` +
            `Create it, or let the role of DATABASE_URL create databases.`,
        );
      }
    } finally {
      await client.end().catch(() => {});
    }
  }
}

async function checkServer(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const { rows } = await client.query("SELECT current_setting('server_version_num')::integer / 10000 AS major");
    if (rows[0].major < MIN_VERSION) {
      throw new DatabaseError(`PostgreSQL ${rows[0].major} is too old: Accord needs ${MIN_VERSION} or later.`);
    }
  } finally {
    await client.end().catch(() => {});
  }
}

/** Host and database stay in the message, the password doesn't. */
function explain(url: string, error: unknown): Error {
  if (error instanceof DatabaseError) return error;
  const { hostname, port, pathname, username } = new URL(url);
  const place = `${decodeURIComponent(hostname)}:${port || 5432}${pathname}`;
  return new DatabaseError(
    `The database ${place} can't be reached as "${username}": ${reasonOf(error)}. Check DATABASE_URL and that the server runs.`,
    { cause: error },
  );
}

const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(", ");
  return error instanceof Error ? error.message : String(error);
};
