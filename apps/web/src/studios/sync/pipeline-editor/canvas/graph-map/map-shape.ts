/** Shapes of the small map of a graph. Pure. */
import { type Box, boxOf } from "../boxes.ts";
import type { FlowNode } from "../canvas.model.ts";

/** Cards, and collapsed groups, which are cards too; the frame of an open group would cover its members. */
export const cardsIn = (nodes: readonly FlowNode[]): Box[] =>
  nodes.filter((node) => node.type === "pipeline" || (node.type === "area" && node.data.group.collapsed)).map(boxOf);

/** All boxes as one path. */
export const shapeOf = (boxes: readonly Box[]): string =>
  boxes.map(({ x, y, width, height }) => `M${x},${y}h${width}v${height}h${-width}z`).join("");
