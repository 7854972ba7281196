/** Fingerprints of field values: what a place (a connector's entity) was last known to hold, field by field. */
import type { Value, Values } from "@accord/contracts/data/values";

/** Characters one field takes in a fingerprint text: 48 bits in base 64. */
const WIDTH = 8;
/** A field about which nothing is known; equal to no value. */
const UNKNOWN = "--------";
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.";
/** Code of the character that six bits stand for. */
const sixBits = (bits: number): number => ALPHABET.charCodeAt(bits & 63);
/** Characters of the text being made: a text made at once is a fraction of what joining pieces leaves behind. */
const codes: number[] = [];

/** The first `count` codes as a text. */
function textOfCodes(count: number): string {
  codes.length = count;
  return String.fromCharCode.apply(null, codes);
}

/**
 * 48-bit fingerprint of one value. `5` and `"5"` are alike (numbers travel as text where they are long), null and
 * an empty text are not. Objects count by their sorted keys.
 */
export const hashValue = (value: Value | undefined): string => hashText(textToHash(value));

const NULL_TEXT = "\u0000null";

function textToHash(value: Value | undefined): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return NULL_TEXT;
  return typeof value === "object" ? canonical(value) : String(value);
}

export function hashText(text: string): string {
  writeHash(text, 0);
  return textOfCodes(WIDTH);
}

/** Two multiplicative lanes mixed at the end (the cyrb53 construction), cut to 48 bits; written from code `at` on. */
function writeHash(text: string, at: number): void {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  codes[at] = sixBits(a >> 6);
  codes[at + 1] = sixBits(a);
  codes[at + 2] = sixBits(a >> 18);
  codes[at + 3] = sixBits(a >> 12);
  codes[at + 4] = sixBits(b >> 6);
  codes[at + 5] = sixBits(b);
  codes[at + 6] = sixBits(b >> 18);
  codes[at + 7] = sixBits(b >> 12);
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
  let at = 0;
  for (; at < program.length; at += 1) codes[at] = program.charCodeAt(at);
  for (const field of fields) {
    writeHash(textToHash(values[field]), at);
    at += WIDTH;
  }
  return textOfCodes(at);
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
