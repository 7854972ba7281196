/** What the canvas draws for a graph: nodes, group areas and edges, with collapsed groups standing for their members. */
import type { Graph, GraphNode, GraphNote } from "@accord/contracts/sync/graph";
import { compareGraphs, NODE_SIZE, nodeHeight, type GraphComparison } from "@accord/sync-engine/graph";
import { edgeParts, type EdgeData, type FlowEdge, type Mark } from "./drawn-edges.ts";
import { type AreaNode, areaParts } from "./containers/area-parts.ts";
import { handlesOf } from "./handles.ts";
import { noteParts, type NoteNode } from "./notes/note-parts.ts";
import { KeptItems, sameItems, SelectedItems, type Part } from "../draft/kept-items.ts";
import type { Node } from "@xyflow/react";

export type { FlowEdge, Mark } from "./drawn-edges.ts";

export const NODE_WIDTH = NODE_SIZE.width;
export const NODE_HEIGHT = NODE_SIZE.height;

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

export interface NodeData extends Record<string, unknown> {
  node: GraphNode;
  kind: NodeKind;
  errors: number;
  readOnly: boolean;
  /** Ways out that an edge leaves by. */
  usedPorts: string;
  mark?: Mark | undefined;
}

export type FlowNode = Node<NodeData, "pipeline"> | AreaNode | NoteNode;

export interface CanvasInput {
  graph: Graph;
  selected: readonly string[];
  selectedEdge: string | null;
  errors: ReadonlyMap<string, number>;
  readOnly: boolean;
  /** Name of an edge for screen readers, from the labels of its ends and its branch. */
  edgeName: (from: GraphNode, to: GraphNode, port: string) => string;
  /** What a node is called where it is read out; its label where this is absent. */
  nodeName?: (node: GraphNode) => string;
  noteName?: (note: GraphNote) => string;
  /** What the frame of a loop is called there, from its label. */
  loopName?: (label: string) => string;
  /** An older version: what differs from it is marked, and what it had is drawn as a ghost. */
  compared?: Graph | null;
}

/** All but what is selected. */
export type DrawnInput = Omit<CanvasInput, "compared" | "selected" | "selectedEdge">;

export interface Flow {
  nodes: FlowNode[];
  edges: FlowEdge[];
}

/**
 * Makes what the canvas draws, and makes anew only what changed: the canvas compares objects, and with a thousand nodes
 * selecting one must not draw all of them again. Nothing but a change of the graph, of its problems or of whether it is
 * locked looks at each of its parts; what is selected is marked on what was drawn before.
 */
export class FlowBuilder {
  #nodes = new KeptItems<FlowNode>();
  #edges = new KeptItems<FlowEdge>();
  #selectedNodes = new SelectedItems<FlowNode>();
  #selectedEdges = new SelectedItems<FlowEdge>();
  #drawn: Pick<CanvasInput, "graph" | "errors" | "readOnly"> | undefined;
  #plain: Flow = { nodes: [], edges: [] };
  #previous: Flow = { nodes: [], edges: [] };

  build({ compared, ...input }: CanvasInput): Flow {
    const flow = this.#selected(input);
    return compared ? withMarks(flow, compareGraphs(compared, input.graph)) : flow;
  }

  #selected({ selected, selectedEdge, ...drawn }: Omit<CanvasInput, "compared">): Flow {
    this.#draw(drawn);
    const nodes = this.#selectedNodes.mark(this.#plain.nodes, new Set(selected));
    const edges = this.#selectedEdges.mark(this.#plain.edges, new Set(selectedEdge === null ? [] : [selectedEdge]));
    this.#previous = {
      nodes: sameItems(this.#previous.nodes, nodes) ? this.#previous.nodes : nodes,
      edges: sameItems(this.#previous.edges, edges) ? this.#previous.edges : edges,
    };
    return this.#previous;
  }

  #draw(input: DrawnInput): void {
    const before = this.#drawn;
    const isSame =
      before?.graph === input.graph && before.errors === input.errors && before.readOnly === input.readOnly;
    if (isSame) return;
    this.#drawn = input;
    this.#plain = {
      nodes: this.#nodes.make([...noteParts(input), ...areaParts(input), ...nodeParts(input)]),
      edges: this.#edges.make(edgeParts(input)),
    };
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
    ...nodeFrame(node),
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

const NO_DATA: EdgeData = {
  isWayBack: false,
  backDepth: 0,
  lane: null,
  turn: 0,
  readOnly: true,
  isWhole: false,
  name: "",
};
const dataOf = (edge: FlowEdge): EdgeData => edge.data ?? NO_DATA;

/** Sizes are given: the canvas need not measure, and never makes a node anew for it. */
const sized = (size: { width: number; height: number }) => ({ ...size, measured: size });

const nodeFrame = (node: GraphNode, nodeName?: DrawnInput["nodeName"]) => ({
  id: node.id,
  type: "pipeline" as const,
  position: node.location,
  selected: false,
  ...sized({ width: NODE_WIDTH, height: nodeHeight(node) }),
  handles: handlesOf(node),
  ariaLabel: nodeName ? nodeName(node) : node.label,
});

function nodeParts({ graph, errors, readOnly, nodeName }: DrawnInput): Part<FlowNode>[] {
  const collapsed = new Set(graph.groups.filter((group) => group.collapsed).map((group) => group.id));
  const usedPorts = portsInUse(graph);
  const visible = graph.nodes.filter((node) => !node.groupId || !collapsed.has(node.groupId));
  const nodes = visible.map((node): Part<FlowNode> => {
    const [problems, used] = [errors.get(node.id) ?? 0, usedPorts.get(node.id) ?? ""];
    return {
      id: node.id,
      from: [node, problems, readOnly, used],
      make: () => ({
        ...nodeFrame(node, nodeName),
        data: { node, kind: nodeKind(node), errors: problems, readOnly, usedPorts: used },
      }),
    };
  });
  return nodes;
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
