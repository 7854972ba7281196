/** Another server takes the place of the one that was read, with less than was read there: nothing is passed over. */
import type { Cursor, ReadPage } from "@accord/connector-sdk";
import { connectTo, entityNamed } from "@accord/connector-sdk/test-kit";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPostgresServer, type PostgresServer } from "../../../test-systems/postgres-server.ts";
import { postgresConnector } from "../index.ts";

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgresServer();
  await withClient(async (client) => {
    await client.query(`CREATE TABLE stock (id int PRIMARY KEY, name text);
      INSERT INTO stock SELECT n, 'as it was' FROM generate_series(1, 300) n;
      CREATE ROLE plain LOGIN PASSWORD 'plain-word'; GRANT SELECT ON stock TO plain`);
  });
}, 60_000);
afterAll(() => server?.stop());

async function withClient(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = await server.client();
  client.on("error", () => {});
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Each in a transaction of its own. */
const rename = (from: number, count: number, name: string) =>
  withClient(async (client) => {
    for (let id = from; id < from + count; id += 1)
      await client.query("UPDATE stock SET name = $1 WHERE id = $2", [name, id]);
  });

/** Reads to the end, with a connection of its own as each cycle has. */
async function read(cursor: Cursor): Promise<{ pages: ReadPage[]; cursor: Cursor; names: Map<string, unknown> }> {
  const connection = connectTo(postgresConnector, {
    config: { host: "127.0.0.1", port: server.port, database: "postgres", encryption: "none" },
    credentials: { username: "plain", password: "plain-word" },
  });
  const entity = await entityNamed(connection, "stock");
  const pages: ReadPage[] = [];
  for (let at = cursor; ;) {
    const page = await connection.read({ entity, fields: ["id", "name"], cursor: at, mode: "changes", pageSize: 120 });
    pages.push(page);
    at = page.cursor;
    if (!page.drained) continue;
    await connection.close();
    const records = pages.flatMap(({ records: found }) => found);
    return { pages, cursor: at, names: new Map(records.map(({ id, values }) => [id, values["name"]])) };
  }
}

test("after a failover to a server that lagged behind all rows are read again, and those that vanished looked for", async () => {
  const first = await read(null);
  expect(first.names.size).toBe(300);
  const failOver = await server.standby();
  await rename(1, 50, "lost");
  const before = await read(first.cursor);
  expect(before.names.size).toBe(50);
  expect(before.pages.some(({ missedDeletes }) => missedDeletes)).toBe(false);

  await failOver();
  // By now the other server has given out more transaction numbers than were read.
  await rename(101, 100, "after");
  const after = await read(before.cursor);
  expect(after.names.size).toBe(300);
  expect(after.names.get("101")).toBe("after");
  expect(after.names.get("1")).toBe("as it was");
  expect(after.pages.every(({ missedDeletes }) => missedDeletes)).toBe(true);

  const rest = await read(after.cursor);
  expect(rest.names.size).toBe(0);
  await rename(7, 1, "later");
  expect([...(await read(rest.cursor)).names.keys()]).toEqual(["7"]);
}, 60_000);

test("a position that names no server stays valid, and gets one with the next look", async () => {
  const { cursor } = await read(null);
  const { origin, ...seen } = (cursor as { seen: Record<string, string> }).seen;
  expect(origin).toMatch(/^\d+\/\d+$/);
  const old = { ...(cursor as object), seen } as Cursor;
  const atRest = await read(old);
  expect(atRest.names.size).toBe(0);
  expect(atRest.cursor).toEqual(cursor);

  await rename(9, 1, "changed");
  expect([...(await read(old)).names.keys()]).toEqual(["9"]);
  const failOver = await server.standby();
  await failOver();
  await rename(10, 100, "after");
  expect((await read(atRest.cursor)).names.size).toBe(300);
}, 60_000);

test("a role that may not ask which server it is reads as before", async () => {
  await withClient((client) => client.query("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC"));
  const { cursor, names } = await read(null);
  expect(names.size).toBe(300);
  await rename(11, 2, "unknown origin");
  expect([...(await read(cursor)).names.keys()].toSorted()).toEqual(["11", "12"]);
}, 60_000);
