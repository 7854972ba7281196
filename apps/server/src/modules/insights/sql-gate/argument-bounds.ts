/** What calls and types may ask for beyond what they are: PostgreSQL would work on it long, or make it large, in one step. */
import { takesCharacters } from "./functions.ts";
import type { SqlProblemCode } from "./refusal.ts";
import { isShortText, lengthOf } from "./tree.ts";

export const ARGUMENT_LIMITS = { characterLength: 32_768, values: 100, characters: 200 } as const;

export interface ArgumentProblem {
  code: SqlProblemCode;
  facts: Readonly<Record<string, string>>;
}

/** The database compares each character of a text with each of a set, and doesn't look whether it was cancelled meanwhile. */
export function charactersProblem(name: string, args: readonly unknown[]): ArgumentProblem | undefined {
  const limit = ARGUMENT_LIMITS.characters;
  if (!takesCharacters(name) || args.slice(1).every((arg) => isShortText(arg, limit))) return undefined;
  return { code: "characters_constant", facts: { name, limit: String(limit) } };
}

export function valuesProblem(name: string, args: readonly unknown[]): ArgumentProblem | undefined {
  const limit = ARGUMENT_LIMITS.values;
  return args.length > limit ? { code: "too_many_values", facts: { name, limit: String(limit) } } : undefined;
}

/** A `char` is filled up with blanks. */
export function lengthProblem(type: string, typmods: unknown): ArgumentProblem | undefined {
  const limit = ARGUMENT_LIMITS.characterLength;
  const length = type === "bpchar" ? lengthOf(typmods) : 0;
  return length > limit
    ? { code: "character_length", facts: { length: String(length), limit: String(limit) } }
    : undefined;
}
