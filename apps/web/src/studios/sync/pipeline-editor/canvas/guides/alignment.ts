/** Aligning what is dragged with the cards around it: by how much it snaps, and the lines that show why. Pure. */
import type { Point } from "@accord/sync-engine/graph";
import type { Box } from "../boxes.ts";

/** A line at `at` on one axis, between two places on the other. */
export interface Guide {
  axis: "x" | "y";
  at: number;
  from: number;
  to: number;
}

export interface Alignment {
  by: Point;
  guides: readonly Guide[];
}

export const NO_ALIGNMENT: Alignment = { by: { x: 0, y: 0 }, guides: [] };

/** Extent of a box on one axis, and on the other. */
interface Span {
  start: number;
  size: number;
  acrossStart: number;
  acrossEnd: number;
}

const along = { x: spanX, y: spanY } as const;

function spanX({ x, y, width, height }: Box): Span {
  return { start: x, size: width, acrossStart: y, acrossEnd: y + height };
}
function spanY({ x, y, width, height }: Box): Span {
  return { start: y, size: height, acrossStart: x, acrossEnd: x + width };
}

/** Beginning, middle and end. */
const edgesOf = ({ start, size }: Span): readonly number[] => [start, start + size / 2, start + size];

/** Snaps to the nearest beginning, middle or end of another box, on each axis by itself. */
export function align(dragged: Box, others: readonly Box[], within: number): Alignment {
  const [x, y] = [nearest(dragged, others, "x", within), nearest(dragged, others, "y", within)];
  if (x === null && y === null) return NO_ALIGNMENT;
  const by = { x: x ?? 0, y: y ?? 0 };
  const moved = { ...dragged, x: dragged.x + by.x, y: dragged.y + by.y };
  const guides = [
    ...(x === null ? [] : guidesOn(moved, others, "x")),
    ...(y === null ? [] : guidesOn(moved, others, "y")),
  ];
  return { by, guides };
}

/** The least distance to something alike; null where nothing is that near. */
function nearest(dragged: Box, others: readonly Box[], axis: "x" | "y", within: number): number | null {
  const own = edgesOf(along[axis](dragged));
  let best: number | null = null;
  for (const other of others) {
    for (const [index, place] of edgesOf(along[axis](other)).entries()) {
      const distance = place - (own[index] ?? place);
      if (Math.abs(distance) <= within && (best === null || Math.abs(distance) < Math.abs(best))) best = distance;
    }
  }
  return best;
}

/** One line for each place at which the box lies level with others, as long as it takes to reach all of them. */
function guidesOn(moved: Box, others: readonly Box[], axis: "x" | "y"): Guide[] {
  const span = along[axis](moved);
  const lines = edgesOf(span).flatMap((at, index): Guide[] => {
    const level = others.map(along[axis]).filter((other) => Math.abs((edgesOf(other)[index] ?? Infinity) - at) < 0.5);
    if (level.length === 0) return [];
    const all = [span, ...level];
    return [
      {
        ...{ axis, at },
        from: Math.min(...all.map(({ acrossStart }) => acrossStart)),
        to: Math.max(...all.map(({ acrossEnd }) => acrossEnd)),
      },
    ];
  });
  // Of boxes of one size the middle says it all.
  const middle = lines.find(({ at }) => at === span.start + span.size / 2);
  return lines.length === 3 && middle ? [middle] : lines;
}
