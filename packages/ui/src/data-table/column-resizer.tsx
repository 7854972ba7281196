/** The grip at a header's right edge: drag to resize, double press to let the column share the room again. */
import { useRef, type PointerEvent } from "react";
import { clampWidth } from "./table-model.ts";

export function ColumnResizer({ onResize, onReset }: { onResize: (width: number) => void; onReset: () => void }) {
  const start = useRef<{ x: number; width: number }>(undefined);
  const onPointerDown = (event: PointerEvent<HTMLSpanElement>) => {
    const cell = event.currentTarget.parentElement;
    if (!cell) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, width: cell.getBoundingClientRect().width };
  };
  const onPointerMove = (event: PointerEvent<HTMLSpanElement>) => {
    if (start.current) onResize(clampWidth(start.current.width + event.clientX - start.current.x));
  };
  const stop = () => {
    start.current = undefined;
  };
  return (
    <span
      aria-hidden
      className="ac-table__grip"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={stop}
      onPointerCancel={stop}
      onDoubleClick={onReset}
    />
  );
}
