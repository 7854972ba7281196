/** What a system may make of a value that it is given: the same in another spelling, or as much of it as it can hold. */
import { hashText } from "@accord/connector-sdk/fingerprint";
import type { Value } from "@accord/contracts/data/values";
import { decimalOfNumber, readDecimal } from "@accord/expressions";

type Scalar = Exclude<Value, object | null>;

/** Sets these fingerprints apart from those of values. */
const PREFIX = "\u0000spelled ";

/**
 * Fingerprint of a value that is the same for all its spellings: the same but for case, accents of Latin and Greek letters,
 * characters written as entities of HTML, blanks at the ends or in a row, separators in an international telephone number,
 * zeros around a number with decimals, or the zone of a time. Lists are alike where they hold the same items, in
 * whatever order and number: many systems keep labels and options as sets. Null for objects and what holds some. Nothing,
 * an empty text and an empty list are alike.
 */
export function spellingHash(value: Value | undefined): string | null {
  if (value === null || value === undefined) return hashText(PREFIX);
  if (Array.isArray(value)) return listHash(value);
  if (typeof value === "object") return null;
  const text = plainText(value);
  if (text === "") return hashText(PREFIX);
  const moment = momentOf(text);
  if (moment !== null) return hashText(`${PREFIX}time ${moment}`);
  const letters = lettersOf(text);
  const number = numberOf(letters);
  return hashText(number === null ? `${PREFIX}${letters}` : `${PREFIX}number ${number}`);
}

function listHash(items: readonly Value[]): string | null {
  if (items.some((item) => item !== null && typeof item === "object")) return null;
  const spelled = [...new Set(items.map((item) => spellingHash(item) ?? ""))].sort();
  return hashText(spelled.length === 0 ? PREFIX : `${PREFIX}list ${spelled.join(" ")}`);
}

function plainText(value: Scalar): string {
  const text = (typeof value === "number" ? decimalOfNumber(value) : null) ?? String(value);
  return text.trim().replaceAll(/\s+/g, " ").toLowerCase();
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
const ENTITY = /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([0-9a-f]{1,6}));/g;
/** An international number and what people put between its digits. */
const TELEPHONE = /^\+[\d\s()./-]{8,}$/;
/** Accents and the like on letters of these scripts: in others such marks make another letter. */
const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}])[\u0300-\u036f]+/gu;

/** What of a text every system keeps that folds it in the ways of `spellingHash`. Texts of ASCII are as they were. */
function lettersOf(text: string): string {
  const plain = text.includes("&") ? text.replaceAll(ENTITY, characterOf).trim().replaceAll(/\s+/g, " ") : text;
  // Upper case first: only there are ß and ss, or the two small sigmas, the same.
  const folded = isAscii(plain)
    ? plain
    : plain.toUpperCase().toLowerCase().normalize("NFD").replaceAll(ACCENTS, "$1").normalize("NFC");
  return TELEPHONE.test(folded) ? folded.replaceAll(/[^\d+]/g, "") : folded;
}

const isAscii = (text: string): boolean => /^[\u0020-\u007e]*$/.test(text);

function characterOf(entity: string, name?: string, decimal?: string, hexadecimal?: string): string {
  if (name !== undefined) return ENTITIES[name] ?? entity;
  const code = Number.parseInt(decimal ?? hexadecimal ?? "", decimal === undefined ? 16 : 10);
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code).toLowerCase() : entity;
}

/** Zeros in front of a whole number, or a plus sign, belong to a code or a telephone number. */
const NUMBER = /^-?(?:0|[1-9]\d*|\d+\.\d+)$/;

const numberOf = (text: string): string | null => (NUMBER.test(text) ? readDecimal(text) : null);

const DATE = /(\d{4})-(0[1-9]|1[0-2])-(\d\d)/;
const TIME = /([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d+))?)?/;
const ZONE = / ?(?:z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)/;
const ISO = new RegExp(`^${DATE.source}(?:[t ]${TIME.source}(?:${ZONE.source})?)?$`);

/** Milliseconds of a date or a time in a form of ISO 8601, without a zone in UTC; null for everything else. */
function momentOf(text: string): number | null {
  const found = ISO.exec(text);
  if (!found) return null;
  const part = (index: number): number => Number(found[index] ?? 0);
  const [year, month, day] = [part(1), part(2), part(3)];
  // `Date.UTC` takes smaller years for those of the last century, and days beyond a month for those of the next one.
  if (year < 100 || day < 1 || Date.UTC(year, month - 1, day) >= Date.UTC(year, month, 1)) return null;
  const milliseconds = Number((found[7] ?? "").slice(0, 3).padEnd(3, "0"));
  const offset = (part(9) * 60 + part(10)) * (found[8] === "-" ? -1 : 1);
  return Date.UTC(year, month - 1, day, part(4), part(5) - offset, part(6), milliseconds);
}

const isText = (value: Value | undefined): value is Scalar =>
  value !== null && value !== undefined && typeof value !== "object";

