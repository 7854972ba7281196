/** Dates and moments: reading the forms people and systems write, and whole days in a time zone. */

export const DAY_MS = 86_400_000;

const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const ISO_MOMENT =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|z|[+-]\d{2}(?::?\d{2})?)?$/;
const AMERICAN = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: (\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const EPOCH_MS = /^-?\d{9,15}$/;

/**
 * What a text said: a whole day, a moment in UTC milliseconds, or a wall-clock time without a zone. `microseconds`: 0 to
 * 999 beyond `ms`; finer digits are cut.
 */
export type ReadTime =
  | { kind: "date"; day: number }
  | { kind: "moment"; ms: number; microseconds?: number }
  | { kind: "local"; day: number; ms: number; microseconds?: number };

/** Days since 1970-01-01 of a calendar date that exists, else null. Years 1 to 9999. */
export function dayNumber(year: number, month: number, day: number): number | null {
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31) return null;
  if (day > 28 && day > lengthOf(month, year)) return null;
  // Years begin in March here, so that the leap day comes last: 153 days in each five months.
  const from = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return from * 365 + Math.floor(from / 4) - Math.floor(from / 100) + Math.floor(from / 400) + dayOfYear - EPOCH_DAY;
}

/** Days from the first of March of the year 0 to 1970-01-01. */
const EPOCH_DAY = 719_468;

function lengthOf(month: number, year: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** `YYYY-MM-DD` of a day number. */
export const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Day number of a `YYYY-MM-DD` text, else null. */
export function readDay(text: string): number | null {
  const found = ISO_DATE.exec(text);
  return found ? dayNumber(Number(found[1]), Number(found[2]), Number(found[3])) : null;
}

/**
 * The inside form of a moment: UTC ISO-8601 with milliseconds, or microseconds (0 to 999 beyond `ms`) where there are
 * any. null outside the years 1 to 9999.
 */
export function instantText(ms: number, microseconds = 0): string | null {
  if (!Number.isFinite(ms) || Math.abs(ms) > 8.64e15) return null;
  const text = new Date(ms).toISOString();
  if (text.length !== 24 || text.startsWith("0000")) return null;
  return microseconds === 0 ? text : `${text.slice(0, -1)}${String(microseconds).padStart(3, "0")}Z`;
}

const BEYOND = /^([+-]\d{6,7})-(\d\d)-(\d\d)(?:T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}(?:\d{3})?Z)?$/;
/** Years that PostgreSQL has, each of its two types: the first and, by type, the last. */
const FIRST_YEAR = -4712;
const LAST_YEARS = { date: 5_874_896, moment: 294_275 };
/** The calendar repeats itself after so many years. */
const CYCLE_YEARS = 400;

/**
 * Days and moments that the calendar's years 1 to 9999 don't have, in their inside form: `infinity`, `-infinity`, and
 * years with a sign. A day is its midnight in UTC as a moment, a moment its day in UTC. null for all others.
 */
export function readBeyond(text: string, wanted: "date" | "moment"): string | null {
  if (text === "infinity" || text === "-infinity") return text;
  const [, yearDigits, month, day, hour] = BEYOND.exec(text) ?? [];
  if (yearDigits === undefined) return null;
  const year = Number(yearDigits);
  if (year < FIRST_YEAR || (year >= 1 && year <= 9999) || year > LAST_YEARS[wanted]) return null;
  const alike = (((year % CYCLE_YEARS) + CYCLE_YEARS) % CYCLE_YEARS) + CYCLE_YEARS;
  if (dayNumber(alike, Number(month), Number(day)) === null) return null;
  if (wanted === "date") return text.replace(/T.*/, "");
  return hour === undefined ? `${text}T00:00:00.000Z` : text.replace(/(?<=\.\d{3})000Z$/, "Z");
}

function timeOfDay(hour: string, minute: string, second = "0", fraction = ""): number | null {
  const [h, m, s] = [Number(hour), Number(minute), Number(second)];
  if (h > 23 || m > 59 || s > 59) return null;
  return ((h * 60 + m) * 60 + s) * 1000 + Number(fraction.padEnd(3, "0").slice(0, 3));
}

/** What a fraction of a second has beyond milliseconds. */
const microsecondsOf = (fraction = ""): { microseconds?: number } => {
  const microseconds = Number(fraction.padEnd(6, "0").slice(3, 6));
  return microseconds === 0 ? {} : { microseconds };
};

function zoneOffsetMinutes(zone: string): number | null {
  if (zone === "Z" || zone === "z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", "") || "0");
  if (hours > 15 || minutes > 59) return null;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

/** Reads ISO dates and moments, epoch milliseconds and `M/D/YYYY[ HH:mm[:ss]]`; null for anything else. */
export function readTime(text: string): ReadTime | null {
  const utc = readUtc(text);
  if (utc !== null) return utc;
  const trimmed = text.trim();
  const day = readDay(trimmed);
  if (day !== null) return { kind: "date", day };
  if (EPOCH_MS.test(trimmed)) return { kind: "moment", ms: Number(trimmed) };
  const iso = ISO_MOMENT.exec(trimmed);
  if (iso) return readIsoMoment(iso);
  const american = AMERICAN.exec(trimmed);
  if (!american) return null;
  const at = dayNumber(Number(american[3]), Number(american[1]), Number(american[2]));
  if (at === null) return null;
  if (american[4] === undefined) return { kind: "date", day: at };
  const time = timeOfDay(american[4], american[5]!, american[6]);
  return time === null ? null : { kind: "local", day: at, ms: time };
}

