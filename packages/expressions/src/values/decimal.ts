/** Exact decimal numbers as text: reading, writing and comparing without rounding. */

const PATTERN = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

/** Plain already: the most common case by far. */
const PLAIN = /^(?:0|-?(?:[1-9]\d{0,300}(?:\.\d{0,60}[1-9])?|0\.\d{0,60}[1-9]))$/;

/** Beyond this many digits a number is refused: PostgreSQL's own limits are wider, but no business value is. */
export const MAX_DIGITS = 400;

/** What numbers of systems may be instead of a number: texts, in doubles and decimals alike. */
export const NOT_FINITE: ReadonlySet<unknown> = new Set(["NaN", "Infinity", "-Infinity"]);

/**
 * The plain form of a number written as text: no exponent, no leading or trailing zeros, `-` only when not zero.
 * null when it isn't a number or has more than 400 digits.
 */
export function readDecimal(text: string): string | null {
  if (PLAIN.test(text)) return text;
  const found = PATTERN.exec(text);
  if (!found) return null;
  const [, sign, whole = "", fraction = "", exponent] = found;
  if (whole === "" && fraction === "") return null;
  const shift = exponent === undefined ? 0 : Number(exponent);
  if (Math.abs(shift) + whole.length + fraction.length > MAX_DIGITS) return null;
  const digits = whole + fraction;
  const point = whole.length + shift;
  const before = point <= 0 ? "" : digits.slice(0, point).padEnd(point, "0");
  const after = point >= digits.length ? "" : (point < 0 ? "0".repeat(-point) : "") + digits.slice(Math.max(0, point));
  return plain(sign === "-", before, after);
}

function plain(negative: boolean, before: string, after: string): string {
  const whole = before.replace(/^0+/, "") || "0";
  const fraction = after.replace(/0+$/, "");
  const text = fraction === "" ? whole : `${whole}.${fraction}`;
  return negative && text !== "0" ? `-${text}` : text;
}

/** Compares two plain decimals: negative, zero or positive as in `Array.sort`. */
export function compareDecimals(left: string, right: string): number {
  const leftNegative = left.startsWith("-");
  const rightNegative = right.startsWith("-");
  if (leftNegative !== rightNegative) return leftNegative ? -1 : 1;
  const size = compareUnsigned(leftNegative ? left.slice(1) : left, rightNegative ? right.slice(1) : right);
  return leftNegative ? -size : size;
}

function compareUnsigned(left: string, right: string): number {
  const [leftWhole = "", leftFraction = ""] = left.split(".");
  const [rightWhole = "", rightFraction = ""] = right.split(".");
  if (leftWhole.length !== rightWhole.length) return leftWhole.length - rightWhole.length;
  if (leftWhole !== rightWhole) return leftWhole < rightWhole ? -1 : 1;
  if (leftFraction === rightFraction) return 0;
  return leftFraction < rightFraction ? -1 : 1;
}

/** A JavaScript number as plain decimal text: `1e21` → `1000000000000000000000`. null for NaN and infinities. */
export function decimalOfNumber(value: number): string | null {
  if (!Number.isFinite(value)) return null;
  const text = String(value);
  return text.includes("e") ? readDecimal(text) : text;
}

/** An integer as a safe JavaScript number when it is one, else as digits: the inside form of integers. */
export function integerValue(plainDigits: string): number | string {
  const asNumber = Number(plainDigits);
  return Number.isSafeInteger(asNumber) ? asNumber : plainDigits;
}
