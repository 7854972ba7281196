/** Whose turn it is: what people and systems ask for while a cycle runs is done by the next one, at once. */
import { expect, onTestFinished, test } from "vitest";
import { finishedCycle } from "../../../../../test-kit/sync-world/cycle-summaries.ts";
import { testDatabase } from "../../../../../test-kit/database/database.ts";
import { storeWorld } from "../../../../../test-kit/replay/store-world.ts";

const HOUR = 3_600_000;
const QUIET = { dueInMs: HOUR, isResync: false, error: null, isProbing: false, isWorthKeeping: false };

async function running() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool, instanceId, pipelineId, schedule, acquired, schema } = await storeWorld(database);
  const end = (cycle = acquired, next: Partial<typeof QUIET> = {}): Promise<void> =>
    schedule.finish(cycle, finishedCycle(), { ...QUIET, ...next });
  const next = () => schedule.acquire("next", []);
  return { pool, schedule, schema, instanceId, pipelineId, first: acquired, end, next };
}

test("a cycle that nobody asked for comes when it is due, and not before", async () => {
  const { pool, end, next } = await running();
  await end();
  expect(await next()).toBeNull();
  await pool.query("UPDATE sync_pipeline SET due_at = now()");
  expect(await next()).toMatchObject({ wasRequested: false, isReadAll: false });
});

test("what a cycle is woken for while it runs is read by the next one, at once", async () => {
  const { schedule, instanceId, pipelineId, end, next } = await running();
  expect(await next(), "its owner lives").toBeNull();
  await schedule.requestCycle(instanceId, pipelineId);
  await end();
  const second = await next();
  expect(second).toMatchObject({ wasRequested: true });
  if (second) await end(second);
  expect(await next(), "once").toBeNull();
});

test("“Run now” during a cycle has every source read by the next one", async () => {
  const { schedule, instanceId, pipelineId, end, next } = await running();
  await schedule.runNow(instanceId, pipelineId);
  await end();
  expect(await next()).toMatchObject({ isReadAll: true });
});

test("a pipeline that is put back keeps what it was woken for", async () => {
  const { schedule, instanceId, pipelineId, end, next } = await running();
  await schedule.runNow(instanceId, pipelineId);
  await end();
  const taken = await next();
  if (!taken) throw new Error("nothing was due");
  await schedule.putBack(taken);
  expect(await next()).toMatchObject({ wasRequested: true, isReadAll: true, isResyncTurn: taken.isResyncTurn });
});

test("a pipeline that is paused, or stopped by an error, is nobody's turn until it is resumed", async () => {
  const { schedule, instanceId, pipelineId, first, end, next } = await running();
  await schedule.pause(instanceId, pipelineId, "Ada");
  await schedule.requestCycle(instanceId, pipelineId);
  await end();
  expect(await next()).toBeNull();
  await schedule.resume(instanceId, pipelineId);
  const second = await next();
  expect(second).not.toBeNull();
  const error = { message: "It is broken.", detail: null };
  if (second) await schedule.finish(second, finishedCycle(), { ...QUIET, dueInMs: 0, error });
  expect(await schedule.find(instanceId, pipelineId)).toMatchObject({ isPaused: true, error });
  expect(await next()).toBeNull();
  expect(await schedule.resume(instanceId, pipelineId)).toMatchObject({ isPaused: false, error: null });
  expect((await next())?.epoch).toBeGreaterThan(first.epoch);
});

test("[F13] a worker whose lease ran out ends nothing, and hears that it was lost", async () => {
  const { pool, schedule, instanceId, pipelineId, first, end, next } = await running();
  await pool.query("UPDATE sync_pipeline SET lease_until = now() - interval '1 second', due_at = now()");
  const second = await next();
  expect(second?.epoch).toBe(first.epoch + 1);
  await end(first, { error: { message: "It is broken.", detail: null } as never });
  expect(await schedule.find(instanceId, pipelineId)).toMatchObject({ isRunning: true, error: null, lastCycle: null });
  expect(await schedule.renew(first, { activity: "Reading", hasGotOn: true })).toMatchObject({ signal: "lost" });
  if (second)
    expect(await schedule.renew(second, { activity: "Reading", hasGotOn: true })).toMatchObject({
      signal: "none",
      isRequested: false,
    });
});

test("what was found to be gone and is deleted by now is not gone once more should it come back", async () => {
  const { pool, schema, schedule, instanceId, pipelineId, end } = await running();
  const need = { connectorId: "c", entity: "e", readFields: [], writeFields: [] };
  const { places } = await schedule.settleIn(instanceId, pipelineId, [need]);
  const place = places[0]?.id;
  await pool.query(
    `INSERT INTO ${schema}.link (place, external_id, record_id, dead) VALUES ($1, 'taken', 'r1', true), ($1, 'yet to take', 'r2', false)`,
    [place],
  );
  await pool.query(
    `INSERT INTO ${schema}.missing_record (place, external_id) VALUES ($1, 'taken'), ($1, 'yet to take')`,
    [place],
  );
  await end();
  const { rows } = await pool.query(`SELECT external_id FROM ${schema}.missing_record`);
  expect(rows).toEqual([{ external_id: "yet to take" }]);
});
