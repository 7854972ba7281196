/** Pipelines through the API: drafts that two people edit, validation, publishing, versions and the table. */
import type { Id } from "@accord/contracts";
import { deleteEntity, listEntities, listEntityUses } from "@accord/contracts/data/core-schema";
import { Graph, type GraphNode } from "@accord/contracts/sync/graph";
import { getNodePicklistValues } from "@accord/contracts/sync/node-fields";
import { getGraphPalette, getPipelinePalette, lookUpTokens } from "@accord/contracts/sync/palette";
import {
  getPipelineVersion,
  listPipelineVersions,
  restorePipelineVersion,
} from "@accord/contracts/sync/pipeline-versions";
import * as contract from "@accord/contracts/sync/pipelines";
import * as runs from "@accord/contracts/sync/runs";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { edge, makeCrm, node } from "../../../../test-kit/graphs.ts";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import type { Module } from "../../../platform/module.ts";
import type { PipelineRuns, PipelineService } from "./index.ts";

let t: TestApp;
let accounts: Id<"entity">;
const CRM = "a".repeat(24);

const MAPPINGS = [
  { connectorField: "name", coreField: "name" },
  { connectorField: "mail", coreField: "email" },
];
const source = { connectorId: CRM, entityDefinition: "company", fieldMappings: MAPPINGS };

function wholeGraph(core: GraphNode) {
  return Graph.parse({
    nodes: [
      node("crm", "ENTITY_SOURCE", source),
      node("upper", "FUNCTION", { value: "{{CRM.company.name}}" }, "upperCase"),
      node("set", "FUNCTION", { field: "name", value: "{{Value From upper}}" }, "setValue"),
      core,
      node("back", "ENTITY_SINK", source),
    ],
    edges: [edge("crm", "upper"), edge("upper", "set"), edge("set", core.id), edge(core.id, "back")],
  });
}

async function draftOf(entityId: Id<"entity">) {
  return t.as("SYNC_MANAGER").call(contract.createPipelineDraft, { params: { entityId }, body: {} });
}

async function savedWhole(entityId: Id<"entity">) {
  const draft = await draftOf(entityId);
  const core = draft.graph.nodes.find((one) => one.nodeType === "CORE_ENTITY")!;
  const body = { graph: wholeGraph(core), revision: draft.revision };
  return t.as("SYNC_MANAGER").call(contract.savePipelineDraft, { params: { entityId }, body });
}

const publish = (entityId: Id<"entity">, revision: number, versionName = "First") =>
  t.as("SYNC_MANAGER").send(contract.publishPipeline, { params: { entityId }, body: { versionName, revision } });

beforeAll(async () => {
  t = await testApp();
  await makeCrm(t, CRM);
});

beforeEach(async () => {
  const { entities } = await t.as("VIEWER").call(listEntities, {});
  accounts = entities.find((entity) => entity.apiName === "Account")!.id;
  await t.deps.appPool.query("DELETE FROM pipeline");
});

