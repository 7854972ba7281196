/** Compare and set against a real PostgreSQL: what was edited since it was read is never overwritten. */
import { ConnectorError, hashValue, type Connection, type WriteOperation } from "@accord/connector-sdk";
import { connectTo, entityNamed } from "@accord/connector-sdk/test-kit";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Value } from "@accord/contracts/data/values";
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startPostgresServer, type PostgresServer } from "../../../test-systems/postgres-server.ts";
import { postgresConnector } from "../index.ts";

let server: PostgresServer;
let client: pg.Client;
let connection: Connection;
let entity: EntitySchema;

beforeAll(async () => {
  server = await startPostgresServer();
  client = await server.client();
}, 60_000);
afterAll(async () => {
  await connection?.close();
  await client?.end();
  await server?.stop();
});

beforeEach(async () => {
  await connection?.close();
  await client.query(`DROP TABLE IF EXISTS person CASCADE;
    CREATE TABLE person (id int PRIMARY KEY, name text, note text, updated_at timestamptz DEFAULT now());
    INSERT INTO person SELECT n, 'Person ' || n, 'as it was' FROM generate_series(1, 300) n`);
  connection = connectTo(postgresConnector, {
    config: { host: "127.0.0.1", port: server.port, database: "postgres", encryption: "none" },
    credentials: { username: "postgres", password: server.password },
  });
  entity = await entityNamed(connection, "person");
});

const update = (id: number, values: { [field: string]: Value }, expected: { [field: string]: Value }) =>
  ({ kind: "update", id: String(id), values, idempotencyKey: `u${id}`, expected: hashes(expected) }) as const;
const remove = (id: number, expected: { [field: string]: Value }) =>
  ({ kind: "delete", id: String(id), idempotencyKey: `d${id}`, expected: hashes(expected) }) as const;
const hashes = (values: { [field: string]: Value }) =>
  Object.fromEntries(Object.entries(values).map(([field, value]) => [field, hashValue(value)]));
const write = (operations: WriteOperation[], rest: { fields?: string[]; assertMaySend?: () => void } = {}) =>
  connection.write?.({ entity, operations, ...rest }) ?? Promise.resolve([]);
const rowsOf = async (...ids: number[]) =>
  (await client.query("SELECT id, name, note FROM person WHERE id = ANY ($1) ORDER BY id", [ids])).rows;

test("is told as a capability of tables, not of what is read-only", () => {
  const config = { host: "h", database: "d" };
  expect(postgresConnector.capabilitiesOf(config, entity)).toContain("conditionalWrite");
  expect(postgresConnector.capabilitiesOf(config, { ...entity, readOnly: true })).not.toContain("conditionalWrite");
});

test("writes what holds what is expected, and answers the others as they stand", async () => {
  await client.query("UPDATE person SET name = 'Newer' WHERE id IN (2, 4)");
  const outcomes = await write(
    [
      update(1, { name: "A" }, { name: "Person 1" }),
      update(2, { name: "B" }, { name: "Person 2" }),
      update(999, { name: "C" }, { name: "Person 999" }),
      remove(3, { name: "Person 3" }),
      remove(4, { name: "Person 4" }),
      remove(998, { name: "x" }),
    ],
    { fields: ["note"] },
  );
  expect(outcomes).toMatchObject([
    { status: "done", id: "1", values: { name: "A" } },
    { status: "conflict", record: { id: "2", values: { name: "Newer", note: "as it was" } } },
    { status: "missing" },
    { status: "done", id: "3" },
    { status: "conflict", record: { id: "4", values: { name: "Newer" } } },
    { status: "missing" },
  ]);
  expect(await rowsOf(1, 2, 3, 4)).toMatchObject([{ name: "A" }, { name: "Newer" }, { name: "Newer" }]);
});

test("an edit of another field is no conflict, and stays", async () => {
  await client.query("UPDATE person SET note = 'edited' WHERE id = 1");
  expect(await write([update(1, { name: "A" }, { name: "Person 1" })])).toMatchObject([{ status: "done" }]);
  expect(await rowsOf(1)).toEqual([{ id: 1, name: "A", note: "edited" }]);
});

test("people who edit all the time lose nothing to whole batches that are written meanwhile", async () => {
  const editor = await server.client();
  const edited = new Map<number, string>();
  let isOver = false;
  const edits = (async () => {
    for (let round = 0; !isOver; round += 1) {
      const id = 1 + ((round * 37) % 300);
      const name = `Edit ${round}`;
      await editor.query("UPDATE person SET name = $2 WHERE id = $1", [id, name]);
      edited.set(id, name);
    }
  })();
  const written = new Map<number, string>();
  const overwritten: string[] = [];
  for (let round = 0; round < 15; round += 1) {
    const { rows } = await client.query("SELECT id, name FROM person ORDER BY id");
    const operations = rows.map(({ id, name }) => update(id, { name: `Accord ${round} ${name}` }, { name }));
    const outcomes = [...(await write(operations.slice(0, 150))), ...(await write(operations.slice(150)))];
    outcomes.forEach((outcome, index) => {
      if (outcome.status === "done") written.set(rows[index].id, `Accord ${round} ${rows[index].name}`);
    });
  }
  isOver = true;
  await edits;
  await editor.end();
  // Each value that stands there is either somebody's last edit, or was written knowing of it.
  const { rows } = await client.query("SELECT id, name FROM person");
  for (const { id, name } of rows) {
    const last = edited.get(id);
    if (last !== undefined && !name.endsWith(last)) overwritten.push(`${id}: ${last} → ${name}`);
  }
  expect(edited.size).toBeGreaterThan(20);
  expect(written.size).toBeGreaterThan(20);
  expect(overwritten).toEqual([]);
});

