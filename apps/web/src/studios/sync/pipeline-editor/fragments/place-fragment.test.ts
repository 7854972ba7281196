/** Where a fragment from the palette goes, and how it is joined to what is there. */
import { Graph } from "@accord/contracts/sync/graph";
import { fragmentOf } from "@accord/sync-engine/graph";
import { describe, expect, test } from "vitest";
import { placeItem, type ItemPlace } from "../canvas/place-item.ts";

const node = (id: string, x: number, nodeType = "FUNCTION") => ({ id, label: id, nodeType, location: { x, y: 0 } });
const edge = (from: string, to: string) => ({
  id: `edge-${from}-to-${to}`,
  source: { nodeId: from },
  destination: { nodeId: to },
});
const graph = Graph.parse({
  nodes: [node("crm", 0, "ENTITY_SOURCE"), node("a", 244), node("b", 488), node("core", 732, "CORE_ENTITY")],
  edges: [edge("crm", "a"), edge("a", "b"), edge("b", "core")],
});
const made = fragmentOf(graph, new Set(["a", "b"]));
if (!made.ok) throw new Error(made.reason);
const item = { kind: "fragment" as const, name: "Clean", context: "entity" as const, content: made.content };
function placed(place: ItemPlace) {
  const { graph: next, nodeIds } = placeItem(graph, item, place);
  const labels = new Map(next.nodes.map(({ id, label }) => [id, label]));
  const edges = next.edges.map(
    ({ source, destination }) => `${labels.get(source.nodeId)}>${labels.get(destination.nodeId)}`,
  );
  return { edges, nodes: next.nodes, nodeIds };
}

describe("inserting a fragment", () => {
  test("on its own it stands clear of everything, joined to nothing", () => {
    const { edges, nodeIds, nodes } = placed({});
    expect(nodeIds).toHaveLength(2);
    expect(edges).toEqual(["crm>a", "a>b", "b>core", "a 1>b 1"]);
    expect(new Set(nodes.map(({ location: { x, y } }) => `${x} ${y}`)).size).toBe(nodes.length);
  });

  test("onto a connection it is put in between, and behind a node onto the connection there", () => {
    const between = ["crm>a", "b>core", "a 1>b 1", "a>a 1", "b 1>b"];
    expect(placed({ edgeId: "edge-a-to-b" }).edges).toEqual(between);
    expect(placed({ afterId: "a" }).edges).toEqual(between);
  });

  test("dropped at a place behind a node it stands there and is drawn from the node", () => {
    const { edges, nodes, nodeIds } = placed({ afterId: "b", location: { x: 488, y: 600 } });
    expect(edges).toEqual(["crm>a", "a>b", "b>core", "a 1>b 1", "b>a 1"]);
    expect(nodes.find(({ id }) => id === nodeIds[0])?.location).toEqual({ x: 488, y: 600 });
  });
});
