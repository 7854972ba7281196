/** Times of change without a zone are local times of the database: changes are read by them, and told when they were. */
import { connectTo, entityNamed, fieldNames, readToEnd } from "@accord/connector-sdk/test-kit";
import type { EntitySchema } from "@accord/contracts/data/schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPostgresServer, type PostgresServer } from "../../../test-systems/postgres-server.ts";
import { postgresConnector } from "../index.ts";
import { momentInZone } from "@accord/connector-sdk";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgresServer();
}, 60_000);
afterAll(() => server?.stop());

/** A person chose the watermark of the view, which has none by itself. */
const chosen = (entity: EntitySchema): EntitySchema => ({
  ...entity,
  fields: entity.fields.map((field) => ({
    ...field,
    isIdField: field.apiName === "id",
    isWatermarkField: field.apiName === "updated_at",
  })),
});

const isNow = (time: string | undefined): boolean => Math.abs(Date.parse(time ?? "") - Date.now()) < 60_000;

test.each([
  ["America/New_York", "timestamp"],
  ["Europe/Berlin", "timestamp"],
  ["Asia/Kathmandu", "local_moment"],
  ["UTC", "timestamp"],
  ["America/New_York", "timestamptz"],
])("a change in a database in %s whose times are %s is read, written and told in time", async (zone, type) => {
  const admin = await server.client();
  const name = `db_${zone}_${type}`.replace(/\W/g, "").toLowerCase();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.query(`ALTER DATABASE ${name} SET TimeZone = '${zone}'`);
  const client = await server.client(name);
  await client.query(`
    CREATE DOMAIN local_moment AS timestamp;
    CREATE TABLE customer (id int PRIMARY KEY, name text, updated_at ${type} NOT NULL DEFAULT now());
    CREATE VIEW seen AS SELECT * FROM customer;
    INSERT INTO customer SELECT n, 'Customer ' || n FROM generate_series(1, 3) n`);
  const config = {
    host: "127.0.0.1",
    port: server.port,
    database: name,
    schemas: "public",
    encryption: "none",
    connectSeconds: 1,
  };
  const credentials = { username: "postgres", password: server.password };
  const connection = connectTo(postgresConnector, { config, credentials });
  try {
    const entity = chosen(await entityNamed(connection, "seen"));
    const request = { entity, fields: fieldNames(entity), pageSize: 10, mode: "changes" as const };
    const first = await readToEnd(connection, { ...request, cursor: null });
    expect(first.records.map(({ modifiedAt }) => isNow(modifiedAt))).toEqual([true, true, true]);
    await client.query("UPDATE customer SET updated_at = now() - interval '1 day'");
    await client.query("UPDATE customer SET name = 'Changed', updated_at = now() WHERE id = 2");
    const second = await connection.read({ ...request, cursor: first.cursor });
    expect(
      second.records.map(({ values }) => values["name"]),
      "and nothing else",
    ).toEqual(["Changed"]);
    if (type === "timestamp") {
      await client.query("UPDATE customer SET name = 'In UTC', updated_at = now() AT TIME ZONE 'UTC' WHERE id = 3");
      const third = await connection.read({ ...request, cursor: second.cursor });
      expect(
        third.records.map(({ values }) => values["name"]),
        "of an application that keeps UTC",
      ).toContain("In UTC");
      await client.query("UPDATE customer SET updated_at = now() - interval '1 day' WHERE id = 3");
    }
    const since = new Date(Date.now() - 60_000);
    const range = (times: { since?: Date; until?: Date }) =>
      readToEnd(connection, { ...request, mode: "all", cursor: null, ...times });
    expect((await range({ since })).records.map(({ id }) => id)).toEqual(["2"]);
    expect((await range({ until: since })).records.map(({ id }) => id)).toEqual(["1", "3"]);
    expect((await readToEnd(connection, { ...request, cursor: null, since })).records.map(({ id }) => id)).toEqual([
      "2",
    ]);
    const [one] = (await connection.getByIds?.({ entity, fields: ["name"], ids: ["2"] })) ?? [];
    expect(isNow(one?.modifiedAt)).toBe(true);
    const table = chosen(await entityNamed(connection, "customer"));
    const [made] =
      (await connection.write?.({
        entity: table,
        operations: [{ kind: "create", values: { id: 4, name: "New" }, idempotencyKey: "1" }],
      })) ?? [];
    expect(made?.status === "done" && isNow(made.modifiedAt)).toBe(true);
  } finally {
    await connection.close();
    await client.end();
    await admin.end();
  }
});

test.each([
  ["2026-01-15T12:00:00.123Z", "America/New_York", "2026-01-15T17:00:00.123Z"],
  ["2026-07-15T12:00:00.000Z", "America/New_York", "2026-07-15T16:00:00.000Z"],
  ["2026-11-01T00:59:59.000Z", "America/New_York", "2026-11-01T04:59:59.000Z"],
  ["2026-11-01T01:30:00.000Z", "America/New_York", "2026-11-01T06:30:00.000Z"],
  ["2026-03-08T03:00:00.000Z", "America/New_York", "2026-03-08T07:00:00.000Z"],
  ["2026-03-08T02:30:00.000Z", "America/New_York", "2026-03-08T07:30:00.000Z"],
  ["2026-01-15T12:00:00.000Z", "<-05>+05", "2026-01-15T12:00:00.000Z"],
])("%s on clocks of %s is %s, as PostgreSQL reads it", async (time, zone, moment) => {
  expect(momentInZone(time, zone)).toBe(moment);
  if (zone.startsWith("<")) return;
  const client = await server.client();
  const { rows } = await client.query("SELECT extract(epoch FROM $1::timestamp AT TIME ZONE $2)::float8 AS epoch", [
    time,
    zone,
  ]);
  await client.end();
  expect(Math.round(rows[0].epoch * 1000)).toBe(Date.parse(moment));
});
