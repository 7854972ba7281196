/** How large the result of a function may become: a few steps that double a text would fill the memory otherwise. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { fill } from "@accord/contracts/messages/fill";
import type { Value } from "@accord/contracts/data/values";
import { type compileRegex, isStorableText } from "@accord/expressions";
import { FunctionFailure } from "../define.ts";
import type { FlowFailure } from "../flow.ts";

/** Characters of a text, and of all texts of a list together. */
export const MAX_CHARACTERS = 5_000_000;
export const MAX_ITEMS = 100_000;

export const textTooLong = (): FunctionFailure =>
  new FunctionFailure("text_too_long", fill(nodeFailures.resultTooLong, { limit: shown(MAX_CHARACTERS) }));
export const listTooLong = (): FunctionFailure =>
  new FunctionFailure("list_too_long", fill(nodeFailures.listTooLong, { limit: shown(MAX_ITEMS) }));

const notText = (): FunctionFailure => new FunctionFailure("not_text", nodeFailures.resultNotStorable);

const shown = (number: number): string => number.toLocaleString("en-US");

/** The result itself. Throws `FunctionFailure` for one that is too large, or that can't be stored. */
export function bounded(result: Value): Value {
  if (typeof result === "string") {
    if (result.length > MAX_CHARACTERS) throw textTooLong();
    if (!isStorableText(result)) throw notText();
  } else if (Array.isArray(result)) checkList(result);
  return result;
}

/** Why a record can't go on, of what its work threw; anything unforeseen is thrown on. */
export function failureOf(problem: unknown, nodeId: string): FlowFailure {
  // A text that no memory can hold is too long as well.
  const failure = problem instanceof RangeError ? textTooLong() : problem;
  if (!(failure instanceof FunctionFailure)) throw failure;
  return { nodeId, code: failure.code, message: failure.message };
}

function checkList(items: readonly Value[]): void {
  if (items.length > MAX_ITEMS) throw listTooLong();
  mapBounded(items, (item) => item);
}

/** The results for all items. Throws `FunctionFailure` as soon as their texts are too much. */
export function mapBounded(items: readonly Value[], work: (item: Value) => Value): Value[] {
  let characters = 0;
  return items.map((item) => {
    const result = work(item);
    if (typeof result === "string") {
      characters += result.length;
      if (!isStorableText(result)) throw notText();
    }
    if (characters > MAX_CHARACTERS) throw textTooLong();
    return result;
  });
}

/** The texts joined. Throws `FunctionFailure` before a text is made that is too large. */
export function joinTexts(texts: readonly string[], separator: string): string {
  let length = separator.length * Math.max(0, texts.length - 1);
  for (const text of texts) length += text.length;
  if (length > MAX_CHARACTERS) throw textTooLong();
  return texts.join(separator);
}

/** Steps that one search may take: what a pattern costs for each character, by the characters of the text. */
const MAX_STEPS = 20_000_000;

/** Ready to search a text. Throws `FunctionFailure` for a text that is too long for its pattern. */
export function matcherFor(regex: Regex, text: string): ReturnType<Regex["matcher"]> {
  if (regex.programSize() * text.length > MAX_STEPS)
    throw new FunctionFailure("text_too_long", fill(nodeFailures.tooLongForPattern, { length: shown(text.length) }));
  return regex.matcher(text);
}

type Regex = ReturnType<typeof compileRegex>;
