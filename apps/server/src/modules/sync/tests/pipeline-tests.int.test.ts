/** Tests of pipelines over the API: saved, run on the draft, read back; the draft stands still meanwhile; nothing is written. */
import { savePipelineDraft, getPipelineGraph } from "@accord/contracts/sync/pipelines";
import { entityPipelineTests as calls, isProcessing } from "@accord/contracts/sync/pipeline-tests";
import { expect, test } from "vitest";
import { pipelineDrafts } from "../../../../test-kit/pipeline-drafts.ts";

const world = pipelineDrafts();

const body = (name: string, expected: string) => ({
  name,
  records: [{ nodeId: "crm", id: "1", values: { id: "1", name: "Acme", mail: "a@example.com" } }],
  expectedResult: [{ apiName: "name", value: expected }],
});

test("[SYN-112] [SYN-116] [SYN-117] tests are saved, run together and read back, and a wrong expectation is marked as failed", async () => {
  const { t, accounts } = world;
  await world.savedWhole(accounts);
  const manager = t.as("SYNC_MANAGER");
  const params = { id: accounts };
  const right = await manager.call(calls.create, { params, body: body("right", "ACME") });
  const wrong = await manager.call(calls.create, { params, body: body("wrong", "Acme") });
  const { id: runId } = await manager.call(calls.run, {
    params,
    body: { testIds: [right.id, wrong.id], name: "both" },
  });
  const read = () => manager.call(calls.getRun, { params: { ...params, runId } });
  await expect.poll(async () => isProcessing((await read()).status), { timeout: 15_000 }).toBe(false);
  const run = await read();
  expect(run).toMatchObject({ status: "failed", message: null, recordsProcessed: 2, graphVersion: "draft" });
  expect(run.resultDetails?.map(({ id, status }) => [id, status])).toEqual([
    [right.id, "success"],
    [wrong.id, "failed"],
  ]);
  expect(run.resultDetails?.[1]?.actualResult).toMatchObject({
    failed: true,
    values: [{ apiName: "name", expected: "Acme", value: "ACME", failed: true }],
  });
  expect(run.resultDetails?.[0]?.nodes.map(({ nodeId, status }) => [nodeId, status])).toEqual([
    ["crm", "success"],
    ["upper", "success"],
    ["set", "success"],
    [expect.any(String), "success"],
    ["back", "success"],
  ]);
  expect(run.resultDetails?.[0]?.nodes.at(-1)?.testData[0]?.output, "told what differs there").toEqual({
    name: "ACME",
  });
  const again = await manager.call(calls.get, { params: { ...params, testId: wrong.id } });
  expect(again).toMatchObject({ status: "failed", actualResult: { failed: true }, recordsProcessed: 1 });
});

test("[SYN-076] a draft can't be changed while a test of it runs, says why, and can be again after a crash", async () => {
  const { t, accounts } = world;
  const draft = await world.savedWhole(accounts);
  const manager = t.as("SYNC_MANAGER");
  const table = `"i_${t.instanceId}".pipeline_test_run`;
  await t.deps.dataPool.query(
    `INSERT INTO ${table} (id, pipeline_id, field_id, kind, name, status, test_ids, graph_version, requested_by, lease_until)
     VALUES ($1, $2, '', 'simulated', 'cut off', 'PROCESSING', '{}', 'draft', 'Ada', now() + interval '1 hour')`,
    [t.deps.newId(), accounts],
  );
  const params = { entityId: accounts };
  const save = { params, body: { graph: draft.graph, revision: draft.revision } };
  expect(await manager.send(savePipelineDraft, save)).toMatchObject({ status: 409, body: { code: "test_running" } });
  const opened = await manager.call(getPipelineGraph, { params: { ...params, graphVersion: "draft" } });
  expect(opened).toMatchObject({ readOnly: true, readOnlyReason: expect.stringContaining("test") });
  await t.deps.dataPool.query(`UPDATE ${table} SET lease_until = now() - interval '1 second'`);
  const { runs } = await manager.call(calls.listRuns, { params: { id: accounts } });
  expect(runs[0]).toMatchObject({ name: "cut off", status: "aborted" });
  expect((await manager.send(savePipelineDraft, save)).status).toBe(200);
});
