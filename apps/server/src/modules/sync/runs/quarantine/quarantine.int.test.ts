/** Records quarantined, cycles that hang, and sources with timetables: what people see of them and can do about them. */
import { id } from "@accord/contracts";
import { expect, test } from "vitest";
import { ENTITY, INSTANCE } from "../../../../../test-kit/sync-world/sync-world.ts";
import { eventually, inWorkingWorld, type WorkingWorld } from "../../../../../test-kit/sync-world/working-world.ts";
import { scheduleStore } from "../schedule/schedule.store.ts";

const SCHEMA = `"i_${INSTANCE}"`;

/** Entries as failing nodes and refusing destinations leave them. */
async function quarantineRecords({ pool, startWorker, stopWorker, service, person }: WorkingWorld): Promise<void> {
  await startWorker();
  await eventually("a first cycle", async () =>
    (await service.stateOf(person, ENTITY)).lastSyncTime === null ? undefined : true,
  );
  await stopWorker();
  // Read long ago: no later reading brings it. Nothing stands there under the other number any more.
  await pool.query(
    `INSERT INTO outside.a (id, email, name, change) OVERRIDING SYSTEM VALUE VALUES (7, 'g@example.com', 'mended', 0)`,
  );
  const { rows } = await pool.query(`SELECT number FROM ${SCHEMA}.place ORDER BY number LIMIT 1`);
  const entries = [
    ["a".repeat(24), "source", "7", "attach-a", "not_a_number", "“seven” is no number", { email: "g@example.com" }],
    ["b".repeat(24), "source", "8", "attach-a", "too_long", "This is too long", { email: "h@example.com" }],
    ["c".repeat(24), "destination", "9", null, "refused", "The other system said no", { email: "i@example.com" }],
  ];
  for (const [id, direction, externalId, nodeId, code, message, payload] of entries) {
    await pool.query(
      `INSERT INTO ${SCHEMA}.quarantine (id, pipeline_id, place, direction, external_id, node_id, code, message, payload)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [id, ENTITY, rows[0].number, direction, externalId, nodeId, code, message, payload],
    );
  }
}

const page = { count: 50, direction: "next" as const };

test("quarantine is found by reason, node, side and words, and let go with a name on it", () =>
  inWorkingWorld(async (world) => {
    const { service, person } = world;
    await quarantineRecords(world);
    const found = async (filter: object) =>
      (await service.quarantine(person, ENTITY, { ...page, ...filter })).entries.map(({ code }) => code);
    expect(await found({})).toEqual(["refused", "too_long", "not_a_number"]);
    expect(await found({ code: "too_long" })).toEqual(["too_long"]);
    expect(await found({ nodeId: "attach-a" })).toEqual(["too_long", "not_a_number"]);
    expect(await found({ side: "destination" })).toEqual(["refused"]);
    expect(await found({ search: "SAID NO" })).toEqual(["refused"]);
    expect(await found({ search: "g@example.com" })).toEqual(["not_a_number"]);
    const recordId = id("record").parse("d".repeat(24));
    const other = id("record").parse("e".repeat(24));
    await world.pool.query(`UPDATE ${SCHEMA}.quarantine SET record_id = $1 WHERE code = 'refused'`, [recordId]);
    for (const one of [recordId, other])
      await world.pool.query(`INSERT INTO ${SCHEMA}.ledger (entity, record_id, operation) VALUES (1, $1, 'create')`, [
        one,
      ]);
    expect(await found({ recordId })).toEqual(["refused"]);
    expect(await found({ recordId: other })).toEqual([]);
    await expect(found({ recordId: id("record").parse("f".repeat(24)) })).rejects.toMatchObject({ code: "not_found" });

    const waiting = async () =>
      (await service.syncErrors(person, { ...page, status: "UNRESOLVED" })).entries.map(({ code, isPublished }) => [
        code,
        isPublished,
      ]);
    expect(await waiting()).toEqual([
      ["refused", true],
      ["too_long", true],
      ["not_a_number", true],
    ]);
    expect(await service.dismiss(person, ENTITY, { filter: { code: "too_long" } })).toEqual({ dismissed: 1 });
    const { entries, open } = await service.quarantine(person, ENTITY, page);
    expect(open).toBe(2);
    expect(entries.find(({ code }) => code === "too_long")).toMatchObject({
      status: "RESOLVED",
      dismissedBy: "Ada L",
      dismissedAt: expect.any(String),
    });
    await expect(service.dismiss(person, ENTITY, { ids: ["b".repeat(24)] })).rejects.toMatchObject({
      code: "not_found",
    });

    await scheduleStore(world.pool).unpublish(INSTANCE, ENTITY);
    expect(await waiting(), "nothing is tried any more").toEqual([
      ["refused", false],
      ["not_a_number", false],
    ]);
    expect(await service.dismiss(person, ENTITY, { filter: { code: "refused" } })).toEqual({ dismissed: 1 });
    expect(await waiting()).toEqual([["not_a_number", false]]);
  }));

test("what is let go is not tried now and then either; a newer change of its record still is", () =>
  inWorkingWorld(async (world) => {
    const { service, person, pool } = world;
    await quarantineRecords(world);
    await pool.query(`UPDATE ${SCHEMA}.quarantine SET record_id = 'given-up' WHERE external_id = '9'`);
    await pool.query(
      `INSERT INTO ${SCHEMA}.quarantine (id, pipeline_id, place, direction, record_id, code, message)
       SELECT $1, pipeline_id, place, direction, 'changed', code, message FROM ${SCHEMA}.quarantine WHERE record_id = 'given-up'`,
      ["d".repeat(24)],
    );
    await pool.query(
      `INSERT INTO ${SCHEMA}.delivery (place, record_id, attempts, next_at)
       SELECT place, record_id, CASE record_id WHEN 'changed' THEN 1 ELSE 4 END, now() + interval '15 minutes'
       FROM ${SCHEMA}.quarantine WHERE record_id IS NOT NULL`,
    );
    expect(await service.dismiss(person, ENTITY, { filter: { code: "refused" } })).toEqual({ dismissed: 2 });
    const { rows } = await pool.query(`SELECT record_id, parked FROM ${SCHEMA}.delivery ORDER BY record_id`);
    expect(rows).toEqual([
      { record_id: "changed", parked: false },
      { record_id: "given-up", parked: true },
    ]);
  }));

test("after a fix, the records of one reason are tried again as they stand now and get through", () =>
  inWorkingWorld(async (world) => {
    const { service, person, pool } = world;
    await quarantineRecords(world);
    expect(await service.replay(person, ENTITY, { filter: { code: "not_a_number" } })).toEqual({
      replayed: 1,
      cleared: 0,
      unreadable: 0,
    });
    await world.startWorker();
    await eventually("the record", async () => {
      const { rows } = await pool.query(`SELECT name FROM ${SCHEMA}."r_Contact" WHERE email = 'g@example.com'`);
      return rows[0]?.name === "mended" ? true : undefined;
    });
    await world.stopWorker();
    const { entries } = await service.quarantine(person, ENTITY, page);
    expect(entries.map(({ code, status }) => [code, status])).toEqual([
      ["refused", "OPEN"],
      ["too_long", "OPEN"],
      ["not_a_number", "RESOLVED"],
    ]);
  }));

test("a record that is gone since it was quarantined does not come back when it is tried again", () =>
  inWorkingWorld(async (world) => {
    const { service, person, pool } = world;
    await quarantineRecords(world);
    await service.replay(person, ENTITY, { filter: { code: "too_long" } });
    await world.startWorker();
    await eventually("the end of it", async () => {
      const { entries } = await service.quarantine(person, ENTITY, { ...page, code: "too_long" });
      return entries[0]?.status === "RESOLVED" ? true : undefined;
    });
    await world.stopWorker();
    const { rows } = await pool.query(`SELECT 1 FROM ${SCHEMA}."r_Contact" WHERE email = 'h@example.com'`);
    expect(rows).toEqual([]);
  }));

test("a cycle that has not got on for a quarter of an hour is stalled, loses its pipeline, and the next recovers", () =>
  inWorkingWorld(async (world) => {
    const { service, person, pool } = world;
    const schedule = scheduleStore(pool);
    const hung = await schedule.acquire("a worker whose system never answers", []);
    if (!hung) throw new Error("nothing was due");
    const isOurs = async (): Promise<boolean> =>
      (await schedule.renew(hung, { activity: "Reading", hasGotOn: false })).signal !== "lost";
    expect(await isOurs()).toBe(true);
    await pool.query("UPDATE sync_pipeline SET heard_at = now() - interval '14 minutes'");
    expect(await schedule.releaseStalled(15 * 60)).toBe(0);
    await pool.query("UPDATE sync_pipeline SET heard_at = now() - interval '16 minutes'");
    // Renewing the lease without getting on doesn't hide it.
    expect(await isOurs()).toBe(true);
    expect(await schedule.releaseStalled(15 * 60)).toBe(1);
    expect(await isOurs()).toBe(false);
    expect((await service.stateOf(person, ENTITY)).status).toBe("STALLED");
    await world.addOutside("a", "one@example.com", "a");
    await world.startWorker();
    await eventually("a cycle that ends", async () => {
      const { status, lastSyncTime } = await service.stateOf(person, ENTITY);
      return lastSyncTime !== null && status === "RUNNING" ? status : undefined;
    });
  }));
