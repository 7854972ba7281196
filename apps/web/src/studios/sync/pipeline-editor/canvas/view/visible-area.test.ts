/** How far the view must go so that a node is seen: by no more than it takes, with the places where the next one is added. */
import { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { boxOf, distanceToSee, hasCard } from "./visible-area.ts";

const AREA = { left: 100, right: 900, top: 50, bottom: 650 };

test("what lies inside the area needs no move, what lies outside the shortest one", () => {
  const at = (left: number, top: number) => ({ left, right: left + 200, top, bottom: top + 50 });
  expect(distanceToSee(at(200, 100), AREA)).toBeNull();
  expect(distanceToSee(at(800, 100), AREA)).toEqual({ x: -124, y: 0 });
  expect(distanceToSee(at(60, 640), AREA)).toEqual({ x: 64, y: -64 });
});

test("what is wider than the area is seen from its beginning", () => {
  expect(distanceToSee({ left: 300, right: 1400, top: 100, bottom: 150 }, AREA)).toEqual({ x: -176, y: 0 });
});

const { nodes, ...graph } = Graph.parse({
  nodes: [
    { id: "trim", label: "Trim", nodeType: "FUNCTION", apiName: "trim", location: { x: 10, y: 20 } },
    { id: "sink", label: "Sink", nodeType: "ENTITY_SINK", location: { x: 10, y: 20 } },
    { id: "inside", label: "Inside", nodeType: "FUNCTION", apiName: "trim", groupId: "g" },
  ],
  edges: [],
  groups: [{ id: "g", name: "Group", collapsed: true }],
});
const [trim, sink, inside] = nodes;
if (!trim || !sink || !inside) throw new Error("the graph has three nodes");

test("what adds the next node belongs to a card, as large on screen as it is at any zoom", () => {
  const origin = { left: 100, top: 50 };
  const widths = [1, 0.5].map((zoom) => {
    const view = { x: 0, y: 0, zoom };
    return boxOf(trim, view, origin).right - boxOf(sink, view, origin).right;
  });
  expect(widths).toEqual([38, 38]);
  expect(boxOf(sink, { x: 5, y: 7, zoom: 0.5 }, origin)).toMatchObject({ left: 110, top: 67 });
});

test("in a group that is collapsed a node has no card of its own", () => {
  expect(nodes.map((node) => hasCard({ ...graph, nodes }, node))).toEqual([true, true, false]);
});
