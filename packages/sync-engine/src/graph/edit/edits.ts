/** Edits of a graph: pure functions from one graph to the next, so that undo is keeping the old one. */
import {
  EDGE_TYPE_DEFAULT,
  type Graph,
  type GraphEdge,
  type GraphGroup,
  type GraphNode,
  type NodeConfiguration,
} from "@accord/contracts/sync/graph";
import { edgeViolation, type EdgeOrigin, type EdgeRefusal } from "../edge-rules.ts";
import { childNodeSummary, whyGroupRefused, whyMoveIntoGroupRefused, type GroupRefusal } from "./groups.ts";
import { freeLocation, wholePoint, type Point } from "../layout/layout.ts";
import { functionName, nodeById } from "../elements.ts";
import { freePort, renamedCases } from "../ports.ts";
import { renameLabel } from "./rename.ts";
import { uniqueLabel, uniqueName } from "./naming.ts";

export const SOURCE_ANCHOR = 2;
export const TARGET_ANCHOR = 0;
const MIN_EDGE_ID_LENGTH = 12;

type Refused<Reason> = { ok: false; reason: Reason };
type Edited<Reason> = { ok: true; graph: Graph } | Refused<Reason>;

/** Adds a node under a unique label at a free place. */
export function addNode(graph: Graph, node: GraphNode): Graph {
  const label = uniqueLabel(graph, node, node.label);
  const location = freeLocation(
    graph.nodes.map((other) => other.location),
    node.location,
  );
  return { ...graph, nodes: [...graph.nodes, { ...node, label, name: label, location }] };
}

interface NewEdge {
  id: string;
  source: string;
  target: string;
  edgeType?: string;
}

/** Adds an edge unless the rules refuse it; out of a node with branches it takes the one that is free. */
export function addEdge(graph: Graph, edge: NewEdge, origin: EdgeOrigin): Edited<EdgeRefusal> {
  const reason = edgeViolation(graph, edge, origin);
  if (reason) return { ok: false, reason };
  const source = nodeById(graph, edge.source);
  const edgeType = edge.edgeType ?? (source ? freePort(graph, source) : EDGE_TYPE_DEFAULT);
  const made: GraphEdge = {
    id: edge.id,
    source: { nodeId: edge.source, anchor: SOURCE_ANCHOR },
    destination: { nodeId: edge.target, anchor: TARGET_ANCHOR },
    sourceAnchor: SOURCE_ANCHOR,
    targetAnchor: TARGET_ANCHOR,
    edgeType,
  };
  return { ok: true, graph: { ...graph, edges: [...graph.edges, made] } };
}

/** Puts a node into the middle of an edge: the way a decision gets its incoming edge. */
export function insertOnEdge(graph: Graph, edgeId: string, node: GraphNode, newId: () => string): Edited<EdgeRefusal> {
  const edge = graph.edges.find((candidate) => candidate.id === edgeId);
  if (!edge) return { ok: false, reason: "edge_end_missing" };
  const without = addNode(removeEdge(graph, edgeId), node);
  const first = addEdge(
    without,
    { id: newId(), source: edge.source.nodeId, target: node.id, edgeType: edge.edgeType },
    "inserted",
  );
  if (!first.ok) return first;
  return addEdge(first.graph, { id: newId(), source: node.id, target: edge.destination.nodeId }, "inserted");
}

/** Adds a node behind another one, joined by an edge. */
export function addNodeAfter(
  graph: Graph,
  afterId: string,
  node: GraphNode,
  newId: () => string,
  edgeType?: string,
): Edited<EdgeRefusal> {
  const edge = { id: newId(), source: afterId, target: node.id, ...(edgeType ? { edgeType } : {}) };
  return addEdge(addNode(graph, node), edge, "inserted");
}

/** Removes nodes with all their edges; groups left empty go too. */
export function removeNodes(graph: Graph, ids: ReadonlySet<string>): Graph {
  const nodes = graph.nodes.filter((node) => !ids.has(node.id));
  const edges = graph.edges.filter((edge) => !ids.has(edge.source.nodeId) && !ids.has(edge.destination.nodeId));
  return tidyGroups({ ...graph, nodes, edges });
}

export function removeEdge(graph: Graph, edgeId: string): Graph {
  return { ...graph, edges: graph.edges.filter((edge) => edge.id !== edgeId) };
}

/** Lets an edge leave by another port. */
export function setEdgeType(graph: Graph, edgeId: string, edgeType: string): Graph {
  return { ...graph, edges: graph.edges.map((edge) => (edge.id === edgeId ? { ...edge, edgeType } : edge)) };
}

