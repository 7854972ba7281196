/** What a table knows without a screen: column widths, order of rows, selection, keyboard steps. */
import type { ReactNode } from "react";

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Makes the column sortable; the value rows are ordered by when the table sorts by itself. */
  sortValue?: (row: Row) => string | number | boolean | null | undefined;
  /** Sortable by the server, through `onSortChange`. */
  sortable?: boolean;
  align?: "start" | "end";
  /** Fixed width in px, more if the head needs it. Without it the column shares the free room. */
  width?: number;
  /** Least width in px of a sharing column; 120 when absent. */
  minWidth?: number;
  /** Share of the free room; 1 when absent. */
  grow?: number;
  /** Ids, api names and other code. */
  mono?: boolean;
  /** Stays at the left edge while scrolling sideways; for the first column. */
  sticky?: boolean;
  /** Can't be hidden by the column choice. */
  always?: boolean;
  /** Name for people when the header is empty (icon columns). */
  headerLabel?: string;
}

export interface Sort {
  column: string;
  direction: "ascending" | "descending";
}

export const SELECTION_WIDTH = 40;
export const MENU_WIDTH = 44;
const MIN_WIDTH = 120;
const MIN_RESIZED = 56;
/** Padding at both sides, and the arrow of a sortable head with its gap. */
const CELL_PADDING = 24;
const ARROW = 17;
/** A generous mean of a letter in a head, in px. */
const LETTER = 6.8;

/** Width in px at which a column's head is not cut. */
const headWidth = <Row>({ header, sortable, sortValue }: Column<Row>): number =>
  header === "" ? 0 : Math.ceil(header.length * LETTER) + CELL_PADDING + (sortable || sortValue ? ARROW : 0);

/** Next state of the order when a header is pressed: up, down, then the natural order. */
export function nextSort(sort: Sort | undefined, column: string): Sort | undefined {
  if (sort?.column !== column) return { column, direction: "ascending" };
  return sort.direction === "ascending" ? { column, direction: "descending" } : undefined;
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return collator.compare(String(a), String(b));
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === "";

/** Rows in the order asked for; empty values last in either direction; equal ones keep their place. */
export function sortRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort?: Sort): readonly Row[] {
  const valueOf = columns.find((column) => column.id === sort?.column)?.sortValue;
  if (!sort || !valueOf) return rows;
  const sign = sort.direction === "ascending" ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [left, right] = [valueOf(a), valueOf(b)];
    if (isEmpty(left) || isEmpty(right)) return Number(isEmpty(left)) - Number(isEmpty(right));
    return sign * compare(left, right);
  });
}

/** The `grid-template-columns` of a row, and the least width at which nothing is squeezed. */
export function layoutOf<Row>(
  columns: readonly Column<Row>[],
  resized: Readonly<Record<string, number>>,
  extras: { selection: boolean; menu: boolean },
): { template: string; minWidth: number } {
  const tracks: string[] = [];
  let minWidth = 0;
  const add = (track: string, width: number) => {
    tracks.push(track);
    minWidth += width;
  };
  if (extras.selection) add(`${SELECTION_WIDTH}px`, SELECTION_WIDTH);
  for (const column of columns) {
    const head = headWidth(column);
    const fixed = resized[column.id] ?? (column.width === undefined ? undefined : Math.max(column.width, head));
    const least = Math.max(column.minWidth ?? MIN_WIDTH, head);
    if (fixed !== undefined) add(`${fixed}px`, fixed);
    else add(`minmax(${least}px, ${column.grow ?? 1}fr)`, least);
  }
  // Where no column shares the room, an empty one takes the rest, so that lines reach the edge.
  if (!columns.some((column) => resized[column.id] === undefined && column.width === undefined)) add("1fr", 0);
  if (extras.menu) add(`${MENU_WIDTH}px`, MENU_WIDTH);
  return { template: tracks.join(" "), minWidth };
}

export const hasFiller = <Row>(columns: readonly Column<Row>[], resized: Readonly<Record<string, number>>): boolean =>
  !columns.some((column) => resized[column.id] === undefined && column.width === undefined);

export const clampWidth = (width: number): number => Math.max(MIN_RESIZED, Math.round(width));

/** Row to focus after a key, or undefined when the key doesn't move. */
export function stepOf(key: string, at: number, count: number, pageRows: number): number | undefined {
  const last = count - 1;
  switch (key) {
    case "ArrowDown":
      return Math.min(last, at + 1);
    case "ArrowUp":
      return Math.max(0, at - 1);
    case "PageDown":
      return Math.min(last, at + pageRows);
    case "PageUp":
      return Math.max(0, at - pageRows);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}

/** Selection after a row's box is pressed; with `range`, everything between it and the row pressed before. */
export function toggled(
  selected: ReadonlySet<string>,
  ids: readonly string[],
  id: string,
  range?: { from: string },
): ReadonlySet<string> {
  const next = new Set(selected);
  const on = !selected.has(id);
  const [start, end] = range ? [ids.indexOf(range.from), ids.indexOf(id)].sort((a, b) => a - b) : [-1, -1];
  const touched = range && start !== undefined && end !== undefined && start >= 0 ? ids.slice(start, end + 1) : [id];
  for (const each of touched)
    if (on) next.add(each);
    else next.delete(each);
  return next;
}
