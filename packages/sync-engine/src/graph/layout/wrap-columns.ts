/** Breaks a long row of columns into bands that stand below one another, like words into lines, so that all fits a screen. */

/** What one column needs in height. */
export interface ColumnExtent {
  top: number;
  bottom: number;
}

interface Sizes {
  /** Distance between the left edges of two columns. */
  column: number;
  nodeWidth: number;
}

/** The canvas of a draft on a screen of 1440 × 900, without margins; px. */
const SCREEN = { width: 920, height: 740 } as const;
/** Room between two bands: connections run there from the end of one to the start of the next. */
export const BAND_GAP = 72;
/** A graph in one band is easier to follow: it is wrapped only where its cards would be shown smaller than this. */
const READABLE = 0.6;
/** More columns in a band than this are smaller on a screen than can be read. */
const MAX_COLUMNS = 40;

interface Bands {
  starts: number[];
  height: number;
  cost: number;
}

/**
 * Index of each band's first column. `cutCost` is what a cut in front of a column costs, in px of height: connections
 * that it makes longer, and what belongs together.
 */
export function bandStarts(columns: readonly ColumnExtent[], cutCost: readonly number[], sizes: Sizes): number[] {
  const height = Math.max(...columns.map(({ bottom }) => bottom)) - Math.min(...columns.map(({ top }) => top));
  const whole: Bands = { starts: [0], height, cost: 0 };
  let [best, bestZoom] = [whole, zoomOf(whole, columns.length, sizes)];
  if (bestZoom >= READABLE) return whole.starts;
  for (let most = Math.min(columns.length - 1, MAX_COLUMNS); most >= 2; most--) {
    const bands = bandsWithin(columns, cutCost, most);
    const zoom = zoomOf(bands, most, sizes);
    if (zoom > bestZoom) [best, bestZoom] = [bands, zoom];
  }
  return best.starts;
}

/** How large the bands are shown when all of them are; what it costs to cut there counts as height. */
function zoomOf({ height, cost }: Bands, columns: number, { column, nodeWidth }: Sizes): number {
  const width = (columns - 1) * column + nodeWidth;
  return Math.min(1, SCREEN.width / width, SCREEN.height / (height + cost));
}

/** The lowest bands of at most so many columns. */
function bandsWithin(columns: readonly ColumnExtent[], cutCost: readonly number[], most: number): Bands {
  const best: (Bands & { before: number })[] = [{ starts: [], height: 0, cost: 0, before: 0 }];
  for (let end = 1; end <= columns.length; end++) {
    let found: (Bands & { before: number }) | undefined;
    let [top, bottom] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let start = end - 1; start >= Math.max(0, end - most); start--) {
      const [column, before] = [columns[start], best[start]];
      if (!column || !before) continue;
      [top, bottom] = [Math.min(top, column.top), Math.max(bottom, column.bottom)];
      const height = before.height + bottom - top + (start > 0 ? BAND_GAP : 0);
      const cost = before.cost + (start > 0 ? (cutCost[start] ?? 0) : 0);
      if (!found || height + cost < found.height + found.cost) found = { starts: [], height, cost, before: start };
    }
    if (found) best.push(found);
  }
  const starts: number[] = [];
  for (let at = columns.length; at > 0; at = best[at]?.before ?? 0) starts.unshift(best[at]?.before ?? 0);
  const { height, cost } = best[columns.length] ?? { height: 0, cost: 0 };
  return { starts, height, cost };
}
