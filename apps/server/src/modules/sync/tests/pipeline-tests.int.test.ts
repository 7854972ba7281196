/** Tests of pipelines over the API: saved, run on the draft, read back, before publishing; the draft stands still meanwhile. */
import type { Id } from "@accord/contracts";
import { createFieldDraft, listFieldPipelines, saveFieldDraft } from "@accord/contracts/sync/field-pipelines";
import { Graph } from "@accord/contracts/sync/graph";
import { entityPipelineTests, fieldPipelineTests } from "@accord/contracts/sync/tests/pipeline-test-calls";
import { isProcessing, PIPELINE_TEST_LIMITS } from "@accord/contracts/sync/tests/pipeline-tests";
import {
  getPipelineGraph,
  patchPipelineSettings,
  publishPipeline,
  savePipelineDraft,
} from "@accord/contracts/sync/pipelines";
import { beforeEach, expect, test } from "vitest";
import { edge, node } from "../../../../test-kit/graphs.ts";
import { CRM, pipelineDrafts } from "../../../../test-kit/pipeline-drafts.ts";
import { deletePipelineData } from "../runs/index.ts";

const world = pipelineDrafts();
const calls = entityPipelineTests;
const table = (name: string) => `"i_${world.t.instanceId}".${name}`;

beforeEach(async () => {
  for (const name of ["pipeline_test", "pipeline_test_run"])
    await world.t.deps.dataPool.query(`DELETE FROM ${table(name)}`);
});

const body = (name: string, expected: string) => ({
  name,
  records: [{ nodeId: "crm", id: "1", values: { id: "1", name: "Acme", mail: "a@example.com" } }],
  expectedResult: [{ apiName: "name", value: expected }],
});
const manager = () => world.t.as("SYNC_MANAGER");
const create = (name: string, expected: string) =>
  manager().call(calls.create, { params: { id: world.accounts }, body: body(name, expected) });

/** Runs tests of the entity pipeline and waits for the end. */
async function ranTests(testIds: Id<"pipelineTest">[], name = "all") {
  const params = { id: world.accounts };
  const { id: runId } = await manager().call(calls.run, { params, body: { testIds, name } });
  const read = () => manager().call(calls.getRun, { params: { ...params, runId } });
  await expect.poll(async () => isProcessing((await read()).status)).toBe(false);
  return read();
}

test("[SYN-112] [SYN-116] [SYN-117] tests are saved, run together and read back, and a wrong expectation is marked as failed", async () => {
  const { accounts } = world;
  await world.savedWhole(accounts);
  const right = await create("right", "ACME");
  const wrong = await create("wrong", "Acme");
  const run = await ranTests([right.id, wrong.id], "both");
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
  expect(run.resultDetails?.[0]?.nodes.at(-1)?.testData[0]?.output, "only what differs there is sent").toEqual({
    name: "ACME",
  });
  const again = await manager().call(calls.get, { params: { id: accounts, testId: wrong.id } });
  expect(again).toMatchObject({ status: "failed", actualResult: { failed: true }, recordsProcessed: 1 });
});

test("[SYN-076] a draft can't be changed while a test of it runs, says why, and can be again after a crash", async () => {
  const { t, accounts } = world;
  const draft = await world.savedWhole(accounts);
  await t.deps.dataPool.query(
    `INSERT INTO ${table("pipeline_test_run")} (id, pipeline_id, field_id, kind, name, status, test_ids, graph_version, requested_by, lease_until)
     VALUES ($1, $2, '', 'simulated', 'cut off', 'PROCESSING', '{}', 'draft', 'Ada', now() + interval '1 hour')`,
    [t.deps.newId(), accounts],
  );
  const params = { entityId: accounts };
  const save = { params, body: { graph: draft.graph, revision: draft.revision } };
  expect(await manager().send(savePipelineDraft, save)).toMatchObject({ status: 409, body: { code: "test_running" } });
  const opened = await manager().call(getPipelineGraph, { params: { ...params, graphVersion: "draft" } });
  expect(opened).toMatchObject({ readOnly: true, readOnlyReason: expect.stringContaining("test") });
  await t.deps.dataPool.query(`UPDATE ${table("pipeline_test_run")} SET lease_until = now() - interval '1 second'`);
  const { runs } = await manager().call(calls.listRuns, { params: { id: accounts } });
  expect(runs[0]).toMatchObject({ name: "cut off", status: "aborted" });
  expect((await manager().send(savePipelineDraft, save)).status).toBe(200);
});

