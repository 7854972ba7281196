/** Checks a predicate tree against its fields and settles how each condition compares; both back ends start here. */
import type { Condition, Operand, Predicate, PredicateOperator } from "@accord/contracts/data/predicate";
import type { Value } from "@accord/contracts/data/values";
import { compileRegex, RegexError } from "../regex/portable.ts";
import { isBlank } from "../values/compare.ts";
import { type FieldShape, type Kind, kindOf } from "../values/kind.ts";
import { comparableValueOf } from "./datum.ts";
import { OPERATORS, operandCount } from "./operators.ts";

export const PREDICATE_PROBLEM_CODES = [
  "unknown_field",
  "unknown_token",
  "unknown_variable",
  "operator_not_for_type",
  "right_missing",
  "right_not_wanted",
  "types_differ",
  "value_not_of_type",
  "amount_not_whole",
  "regex_invalid",
  "regex_not_fixed",
  "change_not_here",
  "reference_data_unknown",
  "too_many_conditions",
] as const;

/** Each condition on a text makes a copy of it for each record, however long the text is. */
export const MAX_CONDITIONS = 500;
export type PredicateProblemCode = (typeof PREDICATE_PROBLEM_CODES)[number];

/** One fault of one condition. `path` leads to it through `children`: `[1, 0]`. */
export interface PredicateProblem {
  path: number[];
  code: PredicateProblemCode;
  facts: Record<string, string>;
}

/** What a predicate may speak of. Tokens and variables are refused where no resolver is given. */
export interface PredicateScope {
  field: (name: string) => FieldShape | undefined;
  /** Whether a token is known here; absent: tokens are not allowed. */
  hasToken?: (token: string) => boolean;
  hasVariable?: (apiName: string) => boolean;
  /** Whether reference data has a column; absent: none can be looked into. */
  hasReferenceData?: (dataset: string, column: string) => boolean;
  /** Allows the operators about what changed. */
  pipeline?: boolean;
  timeZone: string;
}

export type PlanOperand =
  | { type: "field"; name: string; shape: FieldShape; kind: Kind }
  | { type: "value"; value: Value }
  | { type: "token"; token: string }
  | { type: "variable"; apiName: string };

/** `kind` null: no field says how to compare, the values themselves do. */
export interface PlanCondition {
  type: "condition";
  operator: PredicateOperator;
  negated: boolean;
  kind: Kind | null;
  left: PlanOperand;
  right: PlanOperand[];
}
export interface PlanGroup {
  type: "group";
  combinator: "and" | "or";
  children: Plan[];
}
export type Plan = PlanCondition | PlanGroup;

/** A predicate that was compiled although it has problems; the caller should have validated it before. */
export class PredicateError extends Error {
  override readonly name = "PredicateError";
  readonly problems: readonly PredicateProblem[];
  constructor(problems: readonly PredicateProblem[]) {
    super(problems.map((problem) => `${problem.path.join(".")}: ${problem.code}`).join("; "));
    this.problems = problems;
  }
}

/** Every problem of every condition; empty when the predicate can be compiled. */
export function checkPredicate(predicate: Predicate, scope: PredicateScope): PredicateProblem[] {
  const problems: PredicateProblem[] = [];
  planTree(predicate, scope, problems);
  return problems;
}

/** Throws `PredicateError` when there are problems. */
export function planPredicate(predicate: Predicate, scope: PredicateScope): Plan {
  const problems: PredicateProblem[] = [];
  const plan = planTree(predicate, scope, problems);
  if (problems.length > 0 || !plan) throw new PredicateError(problems);
  return plan;
}

/** A tree of conditions, as it is stored or as it is planned. */
type Tree<Leaf extends { type: "condition" }> =
  | Leaf
  | { type: "group"; combinator: "and" | "or"; children: Tree<Leaf>[] };

