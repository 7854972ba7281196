/** Edges as the canvas draws them: by which handles they leave and arrive, where they turn, and what they are called. */
import { isLoopEnd, isLoopStart, functionName, nodeHeight, portOf } from "@accord/sync-engine/graph";
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { type Edge, MarkerType } from "@xyflow/react";
import type { Part } from "../draft/kept-items.ts";
import { drawnContainers, loopAreaId } from "./containers/container-frames.ts";
import { lanesOf, turnOf } from "./edge-lane.ts";
import { BACK_HANDLE, IN_HANDLE } from "./handles.ts";

/** What became of a node since the version this graph is compared with. */
export type Mark = "added" | "changed" | "removed";

export interface EdgeData extends Record<string, unknown> {
  /** The loop's way back, drawn below what lies between. */
  isWayBack: boolean;
  /** How far below its ends the way back runs. */
  backDepth: number;
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

export type FlowEdge = Edge<EdgeData, "pipeline">;

interface EdgesInput {
  graph: Graph;
  readOnly: boolean;
  /** Name of an edge for screen readers, from the labels of its ends and its branch. */
  edgeName: (from: GraphNode, to: GraphNode, port: string) => string;
}

/** The name is made with the edge, and only then: what it is made from is among what the edge is made from. */
export function edgeParts({ graph, readOnly, edgeName }: EdgesInput): Part<FlowEdge>[] {
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
    const backDepth = back ? depthOfWayBack(graph, from, to) : 0;
    const port = portOf(from, edge);
    const [lane, turn] = back ? [null, 0] : [lanes.get(edge.id) ?? null, turnOf(from, to, port)];
    const named = [from.label, to.label, functionName(from), isLoopStart(from)];
    return [
      {
        id: edge.id,
        from: [edge, ends.source, ends.target, port, ...named, readOnly, back, backDepth, lane, turn],
        make: () => {
          const name = edgeName(from, to, port);
          return {
            id: edge.id,
            type: "pipeline",
            ...ends,
            sourceHandle: isWholeSource ? (back ? BACK_HANDLE : port) : null,
            targetHandle: isWholeTarget ? (back ? BACK_HANDLE : IN_HANDLE) : null,
            selected: false,
            ariaLabel: name,
            className: back ? "back" : "",
            markerEnd: ARROW,
            data: { isWayBack: back, backDepth, lane, turn, readOnly: readOnly || !whole, isWhole: whole, name },
          };
        },
      },
    ];
  });
}

const BACK_DEPTH = 22;

/** Below everything between the ends of its loop, loops inside among it. */
function depthOfWayBack(graph: Graph, end: GraphNode, start: GraphNode): number {
  const frame = drawnContainers(graph).frames.get(loopAreaId(start.id));
  const lower = Math.max(...[end, start].map((node) => node.location.y + nodeHeight(node)));
  return frame ? Math.max(BACK_DEPTH, frame.backY - lower) : BACK_DEPTH;
}

const ARROW = { type: MarkerType.ArrowClosed, width: 16, height: 16, color: "var(--ac-text-3)" } as const;
