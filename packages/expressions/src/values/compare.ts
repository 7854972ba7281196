/** Blank, text form and order of values: the meaning every predicate, match rule and sort shares. */
import { isExactNumber } from "@accord/contracts/data/exact-number";
import type { Value } from "@accord/contracts/data/values";
import { compareDecimals, decimalOfNumber, readDecimal } from "./decimal.ts";

/** null, empty text and empty list are blank; false and 0 are not. */
export const isBlank = (value: Value | undefined): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);

/** Case is folded for every comparison of text except regular expressions. */
export const foldText = (text: string): string => text.toLowerCase();

/** A value as text: number without trailing zeros, list joined with `;`, object as JSON, null as empty text. */
export function textOf(value: Value | undefined): string {
  if (value === null || value === undefined) return "";
  switch (typeof value) {
    case "string":
      return value;
    case "number":
      return decimalOfNumber(value) ?? "";
    case "boolean":
      return value ? "true" : "false";
    default:
      if (isExactNumber(value)) return numberText(value) ?? value.rawJSON;
      return Array.isArray(value) ? value.map(textOf).join(";") : JSON.stringify(value);
  }
}

/** A number or numeric text as plain decimal text; null when it is neither. */
export function numberText(value: Value | undefined): string | null {
  if (typeof value === "number") return decimalOfNumber(value);
  if (typeof value === "string") return readDecimal(value.trim());
  return isExactNumber(value) ? readDecimal(value.rawJSON) : null;
}

/** Negative, zero or positive, exact for integers and decimals of any size. Blanks sort last. */
export function compareValues(left: Value | undefined, right: Value | undefined): number {
  const leftBlank = isBlank(left);
  const rightBlank = isBlank(right);
  if (leftBlank || rightBlank) return leftBlank === rightBlank ? 0 : leftBlank ? 1 : -1;
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left !== "string" || typeof right !== "string") {
    const leftNumber = numberText(left);
    const rightNumber = numberText(right);
    if (leftNumber !== null && rightNumber !== null) return compareDecimals(leftNumber, rightNumber);
  }
  const leftText = foldText(orderText(left));
  const rightText = foldText(orderText(right));
  return leftText === rightText ? 0 : leftText < rightText ? -1 : 1;
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z$/;

/** Moments without their last letter, so that more digits of a second come after fewer. */
function orderText(value: Value | undefined): string {
  const text = textOf(value);
  return MOMENT.test(text) ? text.slice(0, -1) : text;
}

/**
 * Whether two stored values are the same value: exact, lists in order, objects by content, numbers by their value however
 * they are written. null and absent are equal.
 */
export function sameValue(left: Value | undefined, right: Value | undefined): boolean {
  if (left === right) return true;
  if (left === undefined || left === null) return right === undefined || right === null;
  if (right === undefined || right === null) return false;
  if (isExactNumber(left) || isExactNumber(right)) return isSameNumber(left, right);
  if (typeof left !== "object" || typeof right !== "object") return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => sameValue(item, right[index]));
  }
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && sameValue(left[key], right[key]));
}

/** Texts are no numbers here: `"1"` is not `1` in an object. */
function isSameNumber(left: Value, right: Value): boolean {
  if (typeof left === "string" || typeof right === "string") return false;
  const number = numberText(left);
  if (number === null) return textOf(left) === textOf(right);
  return number === numberText(right);
}
