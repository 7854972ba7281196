/** Paths into JSON (`data.items[*].id`): a small grammar of our own, linear in the path; no expression language. */
export type SelectorStep = { kind: "key"; key: string } | { kind: "index"; index: number } | { kind: "all" };
export type Selector = readonly SelectorStep[];

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
  const steps: SelectorStep[] = [];
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

function parseKey(path: string, start: number, needsDot: boolean): [SelectorStep, number] {
  const from = needsDot ? start + 1 : start;
  if (needsDot && path[start] !== ".") throw new SelectorError(`Expected a dot or [ at character ${start + 1}.`);
  let end = from;
  while (end < path.length && path[end] !== "." && path[end] !== "[" && path[end] !== "]") end += 1;
  if (end === from) throw new SelectorError(`Expected a name at character ${from + 1}.`);
  return [{ kind: "key", key: path.slice(from, end) }, end];
}

function parseBracket(path: string, start: number): [SelectorStep, number] {
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
