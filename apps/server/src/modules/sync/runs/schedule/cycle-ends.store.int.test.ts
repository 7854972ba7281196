/** What the end of a cycle leaves: its problems up to a bound, how late it was, warnings that stand, and what is forgotten. */
import type { Id } from "@accord/contracts";
import type { CycleProblem } from "@accord/sync-engine/run";
import { expect, onTestFinished, test } from "vitest";
import { finishedCycle } from "../../../../../test-kit/sync-world/cycle-summaries.ts";
import { testDatabase } from "../../../../../test-kit/database/database.ts";
import { instanceSchema } from "../../../../platform/db/db.ts";
import { migrateInstance } from "../../../../platform/db/migrations.ts";
import type { Acquired } from "./pipeline-rows.store.ts";
import { scheduleStore } from "./schedule.store.ts";

const I = "a".repeat(24) as Id<"instance">;
const [P, Q] = ["c".repeat(24), "d".repeat(24)] as [Id<"entity">, Id<"entity">];
const T = `"${instanceSchema(I)}"`;
const AFTER = { dueInMs: 60_000, isResync: false, error: null, isProbing: false, isWorthKeeping: true };
const problem = (code: string, more: Partial<CycleProblem> = {}): CycleProblem => ({
  ...{ severity: "error", nodeId: "n", code, message: "", detail: null },
  ...more,
});

/** P is taken; places 1 and 2 are its own, 3 is of Q. */
async function taken() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool } = database.data;
  await migrateInstance(pool, I);
  await pool.query(
    `INSERT INTO ${T}.place (pipeline_id, connector_id, entity) VALUES ('${P}', 'a', 'e'), ('${P}', 'b', 'e'), ('${Q}', 'a', 'e')`,
  );
  const schedule = scheduleStore(pool);
  await schedule.publish({ instanceId: I, pipelineId: P, versionId: "v", versionNumber: 1 }, null);
  const take = async (): Promise<Acquired> => {
    await pool.query("UPDATE sync_pipeline SET due_at = now()");
    const acquired = await schedule.acquire("me", []);
    if (!acquired) throw new Error("the pipeline was not due");
    return acquired;
  };
  const cycles = async () => (await pool.query(`SELECT * FROM ${T}.cycle ORDER BY number`)).rows;
  return { pool, schedule, take, cycles };
}

test("the first two hundred problems of a cycle are kept", async () => {
  const { schedule, take, cycles } = await taken();
  const problems = Array.from({ length: 201 }, (_, index) => problem(`c${index}`));
  await schedule.finish(await take(), finishedCycle({ problems }), AFTER);
  const [cycle] = await cycles();
  expect(cycle.problems).toHaveLength(200);
  expect(cycle.problems[0]).toMatchObject({ code: "c0" });
});

test("a cycle says how long ago the one before had ended, of its own pipeline, and when it began", async () => {
  const { pool, schedule, take, cycles } = await taken();
  await schedule.finish(await take(), finishedCycle(), AFTER);
  await pool.query("UPDATE sync_pipeline SET last_finished_at = now() - interval '1 hour'");
  await schedule.publish({ instanceId: I, pipelineId: Q, versionId: "v", versionNumber: 1 }, null);
  await pool.query(
    `UPDATE sync_pipeline SET due_at = now() + interval '1 day', last_finished_at = now() - interval '1 day' WHERE pipeline_id = '${Q}'`,
  );
  await pool.query(`UPDATE sync_pipeline SET due_at = now() WHERE pipeline_id = '${P}'`);
  const acquired = await schedule.acquire("me", []);
  expect(acquired?.pipelineId).toBe(P);
  if (acquired) await schedule.finish(acquired, finishedCycle(), AFTER);
  const [first, second] = await cycles();
  expect(first.lag_ms, "there was none before").toBeNull();
  expect(Number(second.lag_ms)).toBeGreaterThanOrEqual(3_600_000);
  expect(Number(second.lag_ms)).toBeLessThan(7_200_000);
  expect(second.began_at <= second.finished_at).toBe(true);
});

test("warnings of records stand on through cycles that had nothing to do, each once", async () => {
  const { schedule, take } = await taken();
  const warning = problem("refused", { severity: "warning", count: 2 });
  const idle = { ...AFTER, isWorthKeeping: false };
  await schedule.finish(await take(), finishedCycle({ problems: [warning, problem("over")] }), AFTER);
  const codes = async () => (await schedule.find(I, P))?.lastCycle?.problems.map(({ code }) => code);
  await schedule.finish(await take(), finishedCycle(), idle);
  expect(await codes()).toEqual(["refused"]);
  await schedule.finish(await take(), finishedCycle({ problems: [warning] }), idle);
  expect(await codes(), "said again, it stands once").toEqual(["refused"]);
  await schedule.finish(await take(), finishedCycle({ problems: [problem("new")] }), AFTER);
  expect(await codes(), "a cycle that did something says what there is").toEqual(["new"]);
});

test("what was found to be gone is forgotten once its link is dead, at the places of its pipeline alone", async () => {
  const { pool, schedule, take } = await taken();
  await pool.query(
    `INSERT INTO ${T}.link (place, external_id, record_id, dead) VALUES
       (1, 'dead', 'r1', true), (1, 'lives', 'r2', false), (2, 'dead', 'r3', false), (2, 'nobody', 'r4', false), (3, 'dead', 'r5', true)`,
  );
  await pool.query(
    `INSERT INTO ${T}.missing_record (place, external_id) VALUES (1, 'dead'), (1, 'lives'), (1, 'nobody'), (2, 'dead'), (3, 'dead')`,
  );
  await schedule.finish(await take(), finishedCycle(), AFTER);
  const { rows } = await pool.query(`SELECT place, external_id FROM ${T}.missing_record ORDER BY 1, 2`);
  expect(rows.map((row) => `${row.place} ${row.external_id}`)).toEqual(["1 lives", "2 dead", "3 dead"]);
});

test("how far a source is known to be read stays where a later cycle says nothing of it, of its own source alone", async () => {
  const { pool, schedule, take } = await taken();
  const knownUntil = "2026-01-01T10:00:00.000Z";
  const at = (cursor: string, more: object = {}) => ({ nodeId: "s", cursor, of: "changes" as const, read: 1, ...more });
  const kept = async () =>
    (await pool.query(`SELECT node_id, cursor, through, known_until FROM ${T}.source_position ORDER BY node_id`)).rows;
  const finish = async (...positions: ReturnType<typeof at>[]) =>
    schedule.finish(await take(), finishedCycle({ positions }), AFTER);
  await finish(at("1", { isComplete: true, knownUntil }), { ...at("9"), nodeId: "t" });
  const other = { node_id: "t", cursor: "9", through: false, known_until: null };
  expect(await kept()).toEqual([{ node_id: "s", cursor: "1", through: true, known_until: expect.anything() }, other]);
  await finish(at("2"));
  const [position, others] = await kept();
  expect(new Date(position.known_until).toISOString()).toBe(knownUntil);
  expect([position.cursor, position.through, others]).toEqual(["2", false, other]);
  await finish(at("3", { knownUntil: "2026-01-01T11:00:00.000Z" }));
  expect(new Date((await kept())[0].known_until).toISOString(), "news of it").toBe("2026-01-01T11:00:00.000Z");
});
