/** Boxes on the canvas: of cards and frames, and around several of them. Pure. */
import { NODE_SIZE, type Point } from "@accord/sync-engine/graph";
import type { Node } from "@xyflow/react";

export interface Box extends Point {
  width: number;
  height: number;
}

export const boxOf = ({
  position,
  width = NODE_SIZE.width,
  height = NODE_SIZE.height,
}: Pick<Node, "position" | "width" | "height">): Box => ({ ...position, width, height });

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
