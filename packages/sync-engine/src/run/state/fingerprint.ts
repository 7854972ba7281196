/** Fingerprints of field values: what a place (a connector's entity) was last known to hold, field by field. */
import { FINGERPRINT_LENGTH, hashInput, hashValue, writeHash } from "@accord/connector-sdk/fingerprint";
import type { Value, Values } from "@accord/contracts/data/values";
import { spellingHash } from "./normalization/spelling.ts";

/** Characters one field takes in a fingerprint text. */
const WIDTH = FINGERPRINT_LENGTH;
/** A field about which nothing is known; equal to no value. */
export const UNKNOWN = "--------";
/** Characters of the text being made: a text made at once is a fraction of what joining pieces leaves behind. */
const codes: number[] = [];

/** Writes a text's codes from `at` on; answers where they end. */
function writeText(text: string, at: number): number {
  for (let index = 0; index < text.length; index += 1) codes[at + index] = text.charCodeAt(index);
  return at + text.length;
}

/** The first `count` codes as a text. */
function textOfCodes(count: number): string {
  codes.length = count;
  return String.fromCharCode.apply(null, codes);
}

/**
 * Fingerprint of a record as read: the program that reads it, then each field in order. A field that the record has no
 * key of is missing, which is not null. `lapsed`: indexes of fields that the program does not read.
 */
