/** Completion of `{{variables}}` in a text: what is being typed, what is offered for it, and the text with the choice. Pure. */
import { queryAt, withToken } from "../../../../shared/token-picker/token-text.model.ts";

const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;
const MAX_SUGGESTIONS = 8;

/** What is being typed behind the last braces before the caret; null where none are open. */
export const openedName = (text: string, caret: number): string | null => queryAt(text, caret)?.words.trim() ?? null;

/** The text with a variable in the place of the opened braces, or at the caret, and where the caret is then. */
export const insertVariable = (text: string, caret: number, name: string): { text: string; caret: number } =>
  withToken(text, queryAt(text, caret)?.from ?? caret, caret, `{{${name}}}`);

export interface Suggestion {
  name: string;
  /** Not among the variables yet. */
  isNew: boolean;
}

export function suggestionsFor(typed: string, variables: readonly string[]): Suggestion[] {
  const part = typed.toLowerCase();
  const known = variables.filter((name) => name.toLowerCase().includes(part)).slice(0, MAX_SUGGESTIONS);
  const isNew = NAME.test(typed) && !variables.includes(typed);
  return [...known.map((name) => ({ name, isNew: false })), ...(isNew ? [{ name: typed, isNew: true }] : [])];
}
