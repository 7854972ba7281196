/** The inputs of a manifest: as definitions, their defaults, and which are secret. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import type { Value, Values } from "@accord/contracts/data/values";
import { isObject, refuse } from "./read-yaml.ts";

/** An input and the path it stands at, such as `credentials.client_id`. */
export interface ManifestInput extends InputDefinition {
  path: string[];
  defaultValue?: Value;
  /** What is entered or chosen is a number, whatever it is entered as. */
  isNumber?: boolean;
}

/** Levels that are looked into: choices within choices. */
const MAX_DEPTH = 6;

const MAX_INPUTS = 5_000;

export function inputsOf(specification: Values): ManifestInput[] {
  const found = new Map<string, ManifestInput>();
  collect(specification, { path: [], isRequired: true, chosen: null }, found);
  return [...found.values()];
}

/** An input that names the choice taken, and the value of one choice: what the inputs of that choice depend on. */
interface Chosen {
  field: string;
  value: string;
}

/** Where an input stands, and under which choice. */
interface Place {
  path: string[];
  isRequired: boolean;
  chosen: Chosen | null;
}

function collect(schema: Values, { path, isRequired, chosen }: Place, found: Map<string, ManifestInput>): void {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  for (const [name, property] of inOrder(properties)) {
    const place = { path: [...path, name], isRequired: isRequired && required.has(name), chosen };
    // What names the choice taken is an input already.
    if (chosen?.field === place.path.join(".")) continue;
    const isSecret = property["airbyte_secret"] === true || hasSecret(restOf(property));
    if (!isSecret && place.path.length <= MAX_DEPTH && hasInputs(property)) collect(property, place, found);
    else add(inputOf(property, isSecret || hasSecret(property), place), found);
  }
  const choices = choicesOf(schema);
  const selector = chosen === null ? selectorOf(schema) : null;
  if (selector) add(selectorInput(selector, schema, { path, isRequired, chosen }), found);
  for (const choice of choices) {
    const value = selector?.values.get(choice);
    if (selector && value !== undefined)
      collect(choice, { path, isRequired: true, chosen: { field: [...path, selector.name].join("."), value } }, found);
    // Which of the choices is taken does not show: none of their inputs is needed by itself.
    else collect(choice, { path, isRequired: false, chosen }, found);
  }
}

/** By their `order`, those without one last, else as they are written. */
const inOrder = (properties: Values): [string, Values][] =>
  Object.entries(properties)
    .flatMap(([name, property]): [string, Values][] => (isObject(property) ? [[name, property]] : []))
    .sort(([, one], [, other]) => orderOf(one) - orderOf(other));

const orderOf = ({ order }: Values): number => (typeof order === "number" ? order : Number.MAX_SAFE_INTEGER);

/** What names the choice taken: an input with one fixed value in each choice, another one in each. */
interface Selector {
  name: string;
  values: ReadonlyMap<Values, string>;
}

function selectorOf(schema: Values): Selector | null {
  const choices = schema["allOf"] === undefined ? choicesOf(schema) : [];
  if (choices.length < 2) return null;
  for (const name of Object.keys(isObject(choices[0]?.["properties"]) ? choices[0]["properties"] : {})) {
    const values = choices.map((choice) => fixedValue(choice, name));
    const known = values.filter((value) => value !== null);
    if (known.length === choices.length && new Set(known).size === known.length)
      return { name, values: new Map(choices.map((choice, index) => [choice, known[index] ?? ""])) };
  }
  return null;
}

function fixedValue(choice: Values, name: string): string | null {
  const property = isObject(choice["properties"]) ? choice["properties"][name] : undefined;
  if (!isObject(property) || property["airbyte_secret"] === true) return null;
  const { const: fixed, enum: options } = property;
  const value = fixed ?? (Array.isArray(options) && options.length === 1 ? options[0] : undefined);
  return typeof value === "string" ? value : null;
}

/** A choice that may be left out is not made by itself. */
function selectorInput({ name, values }: Selector, schema: Values, { path, isRequired }: Place): ManifestInput {
  const { title, description } = schema;
  const options = [...values].map(([choice, id]) => ({ id, label: textOf(choice["title"]) ?? id }));
  return {
    name: [...path, name].join("."),
    path: [...path, name],
    label: textOf(title) ?? path.at(-1) ?? name,
    datatype: "picklist",
    values: options,
    ...(typeof description === "string" && { helpText: description.slice(0, MAX_HELP) }),
    required: isRequired,
    ...(isRequired ? options[0] && { defaultValue: options[0].id } : { allowClear: true }),
  };
}

const textOf = (value: Value | undefined): string | null => (typeof value === "string" && value !== "" ? value : null);

const CHOICES = ["oneOf", "anyOf", "allOf"];

const choicesOf = (schema: Values): Values[] =>
  CHOICES.flatMap((name) => schema[name] ?? []).filter((choice) => isObject(choice));

const hasInputs = (schema: Values): boolean => isObject(schema["properties"]) || choicesOf(schema).some(hasInputs);

/** What of a schema is not looked into: items of lists, properties of any name. */
const restOf = (schema: Values): Value[] =>
  Object.entries(schema).flatMap(([name, part]) => (name === "properties" || CHOICES.includes(name) ? [] : [part]));

/** A secret that stands where no input of its own can be made of it makes a secret of all around it. */
function hasSecret(value: Value): boolean {
  if (Array.isArray(value)) return value.some(hasSecret);
  return isObject(value) && (value["airbyte_secret"] === true || Object.values(value).some(hasSecret));
}

/**
 * An input of several choices shows under each of them, and is needed where all need it. One that is secret in one of
 * the choices is secret: its value does not say which of them is meant.
 */
