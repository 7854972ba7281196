/** Which part of the page the graph can be seen in, and how far the view must go so that a node is seen whole. */
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { NODE_SIZE, nodeHeight, outPorts, portTop } from "@accord/sync-engine/graph";
import type { Viewport } from "@xyflow/react";

/** Edges on the page, in px. */
export interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Around a node that is brought into sight. */
const EDGE_PX = 24;

const canvasArea = (): Area | null => document.querySelector(".ac-canvas")?.getBoundingClientRect() ?? null;

/**
 * The graph's area beside what stands at the right of it, which lies over it on a narrow screen; with a width, beside a
 * form that wide in its place. Null where no graph is shown. Where a panel takes everything, all counts as seen.
 */
export function visibleArea(formPx?: number): Area | null {
  const canvas = canvasArea();
  if (!canvas) return null;
  const body = document.querySelector(".ac-editor__body");
  const panel = body?.querySelector<HTMLElement>(":scope > .ac-panel");
  const end = body?.getBoundingClientRect().right ?? canvas.right;
  const besidePx = formPx ?? panel?.offsetWidth ?? 0;
  const right = besidePx > 0 ? end - besidePx : canvas.right;
  const { left, top, bottom } = canvas;
  return { left, top, bottom, right: right > left + 2 * EDGE_PX ? right : canvas.right };
}

/** Whether the node has a card of its own: in a group that is collapsed it has none. */
export const hasCard = (graph: Graph, { groupId }: GraphNode): boolean =>
  !graph.groups.some(({ id, collapsed }) => collapsed && id === groupId);

/** Where the card lies on the page, with the places at its side where the next node is added: those keep their size on screen. */
export function boxOf(node: GraphNode, { x, y, zoom }: Viewport, origin: { left: number; top: number }): Area {
  const ports = outPorts(node);
  const side = Math.max(20, 24 / zoom);
  const apart = Math.max(0, 25 / zoom - NODE_SIZE.portRow);
  const adding = ports.map((_, index) => portTop(node, index) + (index - (ports.length - 1) / 2) * apart);
  const beyond = ports.length > 0 ? Math.max(10, 14 / zoom) + side : 0;
  const at = { left: origin.left + x + node.location.x * zoom, top: origin.top + y + node.location.y * zoom };
  return {
    left: at.left,
    right: at.left + (NODE_SIZE.width + beyond) * zoom,
    top: at.top + Math.min(0, ...adding.map((middle) => middle - side / 2)) * zoom,
    bottom: at.top + Math.max(nodeHeight(node), ...adding.map((middle) => middle + side / 2)) * zoom,
  };
}

const along = (start: number, end: number, from: number, to: number): number =>
  start < from + EDGE_PX
    ? from + EDGE_PX - start
    : end > to - EDGE_PX
      ? Math.max(to - EDGE_PX - end, from + EDGE_PX - start)
      : 0;

/** By no more than it takes; null where all of the box is seen. What is larger than the area is seen from its beginning. */
export function distanceToSee(box: Area, area: Area): { x: number; y: number } | null {
  const distance = {
    x: along(box.left, box.right, area.left, area.right),
    y: along(box.top, box.bottom, area.top, area.bottom),
  };
  return distance.x === 0 && distance.y === 0 ? null : distance;
}

/** What keeps a node of the graph on the page from being seen in an area of it. */
export function distanceToNode(
  node: GraphNode,
  viewport: Viewport,
  area: Area | null,
): { x: number; y: number } | null {
  const canvas = canvasArea();
  return canvas && area ? distanceToSee(boxOf(node, viewport, canvas), area) : null;
}