/** Moves nodes, and notes that are among them. */
export function moveNodes(graph: Graph, to: ReadonlyMap<string, Point>): Graph {
  const moved = <Item extends { id: string; location: Point }>(item: Item): Item => {
    const location = to.get(item.id);
    return location ? { ...item, location: wholePoint(location) } : item;
  };
  const hasNotes = graph.notes.some(({ id }) => to.has(id));
  return { ...graph, nodes: graph.nodes.map(moved), notes: hasNotes ? graph.notes.map(moved) : graph.notes };
}

export interface NodeChange {
  label?: string;
  description?: string;
  configuration?: NodeConfiguration;
  subLabel?: string;
  connectorEntityName?: string;
}

/** Replaces a node's configuration and words; edges out of a node that stops being a decision become plain ones. */
export function changeNode(graph: Graph, id: string, change: NodeChange): Graph {
  const node = nodeById(graph, id);
  if (!node) return graph;
  const label = change.label === undefined ? node.label : uniqueLabel(graph, node, change.label.trim() || node.label);
  const changed: GraphNode = { ...node, ...change, label, name: label };
  const next = { ...graph, nodes: graph.nodes.map((other) => (other.id === id ? changed : other)) };
  return renameLabel(renameCases(next, node, changed), node.label, label);
}

/** Edges that follow a case, and Case branches behind it that name it, keep following it under its new name. */
function renameCases(graph: Graph, before: GraphNode, after: GraphNode): Graph {
  const renamed = renamedCases(before, after);
  if (renamed.size === 0) return graph;
  const edges = graph.edges.map((edge) => {
    const name = edge.source.nodeId === before.id ? renamed.get(edge.edgeType) : undefined;
    return name === undefined ? edge : { ...edge, edgeType: name };
  });
  const behind = new Set(
    edges.flatMap(({ source, destination }) => (source.nodeId === before.id ? destination.nodeId : [])),
  );
  const nodes = graph.nodes.map((node) => {
    const name = functionName(node) === "caseBranch" ? renamed.get(String(node.configuration["case"])) : undefined;
    return name === undefined || !behind.has(node.id)
      ? node
      : { ...node, configuration: { ...node.configuration, case: name } };
  });
  return { ...graph, nodes, edges };
}

export function addGroup(graph: Graph, group: GraphGroup, nodeIds: readonly string[]): Edited<GroupRefusal> {
  const reason = whyGroupRefused(graph, nodeIds);
  if (reason) return { ok: false, reason };
  const name = uniqueName(
    group.name,
    graph.groups.map((other) => other.name),
  );
  const members = new Set(nodeIds);
  const nodes = graph.nodes.map((node) => (members.has(node.id) ? { ...node, groupId: group.id } : node));
  const groups = [...graph.groups, { ...group, name, label: name }];
  return { ok: true, graph: tidyGroups({ ...graph, nodes, groups }) };
}

/** Moves nodes into a group, out of the ones they were in; null takes them out only. */
export function setGroup(graph: Graph, nodeIds: readonly string[], groupId: string | null): Edited<GroupRefusal> {
  const reason = groupId ? whyMoveIntoGroupRefused(graph, nodeIds, groupId) : null;
  if (reason) return { ok: false, reason };
  const moved = new Set(nodeIds);
  const nodes = graph.nodes.map((node) => (moved.has(node.id) ? { ...node, groupId } : node));
  return { ok: true, graph: tidyGroups({ ...graph, nodes }) };
}

export function changeGroup(graph: Graph, groupId: string, change: Partial<GraphGroup>): Graph {
  return { ...graph, groups: graph.groups.map((group) => (group.id === groupId ? { ...group, ...change } : group)) };
}

/** Takes a group away; its members stay where they are. */
export function ungroup(graph: Graph, groupId: string): Graph {
  const nodes = graph.nodes.map((node) => (node.groupId === groupId ? { ...node, groupId: null } : node));
  return tidyGroups({ ...graph, nodes, groups: graph.groups.filter((group) => group.id !== groupId) });
}

function tidyGroups(graph: Graph): Graph {
  const used = new Set(graph.nodes.map((node) => node.groupId));
  const groups = graph.groups
    .filter((group) => used.has(group.id))
    .map((group) => ({ ...group, childNodeSummary: childNodeSummary(graph, group.id) }));
  return { ...graph, groups };
}

/** What every save goes through: edges get proper ids, positions whole numbers. */
export function normaliseGraph(graph: Graph, newId: () => string): Graph {
  return {
    ...graph,
    nodes: graph.nodes.map((node) => ({ ...node, location: wholePoint(node.location) })),
    notes: graph.notes.map((note) => ({ ...note, location: wholePoint(note.location) })),
    edges: graph.edges.map((edge) => (edge.id.length < MIN_EDGE_ID_LENGTH ? { ...edge, id: newId() } : edge)),
  };
}
