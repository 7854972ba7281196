/** The lines that what is dragged is aligned by. */
import { ViewportPortal } from "@xyflow/react";
import { useStore } from "zustand";
import type { Aligner } from "./use-alignment.ts";
import "./guide-lines.css";

/** Beyond the boxes that a line is about. */
const BEYOND = 8;

export function GuideLines({ shown }: Pick<Aligner, "shown">) {
  const { guides } = useStore(shown);
  if (guides.length === 0) return null;
  return (
    <ViewportPortal>
      {guides.map(({ axis, at, from, to }) => (
        <div
          key={`${axis} ${at}`}
          className={`ac-guide ac-guide--${axis}`}
          style={
            axis === "x"
              ? { left: at, top: from - BEYOND, height: to - from + 2 * BEYOND }
              : { top: at, left: from - BEYOND, width: to - from + 2 * BEYOND }
          }
        />
      ))}
    </ViewportPortal>
  );
}
