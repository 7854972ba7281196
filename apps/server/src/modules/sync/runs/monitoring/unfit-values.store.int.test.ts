/** Values that a destination can't take stand while its delivery is parked for them, as its newest write says. */
import { COUNTED_UP_TO } from "@accord/contracts/sync/monitoring/health";
import { expect, test } from "vitest";
import { I, numberedPlaces, T } from "../../../../../test-kit/sync-world/numbered-places.ts";
import { isStillUnfit, standingProblemsStore } from "./standing-problems.store.ts";

const AT = "2026-01-05T00:00:00.000Z";

async function world() {
  const pool = await numberedPlaces();
  const store = standingProblemsStore(pool);
  const note = (record: string, refused: object, operation = "write") =>
    pool.query(
      `INSERT INTO ${T}.ledger (entity, record_id, operation, at, refused, place, external_id) VALUES (1, $1, $2, $3, $4, 1, $1)`,
      [record, operation, AT, JSON.stringify(refused)],
    );
  const link = (record: string, dead = false) =>
    pool.query(`INSERT INTO ${T}.link (place, external_id, record_id, dead, seen_at) VALUES (1, $1, $1, $2, $3)`, [
      record,
      dead,
      AT,
    ]);
  const park = (record: string, unfit: string | null = "v1") =>
    pool.query(`INSERT INTO ${T}.delivery (place, record_id, parked, unfit) VALUES (1, $1, true, $2)`, [record, unfit]);
  const listed = async (direction: "source" | "destination") => {
    const all = { from: null, direction: "next", count: 9 } as const;
    const { rows } = await store.refusedRecords(I, { places: [{ id: 1, direction }] }, all);
    return rows.map((row) => [row.direction, row.externalId, row.values]);
  };
  return { pool, store, note, link, park, listed };
}

const NAME = { name: ["long", "not_convertible"] };

test("they are listed and counted apart from those that the core can't hold", async () => {
  const { pool, store, note, link, park, listed } = await world();
  for (const record of ["stands", "more", "for a person", "written", "read"]) await link(record);
  await link("gone", true);
  for (const record of ["stands", "more", "for a person", "written", "gone"]) await note(record, NAME);
  for (const record of ["stands", "more", "gone"]) await park(record);
  await park("for a person", null);
  await note("more", { ...NAME, city: ["x", "not_convertible"] });
  await note("read", { phone: ["y", "not_convertible"] }, "refuse");
  // Read again since: what it shows was decided on, and its own refusal is over, not ours.
  await pool.query(`UPDATE ${T}.link SET decided_at = $1::timestamptz + interval '1 hour' WHERE record_id = 'stands'`, [
    AT,
  ]);
  expect(await listed("source")).toEqual([["source", "read", { phone: "y" }]]);
  expect(await listed("destination")).toEqual([
    ["destination", "more", { name: "long", city: "x" }],
    ["destination", "stands", { name: "long" }],
  ]);
  const counted = (await store.refusedValues(I)).map(({ placeId, direction, field, count }) =>
    [placeId, direction, field, count].join(" "),
  );
  expect(counted.toSorted()).toEqual(["1 destination city 1", "1 destination name 2", "1 source phone 1"]);
  await pool.query(`UPDATE ${T}.delivery SET parked = false, unfit = NULL WHERE record_id = 'stands'`);
  expect((await listed("destination")).map(([, record]) => record)).toEqual(["more"]);
});

test("however many they are, those that the core can't hold are counted beside them, and so the other way round", async () => {
  const { pool, store, note, link } = await world();
  const many = COUNTED_UP_TO + 1;
  await link("read");
  await note("read", { phone: ["y", "not_convertible"] }, "refuse");
  await pool.query(
    `WITH record AS (SELECT 'unfit ' || n AS id FROM generate_series(1, $1::int) n),
       linked AS (
         INSERT INTO ${T}.link (place, external_id, record_id, dead, seen_at) SELECT 1, id, id, false, $2::timestamptz FROM record),
       parked AS (INSERT INTO ${T}.delivery (place, record_id, parked, unfit) SELECT 1, id, true, 'v1' FROM record)
     INSERT INTO ${T}.ledger (entity, record_id, operation, at, refused, place, external_id)
     SELECT 1, id, 'write', $2::timestamptz, $3::json, 1, id FROM record`,
    [many, AT, JSON.stringify(NAME)],
  );
  await pool.query(`ANALYZE ${T}.ledger; ANALYZE ${T}.link; ANALYZE ${T}.delivery`);
  const counted = async () =>
    (await store.refusedValues(I)).map(({ direction, field, count, isLowerBound }) =>
      [direction, field, count, isLowerBound ? "or more" : "in all"].join(" "),
    );
  expect(await counted()).toEqual([`destination name ${many} or more`, "source phone 1 in all"]);
  // The other way round: the one that is older than all others is of a write, and they are of readings.
  await pool.query(`UPDATE ${T}.ledger SET operation = CASE operation WHEN 'write' THEN 'refuse' ELSE 'write' END`);
  await pool.query(`INSERT INTO ${T}.delivery (place, record_id, parked, unfit) VALUES (1, 'read', true, 'v1')`);
  expect(await counted()).toEqual([`source name ${many} or more`, "destination phone 1 in all"]);
});

test("their entries are known from all others, which may be forgotten", async () => {
  const { pool, note, park } = await world();
  await note("stands", NAME);
  await note("written", NAME);
  await park("stands");
  const { rows } = await pool.query(`SELECT record_id FROM ${T}.ledger g WHERE ${isStillUnfit(T)}`);
  expect(rows).toEqual([{ record_id: "stands" }]);
});
