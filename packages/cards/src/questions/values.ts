/** Values of conditions as they are written in questions: numbers with units, days and months, options by their label. */
import type { ProposedCondition } from "@accord/contracts/insights/card-assistant";
import type { DatasetColumn } from "@accord/contracts/insights/dataset-config";
import { isDateColumn, isNumberColumn } from "../column-types.ts";

type Plain = ProposedCondition["values"][number];

const MONTHS = "january february march april may june july august september october november december".split(" ");
export const MONTH = `(?:${MONTHS.map((name) => `${name}|${name.slice(0, 3)}`).join("|")})`;
/** A year, a month of a year, or a day. */
export const DAY = `(?:\\d{4}-\\d{2}-\\d{2}|\\d{4}-\\d{2}|${MONTH}\\.?\\s+\\d{4}|(?:19|20)\\d{2})(?!\\d)`;

/** Small numbers that are written as words. */
const WORDS: Readonly<Record<string, number>> = {
  ...{ one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 },
  ...{ twelve: 12, dozen: 12, fifteen: 15, twenty: 20, fifty: 50 },
};
export const NUMBER_WORD = `(?:${Object.keys(WORDS).join("|")})`;
/** Of a whole number that is written in digits or as a word. */
export const COUNT = `(?:\\d{1,3}(?:,\\d{3})+|\\d+|${NUMBER_WORD})`;
export const NUMBER = `(?:[$€]?-?\\d[\\d,]*(?:\\.\\d+)?\\s*(?:thousand|million|billion|bn|k|m)?|${NUMBER_WORD})(?![\\p{L}\\d])`;

const UNITS: Readonly<Record<string, number>> = { k: 1e3, thousand: 1e3, m: 1e6, million: 1e6, bn: 1e9, billion: 1e9 };

export function numberOf(text: string): number | null {
  const word = WORDS[text.trim().toLowerCase()];
  if (word !== undefined) return word;
  const match = /^[$€]?(-?\d[\d,]*(?:\.\d+)?)\s*([a-z]*)\s*%?$/i.exec(text.trim());
  if (!match) return null;
  const unit = match[2] ? UNITS[match[2].toLowerCase()] : 1;
  return unit === undefined ? null : Number(match[1]?.replaceAll(",", "")) * unit;
}

const two = (number: number): string => String(number).padStart(2, "0");

/** First and last day of what is written. */
export function daysOf(text: string): { first: string; last: string } | null {
  const plain = text.trim().toLowerCase();
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(plain);
  if (day) return { first: plain, last: plain };
  const named = /^([a-z]+)\.?\s+(\d{4})$/.exec(plain);
  const [year, month] = named
    ? [Number(named[2]), MONTHS.findIndex((name) => name.startsWith((named[1] ?? "").slice(0, 3))) + 1]
    : plain.split("-").map(Number);
  if (!year || !/^\d{4}/.test(String(year))) return null;
  if (month === undefined) return { first: `${year}-01-01`, last: `${year}-12-31` };
  if (month < 1 || month > 12) return null;
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return { first: `${year}-${two(month)}-01`, last: `${year}-${two(month)}-${last}` };
}

export const fold = (text: string): string => text.trim().toLowerCase();

/** The value that a column holds for what is written; null when it can hold no such value. */
export function valueFor(column: DatasetColumn, text: string): Plain | null {
  if (column.dataType === "picklist") {
    const option = Object.entries(column.labels ?? {}).find(
      ([key, label]) => fold(label) === fold(text) || fold(key) === fold(text),
    );
    return option?.[0] ?? (column.labels ? null : text);
  }
  if (isNumberColumn(column)) return numberOf(text);
  if (isDateColumn(column)) return daysOf(text)?.first ?? null;
  return text.trim() === "" ? null : text.trim();
}
