/** Rows of published pipelines: what each word changes of its own pipeline, and that it touches no other one. */
import type { Id } from "@accord/contracts";
import { type CycleSummary, noCounts } from "@accord/sync-engine/run";
import { describe, expect, onTestFinished, test } from "vitest";
import { finishedCycle } from "../../../../../test-kit/sync-world/cycle-summaries.ts";
import { testDatabase } from "../../../../../test-kit/database/database.ts";
import { instanceSchema } from "../../../../platform/db/db.ts";
import { migrateInstance } from "../../../../platform/db/migrations.ts";
import { WAKE_CHANNEL } from "./cycle-requests.store.ts";
import { deletePipelineData } from "./delete-pipeline-data.store.ts";
import type { ResyncRow } from "./pipeline-rows.store.ts";
import { scheduleStore } from "./schedule.store.ts";
import { fenceRun } from "./fence-run.store.ts";

const [I, J] = ["a".repeat(24), "b".repeat(24)] as [Id<"instance">, Id<"instance">];
const [P, Q] = ["c".repeat(24), "d".repeat(24)] as [Id<"entity">, Id<"entity">];
const ALL = [
  [I, P],
  [I, Q],
  [J, P],
] as const;
const SUMMARY = finishedCycle({ counts: { ...noCounts(), read: { s: 4 } } });
const AFTER = { dueInMs: 60_000, isResync: false, error: null, isProbing: false, isWorthKeeping: true };
const RESYNC: ResyncRow = {
  resyncId: "r",
  nodeIds: ["s"],
  since: null,
  until: null,
  cursors: {},
  finished: [],
  status: "NEW",
  scope: "all",
  requestedAt: "2026",
  recordsRead: 0,
};

/** Two pipelines of one instance, and one of another that has the id of the first; mine is the first. */
async function world() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool } = database.data;
  const schedule = scheduleStore(pool);
  for (const instance of [I, J]) await migrateInstance(pool, instance);
  for (const [instanceId, pipelineId] of ALL)
    await schedule.publish({ instanceId, pipelineId, versionId: "v", versionNumber: 1 }, null);
  /** Sets columns of all rows alike. */
  const set = (assignments: string): Promise<unknown> => pool.query(`UPDATE sync_pipeline SET ${assignments}`);
  const rows = async (): Promise<Map<string, Record<string, unknown>>> => {
    const { rows: all } = await pool.query(
      "SELECT *, due_at <= now() AS is_due, lease_until > now() + interval '25 seconds' AS is_leased FROM sync_pipeline ORDER BY 1, 2",
    );
    return new Map(all.map((row) => [`${row.instance_id}/${row.pipeline_id}`, row]));
  };
  const mine = async () => (await rows()).get(`${I}/${P}`);
  /** Does something and answers my row; no other row may change. */
  const changing = async (work: () => Promise<unknown>) => {
    const before = await rows();
    await work();
    const after = await rows();
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (key) => JSON.stringify(before.get(key)) !== JSON.stringify(after.get(key)),
    );
    expect(changed).toEqual([`${I}/${P}`]);
    return after.get(`${I}/${P}`);
  };
  const table = (instanceId: string, name: string): string => `"${instanceSchema(instanceId)}".${name}`;
  return { pool, schedule, set, rows, mine, changing, table };
}

/** Mine is taken by a worker. */
async function taken() {
  const it = await world();
  await it.pool.query(
    "UPDATE sync_pipeline SET due_at = now() - interval '1 hour' WHERE instance_id = $1 AND pipeline_id = $2",
    [I, P],
  );
  const acquired = await it.schedule.acquire("me", []);
  if (acquired?.instanceId !== I || acquired.pipelineId !== P) throw new Error("mine was not due first");
  return { ...it, acquired };
}

