/** What counts as unsaved: edits and invalid inputs of nodes that are there, in a draft that may be written. */
import { Graph } from "@accord/contracts/sync/graph";
import { removeNodes } from "@accord/sync-engine/graph";
import { expect, test } from "vitest";
import { createEditorStore } from "../editor.model.ts";
import { formKey } from "../inputs/invalid-inputs.ts";
import { hasUnsavedWork, restorationOf, workToKeep } from "./unsaved-work.ts";
import { openedDraft } from "./opened-draft.fixtures.ts";

const opened = openedDraft(
  Graph.parse({ nodes: [{ id: "first", label: "first", nodeType: "FUNCTION", apiName: "trim" }], edges: [] }),
);

test("closing the tab asks while an edit is not saved or an input is invalid, and in no read-only view", () => {
  const store = createEditorStore(opened);
  expect(hasUnsavedWork(store.getState())).toBe(false);
  store.getState().keepInvalid(formKey("first", "settings"), { count: "x" });
  expect(hasUnsavedWork(store.getState())).toBe(true);
  store.getState().keepInvalid(formKey("first", "settings"), null);
  store.getState().edit((graph) => ({ ...graph }));
  expect(hasUnsavedWork(store.getState())).toBe(true);
  store.setState({ opened: { ...opened, readOnly: true } });
  expect(hasUnsavedWork(store.getState())).toBe(false);
});

test("an invalid input of a removed node is no unsaved work", () => {
  const store = createEditorStore(opened);
  store.getState().keepInvalid(formKey("first", "settings"), { count: "x" });
  store.getState().edit((graph) => removeNodes(graph, new Set(["first"])));
  const { graph } = store.getState();
  store.setState({ saved: graph });
  expect(hasUnsavedWork(store.getState())).toBe(false);
});

const labelled = (label: string): Graph => ({
  ...opened.graph,
  nodes: opened.graph.nodes.map((node) => ({ ...node, label })),
});
const form = formKey("first", "settings");

test("work kept over a draft that somebody else changed comes back with its own base, so the first save conflicts", () => {
  const store = createEditorStore(opened);
  store.getState().edit(() => labelled("mine"));
  const kept = workToKeep(store.getState());
  const newer = createEditorStore({ ...opened, revision: 2, graph: labelled("theirs") });
  const { edits } = restorationOf(kept!, newer.getState());
  expect(edits).toEqual({ graph: labelled("mine"), base: opened.graph, revision: 1 });
  newer.getState().takeUp(edits!.graph, edits!.base, edits!.revision);
  expect(newer.getState()).toMatchObject({ saved: opened.graph, revision: 1 });
  newer.getState().undo();
  expect(newer.getState().graph).toBe(newer.getState().saved);
});

test("work kept over the same graph is taken up at the server's revision", () => {
  const store = createEditorStore(opened);
  store.getState().edit(() => labelled("mine"));
  const { edits } = restorationOf(workToKeep(store.getState())!, { graph: opened.graph, revision: 2 });
  expect(edits).toEqual({ graph: labelled("mine"), base: opened.graph, revision: 2 });
});

test("an invalid input alone keeps no graph, and is dropped where somebody else changed its node", () => {
  const store = createEditorStore(opened);
  store.getState().keepInvalid(form, { count: "x" });
  const kept = workToKeep(store.getState());
  expect(kept).toMatchObject({ graph: null, invalidInputs: { [form]: { count: "x" } } });
  expect(restorationOf(kept!, { graph: labelled("theirs"), revision: 2 })).toEqual({ edits: null, invalidInputs: {} });
  expect(restorationOf(kept!, store.getState()).invalidInputs).toEqual({ [form]: { count: "x" } });
});
