/** What led to removed nodes leads on to what came after them, where there is one way in and one way out. */
import { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { removeAndReconnect } from "./reconnect.ts";

const TYPES: Record<string, string> = { crm: "ENTITY_SOURCE", core: "CORE_ENTITY", out: "ENTITY_SINK" };
const FUNCTIONS: Record<string, string> = { decide: "predicate", each: "forEach", end: "endLoop" };
const graphOf = (ways: readonly string[]): Graph => {
  const ids = [...new Set(ways.flatMap((way) => way.split(" ")[0]!.split(">")))];
  return Graph.parse({
    nodes: ids.map((id) => ({
      ...{ id, label: id, nodeType: TYPES[id] ?? "FUNCTION", apiName: TYPES[id] ? "" : (FUNCTIONS[id] ?? "trim") },
    })),
    edges: ways.map((way) => {
      const [ends = "", edgeType = "default"] = way.split(" ");
      const [from = "", to = ""] = ends.split(">");
      return { id: `edge-${from}-to-${to}`, source: { nodeId: from }, destination: { nodeId: to }, edgeType };
    }),
  });
};
let made = 0;
const newId = () => `edge-made-here-${(made += 1)}`;
const after = (ways: readonly string[], ...ids: string[]): string[] =>
  removeAndReconnect(graphOf(ways), new Set(ids), newId).graph.edges.map(
    ({ source, destination, edgeType }) =>
      `${source.nodeId}>${destination.nodeId}${edgeType === "default" ? "" : ` ${edgeType}`}`,
  );

test("a node on a path is bridged, and the bridge leaves by the branch that led to it", () => {
  expect(after(["crm>a", "a>b", "b>core"], "a")).toEqual(["b>core", "crm>b"]);
  expect(after(["decide>a true", "decide>b false", "a>core", "b>core"], "a")).toEqual([
    "decide>b false",
    "b>core",
    "decide>core true",
  ]);
});

test("several that go together are bridged once, a whole loop or decision among them", () => {
  expect(after(["crm>a", "a>b", "b>core"], "a", "b")).toEqual(["crm>core"]);
  expect(after(["crm>each", "each>a", "a>end", "end>each", "end>core"], "each", "a", "end")).toEqual(["crm>core"]);
  expect(after(["crm>a", "a>b", "b>c", "c>core"], "a", "c")).toEqual(["crm>b", "b>core"]);
});

test("where ways part or meet nothing is guessed", () => {
  expect(after(["crm>a", "a>b", "a>core"], "a")).toEqual([]);
  expect(after(["crm>c", "x>c", "c>core"], "c")).toEqual([]);
  expect(after(["crm>a", "a>core"], "crm")).toEqual(["a>core"]);
});

test("an edge that the rules refuse is not made, nor one that is there", () => {
  // A source leads to a destination through the core entity only.
  expect(after(["crm>core", "core>out"], "core")).toEqual([]);
  expect(after(["crm>a", "a>core", "crm>core"], "a")).toEqual(["crm>core"]);
});
