/** Drafts through the API: made, edited by two people, saved as the editor would, and discarded. */
import { deleteEntity } from "@accord/contracts/data/core-schema";
import { Graph } from "@accord/contracts/sync/graph";
import { getEntityPipeline } from "@accord/contracts/sync/entity-pipelines";
import { listNodeSteps, saveNodeConfiguration } from "@accord/contracts/sync/node-steps";
import * as contract from "@accord/contracts/sync/pipelines";
import * as runs from "@accord/contracts/sync/monitoring/runs";
import { describe, expect, test } from "vitest";
import { edge, node } from "../../../../test-kit/graphs.ts";
import { CRM, pipelineDrafts } from "../../../../test-kit/pipeline-drafts.ts";

const drawn = pipelineDrafts();
const { draftOf } = drawn;

describe("a draft", () => {
  test("[SYN-074] begins with its core entity in the middle and is found again", async () => {
    const made = await draftOf(drawn.accounts);
    expect(made).toMatchObject({ graphVersion: "draft", status: "NEW", hasDraft: true, hasPublished: false });
    expect(made.graph.nodes).toMatchObject([
      { nodeType: "CORE_ENTITY", label: "Account", location: { x: 788, y: 343 } },
    ]);
    expect(await draftOf(drawn.accounts)).toEqual(made);
  });

  test("[SYN-073] is saved with whole positions and nodes apart", async () => {
    const draft = await draftOf(drawn.accounts);
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
    const saved = await drawn.t
      .as("SYNC_MANAGER")
      .call(contract.savePipelineDraft, { params: { entityId: drawn.accounts }, body });
    const [, a, b] = saved.graph.nodes.map((one) => one.location);
    expect(a).toEqual({ x: 100, y: 100 });
    expect(Math.abs(b!.x - a!.x) > 25 || Math.abs(b!.y - a!.y) > 25).toBe(true);
  });

  test("places where numbers lose their last digits are refused: nodes there could never be moved apart", async () => {
    const { graph, revision } = await draftOf(drawn.accounts);
    const far = ["a", "b"].map((name) => ({ ...node(name, "FUNCTION", {}, "trim"), location: { x: 1e300, y: 1e300 } }));
    const body = { graph: { ...graph, nodes: [...graph.nodes, ...far] }, revision };
    const answer = await drawn.t
      .as("SYNC_MANAGER")
      .send(contract.savePipelineDraft, { params: { entityId: drawn.accounts }, body });
    expect(answer).toMatchObject({ status: 400, body: { code: "validation_failed" } });
    expect(answer.body).toMatchObject({
      errors: expect.arrayContaining([{ path: "graph.nodes.1.location.x", message: "may be 1,000,000 at most" }]),
    });
  });

  test("[F16] two people edit: the second save answers 409 with the newer draft, and nothing is lost", async () => {
    const draft = await draftOf(drawn.accounts);
    const rename = (label: string) => ({
      graph: { ...draft.graph, nodes: draft.graph.nodes.map((one) => ({ ...one, description: label })) },
      revision: draft.revision,
    });
    const params = { entityId: drawn.accounts };
    await drawn.t.as("SYNC_MANAGER").call(contract.savePipelineDraft, { params, body: rename("first") });
    const second = await drawn.t.as("ORG_ADMIN").send(contract.savePipelineDraft, { params, body: rename("second") });
    expect(second.status).toBe(409);
    const refused = second.body as unknown as { code: string; details: { newest: { graph: Graph; revision: number } } };
    expect(refused.code).toBe("stale_version");
    expect(refused.details.newest.graph.nodes[0]?.description).toBe("first");
    const body = { ...rename("second"), revision: refused.details.newest.revision };
    const saved = await drawn.t.as("ORG_ADMIN").call(contract.savePipelineDraft, { params, body });
    expect(saved.graph.nodes[0]?.description).toBe("second");
  });

  test("[SYN-080] edges that the editor refuses are refused by the API as well", async () => {
    const draft = await draftOf(drawn.accounts);
    const core = draft.graph.nodes[0]!.id;
    const graph = { ...draft.graph, edges: Graph.parse({ nodes: [], edges: [edge(core, core)] }).edges };
    const answer = await drawn.t.as("SYNC_MANAGER").send(contract.savePipelineDraft, {
      params: { entityId: drawn.accounts },
      body: { graph, revision: draft.revision },
    });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code: "pipeline_invalid", details: { problems: [{ code: "edge_refused" }] } });
  });

  test("is discarded, and an old editor can't write over the next one", async () => {
    const draft = await draftOf(drawn.accounts);
    const params = { entityId: drawn.accounts };
    await drawn.t.as("SYNC_MANAGER").call(contract.discardPipelineDraft, { params });
    expect(
      (await drawn.t.as("VIEWER").send(contract.getPipelineGraph, { params: { ...params, graphVersion: "draft" } }))
        .status,
    ).toBe(404);
    await draftOf(drawn.accounts);
    const old = await drawn.t.as("SYNC_MANAGER").send(contract.savePipelineDraft, {
      params,
      body: { graph: draft.graph, revision: draft.revision },
    });
    expect(old.status).toBe(409);
  });

  test("[SYN-127] whatever changes a pipeline needs WRITE_STUDIO", async () => {
    await draftOf(drawn.accounts);
    const params = { entityId: drawn.accounts };
    const scope = { scope: "all" as const, sourceEntityIds: ["a"] };
    const viewer = drawn.t.as("VIEWER");
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
    const draft = await draftOf(drawn.accounts);
    const graph = { ...draft.graph, nodes: [...draft.graph.nodes, ...nodes], edges, groups } as Graph;
    const body = { graph, revision: draft.revision };
    const answer = await drawn.t
      .as("SYNC_MANAGER")
      .call(contract.savePipelineDraft, { params: { entityId: drawn.accounts }, body });
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

  test("[SYN-055] a node of each kind keeps its configuration, metadata, entity name and tags as they were sent", async () => {
    const configuration = {
      ...{ configId: "config-1", connectorId: CRM, entityDefinition: "company", attributeDefinition: "mail" },
      ...{ loopStart: false, targetId: drawn.accounts, graphVersion: "draft", nodeLabel: "As it is called" },
      webhook: { path: "orders", method: "POST" },
    };
    const metadata = { configuration: { batchSize: 20 }, apiName: "company" };
    const kinds = [
      ["ENTITY_SOURCE", ""],
      ["ENTITY_SINK", ""],
      ["FUNCTION", "trim"],
      ["ACTION", "sendEmail"],
    ] as const;
    const sent = kinds.map(([nodeType, apiName]) => ({
      ...{ id: `a-${nodeType}`, nodeType, apiName, label: nodeType },
      ...{ configuration, metadata, connectorEntityName: "Company", tags: ["weekly"], status: "PUBLISHED" },
    }));
    const { nodes, core } = await saved(sent);
    expect(nodes).toMatchObject(sent);
    expect(core).toMatchObject({ nodeType: "CORE_ENTITY", configuration: {} });
    const again = await drawn.t
      .as("VIEWER")
      .call(contract.getPipelineGraph, { params: { entityId: drawn.accounts, graphVersion: "draft" } });
    expect(again.graph.nodes.slice(1)).toEqual(nodes);
    const states = await drawn.t
      .as("VIEWER")
      .call(getEntityPipeline, { params: { entityId: drawn.accounts, graphVersion: "draft" } });
    expect(states).toMatchObject({
      pipelineStatus: "DRAFT",
      syncStatus: "UNPUBLISHED",
      warningCount: 0,
      tags: ["Draft"],
    });
  });

  test("[SYN-050] what rules a node out is stored with it, and keeps the graph from being published", async () => {
    const rule = { nodeType: "action", key: "apiName", value: "sendEmail", message: "Mails are sent already." };
    const { nodes } = await saved([
      { ...node("a", "FUNCTION", {}, "trim"), disabledCriteria: [rule] },
      node("b", "ACTION", {}, "sendEmail"),
    ]);
    expect(nodes[0]?.disabledCriteria).toEqual([{ ...rule, nodeType: "ACTION" }]);
    const { problems, publishable } = await drawn.t
      .as("VIEWER")
      .call(contract.validatePipeline, { params: { entityId: drawn.accounts }, body: {} });
    expect(publishable).toBe(false);
    const found = problems.find(({ code }) => code === "node_disabled");
    expect(found).toMatchObject({ nodeId: "a", errorMessage: expect.stringContaining("Mails are sent already.") });
  });
});

