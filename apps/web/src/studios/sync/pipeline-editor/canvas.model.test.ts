/** What the canvas draws, and where the palette puts things. */
import { Graph } from "@accord/contracts/sync/graph";
import { describe, expect, test } from "vitest";
import { toFlow } from "./canvas.model.ts";
import { placeIn } from "./use-placing.ts";

const node = (id: string, nodeType: string, more: object = {}) => ({
  id,
  label: id,
  nodeType,
  location: { x: 0, y: 0 },
  ...more,
});
const edge = (id: string, from: string, to: string, edgeType = "default") => ({
  id,
  source: { nodeId: from },
  destination: { nodeId: to },
  edgeType,
});

const graph = (collapsed = false) =>
  Graph.parse({
    nodes: [
      node("crm", "ENTITY_SOURCE"),
      node("trim", "FUNCTION", { apiName: "trim", groupId: "clean", location: { x: 200, y: 10 } }),
      node("big", "FUNCTION", { apiName: "predicate", groupId: "clean", location: { x: 400, y: 90 } }),
      node("core", "CORE_ENTITY", { location: { x: 700, y: 0 } }),
    ],
    edges: [edge("e1", "crm", "trim"), edge("e2", "trim", "big"), edge("e3", "big", "core", "true")],
    groups: [{ id: "clean", name: "Clean", collapsed }],
  });

const draw = (from: Graph) =>
  toFlow({ graph: from, selected: ["trim"], selectedEdge: "e3", errors: new Map([["big", 2]]), readOnly: false });

describe("canvas", () => {
  test("a group lies behind its members, around all of them", () => {
    const flow = draw(graph());
    const area = flow.nodes[0]!;
    expect(area).toMatchObject({ id: "clean", type: "area", position: { x: 180, y: -20 }, zIndex: -1 });
    expect([area.width, area.height]).toEqual([436, 182]);
    expect(flow.nodes.find((item) => item.id === "trim")?.selected).toBe(true);
    expect(flow.nodes.find((item) => item.id === "big")?.data).toMatchObject({ errors: 2, kind: "function" });
  });

  test("[SYN-061] a collapsed group stands for its members and keeps their connections to outside", () => {
    const flow = draw(graph(true));
    expect(flow.nodes.map((item) => item.id)).toEqual(["clean", "crm", "core"]);
    expect(flow.edges.map((item) => [item.source, item.target])).toEqual([
      ["crm", "clean"],
      ["clean", "core"],
    ]);
  });

  test("only the ways out of a decision can be switched", () => {
    const flow = draw(graph());
    expect(flow.edges.map((item) => item.data?.switchable)).toEqual([false, false, true]);
    expect(flow.edges[2]?.selected).toBe(true);
  });
});

describe("placing", () => {
  const trim = { kind: "function", apiName: "trim", label: "Trim", defaults: {} } as const;
  const place = {
    kind: "sink",
    connectorId: "c".repeat(24),
    connectorName: "CRM",
    entity: "company",
    entityName: "Company",
  } as const;
  const ways = (from: Graph) => from.edges.map((item) => `${item.source.nodeId}>${item.destination.nodeId}`);

  test("behind the selected node, on the selected connection, or on its own", () => {
    const start = graph();
    const crm = start.nodes[0]!;
    const after = placeIn(start, trim, { after: crm, edgeId: null });
    expect(ways(after.graph)).toEqual(expect.arrayContaining([`crm>${after.node.id}`, `${after.node.id}>trim`]));
    const last = placeIn(start, trim, { after: start.nodes.at(-1), edgeId: null });
    expect(ways(last.graph)).toContain(`core>${last.node.id}`);
    const between = placeIn(start, trim, { edgeId: "e1" });
    expect(ways(between.graph)).toEqual(expect.arrayContaining([`crm>${between.node.id}`, `${between.node.id}>trim`]));
    expect(ways(between.graph)).not.toContain("crm>trim");
    expect(ways(placeIn(start, trim, { edgeId: null }).graph)).toEqual(ways(start));
  });

  test("a destination is connected to the core entity at once", () => {
    const placed = placeIn(graph(), place, { edgeId: null });
    expect(ways(placed.graph)).toContain(`core>${placed.node.id}`);
    expect(placed.node).toMatchObject({ label: "CRM Company", configuration: { entityDefinition: "company" } });
  });
});
