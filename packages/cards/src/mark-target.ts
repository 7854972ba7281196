/** Which rows of the dataset a mark stands for: what leads from a bar, a slice or a number to its records. */
import type { CardMark } from "@accord/contracts/insights/mark-records";
import type { CartesianModel } from "./cartesian/cartesian.model.ts";
import type { FunnelModel } from "./funnel/model.ts";
import type { Group } from "./marks.ts";
import type { PieModel } from "./pie/model.ts";

/** A mark, and what it is called. */
export interface MarkTarget {
  mark: CardMark;
  label: string;
}

/** Somebody chose a mark; `at` is where it is on the screen. */
export type OnMark = (target: MarkTarget, at: { x: number; y: number; height: number }) => void;

/** The mark of a cell; a group that stands for no column says nothing about the rows. */
export function markOf(groups: readonly (readonly [column: string, group: Group])[], value: string): CardMark {
  return {
    groups: groups.flatMap(([column, { behind }]) => (behind ? [{ column, ...behind }] : [])),
    value,
  };
}

const labelOf = (groups: readonly Group[], text: string): string =>
  `${groups.map(({ label }) => label).join(" · ")}: ${text}`;

/** Null where nothing was counted: no rows are behind it. */
export function cartesianTarget(model: CartesianModel, series: number, category: number): MarkTarget | null {
  const [one, place] = [model.series[series], model.categories[category]];
  const cell = one?.cells[category];
  if (!one || !place || !cell) return null;
  if (model.seriesTitle === null)
    return { mark: markOf([["x", place]], one.key), label: `${place.label}, ${one.label}: ${cell.text}` };
  const mark = markOf(
    [
      ["x", place],
      ["series", one],
    ],
    "y0",
  );
  return { mark, label: labelOf([place, one], cell.text) };
}

/** The first ring is that of the slices, the second that of their parts. */
export function pieTarget(model: PieModel, ring: number, index: number): MarkTarget | null {
  if (ring === 0) {
    const slice = model.slices[index];
    return slice ? { mark: markOf([["x", slice]], "y0"), label: labelOf([slice], slice.cell.text) } : null;
  }
  const found = model.slices.flatMap((slice) => slice.parts.map((part) => ({ slice, part })))[index];
  if (!found) return null;
  const { slice, part } = found;
  const mark = markOf(
    [
      ["x", slice],
      ["series", part],
    ],
    "y0",
  );
  return { mark, label: labelOf([slice, part], part.cell.text) };
}

export function funnelTarget(model: FunnelModel, index: number): MarkTarget | null {
  const stage = model.stages[index];
  return stage ? { mark: markOf([["x", stage]], "y0"), label: labelOf([stage], stage.cell.text) } : null;
}
