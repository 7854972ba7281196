/** Dates and times by the format codes of `strftime` and `strptime`, with those that low-code manifests add for epochs. */
import { TemplateError } from "./errors.ts";
import { Moment, momentOf, parseOffset, type MomentParts } from "./moments.ts";

const MONTHS = ["January", "February", "March", "April", "May", "June"].concat([
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
]);
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const short = (names: readonly string[]): string[] => names.map((name) => name.slice(0, 3));
const padded = (number: number, width = 2): string => String(number).padStart(width, "0");
const dayOfYear = (date: Date): number =>
  Math.floor(
    (Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()) - Date.UTC(date.getUTCFullYear(), 0, 1)) /
      86_400_000,
  ) + 1;
const hour12 = (date: Date): number => date.getUTCHours() % 12 || 12;
const isoWeekday = (date: Date): number => date.getUTCDay() || 7;

function offsetText({ offset }: Moment, colon = ""): string {
  if (offset === null) return "";
  const minutes = Math.abs(offset);
  return `${offset < 0 ? "-" : "+"}${padded(Math.floor(minutes / 60))}${colon}${padded(minutes % 60)}`;
}

function isoWeek(date: Date): number {
  const thursday = new Date(date);
  thursday.setUTCDate(date.getUTCDate() + 4 - isoWeekday(date));
  return Math.ceil(dayOfYear(thursday) / 7);
}

type Write = (moment: Moment, local: Date) => string;

const WRITE: Readonly<Record<string, Write>> = {
  Y: (_, date) => padded(date.getUTCFullYear(), 4),
  y: (_, date) => padded(date.getUTCFullYear() % 100),
  m: (_, date) => padded(date.getUTCMonth() + 1),
  d: (_, date) => padded(date.getUTCDate()),
  H: (_, date) => padded(date.getUTCHours()),
  I: (_, date) => padded(hour12(date)),
  M: (_, date) => padded(date.getUTCMinutes()),
  S: (_, date) => padded(date.getUTCSeconds()),
  f: ({ micros }, date) => padded(date.getUTCMilliseconds(), 3) + padded(micros, 3),
  _ms: (_, date) => padded(date.getUTCMilliseconds(), 3),
  p: (_, date) => (date.getUTCHours() < 12 ? "AM" : "PM"),
  B: (_, date) => MONTHS[date.getUTCMonth()] ?? "",
  b: (_, date) => short(MONTHS)[date.getUTCMonth()] ?? "",
  A: (_, date) => DAYS[date.getUTCDay()] ?? "",
  a: (_, date) => short(DAYS)[date.getUTCDay()] ?? "",
  j: (_, date) => padded(dayOfYear(date), 3),
  u: (_, date) => String(isoWeekday(date)),
  w: (_, date) => String(date.getUTCDay()),
  V: (_, date) => padded(isoWeek(date)),
  z: (moment) => offsetText(moment),
  Z: (moment) => (moment.offset === null ? "" : moment.offset === 0 ? "UTC" : `UTC${offsetText(moment, ":")}`),
  s: ({ ms }) => String(Math.floor(ms / 1000)),
  s_as_float: ({ ms, micros }) =>
    `${Math.floor(ms / 1000)}.${padded(ms - Math.floor(ms / 1000) * 1000, 3)}${padded(micros, 3)}`.replace(
      /(\.\d+?)0+$/,
      "$1",
    ),
  ms: ({ ms }) => String(ms),
  epoch_microseconds: ({ ms, micros }) => String(BigInt(ms) * 1000n + BigInt(micros)),
  "%": () => "%",
};

/** Short forms of several codes. */
const COMPOUND: Readonly<Record<string, string>> = { F: "%Y-%m-%d", T: "%H:%M:%S", D: "%m/%d/%y", R: "%H:%M" };
const CODE = /%(s_as_float|epoch_microseconds|_ms|ms|-?[A-Za-z%])/g;

const spelledOut = (format: string): string => format.replace(/%([FTDR])/g, (_, code: string) => COMPOUND[code] ?? "");

/** `%-d`: without leading zeros. */
export function formatMoment(moment: Moment, format: string): string {
  const { local } = moment;
  return spelledOut(format).replace(CODE, (whole, code: string) => {
    const name = code.replace(/^-/, "");
    const write = Object.hasOwn(WRITE, name) ? WRITE[name] : undefined;
    if (!write) throw new TemplateError(`The date format has ${whole}, which is not known`);
    const text = write(moment, local);
    return code.startsWith("-") ? text.replace(/^0+(?=.)/, "") : text;
  });
}

