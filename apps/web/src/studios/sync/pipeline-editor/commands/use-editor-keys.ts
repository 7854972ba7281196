/** Keys of the editor, never while somebody types; and what the `?` sheet says of them. */
import { useCallback, useEffect, useEffectEvent, useRef } from "react";
import { useShortcutGroup } from "../../../../frame/shell/shortcuts.ts";
import { useWords } from "../../../../app/words.ts";
import { clipboardFrom, keepClipboard, keptClipboard } from "./clipboard.ts";
import { useEditorStore } from "../editor-context.tsx";
import { type EditorStore, isLocked, nodeOf } from "../editor.model.ts";
import { focusNode } from "../canvas/focus-node.ts";
import type { EditorCommands } from "./use-editor-commands.ts";

interface Keys {
  save: () => void;
  /** The last step with this draft, from wherever the focus is: a form or the graph. */
  finish: { does: string; run: () => void };
  showEverything: () => void;
  find: () => void;
  /** Absent where the version that is shown can't be tried. */
  showTry?: (() => void) | undefined;
  /** Absent as well where it can't. */
  runTo?: ((nodeId: string) => void) | undefined;
  commands: EditorCommands;
  view: "graph" | "list";
}

const NUDGE = 10;
const FAR_NUDGE = 50;
const ARROWS: Readonly<Record<string, { x: number; y: number }>> = {
  arrowleft: { x: -1, y: 0 },
  arrowright: { x: 1, y: 0 },
  arrowup: { x: 0, y: -1 },
  arrowdown: { x: 0, y: 1 },
};

const LAYERS = "[role=dialog], [role=menu], [role=listbox]";
const isInLayer = (target: EventTarget | null): boolean => target instanceof Element && target.closest(LAYERS) !== null;

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest(`input, textarea, select, [contenteditable], ${LAYERS}`) !== null
  );
}

const GRAPH = ".ac-canvas, .ac-list-view";
const isInGraph = (target: EventTarget | null): boolean => target instanceof Element && target.closest(GRAPH) !== null;

/**
 * Whether keys are meant for the graph: the focus is in it, or nothing has the focus and the person was last there.
 * What is left without focus when a panel closes under the typist is not meant for it.
 */
function useMeantForGraph(): () => boolean {
  const wasInGraph = useRef(true);
  useEffect(() => {
    const note = (event: Event) => {
      wasInGraph.current = isInGraph(event.target);
    };
    document.addEventListener("focusin", note, true);
    document.addEventListener("pointerdown", note, true);
    return () => {
      document.removeEventListener("focusin", note, true);
      document.removeEventListener("pointerdown", note, true);
    };
  }, []);
  return useCallback(() => {
    const focused = document.activeElement;
    return focused === null || focused === document.body ? wasInGraph.current : isInGraph(focused);
  }, []);
}

/** Words selected on the page are what the person wants to copy. */
const hasSelectedText = (): boolean => document.getSelection()?.isCollapsed === false;

type Item = { kind: "node" | "edge"; id: string };

/** The node or edge that has the focus. */
function focusedItem(): Item | undefined {
  const row = document.activeElement?.closest(".ac-list-view [role=row]")?.querySelector("[data-node-id]");
  const ofRow = row?.getAttribute("data-node-id");
  if (ofRow) return { kind: "node", id: ofRow };
  const element = document.activeElement?.closest(
    ".react-flow__node-pipeline, .react-flow__node-note, .react-flow__edge",
  );
  const id = element?.getAttribute("data-id");
  if (!element || !id) return undefined;
  return { kind: element.classList.contains("react-flow__edge") ? "edge" : "node", id };
}

/** Keys act on what has the focus: it becomes the selection, unless it is part of it. */
function takeFocused(store: EditorStore): void {
  const { selected, selectedEdge, select, selectEdge } = store.getState();
  const item = focusedItem();
  if (item?.kind === "edge" && item.id !== selectedEdge) selectEdge(item.id);
  if (item?.kind === "node" && !selected.includes(item.id)) select([item.id]);
}

/** To the node that has the focus, else to the one that is selected. */
function runToSelected(store: EditorStore, runTo: (nodeId: string) => void): (() => void) | undefined {
  const item = focusedItem();
  const { selected } = store.getState();
  const chosenId = item?.kind === "node" ? item.id : selected.length === 1 ? selected[0] : undefined;
  const node = chosenId === undefined ? undefined : nodeOf(store.getState(), chosenId);
  return node && (() => runTo(node.id));
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
  {
    store,
    commands,
    view,
    showEverything,
    find,
    showTry,
    runTo,
    isMeantForGraph,
  }: Omit<Keys, "save" | "finish"> & {
    store: EditorStore;
    isMeantForGraph: () => boolean;
  },
): (() => void) | undefined {
  const [command, key] = [event.ctrlKey || event.metaKey, event.key.toLowerCase()];
  const { selected, undo, redo } = store.getState();
  // The list shows neither places nor what opens at a place of the graph: those keys stay the browser's there.
  const isList = view === "list";
  const looking = isList ? undefined : command ? { a: commands.selectAll, f: find }[key] : { "1": showEverything }[key];
  if (!command && key === "r" && event.shiftKey) return runTo && runToSelected(store, runTo);
  if (!command && key === "r" && showTry) return showTry;
  if (looking || isLocked(store.getState())) return looking;
  const ofHistory = command ? { z: event.shiftKey ? redo : undo, y: redo }[key] : undefined;
  if (ofHistory) return ofHistory;
  if (!isMeantForGraph()) return undefined;
  const onFocused = (run: (() => void) | undefined) =>
    run &&
    (() => {
      takeFocused(store);
      run();
    });
  if (isList) return command ? undefined : onFocused({ delete: commands.remove, backspace: commands.remove }[key]);
  if (command) return onFocused({ d: commands.duplicate, g: commands.group }[key]);
  const arrow = ARROWS[key];
  const step = event.shiftKey ? FAR_NUDGE : NUDGE;
  if (arrow) {
    const movesAny = selected.length > 0 || focusedItem()?.kind === "node";
    return movesAny ? onFocused(() => commands.nudge({ x: arrow.x * step, y: arrow.y * step })) : undefined;
  }
  return onFocused(
    {
      delete: commands.remove,
      backspace: commands.remove,
      t: () => void commands.tidy(),
      a: commands.addNext,
      d: commands.bypass,
      n: () => commands.addNote(),
      f2: commands.rename,
    }[key],
  );
}

