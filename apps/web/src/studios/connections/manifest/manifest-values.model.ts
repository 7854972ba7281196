/** Inputs of a manifest as one flat form, and as the nested JSON texts that a connection stores. Pure. */
import type { ManifestInput } from "@accord/contracts/connections/manifest-facts";
import { Value, Values } from "@accord/contracts/data/values";
import { effectiveValues, isBlank, isHidden, type FormValues } from "../../../shared/config-form/config-form.model.ts";

const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What a stored text holds; null where it is no JSON object (an older one may be YAML). */
export function parsedValues(text: unknown): Values | null {
  if (typeof text !== "string") return null;
  if (text.trim() === "") return {};
  try {
    const parsed = Values.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Decimal digits that a number of JavaScript keeps whatever they are. */
const MAX_DIGITS = 15;

const isJson = ({ datatype, renderType }: ManifestInput): boolean => datatype === "object" || renderType === "json";

/** By input name: what the form shows. What is entered as JSON is JSON; what was emptied on purpose is empty. */
export function flatValues(inputs: readonly ManifestInput[], nested: Values): Record<string, unknown> {
  return Object.fromEntries(
    inputs.flatMap((input): [string, unknown][] => {
      const { name, path, defaultValue } = input;
      const value = valueAt(nested, path);
      if (value === null && defaultValue !== undefined) return [[name, ""]];
      if (value === undefined || value === null) return [];
      return [[name, isJson(input) && typeof value === "object" ? JSON.stringify(value) : value]];
    }),
  );
}

const valueAt = (nested: Values, path: readonly string[]): Value | undefined =>
  path.reduce<Value | undefined>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), nested);

/**
 * What was changed from `before` to `next`, as it was entered: read back from what is stored, JSON is spelled otherwise,
 * a list has no blank rows, and what was emptied shows its default.
 */
export const changedValues = (before: FormValues, next: FormValues): FormValues =>
  Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(next)])]
      .filter((name) => before[name] !== next[name])
      .map((name) => [name, next[name] ?? ""]),
  );

/** Whether an input belongs to what is chosen; hidden ones of it count. */
export const isMeant = (input: ManifestInput, inputs: readonly ManifestInput[], values: FormValues): boolean =>
  !isHidden({ ...input, implicit: false }, inputs, values);

/**
 * What a connection stores of `inputs`: those of the choices taken that are filled in, defaults included, within what
 * else `base` holds. What has a default and was emptied is null. `all`: the values that decide which inputs are meant.
 */
export function nestedValues(
  inputs: readonly ManifestInput[],
  values: FormValues,
  base: Values,
  all: { inputs: readonly ManifestInput[]; values: FormValues } = { inputs, values },
): Values {
  const shown = effectiveValues(all.inputs, all.values);
  const filled = effectiveValues(inputs, values);
  return inputs.reduce<Values>((nested, input) => {
    const value = isMeant(input, all.inputs, shown) ? storedValue(input, filled[input.name]) : undefined;
    return withValueAt(nested, input.path, value);
  }, base);
}

/** Values without those at the place of a secret input: they are kept among the secrets alone. Says which there were. */
export function withoutSecrets(
  inputs: readonly ManifestInput[],
  nested: Values,
): { nested: Values; removed: ManifestInput[] } {
  const removed = inputs.filter(({ secret, path }) => secret === true && valueAt(nested, path) !== undefined);
  return { nested: removed.reduce((left, { path }) => withValueAt(left, path, undefined), nested), removed };
}

function storedValue(input: ManifestInput, entered: unknown): Value | undefined {
  const parsed = Value.safeParse(entered);
  if (entered === undefined || !parsed.success) return undefined;
  if (isBlank(entered)) return input.defaultValue === undefined ? undefined : null;
  const value = parsed.data;
  if (Array.isArray(value) && input.repeatable === true) {
    const filled = value.filter((item) => !isBlank(item));
    return filled.length > 0 ? filled : undefined;
  }
  if (isJson(input)) return fromJson(value);
  if (input.isNumber === true || input.datatype === "integer" || input.datatype === "double") return asNumber(value);
  // Moments are compared with patterns that know no thousandths.
  if (input.datatype === "datetime" && typeof value === "string") return value.replace(/\.000Z$/, "Z");
  return value;
}

function fromJson(value: Value): Value {
  if (typeof value !== "string") return value;
  try {
    return Value.parse(JSON.parse(value));
  } catch {
    return value;
  }
}

/** A text that a number keeps all digits of is one; another is left to the server. */
function asNumber(value: Value): Value {
  const text = String(value).trim();
  const isKept = /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && text.replaceAll(/\D/g, "").length <= MAX_DIGITS;
  return isKept ? Number(text) : value;
}

/** Sets a value, or takes it away with the objects that only held it. */
function withValueAt(nested: Values, [key, ...rest]: readonly string[], value: Value | undefined): Values {
  if (key === undefined) return nested;
  const { [key]: before, ...others } = nested;
  if (rest.length > 0) {
    const inner = withValueAt(isObject(before) ? before : {}, rest, value);
    return Object.keys(inner).length === 0 ? others : { ...nested, [key]: inner };
  }
  return value === undefined ? others : { ...nested, [key]: value };
}

export const textOf = (values: Values): string => (Object.keys(values).length === 0 ? "" : JSON.stringify(values));
