/** Tidies the graph up in a worker: one step once its places are known, begun anew where the graph was edited meanwhile. */
import type { Graph } from "@accord/contracts/sync/graph";
import { tidyGraph } from "@accord/sync-engine/graph";
import type { EditorStore } from "../../editor.model.ts";
import { isLocked } from "../../editor.model.ts";
import { isOnlyMoved } from "../../problems/shown-problems.ts";
import { movedTo, type Places, placesIn } from "./places.ts";

const isSameShape = (before: Graph, now: Graph): boolean => before.groups === now.groups && isOnlyMoved(before, now);

/** Resolves once nothing is dragged: nothing is moved out of the hand. */
const afterDrag = (store: EditorStore): Promise<void> =>
  new Promise((done) => {
    if (!store.getState().isDragging) return done();
    const stop = store.subscribe((state) => {
      if (state.isDragging) return;
      stop();
      done();
    });
  });

export class Tidying {
  #worker: Worker | undefined;
  #running: Promise<boolean> | undefined;

  /** Whether the graph was tidied up: not where that was called off, or the graph is locked. */
  run(store: EditorStore): Promise<boolean> {
    this.#running ??= this.#tidy(store).finally(() => {
      this.#running = undefined;
      store.getState().setTidying(false);
    });
    return this.#running;
  }

  stop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  async #tidy(store: EditorStore): Promise<boolean> {
    if (isLocked(store.getState())) return false;
    store.getState().setTidying(true);
    for (;;) {
      const { graph } = store.getState();
      const places = await this.#placesOf(graph);
      await afterDrag(store);
      const { isTidying, edit, graph: now } = store.getState();
      if (!isTidying || isLocked(store.getState())) return false;
      // Nodes that came or went, and connections, would be where nobody looked for room.
      if (!isSameShape(graph, now)) continue;
      edit((current) => movedTo(current, places));
      return true;
    }
  }

  #placesOf(graph: Graph): Promise<Places> {
    const worker = (this.#worker ??= new Worker(new URL("./tidy.worker.ts", import.meta.url), { type: "module" }));
    return new Promise((resolve) => {
      const own = new AbortController();
      const { signal } = own;
      const answer = (places: Places) => {
        own.abort();
        resolve(places);
      };
      worker.addEventListener("message", ({ data }: MessageEvent<Places>) => answer(data), { signal });
      // Where the worker can't be loaded the page does it.
      worker.addEventListener("error", () => answer(placesIn(tidyGraph(graph))), { signal });
      worker.postMessage(graph);
    });
  }
}
