/** Everything that can be done in the graph, for keys, context menu and the bar over the selection alike. */
import {
  copySelection,
  isCore,
  moveClear,
  moveNodes,
  pastableNodes,
  paste,
  setGroup,
  toggleBypass,
  whyCopyRefused,
  whyGroupRefused,
  type Clipboard,
  type PipelineScope,
  type Point,
} from "@accord/sync-engine/graph";
import { useEffect, useMemo, useState } from "react";
import type { SyncWords } from "../../graph-words/graph-words.ts";
import { useWords } from "../../../../app/words.ts";
import { useSession } from "../../../../app/session.ts";
import { toast } from "../../../../shared/toast.tsx";
import { clipboardText, readClipboard, writeClipboard } from "./clipboard.ts";
import { useEditor, useEditorStore } from "../editor-context.tsx";
import { useFieldScope } from "../field-pipeline/field-scope.ts";
import { focusNode } from "../canvas/focus-node.ts";
import { newElementId } from "../canvas/new-node.ts";
import { Tidying } from "../canvas/tidy/tidying.ts";
import { insertNote, usePlaceInView } from "../canvas/use-placing.ts";
import { removeEdgeOf, removeNodesOf } from "../removal/remove-items.ts";

export interface EditorCommands {
  /** The selection as text for the clipboard; null, with a word to the person, when it can't be copied. */
  copyText: () => string | null;
  copy: () => void;
  cut: () => void;
  pasteFrom: (clipboard: Clipboard | null) => void;
  paste: () => void;
  /** More than one node after a question. */
  duplicate: () => void;
  duplicateNow: () => void;
  selectAll: () => void;
  /** Asks what the group of the selection is called. */
  group: () => void;
  /** Moves the selection into a group, or out of those it is in with null. */
  moveToGroup: (groupId: string | null) => void;
  /** Removes the selection; more than one node after a question. */
  remove: () => void;
  /** Removes what of the selection was copied and can be pasted again. */
  removeCut: () => void;
  /** Disables the selection, or enables it again; says which nodes can't be. */
  bypass: () => void;
  nudge: (by: Point) => void;
  rename: () => void;
  configure: () => void;
  /** Opens the palette behind the selected node, or on the selected edge. */
  addNext: () => void;
  /** With its middle at a point of the page, or in the middle of what is seen; around several selected nodes. */
  addNote: (point?: Point) => void;
  /** Whether it was tidied up: not where that was called off. */
  tidy: () => Promise<boolean>;
}

