/** Groups of rows and what is made of each, after domain.md 12.1 and 12.2: blanks are left out of every aggregate. */
import type { Aggregate, DateGrain } from "@accord/contracts/insights/dataset-config";
import { dayIn, startOf } from "./calendar.ts";
import { type Cell, compareCells, keyOf, msOf, type TextOrder } from "./cells.ts";
import { add, type Exact, exactOf, multiply, negate, numberOf, quotient, textOfExact } from "./exact.ts";

/** One column of the groups: a key, perhaps cut to the first day of its week, month …, or an aggregate; `of` null counts rows. */
export type FoldColumn<Item> =
  | { by: "key"; of: (row: Item) => Cell; grain: DateGrain | null }
  | { by: "aggregate"; of: ((row: Item) => Cell) | null; fn: Aggregate };

/** Rows with equal keys, letter by letter, blank with blank alone. Without keys there is one group, even of no rows. */
export function foldRows<Item>(
  rows: readonly Item[],
  columns: readonly FoldColumn<Item>[],
  at: { timeZone: string; textOrder: TextOrder },
): Cell[][] {
  const groups = new Map<string, { keys: Cell[]; rows: Item[] }>();
  if (columns.every(({ by }) => by === "aggregate")) groups.set("[]", { keys: [], rows: [] });
  for (const row of rows) {
    const keys = columns.flatMap((column) =>
      column.by === "key" ? [cut(column.of(row), column.grain, at.timeZone)] : [],
    );
    const name = JSON.stringify(keys.map(keyOf));
    const group = groups.get(name) ?? { keys, rows: [] };
    group.rows.push(row);
    groups.set(name, group);
  }
  return [...groups.values()].map((group) => {
    const keys = [...group.keys];
    return columns.map((column) => {
      if (column.by === "key") return keys.shift() ?? null;
      const { of, fn } = column;
      return of === null ? whole(group.rows.length) : aggregate(fn, group.rows.map(of), at.textOrder);
    });
  });
}

/** The first day of the bucket, in the time zone. */
export function cut(cell: Cell, grain: DateGrain | null, timeZone: string): Cell {
  if (grain === null) return cell;
  if (cell?.kind === "day") return { kind: "day", day: startOf(grain, cell.day) };
  if (cell?.kind === "moment") return { kind: "day", day: startOf(grain, dayIn(timeZone, msOf(cell.micros))) };
  return null;
}

const whole = (count: number): Cell => ({ kind: "number", exact: exactOf(String(count)) });
const double = (number: number): Cell => ({ kind: "double", number });

function aggregate(fn: Aggregate, cells: readonly Cell[], textOrder: TextOrder): Cell {
  const some = cells.filter((cell) => cell !== null);
  const distinct = new Map(some.map((cell) => [keyOf(cell), cell]));
  if (fn === "count") return whole(some.length);
  if (fn === "countDistinct") return whole(distinct.size);
  if (some.length === 0) return null;
  const sorted = some.toSorted((one, other) => compareCells(one, other, textOrder));
  switch (fn) {
    case "min":
      return sorted[0] ?? null;
    case "max":
      return sorted.at(-1) ?? null;
    case "sum": {
      const total = sum(some.map(exact));
      return some[0]?.kind === "double" ? double(numberOf(total)) : { kind: "number", exact: total };
    }
    case "avg":
      return double(quotient(sum(some.map(exact)), exactOf(String(some.length))));
    case "median":
      return double(percentile(sorted, 0.5));
    case "percentile90":
      return double(percentile(sorted, 0.9));
    case "stddev":
      return deviation(some.map(exact));
    case "textList": {
      const texts = [...distinct.values()].flatMap((cell) => (cell?.kind === "text" ? [cell.text] : []));
      return { kind: "text", text: texts.toSorted(textOrder).join(", ") };
    }
  }
}

function exact(cell: Cell): Exact {
  if (cell?.kind === "number") return cell.exact;
  if (cell?.kind === "double") return exactOf(String(cell.number));
  throw new Error("only numbers add up");
}

const sum = (numbers: readonly Exact[]): Exact => numbers.reduce(add, exactOf("0"));

/** Between the two values around the place, in proportion. */
function percentile(sorted: readonly Cell[], part: number): number {
  const numbers = sorted.map((cell) => Number(textOfExact(exact(cell))));
  const place = part * (numbers.length - 1);
  const [low = 0, high = 0] = [numbers[Math.floor(place)], numbers[Math.ceil(place)]];
  return low + (high - low) * (place - Math.floor(place));
}

/** Of a sample: (n Σx² − (Σx)²) ÷ n(n − 1), and its root. One value has none. */
function deviation(numbers: readonly Exact[]): Cell {
  if (numbers.length < 2) return null;
  const count = exactOf(String(numbers.length));
  const squares = multiply(count, sum(numbers.map((number) => multiply(number, number))));
  const spread = add(squares, negate(multiply(sum(numbers), sum(numbers))));
  return double(Math.sqrt(quotient(spread, exactOf(String(numbers.length * (numbers.length - 1))))));
}
