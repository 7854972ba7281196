/** Trying a record in a field pipeline, and up to one node of either graph, whatever is missing behind it. */
import type { Values } from "@accord/contracts/data/values";
import type { Id } from "@accord/contracts";
import { createFieldDraft, listFieldPipelines } from "@accord/contracts/sync/field-pipelines";
import { Graph, type GraphNode } from "@accord/contracts/sync/graph";
import { createPipelineDraft, getPipelineGraph } from "@accord/contracts/sync/pipelines";
import { pausePipeline } from "@accord/contracts/sync/monitoring/runs";
import { type RecordToTry, type TriedRecord, tryFieldRecord, tryRecord } from "@accord/contracts/sync/tests/try-record";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storingNothing } from "../../../../../test-kit/generated/database-hash.ts";
import { edge, node } from "../../../../../test-kit/graphs.ts";
import { personPipeline, type PersonPipeline } from "../../../../../test-kit/systems/person-pipeline.ts";

let p: PersonPipeline;
let graph: Graph;
let city: Id<"field">;
/** The field pipeline of the city, as it begins. */
let cityGraph: Graph;

const manager = () => p.t.as("SYNC_MANAGER");

beforeAll(async () => {
  p = await personPipeline(1);
  const params = { entityId: p.entityId };
  await manager().call(pausePipeline, { params, body: {} });
  await manager().call(createPipelineDraft, { params, body: {} });
  ({ graph } = await manager().call(getPipelineGraph, { params: { ...params, graphVersion: "draft" } }));
  const { fields } = await manager().call(listFieldPipelines, { params });
  city = fields.find(({ apiName }) => apiName === "city")!.id;
  const draft = await manager().call(createFieldDraft, { params: { ...params, fieldId: city }, body: {} });
  cityGraph = draft.graph;
}, 120_000);
afterAll(() => p.close());

const values = (given: Values, externalId = "new"): RecordToTry => ({ kind: "values", externalId, values: given });
const ADA = values({ name: "Ada", mail: "a@example.com", city: " rome " });

const tried = (on: Graph, untilNodeId?: string, record = ADA) =>
  manager().call(tryRecord, {
    params: { id: p.entityId },
    body: { graph: on, nodeId: "from_shop", record, ...(untilNodeId ? { untilNodeId } : {}) },
  });
const sendField = (on: Graph, untilNodeId?: string, record = ADA) =>
  manager().send(tryFieldRecord, {
    params: { id: city },
    body: { graph: on, nodeId: "from_shop", record, ...(untilNodeId ? { untilNodeId } : {}) },
  });
const triedField = async (on: Graph, untilNodeId?: string, record = ADA): Promise<TriedRecord> => {
  const { status, body } = await sendField(on, untilNodeId, record);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as TriedRecord;
};
const at = (result: TriedRecord, nodeId: string) => result.nodes.find((one) => one.nodeId === nodeId);
const passAt = (result: TriedRecord, nodeId: string) => {
  const [data] = at(result, nodeId)?.testData ?? [];
  return data && [data.input, data.output];
};
const nodeOf = (on: Graph, nodeType: GraphNode["nodeType"]) => on.nodes.find((one) => one.nodeType === nodeType)!;

/** The city, trimmed and written in capitals before the core; to the CRM it goes as it is. */
function cityOf(more: readonly object[] = [], edges: readonly object[] = []): Graph {
  const [source, core] = [nodeOf(cityGraph, "ATTRIBUTE_SOURCE"), nodeOf(cityGraph, "CORE_ATTRIBUTE")];
  const toCrm = cityGraph.nodes.find(
    ({ nodeType, configuration }) => nodeType === "ATTRIBUTE_SINK" && configuration.connectorId === p.systems.crm,
  )!;
  return Graph.parse({
    nodes: [
      source,
      core,
      toCrm,
      node("trim", "FUNCTION", {}, "trim"),
      node("caps", "FUNCTION", {}, "upperCase"),
      ...more,
    ],
    edges: [edge(source.id, "trim"), edge("trim", "caps"), edge("caps", core.id), edge(core.id, toCrm.id), ...edges],
  });
}

