/** Values of secret fields that an older version stored as they came: sealed wherever they stand, once, and nothing else. */
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { FieldSchema } from "@accord/contracts/data/schema";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../test-kit/database/database.ts";
import { testSecrets } from "../../../../../test-kit/test-secrets.ts";
import { instanceSchema } from "../../../../platform/db/db.ts";
import { migrateInstance } from "../../../../platform/db/migrations.ts";
import { SEALED_VALUE_PREFIX } from "../../../../platform/secrets/secrets.ts";
import { createTable } from "../../../data/schema/index.ts";
import { sealStoredValues } from "./seal-stored-values.store.ts";

const [I, J] = ["a".repeat(24), "b".repeat(24)] as [Id<"instance">, Id<"instance">];
const [P, Q] = ["c".repeat(24), "d".repeat(24)];
const entity = (id: string, apiName: string, ...passwords: string[]): CoreEntity =>
  ({
    id,
    apiName,
    fields: ["name", "pin", "code"].map((name) =>
      FieldSchema.parse({
        apiName: name,
        displayName: name,
        dataType: passwords.includes(name) ? "password" : "string",
      }),
    ),
  }) as unknown as CoreEntity;
const SECRET = entity(P, "Secret", "pin", "code");
const OPEN = entity(Q, "Open");

async function instances() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool } = database.data;
  for (const instance of [I, J]) {
    const schema = `"${instanceSchema(instance)}"`;
    await migrateInstance(pool, instance);
    for (const one of [OPEN, SECRET]) for (const statement of createTable(instance, one)) await pool.query(statement);
    for (const one of [OPEN, SECRET]) {
      await pool.query(`INSERT INTO ${schema}.sync_entity (pipeline_id) VALUES ($1)`, [one.id]);
      await pool.query(
        `INSERT INTO ${schema}."r_${one.apiName}" (accord_id, accord_origin, name, pin)
         SELECT lpad(n::text, 5, '0'), '{}', 'Ada', CASE WHEN n <= 1002 THEN '12' || n END FROM generate_series(1, 1003) n`,
      );
      await pool.query(
        `INSERT INTO ${schema}.merge (id, pipeline_id, status, winner_id, loser_ids, before, changes)
         VALUES ($1, $1, 'MERGED', 'w', '{}', '{"w": {"values": {"name": "Ada", "pin": "1"}, "origin": {"pin": {"by": "x", "at": ""}}}}', '{"pin": ["1", "2"], "name": ["a", "b"]}')`,
        [one.id],
      );
      for (const field of ["pin", "name"])
        await pool.query(
          `INSERT INTO ${schema}.conflict (pipeline_id, record_id, field, place, value, at, reason)
           SELECT $1, r || $1, $2, place, to_jsonb('9' || place), '', 'older' FROM unnest(ARRAY['r', 's']) r, unnest(ARRAY[1, 2]) place`,
          [one.id, field],
        );
      await pool.query(
        `INSERT INTO ${schema}.quarantine (id, pipeline_id, place, direction, external_id, code, message, payload)
         VALUES ($1 || 1, $1, 1, 'source', $1, 'bad', '', '{"outsidePin": "1"}'), ($1 || 2, $1, 2, 'source', $1, 'bad', '', NULL)`,
        [one.id],
      );
    }
    const note = (number: number, changes: object, refused: object | null) =>
      pool.query(
        `INSERT INTO ${schema}.ledger (entity, record_id, operation, changes, refused) VALUES ($1, 'r', 'update', $2, $3)`,
        [number, JSON.stringify(changes), refused && JSON.stringify(refused)],
      );
    await note(1, { pin: ["1", "2"] }, null);
    await note(2, { pin: [null, "2"], name: ["a", "b"] }, null);
    await note(2, { name: ["a", "b"] }, { code: ["3", "not_convertible", "outsideCode"] });
    await note(2, { name: ["a", "b"] }, null);
  }
  await pool.query("INSERT INTO sealed_instance (instance_id) VALUES ($1)", [J]);
  const seal = () => sealStoredValues(pool, testSecrets, async () => [OPEN, SECRET]);
  /** Everything, with what is sealed opened again and marked. */
  const all = async (instance: Id<"instance">) => {
    const schema = `"${instanceSchema(instance)}"`;
    const shown = (value: unknown): unknown =>
      typeof value === "string" && value.startsWith(SEALED_VALUE_PREFIX)
        ? `sealed ${testSecrets.openValue(instance, value)}`
        : Array.isArray(value)
          ? value.map(shown)
          : typeof value === "object" && value !== null
            ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shown(item)]))
            : value;
    const rows = async (text: string) =>
      (await pool.query({ text: text.replaceAll("$S", schema), rowMode: "array" })).rows.map(shown);
    const records = (name: string) =>
      `SELECT accord_id, name, pin FROM $S."r_${name}" WHERE accord_id IN ('00001', '01000', '01001', '01002', '01003') ORDER BY 1`;
    return {
      secret: await rows(records("Secret")),
      open: await rows(records("Open")),
      ledger: await rows(`SELECT entity, changes, refused FROM $S.ledger ORDER BY number`),
      merges: await rows(`SELECT id, before, changes FROM $S.merge ORDER BY id`),
      conflicts: await rows(
        `SELECT pipeline_id, field, place, value FROM $S.conflict WHERE record_id LIKE 's%' ORDER BY 1, 2, 3`,
      ),
      quarantineEntries: await rows(`SELECT id, payload FROM $S.quarantine ORDER BY id`),
    };
  };
  return { pool, seal, all };
}

