/** Where a new note stands and how large it is. Pure. */
import { GraphNote, NOTE_SIZE, type Graph } from "@accord/contracts/sync/graph";
import { frameAround, wholePoint, type Point } from "@accord/sync-engine/graph";
import { newElementId } from "../new-node.ts";

/** Around the nodes that a note is made for: room for two lines of text above them. */
const PADDING = { side: 24, top: 68, bottom: 32 } as const;
const GRID = 10;

const onGrid = ({ x, y }: Point): Point =>
  wholePoint({ x: Math.round(x / GRID) * GRID, y: Math.round(y / GRID) * GRID });

/** With its middle at this place. */
export const noteAt = (middle: Point): GraphNote =>
  GraphNote.parse({
    id: newElementId(),
    location: onGrid({ x: middle.x - NOTE_SIZE.width / 2, y: middle.y - NOTE_SIZE.height / 2 }),
  });

/** Behind several nodes that are selected, with its text above them; null where there are fewer. */
export function noteAround(graph: Graph, selected: readonly string[]): GraphNote | null {
  const ids = new Set(selected);
  const nodes = graph.nodes.filter(({ id }) => ids.has(id));
  const frame = frameAround(nodes);
  if (!frame || nodes.length < 2) return null;
  const size = (length: number, least: number): number => Math.min(NOTE_SIZE.max, Math.max(least, Math.ceil(length)));
  return GraphNote.parse({
    id: newElementId(),
    location: wholePoint({ x: frame.x - PADDING.side, y: frame.y - PADDING.top }),
    width: size(frame.width + 2 * PADDING.side, NOTE_SIZE.minWidth),
    height: size(frame.height + PADDING.top + PADDING.bottom, NOTE_SIZE.minHeight),
  });
}
