/** Date patterns like `yyyy-MM-dd HH:mm`: writing a wall clock with one, and reading a text by one. */
import { DAY_MS, dayNumber } from "./time.ts";

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** Pattern letters in runs, quoted text, or anything else taken as it is. */
const PIECES = /'((?:[^']|'')*)'|(y+|M+|d+|E+|H+|h+|m+|s+|S+|a)|([^A-Za-z']+)|([A-Za-z])/g;
const KNOWN = new Set([
  "yyyy",
  "yy",
  "MMMM",
  "MMM",
  "MM",
  "M",
  "dd",
  "d",
  "EEEE",
  "EEE",
  "HH",
  "H",
  "hh",
  "h",
  "mm",
  "m",
  "ss",
  "s",
  "SSS",
  "a",
]);

/** A field such as `yyyy`, or text as it stands. */
export type DatePiece = { field: string } | { text: string };

/** null for a pattern with letters that mean nothing. */
export function readPattern(pattern: string): DatePiece[] | null {
  const pieces: DatePiece[] = [];
  let length = 0;
  for (const found of pattern.matchAll(PIECES)) {
    length += found[0].length;
    if (found[2] !== undefined) {
      if (!KNOWN.has(found[2])) return null;
      pieces.push({ field: found[2] });
    } else if (found[4] !== undefined) {
      // The T of ISO texts is so common that it needs no quotes.
      if (found[4] !== "T" && found[4] !== "Z") return null;
      pieces.push({ text: found[4] });
    } else pieces.push({ text: found[1] !== undefined ? found[1].replaceAll("''", "'") : found[3]! });
  }
  return length === pattern.length && pieces.length > 0 ? pieces : null;
}

const pad = (value: number, digits: number): string => String(value).padStart(digits, "0");

/** Writes a wall clock, given as if it were UTC milliseconds. */
export function writePattern(pieces: readonly DatePiece[], wall: number): string {
  const at = new Date(wall);
  let written = "";
  for (const piece of pieces) written += "text" in piece ? piece.text : writeField(piece.field, at);
  return written;
}

function writeField(field: string, at: Date): string {
  const hour = at.getUTCHours();
  const weekday = DAYS[(at.getUTCDay() + 6) % 7]!;
  switch (field) {
    case "yyyy":
      return pad(at.getUTCFullYear(), 4);
    case "yy":
      return pad(at.getUTCFullYear() % 100, 2);
    case "MMMM":
      return MONTHS[at.getUTCMonth()]!;
    case "MMM":
      return MONTHS[at.getUTCMonth()]!.slice(0, 3);
    case "MM":
    case "M":
      return pad(at.getUTCMonth() + 1, field.length);
    case "dd":
    case "d":
      return pad(at.getUTCDate(), field.length);
    case "EEEE":
      return weekday;
    case "EEE":
      return weekday.slice(0, 3);
    case "HH":
    case "H":
      return pad(hour, field.length);
    case "hh":
    case "h":
      return pad(hour % 12 || 12, field.length);
    case "mm":
    case "m":
      return pad(at.getUTCMinutes(), field.length);
    case "ss":
    case "s":
      return pad(at.getUTCSeconds(), field.length);
    case "SSS":
      return pad(at.getUTCMilliseconds(), 3);
    default:
      return hour < 12 ? "AM" : "PM";
  }
}

/** What a text says by the pattern: a wall clock as if it were UTC milliseconds, and whether it named a time of day. */
export function readByPattern(pieces: readonly DatePiece[], text: string): { wall: number; hasTime: boolean } | null {
  const found = new Map<string, number>();
  let at = 0;
  for (const piece of pieces) {
    if ("text" in piece) {
      if (!text.startsWith(piece.text, at)) return null;
      at += piece.text.length;
      continue;
    }
    const read = readField(piece.field, text, at);
    if (!read) return null;
    found.set(piece.field === "a" ? "a" : piece.field[0]!, read.value);
    at += read.length;
  }
  return at === text.length ? assemble(found) : null;
}

function readField(field: string, text: string, at: number): { value: number; length: number } | null {
  if (field === "MMMM" || field === "MMM") return readName(MONTHS, text.slice(at), field === "MMM" ? 3 : undefined, 1);
  if (field === "EEEE" || field === "EEE") return readName(DAYS, text.slice(at), field === "EEE" ? 3 : undefined, 1);
  if (field === "a") {
    const half = text.slice(at, at + 2).toLowerCase();
    return half === "am" || half === "pm" ? { value: half === "pm" ? 1 : 0, length: 2 } : null;
  }
  // A single letter stands for one digit or two, the rest for as many as there are letters.
  const most = field.length === 1 ? 2 : field.length;
  let value = 0;
  let length = 0;
  for (; length < most; length++) {
    const digit = text.charCodeAt(at + length) - 48;
    if (!(digit >= 0 && digit <= 9)) break;
    value = value * 10 + digit;
  }
  if (length < field.length) return null;
  // Two-digit years reach from 1970 to 2069.
  return { value: field === "yy" ? value + (value < 70 ? 2000 : 1900) : value, length };
}

function readName(names: readonly string[], text: string, length: number | undefined, first: number) {
  const lower = text.toLowerCase();
  const index = names.findIndex((name) => lower.startsWith(name.slice(0, length).toLowerCase()));
  return index < 0 ? null : { value: index + first, length: length ?? names[index]!.length };
}

function assemble(found: ReadonlyMap<string, number>): { wall: number; hasTime: boolean } | null {
  const day = dayNumber(found.get("y") ?? 1970, found.get("M") ?? 1, found.get("d") ?? 1);
  const hour = hourOf(found);
  const [minute, second, ms] = [found.get("m") ?? 0, found.get("s") ?? 0, found.get("S") ?? 0];
  if (day === null || hour === null || minute > 59 || second > 59) return null;
  const hasTime = ["H", "h", "m", "s", "S"].some((field) => found.has(field));
  return { wall: day * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + ms, hasTime };
}

function hourOf(found: ReadonlyMap<string, number>): number | null {
  const clock = found.get("h");
  if (clock === undefined) {
    const hour = found.get("H") ?? 0;
    return hour < 24 ? hour : null;
  }
  return clock >= 1 && clock <= 12 ? (clock % 12) + 12 * (found.get("a") ?? 0) : null;
}