describe("a node in steps", () => {
  const stepsOf = async (nodes: Graph["nodes"], nodeId: string, stepId?: string) =>
    drawn.t.as("SYNC_MANAGER").call(listNodeSteps, {
      params: { entityId: drawn.accounts, nodeId },
      body: { nodes, ...(stepId ? { stepId } : {}) },
    });

  test("[SYN-034] [SYN-035] [SYN-038] the core node has steps, whose inputs follow from the graph and what was answered before", async () => {
    const { graph } = await drawn.savedWhole(drawn.accounts);
    const core = graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY")!;
    const first = await stepsOf(graph.nodes, core.id);
    expect(first.steps.map(({ id }) => id)).toEqual(["authority", "duplicates", "merge", "review"]);
    expect(first.steps.map(({ layout }) => layout)).toEqual(["vertical", "vertical", "horizontal", "vertical"]);
    expect(first.steps.at(-1)).toMatchObject({ closeOnly: false, buttons: { finish: "Apply" } });
    expect(first.inputs.find(({ name }) => name === "ranking")).toMatchObject({
      dynamicConfig: true,
      mapping: { graphKey: "configuration", configKey: "ranking" },
      values: [{ id: "crm", label: "crm" }],
      visibilityDependsOnFieldValue: { field: "authority", value: "RANKED" },
    });
    expect((await stepsOf(graph.nodes, core.id, "merge")).inputs).toEqual([]);
    const merging = graph.nodes.map((one) =>
      one.id === core.id ? { ...one, configuration: { ...one.configuration, deduplicate: true } } : one,
    );
    const { inputs } = await stepsOf(merging, core.id, "merge");
    expect(inputs.find(({ name }) => name === "rule")?.values).toContainEqual({
      id: `hasExternalId:${CRM}`,
      label: "One that is in CRM",
    });
    // Nobody else is configured in steps.
    expect(await stepsOf(graph.nodes, "crm")).toEqual({ steps: [], inputs: [] });
    const params = { entityId: drawn.accounts, nodeId: core.id };
    const viewed = await drawn.t.as("VIEWER").call(listNodeSteps, { params, body: { nodes: graph.nodes } });
    expect(viewed.steps.at(-1)).toMatchObject({ closeOnly: true, footer: null });
    const unknown = { params, body: { nodes: graph.nodes, stepId: "nothing" } };
    expect((await drawn.t.as("VIEWER").send(listNodeSteps, unknown)).status).toBe(404);
  });

  test("[SYN-049] the configuration of one node is saved by itself, with the same result as with the whole draft", async () => {
    const { graph, revision } = await drawn.savedWhole(drawn.accounts);
    const core = graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY")!;
    const configuration = { ...core.configuration, authority: "LATEST" };
    const params = { entityId: drawn.accounts, nodeId: core.id };
    const manager = drawn.t.as("SYNC_MANAGER");
    const alone = await manager.call(saveNodeConfiguration, { params, body: { configuration, revision } });
    expect(alone.revision).toBe(revision + 1);
    const whole = {
      ...graph,
      nodes: graph.nodes.map((one) => (one.id === core.id ? { ...one, configuration } : one)),
    };
    expect(alone.graph).toEqual(whole);
    const again = await manager.call(contract.savePipelineDraft, {
      params: { entityId: drawn.accounts },
      body: { graph: whole, revision: alone.revision },
    });
    expect(again.graph).toEqual(alone.graph);
    const stale = await manager.send(saveNodeConfiguration, { params, body: { configuration, revision } });
    expect(stale).toMatchObject({ status: 409, body: { code: "stale_version" } });
    const body = { configuration, revision: again.revision };
    expect((await drawn.t.as("VIEWER").send(saveNodeConfiguration, { params, body })).status).toBe(403);
    const gone = { params: { ...params, nodeId: "gone" }, body };
    expect((await manager.send(saveNodeConfiguration, gone)).status).toBe(404);
  });
});