/** Whether what is shown is the beginning of what was sent, or its number with fewer decimals. */
export function isCutOrRounded(sent: Value, shown: Value): boolean {
  if (!isText(sent) || !isText(shown)) return false;
  const part = plainText(shown);
  return part !== "" && (plainText(sent).startsWith(part) || isRounded(sent, shown));
}

const DECIMAL = /^-?\d+(?:\.(\d+))?$/;

/** Whether what is shown is the number that was sent, rounded to the decimals that it has. */
export function isRounded(sent: Value, shown: Value): boolean {
  if (!isText(sent) || !isText(shown)) return false;
  const [whole, part] = [DECIMAL.exec(plainText(sent)), DECIMAL.exec(plainText(shown))];
  if (!whole || !part || readDecimal(whole[0]) === null || readDecimal(part[0]) === null) return false;
  const [decimals, left] = [whole[1]?.length ?? 0, part[1]?.length ?? 0];
  if (left >= decimals) return false;
  const unit = 10n ** BigInt(decimals - left);
  const difference = digitsOf(whole[0]) - digitsOf(part[0]) * unit;
  return 2n * (difference < 0n ? -difference : difference) <= unit;
}

const digitsOf = (decimal: string): bigint => BigInt(decimal.replace(".", ""));

/**
 * Whether what is shown is the number that was sent, as a system holds it that keeps numbers: without a plus sign, zeros
 * in front, or digits beyond those of a double.
 */
export function isReduced(sent: Value, shown: Value | undefined): boolean {
  if (!isText(sent) || !isText(shown)) return false;
  const whole = readDecimal(plainText(sent));
  const part = numberOf(plainText(shown));
  if (whole === null || part === null) return false;
  return whole === part || decimalOfNumber(Number(whole)) === part;
}

/** Characters of the beginning of a text that are compared. */
const BEGINNING = 3;
/** Of nothing, of whole numbers and of yes and no. */
const NO_PARTS = "-";

/**
 * What is kept of a value that was sent, beside its spelling, until it is read: enough to see, as a rule, that something
 * else is not cut or rounded from it. Of texts their length and two characters of a fingerprint of how they begin, of
 * numbers with decimals how many, of codes and telephone numbers the length; empty for lists and objects.
 */
export function outlineOf(value: Value): string {
  if (value === null || typeof value === "boolean") return NO_PARTS;
  if (typeof value === "object") return "";
  const text = plainText(value);
  if (text === "") return NO_PARTS;
  const length = text.length.toString(36);
  const decimals = DECIMAL.exec(text)?.[1]?.length;
  if (decimals !== undefined) return `d${Math.min(decimals, 35).toString(36)}${length}`;
  const isWhole = numberOf(text) !== null && text.length <= EXACT_DIGITS;
  if (isWhole && typeof value === "number") return NO_PARTS;
  return readDecimal(text) !== null && !isWhole ? `n${length}` : `t${beginningOf(text)}${length}`;
}

/** Whole numbers of so many digits are the same as doubles. */
const EXACT_DIGITS = 15;

const beginningOf = (text: string): string => hashText(`${PREFIX}begins ${text.slice(0, BEGINNING)}`).slice(0, 2);

/** Whether what is shown may be cut, rounded or reduced from a value with this outline; true where that is not known. */
export function mayBePartOf(outline: string, shown: Value): boolean {
  if (outline === "" || (shown !== null && typeof shown === "object")) return true;
  const part = shown === null ? "" : plainText(shown);
  if (part === "" || outline === NO_PARTS) return false;
  const [kind] = outline;
  const length = Number.parseInt(outline.slice(kind === "t" ? 3 : kind === "d" ? 2 : 1), 36);
  if (kind === "n") return part.length <= length;
  if (kind === "d") {
    const decimals = DECIMAL.exec(part)?.[1]?.length ?? 0;
    return part.length <= length && decimals < Number.parseInt(outline.slice(1, 2), 36);
  }
  return part.length < length && (part.length < BEGINNING || beginningOf(part) === outline.slice(1, 3));
}

/** Whether what a system shows may be how it stores what it was sent. Objects are not looked into. */
export function isSpellingOf(sent: Value, shown: Value): boolean {
  const hash = spellingHash(sent);
  if (hash === null || hash === spellingHash(shown) || isReduced(sent, shown)) return true;
  const areNumbers = [sent, shown].every((value) => isText(value) && numberOf(plainText(value)) !== null);
  return areNumbers ? isRounded(sent, shown) : isCutOrRounded(sent, shown);
}

/** Zeros in front of a number that a system may have dropped. */
const MAX_ZEROS = 10;

/** What was sent to a system, perhaps, that shows this number as one that it keeps; empty for everything else. */
export function unreduced(shown: Value | undefined): readonly string[] {
  const text = isText(shown) ? plainText(shown) : "";
  if (!NUMBER.test(text) || text.startsWith("-")) return [];
  return ["+", ...Array.from({ length: MAX_ZEROS }, (_, index) => "0".repeat(index + 1))].map((front) => front + text);
}