/** Separators of `2026-11-21T12:34:56.789Z`, by place. */
const UTC_FORM = "0000-00-00T00:00:00.000Z";

/** The form in which moments are kept and most systems write them; null for any other. */
function readUtc(text: string): ReadTime | null {
  if (text.length !== UTC_FORM.length) return null;
  for (let at = 0; at < UTC_FORM.length; at += 1) {
    const [wanted, unit] = [UTC_FORM.charCodeAt(at), text.charCodeAt(at)];
    if (wanted === ZERO ? unit < ZERO || unit > ZERO + 9 : unit !== wanted) return null;
  }
  const day = dayNumber(digits(text, 0, 4), digits(text, 5, 2), digits(text, 8, 2));
  const [hour, minute, second] = [digits(text, 11, 2), digits(text, 14, 2), digits(text, 17, 2)];
  if (day === null || hour > 23 || minute > 59 || second > 59) return null;
  return { kind: "moment", ms: day * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + digits(text, 20, 3) };
}

const ZERO = 48;

function digits(text: string, from: number, count: number): number {
  let number = 0;
  for (let at = from; at < from + count; at += 1) number = number * 10 + text.charCodeAt(at) - ZERO;
  return number;
}

function readIsoMoment(found: RegExpExecArray): ReadTime | null {
  const day = dayNumber(Number(found[1]), Number(found[2]), Number(found[3]));
  const time = timeOfDay(found[4]!, found[5]!, found[6], found[7]);
  if (day === null || time === null) return null;
  const finer = microsecondsOf(found[7]);
  if (found[8] === undefined) return { kind: "local", day, ms: time, ...finer };
  const offset = zoneOffsetMinutes(found[8]);
  return offset === null ? null : { kind: "moment", ms: day * DAY_MS + time - offset * 60_000, ...finer };
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(timeZone, made);
  return made;
}

/**
 * Whether the platform knows this IANA time zone name. Offsets such as `+05:30` are none: JavaScript and PostgreSQL count
 * them in opposite directions.
 */
export function isTimeZone(timeZone: string): boolean {
  if (!/^[A-Za-z]/.test(timeZone)) return false;
  try {
    formatFor(timeZone);
    return true;
  } catch {
    return false;
  }
}

/** Offset of a zone during a day in UTC; null on days on which the clock is set. */
const offsets = new Map<string, Map<number, number | null>>();
const MAX_DAYS = 20_000;

/** The platform's own calendar is slow: it is asked for both ends of a day, and most days have one offset. */
function offsetOfDay(day: number, timeZone: string): number | null {
  let days = offsets.get(timeZone);
  if (!days || days.size > MAX_DAYS) offsets.set(timeZone, (days = new Map()));
  const known = days.get(day);
  if (known !== undefined) return known;
  const [start, end] = [day * DAY_MS, (day + 1) * DAY_MS - 1];
  const offset = exactWallClock(start, timeZone) - start;
  const answer = exactWallClock(end, timeZone) - end === offset ? offset : null;
  days.set(day, answer);
  return answer;
}

/** The wall clock of a moment in a zone, as if it were UTC milliseconds. */
export function toZonedTime(ms: number, timeZone: string): number {
  if (timeZone === "UTC") return ms;
  const day = Math.floor(ms / DAY_MS);
  // At the ends of the calendar a day may have only one end.
  const offset = day > FIRST_CACHED && day < LAST_CACHED ? offsetOfDay(day, timeZone) : null;
  return offset === null ? exactWallClock(ms, timeZone) : ms + offset;
}

/** From 1900 on: before, clocks went by the sun, and by odd seconds. To 2100. */
const FIRST_CACHED = -25_567;
const LAST_CACHED = 47_482;

function exactWallClock(ms: number, timeZone: string): number {
  const parts: Record<string, string> = {};
  for (const part of formatFor(timeZone).formatToParts(ms)) parts[part.type] = part.value;
  const year = parts["era"] === "BC" ? 1 - Number(parts["year"]) : Number(parts["year"]);
  const at = new Date(0);
  at.setUTCFullYear(year, Number(parts["month"]) - 1, Number(parts["day"]));
  at.setUTCHours(Number(parts["hour"]), Number(parts["minute"]), Number(parts["second"]));
  return at.getTime() + (((ms % 1000) + 1000) % 1000);
}

/** Day number of a moment in a zone. */
export const dayOfMoment = (ms: number, timeZone: string): number => Math.floor(toZonedTime(ms, timeZone) / DAY_MS);

/** The moment at which a wall clock shows this, as PostgreSQL reads it: the second of two when the clock was set back. */
export function fromZonedTime(wall: number, timeZone: string): number {
  if (timeZone === "UTC") return wall;
  const after = wall - (toZonedTime(wall + DAY_MS, timeZone) - (wall + DAY_MS));
  if (toZonedTime(after, timeZone) === wall) return after;
  // In the gap of a clock set forward no moment shows `wall`: the offset before the gap gives the moment just after it.
  return wall - (toZonedTime(wall - DAY_MS, timeZone) - (wall - DAY_MS));
}

/** The first moment of a day in a zone. */
export const startOfDay = (day: number, timeZone: string): number => fromZonedTime(day * DAY_MS, timeZone);
