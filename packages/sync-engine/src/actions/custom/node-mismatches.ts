/** Whether what a node gives for the variables of a custom action fits them, before any record is there. */
import type { Value, Values } from "@accord/contracts/data/values";
import type { ActionVariable } from "@accord/contracts/sync/actions";
import { hasTokens, isBlank } from "@accord/expressions";
import { fitVariable } from "./variables.ts";

/**
 * `unknown`: the action has no such variable (any more), so the value goes nowhere · `missing`: a required one without
 * value · `invalid`: a fixed value of another type · `unchecked`: a token, which only a record shows, of a variable
 * whose type has changed.
 */
export interface VariableMismatch {
  name: string;
  kind: "unknown" | "missing" | "invalid" | "unchecked";
  /** Of `invalid`. */
  reason?: string;
}

/** `before`: the variables as they are stored, where the others are a change of them. */
export function variableMismatches(
  variables: readonly ActionVariable[],
  given: Values,
  before: readonly ActionVariable[] = variables,
): VariableMismatch[] {
  const known = new Set(variables.map(({ name }) => name));
  const unknown = Object.entries(given)
    .filter(([name, value]) => !known.has(name) && !isBlank(value))
    .map(([name]): VariableMismatch => ({ name, kind: "unknown" }));
  return [...unknown, ...variables.flatMap((variable) => mismatchOf(variable, given[variable.name], before))];
}

function mismatchOf(
  variable: ActionVariable,
  value: Value | undefined,
  before: readonly ActionVariable[],
): VariableMismatch[] {
  const { name, type, multivalued } = variable;
  if (holdsTokens(value)) {
    const old = before.find((each) => each.name === name);
    const isSame = old === undefined || (old.type === type && old.multivalued === multivalued);
    return isSame || type === "any" ? [] : [{ name, kind: "unchecked" }];
  }
  const fitted = fitVariable(variable, value);
  if (!("reason" in fitted)) return [];
  return [isBlank(value) ? { name, kind: "missing" } : { name, kind: "invalid", reason: fitted.reason }];
}

const holdsTokens = (value: Value | undefined): boolean =>
  Array.isArray(value) ? value.some(holdsTokens) : hasTokens(value);
