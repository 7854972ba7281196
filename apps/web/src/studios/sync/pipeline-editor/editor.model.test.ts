/** Undo, redo and unsaved work in the pipeline editor. */
import { Graph } from "@accord/contracts/sync/graph";
import type { OpenedGraph } from "@accord/contracts/sync/pipelines";
import { addNode, changeNode, removeNodes } from "@accord/sync-engine/graph";
import { describe, expect, test } from "vitest";
import { createEditorStore, isDirty } from "./editor.model.ts";
import { formKey } from "./inputs/invalid-inputs.ts";
import { problemsByNode } from "./problems/shown-problems.ts";
import { openedDraft } from "./draft/opened-draft.fixtures.ts";

const node = (id: string) =>
  Graph.parse({ nodes: [{ id, label: id, nodeType: "FUNCTION", apiName: "trim" }], edges: [] }).nodes[0]!;

const opened = (revision = 1, graph: Graph = Graph.parse({ nodes: [node("first")], edges: [] })) =>
  openedDraft(graph, { revision });

describe("editor", () => {
  test("each edit is one step, undone and redone exactly", () => {
    const store = createEditorStore(opened());
    const start = store.getState().graph;
    store.getState().edit((graph) => addNode(graph, node("second")));
    const added = store.getState().graph;
    expect(isDirty(store.getState())).toBe(true);
    store.getState().undo();
    expect(store.getState().graph).toBe(start);
    expect(isDirty(store.getState())).toBe(false);
    store.getState().redo();
    expect(store.getState().graph).toBe(added);
    store.getState().undo();
    store.getState().edit((graph) => addNode(graph, node("third")));
    expect(store.getState().future).toEqual([]);
  });

  test("a version that is read-only takes no edits", () => {
    const published: OpenedGraph = { ...opened(), graphVersion: "published", readOnly: true };
    for (const store of [createEditorStore(published), createEditorStore(opened(), { mayWrite: false })]) {
      store.getState().edit((graph) => addNode(graph, node("second")));
      expect(isDirty(store.getState())).toBe(false);
      expect(store.getState().past).toEqual([]);
    }
  });

  test("while a test runs neither an edit nor undo and redo change what is tested", () => {
    const store = createEditorStore(opened());
    store.getState().edit((graph) => addNode(graph, node("second")));
    store.getState().edit((graph) => addNode(graph, node("third")));
    store.getState().undo();
    const { graph } = store.getState();
    store.getState().setTesting(true);
    store.getState().edit((current) => addNode(current, node("fourth")));
    store.getState().undo();
    expect(store.getState().graph).toBe(graph);
    store.getState().redo();
    expect(store.getState().graph).toBe(graph);
    store.getState().setTesting(false);
    store.getState().undo();
    expect(store.getState().graph.nodes).toHaveLength(1);
  });

  test("a draft that was opened or saved while a test ran can be changed once the test has ended", () => {
    const testing = (revision: number, graph?: Graph): OpenedGraph => ({
      ...opened(revision, graph),
      readOnly: true,
      readOnlyReason: "A test of this pipeline is running.",
    });
    const store = createEditorStore(testing(1));
    expect(store.getState().isTesting).toBe(true);
    store.getState().edit((graph) => addNode(graph, node("second")));
    expect(isDirty(store.getState())).toBe(false);
    store.getState().setTesting(false);
    store.getState().edit((graph) => addNode(graph, node("second")));
    store.getState().markSaved(testing(2, store.getState().graph), store.getState().graph);
    store.getState().edit((graph) => addNode(graph, node("third")));
    expect(store.getState().graph.nodes).toHaveLength(3);
    store.getState().load(testing(3));
    store.getState().edit((graph) => addNode(graph, node("fourth")));
    expect(store.getState().graph.nodes).toHaveLength(2);
  });

  test("typing in one field is one step, until the field is left or another one is edited", () => {
    const store = createEditorStore(opened());
    const start = store.getState().graph;
    const type = (label: string, field = "label") =>
      store.getState().edit((graph) => changeNode(graph, "first", { label }), `first ${field}`);
    type("T");
    type("Ti");
    type("Tidy");
    expect(store.getState().past).toEqual([start]);
    store.getState().endStep();
    type("Tidy name");
    type("Tidy names", "other");
    expect(store.getState().past.length).toBe(3);
    store.getState().undo();
    store.getState().undo();
    expect(store.getState().graph.nodes[0]?.label).toBe("Tidy");
    store.getState().undo();
    expect(store.getState().graph).toBe(start);
    type("Again");
    type("Again and again");
    store.getState().undo();
    expect(store.getState().graph, "after undo a new step begins").toBe(start);
  });

  test("what is typed and can't be used stays, until its node is undone", () => {
    const store = createEditorStore(opened(1, Graph.parse({ nodes: [node("first"), node("second")], edges: [] })));
    const key = formKey("first", "source");
    store.getState().keepInvalid(key, { every: "soon" });
    store.getState().edit((graph) => changeNode(graph, "second", { label: "Other" }));
    store.getState().undo();
    expect(store.getState().invalidInputs).toEqual({ [key]: { every: "soon" } });
    store.getState().edit((graph) => changeNode(graph, "first", { description: "x" }));
    store.getState().undo();
    expect(store.getState().invalidInputs).toEqual({});
    store.getState().keepInvalid(key, { every: "soon" });
    store.getState().keepInvalid(key, null);
    expect(store.getState().invalidInputs).toEqual({});
  });

  test("a save that changes nothing leaves every node the same object, so that nothing is drawn again", () => {
    const store = createEditorStore(opened());
    store.getState().edit((graph) => addNode(graph, node("second")));
    const sent = store.getState().graph;
    const reply: Graph = structuredClone(sent);
    store.getState().markSaved(opened(2, reply), sent);
    expect(store.getState().graph).toBe(sent);
    expect(isDirty(store.getState())).toBe(false);
    const moved: Graph = structuredClone(sent);
    moved.nodes[1]!.location = { x: 1, y: 2 };
    store.getState().markSaved(opened(3, moved), sent);
    expect(store.getState().graph.nodes[0]).toBe(sent.nodes[0]);
    expect(store.getState().graph.nodes[1]?.location).toEqual({ x: 1, y: 2 });
  });

  test("an edit that changes nothing is no step", () => {
    const store = createEditorStore(opened());
    store.getState().edit((graph) => graph);
    expect(store.getState().past).toEqual([]);
  });

  test("the selection and its panel never outlive the node", () => {
    const store = createEditorStore(opened());
    store.getState().select(["first"]);
    store.getState().show("configure");
    store.getState().edit((graph) => removeNodes(graph, new Set(["first"])));
    expect(store.getState()).toMatchObject({ selected: [], panel: "none" });
  });

  test("what is edited while a save is under way stays unsaved", () => {
    const store = createEditorStore(opened());
    store.getState().edit((graph) => addNode(graph, node("second")));
    const sent = store.getState().graph;
    store.getState().edit((graph) => addNode(graph, node("third")));
    store.getState().markSaved(opened(2, sent), sent);
    expect(store.getState()).toMatchObject({ revision: 2 });
    expect(isDirty(store.getState())).toBe(true);
    const again = store.getState().graph;
    store.getState().markSaved(opened(3, again), again);
    expect(isDirty(store.getState())).toBe(false);
  });

  test("work of an earlier visit comes back unsaved, at the revision it was begun at, and can be undone", () => {
    const store = createEditorStore(opened(4));
    const saved = store.getState().graph;
    store.getState().takeUp(addNode(saved, node("second")), saved, 3);
    expect(isDirty(store.getState())).toBe(true);
    expect(store.getState().revision, "so that a newer draft is noticed when saving").toBe(3);
    store.getState().undo();
    expect(store.getState().graph).toBe(saved);
  });

  test("badges count errors by node", () => {
    const problem = { code: "x", targetId: null, errorMessage: "", errorDetail: "" };
    const counts = problemsByNode([
      { ...problem, severity: "error", nodeId: "a" },
      { ...problem, severity: "error", nodeId: "a" },
      { ...problem, severity: "warning", nodeId: "b" },
      { ...problem, severity: "error", nodeId: null },
    ]);
    expect([...counts]).toEqual([["a", 2]]);
  });
});
