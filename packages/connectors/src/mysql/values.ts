/** Reads the server's texts into Accord's values, and writes these as the column takes them, to the last digit. */
import { changeTimeOf, isDay, TypeMismatchError, valueParser, type SourceRecord } from "@accord/connector-sdk";
import { parseExactJson } from "@accord/contracts/data/exact-json";
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Value } from "@accord/contracts/data/values";
import type { SqlValue, TextRow } from "./client.ts";
import { isFlag, type Column } from "./columns.ts";
import { quoteName } from "./quote-name.ts";

/** The column of `t` as text that loses nothing: floats are printed with six digits by themselves, bytes are no text. */
export function selectedText({ name, kind }: Column): string {
  return asText(kind, `t.${quoteName(name)}`);
}

/** The column of a row that was just inserted, likewise. */
export const returnedText = ({ name, kind }: Column): string => asText(kind, quoteName(name));

function asText(kind: Column["kind"], column: string): string {
  if (kind === "bit") return `${column} + 0`;
  if (kind === "float") return `${column} + 0e0`;
  if (kind === "bytes") return `HEX(${column})`;
  if (kind === "geometry") return `ST_AsText(${column})`;
  return column;
}

/** A value's text inside Accord: bytes as PostgreSQL writes them, `\x00ff`. */
export function textOf({ kind }: Column, text: string): string {
  if (kind === "bytes") return `\\x${text.toLowerCase()}`;
  if (kind === "float") return shortestFloat(Number(text));
  return text;
}

/** The text of a key's value as it was written. */
export function givenText(column: Column, value: SqlValue): string {
  if (Buffer.isBuffer(value)) return textOf(column, value.toString("hex"));
  return String(value);
}

/** The shortest digits that are this number in 32 bits. */
function shortestFloat(number: number): string {
  for (let digits = 1; digits <= 9; digits += 1) {
    const text = String(Number(number.toPrecision(digits)));
    if (Math.fround(Number(text)) === Math.fround(number)) return text;
  }
  return String(number);
}

type FromText = (text: string) => Value;

function readerOf(field: FieldSchema, column: Column): FromText {
  const one = readerOfOne(field, column);
  if (!field.isMultiValueField) return one;
  return (text) => (text === "" ? [] : text.split(",").map(one));
}

function readerOfOne(field: FieldSchema, column: Column): FromText {
  const parse = valueParser({ ...field, isMultiValueField: false });
  switch (field.dataType) {
    case "object":
      return jsonOf;
    case "string":
    case "reference":
    case "picklist":
      return (text) => textOf(column, text);
    case "date":
    case "datetime":
      return (text) => {
        // Zero dates, and days that no month has: the server may hold them.
        if (!isDay(text.slice(0, 10))) throw new TypeMismatchError(`"${text}" is no day of the calendar`);
        return parse(text);
      };
    default:
      return (text) => parse(textOf(column, text));
  }
}

const jsonOf: FromText = (text) => {
  try {
    return parseExactJson(text);
  } catch {
    throw new TypeMismatchError("this is no JSON");
  }
};

export interface ReadField {
  field: FieldSchema;
  /** null: the columns of a joined key, whose value is the id. */
  column: Column | null;
}

interface RowShape {
  key: readonly Column[];
  fields: readonly ReadField[];
  /** Rows have the moment of their change after their key, where the watermark itself has no zone. */
  hasMoment: boolean;
}

/** Id of a row that begins with the texts of its key. */
export function idOfRow(key: readonly Column[], row: TextRow): string {
  const texts = key.map((column, at) => textOf(column, row[at] ?? ""));
  return texts.length === 1 ? (texts[0] ?? "") : JSON.stringify(texts);
}