describe("a pipeline", () => {
  test("is taken when it is due for longest, is not paused, and nobody alive holds it", async () => {
    const { schedule, set, changing, pool, mine } = await world();
    await set("due_at = now() + interval '1 minute', poked = true, read_all = true, resync_turn = true");
    expect(await schedule.acquire("me", [])).toBeNull();
    await set("due_at = now() - interval '1 minute'");
    await pool.query(
      "UPDATE sync_pipeline SET due_at = now() - interval '1 hour' WHERE instance_id = $1 AND pipeline_id = $2",
      [I, P],
    );
    let acquired: unknown;
    const row = await changing(async () => (acquired = await schedule.acquire("me", [])));
    expect(acquired).toMatchObject({
      instanceId: I,
      pipelineId: P,
      epoch: 1,
      wasRequested: true,
      isReadAll: true,
      isResyncTurn: true,
      isRunning: true,
    });
    expect(row).toMatchObject({ owner: "me", poked: false, read_all: false, resync_turn: false, is_leased: true });
    expect(row?.["cycle_began_at"]).not.toBeNull();
    expect(row?.["heard_at"]).not.toBeNull();
    await pool.query("UPDATE sync_pipeline SET paused = true WHERE owner IS NULL");
    expect(await schedule.acquire("me", [`${I}/${P}`]), "it runs it, the others are paused").toBeNull();
    expect(await schedule.acquire("you", []), "its owner is alive").toBeNull();
    await set("lease_until = now() - interval '1 second'");
    expect(await schedule.acquire("you", [])).toMatchObject({ pipelineId: P, epoch: 2, wasRequested: true });
    expect(await schedule.acquire("you", []), "a worker that forgot it takes it again").toMatchObject({ epoch: 3 });
    await pool.query("UPDATE sync_pipeline SET owner = NULL, paused = true, probing = true WHERE epoch = 3");
    expect(await schedule.acquire("you", []), "it is looked after").toMatchObject({ epoch: 4 });
    expect((await mine())?.["owner"]).toBe("you");
  });

  test("is taken with the word whether others are due, but for those that this worker runs or will not take now", async () => {
    const { schedule, pool } = await world();
    const [first, second] = [await schedule.acquire("me", []), await schedule.acquire("you", [])];
    expect([first?.isMoreDue, second?.isMoreDue]).toEqual([true, true]);
    const named = ({ instanceId, pipelineId, versionNumber }: NonNullable<typeof first>, version = false): string =>
      `${instanceId}/${pipelineId}${version ? `/${versionNumber}` : ""}`;
    await pool.query("UPDATE sync_pipeline SET due_at = now() - interval '1 hour' WHERE owner IS NULL");
    expect(await schedule.acquire("me", [named(first!)])).toMatchObject({ isMoreDue: false });
    expect(await schedule.acquire("you", [])).toMatchObject({ pipelineId: second?.pipelineId, isMoreDue: false });
    await pool.query("UPDATE sync_pipeline SET lease_until = now() - interval '1 second' WHERE owner = 'me'");
    expect(await schedule.acquire("it", [])).toMatchObject({ isMoreDue: true });
    await pool.query("UPDATE sync_pipeline SET lease_until = now() - interval '1 second'");
    const all = (await schedule.listAll()).map((row) => `${row.instanceId}/${row.pipelineId}`);
    const left = all.filter((name) => name !== named(first!)).map((name) => `${name}/1`);
    expect(await schedule.acquire("her", [], left)).toMatchObject({ isMoreDue: false });
  });

  test("that a worker will not take now is left, in that version", async () => {
    const { schedule } = await world();
    const others = [`${I}/${Q}/1`, `${J}/${P}/1`];
    expect(await schedule.acquire("me", [], [`${I}/${P}/1`, ...others])).toBeNull();
    expect(await schedule.acquire("me", [], [`${I}/${P}/2`, ...others])).toMatchObject({
      instanceId: I,
      pipelineId: P,
    });
  });

  test("is put back as it was taken; not by somebody who lost it", async () => {
    const { schedule, changing, acquired, mine } = await taken();
    await schedule.putBack({ ...acquired, epoch: 7 });
    expect((await mine())?.["owner"]).toBe("me");
    const row = await changing(() => schedule.putBack({ ...acquired, wasRequested: true, isReadAll: true }));
    expect(row).toMatchObject({
      owner: null,
      lease_until: null,
      poked: true,
      read_all: true,
      resync_turn: acquired.isResyncTurn,
    });
    const plain = await taken();
    await plain.schedule.putBack({ ...plain.acquired, wasRequested: false, isReadAll: false });
    expect(await plain.mine()).toMatchObject({ poked: false, read_all: false });
  });

  test("is held as long as its worker says so, and tells what people asked for meanwhile", async () => {
    const { schedule, pool, set, changing, acquired } = await taken();
    await set("lease_until = now(), heard_at = now() - interval '1 hour'");
    const row = await changing(async () =>
      expect(await schedule.renew(acquired, { activity: "Reading", hasGotOn: false })).toEqual({
        signal: "none",
        isRequested: false,
      }),
    );
    expect(row).toMatchObject({ activity: "Reading", is_leased: true });
    const ago = async () =>
      (await pool.query("SELECT now() - heard_at < interval '1 minute' AS fresh FROM sync_pipeline WHERE owner = 'me'"))
        .rows[0].fresh;
    expect(await ago()).toBe(false);
    await schedule.renew(acquired, { activity: "Reading", hasGotOn: true });
    expect(await ago()).toBe(true);
    await set("poked = true, paused = true");
    expect(await schedule.renew(acquired, { activity: "", hasGotOn: false })).toEqual({
      signal: "pause",
      isRequested: true,
    });
    await set("probing = true");
    expect((await schedule.renew(acquired, { activity: "", hasGotOn: false })).signal, "it only looks").toBe("none");
    expect(
      (await schedule.renew({ ...acquired, versionNumber: 2 }, { activity: "", hasGotOn: false })).signal,
      "another version",
    ).toBe("pause");
    await set(`resync = '{"status": "CANCEL_REQUESTED"}'`);
    expect((await schedule.renew(acquired, { activity: "", hasGotOn: false })).signal).toBe("cancelResync");
    expect(await schedule.renew({ ...acquired, epoch: 9 }, { activity: "", hasGotOn: true })).toEqual({
      signal: "lost",
      isRequested: false,
    });
  });

  test("is found, alone or with those of its instance", async () => {
    const { schedule } = await world();
    expect(await schedule.find(I, P)).toMatchObject({
      instanceId: I,
      pipelineId: P,
      isRunning: false,
      silentMs: 0,
      isPaused: false,
    });
    expect(await schedule.find(J, Q)).toBeNull();
    expect((await schedule.list(I)).map(({ pipelineId }) => pipelineId).sort()).toEqual([P, Q]);
    expect(await schedule.listAll()).toHaveLength(3);
  });

  test("whose worker has not been heard of is silent for that long", async () => {
    const { schedule, set } = await taken();
    expect(await schedule.find(I, P)).toMatchObject({ isRunning: true, silentMs: 0 });
    await set("lease_until = now() - interval '5 seconds'");
    const silent = await schedule.find(I, P);
    expect(silent?.isRunning).toBe(false);
    expect(silent?.silentMs).toBeGreaterThanOrEqual(5_000);
    expect(silent?.silentMs).toBeLessThan(60_000);
  });

  test("runs a new version at once: one that an error stopped goes on, one that a person paused does not", async () => {
    const { schedule, pool, set, changing, rows } = await world();
    const publish = (resync: ResyncRow | null) =>
      changing(() => schedule.publish({ instanceId: I, pipelineId: P, versionId: "w", versionNumber: 2 }, resync));
    const before = `due_at = now() + interval '1 hour', poked = false, paused = true, error = '{"message": "x"}', probing = true,
      whole_sources = '{s}', resync = '{"status": "NEW"}'`;
    await set(before);
    expect(await publish(null)).toMatchObject({
      version_id: "w",
      version_number: 2,
      poked: true,
      is_due: true,
      paused: false,
      error: null,
      probing: false,
      resync: { status: "NEW" },
      whole_sources: [],
    });
    await set(before);
    await set("error = NULL");
    expect(await publish(RESYNC)).toMatchObject({
      paused: true,
      resync: { status: "NEW", resyncId: "r" },
      whole_sources: ["s"],
    });
    await schedule.unpublish(I, P);
    expect((await rows()).size).toBe(2);
    expect(
      (await pool.query("SELECT FROM sync_pipeline WHERE instance_id = $1 AND pipeline_id = $2", [I, P])).rowCount,
    ).toBe(0);
  });

  test("is paused, resumed, woken, and read as a whole on somebody's word", async () => {
    const { schedule, set, changing } = await world();
    await set("probing = true, due_at = now() + interval '1 hour', poked = false");
    expect(await changing(() => schedule.pause(I, P, "ann"))).toMatchObject({
      paused: true,
      probing: false,
      paused_by: "ann",
      poked: false,
    });
    await set(`paused = true, probing = true, error = '{"message": "x"}', failures = '{"1": {}}', paused_by = 'ann'`);
    expect(await changing(() => schedule.resume(I, P))).toMatchObject({
      paused: false,
      probing: false,
      paused_by: null,
      error: null,
      failures: {},
      is_due: true,
      poked: true,
    });
    await set("due_at = now() + interval '1 hour', poked = false");
    expect(await changing(() => schedule.requestCycle(I, P))).toMatchObject({
      poked: true,
      is_due: true,
      read_all: false,
    });
    await set("due_at = 'epoch', poked = false");
    const poked = await changing(() => schedule.requestCycle(I, P));
    expect(new Date(String(poked?.["due_at"])).getTime(), "it was due before").toBe(0);
    await set("due_at = now() + interval '1 hour', poked = false");
    expect(await changing(() => schedule.runNow(I, P))).toMatchObject({ poked: true, is_due: true, read_all: true });
    expect(await schedule.resume(J, Q)).toBeNull();
  });

  test("asks a system that failed again once its connection was changed, and leaves every other one waiting", async () => {
    const { schedule, set, changing, pool, table } = await world();
    const [changed, other] = ["1".repeat(24), "2".repeat(24)];
    for (const [instanceId, pipelineId] of ALL)
      await pool.query(
        `INSERT INTO ${table(instanceId, "place")} (pipeline_id, connector_id, entity) VALUES ($1, $2, 'e')`,
        [pipelineId, pipelineId === P ? changed : other],
      );
    const { rows } = await pool.query(`SELECT number, pipeline_id FROM ${table(I, "place")}`);
    const failures = Object.fromEntries(rows.map(({ number }) => [number, {}]));
    await set(`due_at = now() + interval '1 hour', failures = '${JSON.stringify(failures)}'`);
    const row = await changing(() => schedule.retrySystem(I, changed));
    expect(row).toMatchObject({ read_all: true, is_due: true });
    await set("due_at = now() + interval '1 hour', read_all = false, failures = '{}'");
    await schedule.retrySystem(I, changed);
    const { rows: due } = await pool.query("SELECT FROM sync_pipeline WHERE read_all");
    expect(due, "nothing of it failed").toEqual([]);
  });

  test("is taken from a worker whose cycle has not got on", async () => {
    const { schedule, set, pool, changing } = await taken();
    await set("heard_at = now() - interval '10 minutes', due_at = now() + interval '1 hour', poked = false");
    await pool.query("UPDATE sync_pipeline SET heard_at = now() - interval '1 hour' WHERE owner = 'me'");
    expect(await schedule.releaseStalled(7_200)).toBe(0);
    const row = await changing(async () => expect(await schedule.releaseStalled(1_800)).toBe(1));
    expect(row).toMatchObject({ is_leased: false, activity: "Waiting", is_due: true, poked: true });
    expect(row?.["owner"], "who takes it over knows that it was not given back").toBe("me");
    expect(Number(row?.["epoch"])).toBe(2);
    expect(row?.["stalled_at"]).not.toBeNull();
    expect(await schedule.releaseStalled(0), "nobody holds the others").toBe(0);
  });

  test("whose records a person changes begins anew, and its lease runs on", async () => {
    const { pool, set, changing } = await taken();
    await set("due_at = now() + interval '1 hour', poked = false");
    const client = await pool.connect();
    const row = await changing(() => fenceRun(client, I, P)).finally(() => client.release());
    expect(row).toMatchObject({ owner: "me", is_leased: true, poked: true, is_due: true });
    expect(Number(row?.["epoch"])).toBe(2);
  });
});

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

