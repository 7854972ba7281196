/** Resyncs and the beginnings of cycles, as the schedule stores them. */
import { describe, expect, onTestFinished, test } from "vitest";
import { WAKE_CHANNEL } from "./cycle-requests.store.ts";
import type { ResyncRow } from "./pipeline-rows.store.ts";
import { I, J, P, Q, RESYNC, world, taken } from "./fixtures/schedule.store.ts";

describe("a resync", () => {
  test("is asked for once at a time", async () => {
    const { schedule, set, changing } = await world();
    await set("due_at = now() + interval '1 hour', poked = false, resync_turn = false");
    expect(await changing(() => schedule.startResync(I, P, RESYNC))).toMatchObject({
      resync: { status: "NEW" },
      resync_turn: true,
      is_due: true,
      poked: true,
    });
    expect(await schedule.startResync(I, P, { ...RESYNC, resyncId: "second" })).toBeNull();
  });

  test("begins under its lease, and knows about how many records there are", async () => {
    const { schedule, pool, set, changing, acquired, table, mine } = await taken();
    const begin = (scope: ResyncRow["scope"], status = "NEW") =>
      set(`resync = '${JSON.stringify({ ...RESYNC, scope, status })}'`);
    await pool.query(`INSERT INTO ${table(I, "link")} (place, external_id, record_id, dead)
      VALUES (1, '1', 'a', false), (1, '2', 'b', false), (1, '3', 'c', true), (2, '4', 'd', false), (3, '5', 'e', false)`);
    await begin("all");
    expect(await changing(() => schedule.beginResync(acquired, [1, 2]))).toMatchObject({
      resync: { status: "PROCESSING", about: 3 },
    });
    await begin("after");
    await schedule.beginResync(acquired, [1]);
    expect(await mine()).toMatchObject({ resync: { status: "PROCESSING", about: null } });
    await begin("all");
    await schedule.beginResync(acquired, [9]);
    expect(await mine()).toMatchObject({ resync: { status: "PROCESSING", about: null } });
    await begin("all");
    await schedule.beginResync({ ...acquired, epoch: 9 }, [1]);
    expect(await mine()).toMatchObject({ resync: { status: "NEW" } });
    await begin("all", "CANCEL_REQUESTED");
    await schedule.beginResync(acquired, [1]);
    expect(await mine()).toMatchObject({ resync: { status: "CANCEL_REQUESTED" } });
  });

  test("is called off at once where nobody began it, else after the page under way", async () => {
    const waiting = await world();
    await waiting.set(`resync = '${JSON.stringify(RESYNC)}', due_at = now() + interval '1 hour', poked = false`);
    expect(await waiting.changing(() => waiting.schedule.cancelResync(I, P))).toMatchObject({
      resync: null,
      poked: true,
      is_due: true,
    });
    expect(await waiting.schedule.cancelResync(I, P)).toBeNull();
    const running = await taken();
    await running.set(`resync = '${JSON.stringify(RESYNC)}'`);
    expect(await running.changing(() => running.schedule.cancelResync(I, P))).toMatchObject({
      resync: { status: "CANCEL_REQUESTED" },
    });
  });

  test("that is called off wakes the workers, who have nothing else to go on", async () => {
    const { pool, schedule, set } = await world();
    const client = await pool.connect();
    onTestFinished(() => client.release(true));
    await set(`resync = '${JSON.stringify(RESYNC)}'`);
    const woken: string[] = [];
    client.on("notification", ({ channel }) => woken.push(channel));
    await client.query(`LISTEN ${WAKE_CHANNEL}`);
    await schedule.cancelResync(I, P);
    await expect.poll(() => woken).toEqual([WAKE_CHANNEL]);
    await schedule.cancelResync(I, P);
    await client.query("SELECT 1");
    expect(woken, "there was nothing left to call off").toHaveLength(1);
  });
});

