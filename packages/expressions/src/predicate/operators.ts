/** Which operator goes with which kind of value, and what stands on its right: one table for browser, server and engines. */
import { PREDICATE_OPERATORS, type PredicateOperator } from "@accord/contracts/data/predicate";
import { type FieldShape, type Kind, kindOf } from "../values/kind.ts";

/**
 * What an operator wants on its right. `amount`: a whole number of days or months; `pattern`: a fixed text;
 * `dataset`: reference data and one of its columns, by name.
 */
export type OperandKind = "none" | "value" | "two" | "list" | "amount" | "length" | "pattern" | "dataset";

export interface OperatorRule {
  kinds: readonly Kind[];
  right: OperandKind;
  /** The operator it is the exact opposite of: true where that one is false, blanks included. */
  negates?: PredicateOperator;
  /** Compares with what the record was before: only inside a pipeline. */
  change?: true;
  /** Needs reference data at hand. */
  referenceData?: true;
}

const TEXT = ["text"] as const;
const ORDERED = ["integer", "decimal", "double", "date", "moment"] as const;
const TIME = ["date", "moment"] as const;
const COMPARABLE = ["text", "id", "boolean", "list", ...ORDERED] as const;
const LISTABLE = ["text", "id", ...ORDERED] as const;
const ALL = [...COMPARABLE, "object"] as const;

export const OPERATORS: Readonly<Record<PredicateOperator, OperatorRule>> = {
  equals: { kinds: COMPARABLE, right: "value" },
  notEquals: { kinds: COMPARABLE, right: "value", negates: "equals" },
  isBlank: { kinds: ALL, right: "none" },
  isNotBlank: { kinds: ALL, right: "none", negates: "isBlank" },
  inList: { kinds: LISTABLE, right: "list" },
  notInList: { kinds: LISTABLE, right: "list", negates: "inList" },
  contains: { kinds: TEXT, right: "value" },
  notContains: { kinds: TEXT, right: "value", negates: "contains" },
  startsWith: { kinds: TEXT, right: "value" },
  endsWith: { kinds: TEXT, right: "value" },
  matchesRegex: { kinds: TEXT, right: "pattern" },
  lengthEquals: { kinds: TEXT, right: "length" },
  lengthLess: { kinds: TEXT, right: "length" },
  lengthGreater: { kinds: TEXT, right: "length" },
  isEmail: { kinds: TEXT, right: "none" },
  isUrl: { kinds: TEXT, right: "none" },
  isPhoneNumber: { kinds: TEXT, right: "none" },
  less: { kinds: ORDERED, right: "value" },
  lessOrEqual: { kinds: ORDERED, right: "value" },
  greater: { kinds: ORDERED, right: "value" },
  greaterOrEqual: { kinds: ORDERED, right: "value" },
  between: { kinds: ORDERED, right: "two" },
  lastDays: { kinds: TIME, right: "amount" },
  nextDays: { kinds: TIME, right: "amount" },
  lastWeeks: { kinds: TIME, right: "amount" },
  nextWeeks: { kinds: TIME, right: "amount" },
  lastMonths: { kinds: TIME, right: "amount" },
  nextMonths: { kinds: TIME, right: "amount" },
  today: { kinds: TIME, right: "none" },
  thisWeek: { kinds: TIME, right: "none" },
  thisMonth: { kinds: TIME, right: "none" },
  thisQuarter: { kinds: TIME, right: "none" },
  thisYear: { kinds: TIME, right: "none" },
  isTrue: { kinds: ["boolean"], right: "none" },
  isFalse: { kinds: ["boolean"], right: "none" },
  includesAny: { kinds: ["list"], right: "list" },
  includesAll: { kinds: ["list"], right: "list" },
  excludes: { kinds: ["list"], right: "list", negates: "includesAny" },
  inReferenceData: { kinds: TEXT, right: "dataset", referenceData: true },
  notInReferenceData: { kinds: TEXT, right: "dataset", negates: "inReferenceData", referenceData: true },
  hasChanged: { kinds: ALL, right: "none", change: true },
  changedFrom: { kinds: COMPARABLE, right: "value", change: true },
  changedTo: { kinds: COMPARABLE, right: "value", change: true },
  isInsert: { kinds: ALL, right: "none", change: true },
  isUpdate: { kinds: ALL, right: "none", change: true },
  isDeleted: { kinds: ALL, right: "none", change: true },
};

/**
 * Operators to offer for a field, in menu order. `pipeline` adds those about what changed,
 * `referenceData` those that look into it.
 */
export function operatorsFor(
  field: FieldShape,
  options: { pipeline?: boolean; referenceData?: boolean } = {},
): PredicateOperator[] {
  const kind = kindOf(field);
  return PREDICATE_OPERATORS.filter(
    (operator) =>
      OPERATORS[operator].kinds.includes(kind) &&
      (!OPERATORS[operator].change || options.pipeline === true) &&
      (!OPERATORS[operator].referenceData || options.referenceData === true),
  );
}

/** How many values an operator takes on its right: `[least, most]`. */
export function operandCount(operator: PredicateOperator): readonly [number, number] {
  switch (OPERATORS[operator].right) {
    case "none":
      return [0, 0];
    case "two":
    case "dataset":
      return [2, 2];
    case "list":
      return [1, 1000];
    default:
      return [1, 1];
  }
}
