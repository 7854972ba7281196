/** Changes by hand: what each kind leaves of its record, its history and its deliveries, and that other records stay. */
import type { Id } from "@accord/contracts";
import { describe, expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../test-kit/database/database.ts";
import { CUSTOMER, storeWorld } from "../../../../../test-kit/replay/store-world.ts";
import type { ManualChange } from "../../../data/records/index.ts";
import { applyUserEdits } from "./user-edits.store.ts";

const [ADA, EVE, BOB] = ["a".repeat(24), "e".repeat(24), "b".repeat(24)] as [Id<"record">, Id<"record">, Id<"record">];
const NOW = "2026-05-01T00:00:00.000Z";
const ORIGIN = { name: { by: "crm.customer", at: "2025" }, phone: { by: "books.client", at: "2025" } };

/** Ada is there in version 3, Bob is deleted; both have links, deliveries and conflicts. Eve is nobody yet. */
async function studio() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool, instanceId, pipelineId, schema } = await storeWorld(database);
  const records = `${schema}."r_Customer"`;
  for (const [id, deleted] of [
    [ADA, false],
    [BOB, true],
  ] as const) {
    await pool.query(
      `INSERT INTO ${records} (accord_id, accord_version, accord_deleted, accord_origin, accord_updated_at, name, phone)
       VALUES ($1, 3, $2, $3, now() - interval '1 year', 'Ada', '1')`,
      [id, deleted, ORIGIN],
    );
    await pool.query(`INSERT INTO ${schema}.link (place, external_id, record_id) VALUES (1, $1, $1)`, [id]);
    await pool.query(
      `INSERT INTO ${schema}.conflict (pipeline_id, record_id, field, place, at, reason) VALUES ($2, $1, 'name', 1, '', 'older')`,
      [id, pipelineId],
    );
    await pool.query(
      `INSERT INTO ${schema}.delivery (place, record_id, wanted, attempts, next_at, intent)
       VALUES (1, $1, 5, 3, now() + interval '2 hours', NULL), (2, $1, 5, 3, now() + interval '2 hours', 'update'),
              (3, $1, 5, 3, now() + interval '2 hours', NULL)`,
      [id],
    );
    await pool.query(
      `INSERT INTO ${schema}.merged_record (loser_id, merge_id, winner_id) VALUES ($1, 'm' || $1, 'w')`,
      [id],
    );
  }
  const hand = (change: ManualChange, sinkPlaces: readonly number[] = [1, 2]) =>
    applyUserEdits(
      pool,
      { instanceId, pipelineId, entity: CUSTOMER, actor: { userId: "u", name: "Uma" }, sinkPlaces, now: NOW },
      [change],
    );
  const record = async (id: string) =>
    (
      await pool.query(
        `SELECT accord_version AS version, accord_deleted AS deleted, accord_origin AS origin, name, phone,
                accord_updated_at > now() - interval '1 hour' AS fresh FROM ${records} WHERE accord_id = $1`,
        [id],
      )
    ).rows[0];
  const history = async () =>
    (
      await pool.query(
        `SELECT record_id, operation, changes, user_id, user_name, entity, place, cycle FROM ${schema}.ledger ORDER BY number`,
      )
    ).rows;
  /** Hours until each delivery of a record is due, with its attempts, by place. */
  const told = async (id: string) => {
    const { rows } = await pool.query(
      `SELECT place, wanted - 5 AS more, attempts, round(extract(epoch FROM next_at - now()) / 3600)::int AS hours
       FROM ${schema}.delivery WHERE record_id = $1 ORDER BY place`,
      [id],
    );
    return rows.map(({ place, more, attempts, hours }) => [place, more, attempts, hours]);
  };
  /** Rows about a record in the tables around it. */
  const around = async (id: string): Promise<number[]> => {
    const counts: number[] = [];
    for (const table of ["link", "delivery", "conflict"]) {
      const { rows } = await pool.query(`SELECT FROM ${schema}.${table} WHERE record_id = $1`, [id]);
      counts.push(rows.length);
    }
    return counts;
  };
  return { pool, schema, hand, record, history, told, around };
}