test("[SYN-116] a test is listed, corrected and deleted, and nobody overwrites unseen changes or takes a name twice", async () => {
  const { accounts } = world;
  await world.savedWhole(accounts);
  const first = await create("first", "Acme");
  await create("second", "ACME");
  const params = { id: accounts, testId: first.id };
  const { tests } = await manager().call(calls.list, { params: { id: accounts } });
  expect(tests.map(({ name, status }) => [name, status])).toEqual([
    ["first", null],
    ["second", null],
  ]);
  const update = (name: string, revision: number) =>
    manager().send(calls.update, { params, body: { ...body(name, "ACME"), revision } });
  expect(await update("Second", first.revision)).toMatchObject({ status: 409, body: { code: "name_taken" } });
  expect(await update("first", first.revision)).toMatchObject({ status: 200, body: { revision: first.revision + 1 } });
  expect(await update("first", first.revision)).toMatchObject({ status: 409, body: { code: "stale_version" } });
  expect((await ranTests([first.id])).status).toBe("success");
  await manager().call(calls.remove, { params });
  expect((await manager().send(calls.get, { params })).status).toBe(404);
  const run = await manager().send(calls.run, { params, body: { testIds: [first.id], name: "gone" } });
  expect(run.status).toBe(404);
  const { runs } = await manager().call(calls.listRuns, { params });
  expect(
    runs.map(({ name }) => name),
    "results of a deleted test are kept",
  ).toEqual(["all"]);
});

test("what a test can't mean is refused, naming each field of it", async () => {
  await world.savedWhole(world.accounts);
  const answer = await manager().send(calls.create, {
    params: { id: world.accounts },
    body: {
      name: "wrong",
      records: [
        { nodeId: "crm", id: "1", values: { nickname: "A" } },
        { nodeId: "elsewhere", id: "2", values: {} },
        { nodeId: "crm", id: "2", values: {} },
      ],
      expectedResult: [
        { apiName: "nothing", value: "a" },
        { apiName: "name", value: "a", recordId: "3" },
        { apiName: "name", value: "a", nodeId: "gone" },
      ],
    },
  });
  expect(answer).toMatchObject({ status: 400, body: { code: "validation_failed" } });
  const { errors } = answer.body as { errors: { path: string }[] };
  expect(errors.map(({ path }) => path)).toEqual([
    "records.0.values.nickname",
    "records.1.nodeId",
    "records.2.id",
    "expectedResult.0.apiName",
    "expectedResult.1.recordId",
    "expectedResult.2.nodeId",
  ]);
});

test("[SYN-116] a test can be saved while the draft is incomplete, and one of the published version beside a draft", async () => {
  const { accounts: entityId } = world;
  const draft = await world.savedWhole(entityId);
  await world.publish(entityId, draft.revision);
  const next = await world.draftOf(entityId);
  const core = next.graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY")!;
  const params = { entityId };
  const renamed = node("other", "ENTITY_SOURCE", { connectorId: CRM, entityDefinition: "company" });
  const save = (nodes: readonly object[], edges: readonly object[], revision: number) =>
    manager().call(savePipelineDraft, { params, body: { graph: Graph.parse({ nodes, edges }), revision } });
  const saved = await save([core, renamed], [edge("other", core.id)], next.revision);
  expect((await create("of the published version", "ACME")).name).toBe("of the published version");
  const broken = [core, node("upper", "FUNCTION", { value: "" }, "lookupRecord")];
  await save(broken, [], saved.revision);
  expect((await create("beside a broken draft", "ACME")).name).toBe("beside a broken draft");
});

test("a test's result says when and on which version it ran, and whether the test or the draft was changed since", async () => {
  const { accounts: entityId } = world;
  const draft = await world.savedWhole(entityId);
  const { id } = await create("right", "ACME");
  const params = { id: entityId, testId: id };
  const read = () => manager().call(calls.get, { params });
  expect(await read()).toMatchObject({ changedSince: false, testedAt: null, testedVersion: null });
  await ranTests([id]);
  expect(await read()).toMatchObject({ changedSince: false, testedAt: expect.any(String), testedVersion: "draft" });
  await manager().call(calls.update, { params, body: { ...body("right", "Acme"), revision: 1 } });
  expect(await read()).toMatchObject({ status: "success", changedSince: true });
  await ranTests([id]);
  expect(await read()).toMatchObject({ status: "failed", changedSince: false });
  const graph = { ...draft.graph, edges: draft.graph.edges.slice(1) };
  const saved = await manager().call(savePipelineDraft, {
    params: { entityId },
    body: { graph, revision: draft.revision },
  });
  expect(await read()).toMatchObject({ changedSince: true });
  await manager().call(savePipelineDraft, {
    params: { entityId },
    body: { graph: draft.graph, revision: saved.revision },
  });
  expect(await read(), "it is as it was").toMatchObject({ changedSince: false });
});

