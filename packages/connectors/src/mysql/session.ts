/** Opens one connection to the guarded address, and makes its session independent of the server's own settings. */
import { ConnectorError, type ConnectContext } from "@accord/connector-sdk";
import { connect, isIP, type Socket } from "node:net";
import mysql, { type Connection, type ConnectionOptions } from "mysql2";
import { z } from "zod";
import { within } from "../within.ts";
import type { MysqlConfig } from "./config.ts";

/** What differs between servers. */
export interface ServerFacts {
  isMariaDb: boolean;
  /** `10.11.6` is 101106 in each of the two families. */
  version: number;
  /** Locking reads can pass over rows that others have locked. */
  canSkipLocked: boolean;
  /** Longest statement, bytes. */
  maxPacket: number;
}

/** A row that somebody keeps locked longer than this is written later; the least that the server knows. */
const LOCK_SECONDS = 1;
/** A session of ours whose line broke unnoticed ends, with its locks, this long after its last statement. */
const MIN_IDLE_SECONDS = 60;
const IDLE_BEYOND_STATEMENTS_SECONDS = 30;
/** For the definition of a table that somebody is changing. */
const DEFINITION_LOCK_SECONDS = 10;

export interface Session {
  connection: Connection;
  facts: ServerFacts;
  /** Lets go of the line at once: the driver would wait for a server that says nothing to hang up too. */
  destroy(): void;
}

export async function openSession(context: ConnectContext, config: MysqlConfig): Promise<Session> {
  const { address, port } = await context.resolveHost(config.host, config.port);
  const socket = socketTo(address, port, config.host);
  const connection = mysql.createConnection({ ...optionsOf(context, config), stream: () => socket });
  const destroy = (): void => {
    connection.destroy();
    socket.destroy();
  };
  // One problem may be emitted several times: an event that nobody listens to would end the process.
  connection.on("error", () => {});
  try {
    await new Promise<void>((resolve, reject) => {
      connection.once("connect", () => resolve());
      connection.once("error", reject);
    });
    const facts = await within(config.connectSeconds, silent(config), prepare(connection, config));
    return { connection, facts, destroy };
  } catch (error) {
    destroy();
    throw error;
  }
}

/** Ends another session of ours at the server, with all that it holds locked, whether it is at work or idle. */
export async function killSession(context: ConnectContext, config: MysqlConfig, threadId: number): Promise<void> {
  const { connection, destroy } = await openSession(context, config);
  try {
    await within(config.connectSeconds, silent(config), ask(connection, `KILL ${threadId}`));
  } finally {
    destroy();
  }
}

/** A server that let us in and then says nothing. */
const silent = ({ host, port }: MysqlConfig): ConnectorError =>
  new ConnectorError("timeout", `${host}:${port} did not answer in time.`, {
    hint: "The database may be overloaded; allow a longer wait for a connection in Advanced.",
  });

function optionsOf(context: ConnectContext, config: MysqlConfig): ConnectionOptions {
  const verified = config.encryption === "verified";
  return {
    // The certificate is checked against the name that was entered; the socket goes to the address that was allowed.
    host: config.host,
    database: config.database,
    user: context.credentials["username"] ?? "",
    password: context.credentials["password"] ?? "",
    connectTimeout: config.connectSeconds * 1000,
    charset: "UTF8MB4_GENERAL_CI",
    // Ids beyond what a number holds come as text.
    supportBigNumbers: true,
    bigNumberStrings: true,
    // No server may ask for files of this machine.
    flags: ["-LOCAL_FILES"],
    connectAttributes: { program_name: "accord" },
    ...(config.encryption !== "none" && {
      ssl: {
        rejectUnauthorized: verified,
        verifyIdentity: verified,
        ...(config.certificate?.trim() && { ca: config.certificate }),
      },
    }),
  };
}

function socketTo(address: string, port: number, host: string): Socket {
  const socket = connect({ host: address, port });
  socket.setNoDelay(true);
  socket.setKeepAlive(true, 10_000);
  // For an address there is no server name in TLS: Node takes the one it checks the certificate against from here.
  if (isIP(host)) Reflect.set(socket, "_host", host);
  return socket;
}

/**
 * Nothing is cut or taken for another engine silently; texts are escaped with backslashes. Zero dates that are there can be
 * compared with: they are refused before they are written, not by the server.
 */
const SQL_MODE = "STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO";

async function prepare(connection: Connection, config: MysqlConfig): Promise<ServerFacts> {
  const [row] = await ask(connection, "SELECT VERSION(), @@log_bin, @@binlog_format, @@max_allowed_packet");
  const [version = "", logs, format, packet] = row ?? [];
  const facts = factsOf(String(version), Number(packet));
  const seconds = config.statementSeconds;
  const settings = [
    `sql_mode = '${SQL_MODE}'`,
    "time_zone = '+00:00'",
    "autocommit = 1",
    "foreign_key_checks = 1",
    "unique_checks = 1",
    "sql_auto_is_null = 0",
    "sql_safe_updates = 0",
    `innodb_lock_wait_timeout = ${LOCK_SECONDS}`,
    `lock_wait_timeout = ${DEFINITION_LOCK_SECONDS}`,
    `wait_timeout = ${Math.max(MIN_IDLE_SECONDS, seconds + IDLE_BEYOND_STATEMENTS_SECONDS)}`,
    facts.isMariaDb ? `max_statement_time = ${seconds}` : `max_execution_time = ${seconds * 1000}`,
    // When a table was last changed is asked of the engine, not of a copy that may be a day old.
    ...(!facts.isMariaDb && facts.version >= 80_000 ? ["information_schema_stats_expiry = 0"] : []),
  ];
  await ask(connection, "SET NAMES utf8mb4");
  await ask(connection, `SET SESSION ${settings.join(", ")}`);
  // Where the log holds statements, InnoDB writes at no lower level than the usual one.
  if (!(String(logs) === "1" && format === "STATEMENT"))
    await ask(connection, "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
  return facts;
}

function factsOf(text: string, maxPacket: number): ServerFacts {
  const isMariaDb = /mariadb/i.test(text);
  // Older drivers and proxies show `5.5.5-10.11.6-MariaDB`.
  const [, major = "0", minor = "0", patch = "0"] = /^(?:5\.5\.5-)?(\d+)\.(\d+)\.(\d+)/.exec(text) ?? [];
  const version = Number(major) * 10_000 + Number(minor) * 100 + Number(patch);
  return { isMariaDb, version, canSkipLocked: version >= (isMariaDb ? 100_600 : 80_001), maxPacket };
}

const Rows = z.array(z.array(z.unknown()));

const ask = (connection: Connection, sql: string): Promise<unknown[][]> =>
  new Promise((resolve, reject) => {
    connection.query({ sql, rowsAsArray: true }, (error, result) =>
      error ? reject(error) : resolve(Rows.catch([]).parse(result)),
    );
  });
