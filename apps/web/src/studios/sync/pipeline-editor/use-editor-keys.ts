/** Keys of the editor, never while somebody types; and what the `?` sheet says of them. */
import { useEffect, useEffectEvent } from "react";
import { useShortcutGroup } from "../../../app/shell/shortcuts.ts";
import { useWords } from "../../../app/words.ts";
import { clipboardFrom, keepClipboard, keptClipboard } from "./clipboard.ts";
import { useEditorStore } from "./editor-context.tsx";
import type { EditorStore } from "./editor.model.ts";
import { focusNode } from "./focus-node.ts";
import type { EditorCommands } from "./use-editor-commands.ts";

interface Keys {
  save: () => void;
  showEverything: () => void;
  find: () => void;
  commands: EditorCommands;
}

const NUDGE = 10;
const FAR_NUDGE = 50;
const ARROWS: Readonly<Record<string, { x: number; y: number }>> = {
  arrowleft: { x: -1, y: 0 },
  arrowright: { x: 1, y: 0 },
  arrowup: { x: 0, y: -1 },
  arrowdown: { x: 0, y: 1 },
};

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest("input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]") !== null
  );
}

/** Words selected on the page are what the person wants to copy. */
const hasSelectedText = (): boolean => document.getSelection()?.isCollapsed === false;

/** Whoever walks the graph with Tab means the node that has the focus, selected or not. */
function takeFocused(store: EditorStore): void {
  const { selected, selectedEdge, select, selectEdge } = store.getState();
  if (selected.length > 0 || selectedEdge !== null) return;
  const element = document.activeElement?.closest(".react-flow__node-pipeline, .react-flow__edge");
  const id = element?.getAttribute("data-id");
  if (!element || !id) return;
  if (element.classList.contains("react-flow__edge")) selectEdge(id);
  else select([id]);
}

/** Closes the top layer only: the panel, else the selection. */
function closeTop(store: EditorStore): void {
  const { panel, selected, show, select, selectEdge } = store.getState();
  if (panel !== "none") {
    show("none");
    const [id] = selected;
    if (id) focusNode(id);
    return;
  }
  select([]);
  selectEdge(null);
}

/** What a key does here, if anything. */
function commandOf(
  event: KeyboardEvent,
  { store, commands, showEverything, find }: Omit<Keys, "save"> & { store: EditorStore },
): (() => void) | undefined {
  const [command, key] = [event.ctrlKey || event.metaKey, event.key.toLowerCase()];
  const { opened, selected, undo, redo } = store.getState();
  const looking = command ? { a: commands.selectAll, f: find }[key] : { "1": showEverything }[key];
  if (looking || opened.readOnly) return looking;
  if (command) return { z: event.shiftKey ? redo : undo, y: redo, d: commands.duplicate, g: commands.group }[key];
  const arrow = ARROWS[key];
  const step = event.shiftKey ? FAR_NUDGE : NUDGE;
  if (arrow) return selected.length > 0 ? () => commands.nudge({ x: arrow.x * step, y: arrow.y * step }) : undefined;
  return {
    delete: commands.remove,
    backspace: commands.remove,
    t: commands.tidy,
    a: commands.addNext,
    f2: commands.rename,
  }[key];
}

export function useEditorKeys({ save, showEverything, find, commands }: Keys): void {
  const store = useEditorStore();
  useShortcutList();

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (command && key === "s") {
      event.preventDefault();
      return save();
    }
    if (isTyping(event.target) || event.defaultPrevented) return;
    if (event.key === "Escape") return closeTop(store);
    takeFocused(store);
    const run = commandOf(event, { store, commands, showEverything, find });
    if (!run) return;
    event.preventDefault();
    run();
  });
  /** The browser's own events carry the clipboard without asking for permission. */
  const onCopy = useEffectEvent((event: ClipboardEvent) => {
    const isCut = event.type === "cut";
    if (isTyping(event.target) || hasSelectedText() || (isCut && store.getState().opened.readOnly)) return;
    takeFocused(store);
    if (store.getState().selected.length === 0) return;
    const text = commands.copyText();
    event.preventDefault();
    if (!text) return;
    event.clipboardData?.setData("text/plain", text);
    keepClipboard(text);
    if (isCut) commands.removeAtOnce();
  });
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (isTyping(event.target) || store.getState().opened.readOnly) return;
    event.preventDefault();
    const text = event.clipboardData?.getData("text/plain") ?? "";
    commands.pasteFrom(clipboardFrom(text) ?? (text === "" ? keptClipboard() : null));
  });

  useEffect(() => {
    const listeners = {
      keydown: (event: KeyboardEvent) => onKey(event),
      copy: (event: ClipboardEvent) => onCopy(event),
      cut: (event: ClipboardEvent) => onCopy(event),
      paste: (event: ClipboardEvent) => onPaste(event),
    };
    document.addEventListener("keydown", listeners.keydown);
    document.addEventListener("copy", listeners.copy);
    document.addEventListener("cut", listeners.cut);
    document.addEventListener("paste", listeners.paste);
    return () => {
      document.removeEventListener("keydown", listeners.keydown);
      document.removeEventListener("copy", listeners.copy);
      document.removeEventListener("cut", listeners.cut);
      document.removeEventListener("paste", listeners.paste);
    };
  }, []);
}

function useShortcutList(): void {
  const { t } = useWords("sync");
  useShortcutGroup({
    title: t("keys.title"),
    shortcuts: [
      { keys: "a", does: t("keys.addNext") },
      { keys: "Enter", does: t("keys.configure") },
      { keys: "F2", does: t("keys.rename") },
      { keys: "Delete", does: t("keys.remove") },
      { keys: "arrows", does: t("keys.nudge") },
      { keys: "mod+a", does: t("keys.selectAll") },
      { keys: "mod+c", does: t("keys.copy") },
      { keys: "mod+x", does: t("keys.cut") },
      { keys: "mod+v", does: t("keys.paste") },
      { keys: "mod+d", does: t("keys.duplicate") },
      { keys: "mod+g", does: t("keys.group") },
      { keys: "mod+z", does: t("editor.undo") },
      { keys: "shift+mod+z", does: t("editor.redo") },
      { keys: "mod+f", does: t("keys.find") },
      { keys: "1", does: t("editor.fit") },
      { keys: "t", does: t("editor.tidy") },
      { keys: "mod+s", does: t("keys.save") },
    ],
  });
}
