/** Keys of the editor: save, undo, redo, copy, paste, group, tidy up, delete; never while somebody types. */
import { paste, type Clipboard } from "@accord/sync-engine/graph";
import { useEffect, useEffectEvent } from "react";
import { useSession } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { useEditorStore } from "./editor-context.tsx";
import type { EditorStore } from "./editor.model.ts";
import { newElementId } from "./new-node.ts";
import { CLIPBOARD_KEY, type SelectionDeeds } from "./use-selection-deeds.ts";

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

/** Whoever walks the graph with Tab means the node that has the focus, selected or not. */
function takeFocused(store: EditorStore, key: string): void {
  const { selected, selectedEdge, select } = store.getState();
  const focused = document.activeElement?.closest(".react-flow__node-pipeline")?.getAttribute("data-id");
  const meansNodes = key === "delete" || key === "backspace";
  if (meansNodes && focused && selected.length === 0 && selectedEdge === null) select([focused]);
}

export function useEditorKeys(on: { save: () => void; deeds: SelectionDeeds }): void {
  const { t } = useWords("sync");
  const { t: rule } = useWords("graph");
  const store = useEditorStore();
  const at = { instanceId: useSession().currentInstanceAccordId ?? "", scope: "entity" as const };

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
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (command && key === "s") {
      event.preventDefault();
      return on.save();
    }
    if (isTyping(event)) return;
    if (event.key === "Escape" && !event.defaultPrevented) return store.getState().show("none");
    if (store.getState().opened.readOnly) return;
    takeFocused(store, key);
    const deeds: Record<string, (() => void) | undefined> = command
      ? {
          z: event.shiftKey ? store.getState().redo : store.getState().undo,
          y: store.getState().redo,
          // Words selected on the page are what the person wants to copy.
          c: document.getSelection()?.isCollapsed === false ? undefined : on.deeds.copy,
          v: pasteNodes,
          g: on.deeds.group,
        }
      : { delete: on.deeds.remove, backspace: on.deeds.remove, t: on.deeds.tidy };
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
