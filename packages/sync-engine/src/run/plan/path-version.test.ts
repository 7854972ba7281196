/** What makes a pipeline look at a source's records anew: a change of what becomes of them, and nothing else. */
import { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import type { FieldGraphs } from "./endpoints.ts";
import { pathVersion } from "./path-version.ts";

const graphWith = (configuration: object, quarantineEntries = {}): Graph =>
  Graph.parse({
    nodes: [
      { id: "source", nodeType: "ENTITY_SOURCE", configuration: {} },
      { id: "way", nodeType: "FUNCTION", apiName: "setValue", configuration },
      { id: "core", nodeType: "CORE_ENTITY", configuration: {} },
      { id: "sink", nodeType: "ENTITY_SINK", configuration: quarantineEntries },
    ],
    edges: ["source way", "way core", "core sink"].map((edge) => {
      const [from, to] = edge.split(" ");
      return { id: edge, source: { nodeId: from }, destination: { nodeId: to } };
    }),
  });
const nameOf = (graph: Graph, fieldGraphs: FieldGraphs = new Map()): string => {
  const [source, , core] = graph.nodes;
  if (!source || !core) throw new Error("the graph is not whole");
  return pathVersion({ graph, core, fieldGraphs }, source);
};

test("a changed node on the way names another program, one behind the core does not", () => {
  const name = nameOf(graphWith({ value: "a" }));
  expect(nameOf(graphWith({ value: "a" }))).toBe(name);
  expect(nameOf(graphWith({ value: "b" }))).not.toBe(name);
  expect(nameOf(graphWith({ value: "a" }, { delete: true }))).toBe(name);
  const graph = graphWith({ value: "a" });
  expect(nameOf({ ...graph, edges: graph.edges.filter(({ id }) => id !== "source way") })).not.toBe(name);
});

test("when and how a source is read names no other program, what is mapped does", () => {
  const reading = (configuration: object): string => {
    const [source, ...others] = graphWith({ value: "a" }).nodes;
    if (!source) throw new Error("the graph has a source");
    return nameOf({
      ...graphWith({ value: "a" }),
      nodes: [{ ...source, configuration: { ...configuration } }, ...others],
    });
  };
  const fieldMappings = [{ connectorField: "mail", coreField: "email" }];
  const name = reading({ fieldMappings });
  const turns = { scheduleSeconds: 5, schedule: { kind: "daily" }, readMode: "single" };
  const absences = { acceptDeletes: false, findDeletesMinutes: 5, mostMissingPercent: 50 };
  expect(reading({ fieldMappings, ...turns, ...absences })).toBe(name);
  expect(reading({ fieldMappings: [...fieldMappings, { connectorField: "phone", coreField: "phone" }] })).not.toBe(
    name,
  );
});

test("the pipeline of a single field counts as well", () => {
  const graph = graphWith({ value: "a" });
  const names = [
    new Map(),
    new Map([["name", graphWith({ value: "x" })]]),
    new Map([["name", graphWith({ value: "y" })]]),
    new Map([["age", graphWith({ value: "x" })]]),
  ].map((fieldGraphs) => nameOf(graph, fieldGraphs));
  expect(new Set(names).size).toBe(4);
});

test("a new way behind the core, or from another source, names no other program; the kind of an edge on the way does", () => {
  const graph = graphWith({ value: "a" });
  const name = nameOf(graph);
  const [first] = graph.edges;
  if (!first) throw new Error("the graph has no edges");
  const edge = (from: string, to: string) => ({
    ...first,
    id: `${from}-${to}`,
    source: { nodeId: from },
    destination: { nodeId: to },
  });
  const [node] = graph.nodes;
  const other = { ...node!, id: "other" };
  expect(nameOf({ ...graph, edges: [...graph.edges, edge("core", "other")] })).toBe(name);
  expect(nameOf({ ...graph, nodes: [...graph.nodes, other], edges: [...graph.edges, edge("other", "way")] })).toBe(
    name,
  );
  expect(nameOf({ ...graph, edges: [{ ...first, edgeType: "true" }, ...graph.edges.slice(1)] })).not.toBe(name);
});
