/** What of an open draft the server does not have: edits, and inputs that the graph can't hold yet. Pure. */
import { type EditorState, type InvalidInputs, isDirty, nodeOfForm } from "./editor.model.ts";

type Work = Pick<EditorState, "opened" | "graph" | "saved" | "invalidInputs">;

/** Invalid inputs of nodes that are there: those of a removed node wait for an undo and are no work of their own. */
export function inputsOnNodes({ graph, invalidInputs }: Pick<Work, "graph" | "invalidInputs">): InvalidInputs {
  const ids = new Set(graph.nodes.map((node) => node.id));
  return Object.fromEntries(Object.entries(invalidInputs).filter(([key]) => ids.has(nodeOfForm(key))));
}

export const hasUnsavedWork = (state: Work): boolean =>
  !state.opened.readOnly && (isDirty(state) || Object.keys(inputsOnNodes(state)).length > 0);
