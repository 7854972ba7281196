/** What dry runs read of places, links and records as they are stored: exactly what they ask for, and nothing is numbered. */
import type { Id } from "@accord/contracts";
import { FieldSchema } from "@accord/contracts/data/schema";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../test-kit/database/database.ts";
import { instanceSchema } from "../../../../platform/db/db.ts";
import { migrateInstance } from "../../../../platform/db/migrations.ts";
import { createTable } from "../../../data/schema/index.ts";
import { type ChosenKey, isQueryTimeout, storedStateStore } from "./stored-state.store.ts";

const I = "a".repeat(24) as Id<"instance">;
const [P, Q] = ["c".repeat(24), "d".repeat(24)] as [Id<"entity">, Id<"entity">];
const T = `"${instanceSchema(I)}"`;
const MANY = Array.from({ length: 13 }, (_, index) => `text${index}`);
const field = (apiName: string, dataType = "string", isMultiValueField = false) =>
  FieldSchema.parse({ apiName, displayName: apiName, dataType, isMultiValueField });
const PERSON = {
  apiName: "Person",
  fields: [
    field("age", "integer"),
    field("kind", "picklist"),
    field("tags", "string", true),
    ...MANY.map((name) => field(name)),
  ],
};

/** Places 1 and 2 are of P, 3 of Q. */
async function world() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool } = database.data;
  await migrateInstance(pool, I);
  for (const statement of createTable(I, PERSON)) await pool.query(statement);
  await pool.query(
    `INSERT INTO ${T}.place (pipeline_id, connector_id, entity, read_fields, told_fields)
     VALUES ($1, 'crm', 'company', '{a,b}', '{b}'), ($1, 'books', 'customer', '{}', '{c}'), ($2, 'crm', 'person', '{}', '{}')`,
    [P, Q],
  );
  return { pool, stored: storedStateStore(pool) };
}

test("places are those of the pipeline, by their numbers, with their fields in the order of fingerprints", async () => {
  const { stored } = await world();
  expect(await stored.places(I, P)).toEqual([
    { id: 1, connectorId: "crm", entity: "company", readFields: ["a", "b"], writeFields: ["b"] },
    { id: 2, connectorId: "books", entity: "customer", readFields: [], writeFields: ["c"] },
  ]);
});

test("links are those of one record at the places of one pipeline, or the one of an external record", async () => {
  const { pool, stored } = await world();
  await pool.query(
    `INSERT INTO ${T}.link (place, external_id, record_id, dead, seen) VALUES
       (1, 'x1', 'r1', false, 's'), (2, 'x1', 'r1', true, NULL), (3, 'x1', 'r1', false, NULL), (1, 'x2', 'r2', false, NULL)`,
  );
  const links = await stored.linksOfRecord(I, P, "r1");
  expect(Object.fromEntries([...links].map(([place, { externalId, dead }]) => [place, [externalId, dead]]))).toEqual({
    1: ["x1", false],
    2: ["x1", true],
  });
  expect(await stored.linkAt(I, 1, "x1")).toMatchObject({ externalId: "x1", recordId: "r1", seen: "s", dead: false });
  expect(await stored.linkAt(I, 2, "x1")).toMatchObject({ recordId: "r1", dead: true });
  expect(await stored.linkAt(I, 1, "x2")).toMatchObject({ recordId: "r2" });
  expect(await stored.linkAt(I, 2, "x2")).toBeNull();
});

test("a record in quarantine is as its source sent it last, while it waits", async () => {
  const { pool, stored } = await world();
  const add = (
    id: string,
    more: { place?: number; direction?: string; external?: string; status?: string; payload?: string | null },
  ) => {
    const { place = 1, direction = "source", external = "x1", status = "OPEN", payload = `{"n": "${id}"}` } = more;
    return pool.query(
      `INSERT INTO ${T}.quarantine (id, pipeline_id, place, direction, status, external_id, code, message, payload)
       VALUES ($1, $2, $3, $4, $5, $6, 'bad', '', $7)`,
      [id, P, place, direction, status, external, payload],
    );
  };
  await add("1", {});
  expect(await stored.quarantined(I, 1, "x1")).toEqual({ n: "1" });
  await add("2", { direction: "destination" });
  await add("3", { place: 2 });
  await add("4", { external: "x2" });
  await add("5", { status: "RESOLVED" });
  await add("6", { external: "gone", status: "RESOLVED" });
  await add("7", { external: "empty", payload: null });
  expect(await stored.quarantined(I, 1, "x1")).toEqual({ n: "1" });
  for (const [place, external] of [
    [1, "gone"],
    [1, "empty"],
    [2, "x2"],
    [1, "nobody"],
  ] as const)
    expect(await stored.quarantined(I, place, external), `${place} ${external}`).toBeNull();
  await add("8", { place: 2, external: "exact", payload: '{"n": 12345678901234567890.5}' });
  expect(JSON.stringify(await stored.quarantined(I, 2, "exact"))).toContain("12345678901234567890.5");
});