test("an expected value is looked for at the node and the record it names, and says where nothing came", async () => {
  await world.savedWhole(world.accounts);
  const second = { nodeId: "crm", id: "2", values: { id: "2", name: "Beta" } };
  const { id } = await manager().call(calls.create, {
    params: { id: world.accounts },
    body: {
      ...body("places", "ACME"),
      records: [...body("", "").records, second],
      expectedResult: [
        { apiName: "value", value: "BETA", nodeId: "upper", recordId: "2" },
        { apiName: "name", value: "BETA", nodeId: "back", recordId: "2" },
        { apiName: "mail", value: "b@example.com", nodeId: "back", recordId: "2" },
      ],
    },
  });
  const { resultDetails } = await ranTests([id]);
  expect(resultDetails?.[0]?.actualResult.values.map(({ value, failed }) => [value, failed])).toEqual([
    ["BETA", false],
    ["BETA", false],
    [null, true],
  ]);
});

/** The draft of a field's pipeline that writes capital letters. */
async function upperField(field: string) {
  const { accounts: entityId } = world;
  const { fields } = await manager().call(listFieldPipelines, { params: { entityId } });
  const fieldId = fields.find(({ apiName }) => apiName === field)!.id;
  const params = { entityId, fieldId };
  const draft = await manager().call(createFieldDraft, { params, body: {} });
  const core = draft.graph.nodes.find(({ nodeType }) => nodeType === "CORE_ATTRIBUTE")!;
  const source = { connectorId: CRM, entityDefinition: "company", attributeDefinition: "mail" };
  const nodes = [node("mail", "ATTRIBUTE_SOURCE", source), node("upper", "FUNCTION", {}, "upperCase"), core];
  const graph = Graph.parse({ nodes, edges: [edge("mail", "upper"), edge("upper", core.id)] });
  await manager().call(saveFieldDraft, { params, body: { graph, revision: draft.revision } });
  return fieldId;
}

const mailTest = (value: string) => ({
  name: "mail",
  records: [{ nodeId: "mail", id: "1", values: { id: "1", mail: "a@example.com" } }],
  expectedResult: [{ apiName: "email", value }],
});

test("[SYN-116] [SYN-117] the same calls test the pipeline of a field, node by node", async () => {
  await world.savedWhole(world.accounts);
  const id = await upperField("email");
  const params = { id };
  const of = fieldPipelineTests;
  const saved = await manager().call(of.create, { params, body: mailTest("A@EXAMPLE.COM") });
  expect((await manager().call(of.list, { params })).tests.map(({ name }) => name)).toEqual(["mail"]);
  expect((await manager().call(calls.list, { params: { id: world.accounts } })).tests).toEqual([]);
  const { id: runId } = await manager().call(of.run, { params, body: { testIds: [saved.id], name: "field" } });
  const read = () => manager().call(of.getRun, { params: { ...params, runId } });
  await expect.poll(async () => isProcessing((await read()).status)).toBe(false);
  const { status, resultDetails } = await read();
  expect(status).toBe("success");
  const nodes = resultDetails?.[0]?.nodes ?? [];
  expect(nodes.map(({ nodeId, status: at }) => [nodeId, at]).slice(0, 2)).toEqual([
    ["mail", "success"],
    ["upper", "success"],
  ]);
  expect((await manager().call(of.listRuns, { params })).runs.map(({ name }) => name)).toEqual(["field"]);
  const update = { ...mailTest("a"), revision: saved.revision };
  await manager().call(of.update, { params: { ...params, testId: saved.id }, body: update });
  await manager().call(of.remove, { params: { ...params, testId: saved.id } });
  expect((await manager().send(of.get, { params: { ...params, testId: saved.id } })).status).toBe(404);
});

