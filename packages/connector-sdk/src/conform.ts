/** Brings a system's raw values into Accord's own form for their data type, or says why they don't fit. */
import { connectionErrors } from "@accord/contracts/messages/en/synapses/connection-errors";
import { fill } from "@accord/contracts/messages/fill";
import { isExactNumber, plainNumber } from "@accord/contracts/data/exact-number";
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { DataType, Value } from "@accord/contracts/data/values";
import { isDay } from "./calendar.ts";

/** A value that does not fit its field's type. */
export class TypeMismatchError extends Error {
  override readonly name = "TypeMismatchError";
}

type Conform = (value: Value) => Value;

/**
 * How values of one field are read: null, a missing value and an empty text (unless the field holds one text) become
 * null; lists keep their order, their null and blank items and the lists within them. Throws `TypeMismatchError` with words such as
 * `"abc" is not a number`.
 */
export function valueParser(
  field: Pick<FieldSchema, "dataType" | "isMultiValueField">,
): (value: Value | undefined) => Value {
  const conform = CONFORM[field.dataType];
  const keepsEmptyText = conform === text;
  const one = (value: Value | undefined): Value => {
    if (value === null || value === undefined || (value === "" && !keepsEmptyText)) return null;
    return conform(isExactNumber(value) && conform !== structure ? plainNumber(value) : value);
  };
  if (!field.isMultiValueField) return one;
  const item = (value: Value): Value => (Array.isArray(value) && conform !== structure ? value.map(item) : one(value));
  return (value) => {
    if (value === null || value === undefined || value === "") return null;
    return Array.isArray(value) ? value.map(item) : [one(value)];
  };
}

const text: Conform = (value) => {
  if (typeof value === "string") return value;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

const TRUE = new Set(["true", "t", "yes", "y", "1"]);
const FALSE = new Set(["false", "f", "no", "n", "0"]);

const boolean: Conform = (value) => {
  if (typeof value === "boolean") return value;
  const word = typeof value === "object" ? "" : String(value).trim().toLowerCase();
  if (TRUE.has(word)) return true;
  if (FALSE.has(word)) return false;
  throw new TypeMismatchError(fill(connectionErrors.mismatch.boolean, { value: quote(value) }));
};

const integer: Conform = (value) => {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  const digits = typeof value === "object" ? "" : String(value).trim().replace(/^\+/, "");
  if (!/^-?\d{1,400}$/.test(digits))
    throw new TypeMismatchError(fill(connectionErrors.mismatch.integer, { value: quote(value) }));
  const number = Number(digits);
  // Beyond what a number holds exactly, the digits themselves are the value.
  return Number.isSafeInteger(number) ? number : BigInt(digits).toString();
};

const NUMBER = /^[+-]?(\d{1,400}(\.\d{0,400})?|\.\d{1,400})(e[+-]?\d{1,3})?$/i;

/** Numbers that are none, as IEEE and PostgreSQL have them. */
const NOT_FINITE: ReadonlySet<Value> = new Set(["NaN", "Infinity", "-Infinity"]);

const double: Conform = (value) => {
  if (NOT_FINITE.has(value)) return value;
  const number = typeof value === "number" ? value : NUMBER.test(asText(value)) ? Number(asText(value)) : Number.NaN;
  if (!Number.isFinite(number))
    throw new TypeMismatchError(fill(connectionErrors.mismatch.number, { value: quote(value) }));
  return number;
};

const decimal: Conform = (value) => {
  if (NOT_FINITE.has(value)) return value;
  const digits = asText(value).replace(/^\+/, "");
  if (/^-?\d{1,400}(\.\d{1,400})?$/.test(digits)) return digits;
  if (NUMBER.test(digits)) return plainDigits(Number(digits));
  throw new TypeMismatchError(fill(connectionErrors.mismatch.number, { value: quote(value) }));
};

/** Exact digits without an exponent; only for numbers that came as floating point or in odd notation. */
const plainDigits = (number: number): string =>
  Number.isInteger(number) ? BigInt(number).toString() : number.toFixed(20).replace(/\.?0+$/, "");

const ISO_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.(?:\d{3}|\d{6})Z$/;
const ISO_DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const ISO_DATETIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d{1,9})?)?\s?(Z|[+-]\d\d(:?\d\d)?)?$/i;
const US_DATE = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: (\d{1,2}):(\d\d)(?::(\d\d))?)?$/;
/** Epoch numbers above this are milliseconds, below it seconds (the year 5138, or March 1973). */
const EPOCH_MS_FROM = 100_000_000_000;

