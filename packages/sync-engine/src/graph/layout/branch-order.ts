/** In which order ways through a graph stand below one another: branches as their node lists them, all else as it stood. */
import type { Graph, GraphEdge } from "@accord/contracts/sync/graph";
import { outPorts, portOf } from "../ports.ts";
import { forwardEdges } from "../walk.ts";

/** A number for each node and each connection that leads on, by id: the first way from a start that comes by. */
export function branchOrder(graph: Graph): ReadonlyMap<string, number> {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const next = forwardEdges(graph);
  const height = (id: string): number => nodes.get(id)?.location.y ?? 0;
  const leads = [...next.values()].flat();
  const reached = new Set(leads.map(({ destination }) => destination.nodeId));
  const starts = graph.nodes.filter(({ id }) => !reached.has(id)).map(({ id }) => id);
  const order = new Map<string, number>();
  /** The next one to be visited is the last. */
  const open: (string | GraphEdge)[] = starts.toSorted((one, other) => height(one) - height(other)).toReversed();
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const id = typeof at === "string" ? at : at.destination.nodeId;
    if (typeof at !== "string") order.set(at.id, order.size);
    const node = nodes.get(id);
    if (!node || order.has(id)) continue;
    order.set(id, order.size);
    const ports = outPorts(node);
    const rank = (edge: GraphEdge): number => ports.indexOf(portOf(node, edge));
    const onwards = (next.get(id) ?? []).toSorted(
      (one, other) => rank(one) - rank(other) || height(one.destination.nodeId) - height(other.destination.nodeId),
    );
    open.push(...onwards.toReversed());
  }
  return order;
}
