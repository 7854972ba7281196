/** What the canvas draws for a graph: nodes, group areas and edges, with collapsed groups standing for their members. */
import type { Graph, GraphGroup, GraphNode } from "@accord/contracts/sync/graph";
import {
  compareGraphs,
  isLoopEnd,
  isLoopStart,
  NODE_SIZE,
  nodeHeight,
  portOf,
  type GraphComparison,
} from "@accord/sync-engine/graph";
import { lanesOf, turnOf } from "./edge-lane.ts";
import { BACK_HANDLE, handlesOf, IN_HANDLE } from "./handles.ts";
import { KeptItems, sameItems, type Part } from "../draft/kept-items.ts";
import { MarkerType, type Edge, type Node } from "@xyflow/react";

export const NODE_WIDTH = NODE_SIZE.width;
export const NODE_HEIGHT = NODE_SIZE.height;
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
  /** Ways out that an edge leaves by. */
  usedPorts: string;
  mark?: Mark | undefined;
}

export interface GroupData extends Record<string, unknown> {
  group: GraphGroup;
  memberIds: readonly string[];
  /** Of all members together. */
  errors: number;
  readOnly: boolean;
}

export interface EdgeData extends Record<string, unknown> {
  /** The loop's way back, drawn below what lies between. */
  isWayBack: boolean;
  /** Height at which a connection to the left, or past cards, crosses the graph. */
  lane: number | null;
  /** How far beside the middle of the gap a branch turns. */
  turn: number;
  readOnly: boolean;
  /** It stands for itself, not for all connections of a collapsed group. */
  isWhole: boolean;
  /** For screen readers. */
  name: string;
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
  /** Name of an edge for screen readers, from the labels of its ends and its branch. */
  edgeName: (from: GraphNode, to: GraphNode, port: string) => string;
  /** An older version: what differs from it is marked, and what it had is drawn as a ghost. */
  compared?: Graph | null;
}

export interface Flow {
  nodes: FlowNode[];
  edges: FlowEdge[];
}

/**
 * Makes what the canvas draws, and makes anew only what changed: the canvas compares objects, and with a thousand nodes
 * selecting one must not draw all of them again.
 */
export class FlowBuilder {
  #nodes = new KeptItems<FlowNode>();
  #edges = new KeptItems<FlowEdge>();
  #previous: Flow = { nodes: [], edges: [] };

  build({ compared, ...input }: CanvasInput): Flow {
    const flow = this.#plain(input);
    return compared ? withMarks(flow, compareGraphs(compared, input.graph)) : flow;
  }

  #plain(input: Omit<CanvasInput, "compared">): Flow {
    const nodes = this.#nodes.make(nodeParts(input));
    const edges = this.#edges.make(edgeParts(input));
    this.#previous = {
      nodes: sameItems(this.#previous.nodes, nodes) ? this.#previous.nodes : nodes,
      edges: sameItems(this.#previous.edges, edges) ? this.#previous.edges : edges,
    };
    return this.#previous;
  }
}

export const toFlow = (input: CanvasInput): Flow => new FlowBuilder().build(input);

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
    data: { node, kind: nodeKind(node), errors: 0, readOnly: true, usedPorts: "", mark: "removed" },
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
      data: { ...NO_DATA, mark: "removed" },
    };
  });
  return { nodes: [...nodes, ...ghosts], edges: [...ghostEdges, ...edges] };
}

const NO_DATA: EdgeData = { isWayBack: false, lane: null, turn: 0, readOnly: true, isWhole: false, name: "" };
const dataOf = (edge: FlowEdge): EdgeData => edge.data ?? NO_DATA;

/** Sizes are given: the canvas need not measure, and never makes a node anew for it. */
const sized = (size: { width: number; height: number }) => ({ ...size, measured: size });

const nodeFrame = (node: GraphNode, selected: boolean) => ({
  id: node.id,
  type: "pipeline" as const,
  position: node.location,
  selected,
  ...sized({ width: NODE_WIDTH, height: nodeHeight(node) }),
  handles: handlesOf(node),
  ariaLabel: node.label,
});

