/** What one run may keep, in bytes: node data until it is used up, compared values shortened. Pure. */
import type { Value } from "@accord/contracts/data/values";
import { PIPELINE_TEST_LIMITS as LIMITS } from "@accord/contracts/sync/tests/pipeline-tests";
import { textOf } from "@accord/expressions";

export interface Budget {
  /** For data of nodes; below zero once it is used up. */
  left: number;
  /** For values that were compared; once it is used up they are shortened to an excerpt. */
  values: number;
}

const MAX_VALUE_BYTES = 4 * 1024;
const EXCERPT_LENGTH = 60;

export const newBudget = (): Budget => ({ left: LIMITS.runBytes, values: LIMITS.runBytes / 2 });

export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The value, or the beginning of its text where it is too long to be kept. */
export function keptValue(budget: Budget, value: Value): Value {
  const limit = budget.values > 0 ? MAX_VALUE_BYTES : EXCERPT_LENGTH;
  const bytes = bytesOf(value);
  const kept = bytes > limit ? shortened(textOf(value), Math.floor(limit / 4)) : value;
  // It is stored with the result and with its details.
  budget.values -= 2 * bytesOf(kept);
  return kept;
}

export const keptText = (budget: Budget, text: string): string => String(keptValue(budget, text));

const shortened = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).toWellFormed()}… (${text.length})` : text;
