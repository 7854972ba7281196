/** Where nodes stand: the fixed places, spacing, and moving overlapping ones apart. */
import type { Graph } from "@accord/contracts/sync/graph";

export interface Point {
  x: number;
  y: number;
}

export const GRAPH_CENTRE: Point = { x: 535, y: 180 };
export const CORE_LOCATION: Point = { x: 788, y: 343 };
export const CONNECTOR_LOCATION: Point = { x: 678, y: 132 };
export const DEFAULT_LOCATION: Point = { x: 600, y: 400 };
export const SPACING = { horizontal: 140, vertical: 54, step: 30 } as const;
/** Two nodes closer than this on both axes lie on each other. */
export const OVERLAP = 25;
const RING_SIZE = 12;
const RING_STEP = 250;

/** Positions are whole numbers, rounded down. */
export const wholePoint = (at: Point): Point => ({ x: Math.floor(at.x), y: Math.floor(at.y) });

const overlap = (a: Point, b: Point): boolean => Math.abs(a.x - b.x) < OVERLAP && Math.abs(a.y - b.y) < OVERLAP;

/** More than cells lie beside each other, wherever nodes may stand. */
const CELLS_BESIDE = 1_000_003;
const cellOf = ({ x, y }: Point, right = 0, down = 0): number =>
  (Math.floor(x / OVERLAP) + right) * CELLS_BESIDE + Math.floor(y / OVERLAP) + down;

/** Points by the cells in which others would lie on them: a thousand nodes in one place are spread without comparing all. */
class TakenPlaces {
  readonly #byCell = new Map<number, Point[]>();

  add(point: Point): void {
    for (const right of [-1, 0, 1])
      for (const down of [-1, 0, 1]) {
        const cell = cellOf(point, right, down);
        const points = this.#byCell.get(cell);
        if (points) points.push(point);
        else this.#byCell.set(cell, [point]);
      }
  }

  /** The wanted place, or the next free one in steps to the right and down. */
  free(wanted: Point): Point {
    let at = wholePoint(wanted);
    while (this.#byCell.get(cellOf(at))?.some((other) => overlap(other, at)))
      at = { x: at.x + SPACING.step, y: at.y + SPACING.step };
    return at;
  }
}

/** The wanted place, or the next free one in steps to the right and down. */
export function freeLocation(taken: readonly Point[], wanted: Point): Point {
  const places = new TakenPlaces();
  for (const point of taken) places.add(point);
  return places.free(wanted);
}

/** The graph with overlapping nodes moved apart; the earlier one stays. */
export function spreadOverlaps(graph: Graph): Graph {
  const places = new TakenPlaces();
  const nodes = graph.nodes.map((node) => {
    const location = places.free(node.location);
    places.add(location);
    return location.x === node.location.x && location.y === node.location.y ? node : { ...node, location };
  });
  return nodes.every((node, index) => node === graph.nodes[index]) ? graph : { ...graph, nodes };
}

/** Places on rings around a centre: 12 on the first, twice as many on each further one, 250 apart. */
export function ringLayout(count: number, centre: Point): Point[] {
  const places: Point[] = [];
  for (let ring = 0; places.length < count; ring++) {
    const size = RING_SIZE * 2 ** ring;
    const radius = RING_STEP * (ring + 1);
    for (let seat = 0; seat < size && places.length < count; seat++) {
      const angle = (2 * Math.PI * seat) / size;
      places.push(wholePoint({ x: centre.x + radius * Math.cos(angle), y: centre.y + radius * Math.sin(angle) }));
    }
  }
  return places;
}