test("a draft whose tests have to pass is not published while one fails, and the answer names it", async () => {
  const { accounts: entityId } = world;
  const draft = await world.savedWhole(entityId);
  const fieldId = await upperField("email");
  const wrong = await create("capital letters", "Acme");
  await create("passes", "ACME");
  const params = { id: fieldId };
  const ofField = await manager().call(fieldPipelineTests.create, { params, body: mailTest("a@example.com") });
  await manager().call(patchPipelineSettings, { params: { entityId }, body: { testBeforePublish: true } });
  const refused = await world.publish(entityId, draft.revision);
  expect(refused).toMatchObject({ status: 422, body: { code: "test_failed" } });
  expect(JSON.stringify(refused.body)).toContain("capital letters, mail");
  expect(JSON.stringify(refused.body)).not.toContain("passes");
  const opened = await manager().call(getPipelineGraph, { params: { entityId, graphVersion: "draft" } });
  expect(opened).toMatchObject({ hasPublished: false, readOnly: false });
  const { runs } = await manager().call(calls.listRuns, { params: { id: entityId } });
  expect(runs[0]).toMatchObject({ name: "Before publishing First", status: "failed" });

  const { id } = wrong;
  const corrected = { ...body("capital letters", "ACME"), revision: wrong.revision };
  await manager().call(calls.update, { params: { id: entityId, testId: id }, body: corrected });
  const only = { versionName: "First", revision: draft.revision, fieldPipelines: "ready" as const };
  const without = await manager().send(publishPipeline, { params: { entityId }, body: only });
  expect(without.status, "a field pipeline that stays a draft is not tested").toBe(200);
  expect(ofField.status).toBe(null);
});

test("a pipeline publishes without running its tests where its settings do not demand them", async () => {
  const draft = await world.savedWhole(world.accounts);
  await create("fails", "Acme");
  expect((await world.publish(world.accounts, draft.revision)).status).toBe(200);
  expect((await manager().call(calls.listRuns, { params: { id: world.accounts } })).runs).toEqual([]);
});

test("runs are kept until they are too many or too old; the newest always is", async () => {
  const { accounts, t } = world;
  await world.savedWhole(accounts);
  const { id } = await create("right", "ACME");
  const insert = (name: string, age: string) =>
    t.deps.dataPool.query(
      `INSERT INTO ${table("pipeline_test_run")} (id, pipeline_id, field_id, kind, name, status, test_ids, graph_version, requested_by, requested_at, lease_until)
       VALUES ($1, $2, '', 'simulated', $3, 'success', '{}', 'draft', 'Ada', now() - $4::interval, now())`,
      [t.deps.newId(), accounts, name, age],
    );
  await insert("old", `${PIPELINE_TEST_LIMITS.keptDays + 1} days`);
  for (let n = 0; n < PIPELINE_TEST_LIMITS.keptRuns; n++) await insert(`run ${n}`, "1 day");
  await ranTests([id], "newest");
  const names = async () =>
    (await manager().call(calls.listRuns, { params: { id: accounts } })).runs.map(({ name }) => name);
  await expect.poll(async () => (await names()).length).toBe(PIPELINE_TEST_LIMITS.keptRuns);
  expect(await names()).not.toContain("old");
  expect(await names()).not.toContain("run 0");
  expect((await names())[0]).toBe("newest");
});

test("runs of one field, or of one kind, do not displace the runs of others", async () => {
  const { accounts, t } = world;
  await world.savedWhole(accounts);
  const { id } = await create("right", "ACME");
  const insert = (name: string, fieldId: string, kind: string) =>
    t.deps.dataPool.query(
      `INSERT INTO ${table("pipeline_test_run")} (id, pipeline_id, field_id, kind, name, status, test_ids, graph_version, requested_by, lease_until)
       VALUES ($1, $2, $3, $4, $5, 'success', '{}', 'draft', 'Ada', now())`,
      [t.deps.newId(), accounts, fieldId, kind, name],
    );
  await insert("only one of a field", "field", "simulated");
  await insert("only live one", "", "live");
  for (let n = 0; n < PIPELINE_TEST_LIMITS.keptRuns; n++) await insert(`run ${n}`, "", "simulated");
  await ranTests([id], "newest");
  const names = async () => (await t.deps.dataPool.query(`SELECT name FROM ${table("pipeline_test_run")}`)).rows;
  await expect.poll(async () => (await names()).length).toBe(PIPELINE_TEST_LIMITS.keptRuns + 2);
  expect(await names()).toEqual(expect.arrayContaining([{ name: "only one of a field" }, { name: "only live one" }]));
});

test("a deleted pipeline takes its tests along", async () => {
  await world.savedWhole(world.accounts);
  const { id } = await create("right", "ACME");
  await ranTests([id]);
  const { rows } = await world.t.deps.dataPool.query(`SELECT count(*)::int AS n FROM ${table("pipeline_test_result")}`);
  expect(rows[0].n).toBe(1);
  await deletePipelineData(world.t.deps.dataPool, world.t.instanceId, world.accounts);
  for (const name of ["pipeline_test", "pipeline_test_run", "pipeline_test_result"]) {
    const left = await world.t.deps.dataPool.query(`SELECT FROM ${table(name)}`);
    expect(left.rowCount, name).toBe(0);
  }
});
