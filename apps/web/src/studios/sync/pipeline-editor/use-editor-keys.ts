/** Keys of the editor: save, undo, redo, copy, paste, delete, duplicate; never while somebody types. */
import { copySelection, paste, removeNodes, removeEdge, isCore, type Clipboard } from "@accord/sync-engine/graph";
import { useEffect, useEffectEvent } from "react";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { useEditorStore } from "./editor-context.tsx";
import { newElementId } from "./new-node.ts";

const CLIPBOARD_KEY = "accord-copied-nodes";
const RESELECT_MS = 200;

function isTyping(event: KeyboardEvent): boolean {
  const target = event.target;
  return (
    target instanceof HTMLElement &&
    target.closest("input, textarea, select, [contenteditable], [role=dialog]") !== null
  );
}

function readClipboard(): Clipboard | null {
  try {
    return JSON.parse(localStorage.getItem(CLIPBOARD_KEY) ?? "null") as Clipboard | null;
  } catch {
    return null;
  }
}

export function useEditorKeys(on: {
  instanceId: string;
  save: () => void;
  confirmRemoval: (count: number) => void;
}): void {
  const { t } = useWords("sync");
  const { t: rule } = useWords("graph");
  const store = useEditorStore();
  const at = { instanceId: on.instanceId, scope: "entity" as const };

  const copy = () => {
    const { graph, selected } = store.getState();
    const copied = copySelection(graph, new Set(selected), at);
    if (!copied.ok) return toast.info(rule(copied.reason));
    localStorage.setItem(CLIPBOARD_KEY, JSON.stringify(copied.clipboard));
    toast.success(
      t("editor.copied", { nodes: copied.clipboard.copyNodes.length, edges: copied.clipboard.copyEdges.length }),
    );
  };
  const pasteNodes = () => {
    const pasted = paste(store.getState().graph, readClipboard(), at, newElementId);
    if (!pasted.ok) return toast.info(rule(pasted.reason));
    store.getState().edit(() => pasted.graph);
    setTimeout(() => store.getState().select(pasted.pasted), RESELECT_MS);
    toast.success(
      t("editor.pasted", { count: pasted.pasted.length }),
      pasted.skipped ? { description: t("editor.loopsLeft") } : {},
    );
  };
  const remove = () => {
    const { graph, selected, selectedEdge, edit } = store.getState();
    if (selectedEdge) return edit((current) => removeEdge(current, selectedEdge));
    const removable = graph.nodes.filter((node) => selected.includes(node.id) && !isCore(node));
    if (removable.length > 1) return on.confirmRemoval(removable.length);
    if (removable.length === 1) edit((current) => removeNodes(current, new Set(removable.map((node) => node.id))));
  };

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (command && key === "s") {
      event.preventDefault();
      return on.save();
    }
    if (isTyping(event) || store.getState().opened.readOnly) return;
    const deeds: Record<string, (() => void) | undefined> = command
      ? {
          z: event.shiftKey ? store.getState().redo : store.getState().undo,
          y: store.getState().redo,
          // Words selected on the page are what the person wants to copy.
          c: document.getSelection()?.isCollapsed === false ? undefined : copy,
          v: pasteNodes,
        }
      : { delete: remove, backspace: remove };
    const deed = deeds[key];
    if (!deed) return;
    event.preventDefault();
    deed();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}