export function useEditorCommands(): EditorCommands {
  const { t } = useWords("sync");
  const { t: rule } = useWords("graph");
  const instanceId = useSession().currentInstanceAccordId ?? "";
  const store = useEditorStore();
  const placeInView = usePlaceInView();
  const [tidying] = useState(() => new Tidying());
  useEffect(() => () => tidying.stop(), [tidying]);
  const level: PipelineScope = useFieldScope() ? "field" : "entity";
  return useMemo(() => {
    const scope = { instanceId, scope: level };
    /** The one node that is selected. */
    const chosen = (): string | undefined => {
      const { graph, selected } = store.getState();
      return selected.length === 1 ? graph.nodes.find(({ id }) => id === selected[0])?.id : undefined;
    };
    const selectedNodes = (): string[] => {
      const { graph, selected } = store.getState();
      const ids = new Set(selected);
      return graph.nodes.filter(({ id }) => ids.has(id)).map(({ id }) => id);
    };
    const copied = () => {
      const { graph, selected } = store.getState();
      const made = copySelection(graph, new Set(selected), scope);
      if (!made.ok) toast.info(rule(made.reason));
      return made.ok ? made.clipboard : null;
    };
    const copyText = (): string | null => {
      const clipboard = copied();
      if (!clipboard) return null;
      toast.success(copiedWords(clipboard, t));
      return clipboardText(clipboard);
    };
    const pasteFrom = (clipboard: Clipboard | null): void => {
      const { graph, edit, select, markAdded } = store.getState();
      const pasted = paste(graph, clipboard, scope, newElementId);
      if (!pasted.ok) return toast.info(rule(pasted.reason));
      const all = [...pasted.pasted, ...pasted.pastedNotes];
      edit(() => moveClear(pasted.graph, all));
      select(all);
      // The next key is about what was pasted, not about what was copied.
      const [first] = all;
      if (first) {
        markAdded(first);
        focusNode(first);
      }
      const [nodes, notes] = [pasted.pasted.length, pasted.pastedNotes.length];
      toast.success(
        nodes > 0 ? t("editor.pasted", { count: nodes }) : t("note.pasted", { count: notes }),
        pasted.skipped
          ? { description: t("editor.loopsLeft") }
          : nodes > 0 && notes > 0
            ? { description: t("note.pastedWith", { count: notes }) }
            : {},
      );
    };
    const removable = () => {
      const { graph, selected } = store.getState();
      const ids = new Set(selected);
      const nodes = graph.nodes.filter((node) => ids.has(node.id) && !isCore(node));
      return [...nodes, ...graph.notes.filter(({ id }) => ids.has(id))].map(({ id }) => id);
    };
    const removeAtOnce = () => {
      const ids = new Set(removable());
      if (ids.size > 0) removeNodesOf(store, ids);
    };
    /** Only what pasting brings back: sources, destinations and loops are never on the clipboard. */
    const removeCut = () => {
      const clipboard = copied();
      const ids = new Set(clipboard ? [...pastableNodes(clipboard), ...clipboard.copyNotes].map(({ id }) => id) : []);
      if (ids.size > 0) removeNodesOf(store, ids);
    };
    const duplicateNow = (): void => {
      const clipboard = copied();
      if (clipboard) pasteFrom(clipboard);
    };
    const copy = (): string | null => {
      const text = copyText();
      if (text) void writeClipboard(text);
      return text;
    };
    return {
      copyText,
      copy: () => void copy(),
      cut: () => {
        if (copy()) removeCut();
      },
      pasteFrom,
      paste: () => void readClipboard().then(pasteFrom),
      duplicate: () => {
        if (store.getState().selected.length > 1) store.getState().ask({ kind: "duplicate" });
        else duplicateNow();
      },
      duplicateNow,
      selectAll: () => {
        const { graph, select } = store.getState();
        select([...graph.nodes, ...graph.notes].map(({ id }) => id));
      },
      group: () => {
        const { graph, ask } = store.getState();
        const reason = whyGroupRefused(graph, selectedNodes());
        if (reason) return toast.info(rule(reason));
        ask({ kind: "group" });
      },
      moveToGroup: (groupId) => {
        const { graph, edit } = store.getState();
        const selected = selectedNodes();
        const named = groupId ?? graph.nodes.find(({ id, groupId: own }) => own && selected.includes(id))?.groupId;
        const group = graph.groups.find(({ id }) => id === named)?.name ?? "";
        const moved = setGroup(graph, selected, groupId);
        if (!moved.ok) return toast.info(rule(moved.reason));
        edit(() => moved.graph);
        toast.success(t(groupId ? "group.added" : "group.removed", { group }));
      },
      remove: () => {
        const { selectedEdge } = store.getState();
        if (selectedEdge) return removeEdgeOf(store, selectedEdge);
        if (removable().length > 1) store.getState().ask({ kind: "remove" });
        else removeAtOnce();
      },
      removeCut,
      bypass: () => {
        const { graph, selected, edit } = store.getState();
        const changed = toggleBypass(graph, new Set(selected));
        if (changed === graph) toast.info(t("flow.bypass.refused"));
        else edit(() => changed);
      },
      nudge: (by) => {
        const { selected, edit } = store.getState();
        const ids = new Set(selected);
        edit(
          (graph) => {
            const moved = [...graph.nodes, ...graph.notes].filter(({ id }) => ids.has(id));
            const to = new Map(moved.map(({ id, location: { x, y } }) => [id, { x: x + by.x, y: y + by.y }]));
            return to.size === 0 ? graph : moveNodes(graph, to);
          },
          `nudge ${selected.join(" ")}`,
        );
      },
      rename: () => {
        const { selected, rename } = store.getState();
        rename(selected.length === 1 ? (selected[0] ?? null) : null);
      },
      addNote: (point) => void insertNote(store, placeInView(point)),
      configure: () => {
        if (chosen()) store.getState().show("configure");
      },
      addNext: () => {
        const afterId = chosen();
        const edgeId = store.getState().selectedEdge ?? undefined;
        const kind = afterId ? "node" : "edge";
        const onId = CSS.escape(afterId ?? edgeId ?? "");
        const element = document.querySelector(`.react-flow__${kind}[data-id="${onId}"]`);
        const box = (element ?? document.querySelector(".ac-canvas"))?.getBoundingClientRect();
        const screen = box
          ? { x: element ? box.right + 16 : box.left + box.width / 3, y: box.top }
          : { x: 300, y: 200 };
        store.getState().openQuickAdd({ screen, where: afterId ? { afterId } : { edgeId } });
      },
      tidy: async () => {
        const id = chosen();
        const from = document.activeElement;
        const isTidied = await tidying.run(store);
        if (isTidied && id) focusNode(id, from);
        return isTidied;
      },
    };
  }, [instanceId, level, placeInView, rule, store, t, tidying]);
}

function copiedWords({ copyNodes, copyEdges, copyNotes }: Clipboard, t: SyncWords): string {
  if (copyNodes.length === 0) return t("note.copied", { count: copyNotes.length });
  const nodes = t("editor.nodes", { count: copyNodes.length });
  const edges = t("editor.edges", { count: copyEdges.length });
  const notes = t("note.count", { count: copyNotes.length });
  return copyNotes.length > 0 ? t("note.copiedWith", { nodes, edges, notes }) : t("editor.copied", { nodes, edges });
}

/** Why what is selected can't be copied, in words, said where copying is offered; null where it can. */
export function useCopyRefusal(): string | null {
  const { t } = useWords("graph");
  const reason = useEditor(({ graph, selected }) => whyCopyRefused(graph, new Set(selected)));
  return reason === null ? null : t(reason);
}
