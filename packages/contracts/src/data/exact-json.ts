/**
 * JSON that keeps each number as it was written: `12345678901234567890` and `1.10` come out of `JSON.parse` as other
 * texts. Such numbers become exact ones (`exact-number.ts`), all others are plain numbers.
 */
import type { Value } from "./values.ts";

declare global {
  interface JSON {
    parse(
      text: string,
      reviver: (this: unknown, key: string, value: Value, context: { readonly source?: string }) => Value,
    ): Value;
  }
}

/** A number that JavaScript may print otherwise: sixteen digits and more, a trailing zero of a fraction, an exponent, `-0`. */
const INEXACT = /^-?(?:\d[\d.]{15,}|\d+\.\d*0|[\d.]+[eE][-+]?\d+|0)$/;

/** Like `JSON.parse`, but each number keeps its digits. Throws `SyntaxError`. Costs more only where there are such numbers. */
export function parseExactJson(text: string): Value {
  return hasInexactNumber(text) ? JSON.parse(text, exactly) : JSON.parse(text);
}

const unitOf = (sign: string): number => sign.charCodeAt(0);
const [QUOTE, BACKSLASH, MINUS, PLUS, DOT] = [unitOf('"'), unitOf("\\"), unitOf("-"), unitOf("+"), unitOf(".")];
const [ZERO, NINE, SMALL_E, BIG_E] = [unitOf("0"), unitOf("9"), unitOf("e"), unitOf("E")];

/** Whether a text in JSON may have such a number: one look at each of its characters, none at those of its texts. */
function hasInexactNumber(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) {
      index = endOfText(text, index);
      if (index < 0) return false;
    } else if (unit === MINUS || (unit >= ZERO && unit <= NINE)) {
      const start = index;
      while (isOfNumber(text.charCodeAt(index + 1))) index += 1;
      if (index > start && INEXACT.test(text.slice(start, index + 1))) return true;
    }
  }
  return false;
}

/** Index of the quote that ends a text in JSON; -1 where none does. */
function endOfText(text: string, start: number): number {
  for (let index = text.indexOf('"', start + 1); index >= 0; index = text.indexOf('"', index + 1)) {
    let escapes = 0;
    while (text.charCodeAt(index - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return index;
  }
  return -1;
}

const isOfNumber = (unit: number): boolean =>
  (unit >= ZERO && unit <= NINE) ||
  unit === DOT ||
  unit === SMALL_E ||
  unit === BIG_E ||
  unit === MINUS ||
  unit === PLUS;

function exactly(this: unknown, _key: string, value: Value, { source }: { readonly source?: string }): Value {
  if (typeof value !== "number" || source === undefined || !INEXACT.test(source)) return value;
  return String(value) === source ? value : JSON.rawJSON(source);
}
