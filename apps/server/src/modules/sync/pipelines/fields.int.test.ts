/** Field pipelines through the API: drafted by field, validated beside their entity pipeline, published with it. */
import type { Id } from "@accord/contracts";
import { listEntities } from "@accord/contracts/data/core-schema";
import * as fields from "@accord/contracts/sync/field-pipelines";
import { Graph } from "@accord/contracts/sync/graph";
import { listConnectorFields } from "@accord/contracts/sync/node-fields";
import { listPipelineVersions, restorePipelineVersion } from "@accord/contracts/sync/pipeline-versions";
import * as contract from "@accord/contracts/sync/pipelines";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { edge, makeCrm, node } from "../../../../test-kit/graphs.ts";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import type { Module } from "../../../platform/module.ts";
import type { PipelineService } from "./index.ts";

let t: TestApp;
let entityId: Id<"entity">;
let name: Id<"field">;
let phone: Id<"field">;
const CRM = "a".repeat(24);
const place = { connectorId: CRM, entityDefinition: "company" };

beforeAll(async () => {
  t = await testApp();
  await makeCrm(t, CRM);
});

/** A pipeline that maps one field both ways. */
beforeEach(async () => {
  const { entities } = await t.as("VIEWER").call(listEntities, {});
  const account = entities.find((entity) => entity.apiName === "Account")!;
  entityId = account.id;
  await t.deps.appPool.query("DELETE FROM pipeline");
  const caller = t.as("SYNC_MANAGER");
  const { fields: rows } = await caller.call(fields.listFieldPipelines, { params: { entityId } });
  name = rows.find(({ apiName }) => apiName === "name")!.id;
  phone = rows.find(({ apiName }) => apiName === "phone")!.id;
  const draft = await caller.call(contract.createPipelineDraft, { params: { entityId }, body: {} });
  const core = draft.graph.nodes[0]!;
  const mapped = { ...place, fieldMappings: [{ connectorField: "name", coreField: "name" }] };
  const graph = Graph.parse({
    nodes: [node("crm", "ENTITY_SOURCE", mapped), core, node("back", "ENTITY_SINK", mapped)],
    edges: [edge("crm", core.id), edge(core.id, "back")],
  });
  await caller.call(contract.savePipelineDraft, { params: { entityId }, body: { graph, revision: draft.revision } });
});

const begin = (fieldId: Id<"field">) =>
  t.as("SYNC_MANAGER").call(fields.createFieldDraft, { params: { entityId, fieldId }, body: {} });

/** The draft of a field with a node between its source and the core. */
async function withTrim(fieldId: Id<"field">) {
  const draft = await begin(fieldId);
  const core = draft.graph.nodes.find(({ nodeType }) => nodeType === "CORE_ATTRIBUTE")!;
  const graph = Graph.parse({
    nodes: [
      node("from", "ATTRIBUTE_SOURCE", { ...place, attributeDefinition: "mail" }),
      node("tidy", "FUNCTION", {}, "trim"),
      core,
    ],
    edges: [edge("from", "tidy"), edge("tidy", core.id)],
  });
  const body = { graph, revision: draft.revision };
  return t.as("SYNC_MANAGER").call(fields.saveFieldDraft, { params: { entityId, fieldId }, body });
}

async function publish(fieldPipelines?: "all" | "ready" | Id<"field">[]) {
  const caller = t.as("SYNC_MANAGER");
  const { revision } = await caller.call(contract.createPipelineDraft, { params: { entityId }, body: {} });
  const body = { versionName: "Next", revision, bringInExisting: false, ...(fieldPipelines ? { fieldPipelines } : {}) };
  return caller.send(contract.publishPipeline, { params: { entityId }, body });
}

async function running() {
  const module = t.app.modules.find((one) => one.name === "sync/pipelines") as Module & { service: PipelineService };
  return (await module.service.publishedVersion(t.instanceId, entityId))?.fieldGraphs ?? {};
}

test("[SYN-052] a field pipeline begins with the direct mappings of its field and tells its draft's state", async () => {
  const draft = await begin(name);
  expect(draft.graph.nodes.map(({ nodeType }) => nodeType)).toEqual([
    "CORE_ATTRIBUTE",
    "ATTRIBUTE_SOURCE",
    "ATTRIBUTE_SINK",
  ]);
  const { fields: rows } = await t.as("VIEWER").call(fields.listFieldPipelines, { params: { entityId } });
  const row = rows.find(({ id }) => id === name);
  expect(row).toMatchObject({ hasPublished: false, draft: { ready: false, hasChanges: true } });
});

