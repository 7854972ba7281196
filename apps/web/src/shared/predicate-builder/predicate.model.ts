/** Editing a predicate tree: every change makes a new tree. Positions are lists of child indexes from the root. Pure. */
import type {
  Condition,
  Operand,
  Predicate,
  PredicateGroup,
  PredicateOperator,
} from "@accord/contracts/data/predicate";
import type { DataType, Value } from "@accord/contracts/data/values";
import { kindOf, OPERATORS, operatorsFor, operandCount, type FieldShape, type OperandKind } from "@accord/expressions";

/** A field that may be compared. */
export interface BuilderField extends FieldShape {
  apiName: string;
  displayName: string;
  dataType: DataType;
  /** Heading in the list of fields, where there is more than one source. */
  group?: string;
}

export interface BuilderToken {
  token: string;
  label: string;
  group: string;
  datatype: string;
}

/** What the left side of conditions may name. */
export interface BuilderScope {
  fields: readonly BuilderField[];
  tokens?: readonly BuilderToken[];
  variables?: readonly { apiName: string; displayName: string; dataType: DataType }[];
  /** Adds what changed: inside pipelines. */
  pipeline?: boolean;
  /** The left side of a condition is given and can't be changed. */
  isLeftFixed?: boolean;
  /** Type as which left sides are compared, whatever their own is. */
  comparedAs?: DataType | undefined;
}

export type Path = readonly number[];

export const EMPTY_GROUP: PredicateGroup = { type: "group", combinator: "and", children: [] };

/** Any predicate as a group, which is what the builder edits. */
export const asGroup = (predicate: Predicate | null | undefined): PredicateGroup =>
  predicate === null || predicate === undefined
    ? EMPTY_GROUP
    : predicate.type === "group"
      ? predicate
      : { type: "group", combinator: "and", children: [predicate] };

const isDataType = (datatype: string): datatype is DataType =>
  datatype !== "list" && datatype !== "any" && datatype !== "";

/** What stands on the left, as a field: so that operators and inputs fit its type. Unknown ones compare as text. */
export function shapeOf(operand: Operand, scope: BuilderScope): BuilderField | undefined {
  switch (operand.kind) {
    case "field":
      return scope.fields.find((field) => field.apiName === operand.field);
    case "token": {
      const found = scope.tokens?.find((token) => token.token === operand.token);
      return (
        found && {
          apiName: found.token,
          displayName: found.label,
          dataType: isDataType(found.datatype) ? (found.datatype as DataType) : "string",
          isMultiValueField: found.datatype === "list",
        }
      );
    }
    case "variable":
      return scope.variables?.find((variable) => variable.apiName === operand.apiName);
    case "literal":
      return undefined;
  }
}

const TEXT_FIELD: BuilderField = { apiName: "", displayName: "", dataType: "string" };

/** Operators for the left side, in menu order; the present one is kept even where it doesn't fit any more. */
export function offeredOperators(condition: Condition, scope: BuilderScope): PredicateOperator[] {
  const left = shapeOf(condition.left, scope) ?? TEXT_FIELD;
  const shape = scope.comparedAs === undefined ? left : { ...TEXT_FIELD, dataType: scope.comparedAs };
  const offered = operatorsFor(shape, { pipeline: scope.pipeline === true });
  return offered.includes(condition.operator) ? offered : [...offered, condition.operator];
}

export const rightSideOf = (operator: PredicateOperator): OperandKind => OPERATORS[operator].right;

/** The first condition of a new row: the first field, equals, nothing yet. */
export function newCondition(scope: BuilderScope): Condition {
  const first = scope.fields[0];
  const left: Operand = first ? { kind: "field", field: first.apiName } : { kind: "token", token: "value" };
  const operator = first ? (operatorsFor(first)[0] ?? "equals") : "equals";
  return { type: "condition", left, operator, right: [] };
}

/** Another left side: the operator stays where it fits, values only where the kind is the same. */
export function withLeft(condition: Condition, left: Operand, scope: BuilderScope): Condition {
  const [before, after] = [shapeOf(condition.left, scope) ?? TEXT_FIELD, shapeOf(left, scope) ?? TEXT_FIELD];
  const offered = operatorsFor(after, { pipeline: scope.pipeline === true });
  const operator = offered.includes(condition.operator) ? condition.operator : (offered[0] ?? "equals");
  const sameKind = kindOf(before) === kindOf(after) && before.picklist === undefined && after.picklist === undefined;
  return { ...condition, left, operator, right: sameKind ? fitted(condition.right, operator) : [] };
}