describe("a draft", () => {
  test("begins with its core entity and is found again", async () => {
    const made = await draftOf(accounts);
    expect(made).toMatchObject({ graphVersion: "draft", status: "NEW", hasDraft: true, hasPublished: false });
    expect(made.graph.nodes).toMatchObject([
      { nodeType: "CORE_ENTITY", label: "Account", location: { x: 788, y: 343 } },
    ]);
    expect(await draftOf(accounts)).toEqual(made);
  });

  test("[SYN-073] is saved with whole positions and nodes apart", async () => {
    const draft = await draftOf(accounts);
    const graph = {
      ...draft.graph,
      nodes: [
        ...draft.graph.nodes,
        Graph.parse({ nodes: [{ ...node("a", "FUNCTION", {}, "trim"), location: { x: 100.7, y: 100.2 } }], edges: [] })
          .nodes[0]!,
        Graph.parse({ nodes: [{ ...node("b", "FUNCTION", {}, "trim"), location: { x: 110, y: 110 } }], edges: [] })
          .nodes[0]!,
      ],
    };
    const body = { graph, revision: draft.revision };
    const saved = await t.as("SYNC_MANAGER").call(contract.savePipelineDraft, { params: { entityId: accounts }, body });
    const [, a, b] = saved.graph.nodes.map((one) => one.location);
    expect(a).toEqual({ x: 100, y: 100 });
    expect(Math.abs(b!.x - a!.x) > 25 || Math.abs(b!.y - a!.y) > 25).toBe(true);
  });

  test("places where numbers lose their last digits are refused: nodes there could never be moved apart", async () => {
    const { graph, revision } = await draftOf(accounts);
    const far = ["a", "b"].map((name) => ({ ...node(name, "FUNCTION", {}, "trim"), location: { x: 1e300, y: 1e300 } }));
    const body = { graph: { ...graph, nodes: [...graph.nodes, ...far] }, revision };
    const answer = await t
      .as("SYNC_MANAGER")
      .send(contract.savePipelineDraft, { params: { entityId: accounts }, body });
    expect(answer).toMatchObject({ status: 400, body: { code: "validation_failed" } });
    expect(answer.body).toMatchObject({
      errors: expect.arrayContaining([{ path: "graph.nodes.1.location.x", message: "may be 1,000,000 at most" }]),
    });
  });

  test("[F16] two people edit: the second save answers 409 with the newer draft, and nothing is lost", async () => {
    const draft = await draftOf(accounts);
    const rename = (label: string) => ({
      graph: { ...draft.graph, nodes: draft.graph.nodes.map((one) => ({ ...one, description: label })) },
      revision: draft.revision,
    });
    const params = { entityId: accounts };
    await t.as("SYNC_MANAGER").call(contract.savePipelineDraft, { params, body: rename("first") });
    const second = await t.as("ORG_ADMIN").send(contract.savePipelineDraft, { params, body: rename("second") });
    expect(second.status).toBe(409);
    const refused = second.body as unknown as { code: string; details: { newest: { graph: Graph; revision: number } } };
    expect(refused.code).toBe("stale_version");
    expect(refused.details.newest.graph.nodes[0]?.description).toBe("first");
    const body = { ...rename("second"), revision: refused.details.newest.revision };
    const saved = await t.as("ORG_ADMIN").call(contract.savePipelineDraft, { params, body });
    expect(saved.graph.nodes[0]?.description).toBe("second");
  });

  test("[SYN-080] edges that the editor refuses are refused by the API as well", async () => {
    const draft = await draftOf(accounts);
    const core = draft.graph.nodes[0]!.id;
    const graph = { ...draft.graph, edges: Graph.parse({ nodes: [], edges: [edge(core, core)] }).edges };
    const answer = await t.as("SYNC_MANAGER").send(contract.savePipelineDraft, {
      params: { entityId: accounts },
      body: { graph, revision: draft.revision },
    });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code: "pipeline_invalid", details: { problems: [{ code: "edge_refused" }] } });
  });

  test("is discarded, and an old editor can't write over the next one", async () => {
    const draft = await draftOf(accounts);
    const params = { entityId: accounts };
    await t.as("SYNC_MANAGER").call(contract.discardPipelineDraft, { params });
    expect(
      (await t.as("VIEWER").send(contract.getPipelineGraph, { params: { ...params, graphVersion: "draft" } })).status,
    ).toBe(404);
    await draftOf(accounts);
    const old = await t.as("SYNC_MANAGER").send(contract.savePipelineDraft, {
      params,
      body: { graph: draft.graph, revision: draft.revision },
    });
    expect(old.status).toBe(409);
  });

  test("[SYN-127] whatever changes a pipeline needs WRITE_STUDIO", async () => {
    await draftOf(accounts);
    const params = { entityId: accounts };
    const scope = { scope: "all" as const, sourceEntityIds: ["a"] };
    const viewer = t.as("VIEWER");
    const refused = await Promise.all([
      viewer.send(contract.createPipelineDraft, { params, body: {} }),
      viewer.send(contract.publishPipeline, { params, body: { versionName: "x", revision: 1 } }),
      viewer.send(contract.discardPipelineDraft, { params }),
      viewer.send(contract.deletePublishedPipeline, { params }),
      viewer.send(contract.clonePipeline, { params, body: { version: "draft" } }),
      viewer.send(runs.pausePipeline, { params, body: {} }),
      viewer.send(runs.resumePipeline, { params, body: {} }),
      viewer.send(runs.startResync, { params, body: scope }),
      viewer.send(runs.cancelResync, { params, body: {} }),
      viewer.send(deleteEntity, { params }),
    ]);
    expect(refused.map((answer) => answer.status)).toEqual(refused.map(() => 403));
    const seen = await viewer.call(contract.getPipelineGraph, { params: { ...params, graphVersion: "draft" } });
    expect(seen.readOnly).toBe(true);
    expect(seen.readOnlyReason).toContain("not change");
  });
});

