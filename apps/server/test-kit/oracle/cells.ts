/** Values of the oracle by what they are, read from the values of records and of answers. */
import type { DataType, Value } from "@accord/contracts/data/values";
import { compareExact, type Exact, exactOf, textOfExact } from "./exact.ts";

export type Cell =
  | null
  | { kind: "text"; text: string }
  | { kind: "number"; exact: Exact }
  | { kind: "double"; number: number }
  | { kind: "boolean"; is: boolean }
  | { kind: "day"; day: string }
  /** Microseconds since 1970 in UTC. */
  | { kind: "moment"; micros: bigint }
  | { kind: "list"; items: readonly string[] };

export interface Column {
  name: string;
  dataType: DataType;
  isList: boolean;
}

/** Rows of a source, a dataset or a card, by the names of the columns. */
export interface Table {
  columns: Column[];
  rows: Row[];
}
export type Row = ReadonlyMap<string, Cell>;

/** A value of a record, or of an answer, as its column's type has it. */
export function cellOf(value: Value | undefined, { dataType, isList }: Pick<Column, "dataType" | "isList">): Cell {
  if (value === null || value === undefined) return null;
  if (isList) return { kind: "list", items: Array.isArray(value) ? value.map(String) : [] };
  switch (dataType) {
    case "integer":
    case "decimal":
      return { kind: "number", exact: exactOf(String(value)) };
    case "double":
      return { kind: "double", number: Number(value) };
    case "boolean":
      return { kind: "boolean", is: value === true };
    case "date":
      return { kind: "day", day: String(value) };
    case "datetime":
    case "timestamp":
      return { kind: "moment", micros: microsOf(String(value)) };
    default:
      return { kind: "text", text: String(value) };
  }
}

/** Of an ISO moment in UTC with up to six digits of a second. */
function microsOf(text: string): bigint {
  const fraction = (/\.(\d+)Z$/.exec(text)?.[1] ?? "").padEnd(6, "0");
  return BigInt(Date.parse(text.replace(/\.\d+Z$/, "Z"))) * 1000n + BigInt(fraction);
}

/** The value that records hold. */
export function valueOf(cell: Cell): Value {
  switch (cell?.kind) {
    case undefined:
      return null;
    case "text":
      return cell.text;
    case "number": {
      const text = textOfExact(cell.exact);
      return cell.exact.scale === 0 && Number.isSafeInteger(Number(text)) ? Number(text) : text;
    }
    case "double":
      return cell.number;
    case "boolean":
      return cell.is;
    case "day":
      return cell.day;
    case "moment":
      return momentText(cell.micros);
    case "list":
      return [...cell.items];
  }
}

/** The largest whole number that is not larger. */
export function floorDivide(value: bigint, by: bigint): bigint {
  const cut = value / by;
  return value % by < 0n ? cut - 1n : cut;
}

export const msOf = (micros: bigint): number => Number(floorDivide(micros, 1000n));

function momentText(micros: bigint): string {
  const ms = msOf(micros);
  const rest = Number(micros - BigInt(ms) * 1000n);
  const text = new Date(ms).toISOString();
  return rest === 0 ? text : `${text.slice(0, -1)}${String(rest).padStart(3, "0")}Z`;
}

/** Equal for equal values: what groups, joins and distinct counts go by, letter by letter. */
export function keyOf(cell: Cell): string {
  switch (cell?.kind) {
    case undefined:
      return "blank";
    case "number":
      return `number ${textOfExact(cell.exact)}`;
    case "double":
      return `double ${cell.number + 0}`;
    case "list":
      return `list ${JSON.stringify(cell.items)}`;
    case "text":
      return `text ${cell.text}`;
    case "boolean":
      return `boolean ${cell.is}`;
    case "day":
      return `day ${cell.day}`;
    case "moment":
      return `moment ${cell.micros}`;
  }
}

/** Digits of a mean, median or deviation that do not depend on the order of computing. */
const STABLE_DIGITS = 13;

/** What an answer shows of it: moments in milliseconds, computed numbers with thirteen digits. */
export function shownOf(cell: Cell): string {
  if (cell?.kind === "moment") return `moment ${msOf(cell.micros)}`;
  if (cell?.kind === "double") return `double ${Number(cell.number.toPrecision(STABLE_DIGITS)) + 0}`;
  return keyOf(cell);
}

/** The order of texts is the database's own. */
export type TextOrder = (one: string, other: string) => number;

/** As sorted upwards: blank first, false before true. */
export function compareCells(one: Cell, other: Cell, textOrder: TextOrder): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? -1 : 1;
  if (one.kind === "text" && other.kind === "text") return textOrder(one.text, other.text);
  if (one.kind === "number" && other.kind === "number") return compareExact(one.exact, other.exact);
  if (one.kind === "double" && other.kind === "double") return Math.sign(one.number - other.number);
  if (one.kind === "boolean" && other.kind === "boolean") return Number(one.is) - Number(other.is);
  if (one.kind === "day" && other.kind === "day") return one.day < other.day ? -1 : one.day > other.day ? 1 : 0;
  if (one.kind === "moment" && other.kind === "moment")
    return one.micros < other.micros ? -1 : one.micros > other.micros ? 1 : 0;
  throw new Error(`${one.kind} and ${other.kind} have no common order`);
}