/** What is left of a tree without some of its conditions and without the groups that this empties; null: nothing. */
export function withoutConditions<Leaf extends { type: "condition" }>(
  tree: Tree<Leaf>,
  isLeftOut: (condition: Leaf) => boolean,
): Tree<Leaf> | null {
  if (tree.type === "condition") return isLeftOut(tree) ? null : tree;
  if (tree.children.length === 0) return tree;
  const children = tree.children.flatMap((child) => withoutConditions(child, isLeftOut) ?? []);
  return children.length === 0 ? null : { ...tree, children };
}

/** A variable without a value leaves its condition out, as an unused filter on a dashboard does; null: nothing is left. */
export const withoutBlankVariables = (
  plan: Plan,
  variable: ((apiName: string) => Value | undefined) | undefined,
): Plan | null =>
  withoutConditions<PlanCondition>(plan, ({ right }) =>
    right.some((operand) => operand.type === "variable" && isBlank(variable?.(operand.apiName))),
  );

function planTree(predicate: Predicate, scope: PredicateScope, problems: PredicateProblem[]): Plan | undefined {
  if (conditionCount(predicate) <= MAX_CONDITIONS) return planNode(predicate, scope, [], problems);
  problems.push(tooManyConditions());
  return undefined;
}

export const tooManyConditions = (): PredicateProblem => ({
  path: [],
  code: "too_many_conditions",
  facts: { limit: String(MAX_CONDITIONS) },
});

const conditionCount = (node: Predicate): number =>
  node.type === "condition" ? 1 : node.children.reduce((total, child) => total + conditionCount(child), 0);

function planNode(
  node: Predicate,
  scope: PredicateScope,
  path: number[],
  problems: PredicateProblem[],
): Plan | undefined {
  if (node.type === "condition") return planCondition(node, scope, path, problems);
  const children = node.children.flatMap((child, index) => planNode(child, scope, [...path, index], problems) ?? []);
  return { type: "group", combinator: node.combinator, children };
}

function planCondition(
  condition: Condition,
  scope: PredicateScope,
  path: number[],
  problems: PredicateProblem[],
): PlanCondition | undefined {
  const before = problems.length;
  const report = (code: PredicateProblemCode, facts: Record<string, string> = {}) =>
    void problems.push({ path, code, facts: { operator: condition.operator, ...facts } });
  const operator = condition.operator;
  const rule = OPERATORS[operator];
  const left = planOperand(condition.left, scope, report);
  const right = condition.right.map((operand) => planOperand(operand, scope, report));
  if (rule.change && !scope.pipeline) report("change_not_here");
  const [least, most] = operandCount(operator);
  if (right.length < least) report("right_missing");
  if (right.length > most) report("right_not_wanted");
  if (problems.length > before) return undefined;
  const operands = right as PlanOperand[];
  const kind = commonKind(
    left as PlanOperand,
    rule.right === "value" || rule.right === "two" || rule.right === "list" ? operands : [],
  );
  if (kind === "differ") report("types_differ");
  else if (kind !== null && !rule.kinds.includes(kind))
    report("operator_not_for_type", { kind, field: left?.type === "field" ? left.name : "" });
  else checkRight(operator, kind, operands, scope, report);
  if (problems.length > before) return undefined;
  return {
    type: "condition",
    operator: rule.negates ?? operator,
    negated: rule.negates !== undefined,
    kind: kind as Kind | null,
    left: left as PlanOperand,
    right: operands,
  };
}

type Report = (code: PredicateProblemCode, facts?: Record<string, string>) => void;

function planOperand(operand: Operand, scope: PredicateScope, report: Report): PlanOperand | undefined {
  switch (operand.kind) {
    case "literal":
      return { type: "value", value: operand.value };
    case "field": {
      const shape = scope.field(operand.field);
      if (shape) return { type: "field", name: operand.field, shape, kind: kindOf(shape) };
      report("unknown_field", { field: operand.field });
      return undefined;
    }
    case "token":
      if (scope.hasToken?.(operand.token)) return { type: "token", token: operand.token };
      report("unknown_token", { token: operand.token });
      return undefined;
    case "variable":
      if (scope.hasVariable?.(operand.apiName)) return { type: "variable", apiName: operand.apiName };
      report("unknown_variable", { variable: operand.apiName });
      return undefined;
  }
}

