/**
 * The rules of generated forms: what shows, what starts as what, what is wrong. Pure, so that every form and test reads
 * the same rules. Hidden inputs keep their values: they are only not shown.
 */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import type { Value } from "@accord/contracts/data/values";
import { tokensIn } from "@accord/expressions";
import { PATTERN } from "../names.ts";

export type FormValues = Readonly<Record<string, unknown>>;

export interface FormContext {
  /** Set-value nodes of entity pipelines take the type from their field; their own type input is hidden. */
  isSetValueOnEntity?: boolean;
  /** Names of secrets the server holds already. */
  configuredSecrets?: readonly string[];
}

export interface Option {
  id: string;
  label: string;
}

/** The one implicit input that people see: a node's name. */
const SHOWN_IMPLICIT = "nodeLabel";

const sameValue = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

function isVisibleByField(input: InputDefinition, values: FormValues): boolean {
  const rule = input.visibilityDependsOnFieldValue;
  if (!rule) return true;
  const present = values[rule.field];
  if (rule.pattern === undefined) return sameValue(present, rule.value);
  try {
    return new RegExp(rule.pattern).test(present === null || present === undefined ? "" : String(present));
  } catch {
    // A faulty pattern is the definition's fault; hiding the input would hide the fault too.
    return true;
  }
}

/** Whether an input is a column of another one: it is then edited inside that one's rows. */
const isChild = (input: InputDefinition, inputs: readonly InputDefinition[]): boolean =>
  input.fieldSet !== undefined && inputs.some((other) => other.name === input.fieldSet && other !== input);

export function isHidden(
  input: InputDefinition,
  inputs: readonly InputDefinition[],
  values: FormValues,
  context: FormContext = {},
): boolean {
  return (
    (input.implicit === true && input.name !== SHOWN_IMPLICIT) ||
    input.uneditable === true ||
    (input.requiredValue !== undefined && !sameValue(values[input.requiredValue.field], input.requiredValue.value)) ||
    isChild(input, inputs) ||
    input.datatype === "tab" ||
    (context.isSetValueOnEntity === true && input.name === "dataType") ||
    !isVisibleByField(input, values)
  );
}

export interface FormSection {
  /** Undefined for inputs without a heading, which come first. */
  title: string | undefined;
  inputs: InputDefinition[];
}

/** What is shown, in order, under its headings. */
export function sectionsOf(
  inputs: readonly InputDefinition[],
  values: FormValues,
  context: FormContext = {},
): FormSection[] {
  const sections = new Map<string | undefined, InputDefinition[]>([[undefined, []]]);
  for (const input of inputs) {
    if (isHidden(input, inputs, values, context)) continue;
    const title = input.fieldSet ?? input.parentGroup;
    sections.set(title, [...(sections.get(title) ?? []), input]);
  }
  return [...sections]
    .map(([title, shown]) => ({ title, inputs: shown }))
    .filter((section) => section.inputs.length > 0);
}

/** Columns of a composite input. */
export const columnsOf = (input: InputDefinition, inputs: readonly InputDefinition[]): InputDefinition[] =>
  inputs.filter((other) => other.fieldSet === input.name && other !== input);

/** Inputs whose several values are no rows of one value each. */
const LISTS_OF_THEIR_OWN = new Set([
  "composite",
  "case",
  "predicate",
  "multiselect",
  "multiselectField",
  "emailList",
  "emailBody",
  "password",
  "tab",
  "fieldMap",
]);

/** Whether an input holds several values, one a row. */
export const isValueList = (input: InputDefinition): boolean =>
  input.repeatable === true && input.renderType !== "pairs" && !LISTS_OF_THEIR_OWN.has(input.datatype ?? "string");

/** Values with the defaults of those that are absent: what a node does whose configuration leaves them out. */
export function effectiveValues(inputs: readonly InputDefinition[], values: FormValues): FormValues {
  const absent = inputs.filter(({ name, defaultValue }) => defaultValue !== undefined && values[name] === undefined);
  return absent.length === 0
    ? values
    : { ...values, ...Object.fromEntries(absent.map(({ name, defaultValue }) => [name, defaultValue])) };
}

const CHOICES = new Set(["picklist", "reference"]);

/**
 * Values a form starts with: the saved ones, else defaults; a boolean that is none is off, a choice that is no option
 * any more is empty. Nothing else is touched, hidden or not.
 */
