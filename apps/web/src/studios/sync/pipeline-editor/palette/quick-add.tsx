/** The palette at a place of the graph: opened by a "+", by a line drawn into the empty, or by A. */
import { TextInput } from "@mantine/core";
import { IconArrowRight, IconSearch } from "@tabler/icons-react";
import type { Id } from "@accord/contracts";
import type { Graph } from "@accord/contracts/sync/graph";
import { addEdge, edgeViolation, isCore, nodeTitle, reachableFrom } from "@accord/sync-engine/graph";
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { useWords } from "../../../../app/words.ts";
import { useEditor, useEditorStore } from "../editor-context.tsx";
import type { QuickAddPlace } from "../editor.model.ts";
import { focusNode } from "../canvas/focus-node.ts";
import { newElementId } from "../canvas/new-node.ts";
import { searchEntries, usePaletteEntries } from "./palette-items.ts";
import type { PaletteEntry } from "./palette-entry.ts";
import type { ItemPlace } from "../canvas/place-item.ts";
import { useInsertNode } from "../canvas/use-placing.ts";
import { BranchChoice, useBranch } from "./branch-choice.tsx";
import { EntryList, walkEntries } from "./entry-list.tsx";

const WIDTH = 300;
const HEIGHT = 360;
const EDGE = 8;

export function QuickAdd({ entityId }: { entityId: Id<"entity"> }) {
  const place = useEditor((state) => state.quickAdd);
  return place ? <OpenQuickAdd key={JSON.stringify(place)} entityId={entityId} place={place} /> : null;
}

function OpenQuickAdd({ entityId, place }: { entityId: Id<"entity">; place: QuickAddPlace }) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const placing = useInsertNode();
  const panel = useRef<HTMLDivElement>(null);
  const [text, setText] = useState("");
  const [opener] = useState(() => document.activeElement);
  const isBehindCore = useEditor((state) => isReachedFromCore(state.graph, place.where));
  const isJoined = Boolean(place.where.afterId ?? place.where.beforeId ?? place.where.edgeId);
  // A note is connected to nothing.
  const entries = usePaletteEntries(entityId).filter(({ item }) => !isJoined || item.kind !== "note");
  const found = searchEntries(entries, text).toSorted((a, b) => side(a, isBehindCore) - side(b, isBehindCore));
  const { where, choose, step } = useBranch(place.where);
  const targets = useTargets(where, text);
  const close = () => {
    store.getState().openQuickAdd(null);
    const from = place.where.afterId ?? place.where.beforeId;
    if (from) focusNode(from);
    else if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
  };
  const pick = (entry: PaletteEntry) => {
    if (placing.readOnly) return;
    store.getState().openQuickAdd(null);
    const placed = placing.place(entry.item, where);
    // Keys go on from the new node: A adds the next, Enter configures.
    focusNode(placed.id);
  };
  const connect = (target: Target) => {
    if (placing.readOnly) return;
    store.getState().openQuickAdd(null);
    const edge = { id: newElementId(), source: where.afterId ?? "", target: target.id };
    const branch = where.port ? { edgeType: where.port } : {};
    store.getState().edit((graph) => {
      const made = addEdge(graph, { ...edge, ...branch }, "drawn");
      return made.ok ? made.graph : graph;
    });
    focusNode(target.id);
  };
  useEffect(() => {
    const onPress = (event: PointerEvent) => {
      const isInside = event.target instanceof Node && panel.current?.contains(event.target);
      if (!isInside) store.getState().openQuickAdd(null);
    };
    // Taken on its way down: the canvas keeps presses to itself.
    addEventListener("pointerdown", onPress, true);
    return () => removeEventListener("pointerdown", onPress, true);
  }, [store]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      return close();
    }
    if (step(event)) return;
    const [[first], [target]] = [found, targets];
    walkEntries(event, () => (first ? pick(first) : target && connect(target)));
  };
  return (
    <div
      ref={panel}
      className="ac-quick-add nodrag nopan nowheel"
      role="dialog"
      aria-label={t("palette.quickAdd")}
      style={within(place.screen)}
      onKeyDown={onKeyDown}
    >
      <BranchChoice where={where} onChoose={choose} />
      <TextInput
        value={text}
        autoFocus
        onChange={(event) => setText(event.currentTarget.value)}
        placeholder={t("palette.search")}
        aria-label={t("palette.search")}
        leftSection={<IconSearch size={15} />}
      />
      <div className="ac-quick-add__list">
        <EntryList entries={found} disabled={placing.readOnly} onPick={pick} />
        {targets.length > 0 ? (
          <ul className="ac-entries" aria-label={t("palette.connections")}>
            {targets.map((target) => (
              <li key={target.id}>
                <button
                  type="button"
                  className="ac-palette__function"
                  data-entry
                  disabled={placing.readOnly}
                  onClick={() => connect(target)}
                >
                  <IconArrowRight size={16} stroke={1.7} aria-hidden />
                  <span className="ac-palette__entry-name">{target.label}</span>
                </button>
              </li>
            ))}
          </ul>
        ) : null}
        {found.length + targets.length === 0 ? (
          <p className="ac-palette__none">{t("palette.nothing", { text: text.trim() })}</p>
        ) : null}
      </div>
    </div>
  );
}

/** Behind the core entity a system is meant as a destination. */
function isReachedFromCore(graph: Graph, { afterId, edgeId }: ItemPlace): boolean {
  const from = afterId ?? graph.edges.find(({ id }) => id === edgeId)?.source.nodeId;
  const core = graph.nodes.find(isCore);
  return from !== undefined && core !== undefined && reachableFrom(graph, [core.id]).has(from);
}

const side = ({ item }: PaletteEntry, isBehindCore: boolean): number =>
  isBehindCore && item.kind === "source" ? 1 : 0;

interface Target {
  id: string;
  label: string;
  words: string;
}

/** Nodes that are there already and may come next. */
function useTargets({ afterId }: ItemPlace, text: string): Target[] {
  const { t } = useWords("sync");
  const graph = useEditor((state) => state.graph);
  const targets = useMemo(
    () =>
      afterId === undefined
        ? []
        : graph.nodes
            .filter((node) => edgeViolation(graph, { source: afterId, target: node.id }, "drawn") === null)
            .map((node) => ({ id: node.id, label: t("palette.connectTo", { label: nodeTitle(node) }), words: "" })),
    [afterId, graph, t],
  );
  return searchEntries(targets, text);
}

/** Beside the place, inside the window. */
function within({ x, y }: { x: number; y: number }): { left: number; top: number; width: number; height: number } {
  return {
    left: Math.max(EDGE, Math.min(x, innerWidth - WIDTH - EDGE)),
    top: Math.max(EDGE, Math.min(y, innerHeight - HEIGHT - EDGE)),
    width: WIDTH,
    height: HEIGHT,
  };
}
