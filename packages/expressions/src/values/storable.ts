/** What can be stored as it is: text that PostgreSQL holds, and objects that are not nested without end. */
import { parseExactJson } from "@accord/contracts/data/exact-json";
import { isExactNumber } from "@accord/contracts/data/exact-number";
import type { Value, Values } from "@accord/contracts/data/values";
import { readDecimal } from "./decimal.ts";

/** Objects and lists within each other; the bodies of requests may have as many. */
export const MAX_LEVELS = 64;

/** Stands where a character was that can't be stored. */
const REPLACEMENT = "\ufffd";

/** No NUL, and no half of a character that takes two units. */
export const isStorableText = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

export const storableText = (text: string): string =>
  isStorableText(text) ? text : text.toWellFormed().replaceAll("\0", REPLACEMENT);

/** Whether objects and lists lie deeper within each other than `levels`. Looks no further down than that. */
export function isTooDeep(value: Value | undefined, levels = MAX_LEVELS): boolean {
  if (typeof value !== "object" || value === null || isExactNumber(value)) return false;
  if (levels === 0) return true;
  for (const item of Array.isArray(value) ? value : Object.values(value)) if (isTooDeep(item, levels - 1)) return true;
  return false;
}

/** The value itself when it can be stored; else with each character that can't be replaced. Not for values too deep. */
export function storable(value: Values): Values;
export function storable(value: Value): Value;
export function storable(value: Value): Value {
  if (typeof value === "string") return storableText(value);
  if (typeof value !== "object" || value === null || isExactNumber(value)) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => storable(item));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const entries = Object.entries(value);
  const kept = entries.map(([name, item]): [string, Value] => [storableText(name), storable(item)]);
  const isSame = kept.every(([name, item], index) => name === entries[index]?.[0] && item === entries[index][1]);
  return isSame ? value : Object.fromEntries(kept);
}

/**
 * The value that a text says in JSON, numbers to the last digit; undefined when it is none, or nested too deeply: found
 * out before it is read, as what reads and writes such values calls itself.
 */
export function readJson(text: string): Value | undefined {
  if (isTextTooDeep(text)) return undefined;
  try {
    const value = parseExactJson(text);
    return hasEndlessNumber(value) ? undefined : storable(value);
  } catch {
    return undefined;
  }
}

/** `1e999` is JSON, but no number here: PostgreSQL would have to write down all its digits. Not for values too deep. */
export function hasEndlessNumber(value: Value): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (isExactNumber(value)) return readDecimal(value.rawJSON) === null;
  return typeof value === "object" && value !== null && Object.values(value).some(hasEndlessNumber);
}

const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = Array.from('"\\{}[]', (sign) => sign.charCodeAt(0));

/** Whether a text in JSON nests deeper than is taken. Counts brackets outside of texts: cheaper than reading, and safe before it. */
export function isTextTooDeep(text: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (isInText) {
      if (unit === BACKSLASH) at += 1;
      else if (unit === QUOTE) isInText = false;
    } else if (unit === QUOTE) isInText = true;
    else if (unit === OPEN || unit === OPEN_LIST) {
      if (++depth > MAX_LEVELS) return true;
    } else if (unit === CLOSE || unit === CLOSE_LIST) depth -= 1;
  }
  return false;
}
