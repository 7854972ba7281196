/** Forms of dates such as `dd.MM.yyyy` in formulas: what PostgreSQL needs to write and read the same. */
import { sql, type SqlFragment } from "../sql/fragment.ts";
import { type DatePiece, readPattern } from "../values/date-pattern.ts";
import { dayNumber } from "../values/time.ts";

const WRITTEN: Readonly<Record<string, string>> = {
  yyyy: "YYYY",
  yy: "YY",
  MMMM: "FMMonth",
  MMM: "Mon",
  MM: "MM",
  M: "FMMM",
  dd: "DD",
  d: "FMDD",
  EEEE: "FMDay",
  EEE: "Dy",
  HH: "HH24",
  H: "FMHH24",
  hh: "HH12",
  h: "FMHH12",
  mm: "MI",
  m: "FMMI",
  ss: "SS",
  s: "FMSS",
  SSS: "MS",
  a: "AM",
};

/** The form for `to_char`, text in quotes. */
export const postgresPattern = (form: string): string =>
  (readPattern(form) ?? [])
    .map((piece) => ("field" in piece ? (WRITTEN[piece.field] ?? "") : `"${piece.text.replaceAll(/[\\"]/g, "\\$&")}"`))
    .join("");

const DIGITS: Readonly<Record<string, string>> = {
  yyyy: "([0-9]{4})",
  MM: "([0-9]{2})",
  M: "([0-9]{1,2})",
  dd: "([0-9]{2})",
  d: "([0-9]{1,2})",
};

/** The expression a text of this form matches, and which group holds what. null for forms with anything else in them. */
function reading(form: string): { pattern: string; year: number; month: number; day: number } | null {
  const pieces = readPattern(form) ?? [];
  const fields = pieces.flatMap((piece) => ("field" in piece ? [piece.field] : []));
  const place = (...names: string[]) => fields.findIndex((field) => names.includes(field)) + 1;
  const [year, month, day] = [place("yyyy"), place("MM", "M"), place("dd", "d")];
  const isWhole = fields.length === 3 && year > 0 && month > 0 && day > 0;
  return isWhole ? { pattern: `^${pieces.map(matcher).join("")}$`, year, month, day } : null;
}

const matcher = (piece: DatePiece): string =>
  "field" in piece
    ? (DIGITS[piece.field] ?? "")
    : piece.text.replaceAll(/[\x20-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]/g, "\\$&");

export const isSupportedFormat = (form: string): boolean => reading(form) !== null;

/** Day number, or null. */
export function parseByFormat(text: string, form: string): number | null {
  const read = reading(form);
  const found = read && new RegExp(read.pattern).exec(text);
  return found ? dayNumber(Number(found[read.year]), Number(found[read.month]), Number(found[read.day])) : null;
}

export function dayByFormSql(text: SqlFragment, form: string): SqlFragment {
  const read = reading(form);
  if (!read) return sql`NULL::date`;
  const part = (group: number) => sql`(regexp_match(${text}, ${read.pattern}::text))[${group}::integer]::integer`;
  const [year, month, day] = [part(read.year), part(read.month), part(read.day)];
  const lastDay = sql`extract(day FROM make_date(${year}, ${month}, 1) + interval '1 month' - interval '1 day')`;
  return sql`CASE WHEN ${text} ~ ${read.pattern}::text THEN CASE WHEN ${year} >= 1 AND ${month} BETWEEN 1 AND 12 THEN CASE WHEN ${day} BETWEEN 1 AND ${lastDay} THEN make_date(${year}, ${month}, ${day}) END END END`;
}
