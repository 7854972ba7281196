/** Drawing by mouse, pen or finger: held down on a field, let go on one of the other side. */
import { useState, type PointerEvent, type RefObject } from "react";
import type { Drawing, Spot } from "./use-drawing.ts";

export interface Point {
  x: number;
  y: number;
}

/** Nearer than this to where it was pressed, the pointer was not meant to draw. */
const STILL = 6;

const rowAt = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>("[data-field]") : null;

export function spotAt(target: EventTarget | null): Spot | undefined {
  const row = rowAt(target);
  const side = row?.closest<HTMLElement>("[data-side]")?.dataset["side"];
  const field = row?.dataset["field"];
  return field && (side === "system" || side === "core") ? { side, field } : undefined;
}

/** `at`: where the pointer draws to, in px of the space between the columns. */
export function usePointer(gap: RefObject<HTMLElement | null>, drawing: Drawing) {
  const [pressed, setPressed] = useState<{ spot: Spot; point: Point }>();
  const [at, setAt] = useState<Point>();
  const stop = () => {
    setPressed(undefined);
    setAt(undefined);
  };
  const cancel = () => {
    if (at) drawing.cancel();
    stop();
  };
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      const spot = spotAt(event.target);
      if (!spot || event.button !== 0) return;
      setPressed({ spot, point: { x: event.clientX, y: event.clientY } });
      // Letting go outside the board is noticed too. The row captures it, not the board, so that the press focuses it.
      rowAt(event.target)?.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent) => {
      if (!pressed) return;
      if (event.buttons === 0) {
        cancel();
        return;
      }
      const isStill = Math.hypot(event.clientX - pressed.point.x, event.clientY - pressed.point.y) < STILL;
      if (!at && isStill) return;
      if (!at) drawing.begin(pressed.spot);
      const area = gap.current?.getBoundingClientRect();
      if (area) setAt({ x: event.clientX - area.left, y: event.clientY - area.top });
    },
    onPointerUp: (event: PointerEvent) => {
      const spot = spotAt(document.elementFromPoint(event.clientX, event.clientY));
      const { from } = drawing;
      if (from && spot && spot.side !== from.side) drawing.end(spot);
      // A line begun with the keyboard stays begun until it is ended or cancelled there.
      else if (at) drawing.cancel();
      stop();
    },
    onPointerCancel: cancel,
  };
  return { handlers, at };
}