function add(input: ManifestInput, found: Map<string, ManifestInput>): void {
  const { name } = input;
  const known = found.get(name);
  if (!known) {
    if (found.size >= MAX_INPUTS) throw refuse(`The manifest has more than ${MAX_INPUTS} inputs.`);
    found.set(name, input);
    return;
  }
  const { visibilityDependsOnFieldValue: shown, ...rest } = input.secret && !known.secret ? input : known;
  const visible = joinedVisibility(known, input);
  found.set(name, {
    ...rest,
    required: known.required === true && input.required === true,
    ...(visible && { visibilityDependsOnFieldValue: visible }),
  });
}

function joinedVisibility(
  { visibilityDependsOnFieldValue: one }: ManifestInput,
  { visibilityDependsOnFieldValue: other }: ManifestInput,
): ManifestInput["visibilityDependsOnFieldValue"] {
  if (!one?.pattern || !other?.pattern || one.field !== other.field) return undefined;
  return { field: one.field, pattern: `${one.pattern}|${other.pattern}` };
}

const MAX_HELP = 1_000;

function inputOf(property: Values, secret: boolean, { path, isRequired, chosen }: Place): ManifestInput {
  const help = property["description"];
  const options = Array.isArray(property["enum"]) ? property["enum"].map(String) : [];
  const fixed = property["default"] ?? property["const"];
  const list = secret ? null : listOf(property);
  const datatype = list?.datatype ?? datatypeOf(property, options);
  const isNumber = [property["type"]].flat().some((type) => type === "integer" || type === "number");
  return {
    name: path.join("."),
    path,
    label: textOf(property["title"]) ?? path.at(-1) ?? "",
    datatype: secret ? "password" : datatype,
    required: isRequired,
    ...(secret && { secret }),
    ...(secret && datatype === "object" && { renderType: "json" }),
    ...(secret && property["multiline"] === true && datatype !== "object" && { renderType: "multiline" }),
    ...(isNumber && (secret || options.length > 0) && { isNumber }),
    // What nobody is to see has its value already, or may be left out.
    ...(property["airbyte_hidden"] === true && (fixed !== undefined || !isRequired) && { implicit: true }),
    ...(typeof help === "string" && { helpText: help.slice(0, MAX_HELP) }),
    ...(fixed !== undefined && !secret && { defaultValue: fixed }),
    ...(options.length > 0 && !secret && { values: options.map((id) => ({ id, label: id })) }),
    ...list,
    ...(chosen && {
      visibilityDependsOnFieldValue: { field: chosen.field, pattern: exactly(chosen.value) },
    }),
  };
}

/** How a list of texts is entered: chosen from its options, else one a row; null for other lists. */
function listOf(property: Values): Pick<InputDefinition, "datatype" | "repeatable" | "values"> | null {
  const items = property["items"];
  if (property["type"] !== "array" || !isObject(items) || items["type"] !== "string") return null;
  if (!Array.isArray(items["enum"])) return { datatype: "string", repeatable: true };
  return { datatype: "multiselect", values: items["enum"].map((id) => ({ id: String(id), label: String(id) })) };
}

const exactly = (text: string): string => `^${text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`)}$`;

function datatypeOf(property: Values, options: readonly string[]): string {
  const type = [property["type"]].flat().find((one) => one !== "null");
  const format = property["format"];
  if (options.length > 0) return "picklist";
  if (type === "boolean") return "boolean";
  if (type === "integer") return "integer";
  if (type === "number") return "double";
  if (type === "object" || type === "array") return "object";
  if (property["multiline"] === true) return "textarea";
  return format === "date" ? "date" : format === "date-time" ? "datetime" : "string";
}

/** Defaults of the inputs that are not filled in, then these; objects are joined. */
export function withDefaults(inputs: readonly ManifestInput[], values: Values): Values {
  const defaults = inputs
    .filter(({ path, defaultValue }) => path.length === 1 && defaultValue !== undefined)
    .map(({ name, defaultValue }): [string, Value] => [name, defaultValue ?? null]);
  return { ...Object.fromEntries(defaults), ...values };
}

export function joined(one: Values, other: Values): Values {
  const entries = Object.entries(other).map(([key, value]): [string, Value] => {
    const before = Object.hasOwn(one, key) ? one[key] : undefined;
    return [key, isObject(before) && isObject(value) ? joined(before, value) : value];
  });
  return { ...one, ...Object.fromEntries(entries) };
}

export function valueAt(values: Values, path: readonly string[]): Value | undefined {
  return path.reduce(
    (value: Value | undefined, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    values,
  );
}

/** Splits values by whether their input is secret: a secret one as a whole, whatever it holds. */
export function splitSecrets(inputs: readonly ManifestInput[], values: Values): { plain: Values; secret: Values } {
  const nameOf = (path: readonly string[]): string => path.join("\u0000");
  const paths = inputs.filter(({ secret }) => secret).map(({ path }) => path);
  const secrets = new Set(paths.map(nameOf));
  // A list where the manifest has names: there is no telling what of it is secret.
  const above = new Set(paths.flatMap((path) => path.map((_, size) => nameOf(path.slice(0, size)))));
  const part = (current: Values, path: readonly string[], wanted: boolean): Values =>
    Object.fromEntries(
      Object.entries(current).flatMap(([key, value]): [string, Value][] => {
        const at = [...path, key];
        const isSecret = secrets.has(nameOf(at)) || (above.has(nameOf(at)) && Array.isArray(value));
        if (isSecret || !isObject(value)) return isSecret === wanted ? [[key, value]] : [];
        const inner = part(value, at, wanted);
        return Object.keys(inner).length > 0 || (!wanted && Object.keys(value).length === 0) ? [[key, inner]] : [];
      }),
    );
  return { plain: part(values, [], false), secret: part(values, [], true) };
}
