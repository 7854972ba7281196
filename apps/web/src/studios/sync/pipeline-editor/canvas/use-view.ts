/** Moving the view on request: to one node, or so that all of the graph can be seen. It never moves under the pointer by itself. */
import { type ReactFlowInstance, useReactFlow } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { NODE_HEIGHT, NODE_WIDTH } from "./canvas.model.ts";
import { useEditor, useEditorStore } from "../editor-context.tsx";
import { elementOfNode, focusNode } from "./focus-node.ts";
import { FIT, MOTION } from "./zoom-controls.tsx";

/** The canvas shrinks when a panel opens; measuring waits for that. */
const PANEL_OPENS_MS = 60;

/** Takes view and keyboard to a node. */
export function useFocusedNode(focus: { nodeId: string } | undefined): void {
  const flow = useReactFlow();
  const isReady = flow.viewportInitialized;
  useEffect(() => {
    if (!focus || !isReady) return;
    const from = document.activeElement;
    const timer = setTimeout(() => {
      const node = flow.getNode(focus.nodeId);
      if (!node) return;
      const middle = { x: node.position.x + NODE_WIDTH / 2, y: node.position.y + (node.height ?? NODE_HEIGHT) / 2 };
      void flow.setCenter(middle.x, middle.y, { zoom: 1, ...MOTION }).then(() => focusNode(focus.nodeId, from));
    }, PANEL_OPENS_MS);
    return () => clearTimeout(timer);
  }, [flow, focus, isReady]);
}

const EDGE_PX = 24;

/** A card with the places at its side where the next node is added. */
function boxWithAdding(element: Element): { left: number; right: number; top: number; bottom: number } {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const adding = [...element.querySelectorAll(".ac-node__add:not([data-used])")].map((each) =>
    each.getBoundingClientRect(),
  );
  return { left, top, bottom, right: Math.max(right, ...adding.map((each) => each.right)) };
}

/** What keeps a node from being seen, as the distance that the view must go; nothing where it is seen. */
function distanceToSee(element: Element | null): { x: number; y: number } | null {
  const area = document.querySelector(".ac-canvas")?.getBoundingClientRect();
  if (!element || !area) return null;
  const box = boxWithAdding(element);
  const along = (start: number, end: number, from: number, to: number): number =>
    start < from + EDGE_PX ? from + EDGE_PX - start : end > to - EDGE_PX ? to - EDGE_PX - end : 0;
  const distance = {
    x: along(box.left, box.right, area.left, area.right),
    y: along(box.top, box.bottom, area.top, area.bottom),
  };
  return distance.x === 0 && distance.y === 0 ? null : distance;
}

/** By no more than it takes; whether the view had to move. */
function bringIntoView(flow: ReactFlowInstance, element: Element | null): boolean {
  const distance = distanceToSee(element);
  if (!distance) return false;
  const { x, y, zoom } = flow.getViewport();
  void flow.setViewport({ x: x + distance.x, y: y + distance.y, zoom }, MOTION);
  return true;
}

/** A node that was just added, or that Tab came to, comes into view where it lies outside. */
export function useNodesInView(): void {
  const flow = useReactFlow();
  const store = useEditorStore();
  const added = useEditor((state) => state.added);
  useEffect(() => {
    if (!added) return;
    const timer = setTimeout(() => {
      const node = flow.getNode(added);
      const element = elementOfNode(added);
      const hasMoved = bringIntoView(flow, element);
      // Out of view it may not be in the page at all.
      if (!hasMoved && !element && node)
        void flow.setCenter(node.position.x, node.position.y, { zoom: flow.getZoom(), ...MOTION });
      store.getState().markAdded(null);
    }, PANEL_OPENS_MS);
    return () => clearTimeout(timer);
  }, [added, flow, store]);
  useEffect(() => {
    const onKeyUp = (event: KeyboardEvent) => {
      const element = document.activeElement;
      if (event.key === "Tab" && element?.matches(".react-flow__node")) bringIntoView(flow, element);
    };
    addEventListener("keyup", onKeyUp);
    return () => removeEventListener("keyup", onKeyUp);
  }, [flow]);
}

/** A second press meanwhile is a double press on the same place: nothing moves before it. */
export const DOUBLE_PRESS_MS = 400;

/** The node whose form opened beside the graph stays in sight, where the form took its place. */
export function useConfiguredInView(): void {
  const flow = useReactFlow();
  const store = useEditorStore();
  const configured = useEditor(({ panel, selected: [nodeId, ...others] }) =>
    panel === "configure" && others.length === 0 ? nodeId : undefined,
  );
  useEffect(() => {
    if (configured === undefined) return;
    const timer = setTimeout(() => {
      if (!store.getState().isDragging) bringIntoView(flow, elementOfNode(configured));
    }, DOUBLE_PRESS_MS);
    return () => clearTimeout(timer);
  }, [configured, flow, store]);
}

/** Versions are compared as a whole: all of the graph is shown beside them. */
export function useWholeInView(): void {
  const flow = useReactFlow();
  const comparing = useEditor((state) => state.panel === "versions");
  const before = useRef(comparing);
  useEffect(() => {
    // It runs again once the view is there: nothing has opened or closed by that.
    if (before.current === comparing) return;
    before.current = comparing;
    const timer = setTimeout(() => void flow.fitView({ ...FIT, ...MOTION }), PANEL_OPENS_MS);
    return () => clearTimeout(timer);
  }, [flow, comparing]);
}

/** What was in the middle of the view is there again after the window was resized; panels that open move nothing. */
export function useKeptMiddle(): void {
  const flow = useReactFlow();
  useEffect(() => {
    const canvas = document.querySelector(".ac-canvas");
    if (!canvas) return;
    let before = sizesOf(canvas);
    const observer = new ResizeObserver(() => {
      const now = sizesOf(canvas);
      const [right, down] = [(now.width - before.width) / 2, (now.height - before.height) / 2];
      const isWindow = now.windowWidth !== before.windowWidth || now.windowHeight !== before.windowHeight;
      before = now;
      if (!isWindow || (right === 0 && down === 0)) return;
      const { x, y, zoom } = flow.getViewport();
      void flow.setViewport({ x: x + right, y: y + down, zoom });
    });
    observer.observe(canvas);
    return () => observer.disconnect();
  }, [flow]);
}

const sizesOf = ({ clientWidth: width, clientHeight: height }: Element) => ({
  width,
  height,
  windowWidth: innerWidth,
  windowHeight: innerHeight,
});