describe("a saved graph", () => {
  /** What comes back when this is saved beside the core entity; sent as the plain JSON a client would send. */
  async function saved(nodes: readonly object[], edges: readonly object[] = [], groups: readonly object[] = []) {
    const draft = await draftOf(accounts);
    const graph = { ...draft.graph, nodes: [...draft.graph.nodes, ...nodes], edges, groups } as Graph;
    const body = { graph, revision: draft.revision };
    const answer = await t
      .as("SYNC_MANAGER")
      .call(contract.savePipelineDraft, { params: { entityId: accounts }, body });
    return { ...answer.graph, nodes: answer.graph.nodes.slice(1), core: answer.graph.nodes[0]! };
  }

  test("[SYN-054] [SYN-056] a node without place and ports gets the usual ones", async () => {
    const { nodes } = await saved([{ id: "a", nodeType: "FUNCTION", apiName: "trim" }]);
    const port = { maxConnections: 1, datatype: "object" };
    expect(nodes[0]).toMatchObject({
      location: { x: 600, y: 400 },
      inputPorts: [{ portType: "INPUT", ...port }],
      outputPorts: [{ portType: "OUTPUT", ...port }],
    });
  });

  test("[SYN-057] [SYN-058] node types come back in upper case, whichever way they were written", async () => {
    const types = ["function", "action", "entitySource", "ENTITY_SINK", "attributeSource", "attributeSink"];
    const more = ["coreAttribute", "connectorEntity", "CONNECTOR_ATTRIBUTE", "customGroup"];
    const { nodes } = await saved([...types, ...more].map((nodeType, index) => ({ id: `n${index}`, nodeType })));
    expect(nodes.map((one) => one.nodeType)).toEqual([
      ...["FUNCTION", "ACTION", "ENTITY_SOURCE", "ENTITY_SINK", "ATTRIBUTE_SOURCE", "ATTRIBUTE_SINK"],
      ...["CORE_ATTRIBUTE", "CONNECTOR_ENTITY", "CONNECTOR_ATTRIBUTE", "CUSTOM_GROUP"],
    ]);
  });

  test("[SYN-060] [SYN-071] an edge gets the usual anchors, and a new id when its own is too short", async () => {
    const ends = { source: { nodeId: "a" }, destination: { nodeId: "b" } };
    const { edges } = await saved(
      [node("a", "FUNCTION", {}, "trim"), node("b", "FUNCTION", {}, "trim")],
      [{ id: "abc", ...ends }],
    );
    expect(edges[0]).toMatchObject({ sourceAnchor: 2, targetAnchor: 0, edgeType: "default" });
    expect(edges[0]!.id.length).toBeGreaterThanOrEqual(12);
  });

  test("[SYN-061] a group stays collapsed", async () => {
    const group = { id: "g1", name: "Cleaning", label: "Cleaning", collapsed: true, childNodeSummary: "Trim" };
    const { groups } = await saved([{ ...node("a", "FUNCTION", {}, "trim"), groupId: "g1" }], [], [group]);
    expect(groups).toMatchObject([{ ...group, shape: "customGroup", nodeType: "CUSTOM_GROUP" }]);
  });
});