describe("a record is tried in a field pipeline", () => {
  test("each node shows the value that comes and goes, the core its field, and each destination what it is sent", async () => {
    const shown = cityOf();
    const result = await storingNothing(p.t, () => triedField(shown));
    expect(passAt(result, nodeOf(shown, "ATTRIBUTE_SOURCE").id)).toEqual([{ city: " rome " }, { city: " rome " }]);
    expect(passAt(result, "trim")).toEqual([{ value: " rome " }, { value: "rome" }]);
    expect(passAt(result, "caps")).toEqual([{ value: "rome" }, { value: "ROME" }]);
    expect(result.core).toMatchObject({ outcome: "created", before: null, after: { city: "ROME" } });
    expect(result.destinations).toMatchObject([
      { nodeId: nodeOf(shown, "ATTRIBUTE_SINK").id, outcome: "create", values: { city: "ROME" } },
    ]);
    expect(result.notRun).toEqual([]);
  });

  test("a real record shows what the field holds, and what it would hold", async () => {
    const result = await triedField(cityOf(), undefined, { kind: "external", externalId: "1" });
    expect(result.core).toMatchObject({ outcome: "updated", before: { city: "City 1" }, after: { city: "CITY 1" } });
    expect(result.destinations.map(({ outcome, values: sent }) => [outcome, sent])).toEqual([
      ["update", { city: "CITY 1" }],
    ]);
  });

  test("a graph that can't run is refused with its node; a person without the permission is refused", async () => {
    const loose = cityOf([node("set", "FUNCTION", {}, "setValue")], [edge("caps", "set")]);
    const { status, body } = await sendField(loose);
    const problems = expect.arrayContaining([expect.objectContaining({ nodeId: "set", severity: "error" })]);
    expect([status, body]).toMatchObject([422, { details: { problems } }]);
    const request = { params: { id: city }, body: { graph: cityOf(), nodeId: "from_shop", record: ADA } };
    expect((await p.t.as("VIEWER").send(tryFieldRecord, request)).status).toBe(403);
    expect((await manager().send(tryFieldRecord, { ...request, params: { id: p.t.deps.newId() } })).status).toBe(404);
  });
});

