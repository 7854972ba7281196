/** What counts as unsaved: edits and invalid inputs of nodes that are there, in a draft that may be written. */
import { Graph } from "@accord/contracts/sync/graph";
import { OpenedGraph } from "@accord/contracts/sync/pipelines";
import { removeNodes } from "@accord/sync-engine/graph";
import { expect, test } from "vitest";
import { createEditorStore, formKey } from "./editor.model.ts";
import { hasUnsavedWork } from "./unsaved-work.ts";

const opened = OpenedGraph.parse({
  entityId: "a".repeat(24),
  graphVersion: "draft",
  status: "NEW",
  graph: Graph.parse({ nodes: [{ id: "first", label: "first", nodeType: "FUNCTION", apiName: "trim" }], edges: [] }),
  revision: 1,
  versionNumber: 0,
  versionName: null,
  hasDraft: true,
  hasPublished: false,
  readOnly: false,
  readOnlyReason: null,
  updatedAt: null,
  updatedBy: null,
});

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
