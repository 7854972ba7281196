/** Places of nodes as they are handed from the worker to the page. Pure. */
import type { Graph } from "@accord/contracts/sync/graph";
import { carryNotes, moveNodes, type Point } from "@accord/sync-engine/graph";

export type Places = ReadonlyMap<string, Point>;

export const placesIn = (graph: Graph): Places => new Map(graph.nodes.map(({ id, location }) => [id, location]));

/** The graph with its nodes there, and notes with what they are about; the same where nothing moves. */
export function movedTo(graph: Graph, places: Places): Graph {
  const moves = graph.nodes.some(({ id, location }) => {
    const to = places.get(id);
    return to !== undefined && (to.x !== location.x || to.y !== location.y);
  });
  return moves ? carryNotes(graph, moveNodes(graph, places)) : graph;
}
