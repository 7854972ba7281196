/** Converting a value to a field's type, with a reason when it can't be: the rules of field assignment. */
import { isExactNumber, plainNumber } from "@accord/contracts/data/exact-number";
import type { DataType, Value } from "@accord/contracts/data/values";
import { isBlank, textOf } from "./compare.ts";
import { decimalOfNumber, integerValue, MAX_DIGITS, NOT_FINITE, readDecimal } from "./decimal.ts";
import type { FieldShape } from "./kind.ts";
import { hasEndlessNumber, isStorableText, isTooDeep, MAX_LEVELS, readJson, storable } from "./storable.ts";
import {
  DAY_MS,
  dayNumber,
  dayOfMoment,
  dayText,
  fromZonedTime,
  instantText,
  readBeyond,
  readTime,
  type ReadTime,
} from "./time.ts";

/** Why a value can't become a value of a type. The words are in `messages/en/values.ts`. */
export const CONVERSION_CODES = [
  "not_text",
  "too_long",
  "not_an_integer",
  "fraction_in_integer",
  "not_a_number",
  "number_too_large",
  "not_a_boolean",
  "not_a_date",
  "not_a_datetime",
  "not_an_option",
  "not_a_reference",
  "not_an_object",
  "too_deep",
  "not_single",
] as const;
export type ConversionCode = (typeof CONVERSION_CODES)[number];

/** The value was kept as it came, but somebody should know. */
export type ConversionWarning = "option_unknown" | "reference_pending";

export type Conversion =
  | { ok: true; value: Value; warning?: ConversionWarning }
  | { ok: false; code: ConversionCode; facts: { value: string; dataType: DataType; limit?: number } };

export interface ConvertOptions {
  /** Zone in which wall-clock texts are read and moments become dates. */
  timeZone: string;
  /** `editor`: an unreadable boolean becomes false, as in the record form. */
  forgiving?: boolean;
  /** Refuse picklist values that are no option; else they are kept with a warning. */
  restrictedPicklist?: boolean;
  /** Finds the record id behind an external id; null when not (yet) known. */
  resolveReference?: (externalId: string) => string | null;
}

const EXCERPT = 80;

const done = (value: Value): Conversion => ({ ok: true, value });

function refuse(code: ConversionCode, value: Value, dataType: DataType, limit?: number): Conversion {
  const text = textOf(value);
  const shown = text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text;
  return { ok: false, code, facts: { value: shown, dataType, ...(limit === undefined ? {} : { limit }) } };
}

/**
 * The value as the target field stores it. Blank becomes null; an empty text stays one in a text field, an empty list in
 * a multi-value field, and so do null and blank items there and lists within lists.
 * Text for a multi-value field is split on `;`, a list for a single-value text field is joined with `;`.
 */
export function convertValue(value: Value | undefined, to: FieldShape, options: ConvertOptions): Conversion {
  if (value === undefined || value === null) return done(null);
  if (isExactNumber(value) && !isObject(to.dataType)) return convertValue(plainNumber(value), to, options);
  if (to.isMultiValueField) return toList(value, to, options);
  const isKeptBlank = value === "" ? isText(to.dataType) : isObject(to.dataType);
  if (isBlank(value) && !isKeptBlank) return done(null);
  if (Array.isArray(value) && !isText(to.dataType) && !isObject(to.dataType)) {
    const [only, ...more] = value;
    return more.length > 0 ? refuse("not_single", value, to.dataType) : convertValue(only, to, options);
  }
  return toSingle(value, to, options);
}

const isText = (dataType: DataType): boolean => dataType === "string" || dataType === "password";
const isObject = (dataType: DataType): boolean =>
  dataType === "object" || dataType === "child" || dataType === "complex";

function toList(value: Value, to: FieldShape, options: ConvertOptions): Conversion {
  if (Array.isArray(value))
    return isTooDeep(value) ? refuse("too_deep", null, to.dataType, MAX_LEVELS) : toItems(value, to, options);
  const items = typeof value === "string" ? splitList(value) : [value];
  return items.length === 0 ? done(null) : toItems(items, to, options);
}