test("field pipelines are published with their entity pipeline and frozen with its version", async () => {
  await withTrim(phone);
  expect((await publish()).status).toBe(200);
  expect(Object.keys(await running())).toEqual(["phone"]);
  const { fields: rows } = await t.as("VIEWER").call(fields.listFieldPipelines, { params: { entityId } });
  expect(rows.find(({ id }) => id === phone)).toMatchObject({ hasPublished: true, draft: null });
});

test("only drafts that are ready come along when that is asked for", async () => {
  await withTrim(phone);
  await begin(name);
  const params = { entityId, fieldId: name };
  await t.as("SYNC_MANAGER").call(fields.setFieldReady, { params, body: { ready: true } });
  expect((await publish("ready")).status).toBe(200);
  expect(Object.keys(await running())).toEqual(["name"]);
  const { fields: rows } = await t.as("VIEWER").call(fields.listFieldPipelines, { params: { entityId } });
  expect(rows.find(({ id }) => id === phone)?.draft).not.toBeNull();
});

test("a draft without sources and destinations takes the field pipeline away", async () => {
  await withTrim(phone);
  await publish();
  const draft = await begin(phone);
  const core = draft.graph.nodes.find(({ nodeType }) => nodeType === "CORE_ATTRIBUTE")!;
  const body = { graph: Graph.parse({ nodes: [core], edges: [] }), revision: draft.revision };
  await t.as("SYNC_MANAGER").call(fields.saveFieldDraft, { params: { entityId, fieldId: phone }, body });
  expect((await publish()).status).toBe(200);
  expect(await running()).toEqual({});
});

test("a broken field pipeline keeps the whole pipeline from being published, and the message names the node", async () => {
  const draft = await withTrim(phone);
  const nodes = draft.graph.nodes.map((one) =>
    one.id === "from" ? { ...one, configuration: { ...place, attributeDefinition: "gone" } } : one,
  );
  const params = { entityId, fieldId: phone };
  const body = { graph: { ...draft.graph, nodes }, revision: draft.revision };
  await t.as("SYNC_MANAGER").call(fields.saveFieldDraft, { params, body });
  const { problems, publishable } = await t.as("VIEWER").call(fields.validateFieldPipeline, { params, body: {} });
  expect(publishable).toBe(false);
  expect(problems[0]?.errorMessage).toBe("from: company has no field gone. Choose another field in the mapping.");
  expect((await publish()).status).toBe(422);
});

test("[SYN-064] a field pipeline is offered the fields of its pipeline's places, each as source or destination", async () => {
  const params = { entityId, graphVersion: "draft" as const };
  const { fields: offered } = await t.as("VIEWER").call(listConnectorFields, { params });
  expect(offered.find(({ id }) => id === "crm.mail")).toEqual({
    id: "crm.mail",
    connectorId: CRM,
    connectorName: "CRM",
    connectorEntity: "company",
    label: "Mail",
    name: "mail",
    type: "SOURCE",
    iconPath: expect.any(String),
  });
  const names = (type: "SOURCE" | "SINK") => offered.filter((one) => one.type === type).map((one) => one.name);
  expect(names("SOURCE")).toContain("name");
  expect(names("SINK")).toContain("name");
  expect(names("SOURCE")).toContain("id");
});

test("two people edit a field: the second save answers 409 with the newer draft", async () => {
  const draft = await begin(name);
  const params = { entityId, fieldId: name };
  const body = { graph: draft.graph, revision: draft.revision };
  await t.as("SYNC_MANAGER").call(fields.saveFieldDraft, { params, body });
  expect((await t.as("ORG_ADMIN").send(fields.saveFieldDraft, { params, body })).status).toBe(409);
});

test("a restored version brings its field pipelines back as drafts", async () => {
  await withTrim(phone);
  await publish();
  const { versions } = await t.as("VIEWER").call(listPipelineVersions, { params: { entityId } });
  const draft = await begin(phone);
  const core = draft.graph.nodes.find(({ nodeType }) => nodeType === "CORE_ATTRIBUTE")!;
  const body = { graph: Graph.parse({ nodes: [core], edges: [] }), revision: draft.revision };
  await t.as("SYNC_MANAGER").call(fields.saveFieldDraft, { params: { entityId, fieldId: phone }, body });
  await publish();
  const params = { entityId, versionId: versions[0]!.id };
  await t.as("SYNC_MANAGER").call(restorePipelineVersion, { params, body: {} });
  expect((await publish()).status).toBe(200);
  expect(Object.keys(await running())).toEqual(["phone"]);
});