/** Another operator: values stay as far as it takes them and they mean the same. */
export function withOperator(condition: Condition, operator: PredicateOperator): Condition {
  const [before, after] = [rightSideOf(condition.operator), rightSideOf(operator)];
  const alike =
    before === after || [before, after].every((side) => side === "value" || side === "two" || side === "list");
  return { ...condition, operator, right: alike ? fitted(condition.right, operator) : [] };
}

const fitted = (right: readonly Operand[], operator: PredicateOperator): Operand[] =>
  right.slice(0, operandCount(operator)[1]);

export const withRight = (condition: Condition, index: number, operand: Operand): Condition => {
  const right = [...condition.right];
  while (right.length < index) right.push({ kind: "literal", value: null });
  right[index] = operand;
  return { ...condition, right };
};

/** The group or condition at a position. */
export function at(root: PredicateGroup, path: Path): Predicate | undefined {
  let here: Predicate | undefined = root;
  for (const index of path) here = here?.type === "group" ? here.children[index] : undefined;
  return here;
}

/** The tree with what stands at `path` replaced, or removed when `change` gives undefined. */
export function changed(
  root: PredicateGroup,
  path: Path,
  change: (present: Predicate) => Predicate | undefined,
): PredicateGroup {
  const [index, ...rest] = path;
  if (index === undefined) return asGroup(change(root) ?? EMPTY_GROUP);
  const child = root.children[index];
  if (child === undefined) return root;
  const next = rest.length === 0 ? change(child) : child.type === "group" ? changed(child, rest, change) : child;
  const children = [...root.children];
  if (next === undefined) children.splice(index, 1);
  else children[index] = next;
  return { ...root, children };
}

/** Adds at the end of the group at `path`. */
export const added = (root: PredicateGroup, path: Path, child: Predicate): PredicateGroup =>
  changed(root, path, (group) => (group.type === "group" ? { ...group, children: [...group.children, child] } : group));

/** Where the focus goes after something was removed: the one before, else the group it was in. */
export const neighbourOf = (path: Path): Path => {
  const last = path.at(-1) ?? 0;
  return last > 0 ? [...path.slice(0, -1), last - 1] : path.slice(0, -1);
};

const isGiven = (operand: Operand | undefined): boolean =>
  operand !== undefined && (operand.kind !== "literal" || (operand.value !== null && operand.value !== ""));

/** Whether a condition says everything it needs. */
export function isComplete(condition: Condition): boolean {
  const [least] = operandCount(condition.operator);
  return condition.right.filter(isGiven).length >= least;
}

/** The tree without conditions that are still being written and without empty groups; for filters applied at once. */
export function completeOnly(group: PredicateGroup): PredicateGroup {
  const children = group.children
    .map((child) => (child.type === "group" ? completeOnly(child) : child))
    .filter((child) => (child.type === "group" ? child.children.length > 0 : isComplete(child)));
  return { ...group, children };
}

/** Number of conditions, at any depth. */
export const countConditions = (predicate: Predicate): number =>
  predicate.type === "condition" ? 1 : predicate.children.reduce((sum, child) => sum + countConditions(child), 0);

/** A literal from what was typed: numbers as numbers where none of their digits are lost, else as exact text. */
export function literalFrom(text: string, field: BuilderField | undefined): Value {
  if (text === "") return null;
  const kind = field ? kindOf(field) : "text";
  if (kind !== "integer" && kind !== "double" && kind !== "decimal") return text;
  const number = Number(text);
  return String(number) === text ? number : text;
}

/** Whether what was typed is no value of the field's kind: a word where a number is asked for. */
export function isMisfit(text: string, field: BuilderField | undefined): boolean {
  const kind = field ? kindOf(field) : "text";
  const typed = text.trim();
  if (typed === "") return false;
  if (kind === "integer") return !/^[+-]?\d+$/.test(typed);
  if (kind === "double" || kind === "decimal") return !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(typed);
  return false;
}

export const textOfLiteral = (value: Value | undefined): string =>
  value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
