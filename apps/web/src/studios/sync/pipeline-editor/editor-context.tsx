/** Hands the editor's store to its parts. */
import { createContext, useContext } from "react";
import { useStore } from "zustand";
import { type EditorActions, type EditorState, type EditorStore, isLocked } from "./editor.model.ts";

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

/** Whether the open version can't be changed at all: it is no draft, or the permission to write is missing. */
export const useReadOnly = (): boolean => useEditor((state) => state.opened.readOnly);

/** Whether the graph can't be changed now: the version is read-only, or a test of it runs. */
export const useLocked = (): boolean => useEditor(isLocked);
