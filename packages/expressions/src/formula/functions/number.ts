/** Number functions. */
import { bounded } from "./bounded.ts";
import { sql } from "../../sql/fragment.ts";
import { divideDecimals, remainderOfDecimals, roundDecimal, type RoundingMode } from "../../values/arithmetic.ts";
import { compareDecimals, decimalOfNumber } from "../../values/decimal.ts";
import type { Args, FormulaFunction, FormulaType, Operand } from "../types.ts";
import { joinSql } from "../../sql/fragment.ts";

const same = ([type]: Args<FormulaType>): FormulaType => type;
const compare = (left: Operand, right: Operand): number =>
  typeof left === "number" ? left - (right as number) : compareDecimals(String(left), String(right));

function rounding(name: string, help: string, mode: RoundingMode, native: (value: number) => number): FormulaFunction {
  const call = { ceil: "ceil", floor: "floor" }[name];
  return {
    name,
    category: "number",
    signature: `${name}(number)`,
    help,
    parameters: ["number"],
    returns: same,
    memory: ([value]) => (typeof value === "number" ? native(value) + 0 : roundDecimal(String(value), 0, mode)),
    sql: ([value]) => (call === "ceil" ? sql`ceil(${value})` : sql`floor(${value})`),
  };
}

function extreme(name: "greatest" | "least"): FormulaFunction {
  const wins = (left: Operand, right: Operand) =>
    name === "greatest" ? compare(left, right) >= 0 : compare(left, right) <= 0;
  return {
    name,
    category: "number",
    signature: `${name}(number, number, …)`,
    help: `The ${name === "greatest" ? "largest" : "smallest"} of several numbers; blanks are left out.`,
    parameters: ["any", "any"],
    repeats: true,
    unify: true,
    returns: same,
    takesNull: true,
    memory: (args) =>
      args
        .filter((one) => one !== null)
        .reduce((best, one) => (wins(best, one) ? best : one), args.find((one) => one !== null) ?? null),
    sql: (args) => (name === "greatest" ? sql`greatest(${joinSql(args, ", ")})` : sql`least(${joinSql(args, ", ")})`),
  };
}

/** Functions of analysis work on doubles; outside their domain they give null. */
function analytic(
  name: string,
  help: string,
  memory: (value: number) => number,
  domain: "positive" | "notNegative",
): FormulaFunction {
  return {
    name,
    category: "number",
    signature: `${name}(number)`,
    help,
    parameters: ["double"],
    returns: "double",
    memory: ([value]) =>
      (value as number) < 0 || (domain === "positive" && value === 0) ? null : memory(value as number),
    sql: ([value]) => {
      const call = name === "sqrt" ? sql`sqrt(${value})` : name === "ln" ? sql`ln(${value})` : sql`log(${value})`;
      return domain === "positive"
        ? sql`CASE WHEN ${value} > 0 THEN ${call} END`
        : sql`CASE WHEN ${value} >= 0 THEN ${call} END`;
    },
  };
}

export const NUMBER_FUNCTIONS: readonly FormulaFunction[] = [
  {
    name: "abs",
    category: "number",
    signature: "abs(number)",
    help: "The number without its sign.",
    parameters: ["number"],
    returns: same,
    memory: ([value]) => (typeof value === "number" ? Math.abs(value) : String(value).replace("-", "")),
    sql: ([value]) => sql`abs(${value})`,
  },
  rounding("ceil", "The next whole number above.", "ceiling", Math.ceil),
  rounding("floor", "The next whole number below.", "floor", Math.floor),
  {
    name: "round",
    category: "number",
    signature: "round(number, digits)",
    help: "Rounds half away from zero; digits after the point, 0 when left out.",
    parameters: ["number", "integer"],
    optional: 1,
    returns: ([type]) => (type === "integer" ? "integer" : "decimal"),
    memory: (args) => roundDecimal(plain(args[0]), clamp(Number(args.at(1) ?? "0")), "halfUp"),
    sql: ([value, digits]) => sql`round(${value}::numeric, ${digits ? sql`${bounded(digits, -12, 12)}::integer` : 0})`,
  },
  {
    name: "mod",
    category: "number",
    signature: "mod(number, divisor)",
    help: "The remainder of a division, with the sign of the number divided; null where the divisor is 0.",
    parameters: ["any", "any"],
    unify: true,
    returns: ([type]) => (type === "double" ? "double" : "decimal"),
    memory: ([value, by], _env, [type]) => {
      const rest = remainderOfDecimals(plain(value), plain(by));
      return rest !== null && type === "double" ? Number(rest) : rest;
    },
    sql: ([value, by], _env, [type]) => {
      const rest = sql`mod(${value}::numeric, NULLIF(${by}::numeric, 0))`;
      return type === "double" ? sql`${rest}::double precision` : rest;
    },
  },
  {
    name: "sign",
    category: "number",
    signature: "sign(number)",
    help: "1, 0 or -1.",
    parameters: ["number"],
    returns: "integer",
    memory: ([value]) => String(Math.sign(Number(value)) + 0),
    sql: ([value]) => sql`sign(${value})`,
  },
  {
    name: "power",
    category: "number",
    signature: "power(number, exponent)",
    help: "The number raised to a power; null where that has no value.",
    parameters: ["double", "double"],
    returns: "double",
    memory: ([value, exponent]) => {
      const [base, by] = [value as number, exponent as number];
      if ((base < 0 && !Number.isInteger(by)) || (base === 0 && by < 0)) return null;
      return base ** by;
    },
    sql: ([base, by]) =>
      sql`CASE WHEN (${base} >= 0 OR ${by} = trunc(${by})) AND (${base} <> 0 OR ${by} >= 0) THEN power(${base}, ${by}) END`,
  },
  analytic("sqrt", "The square root.", Math.sqrt, "notNegative"),
  analytic("ln", "The natural logarithm.", Math.log, "positive"),
  analytic("log10", "The logarithm to base 10.", Math.log10, "positive"),
  extreme("greatest"),
  extreme("least"),
  {
    name: "safe_divide",
    category: "number",
    signature: "safe_divide(number, divisor, otherwise)",
    help: "A quotient; where the divisor is 0, the third value or null.",
    parameters: ["any", "any", "any"],
    optional: 1,
    unify: true,
    returns: (args) => (args[0] === "double" ? "double" : "decimal"),
    takesNull: true,
    memory: (args, _env, [type]) => {
      const [value, by] = args;
      if (value === null || by === null) return null;
      if (Number(by) === 0) return args.at(2) ?? null;
      return type === "double" ? (value as number) / (by as number) : divideDecimals(String(value), String(by));
    },
    sql: ([value, by, otherwise]) =>
      otherwise
        ? sql`CASE WHEN ${by} = 0 AND ${value} IS NOT NULL THEN ${otherwise} ELSE ${value} / NULLIF(${by}, 0) END`
        : sql`${value} / NULLIF(${by}, 0)`,
  },
];

const plain = (value: Operand): string => (typeof value === "number" ? (decimalOfNumber(value) ?? "0") : String(value));
const clamp = (digits: number): number => Math.min(12, Math.max(-12, digits));
