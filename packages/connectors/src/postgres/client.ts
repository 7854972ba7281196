/** The pool of one PostgreSQL connection: guarded address, time limits, text values, and errors classified. */
import { classifyNetworkError, ConnectorError, type ConnectContext } from "@accord/connector-sdk";
import pg from "pg";
import type { PostgresConfig } from "./config.ts";

/** Rows come as arrays of text, as PostgreSQL wrote them: the field's data type decides what they become. */
export type TextRow = (string | null)[];

export interface PostgresClient {
  /** Aborting `signal` cancels the statement at the server. */
  query(sql: string, parameters?: readonly unknown[], signal?: AbortSignal): Promise<TextRow[]>;
  /** The time zone of the role or database, by which it writes local times; our own sessions use UTC. */
  ownZone(): Promise<string>;
  /** One connection of its own, for LISTEN. */
  dedicated(): Promise<pg.Client>;
  /** One connection of its own, for a transaction of several statements; the caller closes it. */
  session(): Promise<PostgresSession>;
  /** Waits for statements under way. What is asked afterwards fails: nobody would close what it opens. */
  close(): Promise<void>;
}

/** Aborting a `signal` ends the connection. */
export interface PostgresSession {
  /** Several statements without parameters or rows. */
  run(sql: string, signal?: AbortSignal): Promise<void>;
  query(sql: string, signal?: AbortSignal): Promise<TextRow[]>;
  close(): Promise<void>;
}

/** Beyond the server's own statement limit: the server or the line is gone. */
const GRACE_MS = 5_000;

/** A row that somebody keeps locked longer than this is written later. */
const LOCK_TIMEOUT_MS = 3_000;

const asText = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig;

async function textRows(client: pg.ClientBase, sql: string, parameters: readonly unknown[] = []): Promise<TextRow[]> {
  const query = { text: sql, values: [...parameters], rowMode: "array" as const, types: asText };
  return (await client.query(query)).rows as TextRow[];
}

/** Nothing is called before the first query. */
export function openClient(context: ConnectContext, config: PostgresConfig): PostgresClient {
  const place = `${config.host}:${config.port}`;
  const closedError = () =>
    new ConnectorError("unavailable", `The connection to ${place} was closed.`, { neverSent: true });
  let pool: Promise<pg.Pool> | null = null;
  let zone: Promise<string> | null = null;
  let isClosed = false;
  const opened = async (): Promise<pg.Pool> => {
    if (isClosed) throw closedError();
    pool ??= clientOptions(context, config).then((options) => {
      const made = new pg.Pool({ ...options, max: 4, idleTimeoutMillis: 30_000, allowExitOnIdle: true });
      // A connection that breaks is replaced at the next use; whoever is using it hears of it from its own statement.
      made.on("error", () => {});
      made.on("connect", (connection) => connection.on("error", () => {}));
      return made;
    });
    // A refused address may be allowed a moment later: ask again next time.
    pool.catch(() => (pool = null));
    return pool;
  };
  return {
    async query(sql, parameters = [], signal) {
      if (signal?.aborted) throw new ConnectorError("unavailable", "The call was cancelled.", { neverSent: true });
      const connection = await connect(opened, place);
      let broken: Error | undefined;
      const cancel = (): void => {
        // The cancellation may arrive late: nobody else's statement may be the one that it hits.
        broken = new Error("cancelled");
        const processId: unknown = Reflect.get(connection, "processID");
        opened()
          .then((all) => all.query("SELECT pg_cancel_backend($1)", [processId]))
          .catch(() => {});
      };
      signal?.addEventListener("abort", cancel, { once: true });
      try {
        return await textRows(connection, sql, parameters);
      } catch (error) {
        // An error the server told leaves the connection as good as before; anything else may not.
        if (!sqlStateOf(error)) broken = error instanceof Error ? error : new Error(String(error));
        throw classifyPostgresError(error, place);
      } finally {
        signal?.removeEventListener("abort", cancel);
        connection.release(broken);
      }
    },
    ownZone: () => {
      zone ??= askOwnZone(context, config, place);
      zone.catch(() => (zone = null));
      return zone;
    },
    async dedicated() {
      if (isClosed) throw closedError();
      try {
        const client = new pg.Client(await clientOptions(context, config));
        await client.connect();
        return client;
      } catch (error) {
        throw classifyPostgresError(error, place);
      }
    },
    async session() {
      return sessionOn(await this.dedicated(), place);
    },
    async close() {
      isClosed = true;
      const open = pool;
      pool = null;
      await (await open?.catch(() => null))?.end();
    },
  };
}

/** On a connection of its own: what a session was begun with is its own default. */
async function askOwnZone(context: ConnectContext, config: PostgresConfig, place: string): Promise<string> {
  const client = new pg.Client({ ...(await clientOptions(context, config)), options: undefined });
  client.on("error", () => {});
  try {
    await client.connect();
    const [row] = await textRows(client, "SHOW TimeZone");
    return row?.[0] ?? "UTC";
  } catch (error) {
    throw classifyPostgresError(error, place);
  } finally {
    await client.end().catch(() => {});
  }
}

