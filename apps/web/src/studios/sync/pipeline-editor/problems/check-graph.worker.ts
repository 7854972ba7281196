/** Checks graphs beside the page's main thread: however large a graph is, no key or drag waits for it. */
import type { Graph } from "@accord/contracts/sync/graph";
import { checkGraph, type KnownWorld } from "./check-graph.ts";

export interface CheckRequest {
  graph: Graph;
  world: KnownWorld;
}

addEventListener("message", ({ data: { graph, world } }: MessageEvent<CheckRequest>) => {
  postMessage(checkGraph(graph, world));
});