export function seenFingerprint(
  program: string,
  fields: readonly string[],
  values: Values,
  lapsed?: ReadonlySet<number>,
): string {
  let at = writeText(program, 0);
  for (let index = 0; index < fields.length; index += 1) {
    const value = values[fields[index] ?? ""];
    if (lapsed?.has(index)) writeText(UNKNOWN, at);
    else if (value === undefined) writeText(MISSING, at);
    else writeHash(hashInput(value), codes, at);
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

/**
 * Fingerprint of an attempt to write: of the values, and behind them of their spellings, so that it is known again where
 * a system stores it in one of its own.
 */
export function attemptFingerprint(fields: readonly string[], values: Values): string {
  let text = writtenFingerprint(fields, values);
  for (const field of fields) {
    const value = values[field];
    text += (value === undefined ? null : spellingHash(value)) ?? UNKNOWN;
  }
  return text;
}

/** An attempt's fingerprint with the time when it was begun, Unix milliseconds: whole seconds, rounded up, in base 36. */
export function attemptAt(attempt: string, now: number): string {
  const seconds = Math.ceil(now / 1_000).toString(36);
  return seconds.padStart(WIDTH, "0") + attempt.slice(WIDTH);
}

/** When an attempt was begun, Unix milliseconds; null where that was not noted. */
export function timeOfAttempt(attempt: string): number | null {
  const text = versionOf(attempt);
  return BASE_36.test(text) ? Number.parseInt(text, 36) * 1_000 : null;
}

const BASE_36 = /^0[0-9a-z]{7}$/;

/** Whether an attempt to write fields of a place wrote this value, in whatever spelling, to the field at `index`. */
export function isSpelledAs(attempt: string, fieldCount: number, index: number, value: Value | undefined): boolean {
  const part = fieldOf(attempt, fieldCount + index);
  return isKnown(part) && part === spellingHash(value);
}

/** Program part of a fingerprint whose values came from a write and not from a read. */
const WRITTEN = "--------";

/** In place of the first character of the program: what the record is expected to show, as it was written, not read. */
const EXPECTED = "-";

/** Whether a record was ever read. */
export const isRead = (known: string | null): boolean => known !== null && nameIn(known) !== nameIn(WRITTEN);

/**
 * Which of the losses of fields at its place a record was read after, or written: in place of three characters of the
 * program that read it. Nothing of it is written as long as no field was lost: see `dropped-fields.ts`.
 */
const LOSS_MARK = "+";
const LOSS_BEGINS = 1;
const LOSS_ENDS = 4;
/** Losses of a place that can be distinguished. */
export const MAX_LOSSES = 36 ** (LOSS_ENDS - LOSS_BEGINS - LOSS_MARK.length) - 1;

/** The number of the last loss before `known` was read or written; 0: there was none. */
export const lossIn = (known: string): number =>
  known[LOSS_BEGINS] === LOSS_MARK ? Number.parseInt(known.slice(LOSS_BEGINS + 1, LOSS_ENDS), 36) : 0;

/** `known`, or a program, as read or written after the loss with this number. */
export function afterLoss(known: string, loss: number): string {
  if (loss === lossIn(known)) return known;
  const digits = loss.toString(36).padStart(LOSS_ENDS - LOSS_BEGINS - 1, "0");
  return known.slice(0, LOSS_BEGINS) + LOSS_MARK + digits + known.slice(LOSS_ENDS);
}

/** The characters of a program that stand whatever was lost, and whatever is expected. */
const nameIn = (known: string): string => known.slice(LOSS_ENDS, WIDTH);

/** Marks what a later read is expected to show; the read itself takes its place. */
export const asExpectation = (known: string): string => EXPECTED + known.slice(1);

/** Whether nothing has been read since the last write. */
export const isExpectation = (known: string | null): boolean => known?.[0] === EXPECTED;

/** Whether a record shows just what was expected of it. */
export const isAsExpected = (known: string | null, seen: string): boolean =>
  known !== null && isExpectation(known) && known.slice(1) === seen.slice(1);

/** Whether `known` was read by another program than this one. */
export const isOfOtherVersion = (known: string, program: string): boolean =>
  isRead(known) &&
  (lossIn(known) > 0 ? nameIn(known) !== nameIn(program) : known.slice(1, WIDTH) !== program.slice(1, WIDTH));

/** What a place was notified of a record that we deleted there. */
export const REMOVED_BY_US = WRITTEN;

/** The part of `known` that names the program. */
const versionOf = (known: string): string => known.slice(0, WIDTH);

/** Characters of a fingerprint before the part of the field at `index`. */
export const offsetOf = (index: number): number => WIDTH * (index + 1);

/** What `known` says about the field at `index`; fields added to the place later, and missing ones, are unknown. */
export function fieldOf(known: string, index: number): string {
  const part = partAt(known, index);
  return part === "" || isMissing(part) ? UNKNOWN : part;
}

/** The part of the field at `index` as it is written; empty where the field was added later. */
export const partAt = (known: string, index: number): string => known.slice(offsetOf(index), offsetOf(index + 1));

/**
 * Parts of missing fields: a mark, and behind it what the field was seen to hold before, but for its first character.
 * Nothing was seen before in `MISSING`.
 */
const MISSING = "~.......";
const MARKS = ["~", "!"];

/** Whether a record was read without some of its fields; of `respelled`: whether it may have been before a write. */
export const hasMissing = (known: string | null): boolean =>
  known !== null && MARKS.some((mark) => known.includes(mark));

/** Whether a record was read without the field. */
export const isMissing = (part: string): boolean => MARKS.includes(part[0] ?? "");

/** Likewise of the field at `index`: asked of each field of each record, so without a text of its own. */
export const isMissingAt = (known: string, index: number): boolean => {
  const mark = known[offsetOf(index)];
  return mark !== undefined && MARKS.includes(mark);
};

/** Whether something was written to the missing field since it was last seen: nobody knows whether it is stored. */
export const isMissingUnsure = (part: string): boolean => part[0] === MARKS[1];

/** Whether the missing field was ever seen to hold anything, be it a blank. */
export const wasSeenBefore = (part: string): boolean => part.slice(1) !== MISSING.slice(1);

/** `before`: what the field was seen to hold; null where that is not known. */
export const missingPart = (before: string | null, isUnsure: boolean): string =>
  (isUnsure ? MARKS[1] : MARKS[0]) + (before !== null && isKnown(before) && before !== "" ? before : MISSING).slice(1);

/** Whether a missing field was seen to hold this value before. */
export const heldBefore = (part: string, hash: string): boolean =>
  isMissing(part) && wasSeenBefore(part) && part.slice(1) === hash.slice(1);

/**
 * What a record is expected to show in the field at `index`. What was left out when we created it is blank there: nobody
 * has said so.
 */
export function expectedOf(known: string, index: number): string {
  const part = fieldOf(known, index);
  return !isKnown(part) && isExpectation(known) && !isRead(known) ? BLANK : part;
}

export const BLANK = hashValue(null);

/** Whether `known` says that the field at `index` holds the value with this hash. */
export const holds = (known: string | null, index: number, hash: string): boolean =>
  known !== null && fieldOf(known, index) === hash;

/** `known` with single fields replaced: pairs of field index and its new part. Length grows to `fieldCount`. */
export function replaceFields(known: string | null, fieldCount: number, parts: ReadonlyMap<number, string>): string {
  let text = known === null ? WRITTEN : versionOf(known);
  for (let index = 0; index < fieldCount; index += 1) {
    text += parts.get(index) ?? ((known === null ? "" : partAt(known, index)) || UNKNOWN);
  }
  return text;
}

/** How many fields `known` says anything of. */
export const fieldsIn = (known: string | null): number => Math.max(0, Math.ceil((known?.length ?? 0) / WIDTH) - 1);

/** `known` without what it says of single fields. */
export const withoutFields = (known: string, indexes: readonly number[]): string =>
  indexes.length === 0
    ? known
    : replaceFields(known, fieldsIn(known), new Map(indexes.map((index) => [index, UNKNOWN])));

export const isKnown = (part: string): boolean => part !== UNKNOWN;
