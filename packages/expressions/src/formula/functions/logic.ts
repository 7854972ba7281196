/** Logic and casts. */
import { joinSql, sql, type SqlFragment } from "../../sql/fragment.ts";
import { decimalOfNumber, readDecimal } from "../../values/decimal.ts";
import { roundDecimal } from "../../values/arithmetic.ts";
import { dayOfMoment, dayText, startOfDay } from "../../values/time.ts";
import { compareOperands, sameOperand } from "../operands.ts";
import type { FormulaFunction, FormulaType, Operand } from "../types.ts";

const second = ([, type = "null"]: readonly FormulaType[]): FormulaType => type;
const first = ([type = "null"]: readonly FormulaType[]): FormulaType => type;

export const LOGIC_FUNCTIONS: readonly FormulaFunction[] = [
  {
    name: "if",
    category: "logic",
    signature: "if(condition, then, otherwise)",
    help: "One value where the condition holds, the other where it doesn't.",
    parameters: ["boolean", "any", "any"],
    unify: true,
    takesNull: true,
    returns: second,
    memory: ([condition, then, otherwise]) => (condition === true ? then : otherwise),
    sql: ([condition, then, otherwise]) => sql`CASE WHEN ${condition} THEN ${then} ELSE ${otherwise} END`,
  },
  {
    name: "coalesce",
    category: "logic",
    signature: "coalesce(value, value, …)",
    help: "The first value that is not null.",
    parameters: ["any"],
    repeats: true,
    unify: true,
    takesNull: true,
    returns: first,
    memory: (args) => args.find((one) => one !== null) ?? null,
    sql: (args) => sql`coalesce(${joinSql(args, ", ")})`,
  },
  {
    name: "nullif",
    category: "logic",
    signature: "nullif(value, other)",
    help: "Null where the two are equal, else the value.",
    parameters: ["any", "any"],
    unify: true,
    takesNull: true,
    returns: first,
    memory: ([value, other], _env, [type]) =>
      value !== null && other !== null && sameOperand(value, other, type) ? null : value,
    sql: ([value, other], _env, [type]) =>
      type === "text"
        ? sql`CASE WHEN lower(${value} COLLATE "und-x-icu") = lower(${other} COLLATE "und-x-icu") THEN NULL ELSE ${value} END`
        : sql`NULLIF(${value}, ${other})`,
  },
  {
    name: "equals",
    category: "logic",
    signature: "equals(value, other)",
    help: "Whether two values are the same; texts without regard to case. Null where one is null.",
    parameters: ["any", "any"],
    unify: true,
    returns: "boolean",
    memory: ([value, other], _env, [type]) => sameOperand(value, other, type),
    sql: ([value, other], _env, [type]) =>
      type === "text"
        ? sql`(lower(${value} COLLATE "und-x-icu") = lower(${other} COLLATE "und-x-icu"))`
        : sql`(${value} = ${other})`,
  },
  {
    name: "between",
    category: "logic",
    signature: "between(value, least, most)",
    help: "Whether a number or date lies between two others, both included.",
    parameters: ["any", "any", "any"],
    unify: true,
    ordered: true,
    returns: "boolean",
    memory: ([value, least, most], _env, [type]) =>
      compareOperands(value, least, type) >= 0 && compareOperands(value, most, type) <= 0,
    sql: ([value, least, most]) =>
      sql`CASE WHEN ${value} IS NOT NULL AND ${least} IS NOT NULL AND ${most} IS NOT NULL THEN ${value} BETWEEN ${least} AND ${most} END`,
  },
  {
    name: "is_null",
    category: "logic",
    signature: "is_null(value)",
    help: "Whether there is no value.",
    parameters: ["any"],
    takesNull: true,
    returns: "boolean",
    memory: ([value]) => value === null,
    sql: ([value]) => sql`(${value} IS NULL)`,
  },
];

const NUMBER_TEXT = /^[ \t\n\r]*[+-]?(\d+(\.\d*)?|\.\d+)[ \t\n\r]*$/;
const NUMBER_PATTERN = "^[ \\t\\n\\r]*[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)[ \\t\\n\\r]*$";

