/** What the canvas draws for a graph: nodes, group areas and edges, with collapsed groups standing for their members. */
import type { Graph, GraphGroup, GraphNode } from "@accord/contracts/sync/graph";
import { compareGraphs, functionName, type GraphComparison } from "@accord/sync-engine/graph";
import type { Edge, Node } from "@xyflow/react";

export const NODE_WIDTH = 196;
export const NODE_HEIGHT = 52;
const GROUP_PADDING = 20;
const GROUP_HEADER = 30;

export type NodeKind = "source" | "core" | "function" | "action" | "sink";

export function nodeKind(node: GraphNode): NodeKind {
  switch (node.nodeType) {
    case "ENTITY_SOURCE":
    case "ATTRIBUTE_SOURCE":
    case "CONNECTOR_ENTITY":
    case "CONNECTOR_ATTRIBUTE":
      return "source";
    case "ENTITY_SINK":
    case "ATTRIBUTE_SINK":
      return "sink";
    case "CORE_ENTITY":
    case "CORE_ATTRIBUTE":
      return "core";
    case "ACTION":
      return "action";
    case "FUNCTION":
    case "CUSTOM_GROUP":
      return "function";
  }
}

/** What became of a node since the version this graph is compared with. */
export type Mark = "added" | "changed" | "removed";

export interface NodeData extends Record<string, unknown> {
  node: GraphNode;
  kind: NodeKind;
  errors: number;
  readOnly: boolean;
  mark?: Mark | undefined;
}

export interface GroupData extends Record<string, unknown> {
  group: GraphGroup;
  members: number;
  readOnly: boolean;
}

export interface EdgeData extends Record<string, unknown> {
  edgeType: string;
  /** Decision edges can be switched between true and false. */
  switchable: boolean;
  readOnly: boolean;
  mark?: Mark | undefined;
}

export type FlowNode = Node<NodeData, "pipeline"> | Node<GroupData, "area">;
export type FlowEdge = Edge<EdgeData, "pipeline">;

export interface CanvasInput {
  graph: Graph;
  selected: readonly string[];
  selectedEdge: string | null;
  errors: ReadonlyMap<string, number>;
  readOnly: boolean;
  /** An older version: what differs from it is marked, and what it had is drawn as a ghost. */
  compared?: Graph | null;
}

interface Flow {
  nodes: FlowNode[];
  edges: FlowEdge[];
}

export function toFlow({ compared, ...input }: CanvasInput): Flow {
  const flow = plainFlow(input);
  return compared ? withMarks(flow, compareGraphs(compared, input.graph)) : flow;
}

const GHOST = "removed ";

/** Marks what was added and changed, and adds what is gone as ghosts that can't be touched. */
function withMarks(flow: Flow, found: GraphComparison): Flow {
  const marks = new Map<string, Mark>([
    ...found.added.map((node): [string, Mark] => [node.id, "added"]),
    ...found.changed.map(({ after }): [string, Mark] => [after.id, "changed"]),
  ]);
  const gone = new Set(found.removed.map((node) => node.id));
  const addedEdges = new Set(found.addedEdges.map((edge) => edge.id));
  const nodes = flow.nodes.map((item) =>
    item.type === "pipeline" ? { ...item, data: { ...item.data, mark: marks.get(item.id) } } : item,
  );
  const ghosts = found.removed.map((node): FlowNode => ({
    ...nodeFrame(node, false),
    id: GHOST + node.id,
    selectable: false,
    draggable: false,
    connectable: false,
    focusable: false,
    zIndex: -1,
    data: { node, kind: nodeKind(node), errors: 0, readOnly: true, mark: "removed" },
  }));
  const edges = flow.edges.map((edge) =>
    addedEdges.has(edge.id) ? { ...edge, className: "added", data: { ...dataOf(edge), mark: "added" as const } } : edge,
  );
  const ghostEdges = found.removedEdges.map((edge): FlowEdge => {
    const end = (id: string) => (gone.has(id) ? GHOST + id : id);
    return {
      id: GHOST + edge.id,
      type: "pipeline",
      className: "removed",
      source: end(edge.source.nodeId),
      target: end(edge.destination.nodeId),
      selectable: false,
      focusable: false,
      data: { edgeType: edge.edgeType, switchable: false, readOnly: true, mark: "removed" },
    };
  });
  return { nodes: [...nodes, ...ghosts], edges: [...ghostEdges, ...edges] };
}