/** Item by item, each at its place: what is null, blank or a list itself stays so. */
function toItems(items: readonly Value[], to: FieldShape, options: ConvertOptions): Conversion {
  const single = { ...to, isMultiValueField: false };
  const result: Value[] = [];
  let warning: ConversionWarning | undefined;
  for (const item of items) {
    const isList = Array.isArray(item) && !isObject(to.dataType);
    const converted = isList ? toItems(item, to, options) : convertValue(item, single, options);
    if (!converted.ok) return converted;
    warning ??= converted.warning;
    result.push(converted.value);
  }
  return { ok: true, value: result, ...(warning ? { warning } : {}) };
}

/** `a; b;c` → `["a", "b", "c"]`; empty items are dropped. */
export const splitList = (text: string): string[] =>
  text
    .split(";")
    .map((item) => item.trim())
    .filter((item) => item !== "");

function toSingle(value: Value, to: FieldShape, options: ConvertOptions): Conversion {
  switch (to.dataType) {
    case "string":
    case "password":
      return toText(value, to);
    case "integer":
      return toInteger(value);
    case "double":
      return toDouble(value);
    case "decimal":
      return toDecimal(value, to);
    case "boolean":
      return toBoolean(value, options);
    case "date":
      return toDate(value, options);
    case "datetime":
    case "timestamp":
      return toMoment(value, to.dataType, options);
    case "picklist":
      return toOption(value, to, options);
    case "reference":
      return toReference(value, options);
    case "object":
    case "child":
    case "complex":
      return toObject(value, to.dataType);
  }
}

function toText(value: Value, to: FieldShape): Conversion {
  const text = textOf(value);
  if (!isStorableText(text)) return refuse("not_text", value, to.dataType);
  return to.length !== undefined && characterCount(text) > to.length
    ? refuse("too_long", value, to.dataType, to.length)
    : done(text);
}

/** Characters as PostgreSQL counts them: code points, not UTF-16 units. */
export function characterCount(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++, count++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit < 0xdc00 && index + 1 < text.length) {
      const next = text.charCodeAt(index + 1);
      if (next >= 0xdc00 && next < 0xe000) index++;
    }
  }
  return count;
}

const MAX_INTEGER = 9223372036854775807n;

function toInteger(value: Value): Conversion {
  if (typeof value === "number" && Number.isSafeInteger(value)) return done(value + 0);
  if (typeof value === "boolean" || typeof value === "object") return refuse("not_an_integer", value, "integer");
  const text = typeof value === "number" ? decimalOfNumber(value) : readDecimal((value as string).trim());
  if (text === null) return refuse("not_an_integer", value, "integer");
  if (text.includes(".")) return refuse("fraction_in_integer", value, "integer");
  if (typeof value === "string" && !/^[+-]?\d+$/.test(value.trim()))
    return refuse("fraction_in_integer", value, "integer");
  const exact = BigInt(text);
  if (exact > MAX_INTEGER || exact < -MAX_INTEGER - 1n) return refuse("number_too_large", value, "integer");
  return done(integerValue(text));
}

/** Commas between groups of three digits are accepted, as spreadsheets write them. */
const THOUSANDS = /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/;

function readNumber(value: Value): string | null {
  if (typeof value === "number") return decimalOfNumber(value);
  if (typeof value !== "string") return null;
  const trimmed = value.trim();
  return readDecimal(THOUSANDS.test(trimmed) ? trimmed.replaceAll(",", "") : trimmed);
}

function toDouble(value: Value): Conversion {
  if (NOT_FINITE.has(value)) return done(value);
  const text = readNumber(value);
  if (text === null) return refuse("not_a_number", value, "double");
  const number = Number(text);
  return Number.isFinite(number)
    ? done(Object.is(number, -0) ? 0 : number)
    : refuse("number_too_large", value, "double");
}

function toDecimal(value: Value, to: FieldShape): Conversion {
  if (NOT_FINITE.has(value)) return done(value);
  const text = readNumber(value);
  if (text === null) return refuse("not_a_number", value, "decimal");
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  const scale = to.scale ?? (to.precision === undefined ? undefined : 0);
  const tooPrecise = scale !== undefined && fraction.length > scale;
  const tooLarge = to.precision !== undefined && (whole === "0" ? 0 : whole.length) > to.precision - (scale ?? 0);
  return tooPrecise || tooLarge ? refuse("number_too_large", value, "decimal", to.precision ?? to.scale) : done(text);
}

const TRUE_WORDS: ReadonlySet<string> = new Set(["true", "yes", "1"]);
const FALSE_WORDS: ReadonlySet<string> = new Set(["false", "no", "0"]);

