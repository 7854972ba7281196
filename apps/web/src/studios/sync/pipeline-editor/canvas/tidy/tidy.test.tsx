/** Tidying up beside the page's main thread: one step, nothing lost of what is edited meanwhile, and called off. */
import { Graph } from "@accord/contracts/sync/graph";
import { addNode, changeNode, tidyGraph } from "@accord/sync-engine/graph";
import { expect, test } from "vitest";
import { openedDraft } from "../../draft/opened-draft.fixtures.ts";
import { createEditorStore } from "../../editor.model.ts";
import { Tidying } from "./tidying.ts";

/** In one place, each leading to the next. */
const heap = (count: number): Graph =>
  Graph.parse({
    nodes: Array.from({ length: count }, (_, index) => ({
      ...{
        id: `n${index}`,
        label: `Trim ${index}`,
        nodeType: "FUNCTION",
        apiName: "trim",
        location: { x: 0, y: index },
      },
    })),
    edges: Array.from({ length: count - 1 }, (_, index) => ({
      ...{ id: `edge-${index}-of-heap`, source: { nodeId: `n${index}` }, destination: { nodeId: `n${index + 1}` } },
    })),
  });
const open = (count: number) => ({ store: createEditorStore(openedDraft(heap(count))), tidying: new Tidying() });

test("a graph of a thousand nodes is tidied up while the page goes on, as the engine does it, in one step", async () => {
  const { store, tidying } = open(1000);
  const before = store.getState().graph;
  const done = tidying.run(store);
  expect([store.getState().isTidying, store.getState().graph === before]).toEqual([true, true]);
  expect(await done).toBe(true);
  const places = (graph: Graph) => graph.nodes.map(({ location }) => location);
  expect(places(store.getState().graph)).toEqual(places(tidyGraph(before)));
  expect(store.getState().isTidying).toBe(false);
  store.getState().undo();
  expect(store.getState().graph).toBe(before);
  tidying.stop();
});

test("what is edited meanwhile is kept, and has its place", async () => {
  const { store, tidying } = open(300);
  const done = tidying.run(store);
  const added = { ...heap(1).nodes[0]!, id: "new", label: "New" };
  store.getState().edit((graph) => changeNode(addNode(graph, added), "n1", { label: "Renamed" }));
  const edited = store.getState().graph;
  expect(await done).toBe(true);
  const { nodes } = store.getState().graph;
  expect(nodes.map(({ id, label }) => [id, label])).toEqual(edited.nodes.map(({ id, label }) => [id, label]));
  const wanted = tidyGraph(edited).nodes.map(({ location }) => location);
  expect(nodes.map(({ location }) => location)).toEqual(wanted);
  store.getState().undo();
  expect(store.getState().graph).toBe(edited);
  tidying.stop();
});

test("nothing moves while something is dragged, nor once it was called off", async () => {
  const { store, tidying } = open(50);
  const before = store.getState().graph;
  store.getState().setDragging(true);
  const done = tidying.run(store);
  await new Promise((wait) => setTimeout(wait, 500));
  expect(store.getState().graph).toBe(before);
  store.getState().setTidying(false);
  store.getState().setDragging(false);
  expect(await done).toBe(false);
  expect(store.getState().graph).toBe(before);
  tidying.stop();
});
