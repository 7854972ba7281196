/** What is removed hands the focus to what is beside it, wherever that is shown. */
import { Graph } from "@accord/contracts/sync/graph";
import { show } from "@accord/ui/test-kit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openedDraft } from "../draft/opened-draft.fixtures.ts";
import { createEditorStore, type EditorStore } from "../editor.model.ts";
import { removeEdgeOf, removeNodesOf } from "./remove-items.ts";

const trim = (id: string, more: object = {}) => ({ id, label: id, nodeType: "FUNCTION", apiName: "trim", ...more });
const edge = (from: string, to: string) => ({
  id: `${from}-to-${to}-edge`,
  source: { nodeId: from },
  destination: { nodeId: to },
});
const NODES = [
  { id: "core", label: "core", nodeType: "CORE_ENTITY", apiName: "account" },
  trim("first"),
  trim("second"),
  trim("third"),
  trim("alone"),
];
const EDGES = [edge("first", "second"), edge("second", "third")];

/** Goes with its test: the tests of other files are shown on the same page. */
const place = document.createElement("div");
beforeEach(() => {
  show(null);
  document.body.append(place);
});
afterEach(() => {
  place.replaceChildren();
  place.remove();
});

/** Cards as the canvas draws them; the second has the focus. */
function openGraph(graph: object = {}, more: object = {}): EditorStore {
  const store = createEditorStore(openedDraft(Graph.parse({ nodes: NODES, edges: EDGES, ...graph }), more));
  for (const { id } of store.getState().graph.nodes) {
    const card = document.createElement("div");
    card.className = "react-flow__node react-flow__node-pipeline";
    card.tabIndex = 0;
    card.dataset["id"] = id;
    place.append(card);
  }
  card("second")?.focus();
  return store;
}
const card = (id: string) => place.querySelector<HTMLElement>(`.react-flow__node[data-id="${id}"]`);
const focused = () => document.activeElement;

test("the focus goes to what led to the node, else to what came after it, else to the core", () => {
  const store = openGraph();
  removeNodesOf(store, new Set(["second"]));
  expect(focused()).toBe(card("first"));
  store.getState().undo();
  removeNodesOf(store, new Set(["first"]));
  expect(focused()).toBe(card("second"));
  removeNodesOf(store, new Set(["alone"]));
  expect(focused()).toBe(card("core"));
});

test("of several nodes the neighbour that stays takes it, and of an edge the node it began at", () => {
  const store = openGraph();
  removeNodesOf(store, new Set(["second", "first"]));
  expect(focused()).toBe(card("third"));
  store.getState().undo();
  removeEdgeOf(store, "second-to-third-edge");
  expect(focused()).toBe(card("second"));
  expect(store.getState().graph.edges).toHaveLength(1);
});

test("the way back of a loop leads to nothing: the focus goes to what came before the loop", () => {
  const nodes = [trim("before"), trim("start", { apiName: "forEach" }), trim("end", { apiName: "endLoop" })];
  const store = openGraph({ nodes: [...NODES, ...nodes], edges: [edge("end", "start"), edge("before", "start")] });
  removeNodesOf(store, new Set(["start"]));
  expect(focused()).toBe(card("before"));
});

test("a neighbour in a collapsed group is reached by what opens the group", () => {
  const nodes = NODES.map((node) => (node.id === "first" ? { ...node, groupId: "group" } : node));
  const store = openGraph({ nodes, groups: [{ id: "group", name: "Group", collapsed: true }] });
  card("first")?.remove();
  const area = document.createElement("div");
  area.className = "react-flow__node";
  area.dataset["id"] = "group";
  area.innerHTML = `<button class="ac-group__toggle">Open</button>`;
  place.append(area);
  removeNodesOf(store, new Set(["second"]));
  expect(focused()).toBe(area.querySelector("button"));
});

test("in the list the row of the neighbour takes it", () => {
  const store = openGraph();
  place.innerHTML = `<div class="ac-list-view">${["first", "second"]
    .map((id) => `<div role="row" tabindex="-1"><span data-node-id="${id}">${id}</span></div>`)
    .join("")}</div>`;
  const [first, second] = place.querySelectorAll<HTMLElement>("[role=row]");
  second?.focus();
  removeNodesOf(store, new Set(["second"]));
  expect(focused()).toBe(first);
});

test("what is locked stays, and so does the focus", () => {
  const store = openGraph({}, { readOnly: true });
  removeNodesOf(store, new Set(["second"]));
  removeEdgeOf(store, "first-to-second-edge");
  expect(store.getState().graph.nodes).toHaveLength(NODES.length);
  expect(focused()).toBe(card("second"));
});