const NOTED = { user_id: "u", user_name: "Uma", entity: 1, place: null, cycle: null };
const UNTOLD = [1, 2, 3].map((place) => [place, 0, 3, 2]);
const BY_HAND = { by: "user", at: NOW };

describe("by hand, a record", () => {
  test("is changed in the fields that say something else, whose origin is then a person", async () => {
    const { hand, record, history, told, around } = await studio();
    const bob = await record(BOB);
    const change = { kind: "update", recordId: ADA, values: { name: "Ida", phone: "1" }, expectedVersion: 3 } as const;
    expect(await hand(change)).toEqual([{ status: "done", version: 4 }]);
    expect(await record(ADA)).toEqual({
      ...{ version: 4, deleted: false, name: "Ida", phone: "1", fresh: true },
      origin: { name: BY_HAND, phone: ORIGIN.phone },
    });
    expect(await record(BOB)).toEqual(bob);
    expect(await history()).toEqual([
      { ...NOTED, record_id: ADA, operation: "update", changes: { name: ["Ada", "Ida"] } },
    ]);
    expect(await told(ADA), "ahead of all others, but not of an attempt in doubt").toEqual([
      [1, 1, 0, -24],
      [2, 1, 0, 2],
      [3, 0, 3, 2],
    ]);
    expect([await told(BOB), await around(ADA)]).toEqual([UNTOLD, [1, 3, 1]]);
  });

  test("has its history in the table of its month, also where no pipeline has run in it yet", async () => {
    const { pool, schema, hand } = await studio();
    await hand({ kind: "update", recordId: ADA, values: { name: "Ida" } });
    const { rows } = await pool.query(
      `SELECT tableoid::regclass::text LIKE '%' || to_char(now(), 'YYYY_MM') || '%' AS fits FROM ${schema}.ledger`,
    );
    expect(rows).toEqual([{ fits: true }]);
  });

  test("is cleared where a field says null", async () => {
    const { hand, record, history } = await studio();
    await hand({ kind: "update", recordId: ADA, values: { phone: null } });
    expect(await record(ADA)).toMatchObject({ version: 4, name: "Ada", phone: null });
    expect((await history())[0]?.changes).toEqual({ phone: ["1", null] });
  });

  test("stays as it is where nothing changes, where it moved on, and where it is not there", async () => {
    const { hand, record, history, told } = await studio();
    const before = await record(ADA);
    expect(await hand({ kind: "update", recordId: ADA, values: { name: "Ada" } })).toEqual([
      { status: "unchanged", version: 3 },
    ]);
    expect(await hand({ kind: "update", recordId: ADA, values: { name: "Ida" }, expectedVersion: 2 })).toEqual([
      { status: "stale", version: 3 },
    ]);
    expect(await hand({ kind: "update", recordId: EVE, values: { name: "Ida" } })).toEqual([{ status: "missing" }]);
    expect(await hand({ kind: "restore", recordId: ADA })).toEqual([{ status: "unchanged", version: 3 }]);
    expect(await hand({ kind: "delete", recordId: BOB, deleteInEndSystems: true })).toEqual([
      { status: "unchanged", version: 3 },
    ]);
    expect([await record(ADA), await history(), await told(ADA), await told(BOB)]).toEqual([
      before,
      [],
      UNTOLD,
      UNTOLD,
    ]);
  });

  test("is made with what is entered", async () => {
    const { hand, record, history, told } = await studio();
    const values = { name: "Eve", phone: null };
    expect(await hand({ kind: "create", recordId: EVE, values })).toEqual([{ status: "done", version: 1 }]);
    expect(await record(EVE)).toMatchObject({ version: 1, deleted: false, name: "Eve", phone: null });
    expect((await record(EVE)).origin).toEqual({ name: BY_HAND, phone: BY_HAND });
    expect(await history()).toEqual([
      { ...NOTED, record_id: EVE, operation: "create", changes: { name: [null, "Eve"] } },
    ]);
    expect((await told(EVE)).map(([place, , attempts, hours]) => [place, attempts, hours])).toEqual([
      [1, 0, -24],
      [2, 0, -24],
    ]);
    const nobody = "c".repeat(24) as Id<"record">;
    expect(await hand({ kind: "create", recordId: nobody, values: {} }, [])).toEqual([{ status: "done", version: 1 }]);
    expect([(await record(nobody)).name, await told(nobody)]).toEqual([null, []]);
  });

  test("is deleted with its end systems: it stays as deleted, and they are told", async () => {
    const { hand, record, history, told, around } = await studio();
    expect(await hand({ kind: "delete", recordId: ADA, deleteInEndSystems: true })).toEqual([
      { status: "done", version: 4 },
    ]);
    expect(await record(ADA)).toMatchObject({ version: 4, deleted: true, name: "Ada", origin: ORIGIN });
    expect(await history()).toEqual([{ ...NOTED, record_id: ADA, operation: "delete", changes: {} }]);
    expect((await told(ADA))[0]).toEqual([1, 1, 0, -24]);
    expect(await around(ADA)).toEqual([1, 3, 1]);
  });

  test("is deleted without its end systems: it goes for good, only its links stay, and nobody is told", async () => {
    const { pool, schema, hand, record, history, around } = await studio();
    await pool.query(`UPDATE ${schema}.delivery SET intent = 'create' WHERE record_id = $1 AND place = 3`, [ADA]);
    expect(await hand({ kind: "delete", recordId: ADA, deleteInEndSystems: false })).toEqual([
      { status: "done", version: 4 },
    ]);
    expect([await record(ADA), await around(ADA)], "and what may be one more copy").toEqual([undefined, [1, 1, 0]]);
    const { rows } = await pool.query(`SELECT record_id, version FROM ${schema}.let_go_record`);
    expect(rows).toEqual([{ record_id: ADA, version: 3 }]);
    const merged = await pool.query(`SELECT loser_id FROM ${schema}.merged_record`);
    expect(merged.rows).toEqual([{ loser_id: BOB }]);
    expect((await record(BOB)).version).toBe(3);
    expect(await around(BOB)).toEqual([1, 3, 1]);
    expect(await history()).toEqual([{ ...NOTED, record_id: ADA, operation: "delete", changes: {} }]);
  });

  test("is deleted without its end systems: whoever was quarantined for one of its copies is tried again", async () => {
    const { pool, schema, hand, told } = await studio();
    const waiting = "w".repeat(24);
    for (const place of [1, 2]) {
      await pool.query(
        `INSERT INTO ${schema}.delivery (place, record_id, wanted, attempts, next_at, parked, taken_id)
         VALUES ($1, $2, 5, 3, now() + interval '2 hours', true, $3)`,
        [place, waiting, ADA],
      );
      await pool.query(
        `INSERT INTO ${schema}.quarantine (id, pipeline_id, place, direction, record_id, code, message)
         VALUES ('q' || $1::int, 'p', $1, 'destination', $2, 'already_linked', '')`,
        [place, waiting],
      );
    }
    await hand({ kind: "delete", recordId: ADA, deleteInEndSystems: false });
    expect(await told(waiting), "at the place of the copy").toEqual([
      [1, 1, 0, 0],
      [2, 0, 3, 2],
    ]);
    const { rows } = await pool.query(`SELECT status FROM ${schema}.quarantine ORDER BY place`);
    expect(rows).toEqual([{ status: "RETRYING" }, { status: "OPEN" }]);
  });

  test("that was deleted is restored, and is no longer merged into another one", async () => {
    const { pool, schema, hand, record, history, told } = await studio();
    expect(await hand({ kind: "restore", recordId: BOB })).toEqual([{ status: "done", version: 4 }]);
    expect(await record(BOB)).toMatchObject({ version: 4, deleted: false, name: "Ada", origin: ORIGIN });
    expect(await history()).toEqual([{ ...NOTED, record_id: BOB, operation: "restore", changes: {} }]);
    expect((await told(BOB))[0]).toEqual([1, 1, 0, -24]);
    const { rows } = await pool.query(`SELECT loser_id FROM ${schema}.merged_record WHERE undone`);
    expect(rows).toEqual([{ loser_id: BOB }]);
  });

  test("that was deleted can be changed as well, and stays deleted", async () => {
    const { hand, record } = await studio();
    await hand({ kind: "update", recordId: BOB, values: { name: "Ida" } });
    expect(await record(BOB)).toMatchObject({ version: 4, deleted: true, name: "Ida" });
  });
});
