/** Metrics over time on real storage: what stored cycles sum up to, and what a cycle stores of its lag. */
import { expect, test } from "vitest";
import { ENTITY, INSTANCE } from "../../../../../../test-kit/sync-world/sync-world.ts";
import { eventually, inWorkingWorld, type WorkingWorld } from "../../../../../../test-kit/sync-world/working-world.ts";
import { instanceSchema } from "../../../../../platform/db/db.ts";
import { metricHistoryOf } from "./metric-history.store.ts";

const T = `"${instanceSchema(INSTANCE)}"`;

/** Cycles of two seconds that ended at these seconds before the present interval of a quarter of an hour began. */
const addCycles = ({ pool }: WorkingWorld, before: number[], { outcome = "finished", lagMs = 5_000 } = {}) =>
  pool.query(
    `INSERT INTO ${T}.cycle (number, pipeline_id, is_resync, version_number, began_at, finished_at, outcome, counts, problems, lag_ms)
     SELECT coalesce((SELECT max(number) FROM ${T}.cycle), 0) + n, $1, false, 1, ended - interval '2 seconds', ended, $3,
       '{"read": {"a": 10, "b": 5}, "delivered": {"1": 4, "2": 3}, "created": 1, "updated": 2, "deleted": 3, "refused": 4, "quarantined": 5}', '[]', $4
     FROM (SELECT n, to_timestamp(floor(extract(epoch FROM now()) / 900) * 900 - seconds) AS ended
           FROM unnest($2::int[]) WITH ORDINALITY AS one(seconds, n)) cycles`,
    [ENTITY, before, outcome, lagMs],
  );

test("[SYN-135] metrics over time sum up the cycles of each interval, and say where none are kept", () =>
  inWorkingWorld(async (world) => {
    const { service, person } = world;
    const empty = await service.metricHistory(person, ENTITY, "24h");
    expect([empty.intervals.length, empty.keptSince, empty.countedSince]).toEqual([96, null, null]);
    expect(new Set(empty.intervals.map(({ averageMs }) => averageMs))).toEqual(new Set([null]));
    await addCycles(world, [10, 20, 901]);
    await addCycles(world, [30], { outcome: "failed", lagMs: 60_000 });
    await addCycles(world, [3 * 86_400]);
    const { intervals, from, to, keptSince } = await service.metricHistory(person, ENTITY, "24h");
    const sums = { read: 15, changed: 6, written: 7, refused: 4, quarantined: 5, averageMs: 2_000, longestMs: 2_000 };
    expect(intervals.at(-1)).toMatchObject({ cycles: 0, read: 0, averageMs: null, lagMs: null });
    expect(intervals.at(-2)).toMatchObject({
      ...{ cycles: 3, failedCycles: 1, read: 45, changed: 18, written: 21, refused: 12, quarantined: 15 },
      ...{ averageMs: 2_000, longestMs: 2_000, lagMs: 60_000 },
    });
    expect(intervals.at(-3)).toMatchObject({ ...sums, cycles: 1, failedCycles: 0, lagMs: 5_000 });
    expect(intervals.reduce((sum, { cycles }) => sum + cycles, 0)).toBe(4);
    expect(Date.parse(to) - Date.parse(from)).toBe(86_400_000);
    expect(Date.parse(keptSince ?? "")).toBeLessThan(Date.parse(from));
    // A week has the old one as well, and the cycles of its intervals are those that the log lists for their times.
    const week = await service.metricHistory(person, ENTITY, "7d");
    expect(week.intervals.reduce((sum, { cycles }) => sum + cycles, 0)).toBe(5);
    for (const [index, interval] of intervals.entries()) {
      if (interval.cycles === 0) continue;
      const end = Date.parse(intervals[index + 1]?.from ?? to) - 1;
      const filter = { kinds: ["cycle" as const], from: interval.from, to: new Date(end).toISOString() };
      const { entries } = await service.log(person, ENTITY, "published", {
        query: { count: 50, direction: "next" },
        filter,
      });
      expect(entries).toHaveLength(interval.cycles);
    }
  }));

test("of more cycles than it counts, a history counts the newest, and says since when", () =>
  inWorkingWorld(async (world) => {
    await addCycles(world, [10, 1_000, 2_000, 3_000]);
    const scope = { instanceId: INSTANCE, pipelineId: ENTITY };
    const span = { seconds: 900, intervals: 96, now: new Date() };
    const cut = await metricHistoryOf(world.pool, scope, span, 2);
    expect(cut.intervals.map(({ cycles }) => cycles)).toEqual([1, 1]);
    expect(Date.parse(cut.countedSince ?? "")).toBe(cut.from + 95 * 900_000 - 1_000_000);
    const all = await metricHistoryOf(world.pool, scope, span, 5);
    expect([all.intervals.length, all.countedSince]).toEqual([4, null]);
  }));

test("[SYN-135] a cycle stores how long before it the last one had ended, whether that was kept or not", () =>
  inWorkingWorld(async (world) => {
    const { pool, service, person } = world;
    const lags = async () => {
      const { rows } = await pool.query(`SELECT lag_ms::float8 AS lag FROM ${T}.cycle ORDER BY number`);
      return rows.map(({ lag }) => lag);
    };
    await world.addOutside("a", "one@example.com", "first");
    await world.startWorker();
    await eventually("a first cycle", async () => ((await lags()).length > 0 ? true : undefined));
    await world.stopWorker();
    const before = await lags();
    expect(before[0]).toBeNull();
    await pool.query("UPDATE sync_pipeline SET last_finished_at = now() - interval '2 hours'");
    await world.addOutside("a", "two@example.com", "first");
    await world.startWorker();
    await eventually("a cycle after it", async () =>
      Math.max(...(await lags()).slice(before.length)) >= 7_200_000 ? true : undefined,
    );
    await world.stopWorker();
    const { intervals } = await service.metricHistory(person, ENTITY, "1h");
    expect(Math.max(...intervals.map(({ lagMs }) => lagMs ?? 0))).toBeGreaterThanOrEqual(7_200_000);
  }));
