/** Filters of a dataset as filters of the records it starts from: fields by their own names, variables by their values. */
import { isBlank, OPERATORS, withoutConditions } from "@accord/expressions";
import type { Condition, Operand, Predicate } from "@accord/contracts/data/predicate";
import { NoRecordsError, type OriginCondition } from "./origins.ts";

/** True is a group without conditions. */
export const TRUE: Predicate = { type: "group", combinator: "and", children: [] };
export const isTrue = (predicate: Predicate): boolean => predicate.type === "group" && predicate.children.length === 0;

/** Throws `NoRecordsError` for what is no field of the records. */
export function conditionFilter({ predicate, ...scope }: OriginCondition): Predicate {
  // A variable without a value leaves its condition out.
  const asked = withoutConditions<Condition>(predicate, ({ right }) =>
    right.some((operand) => operand.kind === "variable" && isBlank(scope.variables.get(operand.apiName))),
  );
  return asked ? translate(asked, scope) : TRUE;
}

type Scope = Omit<OriginCondition, "predicate">;

function translate(predicate: Predicate, scope: Scope): Predicate {
  if (predicate.type === "condition") return translateCondition(predicate, scope);
  const children = predicate.children.map((child) => translate(child, scope));
  const rest = children.filter((child) => !isTrue(child));
  // One that always holds decides an OR, and says nothing in an AND.
  if (predicate.combinator === "or" && rest.length < children.length) return TRUE;
  const [only] = rest;
  return only && rest.length === 1 ? only : { ...predicate, children: rest };
}

function translateCondition(condition: Condition, scope: Scope): Condition {
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