describe("a cycle begins", () => {
  const need = (connectorId: string, readFields: string[], writeFields: string[]) => ({
    connectorId,
    entity: "e",
    readFields,
    writeFields,
  });

  test("with places that keep their numbers and the order of their fields, which only grow", async () => {
    const { schedule } = await world();
    const first = await schedule.settleIn(I, P, [need("a", ["x", "y"], ["x"]), need("b", [], ["z"])]);
    const other = await schedule.settleIn(I, Q, [need("a", ["q"], [])]);
    const second = await schedule.settleIn(I, P, [need("b", ["n"], ["w", "z"]), need("a", ["y", "w"], ["x", "v"])]);
    expect(first.places.map(({ id, readFields, writeFields }) => [id, readFields, writeFields])).toEqual([
      [1, ["x", "y"], ["x"]],
      [2, [], ["z"]],
    ]);
    expect(other.places).toMatchObject([{ id: 3, readFields: ["q"], writeFields: [] }]);
    expect(second.places.map(({ id, readFields, writeFields }) => [id, readFields, writeFields])).toEqual([
      [2, ["n"], ["z", "w"]],
      [1, ["x", "y", "w"], ["x", "v"]],
    ]);
    expect(second.entityNumber).toBe(first.entityNumber);
    expect(other.entityNumber).not.toBe(first.entityNumber);
  });

  test("with what is to be tried again of its own sources, and with what is gone", async () => {
    const { schedule, pool, table } = await world();
    await schedule.settleIn(I, P, [need("a", [], []), need("b", [], [])]);
    await schedule.settleIn(I, Q, [need("a", [], [])]);
    const quarantineEntries = (id: string, more: object = {}) => {
      const row = {
        pipeline: P,
        place: 1,
        direction: "source",
        status: "RETRYING",
        code: "bad",
        payload: `{"n": "${id}"}`,
        ...more,
      };
      return pool.query(
        `INSERT INTO ${table(I, "quarantine")} (id, pipeline_id, place, direction, status, external_id, code, message, payload)
         VALUES ($1, $2, $3, $4, $5, $1, $6, '', $7)`,
        [id, row.pipeline, row.place, row.direction, row.status, row.code, row.payload],
      );
    };
    await quarantineEntries("2");
    await quarantineEntries("1");
    await quarantineEntries("3", { place: 2 });
    await quarantineEntries("open", { status: "OPEN" });
    await quarantineEntries("over", { status: "RESOLVED" });
    await quarantineEntries("other", { pipeline: Q, place: 3 });
    await quarantineEntries("told", { direction: "destination" });
    await quarantineEntries("unread", { code: "unreadable" });
    await quarantineEntries("empty", { payload: null });
    await pool.query(`INSERT INTO ${table(I, "link")} (place, external_id, record_id, dead)
      VALUES (1, 'gone', 'a', false), (1, 'dead', 'b', true), (3, 'theirs', 'c', false), (2, 'here', 'd', false), (2, 'gone', 'e', true)`);
    await pool.query(`INSERT INTO ${table(I, "missing_record")} (place, external_id)
      VALUES (1, 'gone'), (1, 'dead'), (3, 'theirs'), (1, 'nobody'), (1, 'here')`);
    expect([...(await schedule.beginning(I, P)).replays]).toEqual([
      [
        1,
        [
          { id: "1", values: { n: "1" } },
          { id: "2", values: { n: "2" } },
          { id: "gone", values: {}, deleted: true },
        ],
      ],
      [2, [{ id: "3", values: { n: "3" } }]],
    ]);
  });

  test("with the word which of its places have nothing left to be told, be it not due, held or parked", async () => {
    const { schedule, pool, table } = await world();
    await schedule.settleIn(I, P, [need("a", [], []), need("b", [], []), need("c", [], [])]);
    await schedule.settleIn(I, Q, [need("a", [], [])]);
    await pool.query(`INSERT INTO ${table(I, "delivery")} (place, record_id, wanted, next_at, parked)
      VALUES (1, 'a', 1, now() + interval '1 day', false), (3, 'b', 1, now(), true), (4, 'c', 1, now(), false)`);
    expect([...(await schedule.beginning(I, P)).quiet]).toEqual([2]);
    expect([...(await schedule.beginning(J, P)).quiet]).toEqual([]);
  });
});