/** Dates beyond the calendar's years, and days without end: as `data/values.ts` describes them. */
const BEYOND_DATE = /^(?:-?infinity|[+-]\d{6,7}-\d\d-\d\d)$/;
const BEYOND_MOMENT = /^(?:-?infinity|[+-]\d{6,7}-\d\d-\d\dT\d\d:\d\d:\d\d\.(?:\d{3}|\d{6})Z)$/;

const date: Conform = (value) => {
  if (typeof value === "string" && BEYOND_DATE.test(value)) return value;
  if (typeof value === "string" && ISO_DATE.test(value)) return validDay(value, value);
  const moment = momentOf(value);
  if (moment === null) throw new TypeMismatchError(fill(connectionErrors.mismatch.date, { value: quote(value) }));
  return moment.slice(0, 10);
};

const datetime: Conform = (value) => {
  if (typeof value === "string" && BEYOND_MOMENT.test(value)) return value;
  const moment = momentOf(value);
  if (moment === null) throw new TypeMismatchError(fill(connectionErrors.mismatch.datetime, { value: quote(value) }));
  return moment;
};

/** UTC ISO-8601 with milliseconds, or microseconds where there are any, or null. Times without a zone are taken as UTC. */
function momentOf(value: Value): string | null {
  if (typeof value === "number") return isoOf(value > EPOCH_MS_FROM ? value : value * 1000);
  if (typeof value !== "string") return null;
  const words = value.trim();
  if (ISO_UTC.test(words)) return Number.isNaN(Date.parse(words)) ? null : words.replace(/(?<=\.\d{3})000Z$/, "Z");
  if (ISO_DATE.test(words)) return isoOf(Date.parse(`${words}T00:00:00Z`));
  if (ISO_DATETIME.test(words)) return withMicroseconds(isoOf(Date.parse(withZone(words))), words);
  if (/^-?\d{9,13}$/.test(words)) return momentOf(Number(words));
  const us = US_DATE.exec(words);
  return us ? isoOf(Date.parse(fromUs(us))) : null;
}

/** Puts back what `Date` cuts off; digits beyond microseconds are cut. */
function withMicroseconds(iso: string | null, words: string): string | null {
  const digits = /[.,]\d{3}(\d{1,3})/.exec(words)?.[1]?.padEnd(3, "0") ?? "000";
  return iso === null || digits === "000" ? iso : `${iso.slice(0, -1)}${digits}Z`;
}

function withZone(words: string): string {
  const iso = words.replace(" ", "T").replace(",", ".").replace(/\s/g, "");
  if (/Z$/i.test(iso)) return iso;
  const zone = /([+-]\d\d):?(\d\d)?$/.exec(iso.slice(10));
  return zone ? iso.slice(0, iso.length - zone[0].length) + `${zone[1]}:${zone[2] ?? "00"}` : `${iso}Z`;
}

const fromUs = ([
  ,
  month = "",
  day = "",
  year = "",
  hour = "0",
  minute = "00",
  second = "00",
]: RegExpExecArray): string =>
  `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}T${hour.padStart(2, "0")}:${minute}:${second}Z`;

const isoOf = (milliseconds: number): string | null => {
  const moment = new Date(milliseconds);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
};

/** `2024-02-30` parses as a date of March: a day must come back as it went in. */
function validDay(day: string, value: Value): string {
  if (!isDay(day)) throw new TypeMismatchError(fill(connectionErrors.mismatch.day, { value: quote(value) }));
  return day;
}

const structure: Conform = (value) => value;

const CONFORM: Record<DataType, Conform> = {
  boolean,
  integer,
  double,
  decimal,
  string: text,
  date,
  datetime,
  timestamp: datetime,
  picklist: text,
  reference: text,
  object: structure,
  child: structure,
  complex: structure,
  password: text,
};

const asText = (value: Value): string => (typeof value === "object" ? "" : String(value).trim());

const quote = (value: Value): string => {
  const words = typeof value === "string" ? value : JSON.stringify(value);
  return `"${words.length > 60 ? `${words.slice(0, 57)}…` : words}"`;
};
