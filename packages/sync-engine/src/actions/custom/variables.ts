/** Values of a custom action's variables, converted to what each one declares, or why one does not fit. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { fill } from "@accord/contracts/messages/fill";
import { isExactNumber } from "@accord/contracts/data/exact-number";
import type { Value, Values } from "@accord/contracts/data/values";
import type { ActionVariable, ActionVariableType } from "@accord/contracts/sync/actions";
import { convertValue, isBlank, numberText, readJson, splitList, textOf } from "@accord/expressions";

export interface VariableProblem {
  /** Of the variable. */
  name: string;
  reason: string;
}

export interface FittedVariables {
  values: Values;
  problems: VariableProblem[];
}

const MAX_QUOTED = 60;

const NEEDED: Record<ActionVariableType, string> = nodeSettings.variableType;

/** Every declared variable with its value, its default where none is given; what is not declared is left out. */
export function fitVariables(variables: readonly ActionVariable[], given: Values): FittedVariables {
  const values: Values = {};
  const problems: VariableProblem[] = [];
  for (const variable of variables) {
    const fitted = fitVariable(variable, given[variable.name]);
    if ("reason" in fitted) problems.push({ name: variable.name, reason: fitted.reason });
    else values[variable.name] = fitted.value;
  }
  return { values, problems };
}

type Fitted = { value: Value } | { reason: string };

export function fitVariable(variable: ActionVariable, given: Value | undefined): Fitted {
  const isEmpty = (value: Value | undefined): boolean =>
    isBlank(value) || (Array.isArray(value) && value.every(isBlank));
  const value = isEmpty(given) ? variable.defaultValue : (given ?? null);
  if (isEmpty(value)) {
    if (variable.required) return { reason: nodeSettings.needsValue };
    return { value: variable.multivalued ? [] : null };
  }
  if (variable.multivalued) return fitList(variable.type, value);
  const [only, ...others] = Array.isArray(value) && variable.type !== "any" ? value : [value];
  if (others.length === 0) return convert(variable.type, only ?? null);
  if (variable.type === "text") return { value: textOf(value) };
  return { reason: fill(nodeSettings.takesOneValue, { count: others.length + 1 }) };
}

function fitList(type: ActionVariableType, value: Value): Fitted {
  const items = Array.isArray(value) ? value : typeof value === "string" ? splitList(value) : [value];
  const list: Value[] = [];
  for (const item of items) {
    if (isBlank(item)) continue;
    const fitted = convert(type, item);
    if ("reason" in fitted) return fitted;
    list.push(fitted.value);
  }
  return { value: list };
}

function convert(type: ActionVariableType, value: Value): Fitted {
  const converted = type === "number" ? numberOf(value) : convertOther(type, value);
  return converted === undefined ? { reason: `needs ${NEEDED[type]}, not “${quoted(value)}”` } : { value: converted };
}

function convertOther(type: Exclude<ActionVariableType, "number">, value: Value): Value | undefined {
  switch (type) {
    case "any":
      return value;
    case "text":
      return textOf(value);
    case "boolean":
    case "date":
    case "datetime": {
      const conversion = convertValue(value, { dataType: type }, { timeZone: "UTC" });
      return conversion.ok ? conversion.value : undefined;
    }
  }
}

/** Digits beyond JavaScript's numbers are kept. */
function numberOf(value: Value): Value | undefined {
  if (typeof value === "number" || isExactNumber(value)) return value;
  const digits = typeof value === "string" ? numberText(value) : null;
  return digits === null ? undefined : readJson(digits);
}

function quoted(value: Value): string {
  const text = textOf(value);
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}

export const problemText = (problems: readonly VariableProblem[]): string =>
  problems.map(({ name, reason }) => `Variable “${name}” ${reason}.`).join(" ");
