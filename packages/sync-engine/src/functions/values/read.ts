/** Reading a value as what a function works on; a value that isn't it fails its record with a reason. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { fill } from "@accord/contracts/messages/fill";
import type { Value } from "@accord/contracts/data/values";
import {
  dayNumber,
  dayText,
  isBlank,
  fromZonedTime,
  instantText,
  numberOrText,
  numberText,
  readTime,
  type ReadTime,
  roundDecimal,
  type RoundingMode,
  splitList,
  textOf,
  toZonedTime,
} from "@accord/expressions";
import { FunctionFailure } from "../define.ts";

const excerpt = (value: Value): string => {
  const text = textOf(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

/** Plain decimal text. */
export function numberOf(value: Value): string {
  const text = typeof value === "string" || typeof value === "number" ? numberText(value) : null;
  if (text === null)
    throw new FunctionFailure("not_a_number", fill(nodeFailures.notANumber, { value: excerpt(value) }));
  return text;
}

const readTimeOf = (value: Value): ReadTime | null => (typeof value === "string" ? readTime(value) : null);

/** Whether `timeOf` can read it. */
export const isTime = (value: Value): boolean => readTimeOf(value) !== null;

export function timeOf(value: Value): ReadTime {
  const read = readTimeOf(value);
  if (!read) throw new FunctionFailure("not_a_date", fill(nodeFailures.notADate, { value: excerpt(value) }));
  return read;
}

/** The wall clock in a zone as if it were UTC milliseconds; whole days have no zone. */
export function wallOf(read: ReadTime, timeZone: string): number {
  switch (read.kind) {
    case "date":
      return read.day * 86_400_000;
    case "moment":
      return toZonedTime(read.ms, timeZone);
    case "local":
      return read.day * 86_400_000 + read.ms;
  }
}

/** The moment, in UTC milliseconds: whole days begin, and clocks without a zone are read, in the zone given. */
export const momentOf = (read: ReadTime, timeZone: string): number =>
  read.kind === "moment" ? read.ms : fromZonedTime(wallOf(read, timeZone), timeZone);

/** The inside form of a moment. */
export function momentValue(ms: number): string {
  const text = instantText(ms);
  if (text === null) throw new FunctionFailure("date_out_of_range", nodeFailures.dateOutOfRange);
  return text;
}

const FIRST_DAY = dayNumber(1, 1, 1) ?? 0;
const LAST_DAY = dayNumber(9999, 12, 31) ?? 0;

/** The inside form of a whole day. */
export function dateValue(day: number): string {
  if (!(day >= FIRST_DAY && day <= LAST_DAY)) momentValue(Number.NaN);
  return dayText(day);
}

/** The items of a list; a single value is a list of one, blank has none. With a separator, text is cut at it. */
export function itemsOf(value: Value, separator?: ";"): Value[] {
  if (value === null || value === "") return [];
  if (Array.isArray(value)) return value;
  return separator !== undefined && typeof value === "string" ? splitList(value) : [value];
}

/** The filled items of a list as plain decimal texts. */
export const numbersOf = (value: Value): string[] =>
  itemsOf(value)
    .filter((item) => !isBlank(item))
    .map(numberOf);

/** The whole number beside a number: doubles as IEEE does it (minus zero and what is not finite stay), texts exactly. */
export const wholeBeside = (value: Value, mode: RoundingMode, native: (number: number) => number): Value =>
  typeof value === "number" ? native(value) : numberOrText(roundDecimal(numberOf(value), 0, mode));