const names = (list: readonly string[]): string => list.join("|");
const READ: Readonly<Record<string, string>> = {
  Y: "\\d{4}",
  y: "\\d{2}",
  m: "\\d{1,2}",
  d: "\\d{1,2}",
  H: "\\d{1,2}",
  I: "\\d{1,2}",
  M: "\\d{1,2}",
  S: "\\d{1,2}",
  f: "\\d{1,9}",
  _ms: "\\d{1,3}",
  p: "[AaPp][Mm]",
  B: names(MONTHS),
  b: names(short(MONTHS)),
  A: names(DAYS),
  a: names(short(DAYS)),
  j: "\\d{1,3}",
  z: "Z|[+-]\\d{2}:?\\d{2}(?::?\\d{2})?",
  Z: "[A-Za-z]{1,5}",
};

interface Reader {
  codes: readonly string[];
  pattern: RegExp;
}
const readers = new Map<string, Reader>();

function readerOf(format: string): Reader {
  const known = readers.get(format);
  if (known) return known;
  const codes: string[] = [];
  const pattern = spelledOut(format).replace(/%(-?[A-Za-z]|_ms|%)|[\\^$.*+?()[\]{}|]/g, (whole, found?: string) => {
    if (found === undefined) return `\\${whole}`;
    const code = found.replace(/^-/, "");
    if (code === "%") return "%";
    const part = Object.hasOwn(READ, code) ? READ[code] : undefined;
    if (!part) throw new TemplateError(`The date format has ${whole}, which can't be read back`);
    // As in Python; where the same digits could belong to either, finding out takes for ever.
    if (codes.includes(code)) throw new TemplateError(`The date format has ${whole} twice, which can't be read back`);
    codes.push(code);
    return `(${part})`;
  });
  const reader = { codes, pattern: new RegExp(`^${pattern}$`, "i") };
  // Formats are of a manifest: few of them.
  if (readers.size < 1_000) readers.set(format, reader);
  return reader;
}

const EPOCHS: Readonly<Record<string, number>> = {
  "%s": 1000,
  "%s_as_float": 1000,
  "%ms": 1,
  "%epoch_microseconds": 0.001,
};

/** Longest text that is read as a date. */
const MAX_LENGTH = 100;

/** @throws TemplateError for a format with a code that can't be written or read back. */
export function assertFormat(format: string): void {
  formatMoment(new Moment(0), format);
  if (!Object.hasOwn(EPOCHS, format)) readerOf(format);
}

/** null where the text is not of this format. */
export function parseMoment(text: string, format: string): Moment | null {
  if (text.length > MAX_LENGTH) return null;
  const unit = Object.hasOwn(EPOCHS, format) ? EPOCHS[format] : undefined;
  if (unit !== undefined) {
    if (!/^-?\d+(\.\d+)?$/.test(text.trim())) return null;
    const ms = Number(text) * unit;
    return new Moment(ms, { micros: Math.round((ms - Math.floor(ms)) * 1000) % 1000 });
  }
  const { codes, pattern } = readerOf(format);
  const found = pattern.exec(text.trim());
  if (!found) return null;
  const parts = new Map(codes.map((code, index) => [code, found[index + 1] ?? ""]));
  return momentOf(partsOf(parts));
}

function partsOf(parts: ReadonlyMap<string, string>): MomentParts {
  const number = (code: string, missing: number): number => (parts.has(code) ? Number(parts.get(code)) : missing);
  const named = (code: string, list: readonly string[]): number | null => {
    const name = parts.get(code)?.toLowerCase();
    return name === undefined ? null : list.findIndex((one) => one.toLowerCase() === name) + 1;
  };
  const half = parts.get("p")?.toLowerCase();
  const hours = parts.has("I") ? (number("I", 0) % 12) + (half === "pm" ? 12 : 0) : number("H", 0);
  const twoDigits = number("y", 0);
  const zone = parts.get("z");
  const fraction = parts.get("f") ?? parts.get("_ms") ?? "";
  const isDayOfYear = parts.has("j") && !parts.has("d");
  const time = {
    hour: hours,
    minute: number("M", 0),
    second: number("S", 0),
    micros: Number(fraction.slice(0, 6).padEnd(6, "0")),
    offset: zone === undefined ? (parts.has("Z") ? 0 : null) : parseOffset(zone),
  };
  const year = parts.has("y") ? twoDigits + (twoDigits < 69 ? 2000 : 1900) : number("Y", 1900);
  const month = named("B", MONTHS) ?? named("b", short(MONTHS)) ?? number("m", 1);
  if (!isDayOfYear) return { year, month, day: number("d", 1), ...time };
  const date = new Date(Date.UTC(year, 0, number("j", 1)));
  return { year, month: date.getUTCMonth() + 1, day: date.getUTCDate(), ...time };
}
