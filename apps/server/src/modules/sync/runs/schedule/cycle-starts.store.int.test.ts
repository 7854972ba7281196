/** What a cycle begins with: fields of places that only grow, ids they are known by, and what is to be taken up first. */
import type { Id } from "@accord/contracts";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../test-kit/database/database.ts";
import { instanceSchema } from "../../../../platform/db/db.ts";
import { migrateInstance } from "../../../../platform/db/migrations.ts";
import { cycleStarts } from "./cycle-starts.store.ts";

const [I, J] = ["a".repeat(24), "b".repeat(24)] as [Id<"instance">, Id<"instance">];
const [P, Q] = ["c".repeat(24), "d".repeat(24)] as [Id<"entity">, Id<"entity">];
const T = `"${instanceSchema(I)}"`;
const need = (connectorId: string, readFields: string[] = [], writeFields: string[] = [], entity = "e") => ({
  connectorId,
  entity,
  readFields,
  writeFields,
});

/** Places 1 and 2 are of P, 3 of Q; J has a place 1 of its P. */
async function world() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool } = database.data;
  for (const instance of [I, J]) await migrateInstance(pool, instance);
  const starts = cycleStarts(pool);
  await starts.settleIn(I, P, [need("a", ["x"], ["y"]), need("b")]);
  await starts.settleIn(I, Q, [need("a")]);
  await starts.settleIn(J, P, [need("a")]);
  const places = async () => {
    const { rows } = await pool.query(
      `SELECT number, pipeline_id, connector_id, entity, read_fields, told_fields, id_field FROM ${T}.place ORDER BY number`,
    );
    return rows;
  };
  return { pool, starts, places };
}

test("a place is one of its pipeline, connector and entity, and its lists of fields keep what they have", async () => {
  const { starts, places } = await world();
  const settled = async (...needs: ReturnType<typeof need>[]) =>
    (await starts.settleIn(I, P, needs)).places.map(({ id, readFields, writeFields }) => [id, readFields, writeFields]);
  expect(await settled(need("a", ["x"], ["y"]))).toEqual([[1, ["x"], ["y"]]]);
  expect(await settled(need("a", [], ["z"])), "only what is written grows").toEqual([[1, ["x"], ["y", "z"]]]);
  expect(await settled(need("a", ["x", "w"])), "only what is read grows").toEqual([[1, ["x", "w"], ["y", "z"]]]);
  expect(await settled(need("a", ["v"], [], "other"), need("c"))).toEqual([
    [expect.any(Number), ["v"], []],
    [expect.any(Number), [], []],
  ]);
  expect(await places()).toMatchObject([
    { number: 1, pipeline_id: P, entity: "e", read_fields: ["x", "w"], told_fields: ["y", "z"] },
    { number: 2, pipeline_id: P, connector_id: "b", read_fields: [], told_fields: [] },
    { number: 3, pipeline_id: Q, connector_id: "a", read_fields: [], told_fields: [] },
    { pipeline_id: P, connector_id: "a", entity: "other", read_fields: ["v"] },
    { pipeline_id: P, connector_id: "c" },
  ]);
});

test("a place whose records are tied by one field keeps it while any of them lives, and says so", async () => {
  const { pool, starts, places } = await world();
  const keep = async (fields: [number, string][]) => [...(await starts.keepIdFields(I, new Map(fields)))];
  const ids = async () => (await places()).map((place) => place.id_field);
  expect(
    await keep([
      [1, "id"],
      [2, "id"],
    ]),
    "the first is taken as it is",
  ).toEqual([]);
  await pool.query(
    `INSERT INTO ${T}.link (place, external_id, record_id, dead) VALUES (1, 'x', 'r', false), (2, 'x', 's', true), (3, 'x', 't', false)`,
  );
  expect(
    await keep([
      [1, "id"],
      [2, "id"],
    ]),
    "nothing changes",
  ).toEqual([]);
  expect(
    await keep([
      [1, "key"],
      [2, "key"],
    ]),
  ).toEqual([[1, "id"]]);
  expect(await ids()).toEqual(["id", "key", null]);
  expect(await keep([[3, "key"]]), "one that has none takes any").toEqual([]);
  expect(await ids()).toEqual(["id", "key", "key"]);
});

