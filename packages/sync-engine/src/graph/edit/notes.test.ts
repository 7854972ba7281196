/** Notes: edited, copied, kept in fragments, carried along by layouts, compared; never part of what runs. */
import { Graph, type GraphNote } from "@accord/contracts/sync/graph";
import { describe, expect, test } from "vitest";
import { compareGraphs, isSame } from "../compare.ts";
import { tidyGraph } from "../layout/auto-layout.ts";
import { nodeById } from "../elements.ts";
import { copySelection, paste, PASTE_OFFSET } from "./clipboard.ts";
import { moveNodes, normaliseGraph } from "./edits.ts";
import { fragmentOf, insertFragment } from "./fragments.ts";
import { carryNotes, changeNote, frameAround, nodesOn, noteById, removeNotes } from "./notes.ts";

const node = (id: string, x: number, y = 0) => ({
  ...{ id, label: id, nodeType: id === "core" ? "CORE_ENTITY" : "FUNCTION", apiName: "trim", location: { x, y } },
});
const edge = (from: string, to: string) => ({
  id: `edge-${from}-to-${to}`,
  source: { nodeId: from },
  destination: { nodeId: to },
});
/** a → b → core; the note "around" is around a and b, "above" above the core. */
const graph = Graph.parse({
  nodes: [node("a", 0), node("b", 400), node("core", 1000)],
  edges: [edge("a", "b"), edge("b", "core")],
  notes: [
    { id: "around", text: "Clean", location: { x: -20, y: -60 }, width: 640, height: 140 },
    { id: "above", text: "Accounts", location: { x: 1000, y: -200 } },
  ],
});
const note = (of: Graph, id: string): GraphNote => {
  const found = noteById(of, id);
  if (!found) throw new Error(`no note ${id}`);
  return found;
};
let ids = 0;
const newId = () => `new-${(ids += 1)}`;
const here = { instanceId: "one", scope: "entity" } as const;

describe("edits", () => {
  test("a change that says nothing new is no edit", () => {
    expect(changeNote(graph, "around", { text: "Clean" })).toBe(graph);
    expect(note(changeNote(graph, "around", { color: "red" }), "around").color).toBe("red");
    expect(removeNotes(graph, new Set(["a"]))).toBe(graph);
    expect(removeNotes(graph, new Set(["above"])).notes.map(({ id }) => id)).toEqual(["around"]);
  });

  test("notes are moved with nodes, and saved at whole numbers", () => {
    const moved = moveNodes(
      graph,
      new Map([
        ["above", { x: 1.5, y: 2.5 }],
        ["a", { x: 10, y: 10 }],
      ]),
    );
    expect(note(moved, "above").location).toEqual({ x: 1, y: 2 });
    expect(moved.notes[0]).toBe(graph.notes[0]);
    const between = { ...graph, notes: [{ ...note(graph, "above"), location: { x: 0.4, y: 0.6 } }] };
    expect(normaliseGraph(between, newId).notes[0]?.location).toEqual({ x: 0, y: 0 });
  });

  test("a note is around the nodes whose middle lies on it", () => {
    expect(nodesOn(graph, note(graph, "around")).map(({ id }) => id)).toEqual(["a", "b"]);
    expect(nodesOn(graph, note(graph, "above"))).toEqual([]);
  });
});

describe("layouts", () => {
  test("after tidying up, a note is around the same nodes with the same room, any other as far from its node", () => {
    const tidied = tidyGraph(graph);
    const [before, after] = [note(graph, "around"), note(tidied, "around")];
    const frames = [graph, tidied].map((of) => frameAround(of.nodes.filter(({ id }) => id === "a" || id === "b")));
    const room = (frame: (typeof frames)[number], of: GraphNote) =>
      frame && [frame.x - of.location.x, frame.y - of.location.y, of.width - frame.width, of.height - frame.height];
    expect(frames[1]).not.toEqual(frames[0]);
    expect(room(frames[1] ?? null, after)).toEqual(room(frames[0] ?? null, before));
    const core = nodeById(tidied, "core")?.location;
    expect(note(tidied, "above").location).toEqual({ x: core?.x, y: (core?.y ?? 0) - 200 });
  });

  test("what came with the edit stays where it was put", () => {
    const pasted = { ...moveNodes(graph, new Map([["a", { x: 500, y: 500 }]])), notes: [note(graph, "above")] };
    const added = { ...pasted, notes: [...pasted.notes, { ...note(graph, "around"), id: "new" }] };
    expect(note(carryNotes(graph, added), "new")).toBe(added.notes[1]);
  });
});

describe("copies", () => {
  test("a note is copied alone or with nodes, and pasted beside itself under a new id", () => {
    const copied = copySelection(graph, new Set(["above"]), here);
    expect(copied.ok && copied.clipboard.copyNodes).toEqual([]);
    const pasted = copied.ok ? paste(graph, copied.clipboard, here, newId) : copied;
    if (!pasted.ok) throw new Error(pasted.reason);
    const [id = ""] = pasted.pastedNotes;
    expect(note(pasted.graph, id)).toMatchObject({ text: "Accounts", location: { x: 1040, y: -200 + PASTE_OFFSET } });
    expect(id).not.toBe("above");
  });

  test("a fragment holds the notes of the selection and puts them where they stood among its nodes", () => {
    const made = fragmentOf(graph, new Set(["a", "b", "around"]));
    if (!made.ok) throw new Error(made.reason);
    expect(made.content.copyNotes.map(({ text }) => text)).toEqual(["Clean"]);
    const inserted = insertFragment(graph, { context: "entity", content: made.content }, { x: 0, y: 900 }, newId);
    expect(note(inserted.graph, inserted.noteIds[0] ?? "").location).toEqual({ x: -20, y: 840 });
  });

  test("notes alone are no fragment", () => {
    expect(fragmentOf(graph, new Set(["above"]))).toEqual({ ok: false, reason: "invalid_selection" });
  });
});

test("versions differ by what notes say and their colour, not by where they stand or how large they are", () => {
  const moved = changeNote(graph, "above", { location: { x: 5, y: 5 }, width: 400 });
  expect(isSame(compareGraphs(graph, moved))).toBe(true);
  const said = compareGraphs(graph, changeNote(graph, "above", { text: "Companies" }));
  expect(said.changedNotes.map(({ before, after }) => [before.text, after.text])).toEqual([["Accounts", "Companies"]]);
  const gone = compareGraphs(graph, removeNotes(graph, new Set(["around"])));
  expect(gone.removedNotes.map(({ id }) => id)).toEqual(["around"]);
});

test("a graph that was stored before there were notes has none", () => {
  expect(Graph.parse({ nodes: [], edges: [] }).notes).toEqual([]);
});