test("records are chosen once each, live ones, the one changed last first or spread over all, a page after another", async () => {
  const { pool, stored } = await world();
  await pool.query(
    `INSERT INTO ${T}."r_Person" (accord_id, accord_deleted, accord_updated_at)
     SELECT 'r' || n, n = 3, '2026-01-01'::timestamptz + (n / 2) * interval '1 microsecond' FROM generate_series(1, 6) n`,
  );
  const pages = async (order: "latest" | "spread", count: number) => {
    const found: ChosenKey[] = [];
    for (let after: ChosenKey | null = null; ; after = found.at(-1) ?? null) {
      const page = await stored.choose(I, PERSON, { order, after, count });
      found.push(...page);
      if (page.length < count) return found;
    }
  };
  const latest = await pages("latest", 2);
  expect(latest.map(({ recordId }) => recordId)).toEqual(["r6", "r5", "r4", "r2", "r1"]);
  expect(latest[0]?.position).toBe("2026-01-01T00:00:00.000003Z");
  const spread = await pages("spread", 2);
  const positions = spread.map(({ position }) => Number(position));
  expect(positions).toEqual(positions.toSorted((one, other) => other - one));
  expect(spread.map(({ recordId }) => recordId).toSorted()).toEqual(["r1", "r2", "r4", "r5", "r6"]);
});

test("values kept out of a record are known by place and field, empty ones too", async () => {
  const { pool, stored } = await world();
  await pool.query(
    `INSERT INTO ${T}.conflict (pipeline_id, record_id, field, place, value, at, reason) VALUES
       ($1, 'r1', 'name', 1, '"Ada"', '', 'older'), ($1, 'r1', 'age', 1, NULL, '', 'older'),
       ($1, 'r1', 'name', 2, '12345678901234567890', '', 'older'), ($1, 'r2', 'name', 1, '"Eve"', '', 'older')`,
    [P],
  );
  const kept = [...(await stored.keptOut(I, "r1"))].map(([place, fields]) => [place, Object.fromEntries(fields)]);
  expect(Object.fromEntries(kept)).toMatchObject({ 1: { name: ["Ada"], age: [null] } });
  expect(JSON.stringify(Object.fromEntries(kept)[2])).toContain("12345678901234567890");
  expect(kept).toHaveLength(2);
});

test("records are found by words in their texts and by their ids, of live ones at the place, the newest first", async () => {
  const { pool, stored } = await world();
  const add = async (
    id: string,
    values: object,
    { place = 1, dead = false, deleted = false, external = `X-${id}` } = {},
  ) => {
    const columns = Object.keys(values);
    await pool.query(
      `INSERT INTO ${T}."r_Person" (accord_id, accord_deleted${columns.map((name) => `, "${name}"`).join("")})
       VALUES ($1, $2${columns.map((_, index) => `, $${index + 3}`).join("")})`,
      [id, deleted, ...Object.values(values)],
    );
    await pool.query(`INSERT INTO ${T}.link (place, external_id, record_id, dead) VALUES ($1, $2, $3, $4)`, [
      place,
      external,
      id,
      dead,
    ]);
  };
  await add("r1", {
    text0: "Ada Lovelace",
    text11: "twelfth",
    text12: "thirteenth",
    kind: "vip",
    tags: '["tagged"]',
    age: 36,
  });
  await add("r2", { text0: "Ada Byron", text1: "100%_\\ sure" });
  await add("r3", { text0: "Ada" }, { place: 2 });
  await add("r4", { text0: "Ada" }, { dead: true });
  await add("r5", { text0: "Ada" }, { deleted: true });
  const found = async (text: string, count = 10) =>
    (await stored.search(I, { placeId: 1, entity: PERSON, text, count })).map(({ recordId }) => recordId);
  expect(await stored.search(I, { placeId: 1, entity: PERSON, text: "ADA", count: 10 })).toEqual([
    { recordId: "r2", externalId: "X-r2" },
    { recordId: "r1", externalId: "X-r1" },
  ]);
  expect(await found("ada", 1)).toEqual(["r2"]);
  expect(await found("  lace\tada ")).toEqual(["r1"]);
  expect(await found(""), "without a word all are").toEqual(["r2", "r1"]);
  for (const [text, ids] of [
    ["x-r1", ["r1"]],
    ["X-r", []],
    ["r2", ["r2"]],
    ["100%_\\", ["r2"]],
    ["1%s", []],
    ["twelfth", ["r1"]],
  ] as const)
    expect(await found(text), text).toEqual(ids);
  for (const text of ["vip", "tagged", "36", "thirteenth"]) expect(await found(text), text).toEqual([]);
  const words = (count: number) => `${"ada ".repeat(count)}nobody`;
  expect(await found(words(7)), "the eighth word counts").toEqual([]);
  expect(await found(words(8)), "the ninth does not").toEqual(["r2", "r1"]);
});

test("a statement that the limit of time ended is known from any other error", async () => {
  const { pool } = await world();
  const client = await pool.connect();
  const failing = (text: string): Promise<unknown> => client.query(text).catch((error: unknown) => error);
  await client.query("SET statement_timeout = 10");
  expect(isQueryTimeout(await failing("SELECT pg_sleep(5)"))).toBe(true);
  expect(isQueryTimeout(await failing("SELECT 1 / 0"))).toBe(false);
  await client.query("RESET statement_timeout");
  client.release();
  expect(isQueryTimeout(new Error("57014"))).toBe(false);
});
