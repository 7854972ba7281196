/** What a system may make of a value that it is given: the same in another spelling, or as much of it as it can hold. */
import { hashText } from "@accord/connector-sdk/fingerprint";
import type { Value } from "@accord/contracts/data/values";

const DATE = /^\d{4}-\d\d-\d\d/;
const DECIMAL = /^-?\d+(?:\.\d+)?$/;
const plainText = (value: Exclude<Value, object | null>): string =>
  String(value).trim().replaceAll(/\s+/g, " ").toLowerCase();

/** Sets these fingerprints apart from those of values. */
const PREFIX = "\u0000spelled ";

/**
 * Fingerprint of a value that is the same for all its spellings: the same but for case, blanks at the ends or in a row,
 * or the way a number or a time is written. Null for lists and objects. Nothing and an empty text are alike.
 */
export function spellingHash(value: Value | undefined): string | null {
  if (value === null || value === undefined) return hashText(PREFIX);
  if (typeof value === "object") return null;
  const text = plainText(value);
  if (text === "") return hashText(PREFIX);
  const time = DATE.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return hashText(`${PREFIX}time ${time}`);
  const number = Number(text);
  return hashText(Number.isNaN(number) ? `${PREFIX}${text}` : `${PREFIX}number ${number}`);
}

/** Whether what is shown is the beginning of what was sent, or its number with fewer decimals. */
export function isCutOrRounded(sent: Value, shown: Value): boolean {
  if (sent === null || shown === null || typeof sent === "object" || typeof shown === "object") return false;
  const [whole, part] = [plainText(sent), plainText(shown)];
  if (part === "") return false;
  if (whole.startsWith(part)) return true;
  return isRounded(sent, shown);
}

/** Whether what is shown is the number that was sent, rounded to the decimals that it has. */
export function isRounded(sent: Value, shown: Value): boolean {
  if (sent === null || shown === null || typeof sent === "object" || typeof shown === "object") return false;
  const [whole, part] = [plainText(sent), plainText(shown)];
  const decimals = /^-?\d+(?:\.(\d+))?$/.exec(part)?.[1] ?? "";
  const isNumber = DECIMAL.test(whole) && DECIMAL.test(part);
  return isNumber && Math.abs(Number(whole) - Number(part)) <= 0.500001 / 10 ** decimals.length;
}
