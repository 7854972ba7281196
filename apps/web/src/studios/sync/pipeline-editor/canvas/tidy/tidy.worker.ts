/** Finds where tidying up puts nodes, beside the page's main thread: however large a graph is, no key or drag waits for it. */
import type { Graph } from "@accord/contracts/sync/graph";
import { tidyGraph } from "@accord/sync-engine/graph";
import { placesIn } from "./places.ts";

addEventListener("message", ({ data }: MessageEvent<Graph>) => {
  postMessage(placesIn(tidyGraph(data)));
});
