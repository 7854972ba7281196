/** When workers are woken for a pipeline, and how it waits after a cycle that broke off. */
import type { Id } from "@accord/contracts";
import { type CycleProblem, noCounts } from "@accord/sync-engine/run";
import { expect, onTestFinished, test } from "vitest";
import { finishedCycle } from "../../../../../../test-kit/sync-world/cycle-summaries.ts";
import { testDatabase } from "../../../../../../test-kit/database/database.ts";
import { migrateInstance } from "../../../../../platform/db/migrations.ts";
import type { ResyncRow } from "../pipeline-rows.store.ts";
import { WAKE_CHANNEL } from "../cycle-requests.store.ts";
import { scheduleStore, wakeSql } from "../schedule.store.ts";

const I = "a".repeat(24) as Id<"instance">;
const [P, Q] = ["c".repeat(24), "d".repeat(24)] as [Id<"entity">, Id<"entity">];
const RESYNC: ResyncRow = {
  ...{ resyncId: "r", nodeIds: ["s"], since: null, until: null, cursors: {}, finished: [] },
  ...{ status: "NEW", scope: "all", requestedAt: "2026", recordsRead: 0 },
};

async function world() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool } = database.data;
  await migrateInstance(pool, I);
  const schedule = scheduleStore(pool);
  for (const pipelineId of [P, Q])
    await schedule.publish({ instanceId: I, pipelineId, versionId: "v", versionNumber: 1 }, null);
  const row = async (pipelineId: string = P) => {
    const { rows } = await pool.query(
      `SELECT *, due_at <= now() AS is_due, round(extract(epoch FROM due_at - now()))::int AS due_in,
         lease_until <= now() AS is_free FROM sync_pipeline WHERE pipeline_id = $1`,
      [pipelineId],
    );
    return rows[0];
  };
  return { pool, schedule, row };
}

test("workers are woken by whatever makes a pipeline due, and by nothing else", async () => {
  const { pool, schedule } = await world();
  const listener = await pool.connect();
  onTestFinished(() => listener.release());
  const payloads: string[] = [];
  listener.on("notification", ({ payload = "" }) => payloads.push(payload));
  await listener.query(`LISTEN ${WAKE_CHANNEL}`);
  /** How often they are woken for it, up to a notification of our own. */
  const woken = async (work: () => Promise<unknown>): Promise<number> => {
    payloads.length = 0;
    await work();
    await pool.query(`NOTIFY ${WAKE_CHANNEL}, 'end'`);
    await expect.poll(() => payloads).toContain("end");
    return payloads.length - 1;
  };
  const version = { instanceId: I, pipelineId: P, versionId: "w", versionNumber: 2 };
  expect(await woken(() => schedule.pause(I, P, "ann"))).toBe(0);
  expect(await woken(() => schedule.resume(I, P))).toBe(1);
  expect(await woken(() => schedule.publish(version, null))).toBe(1);
  expect(await woken(() => schedule.requestCycle(I, P))).toBe(1);
  expect(await woken(() => schedule.runNow(I, P))).toBe(1);
  expect(await woken(() => schedule.startResync(I, P, RESYNC))).toBe(1);
  await schedule.acquire("me", []);
  expect(await woken(() => schedule.releaseStalled(3_600)), "its cycle gets on").toBe(0);
  await pool.query("UPDATE sync_pipeline SET heard_at = now() - interval '2 hours'");
  expect(await woken(() => schedule.releaseStalled(3_600))).toBe(1);
});

test("a statement that keeps something asks for cycles of the pipelines it names whose rows nobody holds", async () => {
  const { pool, schedule, row } = await world();
  const fresh = "UPDATE sync_pipeline SET poked = false, due_at = now() + interval '1 hour'";
  const ask = async (pipelines: string[], instanceId: string = I) => {
    const text = `WITH kept AS (SELECT 1), ${wakeSql("kept", "$1", "$2")} SELECT pipeline_id FROM woken ORDER BY 1`;
    return (await pool.query(text, [instanceId, pipelines])).rows.map((one) => one.pipeline_id);
  };
  await pool.query(fresh);
  expect(await ask([P])).toEqual([P]);
  expect([await row(P), await row(Q)]).toMatchObject([
    { poked: true, is_due: true },
    { poked: false, is_due: false },
  ]);
  await pool.query("UPDATE sync_pipeline SET due_at = 'epoch'");
  expect(await ask([P, Q])).toEqual([P, Q]);
  expect(new Date((await row(P)).due_at).getTime(), "it was due before").toBe(0);
  expect(await ask([P], "b".repeat(24))).toEqual([]);
  await pool.query(fresh);
  const holder = await pool.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM sync_pipeline WHERE pipeline_id = $1 FOR UPDATE", [P]);
  expect(await ask([P, Q]), "it does not wait for a cycle").toEqual([Q]);
  await holder.query("ROLLBACK");
  holder.release();
  expect(await schedule.find(I, P)).not.toBeNull();
});

test("a pipeline whose cycle broke off waits, counts how often and since when, and says what its last cycle said", async () => {
  const { pool, schedule, row } = await world();
  await pool.query(`UPDATE sync_pipeline SET due_at = now() + interval '1 day' WHERE pipeline_id = '${Q}'`);
  const acquired = await schedule.acquire("me", []);
  if (!acquired) throw new Error("the pipeline was not due");
  const before = finishedCycle({ counts: { ...noCounts(), created: 4 } });
  await pool.query("UPDATE sync_pipeline SET last_cycle = $1, activity = 'Reading'", [JSON.stringify(before)]);
  const off = { dueInMs: 60_000, summary: null, error: null, standing: [] };
  await schedule.putOff({ ...acquired, epoch: 9 }, off);
  expect(await row(), "somebody else owns it").toMatchObject({ broken_times: 0, activity: "Reading", is_free: false });
  await schedule.putOff(acquired, off);
  const first = await row();
  expect(first).toMatchObject({
    ...{ owner: "me", is_free: true, activity: "Waiting", broken_times: 1, error: null, paused: false, probing: false },
    ...{ last_cycle: { counts: { created: 4 } } },
  });
  expect(first.due_in).toBeGreaterThan(50);
  expect(await row(Q)).toMatchObject({ broken_times: 0, activity: "Reading" });
  const problem: CycleProblem = { severity: "error", nodeId: "n", code: "broken", message: "", detail: null };
  const standing = [{ ...problem, code: "stands" }];
  const error = { message: "stopped", detail: null };
  await schedule.putOff(acquired, { ...off, summary: finishedCycle({ problems: [problem] }), error, standing });
  const second = await row();
  expect(second).toMatchObject({
    ...{ broken_times: 2, broken_since: first.broken_since, error, paused: true, probing: true },
    ...{ last_cycle: { problems: [{ code: "broken" }, { code: "stands" }] } },
  });
  await schedule.putOff(acquired, off);
  expect(await row(), "its error stands, and it is looked after on").toMatchObject({
    error,
    paused: true,
    probing: true,
  });
  await pool.query("UPDATE sync_pipeline SET error = NULL, probing = false");
  await schedule.putOff(acquired, { ...off, error });
  expect(await row(), "one that a person paused is not").toMatchObject({ paused: true, probing: false, error });
});
