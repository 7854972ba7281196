/** References to records that are not there yet, in the core and at destinations: kept, set later, sent on. */
import { EntitySchema, type FieldSchema } from "@accord/contracts/data/schema";
import { contactFields, contactSchema } from "@accord/sync-simulation";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../../test-kit/database/database.ts";
import { untilIdle } from "../../../../test-kit/sync-world/sync-cycle.ts";
import {
  editOutside,
  INSTANCE,
  makeSyncWorld,
  oneByOne,
  type SystemName,
  syncWorldNeeds,
} from "../../../../test-kit/sync-world/sync-world.ts";
import { systemClock } from "../../../platform/clock.ts";
import type { Pool } from "../../../platform/db/db.ts";
import { makeNewId } from "../../../platform/ids.ts";
import { makeLog } from "../../../platform/log/log.ts";
import type { RunsDependencies } from "../runs/index.ts";

const SCHEMA = `"i_${INSTANCE}"`;
let pool: Pool;
let needs: RunsDependencies;

/** In this world a contact's note is the contact it reports to. */
const referring = (
  fields: readonly FieldSchema[],
  dataType: "string" | "reference",
  referenceTo: string,
): FieldSchema[] => fields.map((field) => (field.apiName === "note" ? { ...field, dataType, referenceTo } : field));

beforeEach(async () => {
  const database = await testDatabase();
  pool = database.data.pool;
  await makeSyncWorld(pool);
  const world = syncWorldNeeds(pool);
  const schema = EntitySchema.parse({ ...contactSchema, fields: referring(contactSchema.fields, "string", "contact") });
  needs = {
    ...world,
    schema: {
      ...world.schema,
      getEntity: async (at, id) =>
        ({
          ...(await world.schema.getEntity(at, id)),
          fields: active(referring(contactFields, "reference", "Contact")),
        }) as never,
    },
    connectors: {
      ...world.connectors,
      entitySchema: async (...call) => ({ ...(await world.connectors.entitySchema(...call))!, schema }),
      findPlaces: (...call) => oneByOne(needs.connectors, ...call),
    },
  };
  return () => database.drop();
});

const active = (fields: readonly FieldSchema[]): unknown[] => fields.map((field) => ({ ...field, status: "ACTIVE" }));

const settle = () => untilIdle({ pool, needs, log: makeLog({ logLevel: "error" }), newId: makeNewId(systemClock) });

const insert = (name: SystemName, email: string, boss: string | null): Promise<void> =>
  editOutside(pool, name, "INSERT INTO $table (email, name, note) VALUES ($1, $1, $2)", [email, boss]);

/** Who reports to whom, by e-mail. */
async function bosses(where: SystemName | "core"): Promise<Record<string, string | null>> {
  const [table, id] = where === "core" ? [`${SCHEMA}."r_Contact"`, "accord_id"] : [`outside.${where}`, "id::text"];
  const { rows } = await pool.query(
    `SELECT c.email, b.email AS boss, c.note FROM ${table} c LEFT JOIN ${table} b ON b.${id} = c.note ORDER BY c.email`,
  );
  return Object.fromEntries(rows.map((row) => [row.email, row.boss ?? row.note]));
}

async function waiting(): Promise<number> {
  const { rows } = await pool.query(
    `SELECT ((SELECT count(*) FROM ${SCHEMA}.pending_reference) + (SELECT count(*) FROM ${SCHEMA}.waiting_reference))::int AS n`,
  );
  return rows[0].n;
}

test("a child that comes before its parent gets its reference when the parent appears, and every system is notified of it", async () => {
  await insert("b", "padding@x.org", null);
  await insert("a", "child@x.org", "2");
  await insert("a", "parent@x.org", null);
  await insert("a", "late@x.org", "99");
  await settle();
  const expected = { "child@x.org": "parent@x.org", "late@x.org": null, "padding@x.org": null, "parent@x.org": null };
  expect(await bosses("core")).toEqual(expected);
  expect(await bosses("b")).toEqual(expected);
  expect(await waiting()).toBe(1);

  const { rows } = await pool.query("SELECT count(*)::int AS n FROM outside.a");
  expect(rows[0].n).toBe(4);
  await editOutside(pool, "a", "UPDATE $table SET note = '1', change = nextval('outside.change') WHERE email = $1", [
    "late@x.org",
  ]);
  await settle();
  expect((await bosses("core"))["late@x.org"]).toBe("child@x.org");
  expect((await bosses("b"))["late@x.org"]).toBe("child@x.org");
  expect(await waiting()).toBe(0);
});

test("a reference that its source has taken back meanwhile is not set any more", async () => {
  await insert("a", "child@x.org", "2");
  await settle();
  expect(await waiting()).toBe(1);
  await editOutside(pool, "a", "UPDATE $table SET note = NULL, change = nextval('outside.change') WHERE email = $1", [
    "child@x.org",
  ]);
  await settle();
  expect(await waiting()).toBe(0);
  await insert("a", "parent@x.org", null);
  await settle();
  expect((await bosses("core"))["child@x.org"]).toBeNull();
});
