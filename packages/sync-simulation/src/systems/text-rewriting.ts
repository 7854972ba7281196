/** Systems that store a text in a way of their own, and how an edit is known again in all that they make of it. */
import type { Value, Values } from "@accord/contracts/data/values";
import type { Rng } from "../rng.ts";
import type { SystemTraits } from "./system-traits.ts";

/** The field that is rewritten. */
const TEXT_FIELD = "note";

const REWRITINGS = {
  capitals: (text: string): string => text.toUpperCase(),
  trimmed: (text: string): string => text.trim().replaceAll(/\s+/g, " "),
  cut: (text: string): string => text.slice(0, 7),
  rounded: (text: string): string => (isNumber(text) ? Number(text).toFixed(2) : text),
  padded: (text: string): string => (isNumber(text) ? Number(text).toFixed(6).padStart(14, "0") : text),
};

/** `ignored`: what is written there has no effect; people may enter it. */
export type Rewriting = keyof typeof REWRITINGS | "ignored";

/** How people enter texts in a history, and what each system makes of what it is written. */
export interface TextOptions {
  form: "words" | "numbers";
  kinds: readonly (Rewriting | null)[];
}

const isNumber = (text: string): boolean => /^\d+\.\d+$/.test(text);

export function generateTexts(rng: Rng, systems: number): TextOptions {
  const form = rng.pick(["words", "numbers"] as const);
  const kinds = {
    words: ["capitals", "trimmed", "cut", "ignored"],
    numbers: ["rounded", "padded", "ignored"],
  } as const;
  return {
    form,
    kinds: Array.from({ length: systems }, () => (rng.bool(0.6) ? rng.pick<Rewriting>(kinds[form]) : null)),
  };
}

/** The text that somebody enters for an edit. */
export function enteredText(texts: TextOptions | null, field: string, edit: string): string {
  if (!texts || field !== TEXT_FIELD) return edit;
  return texts.form === "words" ? ` ${edit}  and More ` : `${edit.slice(1)}.3456`;
}

/** Values as a system stores them. */
export function rewritten(kind: Rewriting | null, values: Values): Values {
  const text = values[TEXT_FIELD];
  if (kind === null || kind === "ignored" || typeof text !== "string") return values;
  return { ...values, [TEXT_FIELD]: REWRITINGS[kind](text) };
}

/** What of a write a system stores at all. */
export function stored(kind: Rewriting | null, values: Values): Values {
  if (kind !== "ignored" || !(TEXT_FIELD in values)) return values;
  const { [TEXT_FIELD]: _, ...others } = values;
  return others;
}

/** Whether a system need not hold what others hold. */
export const isIgnored = (texts: TextOptions | null, system: number, field: string): boolean =>
  field === TEXT_FIELD && texts?.kinds[system] === "ignored";

/**
 * Writes that one edit may come to in a system. One that ignores a field and names no times of its writes looks like one
 * in which somebody put the old value back: it is written once more.
 */
export const mostWrites = (
  texts: TextOptions | null,
  system: number,
  { answers }: Pick<SystemTraits, "answers">,
): number => (isIgnored(texts, system, TEXT_FIELD) && answers ? 2 : 1);

/**
 * Writes that one edit may come to in the system that it was made in: where it ignores a field, the old value in it has
 * the edit's time of change now.
 */
export const mostWritesBack = (texts: TextOptions | null, system: number): number =>
  isIgnored(texts, system, TEXT_FIELD) ? 1 : 0;

/** The edit behind a text, whatever a system made of it; other values in small letters. */
export function editKey(value: Value | undefined): string {
  const text = String(value ?? "")
    .trim()
    .toLowerCase();
  const word = /^e\d+\b/.exec(text)?.[0];
  const number = /^0*(\d+)\.\d+$/.exec(text)?.[1];
  return word ?? (number === undefined ? text : `e${number}`);
}
