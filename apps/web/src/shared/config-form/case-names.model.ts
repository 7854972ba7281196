/** Names of cases that can't be stored yet: edges follow a case by its name, so each has one that is its own. Pure. */
import type { FormValues } from "./config-form.model.ts";
import { moved, placeAfter } from "./row-order.model.ts";

export type Part = Readonly<Record<string, unknown>>;

export const asPart = (value: unknown): Part =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
export const textOf = (value: unknown): string => (value === null || value === undefined ? "" : String(value));

const RESERVED_NAMES = ["default", "any"];
const comparable = (name: string): string => name.trim().toLowerCase();

export const nameOf = (one: Part | undefined): string => textOf(one?.["name"]);

export function caseNameProblem(
  cases: readonly Part[],
  index: number,
  text: string,
): "caseNameMissing" | "caseNameTaken" | undefined {
  if (text.trim() === "") return "caseNameMissing";
  const others = cases.filter((_, other) => other !== index).map(nameOf);
  return [...RESERVED_NAMES, ...others].map(comparable).includes(comparable(text)) ? "caseNameTaken" : undefined;
}

/** What was typed as the name of a case, with the name that it has meanwhile; by the case's index. */
export type TypedNames = FormValues;

/** What is kept of the case's name; undefined: it is as stored. */
export function typedName(typed: TypedNames, cases: readonly Part[], index: number): string | undefined {
  const { text, name } = asPart(typed[index]);
  return typeof text === "string" && name === nameOf(cases[index]) ? text : undefined;
}

export interface NamedCases {
  cases: readonly Part[];
  /** Null: nothing is to be kept. */
  typed: TypedNames | null;
}

/** The cases with that name typed. */
export const typeName = (cases: readonly Part[], typed: TypedNames, index: number, text: string): NamedCases =>
  withUsableNames(cases, { ...typed, [index]: { text, name: nameOf(cases[index]) } });

/** The cases without one of them; what was typed for those behind it goes with them. */
export function removeCase(cases: readonly Part[], typed: TypedNames, index: number): NamedCases {
  const moved = cases.flatMap((_, other) =>
    other !== index && typed[other] !== undefined ? [[other > index ? other - 1 : other, typed[other]] as const] : [],
  );
  return withUsableNames(
    cases.filter((_, other) => other !== index),
    Object.fromEntries(moved),
  );
}

/** The cases in another order; what was typed for each goes with it. */
export const moveCase = (cases: readonly Part[], typed: TypedNames, from: number, to: number): NamedCases =>
  withUsableNames(
    moved(cases, from, to),
    Object.fromEntries(Object.entries(typed).map(([index, held]) => [placeAfter(Number(index), from, to), held])),
  );

/** A name that can be used by now, since it was typed or is no longer taken, is the case's name. */
function withUsableNames(cases: readonly Part[], typed: TypedNames): NamedCases {
  const named = [...cases];
  const kept: { [index: string]: unknown } = {};
  for (const [index, one] of cases.entries()) {
    const text = typedName(typed, cases, index);
    if (text === undefined || text === nameOf(one)) continue;
    if (caseNameProblem(named, index, text) === undefined) named[index] = { ...one, name: text };
    else kept[index] = typed[index];
  }
  return { cases: named, typed: Object.keys(kept).length > 0 ? kept : null };
}