test("are sealed in records, history, merges, conflicts and what is quarantined; other fields, entities and instances stay", async () => {
  const { pool, seal, all } = await instances();
  const before = await all(I);
  await seal();
  const after = await all(I);
  const [pin1, pin2] = [`sealed "1"`, `sealed "2"`];
  expect(after.secret).toEqual([
    ...["00001", "01000", "01001", "01002"].map((id) => [id, "Ada", `sealed "12${Number(id)}"`]),
    ["01003", "Ada", null],
  ]);
  expect(after.open).toEqual(before.open);
  expect(after.ledger).toEqual([
    [1, { pin: ["1", "2"] }, null],
    [2, { pin: [null, pin2], name: ["a", "b"] }, null],
    [2, { name: ["a", "b"] }, { code: [`sealed "3"`, "not_convertible", "outsideCode"] }],
    [2, { name: ["a", "b"] }, null],
  ]);
  expect(after.merges).toEqual([
    [
      P,
      { w: { values: { name: "Ada", pin: pin1 }, origin: { pin: { by: "x", at: "" } } } },
      { pin: [pin1, pin2], name: ["a", "b"] },
    ],
    before.merges[1],
  ]);
  expect(after.conflicts).toEqual([
    [P, "name", 1, "91"],
    [P, "name", 2, "92"],
    [P, "pin", 1, `sealed "91"`],
    [P, "pin", 2, `sealed "92"`],
    [Q, "name", 1, "91"],
    [Q, "name", 2, "92"],
    [Q, "pin", 1, "91"],
    [Q, "pin", 2, "92"],
  ]);
  expect(after.quarantineEntries).toEqual([
    [`${P}1`, { outsidePin: pin1 }],
    [`${P}2`, null],
    [`${Q}1`, { outsidePin: "1" }],
    [`${Q}2`, null],
  ]);
  const { rows } = await pool.query("SELECT instance_id FROM sealed_instance ORDER BY 1");
  expect(rows.map((row) => row.instance_id)).toEqual([I, J]);
});

test("are left alone where an instance is sealed already, and sealed once", async () => {
  const { pool, seal, all } = await instances();
  const before = await all(J);
  await seal();
  expect(await all(J)).toEqual(before);
  const once = await all(I);
  await pool.query("DELETE FROM sealed_instance WHERE instance_id = $1", [I]);
  await seal();
  expect(await all(I)).toEqual(once);
});
