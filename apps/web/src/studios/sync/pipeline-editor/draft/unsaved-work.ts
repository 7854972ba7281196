/** What of an open draft the server does not have (edits, invalid inputs), and how it is restored later. Pure. */
import { Graph } from "@accord/contracts/sync/graph";
import { isSameContent } from "@accord/sync-engine/graph";
import { z } from "zod";
import { type EditorState, isDirty } from "../editor.model.ts";
import { type InvalidInputs, nodeOfForm } from "../inputs/invalid-inputs.ts";

type Work = Pick<EditorState, "opened" | "graph" | "saved" | "invalidInputs">;

/** Invalid inputs of nodes that are there: those of a removed node wait for an undo and are no work of their own. */
export function inputsOnNodes({ graph, invalidInputs }: Pick<Work, "graph" | "invalidInputs">): InvalidInputs {
  const ids = new Set(graph.nodes.map((node) => node.id));
  return Object.fromEntries(Object.entries(invalidInputs).filter(([key]) => ids.has(nodeOfForm(key))));
}

export const hasUnsavedWork = (state: Work): boolean =>
  !state.opened.readOnly && (isDirty(state) || Object.keys(inputsOnNodes(state)).length > 0);

/** Unsaved work as it is kept in the browser. */
export const KeptWork = z.object({
  /** The saved graph that the work began with, and its revision. */
  base: Graph,
  revision: z.int(),
  /** The edited graph; null where only inputs are unsaved. */
  graph: Graph.nullable(),
  invalidInputs: z.record(z.string(), z.record(z.string(), z.unknown())),
});
export type KeptWork = z.output<typeof KeptWork>;

/** What to keep of the work on screen; null when everything is saved. */
export function workToKeep(state: Work & Pick<EditorState, "revision">): KeptWork | null {
  if (!hasUnsavedWork(state)) return null;
  const { graph, saved, revision } = state;
  const isEdited = !isSameContent(graph, saved);
  const invalidInputs = Object.fromEntries(
    Object.entries(inputsOnNodes(state)).map(([form, values]) => [form, { ...values }]),
  );
  return { base: saved, revision, graph: isEdited ? graph : null, invalidInputs };
}

export interface Restoration {
  /** Edits to take up; null when the server has them, or there are none. */
  edits: { graph: Graph; base: Graph; revision: number } | null;
  invalidInputs: InvalidInputs;
}

/**
 * What of the kept work is restored over the draft that was opened. Edits begun with another graph than the opened one
 * keep their own base and revision: their first save is a conflict, decided by a person.
 */
export function restorationOf(
  kept: KeptWork,
  { graph: opened, revision }: Pick<EditorState, "graph" | "revision">,
): Restoration {
  // What was being saved when the page went away may have arrived.
  const isSaved = kept.graph === null || isSameContent(kept.graph, opened);
  const isSameBase = kept.revision === revision || isSameContent(kept.base, opened);
  const edits =
    isSaved || kept.graph === null
      ? null
      : isSameBase
        ? { graph: kept.graph, base: opened, revision }
        : { graph: kept.graph, base: kept.base, revision: kept.revision };
  const begun = new Map((kept.graph ?? kept.base).nodes.map((node) => [node.id, node]));
  const shown = edits?.graph ?? opened;
  // An input holds its whole form: over a node that somebody else changed it would undo that change.
  const isUnchanged = new Set(
    shown.nodes.filter((node) => isSameContent(node, begun.get(node.id))).map(({ id }) => id),
  );
  const inputs = Object.entries(kept.invalidInputs).filter(([form]) => isUnchanged.has(nodeOfForm(form)));
  return { edits, invalidInputs: Object.fromEntries(inputs) };
}
