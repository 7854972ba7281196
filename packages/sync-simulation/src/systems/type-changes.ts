/**
 * A column of texts that becomes one of numbers, as in a migration. What is no number is emptied then, and refused where
 * it is written, as databases do; the schema is refreshed some time later.
 */
import type { Value, Values } from "@accord/contracts/data/values";
import type { Rng } from "../rng.ts";

/** The field whose type changes; where it does, some of its values are numbers and some are not. */
export const CHANGING_FIELD = "phone";

export interface TypeChange {
  /** Index of the system. */
  system: number;
  /** Milliseconds since the beginning: when it takes numbers only, and when the schema tells so. */
  fromMs: number;
  toldMs: number;
}

/** Null in most histories. */
export function drawTypeChange(rng: Rng, busyMs: number): TypeChange | null {
  if (!rng.bool(0.05)) return null;
  const fromMs = rng.between(1, busyMs / 2);
  return { fromMs, toldMs: rng.between(fromMs, busyMs / 2 + 1_000), system: rng.between(0, 1) };
}

/** Whether a column of numbers takes a value. */
export const isFit = (value: Value | undefined): boolean =>
  value === null || value === undefined || value === "" || /^\d+\.\d+$/.test(String(value));

/** What somebody enters for an edit; `isNumber`: where only numbers can be entered. */
export function enteredForm(edit: string, isNumber: boolean): string {
  const number = edit.slice(1);
  return isNumber || Number(number) % 3 !== 0 ? `${number}.5` : edit;
}

/** As a column of numbers tells it. */
export function asNumbers(values: Values): Values {
  const value = values[CHANGING_FIELD];
  return typeof value === "string" && value !== "" ? { ...values, [CHANGING_FIELD]: Number(value) } : values;
}

/** What is written to the column, as a person would enter it. */
export function asEntered(values: Values): Values {
  const value = values[CHANGING_FIELD];
  return typeof value === "number" ? { ...values, [CHANGING_FIELD]: String(value) } : values;
}