describe("a record is tried up to one node", () => {
  /** Capitals, then a node that lacks its settings, then the core. */
  const incomplete = (): Graph => {
    const core = nodeOf(graph, "CORE_ENTITY").id;
    const edges = graph.edges.filter(({ source }) => source.nodeId !== "from_shop");
    return Graph.parse({
      ...graph,
      nodes: [
        ...graph.nodes,
        node("mark", "FUNCTION", { field: "city", value: "Oslo" }, "setValue"),
        node("empty", "FUNCTION", {}, "setValue"),
        node("behind", "FUNCTION", { field: "city", value: "Bergen" }, "setValue"),
        node("empty_too", "FUNCTION", {}, "setValue"),
        node("nowhere", "ENTITY_SINK", {}),
      ],
      edges: [
        ...edges,
        edge("from_shop", "mark"),
        edge("mark", "empty"),
        edge("empty", core),
        edge(core, "behind"),
        edge("behind", "empty_too"),
        edge("empty_too", "nowhere"),
      ],
    });
  };

  test("before the core nothing else has to be complete, and the rest did not run", async () => {
    const result = await tried(incomplete(), "mark");
    expect(passAt(result, "mark")).toMatchObject([{ city: " rome " }, { city: "Oslo" }]);
    const core = nodeOf(graph, "CORE_ENTITY").id;
    expect(result.notRun).toEqual(expect.arrayContaining([core, "empty", "behind", "to_crm", "nowhere"]));
    expect(result.notRun).not.toContain("from_shop");
    expect(result.core).toEqual({ outcome: "none", recordId: null, before: null, after: null, message: null });
    expect(result.destinations).toEqual([]);
    expect(result.nodes.filter(({ status }) => status !== "not_reached").map(({ nodeId }) => nodeId)).toEqual([
      "from_shop",
      "mark",
    ]);
  });

  test("a node that is incomplete itself, or before the node, is named", async () => {
    const body = { graph: incomplete(), nodeId: "from_shop", record: ADA, untilNodeId: "behind" };
    const refused = await manager().send(tryRecord, { params: { id: p.entityId }, body });
    expect(refused).toMatchObject({ status: 422, body: { details: { problems: [{ nodeId: "empty" }] } } });
  });

  test("behind the core it needs no destination; up to the core itself no node behind it", async () => {
    const core = nodeOf(graph, "CORE_ENTITY").id;
    const drawn = incomplete();
    const direct = {
      ...drawn,
      edges: [...drawn.edges.filter(({ source }) => source.nodeId !== "mark"), edge("mark", core)],
    };
    const complete = Graph.parse(direct);
    const behind = await tried(complete, "behind");
    expect(passAt(behind, "behind")).toMatchObject([{ city: "Oslo" }, { city: "Bergen" }]);
    expect(behind.core).toMatchObject({ outcome: "created", after: { city: "Oslo" } });
    expect(behind.destinations).toEqual([]);
    const atCore = await tried(complete, core);
    expect(atCore.core).toMatchObject({ outcome: "created", after: { city: "Oslo" } });
    expect(atCore.notRun).toEqual(expect.arrayContaining(["to_shop", "to_crm", "behind"]));
    const atSink = await tried(complete, "to_crm");
    expect(atSink.destinations).toMatchObject([{ nodeId: "to_crm", outcome: "create" }]);
    expect(atSink.notRun).toContain("to_shop");
  });

  test("a source beside it that is incomplete does not keep it from running, and a node nothing leads to is refused", async () => {
    const core = nodeOf(graph, "CORE_ENTITY").id;
    const unmapped = { connectorId: p.systems.crm, entityDefinition: "contact" };
    const beside = Graph.parse({
      ...graph,
      nodes: [...graph.nodes, node("from_crm", "ENTITY_SOURCE", unmapped), node("loose", "FUNCTION", {}, "trim")],
      edges: [...graph.edges, edge("from_crm", core)],
    });
    expect((await tried(beside, core)).core.outcome).toBe("created");
    const body = { graph: beside, nodeId: "from_shop", record: ADA, untilNodeId: "loose" };
    expect(await manager().send(tryRecord, { params: { id: p.entityId }, body })).toMatchObject({
      status: 422,
      body: { code: "test_failed", description: expect.stringContaining("Nothing leads from") },
    });
  });

  test("inside a loop that has no end yet, each of its turns is shown", async () => {
    const core = nodeOf(graph, "CORE_ENTITY").id;
    const loop = Graph.parse({
      ...graph,
      nodes: [
        ...graph.nodes,
        node("each", "FUNCTION", { list: "{{Shop.person.city}}", itemVariable: "item", maxIterations: 10 }, "forEach"),
        node("upper", "FUNCTION", { value: "{{Value From each}}" }, "upperCase"),
      ],
      edges: [
        ...graph.edges.filter(({ source }) => source.nodeId !== "from_shop"),
        edge("from_shop", "each"),
        edge("each", "upper"),
      ],
    });
    const result = await tried(loop, "upper", values({ name: "Ada", mail: "a@example.com", city: ["rome", "oslo"] }));
    expect(at(result, "upper")?.testData.map(({ output }) => output["value"])).toEqual(["ROME", "OSLO"]);
    expect(result.notRun).toContain(core);
  });

  test("a field pipeline too, on both sides of its core field", async () => {
    const [core, toCrm] = [nodeOf(cityGraph, "CORE_ATTRIBUTE").id, nodeOf(cityOf(), "ATTRIBUTE_SINK").id];
    const drawn = cityOf(
      [node("open", "FUNCTION", {}, "setValue"), node("low", "FUNCTION", {}, "lowerCase")],
      [edge("caps", "open"), edge(core, "low")],
    );
    const before = await triedField(drawn, "trim");
    expect(passAt(before, "trim")).toEqual([{ value: " rome " }, { value: "rome" }]);
    expect(before.notRun).toEqual(expect.arrayContaining(["caps", "open", core, "low", toCrm]));
    const behind = await triedField(drawn, "low");
    expect(passAt(behind, "low")).toEqual([{ value: "ROME" }, { value: "rome" }]);
    expect(behind.core.after).toEqual({ city: "ROME" });
    expect(behind.notRun).toEqual(expect.arrayContaining(["open", toCrm]));
    const atCore = await triedField(drawn, core);
    expect(atCore.core.after).toEqual({ city: "ROME" });
    expect(atCore.destinations).toEqual([]);
  });
});