export function useEditorKeys({ save, finish, showEverything, find, showTry, runTo, commands, view }: Keys): void {
  const store = useEditorStore();
  const isMeantForGraph = useMeantForGraph();
  useShortcutList(finish.does);

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (command && key === "s") {
      event.preventDefault();
      return save();
    }
    if (command && key === "enter" && !event.defaultPrevented && !isInLayer(event.target)) {
      event.preventDefault();
      if (!isLocked(store.getState())) finish.run();
      return;
    }
    // With Alt keys are the browser's: Alt D is its address bar on many systems.
    if (event.altKey || isTyping(event.target) || event.defaultPrevented) return;
    if (event.key === "Escape") return closeTop(store);
    // A key that is held would take away one node after the other, or switch one off and on.
    if (event.repeat && ["delete", "backspace", "d", "n"].includes(key)) return;
    const run = commandOf(event, { store, commands, view, showEverything, find, showTry, runTo, isMeantForGraph });
    if (!run) return;
    event.preventDefault();
    run();
  });
  /** The canvas takes Esc on a node as "unselect", which closes the panel as well: the panel alone goes first. */
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || isTyping(event.target) || store.getState().panel === "none" || !focusedItem()) return;
    event.stopPropagation();
    closeTop(store);
  });
  /** The browser's own events carry the clipboard without asking for permission. */
  const onCopy = useEffectEvent((event: ClipboardEvent) => {
    const isCut = event.type === "cut";
    if (isTyping(event.target) || hasSelectedText() || (isCut && isLocked(store.getState()))) return;
    if (!isMeantForGraph()) return;
    takeFocused(store);
    if (store.getState().selected.length === 0) return;
    const text = commands.copyText();
    event.preventDefault();
    if (!text) return;
    event.clipboardData?.setData("text/plain", text);
    keepClipboard(text);
    if (isCut) commands.removeCut();
  });
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (isTyping(event.target) || isLocked(store.getState()) || !isMeantForGraph()) return;
    event.preventDefault();
    const text = event.clipboardData?.getData("text/plain") ?? "";
    commands.pasteFrom(clipboardFrom(text) ?? (text === "" ? keptClipboard() : null));
  });

  useEffect(() => {
    const onCapture = (event: KeyboardEvent) => onEscape(event);
    document.addEventListener("keydown", onCapture, true);
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
      document.removeEventListener("keydown", onCapture, true);
      document.removeEventListener("keydown", listeners.keydown);
      document.removeEventListener("copy", listeners.copy);
      document.removeEventListener("cut", listeners.cut);
      document.removeEventListener("paste", listeners.paste);
    };
  }, []);
}

function useShortcutList(finish: string): void {
  const { t } = useWords("sync");
  useShortcutGroup({
    title: t("keys.title"),
    shortcuts: [
      { keys: "a", does: t("keys.addNext") },
      { keys: "alt+arrows", does: t("keys.branch") },
      { keys: "Enter", does: t("keys.configure") },
      { keys: "F2", does: t("keys.rename") },
      { keys: "Delete", does: t("keys.remove") },
      { keys: "arrows", does: t("keys.nudge") },
      { keys: "mod+a", does: t("keys.selectAll") },
      { keys: "mod+space", does: t("keys.selectMore") },
      { keys: "mod+c", does: t("keys.copy") },
      { keys: "mod+x", does: t("keys.cut") },
      { keys: "mod+v", does: t("keys.paste") },
      { keys: "mod+d", does: t("keys.duplicate") },
      { keys: "mod+g", does: t("keys.group") },
      { keys: "d", does: t("flow.bypass.key") },
      { keys: "n", does: t("note.key") },
      { keys: "mod+z", does: t("editor.undo") },
      { keys: "shift+mod+z", does: t("editor.redo") },
      { keys: "mod+f", does: t("keys.find") },
      { keys: "1", does: t("editor.fit") },
      { keys: "t", does: t("editor.tidy") },
      { keys: "r", does: t("try.key") },
      { keys: "shift+r", does: t("try.runTo") },
      { keys: "mod+s", does: t("keys.save") },
      { keys: "mod+Enter", does: finish },
    ],
  });
}
