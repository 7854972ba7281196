/** Exact arithmetic on decimals, so that 0.1 + 0.2 is 0.3 and money does not drift. */
import { decimalOfNumber, MAX_DIGITS, readDecimal } from "./decimal.ts";

/** `units` × 10^-`scale`. */
interface Decimal {
  units: bigint;
  scale: number;
}

/** Significant digits kept by a division that does not come out even. */
const DIVISION_DIGITS = 20;

function parse(plain: string): Decimal {
  const [whole = "0", fraction = ""] = plain.split(".");
  return { units: BigInt(whole + fraction), scale: fraction.length };
}

/** Half away from zero. */
const rounded = (units: bigint, unit: bigint): bigint => (units + (units < 0n ? -unit : unit) / 2n) / unit;

/** Beyond this a whole number is no value of any system, and each further step would take ever longer. */
const MAX_RESULT_DIGITS = 10_000;
const MAX_RESULT = 10n ** BigInt(MAX_RESULT_DIGITS);

/** Places beyond the digits that a decimal may have are rounded off. Throws `RangeError` for a number that is too long. */
function print({ units, scale }: Decimal): string {
  if (units > MAX_RESULT || units < -MAX_RESULT)
    throw new RangeError(`the number has more than ${MAX_RESULT_DIGITS} digits`);
  if (scale === 0) return String(units);
  const negative = units < 0n;
  const digits = String(negative ? -units : units).padStart(scale + 1, "0");
  const tooMany = Math.min(scale, digits.length - MAX_DIGITS);
  if (tooMany > 0) return print({ units: rounded(units, 10n ** BigInt(tooMany)), scale: scale - tooMany });
  const text = `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return readDecimal(negative ? `-${text}` : text)!;
}

const align = (a: Decimal, b: Decimal): [bigint, bigint, number] => {
  const scale = Math.max(a.scale, b.scale);
  return [a.units * 10n ** BigInt(scale - a.scale), b.units * 10n ** BigInt(scale - b.scale), scale];
};

/** Up to this length a product, and a sum of aligned digits, is an exact JavaScript number. */
const SHORT = 7;
const scaleOf = (plain: string): number => (plain.includes(".") ? plain.length - plain.indexOf(".") - 1 : 0);

/** Whole units of a short decimal at a scale that holds it. */
const unitsAt = (plain: string, scale: number): number => Math.round(Number(plain) * 10 ** scale);
function printShort(units: number, scale: number): string {
  let [rest, digits] = [units, scale];
  while (digits > 0 && rest % 10 === 0) {
    rest /= 10;
    digits--;
  }
  if (digits === 0) return String(rest + 0);
  // Up to fifteen digits the shortest text of the number is its decimal text, but for very small ones.
  const text = String(rest / 10 ** digits);
  return text.includes("e") ? (readDecimal((rest / 10 ** digits).toFixed(digits)) ?? "0") : text;
}

export type RoundingMode = "halfUp" | "up" | "down" | "floor" | "ceiling";

export function addDecimals(left: string, right: string): string {
  if (left.length <= SHORT && right.length <= SHORT) {
    const scale = Math.max(scaleOf(left), scaleOf(right));
    return printShort(unitsAt(left, scale) + unitsAt(right, scale), scale);
  }
  const [a, b, scale] = align(parse(left), parse(right));
  return print({ units: a + b, scale });
}

export function multiplyDecimals(left: string, right: string): string {
  if (left.length <= SHORT && right.length <= SHORT) {
    const [leftScale, rightScale] = [scaleOf(left), scaleOf(right)];
    return printShort(unitsAt(left, leftScale) * unitsAt(right, rightScale), leftScale + rightScale);
  }
  const [a, b] = [parse(left), parse(right)];
  return print({ units: a.units * b.units, scale: a.scale + b.scale });
}

/** null for a division by zero. Rounded half up to twenty significant digits. */
export function divideDecimals(left: string, right: string): string | null {
  const [a, b] = align(parse(left), parse(right));
  if (b === 0n) return null;
  const magnitude = digitCount(a) - digitCount(b);
  const scale = Math.max(0, DIVISION_DIGITS - magnitude);
  const units = (a * 10n ** BigInt(scale + 1)) / b;
  return roundDecimal(print({ units, scale: scale + 1 }), scale, "halfUp");
}

const digitCount = (units: bigint): number => String(units < 0n ? -units : units).length;

/** The remainder, with the sign of the dividend; null for zero. */
export function remainderOfDecimals(left: string, right: string): string | null {
  const [a, b, scale] = align(parse(left), parse(right));
  return b === 0n ? null : print({ units: a % b, scale });
}

/** Texts of this length are whole numbers that JavaScript holds exactly, once their point is left out. */
const ROUNDED_AS_NUMBER = 15;

/** Rounds to `digits` after the point; negative digits round tens, hundreds… */
export function roundDecimal(plain: string, digits: number, mode: RoundingMode): string {
  const scale = scaleOf(plain);
  if (scale <= digits) return plain;
  if (digits >= 0 && plain.length <= ROUNDED_AS_NUMBER) return roundShort(plain, scale, digits, mode);
  const value = parse(plain);
  const unit = 10n ** BigInt(value.scale - digits);
  const rest = value.units % unit;
  const size = rest < 0n ? -rest : rest;
  const sign = rest === 0n ? 0 : rest < 0n ? -1 : 1;
  const units = value.units / unit + BigInt(step(sign, size * 2n >= unit, mode));
  return digits >= 0 ? print({ units, scale: digits }) : print({ units: units * 10n ** BigInt(-digits), scale: 0 });
}

function roundShort(plain: string, scale: number, digits: number, mode: RoundingMode): string {
  const units = unitsAt(plain, scale);
  const unit = 10 ** (scale - digits);
  const rest = units % unit;
  return printShort((units - rest) / unit + step(Math.sign(rest), Math.abs(rest) * 2 >= unit, mode), digits);
}

/** What is added to the whole units for a rest with this sign. */
function step(sign: number, isHalf: boolean, mode: RoundingMode): number {
  switch (mode) {
    case "up":
      return sign;
    case "down":
      return 0;
    case "floor":
      return sign < 0 ? -1 : 0;
    case "ceiling":
      return sign > 0 ? 1 : 0;
    case "halfUp":
      return isHalf ? sign : 0;
  }
}

/** The number a decimal text stands for when a JavaScript number holds it exactly as written, else the text itself. */
export function numberOrText(plain: string): number | string {
  const number = Number(plain);
  return decimalOfNumber(number) === plain && (!Number.isInteger(number) || Number.isSafeInteger(number))
    ? number
    : plain;
}
