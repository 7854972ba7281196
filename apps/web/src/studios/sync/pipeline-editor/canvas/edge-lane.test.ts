/** Connections that lead back to the left: between the cards, and beside each other. */
import { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { lanesOf, turnOf } from "./edge-lane.ts";

const node = (id: string, x: number, y: number) => ({
  id,
  label: id,
  nodeType: "FUNCTION",
  apiName: "trim",
  location: { x, y },
});
const edge = (source: string, target: string) => ({
  id: `${source}-${target}`.padEnd(12, "0"),
  source: { nodeId: source },
  destination: { nodeId: target },
});
const laneOf = (graph: Graph, source: string, target: string) =>
  lanesOf(graph).get(`${source}-${target}`.padEnd(12, "0"));

test("a connection to the right has no lane, one to the left runs above the card it leads to", () => {
  const graph = Graph.parse({
    nodes: [node("a", 0, 0), node("b", 500, 0), node("c", 0, 160)],
    edges: [edge("a", "b"), edge("b", "c")],
  });
  expect(laneOf(graph, "a", "b")).toBeUndefined();
  const lane = laneOf(graph, "b", "c") ?? 0;
  expect(lane).toBeGreaterThan(52);
  expect(lane).toBeLessThan(160);
});

test("a connection past other cards keeps its distance from them, one that meets none has no lane", () => {
  const past = (y: number) =>
    Graph.parse({
      nodes: [node("a", 0, 0), node("b", 250, y), node("c", 500, y), node("d", 750, 20)],
      edges: [edge("a", "d"), edge("a", "b"), edge("b", "c"), edge("c", "d")],
    });
  // The line into d runs at a height of 46: below the cards between, and close to their edge.
  expect(laneOf(past(-12), "a", "d")).toBe(60);
  expect(laneOf(past(-12), "b", "c")).toBeUndefined();
  expect(laneOf(past(40), "a", "d")).toBe(20);
  expect(laneOf(past(-200), "a", "d")).toBeUndefined();
  expect(laneOf(past(300), "a", "d")).toBeUndefined();
});

test("branches that turn the same way turn apart, the one that starts nearer to where they go first", () => {
  const at = (x: number, y: number, apiName = "trim") =>
    Graph.parse({ nodes: [{ ...node("n", x, y), apiName }], edges: [] }).nodes[0]!;
  const decision = at(0, 200, "predicate");
  const [up, down] = [at(250, 0), at(250, 600)];
  expect(turnOf(decision, up, "true")).toBeLessThan(turnOf(decision, up, "false"));
  expect(turnOf(decision, down, "true")).toBeGreaterThan(turnOf(decision, down, "false"));
  expect(turnOf(at(0, 200), up, "default")).toBe(0);
});

test("no card lies on the lane", () => {
  const graph = Graph.parse({
    nodes: [node("a", 500, 0), node("tall", 250, 120), node("c", 0, 160)],
    edges: [edge("a", "c")],
  });
  const lane = laneOf(graph, "a", "c") ?? 0;
  expect(lane).toBeGreaterThan(52);
  expect(lane).toBeLessThan(120);
});

test("two connections that lead to different cards do not share a lane", () => {
  const graph = Graph.parse({
    nodes: [node("a", 750, 0), node("b", 500, 0), node("c", 0, 200), node("d", 250, 200)],
    edges: [edge("a", "c"), edge("b", "d")],
  });
  expect(laneOf(graph, "a", "c")).not.toBe(laneOf(graph, "b", "d"));
});

test("a lane runs above the name of an open group, and where it was once the group is collapsed", () => {
  const grouped = (collapsed: boolean) =>
    Graph.parse({
      nodes: [node("a", 750, 0), node("b", 0, 300), { ...node("c", 250, 300), groupId: "group" }],
      edges: [edge("a", "b")],
      groups: [{ id: "group", name: "Own", collapsed }],
    });
  const collapsed = laneOf(grouped(true), "a", "b") ?? 0;
  expect(collapsed).toBeGreaterThan(270);
  expect(laneOf(grouped(false), "a", "b")).toBeLessThan(270);
});
