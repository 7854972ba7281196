/** Paths into JSON (`data.items[*].id`): a small grammar of our own, linear in path and data; no expression language. */
import { isExactNumber, plainNumber } from "@accord/contracts/data/exact-number";
import type { Value } from "@accord/contracts/data/values";

type Step = { kind: "key"; key: string } | { kind: "index"; index: number } | { kind: "all" };
export type Selector = readonly Step[];

export class SelectorError extends Error {
  override readonly name = "SelectorError";
}

/** Longest path taken, in characters and in steps: a path is typed by a person. */
const MAX_LENGTH = 500;
const MAX_STEPS = 32;

/**
 * Parses a path. `$` and the empty text mean the whole value; `a.b`, `a[0]`, `a["odd key"]`, `a[*].b` go inside.
 * `a[-1]` is the last element. Throws `SelectorError` saying at which character it stopped.
 */
export function parseSelector(text: string): Selector {
  const path = text.trim().replace(/^\$\.?/, "");
  if (path.length > MAX_LENGTH) throw new SelectorError(`A path may have ${MAX_LENGTH} characters at most.`);
  const steps: Step[] = [];
  let at = 0;
  while (at < path.length) {
    const [step, next] = path[at] === "[" ? parseBracket(path, at) : parseKey(path, at, steps.length > 0);
    steps.push(step);
    at = next;
  }
  // Written to, this name would reach every object there is.
  if (steps.some((step) => step.kind === "key" && step.key === "__proto__"))
    throw new SelectorError("A path can't hold __proto__.");
  if (steps.length > MAX_STEPS) throw new SelectorError(`A path may have ${MAX_STEPS} steps at most.`);
  return steps;
}

function parseKey(path: string, start: number, needsDot: boolean): [Step, number] {
  const from = needsDot ? start + 1 : start;
  if (needsDot && path[start] !== ".") throw new SelectorError(`Expected a dot or [ at character ${start + 1}.`);
  let end = from;
  while (end < path.length && path[end] !== "." && path[end] !== "[" && path[end] !== "]") end += 1;
  if (end === from) throw new SelectorError(`Expected a name at character ${from + 1}.`);
  return [{ kind: "key", key: path.slice(from, end) }, end];
}

function parseBracket(path: string, start: number): [Step, number] {
  const quote = path[start + 1];
  if (quote === '"' || quote === "'") {
    const end = path.indexOf(`${quote}]`, start + 2);
    if (end < 0) throw new SelectorError(`The name that starts at character ${start + 1} has no end (${quote}]).`);
    return [{ kind: "key", key: path.slice(start + 2, end) }, end + 2];
  }
  const end = path.indexOf("]", start);
  if (end < 0) throw new SelectorError(`The [ at character ${start + 1} is not closed.`);
  const inside = path.slice(start + 1, end);
  if (inside === "*") return [{ kind: "all" }, end + 1];
  if (!/^-?\d{1,9}$/.test(inside)) throw new SelectorError(`Between [ and ] stands a number, * or "a name".`);
  return [{ kind: "index", index: Number(inside) }, end + 1];
}

/** The value at a path; `undefined` when there is none. `[*]` gives the list of what the rest finds in each element. */
export function select(value: Value | undefined, selector: Selector, from = 0): Value | undefined {
  let current = value;
  for (let at = from; at < selector.length; at += 1) {
    const step = selector[at];
    if (!step || current === null || current === undefined || typeof current !== "object") return undefined;
    if (step.kind === "all") {
      if (!Array.isArray(current)) return undefined;
      return current.flatMap((element) => select(element, selector, at + 1) ?? []);
    }
    current = step.kind === "key" ? member(current, step.key) : elementAt(current, step.index);
  }
  return current;
}

const member = (value: Value & object, key: string): Value | undefined =>
  !Array.isArray(value) && Object.hasOwn(value, key) ? value[key] : undefined;

const elementAt = (value: Value & object, index: number): Value | undefined =>
  Array.isArray(value) ? value.at(index) : undefined;

/** A reader of one path; a number found there is a plain one, or its text where that can't hold it. */
export function compileSelector(text: string): (value: Value | undefined) => Value | undefined {
  const exact = compileExactSelector(text);
  return (value) => {
    const found = exact(value);
    return isExactNumber(found) ? plainNumber(found) : found;
  };
}

/** A reader of one path that leaves numbers as they were written. Fast for the usual case of a plain top-level name. */
export function compileExactSelector(text: string): (value: Value | undefined) => Value | undefined {
  const selector = parseSelector(text);
  const [first] = selector;
  if (selector.length === 1 && first?.kind === "key") {
    const { key } = first;
    return (value) =>
      typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, key)
        ? value[key]
        : undefined;
  }
  return (value) => select(value, selector);
}

/** Paths of all lists of objects inside an answer, most elements first: what a list endpoint's records may be. */
export function findRecordLists(value: Value, depth = 4): { path: string; length: number }[] {
  const found: { path: string; length: number }[] = [];
  const visit = (current: Value, path: string, left: number): void => {
    if (Array.isArray(current)) {
      if (current.some((item) => typeof item === "object" && item !== null && !Array.isArray(item)))
        found.push({ path: path === "" ? "$" : path, length: current.length });
      return;
    }
    if (typeof current !== "object" || current === null || left === 0) return;
    for (const [key, inner] of Object.entries(current)) visit(inner, childPath(path, key), left - 1);
  };
  visit(value, "", depth);
  return found.sort((a, b) => b.length - a.length || a.path.length - b.path.length);
}

/** The path of a member: `a.b`, or `a["b c"]` when the name would not stand bare. */
export const childPath = (path: string, key: string): string =>
  /^[^.[\]"'\s$][^.[\]]*$/.test(key) ? (path === "" ? key : `${path}.${key}`) : `${path}["${key}"]`;
