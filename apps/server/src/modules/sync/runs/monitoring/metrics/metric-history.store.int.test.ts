/** Sums over a pipeline's cycles, of days and interval by interval: each cycle in its own interval, none of other pipelines. */
import type { Id } from "@accord/contracts";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../../test-kit/database/database.ts";
import { instanceSchema } from "../../../../../platform/db/db.ts";
import { migrateInstance } from "../../../../../platform/db/migrations.ts";
import { metricHistoryOf } from "./metric-history.store.ts";
import { cycleSums } from "./sync-metrics.store.ts";

const I = "a".repeat(24) as Id<"instance">;
const [P, Q] = ["c".repeat(24), "d".repeat(24)];
const T = `"${instanceSchema(I)}"`;
/** The last interval of five seconds is the one that it is in. */
const NOW = new Date("2026-01-01T00:00:12.000Z");
const at = (seconds: number): string =>
  new Date(Date.parse("2026-01-01T00:00:00.000Z") + seconds * 1_000).toISOString();

interface NewCycle {
  pipeline?: string;
  ranMs?: number;
  outcome?: string;
  isResync?: boolean;
  counts?: object;
  lagMs?: number | null;
}

async function world() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool } = database.data;
  await migrateInstance(pool, I);
  const addCycle = (number: number, endedAt: string, more: NewCycle = {}) => {
    const { pipeline = P, ranMs = 1_000, outcome = "finished", isResync = false, counts = {}, lagMs = null } = more;
    return pool.query(
      `INSERT INTO ${T}.cycle (number, pipeline_id, is_resync, version_number, began_at, finished_at, outcome, counts, problems, lag_ms)
       VALUES ($1, $2, $3, 1, $4::timestamptz - $5 * interval '1 millisecond', $4, $6, $7, '[]', $8)`,
      [number, pipeline, isResync, endedAt, ranMs, outcome, JSON.stringify(counts), lagMs],
    );
  };
  const history = (limit?: number) =>
    metricHistoryOf(pool, { instanceId: I, pipelineId: P ?? "" }, { seconds: 5, intervals: 2, now: NOW }, limit);
  return { pool, addCycle, history };
}

const COUNTS = {
  read: { a: 10, b: 5 },
  delivered: { 1: 4, 2: 3 },
  ...{ created: 1, updated: 2, deleted: 3, refused: 4, quarantined: 5 },
};

test("a cycle counts in the interval that it ended in: its first moment belongs to it, that of the next one does not", async () => {
  const { addCycle, history } = await world();
  expect(await history()).toEqual({ from: Date.parse(at(5)), intervals: [], keptSince: null, countedSince: null });
  await addCycle(1, at(4.999));
  await addCycle(2, at(5), { counts: COUNTS, outcome: "lost", lagMs: 100, ranMs: 500 });
  await addCycle(3, at(9.999), { counts: COUNTS, outcome: "failed", lagMs: 300, ranMs: 1_500 });
  await addCycle(4, at(10), { outcome: "paused" });
  await addCycle(5, at(15));
  await addCycle(9, at(0), { pipeline: Q });
  await addCycle(10, at(7), { pipeline: Q });
  const { keptSince, countedSince, intervals } = await history();
  expect(new Date(keptSince ?? "").toISOString()).toBe(at(4.999));
  expect(countedSince).toBeNull();
  expect(intervals).toEqual([
    {
      ...{ index: 0, cycles: 2, failedCycles: 2, read: 30, changed: 12, written: 14, refused: 8, quarantined: 10 },
      ...{ averageMs: 1_000, longestMs: 1_500, lagMs: 300 },
    },
    {
      ...{ index: 1, cycles: 1, failedCycles: 0, read: 0, changed: 0, written: 0, refused: 0, quarantined: 0 },
      ...{ averageMs: 1_000, longestMs: 1_000, lagMs: null },
    },
  ]);
});

test("of more cycles than are counted the newest are, and the history says since when", async () => {
  const { addCycle, history } = await world();
  for (const number of [1, 2, 3]) await addCycle(number, at(5 + number));
  const { intervals, countedSince } = await history(2);
  expect(intervals).toMatchObject([{ index: 0, cycles: 2 }]);
  expect(new Date(countedSince ?? "").toISOString()).toBe(at(7));
});

test("the sums of days are those of the pipeline's cycles that ended in them, by source and by place", async () => {
  const { pool, addCycle } = await world();
  const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();
  const sums = () => cycleSums(pool, I, P ?? "", 2);
  const none = { created: 0, updated: 0, deleted: 0, refused: 0, quarantined: 0 };
  expect(await sums()).toMatchObject({ ...none, cycles: 0, resyncs: 0, failedCycles: 0, averageCycleMs: null });
  await addCycle(1, hoursAgo(49), { counts: COUNTS });
  await addCycle(2, hoursAgo(47), { counts: COUNTS, outcome: "failed", ranMs: 500 });
  await addCycle(3, hoursAgo(1), { counts: { ...COUNTS, read: { b: 1 } }, isResync: true, ranMs: 1_500 });
  await addCycle(4, hoursAgo(1), { outcome: "paused" });
  await addCycle(9, hoursAgo(1), { counts: COUNTS, pipeline: Q });
  expect(await sums()).toMatchObject({
    ...{ cycles: 3, resyncs: 1, failedCycles: 1, averageCycleMs: 1_000 },
    ...{ created: 2, updated: 4, deleted: 6, refused: 8, quarantined: 10 },
    read: new Map([
      ["a", 10],
      ["b", 6],
    ]),
    delivered: new Map([
      [1, 8],
      [2, 6],
    ]),
  });
});
