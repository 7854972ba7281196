/** What runs of tests never show or store: values of fields that are, or in any version were, moved to or from a password. */
import type { Id } from "@accord/contracts";
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import { createEntity } from "@accord/contracts/data/core-schema";
import { Graph } from "@accord/contracts/sync/graph";
import { entityPipelineTests, getLiveTest, startLiveTest } from "@accord/contracts/sync/tests/pipeline-test-calls";
import { isProcessing } from "@accord/contracts/sync/tests/pipeline-tests";
import { createPipelineDraft, publishPipeline, savePipelineDraft } from "@accord/contracts/sync/pipelines";
import { beforeAll, expect, test } from "vitest";
import { edge, node } from "../../../../test-kit/graphs.ts";
import { storedRows } from "../../../../test-kit/database/stored-rows.ts";
import { testApp, type TestApp } from "../../../../test-kit/test-app.ts";
import { twoSystems, type TwoSystems } from "../../../../test-kit/systems/two-systems.ts";

const PIN = "Kingfisher-4711";
let t: TestApp;
let systems: TwoSystems;
let entityId: Id<"entity">;

const manager = () => t.as("SYNC_MANAGER");

async function saveDraft(nodes: readonly object[], chain: string[]) {
  const params = { entityId };
  const draft = await manager().call(createPipelineDraft, { params, body: {} });
  const core = draft.graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY")!;
  const ids = chain.map((id) => (id === "core" ? core.id : id));
  const edges = ids.slice(1).map((id, index) => edge(ids[index]!, id));
  const graph = Graph.parse({ nodes: [core, ...nodes], edges });
  return manager().call(savePipelineDraft, { params, body: { graph, revision: draft.revision } });
}

const source = (fields: Record<string, string>) =>
  node("from_crm", "ENTITY_SOURCE", {
    connectorId: systems.crm,
    entityDefinition: "login",
    fieldMappings: Object.entries(fields).map(([connectorField, coreField]) => ({ connectorField, coreField })),
  });

beforeAll(async () => {
  t = await testApp({ roles: ["web", "worker"], realTime: true, listen: true });
  systems = await twoSystems(
    t,
    `CREATE TABLE crm.login (id int PRIMARY KEY, name text, pin text);
     CREATE TABLE shop.account (id int PRIMARY KEY, name text, remark text);
     INSERT INTO crm.login VALUES (1, 'Ada', '${PIN}');`,
  );
  const field = (apiName: string, dataType = "string") => ({ apiName, displayName: apiName, dataType });
  const fields = [field("name"), field("note"), field("copy"), field("secret", "password")];
  const body = { apiName: "Login", displayName: "Login", nameField: "name", publish: true, fields } as never;
  entityId = (await manager().call(createEntity, { body })).id;
  const { revision } = await saveDraft([source({ name: "name", pin: "secret" })], ["from_crm", "core"]);
  const published = { versionName: "First", revision };
  await manager().call(publishPipeline, { params: { entityId }, body: published });
  const remark = { connectorField: "remark", coreField: "note" };
  await saveDraft(
    [
      source({ name: "name", pin: "note" }),
      node("upper", "FUNCTION", { value: "{{CRM.login.pin}}" }, "upperCase"),
      node("set", "FUNCTION", { field: "copy", value: "{{Value From upper}}" }, "setValue"),
      node("to_shop", "ENTITY_SINK", {
        connectorId: systems.shop,
        entityDefinition: "account",
        fieldMappings: [{ connectorField: "name", coreField: "name" }, remark],
        create: true,
      }),
    ],
    ["from_crm", "upper", "set", "core", "to_shop"],
  );
  return () => systems.close();
}, 120_000);

test("[T27] a draft that moves a former password to a plain field shows and stores it as the mask, from source to destination", async () => {
  const params = { graphId: entityId };
  const { id: runId } = await manager().call(startLiveTest, { params, body: { name: "live", records: 1 } });
  const read = () => manager().call(getLiveTest, { params: { ...params, runId } });
  await expect.poll(async () => isProcessing((await read()).status)).toBe(false);
  const run = await read();
  expect(run).toMatchObject({ status: "completed", recordsProcessed: 1 });
  const outputs = Object.fromEntries(
    (run.resultDetails?.[0]?.nodes ?? []).map(({ nodeId, testData }) => [nodeId, testData[0]?.output]),
  );
  expect(outputs["from_crm"]).toMatchObject({ name: "Ada", pin: PASSWORD_MASK });
  expect(outputs["set"]).toMatchObject({ note: PASSWORD_MASK, copy: PASSWORD_MASK });
  expect(outputs["to_shop"], "it is sent, and not shown").toEqual({ name: "Ada", remark: PASSWORD_MASK });
  expect(JSON.stringify(run).toLowerCase()).not.toContain(PIN.toLowerCase());
  const stored = await storedRows(t, ["shop", "crm"]);
  expect(stored.filter(({ text }) => text.toLowerCase().includes(PIN.toLowerCase()))).toEqual([]);
  const refused = await manager().send(entityPipelineTests.create, {
    params: { id: entityId },
    body: {
      name: "with a former password",
      records: [{ nodeId: "from_crm", id: "1", values: { name: "Ada", pin: PIN } }],
      expectedResult: [{ apiName: "note", value: PIN }],
    },
  });
  expect(refused).toMatchObject({ status: 400, body: { code: "validation_failed" } });
});

