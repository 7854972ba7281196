/** Which group nodes join or leave where they are let go. */
import { Graph } from "@accord/contracts/sync/graph";
import { describe, expect, test } from "vitest";
import type { Box } from "../boxes.ts";
import { afterDrop, dropOn, groupDrop } from "./group-drop.ts";

const SIZE = { width: 196, height: 52 };
const node = (id: string, x: number, change: object = {}) => ({
  id,
  label: id,
  nodeType: "FUNCTION",
  location: { x, y: 0 },
  ...change,
});
const edge = (from: string, to: string) => ({
  id: `edge-${from}-to-${to}`,
  source: { nodeId: from },
  destination: { nodeId: to },
});
/** crm → a → b → c → core; a and b are grouped. */
const graph = Graph.parse({
  nodes: [
    node("crm", -300, { nodeType: "ENTITY_SOURCE" }),
    node("a", 0, { groupId: "g" }),
    node("b", 300, { groupId: "g" }),
    node("c", 600),
    node("core", 900, { nodeType: "CORE_ENTITY" }),
  ],
  edges: [edge("crm", "a"), edge("a", "b"), edge("b", "c"), edge("c", "core")],
  groups: [{ id: "g", name: "Clean" }],
});
const areas = new Map<string, Box>([["g", { x: -20, y: -30, width: 536, height: 102 }]]);
const drop = (dragged: Record<string, { x: number; y: number }>, pointer: { x: number; y: number }) =>
  groupDrop({
    graph,
    areas,
    nodes: new Map(Object.entries(dragged).map(([id, at]) => [id, { ...at, ...SIZE }])),
    pointer,
  });
const membersAfter = (found: ReturnType<typeof drop>) =>
  afterDrop(graph, found).nodes.flatMap(({ id, groupId }) => (groupId === "g" ? [id] : []));

describe("dropping nodes", () => {
  test("[SYN-072] the group under the pointer is joined, and says so before the node is let go", () => {
    const found = drop({ c: { x: 250, y: 10 } }, { x: 300, y: 20 });
    expect(dropOn(found, "g", graph)).toBe("join");
    expect(membersAfter(found)).toEqual(["a", "b", "c"]);
  });

  test("[SYN-072] a node that lies outside its group altogether leaves it; over the edge it makes the group larger", () => {
    const outside = drop({ b: { x: 300, y: 300 } }, { x: 350, y: 320 });
    expect(dropOn(outside, "g", graph)).toBe("leave");
    expect(membersAfter(outside)).toEqual(["a"]);
    const overTheEdge = drop({ b: { x: 450, y: 40 } }, { x: 560, y: 85 });
    expect(dropOn(overTheEdge, "g", graph)).toBeNull();
    expect(afterDrop(graph, overTheEdge)).toBe(graph);
  });

  test("[SYN-087] what can't join is refused with its reason, and the graph stays as it is", () => {
    const found = drop({ core: { x: 250, y: 10 } }, { x: 300, y: 20 });
    expect(dropOn(found, "g", graph)).toBe("group_has_core");
    expect(afterDrop(graph, found)).toBe(graph);
  });

  test("a group whose nodes are dragged together moves as it is", () => {
    const found = drop({ a: { x: 0, y: 500 }, b: { x: 300, y: 500 } }, { x: 50, y: 520 });
    expect(afterDrop(graph, found)).toBe(graph);
  });
});