test("reading goes on where each source of the pipeline stands", async () => {
  const { pool, starts } = await world();
  await pool.query(
    `INSERT INTO ${T}.source_position (pipeline_id, node_id, cursor, read_at, through, known_until) VALUES
       ('${P}', 's', '"5"', now() - interval '1 minute', true, NULL), ('${P}', 't', '7', now(), false, NULL), ('${Q}', 'u', '9', now(), true, NULL)`,
  );
  const { positions, replays, lostFields, quiet } = await starts.beginning(I, P);
  const reached = [...positions].map(([node, { cursor, isComplete }]) => [node, [cursor, isComplete]]);
  expect(Object.fromEntries(reached)).toEqual({ s: ["5", true], t: [7, false] });
  expect(positions.get("s")?.ageMs).toBeGreaterThanOrEqual(60_000);
  expect([replays.size, lostFields.size, [...quiet]], "and is none of what else a cycle begins with").toEqual([
    0,
    0,
    [1, 2],
  ]);
  expect((await starts.beginning(J, P)).positions.size).toBe(0);
});

test("records to be tried again are not gone; those found to be gone are, and those listed anew say as of when", async () => {
  const { pool, starts } = await world();
  await pool.query(
    `INSERT INTO ${T}.quarantine (id, pipeline_id, place, direction, status, external_id, code, message, payload)
     VALUES ('1', '${P}', 1, 'source', 'RETRYING', 'again', 'bad', '', '{"n": 1}')`,
  );
  await pool.query(
    `INSERT INTO ${T}.link (place, external_id, record_id, dead, modified_at) VALUES
       (1, 'gone', 'r1', false, NULL), (1, 'listed', 'r2', false, '2026-01-01T00:00:00.000Z'), (2, 'gone', 'r3', true, NULL), (3, 'theirs', 'r4', false, NULL)`,
  );
  await pool.query(
    `INSERT INTO ${T}.missing_record (place, external_id, is_listed) VALUES
       (1, 'gone', false), (1, 'listed', true), (1, 'unknown', false), (2, 'gone', false), (3, 'theirs', false)`,
  );
  const replays = async () => [...(await starts.beginning(I, P)).replays];
  const [[place, records] = []] = await replays();
  expect(place).toBe(1);
  expect(records?.toSorted((one, other) => (one.id < other.id ? -1 : 1))).toEqual([
    { id: "again", values: { n: 1 } },
    { id: "gone", values: {}, deleted: true },
    { id: "listed", values: {}, deleted: true, listed: { knownAt: "2026-01-01T00:00:00.000Z" } },
  ]);
  expect(await replays()).toHaveLength(1);
  await starts.forgetMissing(I, 1, ["gone", "theirs"]);
  const { rows } = await pool.query(`SELECT place, external_id FROM ${T}.missing_record ORDER BY 1, 2`);
  expect(rows.map((row) => `${row.place} ${row.external_id}`)).toEqual(["1 listed", "1 unknown", "2 gone", "3 theirs"]);
});

test("fields that places of the pipeline have lost are known, and which places nothing waits to be sent to", async () => {
  const { pool, starts } = await world();
  await pool.query(`UPDATE ${T}.place SET lost_fields = '{"x": "2026"}' WHERE number IN (2, 3)`);
  await pool.query(`INSERT INTO ${T}.delivery (place, record_id) VALUES (2, 'r'), (3, 'r')`);
  const { lostFields, quiet } = await starts.beginning(I, P);
  expect([...lostFields]).toEqual([[2, { x: "2026" }]]);
  expect([...quiet]).toEqual([1]);
});