test("[T27] an expected value that is a password, or made of one, is refused at whichever node it is expected", async () => {
  const create = (apiName: string, nodeId: string) =>
    manager().send(entityPipelineTests.create, {
      params: { id: entityId },
      body: {
        name: `expects ${apiName} at ${nodeId}`,
        records: [{ nodeId: "from_crm", id: "1", values: { name: "Ada" } }],
        expectedResult: [{ apiName, nodeId, value: PIN }],
      },
    });
  for (const [apiName, nodeId] of [
    ["pin", "set"],
    ["note", "set"],
    ["value", "upper"],
    ["remark", "to_shop"],
  ] as const) {
    const answer = await create(apiName, nodeId);
    expect(answer, `${apiName} at ${nodeId}`).toMatchObject({ status: 400, body: { code: "validation_failed" } });
    expect(JSON.stringify(answer.body)).not.toContain(PIN);
  }
});

test("[T27] tests and results that were stored before a field was a password are shown with the mask", async () => {
  const testId = t.deps.newId<"pipelineTest">();
  const runId = t.deps.newId<"pipelineTestRun">();
  const table = (name: string) => `"i_${t.instanceId}".${name}`;
  const expected = [
    { apiName: "note", value: PIN },
    { apiName: "value", nodeId: "upper", value: PIN },
  ];
  const actual = {
    failed: true,
    values: expected.map((one) => ({
      nodeId: null,
      ...one,
      recordId: "1",
      expected: PIN,
      failed: true,
      message: `${PIN} is wrong`,
    })),
  };
  const data = { recordId: "1", input: { pin: PIN }, output: { value: PIN }, route: null, message: null };
  const node = { label: "", nodeType: "FUNCTION", status: "success", isTruncated: false };
  const details = {
    id: testId,
    name: "older",
    status: "failed",
    message: null,
    expectedResult: expected,
    actualResult: actual,
    nodes: [{ ...node, nodeId: "upper", testData: [{ ...data, warnings: [PIN], skipped: [] }] }],
    recordsProcessed: 1,
  };
  const { dataPool } = t.deps;
  await dataPool.query(
    `INSERT INTO ${table("pipeline_test")} (id, pipeline_id, field_id, name, records, expected) VALUES ($1, $2, '', 'older', $3, $4)`,
    [
      testId,
      entityId,
      JSON.stringify([{ nodeId: "from_crm", id: "1", values: { pin: PIN } }]),
      JSON.stringify(expected),
    ],
  );
  await dataPool.query(
    `INSERT INTO ${table("pipeline_test_run")} (id, pipeline_id, field_id, kind, name, status, test_ids, graph_version, requested_by, ended_at, lease_until)
     VALUES ($1, $2, '', 'simulated', 'older', 'failed', '{}', 'draft', 'Ada', now(), now())`,
    [runId, entityId],
  );
  await dataPool.query(
    `INSERT INTO ${table("pipeline_test_result")} (run_id, position, test_id, status, actual, records, details) VALUES ($1, 1, $2, 'failed', $3, 1, $4)`,
    [runId, testId, JSON.stringify(actual), JSON.stringify(details)],
  );
  const params = { id: entityId };
  const one = await manager().call(entityPipelineTests.get, { params: { ...params, testId } });
  const { tests } = await manager().call(entityPipelineTests.list, { params });
  const run = await manager().call(entityPipelineTests.getRun, { params: { ...params, runId } });
  expect(one.records[0]?.values).toEqual({ pin: PASSWORD_MASK });
  expect(one.expectedResult.map(({ value }) => value)).toEqual([PASSWORD_MASK, PASSWORD_MASK]);
  for (const result of [one.resultDetails, run.resultDetails?.[0]])
    expect(result).toMatchObject({
      message: expect.stringContaining("Run the test again"),
      nodes: [{ testData: [], isTruncated: true }],
    });
  expect(JSON.stringify([one, tests, run])).not.toContain(PIN);
  const started = await manager().call(entityPipelineTests.run, { params, body: { testIds: [testId], name: "again" } });
  const again = () => manager().call(entityPipelineTests.getRun, { params: { ...params, runId: started.id } });
  await expect.poll(async () => isProcessing((await again()).status)).toBe(false);
  const stored = await dataPool.query(`SELECT * FROM ${table("pipeline_test_result")} WHERE run_id = $1`, [started.id]);
  expect(stored.rowCount).toBe(1);
  expect(JSON.stringify(stored.rows).toLowerCase()).not.toContain(PIN.toLowerCase());
});

test("[T27] code in a test sees no secret, so that nothing it makes of one is shown, whatever it does not name", async () => {
  const script = `function run(record) {
    const all = Object.keys(record).map((key) => String(record[key]));
    return { ["na" + "me"]: all.join("|"), ["co" + "py"]: all.map((text) => text.toLowerCase().replace("-", "+")).join("|") };
  }`;
  await saveDraft(
    [source({ name: "name", pin: "secret" }), node("code", "FUNCTION", { script }, "customCode")],
    ["from_crm", "code", "core"],
  );
  const params = { graphId: entityId };
  const { id: runId } = await manager().call(startLiveTest, { params, body: { name: "code", records: 1 } });
  const read = () => manager().call(getLiveTest, { params: { ...params, runId } });
  await expect.poll(async () => isProcessing((await read()).status)).toBe(false);
  const run = await read();
  expect(run).toMatchObject({ status: "completed", recordsProcessed: 1 });
  const code = run.resultDetails?.[0]?.nodes?.find(({ nodeId }) => nodeId === "code")?.testData[0];
  expect(code?.output).toMatchObject({ name: expect.stringContaining(`Ada|${PASSWORD_MASK}`) });
  expect(JSON.stringify(run).toLowerCase()).not.toMatch(/kingfisher/);
});
