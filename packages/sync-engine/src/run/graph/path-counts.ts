/** How many records passed each edge of a path, and at which node others ended. */
import type { GraphEdge } from "@accord/contracts/sync/graph";
import { takesEdge } from "../../functions/compile.ts";

/** Records that passed on a path: counted by page, never by record. Nothing is said of what nothing passed. */
export interface PathCounts {
  /** By edge. In loops each turn counts. */
  passed: { [edgeId: string]: number };
  /** By the node that let a record go no further: no edge of the graph takes it. */
  ended: { [nodeId: string]: number };
}

export function addCount(counts: { [id: string]: number }, id: string, records: number): void {
  if (records > 0) counts[id] = (counts[id] ?? 0) + records;
}

/** Whether none of the edges out of a node takes a record; a node without any is where its path is meant to end. */
export const leadsNowhere = (edges: readonly GraphEdge[] = [], route: string | null): boolean =>
  route !== null && edges.length > 0 && !edges.some(({ edgeType }) => takesEdge(route, edgeType));
