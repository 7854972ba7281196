/** Live runs on real systems: real records go through the draft, and nothing is written anywhere but the results. */
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import {
  getLiveTest,
  entityPipelineTests,
  listLiveTests,
  startLiveTest,
} from "@accord/contracts/sync/pipeline-test-calls";
import { isProcessing } from "@accord/contracts/sync/pipeline-tests";
import { createPipelineDraft, getPipelineGraph } from "@accord/contracts/sync/pipelines";
import { beforeAll, expect, test } from "vitest";
import { CANARY, passwordPipeline, type PasswordPipeline } from "../../../../test-kit/password-pipeline.ts";
import { storedRows } from "../../../../test-kit/stored-rows.ts";

let p: PasswordPipeline;

beforeAll(async () => {
  p = await passwordPipeline();
  await p.t.as("SYNC_MANAGER").call(createPipelineDraft, { params: { entityId: p.entityId }, body: {} });
  return () => p.close();
}, 120_000);

const manager = () => p.t.as("SYNC_MANAGER");
const params = () => ({ graphId: p.entityId });

async function ranLive(records: number) {
  const { id: runId } = await manager().call(startLiveTest, { params: params(), body: { name: "live", records } });
  const read = () => manager().call(getLiveTest, { params: { ...params(), runId } });
  await expect.poll(async () => isProcessing((await read()).status), { timeout: 15_000 }).toBe(false);
  return read();
}

/** What sync has stored of records, and what the systems hold. */
async function everything(): Promise<unknown[]> {
  const { sql } = p.systems;
  const of = (table: string) => sql(`SELECT * FROM "i_${p.t.instanceId}".${table} ORDER BY 1, 2`);
  return [
    await sql("SELECT * FROM shop.account ORDER BY id"),
    await sql("SELECT * FROM crm.login ORDER BY id"),
    await of('"r_Login"'),
    await of("delivery"),
    await of("quarantine"),
    await sql(`SELECT count(*) FROM "i_${p.t.instanceId}".ledger`),
    await sql(`SELECT place, external_id, record_id FROM "i_${p.t.instanceId}".link ORDER BY 1, 2`),
  ];
}

test("[SYN-117] a live run reads records of each source, shows what each node did with them and writes nothing", async () => {
  const before = await everything();
  const run = await ranLive(1);
  expect(run).toMatchObject({ kind: "live", status: "completed", message: null, graphVersion: "draft" });
  expect(run.recordsProcessed, "one of each source").toBe(2);
  const [result] = run.resultDetails ?? [];
  expect(result?.nodes.map(({ nodeId, status, testData }) => [nodeId, status, testData.length])).toEqual([
    [expect.any(String), "success", 2],
    ["from_shop", "success", 1],
    ["from_crm", "success", 1],
    ["to_crm", "success", 1],
  ]);
  expect(await everything()).toEqual(before);
  const { runs } = await manager().call(listLiveTests, { params: params() });
  expect(runs.map(({ id, kind, resultDetails }) => [id, kind, resultDetails])).toEqual([[run.id, "live", null]]);
  const simulated = await manager().call(entityPipelineTests.listRuns, { params: { id: p.entityId } });
  expect(simulated.runs).toEqual([]);
});

test("[T27] results of tests show and store passwords as the mask, and a test can't be saved with one", async () => {
  const run = await ranLive(5);
  const data = run.resultDetails?.[0]?.nodes.flatMap(({ testData }) => testData) ?? [];
  expect(data.length).toBeGreaterThan(0);
  expect(data.map(({ output }) => output["pin"] ?? PASSWORD_MASK)).toEqual(data.map(() => PASSWORD_MASK));
  expect(JSON.stringify(run)).not.toContain(CANARY);
  const stored = await storedRows(p.t, ["shop", "crm"]);
  expect(stored.filter(({ text }) => text.includes(CANARY))).toEqual([]);
  const values = { name: "Ada", pin: CANARY };
  const refused = await manager().send(entityPipelineTests.create, {
    params: { id: p.entityId },
    body: {
      name: "with a password",
      records: [{ nodeId: "from_shop", id: "1", values }],
      expectedResult: [{ apiName: "pin", value: CANARY }],
    },
  });
  expect(refused).toMatchObject({ status: 400, body: { code: "validation_failed" } });
  expect(JSON.stringify(refused.body)).not.toContain(CANARY);
  expect((await manager().call(entityPipelineTests.list, { params: { id: p.entityId } })).tests).toEqual([]);
});

test("a live run whose source can't be read says which one and why", async () => {
  await p.systems.sql("ALTER TABLE shop.account RENAME TO account_gone");
  const run = await ranLive(1);
  await p.systems.sql("ALTER TABLE shop.account_gone RENAME TO account");
  expect(run).toMatchObject({ status: "error", message: expect.stringContaining("from_shop could not be read") });
  const graph = await manager().call(getPipelineGraph, { params: { entityId: p.entityId, graphVersion: "draft" } });
  expect(graph.readOnly, "the draft can be changed again").toBe(false);
});
