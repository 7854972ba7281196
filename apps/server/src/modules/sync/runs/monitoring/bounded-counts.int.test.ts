/** Counts of health that end at their bound before all is looked at, on real storage: each says that there may be more. */
import { COUNTED_UP_TO } from "@accord/contracts/sync/monitoring/health";
import { expect, test } from "vitest";
import { ENTITY, INSTANCE } from "../../../../../test-kit/sync-world/sync-world.ts";
import { inWorkingWorld, type WorkingWorld } from "../../../../../test-kit/sync-world/working-world.ts";
import { instanceSchema } from "../../../../platform/db/db.ts";

const T = `"${instanceSchema(INSTANCE)}"`;
const [A, B] = [1, 2];

const inBoundedWorld = (scenario: (world: WorkingWorld) => Promise<void>): Promise<void> =>
  inWorkingWorld(async (world) => {
    for (const connector of ["a", "b"])
      await world.pool.query(`INSERT INTO ${T}.place (pipeline_id, connector_id, entity) VALUES ($1, $2, 'contact')`, [
        ENTITY,
        connector,
      ]);
    await scenario(world);
  });

/** Statistics as autovacuum has them soon after so many rows. */
const reasonsOf = async ({ pool, service, person }: WorkingWorld, message: "refused" | "waiting") => {
  await pool.query("ANALYZE");
  return ((await service.stateOf(person, ENTITY)).health?.reasons ?? [])
    .filter((reason) => reason.message === message)
    .map(({ nodeId, count, isLowerBound }) => [nodeId, count, isLowerBound ?? false]);
};

test("values refused of one field among many others are no fewer than is said", async () => {
  await inBoundedWorld(async (world) => {
    const { pool, service, person } = world;
    const refuse = (first: number, last: number) =>
      pool.query(
        `WITH link AS (INSERT INTO ${T}.link (place, external_id, record_id, dead, seen_at)
           SELECT ${A}, n, 'r' || n, false, now() FROM generate_series($1::int, $2) n)
         INSERT INTO ${T}.ledger (entity, record_id, operation, changes, refused, place, external_id)
         SELECT 1, 'r' || n, 'refuse', '{}', json_build_object(CASE n % 2 WHEN 0 THEN 'phone' ELSE 'name' END,
           json_build_array('x', 'not_convertible')), ${A}, n FROM generate_series($1::int, $2) n`,
        [first, last],
      );
    const counted = async () =>
      (await service.errors(person, ENTITY, {})).warnings.map(({ targetId, count, isLowerBound }) => [
        targetId,
        count,
        isLowerBound ?? false,
      ]);
    await refuse(1, COUNTED_UP_TO);
    expect(await counted()).toEqual([
      ["name", COUNTED_UP_TO / 2, false],
      ["phone", COUNTED_UP_TO / 2, false],
    ]);
    expect(await reasonsOf(world, "refused")).toEqual([["source-a", COUNTED_UP_TO, false]]);
    await refuse(COUNTED_UP_TO + 1, 2 * COUNTED_UP_TO);
    expect((await counted()).map(([field, , isLowerBound]) => [field, isLowerBound])).toEqual([
      ["phone", true],
      ["name", true],
    ]);
    expect(await reasonsOf(world, "refused")).toEqual([["source-a", COUNTED_UP_TO + 1, true]]);
  });
});

test("records that wait beside those in quarantine are no fewer than is said", async () => {
  await inBoundedWorld(async (world) => {
    const { pool, service, person } = world;
    const enqueue = (first: number, last: number) =>
      pool.query(
        `INSERT INTO ${T}.delivery (place, record_id, next_at)
         SELECT ${B}, 'r' || n, now() + n * interval '1 second' FROM generate_series($1::int, $2) n`,
        [first, last],
      );
    const quarantine = (first: number, last: number) =>
      pool.query(
        `INSERT INTO ${T}.quarantine (id, pipeline_id, place, direction, status, record_id, node_id, code, message)
         SELECT lpad(n::text, 8, '0'), $3, ${B}, 'destination', 'OPEN', 'r' || n, 'sink-b', 'bad', ''
         FROM generate_series($1::int, $2) n`,
        [first, last, ENTITY],
      );
    const waiting = () => reasonsOf(world, "waiting");
    await enqueue(1, COUNTED_UP_TO);
    await quarantine(1, 10);
    expect(await waiting()).toEqual([["sink-b", COUNTED_UP_TO - 10, false]]);
    await enqueue(COUNTED_UP_TO + 1, COUNTED_UP_TO + 5);
    expect(await waiting()).toEqual([["sink-b", COUNTED_UP_TO - 9, true]]);
    expect((await service.errors(person, ENTITY, {})).warnings).toMatchObject([{ code: "bad", count: 10 }]);

    await quarantine(11, COUNTED_UP_TO + 1);
    expect(await waiting(), "nothing among those that were looked at").toEqual([["sink-b", 0, true]]);
    expect((await service.errors(person, ENTITY, {})).warnings).toMatchObject([
      { code: "bad", count: COUNTED_UP_TO, isLowerBound: true },
    ]);
  });
});
