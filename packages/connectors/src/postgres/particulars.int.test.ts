/** What PostgreSQL does that other systems don't: types, defaults, rules, roles. */
import { connectTo, entityNamed, fieldNames, latestById, readToEnd } from "@accord/connector-sdk/test-kit";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SELF_SIGNED_CERTIFICATE } from "../../test-systems/self-signed.ts";
import { postgresConnector } from "./index.ts";
import { server, configOf, credentials, newDatabase, setUp } from "./fixtures/postgres.ts";

setUp();

describe("PostgreSQL in particular", () => {
  let client: pg.Client;
  const connect = (config = {}) =>
    connectTo(postgresConnector, { config: { ...configOf("special"), ...config }, credentials });
  beforeAll(async () => {
    client = await newDatabase("special");
  });
  afterAll(() => client?.end());

  test("describes keys, generated columns, options, lengths, other schemas and views", async () => {
    const connection = connect();
    const entities = new Map<string, Awaited<ReturnType<typeof entityNamed>>>();
    for await (const { entity } of connection.discover({})) entities.set(entity.apiName, entity);
    expect([...entities.keys()]).toEqual([
      "active_customer",
      "country",
      "customer",
      "nothing",
      'odd "name',
      "other.thing",
    ]);
    const fields = new Map(entities.get("customer")?.fields.map((field) => [field.apiName, field]));
    expect(fields.get("shout")).toMatchObject({ calculated: true, updateable: false, initializable: false });
    expect(fields.get("state")?.picklist).toEqual([
      { id: "calm", label: "calm" },
      { id: "busy", label: "busy" },
    ]);
    expect(fields.get("email")).toMatchObject({ length: 80, unique: true, nillable: true });
    expect(fields.get("credit")).toMatchObject({ precision: 12, scale: 2 });
    expect(fields.get("labels")).toMatchObject({ dataType: "string", isMultiValueField: true });
    expect(fields.get("updated_at")?.isWatermarkField).toBe(true);
    expect(entities.get("active_customer")).toMatchObject({ readOnly: true });
    expect(entities.get('odd "name')?.fields.filter((field) => field.isIdField)).toMatchObject([
      { displayName: "One + Two", calculated: true, initializable: false, updateable: false },
    ]);
    await connection.close();
  });

  test("a primary key of several columns is the id, not a unique column that may be renamed", async () => {
    await client.query(`CREATE TABLE goods (shop int DEFAULT 7, sku uuid DEFAULT gen_random_uuid(), code text NOT NULL UNIQUE,
      PRIMARY KEY (shop, sku)); CREATE TABLE keyless (n int, code text NOT NULL UNIQUE)`);
    const connection = connect();
    const goods = await entityNamed(connection, "goods");
    expect(goods.fields.filter(({ isIdField }) => isIdField).map(({ apiName }) => apiName)).toEqual(['["shop","sku"]']);
    expect(goods.fields.find(({ apiName }) => apiName === "code")).toMatchObject({ unique: true, updateable: true });
    const keyless = await entityNamed(connection, "keyless");
    expect(keyless.fields.find(({ isIdField }) => isIdField)?.apiName).toBe("code");
    const make = { kind: "create" as const, values: { code: "c1" }, idempotencyKey: "c" };
    const [made] = (await connection.write?.({ entity: goods, operations: [make] })) ?? [];
    const id = made?.status === "done" ? made.id : "";
    const rename = { kind: "update" as const, id, values: { code: "renamed" }, idempotencyKey: "u" };
    expect(await connection.write?.({ entity: goods, operations: [rename] })).toMatchObject([{ status: "done", id }]);
    expect((await client.query("SELECT code FROM goods")).rows).toEqual([{ code: "renamed" }]);
    await client.query("DROP TABLE goods, keyless");
    await connection.close();
  });

  test("reads exact values: decimals, days, times in UTC, lists with commas, big numbers", async () => {
    await client.query(`INSERT INTO customer (id, name, credit, since, labels, updated_at, extra)
      VALUES (9007199254740993, 'Big', 0.10, '2024-02-29', '{"a,b","c\\"d"}', '2024-05-06 07:08:09.123456+02', '{"k":[1,null]}')`);
    const connection = connect();
    const entity = await entityNamed(connection, "customer");
    const [record] =
      (await connection.getByIds?.({ entity, fields: fieldNames(entity), ids: ["9007199254740993"] })) ?? [];
    expect(record?.values).toMatchObject({
      id: "9007199254740993",
      credit: "0.10",
      since: "2024-02-29",
      labels: ["a,b", 'c"d'],
      updated_at: "2024-05-06T05:08:09.123456Z",
      extra: { k: [1, null] },
    });
    expect(record?.modifiedAt).toBe("2024-05-06T05:08:09.123Z");
    await client.query("DELETE FROM customer WHERE id = 9007199254740993");
    await connection.close();
  });

  test("times beyond the calendar are read, and say nothing about when a record changed", async () => {
    await client.query(
      "INSERT INTO customer (id, name, updated_at, since) VALUES (5000, 'Never', 'infinity', '0044-03-15 BC')",
    );
    const connection = connect();
    const entity = await entityNamed(connection, "customer");
    const [record] = (await connection.getByIds?.({ entity, fields: fieldNames(entity), ids: ["5000"] })) ?? [];
    expect(record?.values).toMatchObject({ name: "Never", updated_at: "infinity", since: "-000043-03-15" });
    expect(record).not.toHaveProperty("modifiedAt");
    await client.query("DELETE FROM customer WHERE id = 5000");
    await connection.close();
  });

  test("a value that Accord can't hold costs its field: the rest of the record is read", async () => {
    await client.query("CREATE TABLE vast (id int PRIMARY KEY, name text, size numeric, many numeric[])");
    await client.query(
      "INSERT INTO vast VALUES (1, 'Long', repeat('9', 500)::numeric, ARRAY[1, repeat('8', 500)::numeric])",
    );
    const connection = connect();
    const entity = await entityNamed(connection, "vast");
    const fields = fieldNames(entity);
    const page = await connection.read({ entity, fields, cursor: null, mode: "all", pageSize: 1000 });
    expect(page.bad).toBeUndefined();
    expect(page.records[0]?.values).toEqual({ id: 1, name: "Long" });
    expect(page.records[0]?.badFields).toEqual([
      { field: "size", message: expect.stringMatching(/^Size: "9{57}…" is not a number/), excerpt: "9".repeat(200) },
      { field: "many", message: expect.stringMatching(/^Many: "8{57}…" is not a number/), excerpt: expect.any(String) },
    ]);
    await client.query("DROP TABLE vast");
    await connection.close();
  });

  test("a change that commits after a later one has been read is still found, also from a savepoint", async () => {
    const connection = connect();
    const entity = await entityNamed(connection, "customer");
    const slow = await server.client("special");
    await slow.query("BEGIN");
    await slow.query("SAVEPOINT inside");
    await slow.query("UPDATE customer SET name = 'Late' WHERE id = 1");
    await client.query("UPDATE customer SET name = 'Early' WHERE id = 2");
    const first = await readToEnd(connection, { entity, cursor: null, pageSize: 100 });
    await slow.query("COMMIT");
    await slow.end();
    const second = await readToEnd(connection, { entity, cursor: first.cursor, pageSize: 100 });
    expect(latestById(second.records).get("1")).toMatchObject({ name: "Late" });
    const third = await readToEnd(connection, { entity, cursor: second.cursor, pageSize: 100 });
    expect(third.records).toEqual([]);
    await connection.close();
  });

  test("at rest a pass reads nothing and its position stays the same; a table made anew is read from the beginning", async () => {
    await client.query("CREATE TABLE passing (id int PRIMARY KEY); INSERT INTO passing VALUES (1)");
    const connection = connect();
    const entity = await entityNamed(connection, "passing");
    const first = await readToEnd(connection, { entity, cursor: null, pageSize: 10 });
    const second = await readToEnd(connection, { entity, cursor: first.cursor, pageSize: 10 });
    const third = await readToEnd(connection, { entity, cursor: second.cursor, pageSize: 10 });
    expect([second.records, third.records]).toEqual([[], []]);
    expect(third.cursor).toEqual(second.cursor);
    await client.query("DROP TABLE passing; CREATE TABLE passing (id int PRIMARY KEY); INSERT INTO passing VALUES (1)");
    expect((await readToEnd(connection, { entity, cursor: third.cursor, pageSize: 10 })).records).toHaveLength(1);
    await connection.close();
  });

  test("an id that a person chose and that is not unique is reported, also across pages", async () => {
    await client.query(
      "CREATE TABLE twin (code text, n int); INSERT INTO twin VALUES ('a', 1), ('b', 2), ('b', 3), ('c', 4)",
    );
    const connection = connect();
    const entity = await entityNamed(connection, "twin");
    const chosen = { ...entity, fields: entity.fields.map((f) => ({ ...f, isIdField: f.apiName === "code" })) };
    for (const pageSize of [2, 10]) {
      const request = { entity: chosen, fields: ["n"], mode: "all" as const, pageSize };
      const first = await connection.read({ ...request, cursor: null });
      const second = first.drained
        ? { records: [], bad: [] }
        : await connection.read({ ...request, cursor: first.cursor });
      expect([...first.records, ...second.records].map((record) => record.id)).toEqual(["a", "b", "c"]);
      expect([...(first.bad ?? []), ...(second.bad ?? [])]).toMatchObject([{ place: "id b" }]);
    }
    await connection.close();
  });

  test("views are read by watermark with an overlap, and refuse to be written", async () => {
    const connection = connect({ overlapSeconds: 0 });
    const entity = await entityNamed(connection, "active_customer");
    const withId = {
      ...entity,
      fields: entity.fields.map((field) => ({ ...field, isIdField: field.apiName === "id" })),
    };
    const first = await readToEnd(connection, { entity: withId, cursor: null, pageSize: 7 });
    expect(first.records).toHaveLength(30);
    await client.query("UPDATE customer SET name = 'Seen in the view', updated_at = clock_timestamp() WHERE id = 3");
    const second = await readToEnd(connection, { entity: withId, cursor: first.cursor, pageSize: 7 });
    expect(second.records.map((record) => record.id)).toEqual(["3"]);
    expect(postgresConnector.capabilitiesOf(configOf("special"), withId)).not.toContain("update");
    await connection.close();
  });

  test("refusals name the rule, the field and a code", async () => {
    const connection = connect();
    const entity = await entityNamed(connection, "customer");
    const create = (values: Record<string, string | null>) => ({
      kind: "create" as const,
      values,
      idempotencyKey: "k",
    });
    const outcomes = await connection.write?.({
      entity,
      operations: [
        create({ name: "Twin", email: "c2@example.com" }),
        create({ name: null, email: "n@example.com" }),
        create({ name: "Nowhere", country: "XX" }),
        create({ name: "Text", credit: "a lot" }),
        create({ name: "Vanished", gone: "x" }),
      ],
    });
    expect(outcomes).toMatchObject([
      { status: "rejected", code: "duplicate", message: expect.stringContaining("c2@example.com") },
      { status: "rejected", code: "required", field: "name" },
      { status: "rejected", code: "reference_missing" },
      { status: "rejected", code: "wrong_type" },
      { status: "rejected", code: "unknown_field", field: "gone" },
    ]);
    await connection.close();
  });

  test("a user without rights is told which one is missing, and nothing counts as written", async () => {
    await client.query("CREATE ROLE reader LOGIN PASSWORD 'reader-word'; GRANT SELECT ON customer TO reader");
    const connection = connectTo(postgresConnector, {
      config: configOf("special"),
      credentials: { username: "reader", password: "reader-word" },
    });
    const entity = await entityNamed(connection, "customer");
    expect(entity.readOnly).toBe(true);
    await expect(
      connection.write?.({ entity, operations: [{ kind: "delete", id: "1", idempotencyKey: "k" }] }),
    ).rejects.toMatchObject({ kind: "permission" });
    await connection.close();
  });

  test("accepts a certificate of an authority that was given", async () => {
    const connection = connect({ host: "localhost", encryption: "verified", certificate: SELF_SIGNED_CERTIFICATE });
    await connection.check();
    await connection.close();
  });

  test("what is asked of a closed connection fails, and leaves none open that nobody would close", async () => {
    const connection = connect();
    const entity = await entityNamed(connection, "customer");
    const read = () => connection.read({ entity, fields: ["id"], cursor: null, mode: "changes", pageSize: 5 });
    const underWay = read();
    await connection.close();
    await underWay.catch(() => {});
    await expect(read()).rejects.toMatchObject({ kind: "unavailable", message: expect.stringMatching(/was closed/) });
    const open = () =>
      client.query("SELECT query FROM pg_stat_activity WHERE application_name = 'accord' AND datname = 'special'");
    await expect.poll(async () => (await open()).rows).toEqual([]);
  });

  test("tells changes at once when it may add triggers", async () => {
    const connection = connect({ listen: true });
    const entity = await entityNamed(connection, "customer");
    let hear: (name: string) => void = () => {};
    const heard = new Promise<string>((resolve) => (hear = resolve));
    const stop = await connection.subscribe?.({ entities: [entity], onChange: hear, onBroken: () => {} });
    await client.query("UPDATE customer SET rating = 5 WHERE id = 4");
    expect(await heard).toBe("customer");
    await stop?.();
    await connection.close();
  });

  test("a trigger that is there already is left alone: nobody who writes is waited for, and nobody waits", async () => {
    const connection = connect({ listen: true });
    const entity = await entityNamed(connection, "customer");
    const subscribe = (onChange: (name: string) => void = () => {}) =>
      connection.subscribe?.({ entities: [entity], onChange, onBroken: () => {} });
    const triggers = async () =>
      (await client.query("SELECT oid, xmin, tgtype, tgenabled FROM pg_trigger WHERE tgname = 'accord_notify'")).rows;
    await (
      await subscribe()
    )?.();
    const before = await triggers();
    const writer = await server.client("special");
    try {
      await writer.query("BEGIN; UPDATE customer SET rating = 1 WHERE id = 4");
      const stop = await subscribe();
      expect(await triggers()).toEqual(before);
      await stop?.();
    } finally {
      await writer.query("ROLLBACK");
      await writer.end();
    }
    // One that tells less, or nothing, is mended.
    for (const change of [
      "DROP TRIGGER accord_notify ON customer",
      "ALTER TABLE customer DISABLE TRIGGER accord_notify",
      "CREATE OR REPLACE TRIGGER accord_notify AFTER DELETE ON customer FOR EACH STATEMENT EXECUTE FUNCTION accord_notify()",
      "CREATE OR REPLACE FUNCTION accord_notify() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
    ]) {
      await client.query(change);
      let hear: (name: string) => void = () => {};
      const heard = new Promise<string>((resolve) => (hear = resolve));
      const stop = await subscribe(hear);
      await client.query("UPDATE customer SET rating = 5 WHERE id = 4");
      expect(await heard, change).toBe("customer");
      await stop?.();
    }
    await connection.close();
  });
});
