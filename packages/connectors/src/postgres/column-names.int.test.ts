/** Tables whose columns are named like the aliases of our own statements, against a real PostgreSQL. */
import { hashValue, type Connection, type WriteOperation } from "@accord/connector-sdk";
import { connectTo, entityNamed, fieldNames, readToEnd } from "@accord/connector-sdk/test-kit";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Values } from "@accord/contracts/data/values";
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startPostgresServer, type PostgresServer } from "../../test-systems/postgres-server.ts";
import { postgresConnector } from "./index.ts";

/** Relations, columns and functions that the connector's statements name, and words of SQL. */
const NAMES =
  "x t e k n c i a b r s p f free item new_row row version id v value values data oid xid lsn age key order select";
const COLUMNS = NAMES.split(" ");
/** Every kind of key that reads and writes differently. */
const KEYS = ["x", "t", "new_row", "x t", "id k free"];

let server: PostgresServer;
let client: pg.Client;
beforeAll(async () => {
  server = await startPostgresServer({ wal_level: "logical" });
  client = await server.client();
}, 60_000);
afterAll(async () => {
  await client?.end();
  await server?.stop();
});

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");
const idOf = (key: readonly string[], row: number): string => {
  const texts = key.map((name) => `${name} ${row}`);
  return texts.length === 1 ? texts.join("") : `[${texts.map((text) => JSON.stringify(text)).join(", ")}]`;
};
const rowOf = (row: number): Values => Object.fromEntries(COLUMNS.map((name) => [name, `${name} ${row}`]));
const expectedOf = (values: Values) =>
  Object.fromEntries(Object.entries(values).map(([field, value]) => [field, hashValue(value)]));

describe.each(KEYS)("a table with the key %s", (names) => {
  const key = names.split(" ");
  const others = COLUMNS.filter((name) => !key.includes(name));
  const changed = Object.fromEntries(others.map((name) => [name, `${name} changed`]));

  beforeEach(async () => {
    const columns = COLUMNS.map((name) => `"${name}" text`).join(", ");
    const rows = COLUMNS.map((name) => `'${name} ' || g`).join(", ");
    await client.query(`DROP TABLE IF EXISTS named;
      CREATE TABLE named (${columns}, PRIMARY KEY (${quoted(key)}));
      INSERT INTO named (${quoted(COLUMNS)}) SELECT ${rows} FROM generate_series(1, 9) AS numbers(g)`);
  });

  async function withTable(
    config: { changes?: string },
    work: (connection: Connection, entity: EntitySchema) => Promise<void>,
  ): Promise<void> {
    const connection = connectTo(postgresConnector, {
      config: { host: "127.0.0.1", port: server.port, database: "postgres", encryption: "none", ...config },
      credentials: { username: "postgres", password: server.password },
    });
    try {
      await work(connection, await entityNamed(connection, "named"));
    } finally {
      await connection.close();
    }
  }

  test.each([true, false])("is created, updated and deleted (compared first: %s)", (isConditional) =>
    withTable({}, async (connection, entity) => {
      const expected = isConditional ? { expected: expectedOf(rowOf(1)) } : {};
      const write = (...operations: WriteOperation[]) => connection.write?.({ entity, operations });
      expect(await write({ kind: "create", values: rowOf(10), idempotencyKey: "c" })).toMatchObject([
        { status: "done", id: idOf(key, 10), values: rowOf(10) },
      ]);
      expect(
        await write({ kind: "update", id: idOf(key, 1), values: changed, idempotencyKey: "u", ...expected }),
      ).toMatchObject([{ status: "done", id: idOf(key, 1), values: { ...rowOf(1), ...changed } }]);
      const gone = isConditional ? { expected: expectedOf({ ...rowOf(1), ...changed }) } : {};
      expect(await write({ kind: "delete", id: idOf(key, 1), idempotencyKey: "d", ...gone })).toMatchObject([
        { status: "done", id: idOf(key, 1) },
      ]);
      const { rows } = await client.query("SELECT count(*)::int AS count FROM named");
      expect(rows[0].count).toBe(9);
    }),
  );

  test.each(["rowVersions", "replication"])("is read page by page, by ids, by fields and by %s", (changes) =>
    withTable({ changes }, async (connection, entity) => {
      const fields = fieldNames(entity);
      const reader = "column_names";
      const first = await readToEnd(connection, { entity, cursor: null, pageSize: 4, mode: "changes", reader });
      expect(first.records).toHaveLength(9);
      const [other = ""] = others;
      await client.query(`UPDATE named SET "${other}" = 'newer' WHERE "${key[0]}" > $1`, [`${key[0]} 3`]);
      // More than one page.
      const next = await readToEnd(connection, { entity, cursor: first.cursor, pageSize: 4, mode: "changes", reader });
      expect(next.records.toSorted((one, two) => (one.id < two.id ? -1 : 1))).toMatchObject(
        [4, 5, 6, 7, 8, 9].map((row) => ({ id: idOf(key, row), values: { ...rowOf(row), [other]: "newer" } })),
      );
      const ids = await connection.listIds?.({ entity, cursor: null, pageSize: 100 });
      expect(ids?.ids).toHaveLength(9);
      expect(await connection.getByIds?.({ entity, fields, ids: [idOf(key, 2)] })).toMatchObject([
        { id: idOf(key, 2), values: rowOf(2) },
      ]);
      for (const field of COLUMNS.filter((name) => name !== other))
        expect(await connection.lookup?.({ entity, fields, field, values: [`${field} 2`] }), field).toMatchObject([
          { id: idOf(key, 2) },
        ]);
      await connection.dropReader?.(reader);
    }),
  );
});

test("a key whose names are too long together leaves its table to be found: its id has to be chosen", async () => {
  const key = ["a", "b", "c", "d"].map((letter) => letter.repeat(60));
  await client.query(`DROP TABLE IF EXISTS wide;
    CREATE TABLE wide (${key.map((name) => `${name} int`).join(", ")}, PRIMARY KEY (${key.join(", ")}))`);
  const connection = connectTo(postgresConnector, {
    config: { host: "127.0.0.1", port: server.port, database: "postgres", encryption: "none" },
    credentials: { username: "postgres", password: server.password },
  });
  try {
    const { fields } = await entityNamed(connection, "wide");
    expect(fields.map(({ apiName, isIdField }) => [apiName, isIdField])).toEqual(key.map((name) => [name, false]));
  } finally {
    await connection.close();
    await client.query("DROP TABLE wide");
  }
});
