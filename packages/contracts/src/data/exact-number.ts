/**
 * Numbers of JSON as they were written. JavaScript's own have some 16 digits and no trailing zeros: what they would print
 * otherwise is kept as `JSON.rawJSON`, which `JSON.stringify` writes as it came.
 */

/** A JSON number by its text. Copying its members makes a plain object of it: pass it on as it is. */
export interface ExactNumber {
  readonly rawJSON: string;
}

declare global {
  interface JSON {
    rawJSON(text: string): { readonly rawJSON: string };
    isRawJSON(value: unknown): boolean;
  }
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

/** Not by an expression: it would begin anew at each of a million zeros that other digits follow. */
function withoutEndingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}

/** One text for each value that a number in JSON may have, however it is written: `1.10`, `11e-1` → `11e-1`. */
export function canonicalNumber(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = NUMBER.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = withoutEndingZeros(digits);
  if (significant === "") return "0";
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