function toBoolean(value: Value, options: ConvertOptions): Conversion {
  if (typeof value === "boolean") return done(value);
  const word = textOf(value).trim().toLowerCase();
  if (TRUE_WORDS.has(word)) return done(true);
  if (FALSE_WORDS.has(word) || options.forgiving) return done(false);
  return refuse("not_a_boolean", value, "boolean");
}

function toDate(value: Value, options: ConvertOptions): Conversion {
  const beyond = typeof value === "string" ? readBeyond(value, "date") : null;
  if (beyond !== null) return done(beyond);
  const read = typeof value === "string" ? readTime(value) : typeof value === "number" ? readEpoch(value) : null;
  if (!read) return refuse("not_a_date", value, "date");
  const day = read.kind === "moment" ? dayOfMoment(read.ms, options.timeZone) : read.day;
  return inCalendar(day) ? done(dayText(day)) : refuse("not_a_date", value, "date");
}

function toMoment(value: Value, dataType: DataType, options: ConvertOptions): Conversion {
  const beyond = typeof value === "string" ? readBeyond(value, "moment") : null;
  if (beyond !== null) return done(beyond);
  const read = typeof value === "string" ? readTime(value) : typeof value === "number" ? readEpoch(value) : null;
  const text = read ? instantText(momentOf(read, options.timeZone), microsecondsOf(read)) : null;
  return text === null ? refuse("not_a_datetime", value, dataType) : done(text);
}

/** A date is its midnight in UTC; a wall clock without zone is read in the instance's zone. */
function momentOf(read: NonNullable<ReturnType<typeof readTime>>, timeZone: string): number {
  switch (read.kind) {
    case "date":
      return read.day * DAY_MS;
    case "moment":
      return read.ms;
    case "local":
      return fromZonedTime(read.day * DAY_MS + read.ms, timeZone);
  }
}

const microsecondsOf = (read: ReadTime): number => (read.kind === "date" ? 0 : (read.microseconds ?? 0));

/** null beyond the calendar: the platform itself knows no such moment. */
const readEpoch = (value: number) =>
  Number.isInteger(value) && instantText(value) !== null ? ({ kind: "moment", ms: value } as const) : null;

const FIRST_DAY = dayNumber(1, 1, 1)!;
const LAST_DAY = dayNumber(9999, 12, 31)!;
const inCalendar = (day: number): boolean => day >= FIRST_DAY && day <= LAST_DAY;

function toOption(value: Value, to: FieldShape, options: ConvertOptions): Conversion {
  const text = textOf(value).trim();
  if (text === "") return done(null);
  if (!isStorableText(text)) return refuse("not_text", value, "picklist");
  const wanted = text.toLowerCase();
  const choices = to.picklist ?? [];
  const match =
    choices.find((option) => option.id.toLowerCase() === wanted) ??
    choices.find((option) => option.label.toLowerCase() === wanted);
  if (match) return done(match.id);
  if (options.restrictedPicklist) return refuse("not_an_option", value, "picklist");
  return choices.length === 0 ? done(text) : { ok: true, value: text, warning: "option_unknown" };
}

const RECORD_ID = /^[0-9a-f]{24}$/;

function toReference(value: Value, options: ConvertOptions): Conversion {
  if (typeof value === "object" || typeof value === "boolean") return refuse("not_a_reference", value, "reference");
  const text = textOf(value).trim();
  if (text === "") return done(null);
  const found = options.resolveReference?.(text);
  if (found) return done(found);
  if (RECORD_ID.test(text)) return done(text);
  return { ok: true, value: null, warning: "reference_pending" };
}

function toObject(value: Value, dataType: DataType): Conversion {
  if (typeof value === "object") return asJson(value, dataType);
  const read = typeof value === "string" && /^\s*[[{]/.test(value) ? readJson(value) : undefined;
  return read === undefined ? refuse("not_an_object", value, dataType) : done(read);
}

/** A value of JSON as a field of JSON holds it: whatever it is, its numbers to the last digit. */
export function asJson(value: Value, dataType: DataType): Conversion {
  if (isTooDeep(value)) return refuse("too_deep", null, dataType, MAX_LEVELS);
  return hasEndlessNumber(value) ? refuse("number_too_large", value, dataType, MAX_DIGITS) : done(storable(value));
}