/** Turns rows of `[...key, moment, ...fields]` into records; `modifiedAt` comes from the field marked as watermark. */
export function rowReader({ key, fields, hasMoment }: RowShape): (rows: readonly TextRow[]) => SourceRecord[] {
  const readers = fields.map(({ field, column }) => ({
    field,
    read: column ? readerOf(field, column) : null,
  }));
  const watermark = fields.find(({ field }) => field.isWatermarkField)?.field.apiName;
  return (rows) =>
    rows.map((row) => {
      const record: SourceRecord = { id: idOfRow(key, row), values: {} };
      for (const [index, { field, read }] of readers.entries())
        readField(record, field, read, row[key.length + 1 + index] ?? null);
      const moment = row[key.length];
      const changed = hasMoment && moment ? momentOf(moment) : watermark && changeTimeOf(record.values[watermark]);
      if (changed) record.modifiedAt = changed;
      return record;
    });
}

/** `2024-01-31 10:20:30.123456`, in UTC, with milliseconds; undefined for one outside the calendar. */
const momentOf = (text: string): string | undefined =>
  isDay(text.slice(0, 10)) ? `${text.replace(" ", "T").slice(0, 23)}Z` : undefined;

/** Longest part of a value that people are shown. */
const MAX_EXCERPT_LENGTH = 200;

function readField(record: SourceRecord, field: FieldSchema, read: FromText | null, text: string | null): void {
  const { apiName, displayName } = field;
  try {
    if (!read) record.values[apiName] = record.id;
    else record.values[apiName] = text === null ? null : read(text);
  } catch (error) {
    if (!(error instanceof TypeMismatchError)) throw error;
    const message = `${displayName}: ${error.message}.`;
    (record.badFields ??= []).push({ field: apiName, message, excerpt: (text ?? "").slice(0, MAX_EXCERPT_LENGTH) });
  }
}

const WHOLE = /^[+-]?\d{1,30}$/;

/** A value as the column takes it; throws `TypeMismatchError` for one that the server would change or take for another. */
export function writtenValue(column: Column, value: Value): SqlValue {
  if (value === null) return null;
  const { kind } = column;
  if (kind === "json") return JSON.stringify(value);
  if (kind === "options") return optionsOf(column, Array.isArray(value) ? value : [value]);
  if (typeof value === "boolean") return kind === "text" ? String(value) : value ? 1n : 0n;
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  if (kind === "integer" || kind === "bit" || kind === "boolean") return wholeNumber(column, text);
  if (kind === "year") return yearOf(text);
  if (kind === "bytes") return bytesOf(text);
  if (kind === "date" || kind === "moment") return momentText(text);
  if (kind === "time") return spanText(text);
  if (kind === "option") return optionOf(column, text);
  return text;
}

/** Left to itself, the server rounds `1.5` and takes the text `1` for the bits of its letter. */
function wholeNumber(column: Column, text: string): bigint {
  if (isFlag(column) && /^(true|false)$/i.test(text)) return /^true$/i.test(text) ? 1n : 0n;
  const digits = text.trim().replace(/\.0+$/, "");
  if (!WHOLE.test(digits)) throw new TypeMismatchError(`"${text.slice(0, 60)}" is not a whole number`);
  return BigInt(digits.replace(/^\+/, ""));
}

const isYear = (year: bigint): boolean => year === 0n || (year >= 1901n && year <= 2155n);

/** Left to itself, the server takes `24` for 2024. */
function yearOf(text: string): bigint {
  const digits = text.trim().replace(/\.0+$/, "");
  if (!WHOLE.test(digits) || !isYear(BigInt(digits)))
    throw new TypeMismatchError(`"${text.slice(0, 60)}" is no year from 1901 to 2155`);
  return BigInt(digits);
}

const SPAN = /^-?\d{1,3}:\d\d(:\d\d(\.\d+)?)?$/;

/** Left to itself, the server takes `1230` for twelve minutes and a half, and the time of day out of a date. */
function spanText(text: string): string {
  if (!SPAN.test(text)) throw new TypeMismatchError(`"${text.slice(0, 60)}" is no time like 12:30:00`);
  return text;
}