describe("publishing", () => {
  test("an invalid draft can't be published by the API either", async () => {
    const draft = await draftOf(accounts);
    const answer = await publish(accounts, draft.revision);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      code: "pipeline_invalid",
      details: { problems: [{ code: "source_missing" }] },
    });
    const params = { entityId: accounts, graphVersion: "published" as const };
    expect((await t.as("VIEWER").send(contract.getPipelineGraph, { params })).status).toBe(404);
  });

  test("validation lists each problem with its node and what to do", async () => {
    const draft = await savedWhole(accounts);
    const nodes = draft.graph.nodes.map((one) =>
      one.id === "set" ? { ...one, configuration: { field: "nope", value: "{{nobody}}" } } : one,
    );
    const params = { entityId: accounts };
    const checked = await t
      .as("VIEWER")
      .call(contract.validatePipeline, { params, body: { graph: { ...draft.graph, nodes } } });
    expect(checked.publishable).toBe(false);
    expect(checked.problems.map((problem) => [problem.code, problem.nodeId])).toEqual([
      ["input_invalid", "set"],
      ["token_unknown", "set"],
    ]);
    expect(checked.problems[0]?.errorMessage).toBe("set: Field: There is no field nope. Choose another one.");
    expect((await t.as("VIEWER").call(contract.validatePipeline, { params, body: {} })).problems).toEqual([]);
  });

  test("[SYN-091] a published draft is approved, frozen and told to the engine", async () => {
    const told: unknown[] = [];
    const engine: PipelineRuns = {
      published: async (change) => void told.push(change),
      unpublished: async (change) => void told.push(change),
      states: async () => [],
    };
    const { service } = t.module<Module & { service: PipelineService }>("sync/pipelines");
    service.connectRuns(engine);
    const draft = await savedWhole(accounts);
    expect((await publish(accounts, draft.revision - 1)).status).toBe(409);
    const { status, body } = await publish(accounts, draft.revision);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "APPROVED",
      graphVersion: "published",
      versionNumber: 1,
      versionName: "First",
      hasDraft: false,
      readOnly: true,
    });
    expect(told).toMatchObject([{ entityId: accounts, bringInExisting: true }]);
    expect(await service.publishedVersion(t.instanceId, accounts)).toMatchObject({
      number: 1,
      graph: { nodes: draft.graph.nodes },
    });
    const params = { entityId: accounts };
    for (const graphVersion of ["published", "approved"] as const)
      expect(
        (await t.as("VIEWER").call(contract.getPipelineGraph, { params: { ...params, graphVersion } })).graphVersion,
      ).toBe("published");
    await t.as("SYNC_MANAGER").call(contract.deletePublishedPipeline, { params });
    expect(told).toHaveLength(2);
    expect(await service.publishedVersion(t.instanceId, accounts)).toBeNull();
  });

  test("versions are listed, opened and restored into the draft", async () => {
    const first = await savedWhole(accounts);
    await publish(accounts, first.revision);
    const second = await draftOf(accounts);
    expect(second.status).toBe("DRAFT");
    const params = { entityId: accounts };
    const fewer = {
      ...second.graph,
      nodes: second.graph.nodes.map((one) => (one.id === "upper" ? { ...one, description: "changed" } : one)),
    };
    const saved = await t
      .as("SYNC_MANAGER")
      .call(contract.savePipelineDraft, { params, body: { graph: fewer, revision: second.revision } });
    await publish(accounts, saved.revision, "Second");
    const { versions } = await t.as("VIEWER").call(listPipelineVersions, { params });
    expect(versions.map(({ number, name, current }) => [number, name, current])).toEqual([
      [2, "Second", true],
      [1, "First", false],
    ]);
    const opened = await t.as("VIEWER").call(getPipelineVersion, { params: { ...params, versionId: versions[1]!.id } });
    expect(opened.graph).toEqual(first.graph);
    const restored = await t
      .as("SYNC_MANAGER")
      .call(restorePipelineVersion, { params: { ...params, versionId: versions[1]!.id }, body: {} });
    expect(restored.graph).toEqual(first.graph);
    expect((await t.as("VIEWER").call(contract.getPipeline, { params })).pipelineStatus).toBe("PUBLISHED_WITH_DRAFT");
  });

  test("[SYN-104] a clone is a new entity whose draft equals its origin", async () => {
    const draft = await savedWhole(accounts);
    const clone = () =>
      t.as("SYNC_MANAGER").call(contract.clonePipeline, { params: { entityId: accounts }, body: { version: "draft" } });
    const [one, two] = [await clone(), await clone()];
    const row = await t.as("VIEWER").call(contract.getPipeline, { params: { entityId: two.entityId } });
    expect(row).toMatchObject({ name: "Account copy 1", pipelineStatus: "DRAFT" });
    const params = { entityId: one.entityId, graphVersion: "draft" as const };
    const copy = await t.as("VIEWER").call(contract.getPipelineGraph, { params });
    expect(copy.graph.edges).toEqual(draft.graph.edges);
    expect(copy.graph.nodes.find((held) => held.nodeType === "CORE_ENTITY")?.label).toBe("Account copy");
  });
});