const dataOf = (edge: FlowEdge): EdgeData => edge.data ?? { edgeType: "default", switchable: false, readOnly: true };

const nodeFrame = (node: GraphNode, selected: boolean) => ({
  id: node.id,
  type: "pipeline" as const,
  position: node.location,
  selected,
  width: NODE_WIDTH,
  height: NODE_HEIGHT,
  ariaLabel: node.label,
});

function plainFlow({ graph, selected, selectedEdge, errors, readOnly }: Omit<CanvasInput, "compared">): Flow {
  const chosen = new Set(selected);
  const collapsed = new Set(graph.groups.filter((group) => group.collapsed).map((group) => group.id));
  /** A member of a collapsed group is stood for by the group. */
  const standIn = new Map(
    graph.nodes.map((node) => [node.id, node.groupId && collapsed.has(node.groupId) ? node.groupId : node.id]),
  );
  const visible = graph.nodes.filter((node) => standIn.get(node.id) === node.id);
  const nodes: FlowNode[] = visible.map((node) => ({
    ...nodeFrame(node, chosen.has(node.id)),
    data: { node, kind: nodeKind(node), errors: errors.get(node.id) ?? 0, readOnly },
  }));
  const groups = graph.groups.map((group) => groupArea(graph, group, readOnly));
  return { nodes: [...groups, ...nodes], edges: flowEdges(graph, standIn, selectedEdge, readOnly) };
}

function groupArea(graph: Graph, group: GraphGroup, readOnly: boolean): FlowNode {
  const members = graph.nodes.filter((node) => node.groupId === group.id);
  const left = Math.min(...members.map((node) => node.location.x));
  const top = Math.min(...members.map((node) => node.location.y));
  const right = Math.max(...members.map((node) => node.location.x)) + NODE_WIDTH;
  const bottom = Math.max(...members.map((node) => node.location.y)) + NODE_HEIGHT;
  const area = group.collapsed
    ? { position: { x: left, y: top }, width: NODE_WIDTH, height: NODE_HEIGHT }
    : {
        position: { x: left - GROUP_PADDING, y: top - GROUP_HEADER },
        width: right - left + 2 * GROUP_PADDING,
        height: bottom - top + GROUP_HEADER + GROUP_PADDING,
      };
  return {
    id: group.id,
    type: "area",
    ...area,
    draggable: false,
    selectable: false,
    focusable: false,
    zIndex: group.collapsed ? 0 : -1,
    ariaLabel: group.name,
    data: { group, members: members.length, readOnly },
  };
}

function flowEdges(
  graph: Graph,
  standIn: ReadonlyMap<string, string>,
  selectedEdge: string | null,
  readOnly: boolean,
): FlowEdge[] {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const drawn = new Set<string>();
  return graph.edges.flatMap((edge): FlowEdge[] => {
    const source = standIn.get(edge.source.nodeId);
    const target = standIn.get(edge.destination.nodeId);
    const way = `${source}>${target}`;
    const whole = source === edge.source.nodeId && target === edge.destination.nodeId;
    if (!source || !target || source === target || (!whole && drawn.has(way))) return [];
    drawn.add(way);
    const from = byId.get(edge.source.nodeId);
    return [
      {
        id: edge.id,
        type: "pipeline",
        source,
        target,
        selected: edge.id === selectedEdge,
        data: {
          edgeType: edge.edgeType,
          switchable: from !== undefined && functionName(from) === "predicate",
          readOnly: readOnly || !whole,
        },
      },
    ];
  });
}
