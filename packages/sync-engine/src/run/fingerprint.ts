/** Fingerprints of field values: what a place (a connector's entity) was last known to hold, field by field. */
import type { Value, Values } from "@accord/contracts/data/values";

/** Characters one field takes in a fingerprint text: 48 bits in base 64. */
const WIDTH = 8;
/** A field about which nothing is known; equal to no value. */
const UNKNOWN = "--------";
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.";
/** Every pair of characters of the alphabet: 12 bits a look-up. */
const PAIRS: readonly string[] = Array.from(
  { length: 4096 },
  (_, index) => ALPHABET.charAt(index >> 6) + ALPHABET.charAt(index & 63),
);
const NULL = hashText("\u0000null");

/**
 * 48-bit fingerprint of one value. `5` and `"5"` are alike (numbers travel as text where they are long), null and
 * an empty text are not. Objects count by their sorted keys.
 */
export function hashValue(value: Value | undefined): string {
  if (value === null || value === undefined) return NULL;
  if (typeof value === "string") return hashText(value);
  if (typeof value === "object") return hashText(canonical(value));
  return hashText(String(value));
}

/** Two multiplicative lanes mixed at the end (the cyrb53 construction), cut to 48 bits. */
export function hashText(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return PAIRS[a & 4095]! + PAIRS[(a >>> 12) & 4095]! + PAIRS[b & 4095]! + PAIRS[(b >>> 12) & 4095]!;
}

function canonical(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const keys = Object.keys(value).sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

/** Fingerprint of a record as read: the program that reads it, then each field in order. A missing field reads as null. */
export function seenFingerprint(program: string, fields: readonly string[], values: Values): string {
  let text = program;
  for (const field of fields) text += hashValue(values[field]);
  return text;
}

/** Fingerprint of what is written: only the fields in `values` are known. */
export function writtenFingerprint(fields: readonly string[], values: Values): string {
  let text = WRITTEN;
  for (const field of fields) {
    const value = values[field];
    text += value === undefined ? UNKNOWN : hashValue(value);
  }
  return text;
}

/** Program part of a fingerprint whose values came from a write and not from a read. */
export const WRITTEN = "--------";

/** What a place was told of a record that we deleted there. */
export const REMOVED_BY_US = WRITTEN;

/** The part of `known` that names the program. */
export const programOf = (known: string): string => known.slice(0, WIDTH);

/** What `known` says about the field at `index`; fields added to the place later are unknown. */
export function fieldOf(known: string, index: number): string {
  const part = known.slice(WIDTH * (index + 1), WIDTH * (index + 2));
  return part === "" ? UNKNOWN : part;
}

/** Whether `known` says that the field at `index` holds the value with this hash. */
export const holds = (known: string | null, index: number, hash: string): boolean =>
  known !== null && fieldOf(known, index) === hash;

/** `known` with single fields replaced: pairs of field index and its new part. Length grows to `fieldCount`. */
export function replaceFields(known: string | null, fieldCount: number, parts: ReadonlyMap<number, string>): string {
  let text = known === null ? WRITTEN : programOf(known);
  for (let index = 0; index < fieldCount; index += 1) {
    text += parts.get(index) ?? (known === null ? UNKNOWN : fieldOf(known, index));
  }
  return text;
}

export const isKnown = (part: string): boolean => part !== UNKNOWN;