function nodeParts({ graph, selected, errors, readOnly }: Omit<CanvasInput, "compared">): Part<FlowNode>[] {
  const chosen = new Set(selected);
  const collapsed = new Set(graph.groups.filter((group) => group.collapsed).map((group) => group.id));
  const usedPorts = portsInUse(graph);
  const visible = graph.nodes.filter((node) => !node.groupId || !collapsed.has(node.groupId));
  const members = Map.groupBy(
    graph.nodes.filter((node) => node.groupId),
    (node) => node.groupId,
  );
  const groups = graph.groups.map((group): Part<FlowNode> => {
    const inside = members.get(group.id) ?? [];
    const problems = inside.reduce((sum, { id }) => sum + (errors.get(id) ?? 0), 0);
    return {
      id: group.id,
      from: [group, readOnly, problems, ...inside],
      make: () => groupArea(inside, group, problems, readOnly),
    };
  });
  const nodes = visible.map((node): Part<FlowNode> => {
    const [isChosen, problems, used] = [chosen.has(node.id), errors.get(node.id) ?? 0, usedPorts.get(node.id) ?? ""];
    return {
      id: node.id,
      from: [node, isChosen, problems, readOnly, used],
      make: () => ({
        ...nodeFrame(node, isChosen),
        data: { node, kind: nodeKind(node), errors: problems, readOnly, usedPorts: used },
      }),
    };
  });
  return [...groups, ...nodes];
}

/** Edge types that leave each node, as one text: compared by value. */
function portsInUse(graph: Graph): Map<string, string> {
  const used = new Map<string, string>();
  for (const edge of graph.edges) {
    const id = edge.source.nodeId;
    used.set(id, `${used.get(id) ?? ""}\n${edge.edgeType}`);
  }
  return used;
}

/** Around its members; collapsed, a card where the first of them begins. */
export function areaFrame(members: readonly GraphNode[], group: GraphGroup) {
  const left = Math.min(...members.map((node) => node.location.x));
  const top = Math.min(...members.map((node) => node.location.y));
  const right = Math.max(...members.map((node) => node.location.x)) + NODE_WIDTH;
  const bottom = Math.max(...members.map((node) => node.location.y + nodeHeight(node)));
  return group.collapsed
    ? { position: { x: left, y: top }, ...sized({ width: NODE_WIDTH, height: NODE_HEIGHT }) }
    : {
        position: { x: left - GROUP_PADDING, y: top - GROUP_HEADER },
        ...sized({
          width: right - left + 2 * GROUP_PADDING,
          height: bottom - top + GROUP_HEADER + GROUP_PADDING,
        }),
      };
}

function groupArea(members: readonly GraphNode[], group: GraphGroup, errors: number, readOnly: boolean): FlowNode {
  return {
    id: group.id,
    type: "area",
    ...areaFrame(members, group),
    selectable: false,
    focusable: false,
    zIndex: group.collapsed ? 0 : -1,
    ariaLabel: group.name,
    data: { group, memberIds: members.map(({ id }) => id), errors, readOnly },
  };
}

function edgeParts({ graph, selectedEdge, readOnly, edgeName }: Omit<CanvasInput, "compared">): Part<FlowEdge>[] {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const collapsed = new Set(graph.groups.filter((group) => group.collapsed).map((group) => group.id));
  /** A member of a collapsed group is stood for by the group. */
  const standIn = (node: GraphNode) => (node.groupId && collapsed.has(node.groupId) ? node.groupId : node.id);
  const drawn = new Set<string>();
  const lanes = lanesOf(graph);
  return graph.edges.flatMap((edge): Part<FlowEdge>[] => {
    const [from, to] = [byId.get(edge.source.nodeId), byId.get(edge.destination.nodeId)];
    if (!from || !to) return [];
    const ends = { source: standIn(from), target: standIn(to) };
    const [isWholeSource, isWholeTarget] = [ends.source === from.id, ends.target === to.id];
    const whole = isWholeSource && isWholeTarget;
    const way = `${ends.source}>${ends.target}`;
    if (ends.source === ends.target || (!whole && drawn.has(way))) return [];
    drawn.add(way);
    const back = isLoopEnd(from) && isLoopStart(to);
    const port = portOf(from, edge);
    const [lane, turn] = back ? [null, 0] : [lanes.get(edge.id) ?? null, turnOf(from, to, port)];
    const name = edgeName(from, to, port);
    const selected = edge.id === selectedEdge;
    return [
      {
        id: edge.id,
        from: [edge, ends.source, ends.target, port, name, selected, readOnly, back, lane, turn],
        make: () => ({
          id: edge.id,
          type: "pipeline",
          ...ends,
          sourceHandle: isWholeSource ? (back ? BACK_HANDLE : port) : null,
          targetHandle: isWholeTarget ? (back ? BACK_HANDLE : IN_HANDLE) : null,
          selected,
          ariaLabel: name,
          className: back ? "back" : "",
          markerEnd: ARROW,
          data: { isWayBack: back, lane, turn, readOnly: readOnly || !whole, isWhole: whole, name },
        }),
      },
    ];
  });
}

const ARROW = { type: MarkerType.ArrowClosed, width: 16, height: 16, color: "var(--ac-text-3)" } as const;
