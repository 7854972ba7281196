/** Filters of a dataset as filters of the records it starts from: fields by their own names, variables by their values. */
import { OPERATORS, isBlank } from "@accord/expressions";
import type { Condition, Operand, Predicate } from "@accord/contracts/data/predicate";
import { NoRecordsError, type OriginCondition } from "./origins.ts";

/** True is a group without conditions. */
const TRUE: Predicate = { type: "group", combinator: "and", children: [] };
const isTrue = (predicate: Predicate): boolean => predicate.type === "group" && predicate.children.length === 0;

/** Throws `NoRecordsError` for what is no field of the records. */
export const conditionFilter = ({ predicate, ...scope }: OriginCondition): Predicate =>
  translate(predicate, scope) ?? TRUE;

type Scope = Omit<OriginCondition, "predicate">;

/** Null where variables without a value leave nothing of it. */
function translate(predicate: Predicate, scope: Scope): Predicate | null {
  if (predicate.type === "condition") return translateCondition(predicate, scope);
  if (predicate.children.length === 0) return TRUE;
  const children = predicate.children.flatMap((child) => translate(child, scope) ?? []);
  if (children.length === 0) return null;
  const rest = children.filter((child) => !isTrue(child));
  // One that always holds decides an OR, and says nothing in an AND.
  if (rest.length === 0 || (predicate.combinator === "or" && rest.length < children.length)) return TRUE;
  const [only] = rest;
  return only && rest.length === 1 ? only : { ...predicate, children: rest };
}

function translateCondition(condition: Condition, scope: Scope): Predicate | null {
  // A variable without a value leaves its condition out.
  const isLeftOut = condition.right.some(
    (operand) => operand.kind === "variable" && isBlank(scope.variables.get(operand.apiName)),
  );
  if (isLeftOut) return null;
  const takesList = OPERATORS[condition.operator].right === "list";
  return {
    ...condition,
    left: translateOperand(condition.left, scope),
    right: condition.right.flatMap((operand) => {
      const translated = translateOperand(operand, scope);
      if (!takesList || translated.kind !== "literal" || !Array.isArray(translated.value)) return translated;
      return translated.value.map((value): Operand => ({ kind: "literal", value }));
    }),
  };
}

function translateOperand(operand: Operand, { origins, variables }: Scope): Operand {
  if (operand.kind === "variable") return { kind: "literal", value: variables.get(operand.apiName) ?? null };
  if (operand.kind !== "field") return operand;
  const origin = origins.get(operand.field);
  if (origin?.kind === "field") return { kind: "field", field: origin.name };
  throw new NoRecordsError(origin?.kind === "joined" ? "joined_filter" : "computed_filter", operand.field);
}
