/** The area of a group takes its members along. */
import { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { type FlowNode, toFlow } from "../canvas.model.ts";
import { placesAfter, withMembers } from "./follow-nodes.ts";

const node = (id: string, x: number, groupId?: string) => ({
  ...{ id, label: id, nodeType: "FUNCTION", location: { x, y: 0 } },
  ...(groupId ? { groupId } : {}),
});
const graphWith = (collapsed: boolean) =>
  Graph.parse({
    nodes: [node("a", 0, "g"), node("b", 300, "g"), node("c", 600)],
    edges: [],
    groups: [{ id: "g", name: "Clean", collapsed }],
  });
const drawn = (graph: Graph): FlowNode[] =>
  toFlow({ graph, selected: [], selectedEdge: null, errors: new Map(), readOnly: false, edgeName: () => "" }).nodes;
const area = (graph: Graph): FlowNode => drawn(graph).find(({ id }) => id === "g")!;
const movedBy = (one: FlowNode, x: number, y: number): FlowNode => ({
  ...one,
  position: { x: one.position.x + x, y: one.position.y + y },
});

test("while a group is dragged by its area, its members move with it", () => {
  const nodes = drawn(graphWith(false));
  const { position } = movedBy(area(graphWith(false)), 40, -10);
  const changes = withMembers([{ id: "g", type: "position", position, dragging: true }], nodes);
  expect(changes.slice(1)).toEqual([
    { id: "a", type: "position", position: { x: 40, y: -10 }, dragging: true },
    { id: "b", type: "position", position: { x: 340, y: -10 }, dragging: true },
  ]);
});

test("a member that is dragged as well goes its own way", () => {
  const own = { id: "a", type: "position" as const, position: { x: 7, y: 7 } };
  const change = { id: "g", type: "position" as const, position: { x: 0, y: 0 } };
  const changes = withMembers([own, change], drawn(graphWith(false)));
  expect(changes.map((each) => "id" in each && each.id)).toEqual(["a", "g", "b"]);
});

test.each([false, true])("once it is let go, all its members are as far away, collapsed: %s", (collapsed) => {
  const graph = graphWith(collapsed);
  expect([...placesAfter(graph, [movedBy(area(graph), 50, 20)])]).toEqual([
    ["a", { x: 50, y: 20 }],
    ["b", { x: 350, y: 20 }],
  ]);
});
