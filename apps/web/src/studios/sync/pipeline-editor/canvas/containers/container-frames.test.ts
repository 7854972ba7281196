/** Frames around loops and groups: what is inside lies inside, loops nest, and a loop's way back runs in its own frame. */
import { Graph } from "@accord/contracts/sync/graph";
import { nodeHeight } from "@accord/sync-engine/graph";
import { expect, test } from "vitest";
import { toFlow } from "../canvas.model.ts";
import type { Box } from "../boxes.ts";
import { drawnContainers, loopAreaId } from "./container-frames.ts";

const node = (id: string, apiName: string, x: number, y = 0, groupId?: string) => ({
  ...{ id, label: id, nodeType: "FUNCTION", apiName, location: { x, y } },
  ...(groupId ? { groupId } : {}),
});
const edge = (from: string, to: string) => ({
  id: `edge-${from}-to-${to}`,
  source: { nodeId: from },
  destination: { nodeId: to },
});
/** lines( words( upper ) title ), "below" on a branch of its own inside lines. */
const graphWith = (groups: { id: string; name: string; collapsed?: boolean }[] = [], groupId?: string): Graph =>
  Graph.parse({
    nodes: [
      node("lines", "forEach", 0, 0, groupId),
      node("words", "forEach", 250, 0, groupId),
      node("upper", "upperCase", 500, 0, groupId),
      node("endWords", "endLoop", 750, 0, groupId),
      node("below", "trim", 500, 200, groupId),
      node("endLines", "endLoop", 1000, 0, groupId),
      node("after", "trim", 1250),
    ],
    edges: [
      edge("lines", "words"),
      edge("words", "upper"),
      edge("upper", "endWords"),
      edge("endWords", "words"),
      edge("lines", "below"),
      edge("below", "endLines"),
      edge("endWords", "endLines"),
      edge("endLines", "lines"),
      edge("endLines", "after"),
    ],
    groups,
  });
const holds = (outer: Box, inner: Box): boolean =>
  outer.x < inner.x &&
  outer.y < inner.y &&
  outer.x + outer.width > inner.x + inner.width &&
  outer.y + outer.height > inner.y + inner.height;
const frame = (graph: Graph, startId: string) => {
  const found = drawnContainers(graph).frames.get(loopAreaId(startId));
  if (!found) throw new Error(`no frame of ${startId}`);
  return found;
};
const boxOf = (graph: Graph, id: string): Box => {
  const found = graph.nodes.find((each) => each.id === id)!;
  return { ...found.location, width: 196, height: nodeHeight(found) };
};

test("a loop's frame is around its start, its End loop and all between, and around nothing else", () => {
  const graph = graphWith();
  for (const id of ["lines", "words", "upper", "endWords", "below", "endLines"])
    expect([id, holds(frame(graph, "lines"), boxOf(graph, id))]).toEqual([id, true]);
  expect(frame(graph, "lines").x + frame(graph, "lines").width).toBeLessThan(boxOf(graph, "after").x);
});

test("a loop inside lies inside, is drawn later, and both ways back run in their own frames", () => {
  const graph = graphWith();
  const [outer, inner] = [frame(graph, "lines"), frame(graph, "words")];
  expect(holds(outer, inner)).toBe(true);
  expect(drawnContainers(graph).containers.map(({ id }) => id)).toEqual([loopAreaId("lines"), loopAreaId("words")]);
  expect(inner.backY).toBeLessThan(inner.y + inner.height);
  // Below the node that hangs deepest.
  expect(outer.backY).toBeGreaterThan(boxOf(graph, "below").y + boxOf(graph, "below").height);
  expect(outer.backY).toBeLessThan(outer.y + outer.height);
});

test("a group around a loop is around its frame; collapsed, it hides the loop", () => {
  const open = graphWith([{ id: "g", name: "All" }], "g");
  const group = drawnContainers(open).frames.get("g");
  expect(group && holds(group, frame(open, "lines"))).toBe(true);
  const collapsed = graphWith([{ id: "g", name: "All", collapsed: true }], "g");
  expect(drawnContainers(collapsed).frames.size).toBe(0);
});

test("the canvas draws frames behind nodes, outer ones first, with the label of the loop's start", () => {
  const draw = (graph: Graph) =>
    toFlow({ graph, selected: [], selectedEdge: null, errors: new Map(), readOnly: false, edgeName: () => "" });
  const { nodes, edges } = draw(graphWith());
  const types = nodes.map(({ type }) => type);
  expect(types.slice(0, 2)).toEqual(["loop", "loop"]);
  expect(nodes.slice(0, 2).map((each) => (each.type === "loop" ? each.data.label : ""))).toEqual(["lines", "words"]);
  const depths = edges.filter(({ data }) => data?.isWayBack).map(({ data }) => data?.backDepth ?? 0);
  expect(depths[0]).not.toBe(depths[1]);
});

test("a loop that no End loop returns to has no frame", () => {
  const graph = graphWith();
  const broken = { ...graph, edges: graph.edges.filter(({ id }) => id !== "edge-endLines-to-lines") };
  expect(drawnContainers(broken).containers.map(({ id }) => id)).toEqual([loopAreaId("words")]);
});
