/** What tests of the MySQL connector share: a server for the file, databases on it, and connections to them. */
import type { ConnectContext, Connection, WriteOperation, WriteOutcome } from "@accord/connector-sdk";
import {
  connectTo,
  entityNamed,
  fieldNames,
  readToEnd,
  sendPlainly,
  type SystemUnderTest,
} from "@accord/connector-sdk/test-kit";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Values } from "@accord/contracts/data/values";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { startMariaDbServer, type MariaDbServer } from "../../test-systems/mariadb-server.ts";
import { openClient, type MysqlClient } from "./client.ts";
import { MysqlConfig } from "./config.ts";
import { mysqlConnector } from "./index.ts";

export interface TestDatabase {
  name: string;
  /** Runs statements as an administrator and answers the rows of a single one. */
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** A connection of the connector, closed when the test ends. */
  connect(options?: {
    config?: Values;
    credentials?: Record<string, string>;
    world?: SystemUnderTest["world"];
  }): Connection;
  /** The connector's own connections without the connector, closed when the test ends. */
  client(options?: { config?: Values; world?: Partial<ConnectContext> }): { client: MysqlClient; config: MysqlConfig };
  entity(name: string, connection?: Connection): Promise<EntitySchema>;
  /** All records of a table by id, as a first reading brings them. */
  read(name: string): Promise<Map<string, Values>>;
  write(name: string, operations: WriteOperation[], connection?: Connection): Promise<WriteOutcome[]>;
}

export interface TestServer {
  server(): MariaDbServer;
  /** A new database with these tables. */
  database(schema: string): Promise<TestDatabase>;
}

const Rows = z.array(z.record(z.string(), z.unknown()));

let databases = 0;

/** Starts a server for the tests of a file. */
export function mariaDb(settings: readonly string[] = [], zone = "UTC"): TestServer {
  let running: MariaDbServer | null = null;
  const server = (): MariaDbServer => {
    if (!running) throw new Error("The server is not running.");
    return running;
  };
  beforeAll(async () => {
    running = await startMariaDbServer(settings, zone);
  }, 60_000);
  afterAll(() => running?.stop());
  return { server, database: (schema) => newDatabase(server(), schema) };
}

async function newDatabase(server: MariaDbServer, schema: string): Promise<TestDatabase> {
  const name = `test_${(databases += 1)}`;
  const client = await server.client();
  onTestFinished(() => client.end());
  await client.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4; USE ${name}; ${schema}`);
  const place = { host: server.host, port: server.port, database: name, encryption: "none", connectSeconds: 2 };
  const administrator = { username: server.user, password: server.password };
  const connect: TestDatabase["connect"] = ({ config, credentials, world } = {}) => {
    const connection = connectTo(mysqlConnector, {
      config: { ...place, ...config },
      credentials: credentials ?? administrator,
      ...(world && { world }),
    });
    onTestFinished(() => connection.close());
    return connection;
  };
  const entity: TestDatabase["entity"] = (table, connection = connect()) => entityNamed(connection, table);
  return {
    name,
    async sql(text, values = []) {
      const [rows] = await client.query(text, values);
      return Rows.catch([]).parse(rows);
    },
    connect,
    client({ config: changed, world } = {}) {
      const config = MysqlConfig.parse({ ...place, ...changed });
      const client = openClient({ ...WORLD, credentials: administrator, config: {}, ...world }, config);
      onTestFinished(() => client.close());
      return { client, config };
    },
    entity,
    async read(table) {
      const connection = connect();
      const { records } = await readToEnd(connection, {
        entity: await entity(table, connection),
        cursor: null,
        pageSize: 3,
      });
      return new Map(records.map(({ id, values }) => [id, values]));
    },
    async write(table, operations, connection = connect()) {
      const described = await entity(table, connection);
      const fields = fieldNames(described);
      return (await connection.write?.({ entity: described, operations, fields })) ?? [];
    },
  };
}

/** Begins a statement of so many seconds, and answers whether it has ended: what came before that waited for less. */
export async function beginStatement(server: MariaDbServer, seconds: number): Promise<() => boolean> {
  const client = await server.client();
  onTestFinished(() => client.destroy());
  let hasEnded = false;
  client.query(`DO SLEEP(${seconds})`).then(
    () => (hasEnded = true),
    () => {},
  );
  return () => hasEnded;
}

/** Plain access to the network, as the kit gives it. */
const WORLD: Omit<ConnectContext, "credentials" | "config"> = {
  send: sendPlainly,
  resolveHost: async (host, port) => ({ address: host, port }),
  resolveFolder: async (path) => path,
  now: () => new Date(),
  sleep: (milliseconds, signal) => pause(milliseconds, undefined, { signal }),
  signal: new AbortController().signal,
  log: () => {},
  authType: "userPassword",
};

/** The entity with another id, as a person chooses it. */
export const withId = (entity: EntitySchema, name: string): EntitySchema => ({
  ...entity,
  fields: entity.fields.map((field) => ({ ...field, isIdField: field.apiName === name })),
});

let keys = 0;
const idempotencyKey = (): string => `fixture-${(keys += 1)}`;

export const create = (values: Values): WriteOperation => ({
  kind: "create",
  values,
  idempotencyKey: idempotencyKey(),
});
export const update = (id: string, values: Values): WriteOperation => ({
  kind: "update",
  id,
  values,
  idempotencyKey: idempotencyKey(),
});
export const remove = (id: string): WriteOperation => ({ kind: "delete", id, idempotencyKey: idempotencyKey() });
