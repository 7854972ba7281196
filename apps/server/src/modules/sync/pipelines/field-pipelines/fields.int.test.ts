/** Field pipelines through the API: drafted by field, validated beside their entity pipeline, published with it. */
import type { Id } from "@accord/contracts";
import { listEntities } from "@accord/contracts/data/core-schema";
import { FieldDraftChange, type FieldDraftRevisions } from "@accord/contracts/sync/field-choice";
import * as fields from "@accord/contracts/sync/field-pipelines";
import { Graph } from "@accord/contracts/sync/graph";
import { listConnectorFields } from "@accord/contracts/sync/node-fields";
import { listPipelineVersions, restorePipelineVersion } from "@accord/contracts/sync/pipeline-versions";
import * as contract from "@accord/contracts/sync/pipelines";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { edge, makeCrm, node } from "../../../../../test-kit/graphs.ts";
import { testApp, type TestApp } from "../../../../../test-kit/index.ts";
import type { Module } from "../../../../platform/module.ts";
import type { PipelineService } from "../index.ts";

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

const Refused = z.object({ details: z.object({ fieldPipelines: z.array(FieldDraftChange) }) });

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

test("[SYN-052] a field pipeline begins with the direct mappings of its field and is listed with its draft's state", async () => {
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
  const refused = await publish();
  expect(refused.status).toBe(422);
  expect(JSON.stringify(refused.body)).toContain("Phone (field pipeline): from: company has no field gone.");
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

test("a draft can't be marked as ready while it has errors, and the answer names them", async () => {
  const draft = await withTrim(phone);
  const nodes = draft.graph.nodes.filter(({ nodeType }) => nodeType !== "CORE_ATTRIBUTE");
  const graph = { ...draft.graph, nodes, edges: [] };
  const params = { entityId, fieldId: phone };
  const body = { graph, revision: draft.revision };
  const { revision } = await t.as("SYNC_MANAGER").call(fields.saveFieldDraft, { params, body });
  const ready = { ready: true, revision };
  const refused = await t.as("SYNC_MANAGER").send(fields.setFieldReady, { params, body: ready });
  expect(refused.status).toBe(422);
  expect(refused.body).toMatchObject({ code: "pipeline_invalid" });
  expect(JSON.stringify(refused.body)).toContain("The field pipeline has no core field. Add its node.");
});

test("a destination field that another field pipeline writes keeps a draft from being ready", async () => {
  await begin(name);
  const draft = await begin(phone);
  const core = draft.graph.nodes.find(({ nodeType }) => nodeType === "CORE_ATTRIBUTE")!;
  const graph = Graph.parse({
    nodes: [core, node("out", "ATTRIBUTE_SINK", { ...place, attributeDefinition: "name" })],
    edges: [edge(core.id, "out")],
  });
  const params = { entityId, fieldId: phone };
  // Without its direct mapping the field is written by the other field pipeline alone.
  const entity = await t.as("SYNC_MANAGER").call(contract.createPipelineDraft, { params: { entityId }, body: {} });
  const unmapped = entity.graph.nodes.map((one) =>
    one.id === "back" ? { ...one, configuration: { ...place, fieldMappings: [] } } : one,
  );
  const saved = { graph: { ...entity.graph, nodes: unmapped }, revision: entity.revision };
  await t.as("SYNC_MANAGER").call(contract.savePipelineDraft, { params: { entityId }, body: saved });
  const body = { graph, revision: draft.revision };
  await t.as("SYNC_MANAGER").call(fields.saveFieldDraft, { params, body });
  const { problems } = await t.as("VIEWER").call(fields.validateFieldPipeline, { params, body: {} });
  expect(problems.map(({ code, nodeId }) => [code, nodeId])).toEqual([["field_written_twice", "out"]]);
  expect((await t.as("SYNC_MANAGER").send(fields.setFieldReady, { params, body: { ready: true } })).status).toBe(422);
});

test("who marks a draft as ready that somebody else changed meanwhile gets the newer draft instead", async () => {
  const draft = await begin(name);
  const params = { entityId, fieldId: name };
  const body = { graph: draft.graph, revision: draft.revision };
  const newer = await t.as("ORG_ADMIN").call(fields.saveFieldDraft, { params, body });
  const ready = { ready: true, revision: draft.revision };
  const refused = await t.as("SYNC_MANAGER").send(fields.setFieldReady, { params, body: ready });
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({ details: { newest: { revision: newer.revision, ready: false } } });
});

test("a draft made anew is not saved over by who still has the one before open", async () => {
  const before = await begin(name);
  const params = { entityId, fieldId: name };
  await t.as("ORG_ADMIN").call(fields.discardFieldDraft, { params });
  await t.as("ORG_ADMIN").call(fields.createFieldDraft, { params, body: {} });
  const body = { graph: before.graph, revision: before.revision };
  expect((await t.as("SYNC_MANAGER").send(fields.saveFieldDraft, { params, body })).status).toBe(409);
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

test("restoring a version replaces the drafts of its field pipelines and leaves those of other fields", async () => {
  await withTrim(phone);
  await publish();
  const { versions } = await t.as("VIEWER").call(listPipelineVersions, { params: { entityId } });
  const other = await begin(name);
  await begin(phone);
  const params = { entityId, versionId: versions[0]!.id };
  await t.as("SYNC_MANAGER").call(restorePipelineVersion, { params, body: {} });
  const { fields: rows } = await t.as("VIEWER").call(fields.listFieldPipelines, { params: { entityId } });
  expect(rows.find(({ id }) => id === phone)?.draft).toMatchObject({ ready: true, hasChanges: false });
  expect(rows.find(({ id }) => id === name)?.draft).toMatchObject({ ready: false });
  const body = { graph: other.graph, revision: other.revision };
  const saved = await t.as("SYNC_MANAGER").send(fields.saveFieldDraft, { params: { entityId, fieldId: name }, body });
  expect(saved.status).toBe(200);
});

test("what was shown is what is published: a field draft that is saved, marked or discarded meanwhile is refused and named", async () => {
  const caller = t.as("SYNC_MANAGER");
  const rowOf = async (fieldId: Id<"field">) => {
    const { fields: rows } = await caller.call(fields.listFieldPipelines, { params: { entityId } });
    return rows.find(({ id }) => id === fieldId)!.draft;
  };
  const mark = (fieldId: Id<"field">) =>
    caller.call(fields.setFieldReady, { params: { entityId, fieldId }, body: { ready: true } });
  const { graph } = await withTrim(phone);
  await mark(phone);
  const { revision } = await caller.call(contract.createPipelineDraft, { params: { entityId }, body: {} });
  const publishShown = (fieldDrafts: FieldDraftRevisions) =>
    caller.send(contract.publishPipeline, {
      params: { entityId },
      body: { versionName: "Shown", revision, bringInExisting: false, fieldPipelines: "ready", fieldDrafts },
    });
  const refused = async (fieldDrafts: FieldDraftRevisions) => {
    const { status, body } = await publishShown(fieldDrafts);
    expect(body).toMatchObject({ code: "stale_version" });
    return [status, Refused.parse(body).details.fieldPipelines];
  };
  const shown = [{ fieldId: phone, revision: (await rowOf(phone))!.revision }];

  const edited = { graph, revision: shown[0]!.revision };
  await caller.call(fields.saveFieldDraft, { params: { entityId, fieldId: phone }, body: edited });
  await mark(phone);
  const changed = { fieldId: phone, label: "Phone", change: "changed" };
  expect(await refused(shown)).toEqual([409, [changed]]);

  const again = [{ fieldId: phone, revision: (await rowOf(phone))!.revision }];
  await begin(name);
  await mark(name);
  const added = { fieldId: name, label: "Name", change: "added" };
  expect(await refused(again)).toEqual([409, [added]]);
  await caller.call(fields.discardFieldDraft, { params: { entityId, fieldId: name } });

  await caller.call(fields.discardFieldDraft, { params: { entityId, fieldId: phone } });
  expect(await refused(again)).toEqual([409, [{ ...changed, change: "removed" }]]);
  expect(await running()).toEqual({});
  expect((await publishShown([])).status).toBe(200);
});
