/**
 * JSON that keeps each number as it was written. JavaScript's own numbers have some 16 digits and no trailing zeros:
 * `12345678901234567890` and `1.10` come out of `JSON.parse` as other texts. Such numbers are kept as `JSON.rawJSON`,
 * which `JSON.stringify` writes as they came; all others are plain numbers.
 */
import type { Value } from "./values.ts";

/** A JSON number by its text. Copying its members makes a plain object of it: pass it on as it is. */
export interface ExactNumber {
  readonly rawJSON: string;
}

declare global {
  interface JSON {
    rawJSON(text: string): { readonly rawJSON: string };
    isRawJSON(value: unknown): boolean;
    parse(
      text: string,
      reviver: (this: unknown, key: string, value: Value, context: { readonly source?: string }) => Value,
    ): Value;
  }
}

/** A number that JavaScript may print otherwise: sixteen digits and more, a trailing zero of a fraction, an exponent, `-0`. */
const INEXACT = String.raw`-?(?:\d[\d.]{15,}|\d+\.\d*0|[\d.]+[eE][-+]?\d+|0)`;
const IS_INEXACT = new RegExp(`^${INEXACT}$`);
/** Such a number, but for a plain `0`, somewhere in a text in JSON; within its texts it does no harm but time. */
const HAS_INEXACT = new RegExp(String.raw`(?:^|[:,[\s])(?!0[\s,}\]])${INEXACT}(?=[\s,}\]]|$)`);

/** Like `JSON.parse`, but each number keeps its digits. Throws `SyntaxError`. Costs more only where there are such numbers. */
export function parseExactJson(text: string): Value {
  return HAS_INEXACT.test(text) ? JSON.parse(text, exactly) : JSON.parse(text);
}

function exactly(this: unknown, _key: string, value: Value, { source }: { readonly source?: string }): Value {
  if (typeof value !== "number" || source === undefined || !IS_INEXACT.test(source)) return value;
  return String(value) === source ? value : JSON.rawJSON(source);
}

/** Whether a value is a number that is kept by its text. */
export const isExactNumber = (value: unknown): value is ExactNumber =>
  typeof value === "object" && value !== null && "rawJSON" in value && JSON.isRawJSON(value);

/** The value of an exact number outside of JSON: a plain number where that is just the same, else its text. */
export function plainNumber({ rawJSON }: ExactNumber): number | string {
  const number = Number(rawJSON);
  return Number.isFinite(number) && canonicalNumber(String(number)) === canonicalNumber(rawJSON) ? number + 0 : rawJSON;
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/;

/** One text for each value that a number in JSON may have, however it is written: `1.10`, `11e-1` → `11e-1`. */
export function canonicalNumber(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = NUMBER.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