/** Left to itself, the server takes `0` for a day of zeros. */
function momentText(text: string): string {
  if (!MOMENT.test(text) || !isDay(text.slice(0, 10)))
    throw new TypeMismatchError(`"${text.slice(0, 60)}" is no day of the calendar`);
  return timeText(text);
}

/** Left to itself, the server takes `2` for the second option where none is called so. */
function optionOf({ options }: Column, text: string): string {
  if (/^\s*\d+\s*$/.test(text) && !options.includes(text))
    throw new TypeMismatchError(`"${text}" is none of the options`);
  return text;
}

function optionsOf(column: Column, items: readonly Value[]): string {
  return items
    .map((item) => {
      const text = optionOf(column, typeof item === "string" ? item : String(item));
      if (text.includes(",")) throw new TypeMismatchError(`"${text}" is none of the options`);
      return text;
    })
    .join(",");
}

const bytesOf = (text: string): Buffer =>
  /^\\x([0-9a-f]{2})*$/i.test(text) ? Buffer.from(text.slice(2), "hex") : Buffer.from(text, "utf8");

const MOMENT = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?)?$/;

/** A day of the calendar, or one of zeros, which the server may hold: it refuses to be asked for any other. */
const isComparable = (day: string): boolean => isDay(day) || ZERO_DAY.test(day);

/** `0000-00-00`, `2024-00-00`, `2024-05-00`, `2024-00-05`. */
const ZERO_DAY = /^\d{4}-(?:00-(?:[0-2]\d|3[01])|(?:0\d|1[0-2])-00)$/;

/** `2024-01-31T10:20:30.123Z` → `2024-01-31 10:20:30.123`. */
const timeText = (text: string): string => text.replace(/^(\d{4}-\d\d-\d\d)T(.*)Z$/, "$1 $2");

/** A placeholder and its value that compares exactly with the column; null for a text that the column can't hold. */
export function comparedValue(column: Column, text: string): { sql: string; value: SqlValue } | null {
  const as = (value: SqlValue, sql = "?") => ({ sql, value });
  switch (column.kind) {
    case "integer":
    case "bit":
    case "boolean":
      if (isFlag(column) && /^(true|false)$/i.test(text)) return as(/^true$/i.test(text) ? 1n : 0n);
      return WHOLE.test(text) ? as(BigInt(text)) : null;
    case "year":
      return WHOLE.test(text) && isYear(BigInt(text)) ? as(BigInt(text)) : null;
    case "float":
    case "double": {
      const whole = text.trim() === "" ? Number.NaN : Number(text);
      const number = column.kind === "float" ? Math.fround(whole) : whole;
      return Number.isFinite(number) ? as(number) : null;
    }
    case "decimal": {
      const [isNumber, whole = "", fraction = ""] = /^-?0*(\d{1,65})(?:\.(\d{1,38}))?$/.exec(text) ?? [];
      const { precision, scale } = { precision: column.precision ?? 65, scale: column.scale ?? 30 };
      if (isNumber === undefined || fraction.replace(/0+$/, "").length > scale) return null;
      // Left to itself, the server takes the largest that the column holds for what is larger.
      if (whole.replace(/^0$/, "").length > precision - scale) return null;
      return as(text, `CAST(? AS DECIMAL(${precision}, ${scale}))`);
    }
    case "date":
    case "moment":
      if (/\.\d{7}/.test(text) || !MOMENT.test(text)) return null;
      return isComparable(text.slice(0, 10)) ? as(timeText(text)) : null;
    case "time":
      return /^-?\d{1,3}:\d\d(:\d\d(\.\d{1,6})?)?$/.test(text) ? as(text) : null;
    case "bytes":
      return as(bytesOf(text));
    case "json":
    case "geometry":
      return null;
    default:
      return as(text);
  }
}
