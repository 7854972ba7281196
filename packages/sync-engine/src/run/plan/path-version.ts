/** Names what a pipeline makes of a source's records, and what fits a destination: whether that has changed is seen by it. */
import type { EntitySchema, FieldSchema } from "@accord/contracts/data/schema";
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { isBypassed } from "../../graph/bypass.ts";
import { reachableFrom, upstreamOf } from "../../graph/walk.ts";
import { hashText } from "@accord/connector-sdk/fingerprint";
import type { FieldGraphs } from "./endpoints.ts";

interface VersionedGraph {
  graph: Graph;
  core: GraphNode;
  fieldGraphs: FieldGraphs;
}

/** When a source is read, how far, and what is believed of its absences: none of that is about what its records become. */
const READING = [
  "schedule",
  "scheduleSeconds",
  "readMode",
  "acceptDeletes",
  "findDeletesMinutes",
  "mostMissingPercent",
];

/** Names everything that decides what a source's records become, so that a changed pipeline looks at them again. */
export function pathVersion({ graph, core, fieldGraphs }: VersionedGraph, source: GraphNode): string {
  const before = upstreamOf(graph, core.id);
  const after = reachableFrom(graph, [source.id]);
  const nodes = graph.nodes.filter((node) => before.has(node.id) && after.has(node.id));
  const onPath = new Set(nodes.map((node) => node.id));
  const edges = graph.edges.filter((edge) => onPath.has(edge.source.nodeId) && onPath.has(edge.destination.nodeId));
  const text = JSON.stringify([
    ...shapeOf({ nodes, edges }),
    ...(fieldGraphs.size > 0 ? [[...fieldGraphs].map(([field, one]) => [field, shapeOf(one)])] : []),
  ]);
  return hashText(text);
}

/** Names everything that decides what the fields of a destination are given, and which values they take. */
export function fitVersion(
  { graph, fieldGraphs, coreFields }: VersionedGraph & { coreFields: ReadonlyMap<string, FieldSchema> },
  { fields }: EntitySchema,
): string {
  const fieldShapes = [...fieldGraphs].map(([field, one]) => [field, shapeOf(one)]);
  return hashText(JSON.stringify([shapeOf(graph), fieldShapes, [...coreFields.values()], fields]));
}

/** Whatever it is set to do, it does nothing. */
const BYPASSED = { bypassed: true };

const shapeOf = ({ nodes, edges }: Pick<Graph, "nodes" | "edges">) => [
  nodes.map((node) => [node.id, node.apiName, isBypassed(node) ? BYPASSED : decidingOf(node)]),
  edges.map((edge) => [edge.source.nodeId, edge.destination.nodeId, edge.edgeType]),
];

function decidingOf({ nodeType, configuration }: GraphNode): object {
  if (nodeType !== "ENTITY_SOURCE") return configuration;
  return Object.fromEntries(Object.entries(configuration).filter(([key]) => !READING.includes(key)));
}
