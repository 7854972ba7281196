/** Guesses field types from sample values, for systems that describe nothing: JSON answers and files with a header. */
import { isExactNumber, plainNumber } from "@accord/contracts/data/exact-number";
import type { FieldSchema } from "@accord/contracts/data/schema";
import { FieldSchema as FieldSchemaParser } from "@accord/contracts/data/schema";
import type { DataType, Value } from "@accord/contracts/data/values";

/** What one sample value looks like; `null` says nothing. */
type Guess = "boolean" | "integer" | "double" | "date" | "datetime" | "object" | "string" | null;

const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const DATETIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d(:?\d\d)?)?$/;
const US_DATE = /^\d{1,2}\/\d{1,2}\/\d{4}$/;
const US_DATETIME = /^\d{1,2}\/\d{1,2}\/\d{4} \d{1,2}:\d\d(:\d\d)?$/;

/** Type of a JSON value. Digits in a JSON text stay text: the system said so. */
function guessJson(value: Value): Guess {
  if (value === null || value === "") return null;
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "double";
  if (isExactNumber(value)) return guessNumber(plainNumber(value));
  if (typeof value === "object") return "object";
  return guessMoment(value) ?? "string";
}

/** Whole numbers beyond 64 bits are codes. */
function guessNumber(number: number | string): Guess {
  if (typeof number === "number") return guessJson(number);
  if (/[.e]/i.test(number)) return "double";
  return /^-?\d{1,18}$/.test(number) ? "integer" : "string";
}

/** Type of a text from a file, where everything arrives as text. Leading zeros and very long digits are codes, not numbers. */
function guessText(value: string): Guess {
  const words = value.trim();
  if (words === "") return null;
  if (/^(true|false)$/i.test(words)) return "boolean";
  if (/^-?(0|[1-9]\d{0,14})$/.test(words)) return "integer";
  if (/^-?(0|[1-9]\d{0,14})?\.\d{1,20}$/.test(words) || /^-?\d(\.\d{1,17})?e[+-]?\d{1,3}$/i.test(words))
    return "double";
  return guessMoment(words) ?? "string";
}

function guessMoment(words: string): Guess {
  if (words.length < 8 || words.length > 40) return null;
  if (DATE.test(words) || US_DATE.test(words)) return "date";
  return DATETIME.test(words) || US_DATETIME.test(words) ? "datetime" : null;
}

/** The narrowest type that holds both. */
function widen(a: Guess, b: Guess): Guess {
  if (a === null || a === b) return b;
  if (b === null) return a;
  const pair = new Set([a, b]);
  if (pair.has("integer") && pair.has("double")) return "double";
  if (pair.has("date") && pair.has("datetime")) return "datetime";
  return "string";
}

export interface InferOptions {
  /** Everything arrives as text (CSV): look into the text. */
  texts?: boolean;
}

/** Of a field's name, as its schema allows. */
const MAX_NAME = 200;

/**
 * Fields of sample records, in order of first appearance; a field that is never filled is text. Names that can be no
 * field (none, or longer than a field's: maps with addresses as keys) are left out.
 */
export function inferFields(samples: readonly { [name: string]: Value }[], options: InferOptions = {}): FieldSchema[] {
  const guesses = new Map<string, { type: Guess; list: boolean }>();
  for (const sample of samples)
    for (const [name, value] of Object.entries(sample)) {
      if (name === "" || name.length > MAX_NAME) continue;
      const known = guesses.get(name) ?? { type: null, list: false };
      const isList = Array.isArray(value);
      const seen = isList ? value.map(guessJson).reduce(widen, null) : guessOf(value, options);
      guesses.set(name, { type: widen(known.type, seen), list: known.list || isList });
    }
  return [...guesses].map(([name, { type, list }]) => inferred(name, type ?? "string", list));
}

const guessOf = (value: Value, options: InferOptions): Guess =>
  options.texts && typeof value === "string" ? guessText(value) : guessJson(value);

const inferred = (apiName: string, dataType: DataType, isMultiValueField: boolean): FieldSchema =>
  FieldSchemaParser.parse({ apiName, displayName: titleOf(apiName), dataType, isMultiValueField });

/** `billing_city` and `billingCity` read as `Billing city`. */
export function titleOf(apiName: string): string {
  const words = apiName
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/[_\-.\s]+/g, " ")
    .trim()
    .toLowerCase();
  const named = words.replace(/\b(id|url|api|iban|vat)\b/g, (word) => word.toUpperCase());
  return (named.charAt(0).toUpperCase() + named.slice(1)).slice(0, 120) || apiName.slice(0, 120);
}

const ID_NAMES = /^(id|_id|uuid|guid|key|code|.*[_-]?id|.*Id)$/;
const WATERMARK_NAMES =
  /^(updated|modified|last_?(updated|modified|changed)|changed)(_?(at|on|date|time|ts))?$|^(updatedAt|modifiedAt|lastModified(Date)?|updateTime|systemModstamp)$/i;
const CREATED_NAMES = /^(created|creation)(_?(at|on|date|time|ts))?$|^(createdAt|creationDate)$/i;

/** Marks the fields that, by name and filled values, are most likely id, watermark and creation time. */
export function detectKeyFields(fields: FieldSchema[], samples: readonly { [name: string]: Value }[]): FieldSchema[] {
  const idField = likeliestId(fields, samples);
  const isMoment = (field: FieldSchema) => field.dataType === "datetime" || field.dataType === "date";
  const watermark = fields.find((field) => isMoment(field) && WATERMARK_NAMES.test(field.apiName));
  return fields.map((field) => ({
    ...field,
    isIdField: field === idField,
    unique: field.unique || field === idField,
    isWatermarkField: field === watermark,
    isUpdatedAtField: field === watermark,
    isCreatedAtField: isMoment(field) && CREATED_NAMES.test(field.apiName),
  }));
}

function likeliestId(fields: FieldSchema[], samples: readonly { [name: string]: Value }[]): FieldSchema | undefined {
  const candidates = fields.filter((field) => ID_NAMES.test(field.apiName) && !field.isMultiValueField);
  const exact = candidates.find((field) => /^_?id$/i.test(field.apiName));
  return [exact, ...candidates].find((field) => field && isUniquelyFilled(field.apiName, samples));
}

/** Filled in every sample, each time with another value. */
export function isUniquelyFilled(name: string, samples: readonly { [name: string]: Value }[]): boolean {
  const seen = new Set<string>();
  for (const sample of samples) {
    const value = sample[name];
    if (value === null || value === undefined || value === "" || typeof value === "object") return false;
    seen.add(String(value));
  }
  return seen.size === samples.length && samples.length > 0;
}