export function initialValues(inputs: readonly InputDefinition[], saved: FormValues): Record<string, unknown> {
  const values: Record<string, unknown> = { ...saved };
  for (const input of inputs) {
    const present = values[input.name] ?? input.defaultValue;
    if (input.datatype === "boolean") values[input.name] = typeof present === "boolean" ? present : false;
    else if (present !== undefined) values[input.name] = normalizeChoice(input, present, input.values);
  }
  return values;
}

/** The value of a choice, or empty when it is none of the options. Options not known yet settle nothing. */
export function normalizeChoice(
  input: InputDefinition,
  value: unknown,
  options: readonly Option[] | undefined,
): unknown {
  if (!CHOICES.has(input.datatype ?? "") || options === undefined || value === null || value === "") return value;
  return options.some((option) => option.id === String(value)) ? value : "";
}

const TOKEN_DATATYPES = new Set([
  "string",
  "text",
  "textarea",
  "url",
  "email",
  "emailBody",
  "emailList",
  "phone",
  "id",
  "externalId",
  "integer",
  "double",
  "date",
  "datetime",
  "timestamp",
  "object",
]);

/** Whether tokens may stand in an input; never in switches, choices, conditions or secrets. */
export const takesTokens = (input: InputDefinition): boolean =>
  input.hideTokenPicker !== true && input.secret !== true && TOKEN_DATATYPES.has(input.datatype ?? "string");

/** Whether a text entered for one of several values is cut in two: semicolons in longer texts and addresses are part of them. */
export const isSplit = (input: InputDefinition, text: string): boolean =>
  ["string", "text", "email", "id", "phone", "externalId"].includes(input.datatype ?? "string") && text.includes(";");

/** A text that is being typed, cut at semicolons; what follows the last one is a value of its own, though it is blank yet. */
export const splitTyped = (text: string): string[] => [...splitValues(text), ...(/;\s*$/.test(text) ? [""] : [])];

/** Text for several values is cut at semicolons. */
export const splitValues = (text: string): string[] =>
  text
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "");

export type ProblemCode =
  | "required"
  | "notWhole"
  | "notNumber"
  | "notUrl"
  | "notEmail"
  | "notPhone"
  | "notDate"
  | "notJson";

export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** What is wrong with one value; `undefined` when nothing is. A value with a token in it is judged when it is filled. */
export function problemOf(input: InputDefinition, value: unknown, context: FormContext = {}): ProblemCode | undefined {
  if (isBlank(value)) {
    const isKept = input.secret === true && value === undefined && context.configuredSecrets?.includes(input.name);
    return input.required === true && input.datatype !== "boolean" && !isKept ? "required" : undefined;
  }
  if (isValueList(input) && Array.isArray(value)) {
    const single = { ...input, repeatable: false, required: false };
    return value.map((item) => problemOf(single, item)).find((problem) => problem !== undefined);
  }
  if (takesTokens(input) && tokensIn(value).length > 0) return undefined;
  const text = String(value).trim();
  switch (input.datatype) {
    case "integer":
      return /^[+-]?\d+$/.test(text) ? undefined : "notWhole";
    case "double":
      return Number.isFinite(Number(text)) ? undefined : "notNumber";
    case "url":
      return PATTERN.url.test(text) ? undefined : "notUrl";
    case "email":
      return PATTERN.email.test(text) ? undefined : "notEmail";
    case "emailList":
      return (Array.isArray(value) ? value.map(String) : splitValues(text)).every((each) => PATTERN.email.test(each))
        ? undefined
        : "notEmail";
    case "phone":
      return /^[+()\d][\d\s().\-/]{2,}$/.test(text) ? undefined : "notPhone";
    case "date":
    case "datetime":
    case "timestamp":
      return Number.isNaN(Date.parse(text)) ? "notDate" : undefined;
    case "password":
      return input.renderType === "json" && !isJson(text) ? "notJson" : undefined;
    case "object":
      return typeof value !== "string" || isJson(text) ? undefined : "notJson";
    default:
      return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** All problems of what is shown, by input name. */
export function problemsOf(
  inputs: readonly InputDefinition[],
  values: FormValues,
  context: FormContext = {},
): Record<string, ProblemCode> {
  const problems: Record<string, ProblemCode> = {};
  for (const input of inputs) {
    if (isHidden(input, inputs, values, context)) continue;
    const problem = problemOf(input, values[input.name], context);
    if (problem) problems[input.name] = problem;
  }
  return problems;
}

/** A typed number as a number where none of its digits are lost; anything else stays as typed, for the check to name. */
export function numberFrom(text: string): Value {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  const number = Number(trimmed);
  return String(number) === trimmed ? number : text;
}
