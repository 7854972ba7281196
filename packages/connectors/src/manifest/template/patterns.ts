/** Regular expressions of manifests: refused where they are sure to take for ever, and interrupted where they do. */
import { createContext, Script } from "node:vm";
import { spend } from "./budget.ts";
import { TemplateError } from "./errors.ts";

const MAX_PATTERN = 500;
/** Characters of a text that are searched. */
const MAX_SEARCHED = 2_000;
/** Repetitions without an end side by side multiply the work. */
const MAX_UNBOUNDED = 4;

/** How long a search may take. No rule says beforehand which patterns take for ever on which texts. */
const MAX_SEARCH_MS = 200;
/** A search in the steps of a template: what it is begun with, and each millisecond that it takes. */
const [STEPS_A_SEARCH, STEPS_A_MS] = [20, 250];

const compiled = new Map<string, RegExp>();

/** @throws TemplateError for a pattern that can't be read, or that could take for ever. */
export function compilePattern(source: string): RegExp {
  const known = compiled.get(source);
  if (known) return known;
  if (source.length > MAX_PATTERN) throw new TemplateError(`A pattern may have ${MAX_PATTERN} characters at most`);
  assertBounded(source);
  try {
    // Named groups are written so in Python.
    const pattern = new RegExp(source.replace(/\(\?P</g, "(?<"));
    if (compiled.size < 1_000) compiled.set(source, pattern);
    return pattern;
  } catch (error) {
    throw new TemplateError("A pattern can't be read", { cause: error });
  }
}

/** Only code that runs so can be interrupted. It sees a pattern and a text, and nothing else. */
const searching: { pattern: RegExp | null; text: string; found: unknown } = Object.assign(Object.create(null), {
  pattern: null,
  text: "",
  found: null,
});
const realm = createContext(searching);
const search = new Script("found = pattern.exec(text)");

/**
 * The first group that a pattern finds, else all it finds; null where it finds nothing.
 *
 * @throws TemplateError where the search takes too long.
 */
export function searchPattern(pattern: RegExp, text: string): string | null {
  const begun = performance.now();
  searching.pattern = pattern;
  searching.text = text.slice(0, MAX_SEARCHED);
  try {
    search.runInContext(realm, { timeout: MAX_SEARCH_MS });
  } catch (error) {
    throw new TemplateError("A pattern takes too long on a text", { cause: error });
  }
  spend(STEPS_A_SEARCH + Math.ceil((performance.now() - begun) * STEPS_A_MS));
  const { found } = searching;
  if (!Array.isArray(found)) return null;
  const [whole, group]: unknown[] = found;
  return typeof group === "string" ? group : String(whole);
}

/** A repeated group in which something is repeated, or chosen, can be matched in very many ways; so can a back reference. */
function assertBounded(source: string): void {
  const plain = source.replace(/\\[^\d]/g, "x").replace(/\[(?:[^\]\\]|\\.)*\]/g, "x");
  if (/\\\d/.test(plain)) throw new TemplateError("A pattern refers back to a group, which is not supported");
  const groups: boolean[] = [];
  let unbounded = 0;
  for (let at = 0; at < plain.length; at += 1) {
    const sign = plain.charAt(at);
    const isRepeated = /^(?:[*+]|\{\d*,?\d*\})/.test(plain.slice(at + 1, at + 20));
    if (sign === "(") groups.push(false);
    else if (sign === ")") {
      const isVaried = groups.pop() ?? false;
      if (isVaried && isRepeated)
        throw new TemplateError("A pattern repeats a group that holds repetitions or choices");
      if (isVaried && groups.length > 0) groups[groups.length - 1] = true;
    } else if (
      sign === "|" ||
      sign === "*" ||
      sign === "+" ||
      (sign === "{" && /^\{\d*,/.test(plain.slice(at, at + 12)))
    ) {
      if (sign !== "|") unbounded += 1;
      if (groups.length > 0) groups[groups.length - 1] = true;
    }
  }
  if (unbounded > MAX_UNBOUNDED)
    throw new TemplateError(`A pattern may have ${MAX_UNBOUNDED} repetitions without an end at most`);
}
