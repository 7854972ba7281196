/** Hands the editor's store to its parts. */
import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { EditorActions, EditorState, EditorStore } from "./editor.model.ts";

const EditorContext = createContext<EditorStore | null>(null);
export const EditorProvider = EditorContext.Provider;

export function useEditorStore(): EditorStore {
  const store = useContext(EditorContext);
  if (!store) throw new Error("The parts of the editor stand inside EditorProvider");
  return store;
}

/** One slice of the editor's state; the component renders again only when it changes. */
export function useEditor<Slice>(select: (state: EditorState & EditorActions) => Slice): Slice {
  return useStore(useEditorStore(), select);
}

/** Whether the graph may be changed: a draft, and the permission to write. */
export const useReadOnly = (): boolean => useEditor((state) => state.opened.readOnly);
