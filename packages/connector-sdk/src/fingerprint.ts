/** Fingerprints of single values, and what a conditional write compares: engine and connectors compute them alike. */
import { canonicalNumber, isExactNumber, plainNumber } from "@accord/contracts/data/exact-number";
import type { Value, Values } from "@accord/contracts/data/values";

/** Characters of one fingerprint: 48 bits in base 64. */
export const FINGERPRINT_LENGTH = 8;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.";
/** Code of the character that six bits stand for. */
const sixBits = (bits: number): number => ALPHABET.charCodeAt(bits & 63);

/** Fingerprints of a record's fields as they were last read, by api name. A field without one may hold anything. */
export type ExpectedValues = Readonly<Record<string, string>>;

/** The part of a record that is compared. */
interface ReadValues {
  values: Values;
  badFields?: readonly { field: string; message: string; excerpt?: string }[];
}

/**
 * A record's values as they are compared: a field that can't be read is told apart from an empty one, and from another
 * value that can't be read.
 */
export function comparableValues({ values, badFields }: ReadValues): Values {
  if (badFields === undefined || badFields.length === 0) return values;
  const all = { ...values };
  for (const { field, message, excerpt } of badFields) all[field] = `\u0000unreadable ${excerpt ?? message}`;
  return all;
}

/**
 * Whether a record holds what is expected of it: the condition of a compare-and-set write. `current` are its
 * `comparableValues`; a missing field is null.
 */
export function holdsExpected(expected: ExpectedValues, current: Values): boolean {
  for (const field in expected) if (hashValue(current[field]) !== expected[field]) return false;
  return true;
}

/**
 * 48-bit fingerprint of one value. `5` and `"5"` are alike (numbers travel as text where they are long), null and
 * an empty text are not. Objects count by their sorted keys, and numbers in them by their value.
 */
export const hashValue = (value: Value | undefined): string => hashText(hashInput(value));

export function hashText(text: string): string {
  const codes: number[] = [];
  writeHash(text, codes, 0);
  return String.fromCharCode(...codes);
}

const NULL_TEXT = "\u0000null";

/** The text that stands for a value in its fingerprint. */
export function hashInput(value: Value | undefined): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return NULL_TEXT;
  return typeof value === "object" ? canonical(value) : String(value);
}

/**
 * Writes the character codes of a text's fingerprint into `codes` from `offset` on: two multiplicative lanes mixed at
 * the end (the cyrb53 construction), cut to 48 bits.
 */
export function writeHash(text: string, codes: number[], offset: number): void {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  codes[offset] = sixBits(a >> 6);
  codes[offset + 1] = sixBits(a);
  codes[offset + 2] = sixBits(a >> 18);
  codes[offset + 3] = sixBits(a >> 12);
  codes[offset + 4] = sixBits(b >> 6);
  codes[offset + 5] = sixBits(b);
  codes[offset + 6] = sixBits(b >> 18);
  codes[offset + 7] = sixBits(b >> 12);
}

function canonical(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (isExactNumber(value)) {
    const plain = plainNumber(value);
    return typeof plain === "number" ? JSON.stringify(plain) : canonicalNumber(plain);
  }
  if (value !== null && typeof value === "object") {
    const keys = Object.keys(value).sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}