describe("the table", () => {
  test("[SYN-025] rows tell sources, destinations and mapped fields", async () => {
    await savedWhole(accounts);
    const row = await t.as("VIEWER").call(contract.getPipeline, { params: { entityId: accounts } });
    const place = {
      connectorId: CRM,
      connectorName: "CRM",
      connectorType: "postgres",
      entityId: "company",
      entityName: "Company",
    };
    expect(row).toMatchObject({
      name: "Account",
      pipelineStatus: "DRAFT",
      pipelineStatusTagData: ["Draft"],
      pipelineStateTagData: [],
      currentActivity: "Not published",
      sources: [place],
      destinations: [place],
      fieldsMapped: 2,
      numberOfVersions: 0,
    });
    expect(row.lastModifiedBy).toEqual({ firstName: "Test", lastName: "Person" });
  });

  test("[SYN-024] [SYN-026] rows tell how the last cycle went, and who changed and published what", async () => {
    const draft = await savedWhole(accounts);
    await publish(accounts, draft.revision);
    const state = {
      entityId: accounts,
      status: "RUNNING" as const,
      currentActivity: "Reading from CRM",
      errorCount: 0,
      warningCount: 2,
      errorDetails: [],
      lagTimeInSeconds: 1,
      lastSyncTime: "2026-11-21T10:00:00.000Z",
      lastCycleMs: 1840,
      transactionsInLastCycle: 17,
      nextAt: null,
      pausedBy: null,
      quarantined: 0,
      resync: null,
      sources: [],
      destinations: [],
    };
    const done = async () => {};
    const { service } = t.module<Module & { service: PipelineService }>("sync/pipelines");
    service.connectRuns({ published: done, unpublished: done, states: async () => [state] });
    const row = await t.as("VIEWER").call(contract.getPipeline, { params: { entityId: accounts } });
    expect(row).toMatchObject({
      id: accounts,
      pipelineStatusTagData: ["Published"],
      pipelineStateTagData: ["Running", "Warning"],
      warningCount: 2,
      currentActivity: "Reading from CRM",
      lastCompletedSync: state.lastSyncTime,
      lastCycleDuration: { duration: 1.8, durationUnit: "s" },
      transactionsInLastCycle: 17,
      lastModifiedBy: { firstName: "Test", lastName: "Person" },
      resyncDetails: null,
    });
    expect(row.lastPublishedOn).toBe(t.clock.now().toISOString());
    t.clock.advance(60_000);
    await draftOf(accounts);
    const later = await t.as("VIEWER").call(contract.getPipeline, { params: { entityId: accounts } });
    expect(later.lastModifiedOn).toBe(t.clock.now().toISOString());
    expect(later.lastPublishedOn).toBe(row.lastPublishedOn);
  });

  test("[SYN-028] search and filters narrow the rows, counts stay those of all", async () => {
    const draft = await savedWhole(accounts);
    await publish(accounts, draft.revision);
    const list = (query: Record<string, unknown>) => t.as("VIEWER").call(contract.listPipelines, { query });
    const all = await list({});
    expect(all.summary.total).toBe(all.total);
    expect((await list({ search: "acc" })).rows.map((row) => row.apiName)).toContain("Account");
    const found = await list({ sources: "company", pipelineStatus: "Draft" });
    expect(found.rows.map((row) => row.apiName)).toEqual(expect.arrayContaining(["Account"]));
    expect(found.rows.every((row) => row.sources.length > 0 || row.pipelineStatusTagData.includes("Draft"))).toBe(true);
    expect((await list({ pageSize: 2, page: 2 })).rows).toHaveLength(2);
  });

  test("[SYN-134] [SYN-145] settings and merge policy survive; the realtime switch rests while published", async () => {
    const params = { entityId: accounts };
    const patch = (body: object) => t.as("SYNC_MANAGER").send(contract.patchPipelineSettings, { params, body });
    const mergeConfig = { retainFields: ["name"], dependentPicklists: [] };
    expect((await patch({ realtimePipeline: true, mergeConfig })).status).toBe(200);
    expect(await t.as("VIEWER").call(contract.getPipeline, { params })).toMatchObject({
      mergeConfig,
      settings: { realtimePipeline: true },
    });
    const draft = await savedWhole(accounts);
    await publish(accounts, draft.revision);
    expect((await patch({ realtimePipeline: false })).status).toBe(409);
  });
});

