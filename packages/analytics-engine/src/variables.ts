/** Values of variables: which one wins, what a typed text means, and how a label shows them. */
import { convertValue, textOf } from "@accord/expressions";
import type { Value } from "@accord/contracts/data/values";
import { isBlankVariable, type Variable, type VariableValues } from "@accord/contracts/insights/variables";
import type { DatasetProblem } from "./problems.ts";

const TOKEN = /\{\{([A-Za-z][A-Za-z0-9_]*)\}\}/g;

/** The variable's name when the text is one token and nothing else. */
export const tokenName = (text: string): string | null => /^\{\{([A-Za-z][A-Za-z0-9_]*)\}\}$/.exec(text)?.[1] ?? null;

/** Names of the variables a text mentions. */
export const tokensIn = (text: string): string[] => [...text.matchAll(TOKEN)].map((match) => match[1]!);

/** The first layer that names a variable wins: viewer, dashboard, card, dataset. Blank counts as a choice. */
export function layerValues(...layers: readonly (VariableValues | undefined)[]): VariableValues {
  const merged: VariableValues = {};
  for (const layer of layers)
    for (const [name, value] of Object.entries(layer ?? {})) if (!Object.hasOwn(merged, name)) merged[name] = value;
  return merged;
}

/**
 * What each variable stands for: the chosen value, else its default, in its own type; a multi-value text is split on `;`.
 * A required one without a value, and a value that does not fit the type, are problems.
 */
export function readVariables(
  variables: readonly Variable[],
  chosen: VariableValues,
  timeZone: string,
): { values: Map<string, Value>; problems: DatasetProblem[] } {
  const values = new Map<string, Value>();
  const problems: DatasetProblem[] = [];
  for (const variable of variables) {
    const given = Object.hasOwn(chosen, variable.apiName)
      ? chosen[variable.apiName]
      : variable.variableDefaultValue?.defaultValue;
    const read = readOne(variable, given, timeZone);
    if (read === undefined)
      problems.push({
        path: `variables.${variable.apiName}`,
        code: "variable_value_invalid",
        facts: { name: variable.displayName, dataType: variable.datatype },
      });
    else if (isBlankVariable(read) && variable.required)
      problems.push({
        path: `variables.${variable.apiName}`,
        code: "variable_required",
        facts: { name: variable.displayName },
      });
    else values.set(variable.apiName, read);
  }
  return { values, problems };
}

function readOne(variable: Variable, given: Value | undefined, timeZone: string): Value | undefined {
  if (given === undefined || given === null || given === "") return null;
  const parts = !variable.multiValueField
    ? [given]
    : typeof given === "string"
      ? given.split(";").map((part) => part.trim())
      : Array.isArray(given)
        ? given
        : [given];
  const read: Value[] = [];
  for (const part of parts) {
    if (isBlankVariable(part)) continue;
    const converted = convertValue(part, { dataType: variable.datatype }, { timeZone });
    if (!converted.ok) return undefined;
    read.push(converted.value);
  }
  if (variable.multiValueField) return read;
  return read[0] ?? null;
}

/** A text with its tokens filled in; numbers are formatted, unknown tokens stay as they are. */
export function fillTokens(text: string, values: ReadonlyMap<string, Value>): string {
  return text.replace(TOKEN, (token, name: string) => {
    if (!values.has(name)) return token;
    const value = values.get(name)!;
    const list = Array.isArray(value) ? value : [value];
    return list
      .map((item) => (typeof item === "number" ? NUMBER.format(item) : item === null ? "" : textOf(item)))
      .join(", ");
  });
}

const NUMBER = new Intl.NumberFormat("en-US", { maximumFractionDigits: 20 });
