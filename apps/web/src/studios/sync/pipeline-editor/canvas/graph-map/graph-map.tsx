/**
 * The whole graph in small, with what is in view: dragged it moves the view, the wheel zooms. All cards are one shape: the
 * canvas' own map has an element and a subscription for each card, which costs a large graph more than the cards in view.
 */
import { Panel, useReactFlow, useStore } from "@xyflow/react";
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, type PointerEvent } from "react";
import { useWords } from "../../../../../app/words.ts";
import type { FlowEdge, FlowNode } from "../canvas.model.ts";
import { around, type Box } from "../boxes.ts";
import { cardsIn, shapeOf } from "./map-shape.ts";
import "./graph-map.css";

const WIDTH = 200;
const HEIGHT = 150;
/** Around what is shown, in px of the map. */
const MARGIN = 5;
const WHEEL_STEP = 0.002;

export function GraphMap({ nodes }: { nodes: readonly FlowNode[] }) {
  const { t } = useWords("sync");
  const flow = useReactFlow<FlowNode, FlowEdge>();
  const svg = useRef<SVGSVGElement>(null);
  // It follows a drag as soon as there is time for it.
  const cards = useMemo(() => cardsIn(nodes), [nodes]);
  const shown = useDeferredValue(cards);
  const shape = useMemo(() => shapeOf(shown), [shown]);
  const [x, y, zoom] = useStore((state) => state.transform);
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const view: Box = { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom };
  const all = around([...shown, view]);
  const scale = Math.max(all.width / WIDTH, all.height / HEIGHT);
  const frame = {
    x: all.x + all.width / 2 - (WIDTH / 2 + MARGIN) * scale,
    y: all.y + all.height / 2 - (HEIGHT / 2 + MARGIN) * scale,
    width: (WIDTH + 2 * MARGIN) * scale,
    height: (HEIGHT + 2 * MARGIN) * scale,
  };
  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    void flow.zoomTo(flow.getZoom() * 2 ** (-event.deltaY * WHEEL_STEP));
  });
  useEffect(() => {
    const map = svg.current;
    const listen = (event: WheelEvent) => onWheel(event);
    // React's own listener could not keep the page from zooming with it.
    map?.addEventListener("wheel", listen, { passive: false });
    return () => map?.removeEventListener("wheel", listen);
  }, []);
  const move = (event: PointerEvent) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const before = flow.getViewport();
    const far = scale * before.zoom;
    void flow.setViewport({
      ...before,
      x: before.x - event.movementX * far,
      y: before.y - event.movementY * far,
    });
  };
  return (
    <Panel position="bottom-right" className="ac-graph-map">
      <svg
        ref={svg}
        width={WIDTH}
        height={HEIGHT}
        viewBox={`${frame.x} ${frame.y} ${frame.width} ${frame.height}`}
        role="img"
        aria-label={t("editor.map")}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={move}
      >
        <path className="ac-graph-map__cards" d={shape} />
        <path className="ac-graph-map__mask" fillRule="evenodd" d={shapeOf([frame, view])} />
      </svg>
    </Panel>
  );
}
