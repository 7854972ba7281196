/** Which rows of the dataset a mark stands for: what leads from a bar, a slice or a number to its records. */
import type { CardMark } from "@accord/contracts/insights/mark-records";
import type { Group } from "./marks.ts";

/** A mark, and what it is called. */
export interface MarkTarget {
  mark: CardMark;
  label: string;
}

/** Where a mark is on the screen. */
export interface MarkPlace {
  x: number;
  y: number;
  height: number;
}

/** Somebody chose a mark; `adds` when it is to be chosen besides others: with Ctrl, Cmd or Shift. */
export type OnMark = (target: MarkTarget, at: MarkPlace, adds: boolean) => void;

/** Whether the keys pressed with a click or Enter choose a mark besides others. */
export const isAdding = ({ ctrlKey, metaKey, shiftKey }: Record<"ctrlKey" | "metaKey" | "shiftKey", boolean>) =>
  ctrlKey || metaKey || shiftKey;

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
