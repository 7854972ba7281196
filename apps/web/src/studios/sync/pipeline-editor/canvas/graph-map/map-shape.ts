/** Shapes of the small map of a graph. Pure. */
import { NODE_HEIGHT, NODE_WIDTH, type FlowNode } from "../canvas.model.ts";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Cards, and collapsed groups, which are cards too; the frame of an open group would cover its members. */
export const cardsIn = (nodes: readonly FlowNode[]): Box[] =>
  nodes
    .filter((node) => node.type === "pipeline" || (node.type === "area" && node.data.group.collapsed))
    .map(({ position, width = NODE_WIDTH, height = NODE_HEIGHT }) => ({ ...position, width, height }));

/** All boxes as one path. */
export const shapeOf = (boxes: readonly Box[]): string =>
  boxes.map(({ x, y, width, height }) => `M${x},${y}h${width}v${height}h${-width}z`).join("");

/** The box around all of them; there is one at least. */
export function around(boxes: readonly Box[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of boxes) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}