test("a row that somebody holds locked is left for later, without waiting for it; the others are written", async () => {
  const other = await server.client();
  await other.query("BEGIN; UPDATE person SET name = 'Not yet' WHERE id = 2");
  const operations = [1, 2, 3].map((id) => update(id, { name: `New ${id}` }, { name: `Person ${id}` }));
  const outcomes = await write(operations);
  expect(outcomes).toMatchObject([{ status: "done" }, { status: "retry", neverSent: true }, { status: "done" }]);
  await other.query("COMMIT");
  await other.end();
  expect(await write(operations.slice(1, 2))).toMatchObject([
    { status: "conflict", record: { values: { name: "Not yet" } } },
  ]);
});

test("an edit that commits while the statement waits its turn is compared as it is then", async () => {
  const other = await server.client();
  await other.query("BEGIN; UPDATE person SET name = 'Just in time' WHERE id = 2");
  const writing = write([update(2, { name: "Old news" }, { name: "Person 2" })]);
  await other.query("SELECT pg_sleep(0.15)");
  await other.query("COMMIT");
  await other.end();
  expect((await writing)[0]?.status).toBe("conflict");
  expect(await rowsOf(2)).toMatchObject([{ name: "Just in time" }]);
});

test("a refused row is told with its reason, and leaves the others of its batch written", async () => {
  await client.query("ALTER TABLE person ADD CHECK (name <> 'bad')");
  const outcomes = await write([
    update(1, { name: "ok" }, { name: "Person 1" }),
    update(2, { name: "bad" }, { name: "Person 2" }),
    update(3, { name: "fine" }, { name: "Person 3" }),
  ]);
  expect(outcomes).toMatchObject([
    { status: "done" },
    { status: "rejected", code: "check_failed" },
    { status: "done" },
  ]);
});

test("a caller that may not write any more is asked before each change, and nothing more is sent", async () => {
  let calls = 0;
  const assertMaySend = (): void => {
    calls += 1;
    if (calls > 1) throw new ConnectorError("unavailable", "The lease is over.", { neverSent: true });
  };
  const operations: WriteOperation[] = [
    update(1, { name: "A" }, { name: "Person 1" }),
    update(2, { note: "B" }, { note: "as it was" }),
    remove(3, { name: "Person 3" }),
  ];
  expect(await write(operations, { assertMaySend })).toMatchObject([
    { status: "done" },
    { status: "retry", neverSent: true },
    { status: "retry", neverSent: true },
  ]);
  expect(await rowsOf(1, 2, 3)).toMatchObject([{ name: "A" }, { note: "as it was" }, { name: "Person 3" }]);
});

describe("a caller whose time ends while a locked row is waited for", () => {
  /** May send once: the second change of a request is not sent any more. */
  const once = () => {
    let calls = 0;
    return (): void => {
      calls += 1;
      if (calls > 1) throw new ConnectorError("unavailable", "The lease is over.", { neverSent: true });
    };
  };

  async function whileLocked(id: number, work: () => Promise<void>): Promise<void> {
    const other = await server.client();
    try {
      await other.query("BEGIN");
      await other.query("SELECT FROM person WHERE id = $1 FOR UPDATE", [id]);
      await work();
    } finally {
      await other.query("ROLLBACK");
      await other.end();
    }
  }

  test("is told of the row that is written, and that the locked one was not", () =>
    whileLocked(2, async () => {
      const operations = [1, 2].map((id) => update(id, { name: `New ${id}` }, { name: `Person ${id}` }));
      expect(await write(operations, { assertMaySend: once() })).toMatchObject([
        { status: "done", id: "1", values: { name: "New 1" } },
        { status: "retry", message: "The lease is over." },
      ]);
      expect(await rowsOf(1, 2)).toMatchObject([{ name: "New 1" }, { name: "Person 2" }]);
    }));

  test("is told that nothing was done when the others were only compared", () =>
    whileLocked(2, async () => {
      const operations = [update(1, { name: "A" }, { name: "Newer" }), update(2, { name: "B" }, { name: "Person 2" })];
      await expect(write(operations, { assertMaySend: once() })).rejects.toMatchObject({ neverSent: true });
      expect(await rowsOf(1, 2)).toMatchObject([{ name: "Person 1" }, { name: "Person 2" }]);
    }));
});

test("aborting cancels the statement at the server: nothing is written afterwards", async () => {
  await client.query(`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
    $body$ BEGIN PERFORM pg_sleep(300); RETURN NEW; END $body$;
    CREATE TRIGGER slow BEFORE UPDATE ON person FOR EACH ROW EXECUTE FUNCTION slow()`);
  const abort = new AbortController();
  const operations = [update(1, { name: "A" }, { name: "Person 1" })];
  const writing = connection.write?.({ entity, operations, signal: abort.signal });
  const running =
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE '%UPDATE%person%' AND pid <> pg_backend_pid() AND state = 'active'";
  await expect.poll(async () => (await client.query(running)).rows[0].n).toBe(1);
  abort.abort();
  expect((await writing)?.[0]?.status).toBe("retry");
  // Long before the statement would have ended by itself.
  await expect.poll(async () => (await client.query(running)).rows[0].n).toBe(0);
  expect(await rowsOf(1)).toMatchObject([{ name: "Person 1" }]);
  await client.query("DROP FUNCTION slow CASCADE");
});