function sessionOn(client: pg.Client, place: string): PostgresSession {
  // Whoever is using it hears of it from its own statement.
  client.on("error", () => {});
  const close = () => client.end().catch(() => {});
  async function during<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    if (signal?.aborted) throw new ConnectorError("unavailable", "The call was cancelled.", { neverSent: true });
    const abort = (): void => void close();
    signal?.addEventListener("abort", abort, { once: true });
    try {
      return await work();
    } catch (error) {
      throw classifyPostgresError(error, place);
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }
  return {
    run: (sql, signal) => during(signal, async () => void (await client.query(sql))),
    query: (sql, signal) => during(signal, () => textRows(client, sql)),
    close,
  };
}

async function connect(opened: () => Promise<pg.Pool>, place: string): Promise<pg.PoolClient> {
  try {
    return await (await opened()).connect();
  } catch (error) {
    const { kind, message, hint, cause } = classifyPostgresError(error, place);
    throw new ConnectorError(kind, message, { hint, cause, neverSent: true });
  }
}

async function clientOptions(context: ConnectContext, config: PostgresConfig): Promise<pg.ClientConfig> {
  const { address, port } = await context.resolveHost(config.host, config.port);
  const milliseconds = config.statementSeconds * 1000;
  return {
    host: address,
    port,
    database: config.database,
    user: context.credentials["username"] ?? "",
    password: context.credentials["password"] ?? "",
    ssl: sslOptions(config),
    application_name: "accord",
    connectionTimeoutMillis: config.connectSeconds * 1000,
    query_timeout: milliseconds + GRACE_MS,
    statement_timeout: milliseconds,
    idle_in_transaction_session_timeout: milliseconds,
    keepAlive: true,
    // Texts of times are read by position, so their shape must not depend on the server's settings.
    options: `-c lock_timeout=${LOCK_TIMEOUT_MS} -c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=iso_8601 -c extra_float_digits=1`,
  };
}

function sslOptions(config: PostgresConfig): pg.ClientConfig["ssl"] {
  if (config.encryption === "none") return false;
  // The address is already resolved: the certificate is checked against the name the person entered.
  const servername = /^[\d.:]+$/.test(config.host) ? undefined : config.host;
  return {
    servername,
    rejectUnauthorized: config.encryption === "verified",
    ca: config.certificate?.trim() ? config.certificate : undefined,
  };
}

/** SQLSTATE of an error, or "" when it did not come from the server. */
export const sqlStateOf = (error: unknown): string =>
  error instanceof pg.DatabaseError && error.code ? error.code : "";

/** The server's own error underneath a classified one. */
export const databaseErrorOf = (error: ConnectorError): pg.DatabaseError | null =>
  error.cause instanceof pg.DatabaseError ? error.cause : null;

function classifyPostgresError(error: unknown, place: string): ConnectorError {
  if (error instanceof ConnectorError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (/does not support SSL/.test(message))
    return new ConnectorError("certificate", `${place} does not offer an encrypted connection.`, {
      cause: error,
      hint: "Switch encryption on in the server, or choose encryption: none for a server in your own network.",
    });
  if (/timeout/i.test(message) && !sqlStateOf(error))
    return new ConnectorError("timeout", `${place} did not answer in time.`, {
      cause: error,
      hint: "Check host and port; a firewall that drops packets looks like this too.",
    });
  if (/Connection terminated|not queryable/i.test(message))
    return new ConnectorError("unreachable", `The connection to ${place} broke off.`, {
      cause: error,
      hint: "The database may be restarting. It is tried again.",
    });
  return sqlStateOf(error) ? classifyState(error, place, message) : classifyNetworkError(error, place);
}

function classifyState(error: unknown, place: string, message: string): ConnectorError {
  const state = sqlStateOf(error);
  const as = (kind: ConnectorError["kind"], words: string, hint?: string) =>
    new ConnectorError(kind, words, { cause: error, hint });
  if (state.startsWith("28"))
    return as(
      "authentication",
      `${place} refused user name and password: ${message}.`,
      "Enter user name and password again; check that this user may connect from this server (pg_hba.conf).",
    );
  if (state === "3D000")
    return as("configuration", `There is no such database on ${place}: ${message}.`, "Check the name of the database.");
  if (state === "42501")
    return as("permission", `${place}: ${message}.`, "Grant this user the rights on the table and its schema.");
  if (state === "42703") {
    const hint = "The connector's schema is read again by itself; if this stays, refresh it.";
    return new ConnectorError("schemaChanged", `${place}: ${message}.`, { cause: error, hint, isFieldGone: true });
  }
  if (state === "42P01" || state === "3F000")
    return as("schemaChanged", `${place}: ${message}.`, "Refresh the connector's schema.");
  if (state === "57014")
    return as("timeout", `${place} cancelled a statement that took too long.`, "Allow longer statements in Advanced.");
  // A replication slot is read by one connection at a time.
  if (state === "55006" || state.startsWith("53") || state.startsWith("57P") || state.startsWith("08"))
    return as("unavailable", `${place} is not available just now: ${message}.`, "It is tried again.");
  if (state === "25006")
    return as("permission", `${place} is read-only just now: ${message}.`, "Connect to the primary server to write.");
  if (state.startsWith("40")) return as("unavailable", `${place}: ${message}.`);
  return as("invalidRequest", `${place}: ${message}.`);
}
