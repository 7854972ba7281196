/** Semantic zoom: the smaller the graph is shown, the less a card says, and what it says keeps a size that can be read. */
import { useStore, useStoreApi } from "@xyflow/react";
import { useEffect } from "react";
import { MIN_ZOOM } from "./zoom-controls.tsx";

/** What a card has room for: everything, its label on two lines or on one, or no text at all. */
export type Detail = "all" | "label" | "line" | "none";

/** From these zooms on, text of 12 px on screen has room on a card. */
const FROM: readonly (readonly [zoom: number, detail: Detail])[] = [
  [0.6, "all"],
  [0.5, "label"],
  [0.25, "line"],
];

const STEPS = 20;

/** Rounded down: text is never smaller than it should be. */
export const zoomStep = (zoom: number): number => Math.max(MIN_ZOOM, Math.floor(zoom * STEPS + 1e-6) / STEPS);

export const detailAt = (zoom: number): Detail => FROM.find(([from]) => zoom >= from)?.[1] ?? "none";

/** Says to the styles how small the graph is shown: sizes of text and of what is pressed are made from it. */
export function ZoomDetail() {
  const zoom = useStore((state) => zoomStep(state.transform[2]));
  const { getState } = useStoreApi();
  useEffect(() => {
    const canvas = getState().domNode;
    canvas?.style.setProperty("--ac-zoom", String(zoom));
    canvas?.setAttribute("data-detail", detailAt(zoom));
    canvas?.toggleAttribute("data-shrunk", zoom < 1);
  }, [getState, zoom]);
  return null;
}
