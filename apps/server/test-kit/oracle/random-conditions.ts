/** Random trees of conditions with every operator of each type that datasets have, and the variables that they ask for. */
import type { Operand, Predicate, PredicateOperator } from "@accord/contracts/data/predicate";
import type { DataType, Value } from "@accord/contracts/data/values";
import type { VariableInput, VariableValues } from "@accord/contracts/insights/variables";
import { OPERATORS, operatorsFor } from "@accord/expressions";
import { pickOf, type Rng } from "../mirror/odd-records.ts";
import type { Column } from "./cells.ts";
import { POOLS } from "./records.ts";

/** Variables of the dataset that is being made, what is chosen for them, and how their names begin. */
export interface CaseState {
  prefix: string;
  variables: VariableInput[];
  values: VariableValues;
  /** Ids that records have, or name. */
  references: readonly string[];
  /** Only what the columnar mirror answers (`can-mirror.ts`). */
  isColumnar: boolean;
}

/** What shapes these two look for is not written down anywhere. */
export const LEFT_OUT: ReadonlySet<PredicateOperator> = new Set(["isUrl", "isPhoneNumber"]);
const NOT_COLUMNAR: ReadonlySet<PredicateOperator> = new Set([
  ...(["matchesRegex", "lengthEquals", "lengthLess", "lengthGreater", "isEmail"] as const),
]);
/** The id of no record. */
const NO_RECORD = "00000000000000000000000a";
const PATTERNS = ["a", "^[a-c]+$", "[0-9]", "^a.b$", "(a|é)b?", "B"] as const;

export function randomPredicate(rng: Rng, columns: readonly Column[], state: CaseState, depth = 2): Predicate {
  if (depth === 0 || rng() < 0.4) return condition(rng, columns, state);
  const children = Array.from({ length: Math.floor(rng() * 4) }, () => randomPredicate(rng, columns, state, depth - 1));
  return { type: "group", combinator: pickOf(rng, ["and", "or"]), children };
}

function condition(rng: Rng, columns: readonly Column[], state: CaseState): Predicate {
  const column = pickOf(rng, columns);
  const shape = { dataType: column.dataType, isMultiValueField: column.isList };
  const operator = pickOf(
    rng,
    operatorsFor(shape).filter((one) => !LEFT_OUT.has(one) && !(state.isColumnar && NOT_COLUMNAR.has(one))),
  );
  const right = operands(rng, { column, operator, columns, state });
  return { type: "condition", left: { kind: "field", field: column.name }, operator, right };
}

interface Wanted {
  column: Column;
  operator: PredicateOperator;
  columns: readonly Column[];
  state: CaseState;
}

const literal = (value: Value): Operand => ({ kind: "literal", value });

function operands(rng: Rng, wanted: Wanted): Operand[] {
  const { column, operator, state } = wanted;
  switch (OPERATORS[operator].right) {
    case "none":
    case "dataset":
      return [];
    case "amount":
      return [literal(pickOf(rng, [0, 1, 3, 7, 40, 400]))];
    case "length":
      return [literal(pickOf(rng, [0, 1, 2, 3]))];
    case "pattern":
      return [literal(pickOf(rng, PATTERNS))];
    case "two":
      return [operand(rng, wanted), operand(rng, wanted)];
    case "list":
      return Array.from({ length: 1 + Math.floor(rng() * 3) }, () => literal(fixedValue(rng, column, state)));
    case "value":
      if (/^(e|notE)quals$/.test(operator) && rng() < 0.15) return [literal(rng() < 0.5 ? "" : null)];
      return [operand(rng, wanted)];
  }
}

/** A value, now and then another field or a variable. */
function operand(rng: Rng, { column, columns, state }: Wanted): Operand {
  const drawn = rng();
  if (drawn < 0.15 && !column.isList && !state.isColumnar) {
    const fitting = columns.filter((one) => !one.isList && groupOf(one.dataType) === groupOf(column.dataType));
    return { kind: "field", field: pickOf(rng, fitting).name };
  }
  const datatype = VARIABLES[column.dataType];
  return drawn < 0.3 && datatype && !column.isList
    ? variable(rng, datatype, column, state)
    : literal(fixedValue(rng, column, state));
}

const VARIABLES: Partial<Record<DataType, NonNullable<VariableInput["datatype"]>>> = {
  string: "string",
  integer: "integer",
  decimal: "integer",
  boolean: "boolean",
  date: "date",
  datetime: "date",
};

/** Set by its default or by a choice, or by nobody. */
function variable(
  rng: Rng,
  datatype: NonNullable<VariableInput["datatype"]>,
  column: Column,
  state: CaseState,
): Operand {
  const apiName = `${state.prefix}${state.variables.length}`;
  const isMulti = datatype === "string" && rng() < 0.5;
  const value: Value =
    datatype === "integer"
      ? Math.floor(rng() * 6)
      : datatype === "date"
        ? pickOf(rng, POOLS.DAYS)
        : fixedValue(rng, column, state);
  const written = isMulti ? `${String(value)}; ${pickOf(rng, ["a", "B", "é"])}` : value;
  const isDefault = rng() < 0.5;
  state.variables.push({
    ...{ apiName, displayName: apiName, datatype, multiValueField: isMulti },
    ...(isDefault ? { variableDefaultValue: { datatype, defaultValue: written } } : {}),
  });
  const drawn = rng();
  if (!isDefault && drawn < 0.7) state.values[apiName] = written;
  if (isDefault && drawn < 0.2) state.values[apiName] = rng() < 0.5 ? "" : null;
  return { kind: "variable", apiName };
}

/** Fields of one group can be compared with each other. */
function groupOf(dataType: DataType): string {
  if (dataType === "integer" || dataType === "decimal" || dataType === "double") return "number";
  return dataType === "date" || dataType === "datetime" ? "time" : dataType;
}

/** Of the column's type, not blank. */
function fixedValue(rng: Rng, { dataType, isList }: Column, { references }: CaseState): Value {
  if (isList) return pickOf(rng, ["a", "A", "b", "É", "x"]);
  switch (dataType) {
    case "integer":
      return pickOf<Value>(rng, [...POOLS.INTEGERS, "2", 5, 2.5]);
    case "decimal":
      return pickOf<Value>(rng, [...POOLS.DECIMALS, "1.50", 100, 0.3]);
    case "double":
      return pickOf<Value>(rng, [...POOLS.DOUBLES, "1.5", 10]);
    case "boolean":
      return rng() < 0.5;
    case "date":
    case "datetime":
      return pickOf<Value>(rng, [...POOLS.DAYS, ...POOLS.MOMENTS].filter(isGiven));
    case "reference":
      return references.length === 0 || rng() < 0.1 ? NO_RECORD : pickOf(rng, references);
    default:
      return pickOf<Value>(
        rng,
        [...POOLS.TEXTS].filter((text) => text !== ""),
      );
  }
}

/** Values that people give have milliseconds at most. */
const isGiven = (text: string): boolean => /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d\.\d{3}Z)?$/.test(text);