describe("the editor's lookups", () => {
  test("[SYN-132] tokens of an unsaved graph, grouped", async () => {
    const draft = await draftOf(accounts);
    const graph = wholeGraph(draft.graph.nodes[0]!);
    const { groups } = await t.as("VIEWER").call(lookUpTokens, {
      params: { nodeId: "set" },
      body: { entityId: accounts, nodes: graph.nodes, edges: graph.edges },
    });
    expect(groups.map((group) => group.group)).toEqual([
      "Previous node",
      "Functions",
      "Core fields",
      "Source fields",
      "Records at nodes",
      "System",
    ]);
    expect(groups[3]?.tokens.map((token) => token.token)).toContain("CRM.company.mail");
  });

  test("[SYN-139] functions and actions of a graph are those that its nodes use", async () => {
    await savedWhole(accounts);
    const params = { entityId: accounts, graphVersion: "draft" as const };
    const { functions, actions } = await t.as("VIEWER").call(getGraphPalette, { params });
    expect([functions.map(({ name }) => name).sort(), actions]).toEqual([["setValue", "upperCase"], []]);
  });

  test("[SYN-131] picklist fields behind a node come with their values, on demand with what they depend on", async () => {
    const saved = await savedWhole(accounts);
    const core = saved.graph.nodes.find((one) => one.nodeType === "CORE_ENTITY")!;
    const mergeConfig = { retainFields: [], dependentPicklists: [{ controlling: "industry", dependent: "status" }] };
    const params = { entityId: accounts };
    await t.as("SYNC_MANAGER").call(contract.patchPipelineSettings, { params, body: { mergeConfig } });
    const values = async (query: object, nodeId = core.id) =>
      (await t.as("VIEWER").call(getNodePicklistValues, { params: { ...params, nodeId }, query })).fields;
    const all = await values({});
    expect(all.map(({ apiName }) => apiName)).toEqual(["status"]);
    expect(all[0]).toEqual({
      apiName: expect.any(String),
      displayName: expect.any(String),
      values: expect.arrayContaining([{ id: expect.any(String), label: expect.any(String) }]),
    });
    const one = { dependantType: "field", dependantId: "status", sendPicklistGroup: "true" };
    expect(await values(one)).toMatchObject([{ apiName: "status", group: "industry" }]);
    const depending = await values({ dependantType: "controlling", dependantId: "industry" });
    expect(depending.map(({ apiName }) => apiName)).toEqual(["status"]);
    expect(await values({}, "crm")).toEqual([]);
    const query = {};
    const unknown = await t
      .as("VIEWER")
      .send(getNodePicklistValues, { params: { ...params, nodeId: "no-such-node" }, query });
    expect(unknown.status).toBe(404);
  });

  test("[SYN-063] [SYN-139] the palette differs between entity and field pipelines", async () => {
    const at = (level: "entity" | "field") =>
      t.as("VIEWER").call(getPipelinePalette, { params: { entityId: accounts }, query: { level } });
    const [entity, field] = [await at("entity"), await at("field")];
    expect(entity.functions.map((one) => one.name)).toContain("advancedAttachRecord");
    expect(field.functions.map((one) => one.name)).not.toContain("advancedAttachRecord");
    expect(entity.functions.find((one) => one.name === "predicate")).toMatchObject({
      label: "Decision",
      edgeTypes: ["true", "false"],
    });
  });

  test("a connector and a field in use are told to those who would delete them", async () => {
    await savedWhole(accounts);
    const { uses } = await t.as("VIEWER").call(listEntityUses, { params: { entityId: accounts }, query: {} });
    expect(uses).toContainEqual(expect.objectContaining({ kind: "pipeline", name: "Pipeline Account (draft)" }));
  });
});
