/** Texts of files as dates and numbers, by what was said of them: nothing that can be read in two ways is guessed. */
import { TypeMismatchError } from "@accord/connector-sdk";
import type { FileSettings } from "@accord/contracts/connections/file-settings";
import { canonicalNumber, isExactNumber, plainNumber } from "@accord/contracts/data/exact-number";
import type { DataType, Value } from "@accord/contracts/data/values";
import type { Format } from "./formats/format.ts";

/** How the texts of a table become values. */
export interface TextRules extends FileSettings {
  /**
   * false for folders of which nothing was said file by file: they are read as ever. Numbers may lose digits and leading
   * zeros, and with the month first, only dates with slashes are dates.
   */
  isExact: boolean;
}

export type NumberStyle = Exclude<FileSettings["numbers"], "plain">;
export type DateOrder = Exclude<FileSettings["dates"], "yearFirst">;

const DAY_AND_MONTH = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:[T ,]\s?(\d{1,2}):(\d\d)(?::(\d\d)(\.\d{1,6})?)?)?$/;
const NUMBERS: Readonly<Record<NumberStyle, RegExp>> = {
  point: /^[+-]?(?:[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|(?:(?:0|[1-9]\d*)(?:\.\d+)?|\.\d+)(?:e[+-]?\d{1,3})?)$/i,
  comma: /^[+-]?(?:[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?|(?:(?:0|[1-9]\d*)(?:,\d+)?|,\d+)(?:e[+-]?\d{1,3})?)$/i,
};
/** What may pass for a number somewhere. */
const ANY_NUMBER = /^[+-]?[\d.,]+(?:e[+-]?\d{1,3})?$/i;

/** Letters of the longest text that is looked at as a number: no field keeps more than 400 digits. */
const MOST_DIGITS = 1_000;

const isTooLong = (text: string): boolean => text.length > MOST_DIGITS;

/** The two numbers before the year, or null where the text is no date of that form. */
export function dayAndMonth(text: string): [number, number] | null {
  const found = DAY_AND_MONTH.exec(text.trim());
  return found ? [Number(found[1]), Number(found[3])] : null;
}

/** `2026-04-03`, or with its time; null where the text is no such date in that order. */
export function isoDate(text: string, order: DateOrder): string | null {
  const found = DAY_AND_MONTH.exec(text.trim());
  if (!found) return null;
  const [, first = "", , second = "", year = "", hour, minute = "00", seconds = "00", rest = ""] = found;
  const [day, month] = order === "dayFirst" ? [first, second] : [second, first];
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const moment = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(moment.getTime()) || moment.toISOString().slice(0, 10) !== date) return null;
  return hour === undefined ? date : `${date}T${hour.padStart(2, "0")}:${minute}:${seconds}${rest}Z`;
}

export function fitsStyle(text: string, style: NumberStyle): boolean {
  const words = text.trim();
  return !isTooLong(words) && NUMBERS[style].test(words);
}

/** `1234.56`; null where the text is no number of that style. Digits are kept as they stand. */
export function plainDigits(text: string, style: NumberStyle): string | null {
  const words = text.trim();
  if (!fitsStyle(words, style)) return null;
  const plain = style === "point" ? words.replaceAll(",", "") : words.replaceAll(".", "").replace(",", ".");
  return plain.replace(/^\+/, "");
}

/** As types are found out from it: its plain form where it has one; in quotation marks what is a text in these files. */
export function plainText(text: string, rules: TextRules): string {
  if (rules.numbers === "plain") return plainMoment(text, rules);
  const digits = plainDigits(text, rules.numbers);
  if (digits !== null) return digits;
  const words = text.trim();
  return !isTooLong(words) && ANY_NUMBER.test(words) ? `"${text}"` : plainMoment(text, rules);
}

/** The same for texts of JSON and of workbooks, which are no numbers. */
export function plainMoment(text: string, rules: TextRules): string {
  if (isReadAsEver(rules) || !dayAndMonth(text)) return text;
  // A date that nobody gave an order is no date, whatever another part of the product would make of it.
  return (rules.dates === "yearFirst" ? null : isoDate(text, rules.dates)) ?? `"${text}"`;
}

/** Dates with the month first are what the fields' own readers take. */
const isReadAsEver = ({ isExact, dates }: TextRules): boolean => !isExact && dates === "monthFirst";

/** More digits than a floating-point number keeps. */
export const hasManyDigits = (digits: string): boolean =>
  isTooLong(digits) ||
  digits
    .replace(/^[+-]?0*\.?0*/, "")
    .replace(/e.*$/i, "")
    .replace(".", "")
    .replace(/0+$/, "").length > 15;

export const isMoment = (type: DataType): boolean => type === "date" || type === "datetime" || type === "timestamp";

/** A text of a file as the field's own reader takes it. Throws `TypeMismatchError` for what could be read in two ways. */
export function textFor(type: DataType, text: string, rules: TextRules): string {
  if (text.trim() === "") return text;
  if (isMoment(type)) return dateText(text, rules);
  if (type !== "integer" && type !== "double" && type !== "decimal") return text;
  const { numbers, isExact } = rules;
  if (numbers === "plain" && !isExact) return text;
  const digits = numbers === "plain" ? text.trim() : plainDigits(text, numbers);
  if (/^[+-]?0\d/.test(text.trim()))
    throw new TypeMismatchError(
      `"${text.slice(0, 100)}" begins with a zero: it is a code, and the field holds numbers`,
    );
  if (digits === null) throw new TypeMismatchError(`"${text.slice(0, 100)}" is not a number in the chosen style`);
  if (isExact && type === "double" && hasManyDigits(digits))
    throw new TypeMismatchError(`"${text.slice(0, 100)}" has more digits than the field keeps exactly`);
  return isExact && type === "decimal" ? withoutExponent(digits) : digits;
}

/** A value of a file as the field's own reader takes it: texts by what was said of them, numbers with all of their digits. */
export function writtenFor(
  type: DataType,
  value: Value | undefined,
  rules: TextRules,
  { isText, printsDoubles = false }: Pick<Format, "isText" | "printsDoubles">,
): Value | undefined {
  if (typeof value === "string") return isText || isMoment(type) ? textFor(type, value, rules) : value;
  if (!rules.isExact) return value;
  if (type === "double" && losesDigits(value, printsDoubles))
    throw new TypeMismatchError(`${JSON.stringify(value).slice(0, 100)} has more digits than the field keeps exactly`);
  return type === "decimal" ? withoutExponents(value) : value;
}

/** Whether a number of JSON or of a workbook, or one in a list of them, has more digits than a floating-point number keeps. */
export function losesDigits(value: Value | undefined, printsDoubles: boolean): boolean {
  if (Array.isArray(value)) return value.some((one) => losesDigits(one, printsDoubles));
  if (!isExactNumber(value) || typeof plainNumber(value) === "number") return false;
  if (!printsDoubles) return true;
  return canonicalNumber(Number(value.rawJSON).toPrecision(17)) !== canonicalNumber(value.rawJSON);
}

function withoutExponents(value: Value | undefined): Value | undefined {
  if (Array.isArray(value)) return value.map((one) => withoutExponents(one) ?? null);
  const plain = isExactNumber(value) ? plainNumber(value) : value;
  return typeof plain === "string" ? withoutExponent(plain) : value;
}

/** `1.25e3` → `1250`: fields with exact digits take no exponents without losing some. */
function withoutExponent(digits: string): string {
  const found = isTooLong(digits) ? null : /^([+-]?)(\d*)\.?(\d*)e([+-]?\d{1,3})$/i.exec(digits);
  if (!found) return digits;
  const [, sign = "", whole = "", fraction = "", exponent = ""] = found;
  const all = whole + fraction;
  if (all === "") return digits;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${all}`;
  return `${sign}${all.slice(0, point).padEnd(point, "0")}${point < all.length ? `.${all.slice(point)}` : ""}`;
}

function dateText(text: string, rules: TextRules): string {
  const { dates } = rules;
  if (isReadAsEver(rules) || !dayAndMonth(text)) return text;
  const iso = dates === "yearFirst" ? null : isoDate(text, dates);
  if (iso !== null) return iso;
  const why = dates === "yearFirst" ? "which of its numbers is the day was never said" : "there is no such day";
  throw new TypeMismatchError(`"${text.slice(0, 100)}" is not a date: ${why}`);
}