const NUMERIC: ReadonlySet<Kind> = new Set(["integer", "decimal", "double"]);
const TEMPORAL: ReadonlySet<Kind> = new Set(["date", "moment"]);

/** How two or more fields compare with each other; a value next to a field is read as that field's kind. */
function commonKind(left: PlanOperand, right: PlanOperand[]): Kind | null | "differ" {
  let kind: Kind | null = null;
  for (const operand of [left, ...right]) {
    if (operand.type !== "field") continue;
    if (kind === null || kind === operand.kind) kind = operand.kind;
    else if (NUMERIC.has(kind) && NUMERIC.has(operand.kind))
      kind = kind === "double" || operand.kind === "double" ? "double" : "decimal";
    else if (TEMPORAL.has(kind) && TEMPORAL.has(operand.kind)) kind = "date";
    else return "differ";
  }
  return kind;
}

/** Blank is a value to compare with. */
const TAKES_BLANK: ReadonlySet<PredicateOperator> = new Set(["equals", "notEquals", "changedFrom", "changedTo"]);

/** Fixed values that can never match are mistakes worth telling; texts that may still be typed are not. */
function checkRight(
  operator: PredicateOperator,
  kind: Kind | null,
  right: PlanOperand[],
  scope: PredicateScope,
  report: Report,
): void {
  const side = OPERATORS[operator].right;
  if (side === "pattern") return checkPattern(right[0]!, report);
  if (side === "dataset") return checkDataset(right, scope, report);
  for (const operand of right) {
    if (operand.type !== "value") continue;
    const values = Array.isArray(operand.value) ? operand.value : [operand.value];
    if (isBlank(operand.value)) {
      if (side !== "list" && !TAKES_BLANK.has(operator)) report("right_missing");
    } else if (side === "amount" || side === "length") {
      if (wholeAmount(operand.value) === null) report("amount_not_whole");
    } else if (
      kind !== null &&
      values.some((value) => !isBlank(value) && comparableValueOf(value, kind, scope.timeZone) === null)
    )
      report("value_not_of_type", { kind, value: String(operand.value).slice(0, 80) });
  }
}

function checkPattern(operand: PlanOperand, report: Report): void {
  if (operand.type !== "value") return report("regex_not_fixed");
  if (typeof operand.value !== "string" || operand.value === "") return report("right_missing");
  try {
    compileRegex(operand.value);
  } catch (problem) {
    report("regex_invalid", { reason: problem instanceof RegexError ? problem.message : "" });
  }
}

function checkDataset(right: PlanOperand[], scope: PredicateScope, report: Report): void {
  const [dataset, column] = datasetOf(right);
  if (dataset === "" || column === "") return report("right_missing");
  if (scope.hasReferenceData?.(dataset, column) !== true) report("reference_data_unknown", { dataset, column });
}

/** Reference data and its column; both are written out. */
export const datasetOf = (right: readonly PlanOperand[]): [dataset: string, column: string] => {
  const [dataset = "", column = ""] = right.map((operand) =>
    operand.type === "value" && typeof operand.value === "string" ? operand.value : "",
  );
  return [dataset, column];
};

const MAX_DAYS = 400_000;

/** A whole number from 0 to 400,000, or null. */
export function wholeAmount(value: Value | undefined): number | null {
  const amount =
    typeof value === "number" ? value : typeof value === "string" ? Number(value.trim() || "x") : Number.NaN;
  return Number.isInteger(amount) && amount >= 0 && amount <= MAX_DAYS ? amount : null;
}

/** Names of all fields a predicate reads. */
export function fieldsOf(predicate: Predicate): string[] {
  const names = new Set<string>();
  const visit = (node: Predicate): void => {
    if (node.type === "group") return node.children.forEach(visit);
    for (const operand of [node.left, ...node.right]) if (operand.kind === "field") names.add(operand.field);
  };
  visit(predicate);
  return [...names];
}