test("a pipeline that is forgotten takes all with it that sync knows of it, and nothing of others", async () => {
  const { schedule, pool, table } = await world();
  const counts = async (): Promise<Record<string, number>> => {
    const all: Record<string, number> = {};
    for (const instance of [I, J])
      for (const name of ["place", "link", "ledger", "source_position", "sync_entity"])
        all[`${instance === I ? "I" : "J"} ${name}`] =
          (await pool.query(`SELECT FROM ${table(instance, name)}`)).rowCount ?? 0;
    all["rows"] = (await pool.query("SELECT FROM sync_pipeline")).rowCount ?? 0;
    return all;
  };
  for (const [instance, pipeline] of ALL) {
    const { entityNumber, places } = await schedule.settleIn(instance, pipeline, [
      { connectorId: "a", entity: "e", readFields: [], writeFields: [] },
    ]);
    await pool.query(`INSERT INTO ${table(instance, "link")} (place, external_id, record_id) VALUES ($1, '1', $2)`, [
      places[0]?.id,
      pipeline,
    ]);
    await pool.query(
      `INSERT INTO ${table(instance, "ledger")} (entity, record_id, operation) VALUES ($1, 'r', 'create')`,
      [entityNumber],
    );
    await pool.query(`INSERT INTO ${table(instance, "source_position")} (pipeline_id, node_id) VALUES ($1, 's')`, [
      pipeline,
    ]);
  }
  await deletePipelineData(pool, I, P);
  expect(await counts()).toEqual({
    ...Object.fromEntries(
      ["I", "J"].flatMap((name) =>
        ["place", "link", "ledger", "source_position", "sync_entity"].map((table) => [`${name} ${table}`, 1]),
      ),
    ),
    rows: 2,
  });
});
