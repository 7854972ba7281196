/** The ledger as people read it: by record, entity, cycle and time. */
import { describe, expect, test } from "vitest";
import { I, P, Q, T } from "../../../../../test-kit/sync-world/numbered-places.ts";
import { PAGE, world } from "./fixtures/history.store.ts";

describe("the ledger", () => {
  async function ledger() {
    const it = await world();
    const note = (
      entity: number,
      record: string,
      operation: string,
      more: { at?: string; cycle?: number; changes?: object; refused?: object | null; place?: number | null },
    ) =>
      it.pool.query(
        `INSERT INTO ${T}.ledger (entity, record_id, operation, at, cycle, changes, refused, place, external_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'x')`,
        [
          entity,
          record,
          operation,
          more.at ?? "2026-01-05",
          more.cycle ?? 1,
          JSON.stringify(more.changes ?? {}),
          more.refused ? JSON.stringify(more.refused) : null,
          more.place ?? null,
        ],
      );
    await note(1, "r1", "create", { at: "2026-01-01", changes: { name: [null, "Ada"] }, place: 1 });
    await note(1, "r1", "update", { at: "2026-01-02", cycle: 2, changes: { phone: [null, "1"] } });
    await note(1, "r1", "write", { at: "2026-01-03", cycle: 2, changes: { name: [null, "Ada"] } });
    await note(1, "r2", "refuse", { at: "2026-01-04", cycle: 3, refused: { name: ["Eve", "older"] } });
    await note(2, "r1", "update", { refused: { phone: ["2", "older"] } });
    await note(1, "r1", "refuse", { refused: { name: ["Eve", "older"] } });
    await note(1, "r1", "refuse", { refused: { phone: ["3", "older"] } });
    return it;
  }

  test("is found by pipeline, record, cycle, kind, field and time", async () => {
    const { runs } = await ledger();
    const found = async (filter: object, page: object = {}) =>
      (await runs.ledger(I, filter, { ...PAGE, ...page })).rows.map(({ number }) => number);
    expect(await found({})).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(await found({ pipelineId: Q })).toEqual([5]);
    expect(await found({ recordId: "r2" })).toEqual([4]);
    expect(await found({ cycleNumber: 2 })).toEqual([3, 2]);
    expect(await found({ operation: "create" })).toEqual([1]);
    expect(await found({ field: "phone" })).toEqual([7, 5, 2]);
    expect(await found({ from: "2026-01-02", to: "2026-01-03" })).toEqual([3, 2]);
    expect(await found({}, { count: 1 })).toEqual([7]);
    expect(await found({}, { from: 3 })).toEqual([2, 1]);
    expect(await found({}, { from: 5, direction: "previous", count: 1 })).toEqual([6]);
    expect(await found({}, { from: 2, direction: "previous", count: 1 })).toEqual([3]);
    expect((await runs.ledger(I, { operation: "create" }, PAGE)).rows[0]).toMatchObject({
      pipelineId: P,
      recordId: "r1",
      connectorId: "crm",
      connectorEntity: "company",
      externalId: "x",
      cycleNumber: 1,
      changes: { name: [null, "Ada"] },
      refused: null,
    });
  });

  test("knows whether a record or a cycle was ever there", async () => {
    const { runs, pool } = await ledger();
    expect([await runs.hasRecord(I, "r1"), await runs.hasRecord(I, "r9")]).toEqual([true, false]);
    expect(await runs.hasCycle(I, 1)).toBe(false);
    await pool.query(
      `INSERT INTO ${T}.cycle (number, pipeline_id, is_resync, version_number, began_at, finished_at, outcome, counts, problems)
       SELECT n, CASE WHEN n = 4 THEN '${Q}' ELSE '${P}' END, false, 1, now(), now(), 'finished', '{}', '[]' FROM generate_series(1, 5) n`,
    );
    expect([await runs.hasCycle(I, 1), await runs.hasCycle(I, 9)]).toEqual([true, false]);
    const newest = async (...pipelines: string[]) =>
      [...(await runs.keptProblems(I, pipelines))].map(([pipeline, { number }]) => [pipeline, number]);
    expect([await newest(), await newest(P), await newest(P, Q)]).toEqual([
      [],
      [[P, 5]],
      [
        [P, 5],
        [Q, 4],
      ],
    ]);
    const cycles = async (page: object) =>
      (await runs.cycles(I, P, { ...PAGE, ...page })).rows.map(({ number }) => number);
    expect(await cycles({})).toEqual([5, 3, 2, 1]);
    expect(await cycles({ count: 1 })).toEqual([5]);
    expect(await cycles({ from: 3 })).toEqual([2, 1]);
    expect(await cycles({ from: 1, direction: "previous", count: 1 })).toEqual([2]);
    const isMore = async (count: number) => (await runs.cycles(I, P, { ...PAGE, count })).isMore;
    expect([await isMore(3), await isMore(4)]).toEqual([true, false]);
  });

  test("has the latest cycles of each pipeline, the oldest first, with what they changed and whether they failed", async () => {
    const { runs, pool } = await ledger();
    await pool.query(
      `INSERT INTO ${T}.cycle (number, pipeline_id, is_resync, version_number, began_at, finished_at, outcome, counts, problems)
       SELECT n, CASE WHEN n = 4 THEN '${Q}' ELSE '${P}' END, false, 1, '2026-01-01T00:00:00Z', now(),
              CASE n WHEN 2 THEN 'lost' WHEN 3 THEN 'failed' WHEN 5 THEN 'paused' ELSE 'finished' END,
              jsonb_build_object('created', n, 'updated', 10, 'deleted', 100), '[]' FROM generate_series(1, 5) n`,
    );
    const startedAt = "2026-01-01T00:00:00.000Z";
    const recent = await runs.recentCycles(I, [P, Q, "e".repeat(24)], 3);
    expect(recent.get(P)).toEqual([
      { startedAt, changed: 112, isFailed: true },
      { startedAt, changed: 113, isFailed: true },
      { startedAt, changed: 115, isFailed: false },
    ]);
    expect(recent.get(Q)).toEqual([{ startedAt, changed: 114, isFailed: false }]);
    expect(recent.size).toBe(2);
  });

  test("has the last cycle of a version in which records passed an edge, among the latest five hundred", async () => {
    const { runs, pool } = await world();
    const add = (first: number, last: number, counts: object, { pipeline = P, version = 1 } = {}) =>
      pool.query(
        `INSERT INTO ${T}.cycle (number, pipeline_id, is_resync, version_number, began_at, finished_at, outcome, counts, problems)
         SELECT n, $3, false, $4, now(), now(), 'finished', $5, '[{}]' FROM generate_series($1::int, $2::int) n`,
        [first, last, pipeline, version, JSON.stringify(counts)],
      );
    const found = async (version = 1) => (await runs.lastFlow(I, P, version))?.number;
    expect(await found()).toBeUndefined();
    await add(1, 2, { flow: {} });
    await add(3, 3, { flow: {} }, { version: 2 });
    await add(4, 4, { read: {} });
    await add(5, 5, { flow: {} }, { pipeline: Q });
    expect([await found(1), await found(2), await found(3)]).toEqual([2, 3, undefined]);
    expect(await runs.lastFlow(I, P, 1)).toMatchObject({ versionNumber: 1, counts: { flow: {} }, problems: [] });
    await add(6, 503, {});
    expect([await found(1), await found(2)], "498 and the one before them came since").toEqual([undefined, 3]);
  });

  test("tells a record's past in order, without what was written elsewhere, and what was refused, newest first", async () => {
    const { explain } = await ledger();
    const numbers = (rows: readonly { number: number }[]) => rows.map(({ number }) => number);
    expect(numbers(await explain.past(I, P, "r1"))).toEqual([1, 2, 6, 7]);
    expect(numbers(await explain.refusals(I, P, "r1"))).toEqual([7, 6]);
    expect(numbers(await explain.refusals(I, P, "r1", "name"))).toEqual([6]);
    expect((await explain.past(I, P, "r1"))[0]).toMatchObject({ connectorId: "crm", connectorEntity: "company" });
  });
});
