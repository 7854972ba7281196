/** Which rows of the dataset a mark stands for: what leads from a bar, a slice or a number to its records. */
import type { CardMark } from "@accord/contracts/insights/mark-records";
import type { CartesianModel } from "./cartesian/cartesian.model.ts";
import type { FunnelModel } from "./funnel/model.ts";
import type { Cell, Group } from "./marks.ts";
import type { PieModel } from "./pie/model.ts";

/** A mark, and what it is called. */
export interface MarkTarget {
  mark: CardMark;
  label: string;
}

/** Somebody chose a mark; `at` is where it is on the screen. */
export type OnMark = (target: MarkTarget, at: { x: number; y: number; height: number }) => void;

/** Groups by the columns of the answer that they are of. */
export type ColumnGroups = readonly (readonly [column: string, group: Group])[];

/** Of a cell that belongs to a category, and to a series or part of it where there are those. */
export const groupsOf = (category: Group, series?: Group): ColumnGroups => [
  ["x", category],
  ...(series ? [["series", series] as const] : []),
];

/** The mark of a cell; a group that stands for no column says nothing about the rows. */
export function markOf(groups: ColumnGroups, value: string): CardMark {
  return {
    groups: groups.flatMap(([column, { behind }]) => (behind ? [{ column, ...behind }] : [])),
    value,
  };
}

const targetOf = (groups: ColumnGroups, { text }: Cell): MarkTarget => ({
  mark: markOf(groups, "y0"),
  label: `${groups.map(([, { label }]) => label).join(" · ")}: ${text}`,
});

/** Null where nothing was counted: no rows are behind it. */
export function cartesianTarget(model: CartesianModel, series: number, category: number): MarkTarget | null {
  const [one, place] = [model.series[series], model.categories[category]];
  const cell = one?.cells[category];
  if (!one || !place || !cell) return null;
  if (model.seriesTitle === null)
    return { mark: markOf(groupsOf(place), one.key), label: `${place.label}, ${one.label}: ${cell.text}` };
  return targetOf(groupsOf(place, one), cell);
}

/** The first ring is that of the slices, the second that of their parts. */
export function pieTarget(model: PieModel, ring: number, index: number): MarkTarget | null {
  if (ring === 0) {
    const slice = model.slices[index];
    return slice ? targetOf(groupsOf(slice), slice.cell) : null;
  }
  const found = model.slices.flatMap((slice) => slice.parts.map((part) => ({ slice, part })))[index];
  return found ? targetOf(groupsOf(found.slice, found.part), found.part.cell) : null;
}

export function funnelTarget(model: FunnelModel, index: number): MarkTarget | null {
  const stage = model.stages[index];
  return stage ? targetOf(groupsOf(stage), stage.cell) : null;
}
