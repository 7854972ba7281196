/** Types of formulas, and the shape of the functions they may call. */
import type { DataType } from "@accord/contracts/data/values";
import type { SqlFragment } from "../sql/fragment.ts";
import type { FieldShape } from "../values/kind.ts";

/** `null` is the type of the literal alone: it fits everywhere. */
export type FormulaType = "integer" | "decimal" | "double" | "text" | "boolean" | "date" | "datetime" | "null";

/**
 * Values while computing. integer, decimal: plain decimal text · double: number · date: day number ·
 * datetime: UTC milliseconds · text, boolean as they are.
 */
export type Operand = string | number | boolean | null;

export function typeOfField(field: FieldShape): FormulaType {
  switch (field.dataType) {
    case "integer":
    case "decimal":
    case "double":
    case "boolean":
    case "date":
      return field.dataType;
    case "datetime":
    case "timestamp":
      return "datetime";
    default:
      return "text";
  }
}

export function dataTypeOf(type: FormulaType): DataType {
  return type === "text" || type === "null" ? "string" : type;
}

export const isNumeric = (type: FormulaType): boolean => type === "integer" || type === "decimal" || type === "double";

/** The type two values share, or null when there is none. */
export function commonType(left: FormulaType, right: FormulaType): FormulaType | null {
  if (left === right || right === "null") return left;
  if (left === "null") return right;
  if (isNumeric(left) && isNumeric(right)) return left === "double" || right === "double" ? "double" : "decimal";
  const isTime = (type: FormulaType) => type === "date" || type === "datetime";
  return isTime(left) && isTime(right) ? "datetime" : null;
}

export interface FormulaEnv {
  /** UTC milliseconds. */
  now: number;
  timeZone: string;
  /** Characters a text has at most while computing: what is longer is cut there, in memory and in SQL alike. */
  maxTextLength: number;
  /** Called in memory when a divisor was zero, whose quotient is null. */
  onZeroDivision?: () => void;
  /** Called in memory when a text was cut. */
  onTextCut?: () => void;
}

/** What an argument must be: one of these, converted where that loses nothing. */
export type Parameter =
  | "number"
  | "text"
  | "boolean"
  | "time"
  | "any"
  | "integer"
  | "unit"
  | "pattern"
  | "zone"
  | "format"
  | "dayForm"
  | "double";

/** As many as the parameters demand: the checker has counted them. Those that were left out are undefined. */
export type Args<Item> = readonly [Item, Item, Item, ...Item[]];

/** Arguments that the checker has counted. */
export const counted = <Item>(args: readonly Item[]): Args<Item> => args as Args<Item>;

export interface FormulaFunction {
  name: string;
  category: "number" | "text" | "date" | "logic" | "cast" | "aggregate" | "window";
  /** As shown to people: `round(number, digits)`. */
  signature: string;
  help: string;
  parameters: readonly Parameter[];
  /** How many of the parameters may be left out at the end. */
  optional?: number;
  /** The last parameter may be repeated. */
  repeats?: true;
  /** All arguments of kind `any` are brought to one type. */
  unify?: true;
  /** Places of arguments that are the same for all rows: they may name no field. */
  constant?: readonly number[];
  /** Needs values with an order: texts and booleans are refused. */
  ordered?: true;
  /** Result by the arguments' types (after unifying). */
  returns: FormulaType | ((args: Args<FormulaType>) => FormulaType);
  /** Null arguments reach the function; otherwise one of them makes the result null. */
  takesNull?: true;
  memory?: (args: Args<Operand>, env: FormulaEnv, types: Args<FormulaType>) => Operand;
  sql: (args: Args<SqlFragment>, env: FormulaEnv, types: Args<FormulaType>, fixed: Args<string>) => SqlFragment;
}
