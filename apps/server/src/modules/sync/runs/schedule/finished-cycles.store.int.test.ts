/** What the end of a cycle writes down, and when the next one is due. */
import { type CycleSummary, noCounts } from "@accord/sync-engine/run";
import { describe, expect, test } from "vitest";
import { finishedCycle } from "../../../../../test-kit/sync-world/cycle-summaries.ts";
import { I, P, Q, RESYNC, taken } from "./fixtures/schedule.store.ts";

const SUMMARY = finishedCycle({ counts: { ...noCounts(), read: { s: 4 } } });

const AFTER = { dueInMs: 60_000, isResync: false, error: null, isProbing: false, isWorthKeeping: true };

describe("the end of a cycle", () => {
  test("gives the pipeline back and keeps what it did, until it is due again", async () => {
    const { schedule, set, pool, changing, acquired, table } = await taken();
    await set(
      "stalled_at = now(), activity = 'Writing', failures = '{}', cycle_began_at = now() - interval '2 seconds'",
    );
    const summary = {
      ...SUMMARY,
      failures: {
        3: {
          attempts: 1,
          since: 0,
          nextAt: 0,
          problem: { severity: "error", nodeId: "n", code: "c", message: "", detail: null },
        },
      },
    } as CycleSummary;
    const row = await changing(() => schedule.finish(acquired, summary, AFTER));
    expect(row).toMatchObject({
      owner: null,
      lease_until: null,
      stalled_at: null,
      activity: "Waiting",
      failures: { 3: { attempts: 1 } },
      is_due: false,
      error: null,
      paused: false,
      probing: false,
      last_cycle: { outcome: "finished", positions: [] },
      resync: null,
      last_resync_at: null,
      whole_sources: [],
    });
    expect(Number(row?.["last_cycle_ms"])).toBeGreaterThanOrEqual(2_000);
    expect(row?.["last_finished_at"]).not.toBeNull();
    const { rows: kept } = await pool.query(`SELECT * FROM ${table(I, "cycle")}`);
    expect(kept).toMatchObject([
      {
        pipeline_id: P,
        is_resync: false,
        version_number: 1,
        outcome: "finished",
        counts: { read: { s: 4 } },
        problems: [],
      },
    ]);
    expect(Number(kept[0]?.number)).toBe(acquired.cycleNumber);
  });

  test("says nothing once the pipeline was lost", async () => {
    const { schedule, pool, acquired, table, mine } = await taken();
    const position = { nodeId: "s", cursor: "5", of: "changes" as const, isComplete: true };
    await schedule.finish({ ...acquired, epoch: 9 }, { ...SUMMARY, positions: [position] }, AFTER);
    expect((await mine())?.["owner"]).toBe("me");
    expect((await pool.query(`SELECT FROM ${table(I, "cycle")}`)).rowCount).toBe(0);
    expect((await schedule.beginning(I, P)).positions.size).toBe(0);
  });

  test("writes positions down, those of a resync with it, and nothing of a cycle that did nothing", async () => {
    const { schedule, pool, set, acquired, table, mine } = await taken();
    await set(`resync = '${JSON.stringify({ ...RESYNC, status: "PROCESSING", recordsRead: 3, cursors: { old: 1 } })}'`);
    const positions: CycleSummary["positions"] = [
      { nodeId: "s", cursor: "5", of: "changes", isComplete: true },
      { nodeId: "t", cursor: { at: 2 }, of: "changes" },
      { nodeId: "u", cursor: "7", of: "resync", resyncId: "r" },
      null,
    ];
    await schedule.finish(
      acquired,
      { ...SUMMARY, positions, resync: { resyncId: "r", done: false, finished: ["u"] } },
      { ...AFTER, isResync: true, isWorthKeeping: false },
    );
    const { positions: stored } = await schedule.beginning(I, P);
    expect([...stored].map(([node, { cursor, isComplete }]) => [node, cursor, isComplete])).toEqual([
      ["s", "5", true],
      ["t", { at: 2 }, false],
    ]);
    expect(stored.get("s")?.ageMs).toBeLessThan(60_000);
    expect((await schedule.beginning(I, Q)).positions.size).toBe(0);
    expect(await mine()).toMatchObject({
      resync: { status: "PROCESSING", finished: ["u"], reading: 0, recordsRead: 7, cursors: { old: 1, u: "7" } },
      last_resync_at: null,
      whole_sources: [],
    });
    expect((await pool.query(`SELECT FROM ${table(I, "cycle")}`)).rowCount).toBe(0);
  });

  test("of a resync that is through ends it; one of everything has its sources count as read whole", async () => {
    for (const [scope, whole] of [
      ["all", ["s", "x"]],
      ["after", ["x"]],
    ] as const) {
      const { schedule, set, acquired, mine } = await taken();
      await set(`resync = '${JSON.stringify({ ...RESYNC, scope })}', whole_sources = '{x}'`);
      await schedule.finish(
        acquired,
        { ...SUMMARY, resync: { resyncId: "r", done: true, finished: ["s"] } },
        { ...AFTER, isResync: true },
      );
      const row = await mine();
      expect(row).toMatchObject({ resync: null });
      expect(new Set(Object.values(row?.["whole_sources"] ?? {}))).toEqual(new Set(whole));
      expect(row?.["last_resync_at"]).not.toBeNull();
    }
    const { schedule, set, acquired, mine } = await taken();
    await set(`resync = '${JSON.stringify({ ...RESYNC, status: "CANCEL_REQUESTED" })}', whole_sources = '{x}'`);
    await schedule.finish(acquired, { ...SUMMARY, outcome: "cancelled" }, AFTER);
    expect(await mine()).toMatchObject({ resync: null, whole_sources: ["x"] });
  });

  test("of a resync leaves the one alone that a newer version has put in its place", async () => {
    for (const [outcome, done] of [
      ["finished", true],
      ["finished", false],
      ["paused", false],
      ["cancelled", false],
    ] as const) {
      const { schedule, set, acquired, mine } = await taken();
      await set(`resync = '${JSON.stringify({ ...RESYNC, resyncId: "next" })}'`);
      const resync = { resyncId: "r", done, finished: ["s"] };
      const positions = [{ nodeId: "s", cursor: "7", of: "resync", resyncId: "r" } as const];
      await schedule.finish(acquired, { ...SUMMARY, outcome, positions, resync }, { ...AFTER, isResync: true });
      expect(await mine(), outcome).toMatchObject({
        resync: { resyncId: "next", status: "NEW", cursors: {}, finished: [], recordsRead: 0 },
        last_resync_at: null,
        whole_sources: [],
      });
    }
  });

  test("takes no word back of what the one before said about records, where it did nothing", async () => {
    const { schedule, set, acquired, mine } = await taken();
    const problems = [
      { severity: "warning", code: "kept", count: 2 },
      { severity: "warning", code: "of a system" },
      { severity: "error", code: "over", count: 1 },
    ];
    await set(`last_cycle = '${JSON.stringify({ outcome: "finished", problems })}'`);
    await schedule.finish(acquired, SUMMARY, { ...AFTER, isWorthKeeping: false });
    expect(await mine()).toMatchObject({ last_cycle: { problems: [{ code: "kept" }] } });
    const fresh = await taken();
    await fresh.set("last_cycle = NULL");
    await fresh.schedule.finish(fresh.acquired, SUMMARY, { ...AFTER, isWorthKeeping: false });
    expect(await fresh.mine()).toMatchObject({ last_cycle: { problems: [] } });
  });

  test.each([
    ["goes on", { paused: false, probing: false }, {}, { paused: false, probing: false, error: null }],
    [
      "stays paused by a person",
      { paused: true, probing: false },
      { isProbing: true },
      { paused: true, probing: false },
    ],
    [
      "stops for an error",
      { paused: false, probing: false },
      { error: { message: "x", detail: null } },
      { paused: true, probing: false, error: { message: "x" } },
    ],
    [
      "stops for an outage and is looked after",
      { paused: false, probing: false },
      { error: { message: "x", detail: null }, isProbing: true },
      { paused: true, probing: true },
    ],
    [
      "is looked after on",
      { paused: true, probing: true },
      { error: { message: "x", detail: null }, isProbing: true },
      { paused: true, probing: true },
    ],
    [
      "goes on once the outage is over",
      { paused: true, probing: true },
      {},
      { paused: false, probing: false, error: null },
    ],
  ])("a pipeline that %s", async (_, before, next, after) => {
    const { schedule, set, acquired, mine } = await taken();
    await set(`paused = ${before.paused}, probing = ${before.probing}`);
    await schedule.finish(acquired, SUMMARY, { ...AFTER, ...next });
    expect(await mine()).toMatchObject(after);
  });

  test("has what it was woken for done at once", async () => {
    const { schedule, acquired, mine } = await taken();
    await schedule.requestCycle(I, P);
    await schedule.finish(acquired, SUMMARY, AFTER);
    expect(await mine()).toMatchObject({ is_due: true, poked: true });
  });
});
