/** A formula as a function over records. Means the same as its SQL form; a property test holds them together. */
import type { Value } from "@accord/contracts/data/values";
import { addDecimals, divideDecimals, multiplyDecimals, remainderOfDecimals } from "../values/arithmetic.ts";
import { decimalOfNumber, readDecimal } from "../values/decimal.ts";
import { startOfDay } from "../values/time.ts";
import type { CheckedFormula, Typed } from "./check.ts";
import { compareOperands, convertOperand, operandOf, sameOperand, valueOfOperand } from "./operands.ts";
import { cutText } from "./text-length.ts";
import { counted, type FormulaEnv, type FormulaType, type Operand } from "./types.ts";

export interface FormulaReader<Row> {
  field: (name: string) => (row: Row) => Value | undefined;
  token?: (token: string) => (row: Row) => Value | undefined;
}

/** Computes one row's value. Formulas with aggregates have no value for a row alone and are refused. */
export function compileFormula<Row>(
  { typed, isAggregate }: CheckedFormula,
  access: FormulaReader<Row>,
): (row: Row, env: FormulaEnv) => Value {
  if (isAggregate) throw new Error("a formula with aggregates is computed over groups of rows");
  const run = compile(typed, access);
  return (row, env) => valueOfOperand(run(row, env), typed.type);
}

type Run<Row> = (row: Row, env: FormulaEnv) => Operand;

function compile<Row>(typed: Typed, access: FormulaReader<Row>): Run<Row> {
  const inner = (part: Typed) => compile(part, access);
  switch (typed.kind) {
    case "literal": {
      const value = typeof typed.value === "string" && typed.type !== "text" ? readDecimal(typed.value) : typed.value;
      return () => value;
    }
    case "field": {
      const read = access.field(typed.name);
      return (row, env) => cutOperand(operandOf(read(row), typed.type), typed.type, env);
    }
    case "token": {
      const read = access.token?.(typed.name);
      return (row, env) => cutOperand(operandOf(read?.(row), typed.type), typed.type, env);
    }
    case "convert": {
      const value = inner(typed.value);
      return (row, env) =>
        convertOperand(value(row, env), typed.value.type, typed.type, (day) => startOfDay(day, env.timeZone));
    }
    case "negate": {
      const value = inner(typed.value);
      return (row, env) => negate(value(row, env));
    }
    case "not": {
      const value = inner(typed.value);
      return (row, env) => {
        const held = value(row, env);
        return held === null ? null : !held;
      };
    }
    case "arithmetic":
      return arithmetic(typed, inner(typed.left), inner(typed.right));
    case "compare":
      return compare(typed, inner(typed.left), inner(typed.right));
    case "and":
    case "or":
      return logic(typed.kind === "or", inner(typed.left), inner(typed.right));
    case "in":
      return membership(typed, inner(typed.value), typed.items.map(inner));
    case "case": {
      const branches = typed.branches.map(({ when, value }) => ({ when: inner(when), value: inner(value) }));
      const otherwise = typed.otherwise ? inner(typed.otherwise) : () => null;
      return (row, env) => (branches.find(({ when }) => when(row, env) === true)?.value ?? otherwise)(row, env);
    }
    case "call":
      return call(typed, typed.args.map(inner));
  }
}

const cutOperand = (value: Operand, type: FormulaType, env: FormulaEnv): Operand =>
  type === "text" && typeof value === "string" ? cutText(value, env) : value;

const negate = (value: Operand): Operand =>
  typeof value === "number" ? 0 - value : value === null ? null : multiplyDecimals(String(value), "-1");

function arithmetic<Row>(typed: Extract<Typed, { kind: "arithmetic" }>, left: Run<Row>, right: Run<Row>): Run<Row> {
  const isDouble = typed.left.type === "double";
  return (row, env) => {
    const [a, b] = [left(row, env), right(row, env)];
    if (a === null || b === null) return null;
    const result = isDouble
      ? onDoubles(typed.operator, a as number, b as number)
      : onDecimals(typed.operator, String(a), String(b));
    if (result === null) env.onZeroDivision?.();
    return result;
  };
}

type Arithmetic = Extract<Typed, { kind: "arithmetic" }>["operator"];

function onDecimals(operator: Arithmetic, left: string, right: string): string | null {
  switch (operator) {
    case "+":
      return addDecimals(left, right);
    case "-":
      return addDecimals(left, multiplyDecimals(right, "-1"));
    case "*":
      return multiplyDecimals(left, right);
    case "/":
      return divideDecimals(left, right);
    case "%":
      return remainderOfDecimals(left, right);
  }
}

function onDoubles(operator: Arithmetic, left: number, right: number): number | null {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return right === 0 ? null : left / right;
    case "%":
      // As decimals, like in SQL: the remainder of binary fractions surprises people.
      return onDecimalsOfDoubles(left, right);
  }
}

function onDecimalsOfDoubles(left: number, right: number): number | null {
  const remainder = remainderOfDecimals(decimalOfNumber(left) ?? "0", decimalOfNumber(right) ?? "0");
  return remainder === null ? null : Number(remainder);
}

function compare<Row>(typed: Extract<Typed, { kind: "compare" }>, left: Run<Row>, right: Run<Row>): Run<Row> {
  const { operator } = typed;
  const type = typed.left.type;
  return (row, env) => {
    const [a, b] = [left(row, env), right(row, env)];
    if (a === null || b === null) return null;
    const found = compareOperands(a, b, type);
    switch (operator) {
      case "=":
        return found === 0;
      case "!=":
        return found !== 0;
      case "<":
        return found < 0;
      case "<=":
        return found <= 0;
      case ">":
        return found > 0;
      case ">=":
        return found >= 0;
    }
  };
}

/** Three-valued: an unknown side decides nothing unless the other side already does. */
function logic<Row>(decisive: boolean, left: Run<Row>, right: Run<Row>): Run<Row> {
  return (row, env) => {
    const a = left(row, env);
    if (a === decisive) return decisive;
    const b = right(row, env);
    if (b === decisive) return decisive;
    return a === null || b === null ? null : !decisive;
  };
}

function membership<Row>(typed: Extract<Typed, { kind: "in" }>, value: Run<Row>, items: readonly Run<Row>[]): Run<Row> {
  const type = typed.value.type;
  return (row, env) => {
    const held = value(row, env);
    if (held === null) return null;
    let unknown = false;
    for (const item of items) {
      const one = item(row, env);
      if (one === null) unknown = true;
      else if (sameOperand(held, one, type)) return true;
    }
    return unknown ? null : false;
  };
}

function call<Row>(typed: Extract<Typed, { kind: "call" }>, args: readonly Run<Row>[]): Run<Row> {
  const { definition, fixed } = typed;
  const { memory } = definition;
  if (!memory) throw new Error(`${definition.name} has no value for a row alone`);
  const types = counted(typed.args.map((arg) => arg.type));
  return (row, env) => {
    const values = args.map((arg, index) => (fixed[index] ? fixed[index] : arg(row, env)));
    if (!definition.takesNull && values.includes(null)) return null;
    return memory(counted(values), env, types);
  };
}
