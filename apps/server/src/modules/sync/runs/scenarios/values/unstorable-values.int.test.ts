/** Values that our own database can't keep or compare: one record is quarantined, its page and the pipeline go on. */
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { contactsIn, ENTITY, INSTANCE } from "../../../../../../test-kit/sync-world/sync-world.ts";
import type { ManualChange } from "../../../../data/records/index.ts";
import { eventually, inWorkingWorld, type WorkingWorld } from "../../../../../../test-kit/sync-world/working-world.ts";

const SCHEMA = `"i_${INSTANCE}"`;
/** Text that compresses to no less than three quarters of it. */
const noise = (bytes: number): string => randomBytes(bytes).toString("base64");

async function fillOutside({ pool }: WorkingWorld, count: number, change: string, values: unknown[]): Promise<void> {
  await pool.query(
    `INSERT INTO outside.a (email, name) SELECT 'p' || i || '@example.com', 'name ' || i FROM generate_series(1, $1) i`,
    [count],
  );
  await pool.query(`UPDATE outside.a SET ${change}`, values);
}

async function quarantineRecords({ pool }: WorkingWorld) {
  const { rows } = await pool.query(
    `SELECT external_id, code, message, status, payload IS NOT NULL AS is_kept FROM ${SCHEMA}.quarantine ORDER BY external_id::int`,
  );
  return rows;
}

const completed = (world: WorkingWorld, count: number): Promise<Map<string, string>> =>
  eventually(`${count} records everywhere`, async () => {
    const [core, other] = [await contactsIn(world.pool, "core"), await contactsIn(world.pool, "b")];
    return core.size === count && other.size === count ? core : undefined;
  });

test("[F10] a text too long for the index of a field that records are compared by puts its record aside, alone", () =>
  inWorkingWorld(async (world) => {
    const { pool, service, person } = world;
    await fillOutside(world, 120, "email = $1 WHERE id IN (37)", [noise(5_000)]);
    await world.startWorker();
    await completed(world, 119);
    const [row] = await quarantineRecords(world);
    expect(row).toEqual({
      external_id: "37",
      code: "unstorable",
      message: expect.stringMatching(
        /^email is compared .* may take up 2,704 bytes, and this one has 6,668 characters\.$/,
      ),
      status: "OPEN",
      is_kept: true,
    });
    expect((await service.errors(person, ENTITY, {})).error).toEqual([]);

    // Shortened in its system, it comes in with the next reading.
    await pool.query(
      "UPDATE outside.a SET email = 'short@example.com', change = nextval('outside.change') WHERE id = 37",
    );
    await completed(world, 120);
    expect(await quarantineRecords(world)).toMatchObject([{ external_id: "37", status: "RESOLVED" }]);
  }));

test("[F10] so does an update to a text far beyond what any index holds", () =>
  inWorkingWorld(async (world) => {
    const { pool } = world;
    await fillOutside(world, 60, "note = 'x' WHERE id = 1", []);
    await world.startWorker();
    await completed(world, 60);
    await pool.query(
      `UPDATE outside.a SET note = 'new', email = CASE WHEN id = 21 THEN $1 ELSE email END,
         change = nextval('outside.change') WHERE id BETWEEN 20 AND 24`,
      [noise(20_000)],
    );
    await eventually("the other updates", async () => {
      const { rows } = await pool.query(`SELECT count(*)::int AS count FROM outside.b WHERE note = 'new'`);
      return rows[0].count === 4 ? true : undefined;
    });
    const [row] = await eventually("the one put aside", async () => {
      const rows = await quarantineRecords(world);
      return rows.length > 0 ? rows : undefined;
    });
    expect(row).toMatchObject({ external_id: "21", message: expect.stringMatching(/^email .* 2,704 bytes/) });
  }));

test("[F10] a value that the database refuses as out of range puts its record aside, with what it says", () =>
  inWorkingWorld(async (world) => {
    await world.pool.query(
      `CREATE FUNCTION ${SCHEMA}.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF NEW.name = 'name 7' THEN RAISE EXCEPTION 'value overflows numeric format' USING ERRCODE = '22003'; END IF;
         RETURN NEW; END $$`,
    );
    await world.pool.query(
      `CREATE TRIGGER refuse BEFORE INSERT ON ${SCHEMA}."r_Contact" FOR EACH ROW EXECUTE FUNCTION ${SCHEMA}.refuse()`,
    );
    await fillOutside(world, 20, "note = 'x' WHERE id = 1", []);
    await world.startWorker();
    await completed(world, 19);
    expect(await quarantineRecords(world)).toMatchObject([
      { external_id: "7", message: "The database can't store this record: value overflows numeric format." },
    ]);
  }));

test("a pipeline that compares a field of which a record holds a text too long for that says which field", () =>
  inWorkingWorld(async (world) => {
    const { pool, service, person } = world;
    await pool.query(`INSERT INTO ${SCHEMA}."r_Contact" (accord_id, email) VALUES ('one', $1)`, [noise(5_000)]);
    await world.startWorker();
    const error = await eventually("the problem", async () => (await service.errors(person, ENTITY, {})).error[0]);
    expect(error.errorMessage).toMatch(/^email can't be compared with other records: .* 2,704 bytes/);
  }));

test("whoever enters a text too long for the index of a field that records are compared by is told which field and how long", () =>
  inWorkingWorld(async (world) => {
    await fillOutside(world, 1, "note = 'x'", []);
    await world.startWorker();
    await completed(world, 1);
    const { rows } = await world.pool.query(`SELECT accord_id FROM ${SCHEMA}."r_Contact"`);
    const entered = { email: noise(5_000) };
    const apply = (change: ManualChange) =>
      world.service.applyManualChange({
        instanceId: INSTANCE,
        entityId: ENTITY,
        actor: { userId: "1a2000000000000000000001", name: "Ada" },
        changes: [change],
      });
    const recordId = rows[0].accord_id;
    for (const change of [
      { kind: "update", recordId, values: entered },
      { kind: "create", recordId: "1a2000000000000000000002" as typeof recordId, values: entered },
    ] as const) {
      await expect(apply(change)).rejects.toMatchObject({
        code: "validation_failed",
        errors: [{ path: "email", message: expect.stringMatching(/2,704 bytes, and this one has 6,668 /) }],
      });
    }
    await expect(apply({ kind: "update", recordId, values: { email: "e".repeat(20_000) } })).resolves.toMatchObject([
      { status: "done" },
    ]);
  }));
