/** Reads JSON along paths (`data.items[*].id`), linear in path and data. */
import { isExactNumber, plainNumber } from "@accord/contracts/data/exact-number";
import { parseSelector, SelectorError, type Selector } from "@accord/contracts/data/selector";
import type { Value } from "@accord/contracts/data/values";

export { parseSelector, SelectorError, type Selector };

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
