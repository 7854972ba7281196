/** What runs of tests never show or store: values of fields that are, or in any version were, moved to or from a password. */
import type { Id } from "@accord/contracts";
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import { createEntity } from "@accord/contracts/data/core-schema";
import { Graph, type GraphNode } from "@accord/contracts/sync/graph";
import { entityPipelineTests, getLiveTest, startLiveTest } from "@accord/contracts/sync/pipeline-test-calls";
import { isProcessing } from "@accord/contracts/sync/pipeline-tests";
import { createPipelineDraft, publishPipeline, savePipelineDraft } from "@accord/contracts/sync/pipelines";
import { beforeAll, expect, test } from "vitest";
import { edge, node } from "../../../../test-kit/graphs.ts";
import { storedRows } from "../../../../test-kit/stored-rows.ts";
import { testApp, type TestApp } from "../../../../test-kit/test-app.ts";
import { twoSystems, type TwoSystems } from "../../../../test-kit/two-systems.ts";

const PIN = "Kingfisher-4711";
let t: TestApp;
let systems: TwoSystems;
let entityId: Id<"entity">;

const manager = () => t.as("SYNC_MANAGER");

async function saveDraft(nodes: GraphNode[], chain: string[]) {
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
  await expect.poll(async () => isProcessing((await read()).status), { timeout: 15_000 }).toBe(false);
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
