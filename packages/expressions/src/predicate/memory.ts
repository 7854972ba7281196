/** A predicate as a function over records in memory. Means the same as its SQL form; a property test holds them together. */
import type { Predicate } from "@accord/contracts/data/predicate";
import type { Value, Values } from "@accord/contracts/data/values";
import { foldText, isBlank, sameValue, textOf } from "../values/compare.ts";
import { kindOfValues } from "./datum.ts";
import {
  datasetOf,
  type Plan,
  type PlanCondition,
  type PlanOperand,
  planPredicate,
  type PredicateScope,
  withoutBlankVariables,
} from "./plan.ts";
import { valueTest } from "./value-test.ts";

/** How to read from one row of the caller's own shape. */
export interface RowAccess<Row> {
  field: (name: string) => (row: Row) => Value | undefined;
  /** Needed when the scope allows tokens. */
  token?: (token: string) => (row: Row) => Value | undefined;
  variable?: (apiName: string) => Value | undefined;
  /** Whether a text, in small letters, is in a column of reference data. Needed when the scope has reference data. */
  referenceData?: (dataset: string, column: string) => (text: string) => boolean;
  /** The record as it was before; null for a new one. Needed for operators about what changed. */
  before?: (row: Row) => Values | null;
  change?: (row: Row) => "insert" | "update" | "delete";
}

export type Test<Row> = (row: Row) => boolean;

export interface CompiledPredicate<Row> {
  /** Fixes the present moment (UTC milliseconds) for a page of rows. */
  at(now: number): Test<Row>;
  /** One answer per row, in order. */
  run(rows: readonly Row[], now: number): boolean[];
}

/** Reads fields of plain value objects. */
export const valuesAccess: RowAccess<Values> = { field: (name) => (row) => row[name] };

/** Compiles once; throws `PredicateError` for a predicate that `checkPredicate` finds fault with. */
export function compilePredicate<Row>(
  predicate: Predicate,
  scope: PredicateScope,
  access: RowAccess<Row>,
): CompiledPredicate<Row> {
  const plan = withoutBlankVariables(planPredicate(predicate, scope), access.variable);
  const build: Build<Row> = plan ? compileNode(plan, scope.timeZone, access) : () => () => true;
  return {
    at: build,
    run: (rows, now) => rows.map(build(now)),
  };
}

type Build<Row> = (now: number) => Test<Row>;

function compileNode<Row>(plan: Plan, timeZone: string, access: RowAccess<Row>): Build<Row> {
  if (plan.type === "condition") return compileCondition(plan, timeZone, access);
  const children = plan.children.map((child) => compileNode(child, timeZone, access));
  return (now) => {
    const tests = children.map((child) => child(now));
    if (tests.length === 0) return () => true;
    return plan.combinator === "and"
      ? (row) => tests.every((test) => test(row))
      : (row) => tests.some((test) => test(row));
  };
}

function compileCondition<Row>(plan: PlanCondition, timeZone: string, access: RowAccess<Row>): Build<Row> {
  const positive = compilePositive(plan, timeZone, access);
  if (!plan.negated) return positive;
  return (now) => {
    const test = positive(now);
    return (row) => !test(row);
  };
}

function compilePositive<Row>(plan: PlanCondition, timeZone: string, access: RowAccess<Row>): Build<Row> {
  const { operator, kind } = plan;
  const left = reader(plan.left, access);
  if (operator === "changedFrom" || operator === "changedTo") return changedValueTest(plan, timeZone, access);
  const change = changeTest(plan, left, access);
  if (change) return () => change;
  if (operator === "inReferenceData") return referenceTest(plan, left, access);
  const rights = plan.right.map((operand) => reader(operand, access));
  const isFixed = plan.right.every((operand) => operand.type === "value" || operand.type === "variable");
  if (isFixed) {
    const values = flatten(rights.map((read) => read(undefined as Row)));
    if (kind !== null)
      return (now) => {
        const test = valueTest(operator, kind, values, timeZone, now);
        return (row) => test(left(row));
      };
  }
  return (now) => (row) => {
    const value = left(row);
    const values = flatten(rights.map((read) => read(row)));
    return valueTest(operator, kind ?? kindOfValues(operator, value, values), values, timeZone, now)(value);
  };
}

function reader<Row>(operand: PlanOperand, access: RowAccess<Row>): (row: Row) => Value | undefined {
  switch (operand.type) {
    case "field":
      return access.field(operand.name);
    case "value":
      return () => operand.value;
    case "token":
      return access.token!(operand.token);
    case "variable": {
      const value = access.variable?.(operand.apiName);
      return () => value;
    }
  }
}

const flatten = (values: readonly (Value | undefined)[]): Value[] =>
  values.flatMap((value) => (Array.isArray(value) ? value : [value ?? null]));

function changeTest<Row>(
  plan: PlanCondition,
  left: (row: Row) => Value | undefined,
  access: RowAccess<Row>,
): Test<Row> | null {
  const change = access.change;
  switch (plan.operator) {
    case "hasChanged": {
      const before = access.before;
      const name = plan.left.type === "field" ? plan.left.name : null;
      if (!before || name === null) return () => false;
      return (row) => !sameValue(left(row), before(row)?.[name]);
    }
    case "isInsert":
      return (row) => change?.(row) === "insert";
    case "isUpdate":
      return (row) => change?.(row) === "update";
    case "isDeleted":
      return (row) => change?.(row) === "delete";
    default:
      return null;
  }
}

/** The field has changed, and was (is) the value on the right. */
function changedValueTest<Row>(plan: PlanCondition, timeZone: string, access: RowAccess<Row>): Build<Row> {
  const { left, operator } = plan;
  const before = access.before;
  if (left.type !== "field" || !before) return () => () => false;
  const now = access.field(left.name);
  const old = (row: Row) => before(row)?.[left.name];
  const equals = { ...plan, operator: "equals" as const };
  const looked =
    operator === "changedTo"
      ? access
      : { ...access, field: (name: string) => (name === left.name ? old : access.field(name)) };
  const compare = compilePositive(equals, timeZone, looked);
  return (moment) => {
    const holds = compare(moment);
    return (row) => !sameValue(now(row), old(row)) && holds(row);
  };
}

function referenceTest<Row>(
  plan: PlanCondition,
  left: (row: Row) => Value | undefined,
  access: RowAccess<Row>,
): Build<Row> {
  const holds = access.referenceData?.(...datasetOf(plan.right)) ?? (() => false);
  return () => (row) => {
    const value = left(row);
    return !isBlank(value) && holds(foldText(textOf(value)));
  };
}
