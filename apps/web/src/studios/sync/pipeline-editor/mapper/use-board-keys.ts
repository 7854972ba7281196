/** The board by keyboard: through a column with the arrows, Enter on one side and on the other joins, Delete takes away. */
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { FieldMapping } from "@accord/contracts/sync/graph";
import { useState, type FocusEvent, type KeyboardEvent, type RefObject } from "react";
import { useEditorStore } from "../editor-context.tsx";
import type { Line } from "./mapper.model.ts";
import { spotAt } from "./use-pointer.ts";
import { otherSide, type Drawing, type Side, type Spot } from "./use-drawing.ts";

const FAR = 10;

export const isOf = ({ connectorField, coreField }: FieldMapping, { side, field }: Spot): boolean =>
  (side === "system" ? connectorField : coreField) === field;

interface Board {
  ref: RefObject<HTMLElement | null>;
  shown: Record<Side, readonly FieldSchema[]>;
  lines: readonly Line[];
  proposals: readonly Line[];
  drawing: Drawing;
  /** A field was reached. */
  onSpot: (spot: Spot) => void;
}

export function useBoardKeys({ ref, shown, lines, proposals, drawing, onSpot }: Board) {
  const store = useEditorStore();
  const [current, setCurrent] = useState<Record<Side, string | undefined>>({ system: undefined, core: undefined });

  const focus = ({ side, field }: Spot): void => {
    const row = ref.current?.querySelector<HTMLElement>(`[data-side="${side}"] [data-field="${CSS.escape(field)}"]`);
    row?.focus();
  };
  /** Where a line would most likely end: where one does, where one is proposed, else where one was last. */
  const likelyEnd = (from: Spot): Spot | undefined => {
    const side = otherSide(from.side);
    const line = [...lines, ...proposals].find((each) => isOf(each, from));
    const wanted = line ? (side === "core" ? line.coreField : line.connectorField) : current[side];
    const field = shown[side].find(({ apiName }) => apiName === wanted) ?? shown[side][0];
    return field && { side, field: field.apiName };
  };
  const cross = (from: Spot): void => {
    const end = likelyEnd(from);
    if (end) focus(end);
  };
  const goTo = (here: Spot, place: (at: number, last: number) => number): void => {
    const rows = shown[here.side];
    const at = rows.findIndex(({ apiName }) => apiName === here.field);
    const field = rows[Math.max(0, Math.min(rows.length - 1, place(at, rows.length - 1)))];
    if (field) focus({ side: here.side, field: field.apiName });
  };
  const enter = (here: Spot): void => {
    const { from } = drawing;
    if (from && from.side !== here.side) {
      if (drawing.end(here)) focus(from);
      return;
    }
    drawing.begin(here);
    cross(here);
  };
  const remove = (here: Spot): void => drawing.remove(lines.filter((line) => isOf(line, here)));
  const acts: Readonly<Record<string, (here: Spot) => void>> = {
    ArrowDown: (here) => goTo(here, (at) => at + 1),
    ArrowUp: (here) => goTo(here, (at) => at - 1),
    PageDown: (here) => goTo(here, (at) => at + FAR),
    PageUp: (here) => goTo(here, (at) => at - FAR),
    Home: (here) => goTo(here, () => 0),
    End: (here) => goTo(here, (_, last) => last),
    ArrowRight: (here) => here.side === "system" && cross(here),
    ArrowLeft: (here) => here.side === "core" && cross(here),
    Enter: enter,
    Delete: remove,
    Backspace: remove,
  };
  const cancel = (from: Spot): void => {
    drawing.cancel();
    focus(from);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const here = spotAt(event.target);
    const { from } = drawing;
    const isCommand = event.ctrlKey || event.metaKey;
    const act = here && !isCommand && !event.altKey ? acts[event.key] : undefined;
    const history = here && isCommand ? historyAct(event) : undefined;
    if (event.key === "Escape" && from) cancel(from);
    else if (here && act) act(here);
    else if (history) store.getState()[history]();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onFocus = (event: FocusEvent): void => {
    const here = spotAt(event.target);
    if (!here) return;
    setCurrent((before) => (before[here.side] === here.field ? before : { ...before, [here.side]: here.field }));
    onSpot(here);
  };
  return { current, focus, handlers: { onKeyDown, onFocus } };
}

/** The keys that take edits of the graph back take lines back as well. */
function historyAct({ key, shiftKey }: KeyboardEvent): "undo" | "redo" | undefined {
  const name = key.toLowerCase();
  if (name === "z") return shiftKey ? "redo" : "undo";
  return name === "y" ? "redo" : undefined;
}