function textOfOperand(value: Operand, type: FormulaType): string {
  switch (type) {
    case "date":
      return dayText(Number(value));
    case "datetime":
      return new Date(Number(value)).toISOString();
    case "double":
      return decimalOfNumber(Number(value)) ?? "";
    default:
      return String(value);
  }
}

function toNumber(value: Operand, type: FormulaType): string | null {
  if (type === "text") return NUMBER_TEXT.test(String(value)) ? readDecimal(String(value).trim()) : null;
  if (type === "boolean") return value ? "1" : "0";
  return type === "double" ? decimalOfNumber(Number(value)) : String(value);
}

export const CAST_FUNCTIONS: readonly FormulaFunction[] = [
  {
    name: "to_text",
    category: "cast",
    signature: "to_text(value)",
    help: "The value as text: numbers plain, dates in ISO form.",
    parameters: ["any"],
    returns: "text",
    memory: ([value], _env, [type]) => textOfOperand(value, type),
    sql: ([value], _env, [type]) => {
      switch (type) {
        case "integer":
        case "decimal":
        case "double":
          return sql`trim_scale(${value}::numeric)::text`;
        case "datetime":
          return sql`to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
        case "date":
          return sql`to_char(${value}, 'YYYY-MM-DD')`;
        default:
          return sql`${value}::text`;
      }
    },
  },
  {
    name: "to_number",
    category: "cast",
    signature: "to_number(value)",
    help: "The value as a number; null for texts that are none.",
    parameters: ["any"],
    returns: "decimal",
    memory: ([value], _env, [type]) => toNumber(value, type),
    sql: ([value], _env, [type]) => numberSql(value, type),
  },
  {
    name: "to_integer",
    category: "cast",
    signature: "to_integer(value)",
    help: "The value as a whole number, fractions cut off; null for texts that are no number.",
    parameters: ["any"],
    returns: "integer",
    memory: ([value], _env, [type]) => {
      const number = toNumber(value, type);
      return number === null ? null : roundDecimal(number, 0, "down");
    },
    sql: ([value], _env, [type]) => sql`trunc(${numberSql(value, type)})`,
  },
  {
    name: "to_boolean",
    category: "cast",
    signature: "to_boolean(value)",
    help: "true, yes and 1 as true; false, no and 0 as false; null for anything else.",
    parameters: ["text"],
    returns: "boolean",
    memory: ([value]) => {
      const word = String(value).toLowerCase();
      if (word === "true" || word === "yes" || word === "1") return true;
      return word === "false" || word === "no" || word === "0" ? false : null;
    },
    sql: ([value]) =>
      sql`CASE lower(${value}) WHEN 'true' THEN TRUE WHEN 'yes' THEN TRUE WHEN '1' THEN TRUE WHEN 'false' THEN FALSE WHEN 'no' THEN FALSE WHEN '0' THEN FALSE END`,
  },
  {
    name: "to_date",
    category: "cast",
    signature: "to_date(datetime)",
    help: "The day of a date-time in the instance's time zone.",
    parameters: ["time"],
    returns: "date",
    memory: ([value], { timeZone }, [type]) => (type === "date" ? value : dayOfMoment(Number(value), timeZone)),
    sql: ([value], { timeZone }, [type]) =>
      type === "date" ? value : sql`(${value} AT TIME ZONE ${timeZone}::text)::date`,
  },
  {
    name: "to_datetime",
    category: "cast",
    signature: "to_datetime(date)",
    help: "The beginning of a day in the instance's time zone.",
    parameters: ["time"],
    returns: "datetime",
    memory: ([value], { timeZone }, [type]) => (type === "date" ? startOfDay(Number(value), timeZone) : value),
    sql: ([value], { timeZone }, [type]) =>
      type === "date" ? sql`(${value}::timestamp AT TIME ZONE ${timeZone}::text)` : value,
  },
];

function numberSql(value: SqlFragment, type: FormulaType): SqlFragment {
  if (type === "text")
    return sql`CASE WHEN ${value} ~ ${NUMBER_PATTERN}::text THEN btrim(${value}, ${" \t\n\r"}::text)::numeric END`;
  return type === "boolean" ? sql`(${value})::integer::numeric` : sql`${value}::numeric`;
}
