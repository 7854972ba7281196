/**
 * Where the view of the graph goes: on request to one node or to all of them, and else only so far that the node in
 * question is seen beside its form. Then it goes at once, together with what opens: nothing glides under a pointer that
 * is on its way to press something.
 */
import { getViewportForBounds, type ReactFlowInstance, useReactFlow, type Viewport } from "@xyflow/react";
import { useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { nodeHeight } from "@accord/sync-engine/graph";
import { NODE_WIDTH } from "../canvas.model.ts";
import { useEditor, useEditorStore } from "../../editor-context.tsx";
import { type EditorStore, nodeOf } from "../../editor.model.ts";
import { focusNode } from "../focus-node.ts";
import { distanceToNode, hasCard, visibleArea } from "./visible-area.ts";
import { FIT, MIN_ZOOM } from "./zoom-controls.tsx";

/** Takes view and keyboard to a node. */
export function useFocusedNode(focus: { nodeId: string } | undefined): void {
  const flow = useReactFlow();
  const store = useEditorStore();
  const isReady = flow.viewportInitialized;
  const shown = useRef<typeof focus>(undefined);
  useLayoutEffect(() => {
    if (!focus || !isReady || shown.current === focus) return;
    const [node, area, canvas] = [
      nodeOf(store.getState(), focus.nodeId),
      visibleArea(),
      document.querySelector(".ac-canvas")?.getBoundingClientRect(),
    ];
    if (!node || !area || !canvas) return;
    shown.current = focus;
    const { x, y } = node.location;
    void flow.setViewport({
      x: (area.left + area.right) / 2 - canvas.left - x - NODE_WIDTH / 2,
      y: (area.top + area.bottom) / 2 - canvas.top - y - nodeHeight(node) / 2,
      zoom: 1,
    });
    focusNode(focus.nodeId);
  }, [flow, focus, isReady, store]);
}

const isSameView = (a: Viewport, b: Viewport): boolean =>
  Math.abs(a.x - b.x) < 1 && Math.abs(a.y - b.y) < 1 && Math.abs(a.zoom - b.zoom) < 0.001;

/** The view of each open editor in which all of the graph was shown, as asked for last. */
const wholeViews = new WeakMap<EditorStore, Viewport>();

/** All of the graph, judged against the area beside what is open, as wide as it is now. */
function fitEverything(flow: ReactFlowInstance, store: EditorStore): void {
  const area = visibleArea();
  if (!area) return;
  const [width, height] = [area.right - area.left, area.bottom - area.top];
  const bounds = flow.getNodesBounds(flow.getNodes());
  const { minZoom = MIN_ZOOM, maxZoom = 1, padding = 0 } = FIT;
  const viewport = getViewportForBounds(bounds, width, height, minZoom, maxZoom, padding);
  wholeViews.set(store, viewport);
  void flow.setViewport(viewport);
}

export function useShowEverything(): () => void {
  const flow = useReactFlow();
  const store = useEditorStore();
  return useCallback(() => fitEverything(flow, store), [flow, store]);
}

/** By no more than it takes. */
function bringIntoSight(flow: ReactFlowInstance, store: EditorStore, nodeId: string): void {
  const node = nodeOf(store.getState(), nodeId);
  if (!node || !hasCard(store.getState().graph, node)) return;
  const { x, y, zoom } = flow.getViewport();
  const distance = distanceToNode(node, { x, y, zoom }, visibleArea());
  if (distance) void flow.setViewport({ x: x + distance.x, y: y + distance.y, zoom });
}

/** A node that was just added, or that Tab came to, comes into sight where it lies outside. */
export function useNodesInView(): void {
  const flow = useReactFlow();
  const store = useEditorStore();
  const added = useEditor((state) => state.added);
  useLayoutEffect(() => {
    if (!added) return;
    bringIntoSight(flow, store, added);
    store.getState().markAdded(null);
  }, [added, flow, store]);
  useEffect(() => {
    const onKeyUp = (event: KeyboardEvent) => {
      const element = document.activeElement;
      const id = element?.matches(".react-flow__node") ? element.getAttribute("data-id") : null;
      if (event.key === "Tab" && id) bringIntoSight(flow, store, id);
    };
    addEventListener("keyup", onKeyUp);
    return () => removeEventListener("keyup", onKeyUp);
  }, [flow, store]);
}

/** A second press meanwhile is a double press on the same place: nothing opens or moves under it before. */
export const DOUBLE_PRESS_MS = 400;

/**
 * The node whose form opens beside the graph stays in sight, where the form takes its place: the view moves in the same
 * frame. Where all of the graph was shown, all of it is shown again. While something is dragged nothing moves.
 */
export function useConfiguredInView(): void {
  const flow = useReactFlow();
  const store = useEditorStore();
  const isPressed = useIsPressed();
  const configured = useEditor(({ panel, selected: [nodeId, ...others] }) =>
    panel === "configure" && others.length === 0 ? nodeId : undefined,
  );
  useLayoutEffect(() => {
    const node = configured === undefined ? undefined : nodeOf(store.getState(), configured);
    if (!node || isPressed() || !hasCard(store.getState().graph, node)) return;
    const whole = wholeViews.get(store);
    const viewport = flow.getViewport();
    if (!distanceToNode(node, viewport, visibleArea())) return;
    if (whole && isSameView(whole, viewport)) fitEverything(flow, store);
    else bringIntoSight(flow, store, node.id);
  }, [configured, flow, isPressed, store]);
}

/** Whether a button of the pointer is down: something is being dragged, or about to be. */
function useIsPressed(): () => boolean {
  const pressed = useRef(false);
  useEffect(() => {
    const down = () => void (pressed.current = true);
    const up = () => void (pressed.current = false);
    const ends = ["pointerup", "pointercancel", "blur"] as const;
    addEventListener("pointerdown", down, true);
    for (const end of ends) addEventListener(end, up, true);
    return () => {
      removeEventListener("pointerdown", down, true);
      for (const end of ends) removeEventListener(end, up, true);
    };
  }, []);
  return useCallback(() => pressed.current, []);
}

/** Versions are compared as a whole: where some of the graph would be out of sight beside them, all of it is shown. */
export function useWholeInView(): void {
  const flow = useReactFlow();
  const store = useEditorStore();
  const comparing = useEditor((state) => state.panel === "versions");
  const before = useRef(comparing);
  useLayoutEffect(() => {
    // It runs again once the view is there: nothing has opened or closed by that.
    if (before.current === comparing) return;
    before.current = comparing;
    if (!comparing) return;
    const [area, viewport] = [visibleArea(), flow.getViewport()];
    const { graph } = store.getState();
    const isHidden = graph.nodes.some((node) => hasCard(graph, node) && distanceToNode(node, viewport, area));
    if (isHidden) fitEverything(flow, store);
  }, [flow, comparing, store]);
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
