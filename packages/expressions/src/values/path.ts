/** Paths into objects and lists: `address.city`, `items[0].price`, `items[*].price`, `['a key'].b`. Read, never evaluated. */
import { isExactNumber, plainNumber } from "@accord/contracts/data/exact-number";
import type { Value } from "@accord/contracts/data/values";

/** Steps: a member's name, an item's index (negative from the end), or every item. */
export interface ValuePath {
  steps: readonly ({ member: string } | { index: number } | { all: true })[];
}

const STEP = /\.?([^.[\]'"]+)|\[(-?\d{1,6})\]|\[\*\]|\[(?:'([^']*)'|"([^"]*)")\]/y;

/** null when the text is no path. A leading `$` or `$.` is allowed. */
export function readPath(text: string): ValuePath | null {
  const rest = text.trim().replace(/^\$\.?/, "");
  const steps: ValuePath["steps"][number][] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < rest.length) {
    const first = STEP.lastIndex === 0;
    const found = STEP.exec(rest);
    if (!found) return null;
    const [whole, name, index, quoted, doubled] = found;
    if (name !== undefined) {
      if (first === whole.startsWith(".")) return null;
      steps.push({ member: name.trim() });
    } else if (index !== undefined) steps.push({ index: Number(index) });
    else if (whole === "[*]") steps.push({ all: true });
    else steps.push({ member: quoted ?? doubled ?? "" });
  }
  return { steps };
}

/** What lies at the path: own members alone, null where it leads nowhere. `[*]` gives a list of what is there. */
export function valueAtPath(value: Value | undefined, path: ValuePath, from = 0): Value {
  let at: Value | undefined = value;
  for (let index = from; index < path.steps.length; index++) {
    const step = path.steps[index];
    if (!step || at === null || typeof at !== "object" || isExactNumber(at)) return null;
    if ("all" in step) {
      const items = Array.isArray(at) ? at : Object.values(at);
      return items.map((item) => valueAtPath(item, path, index + 1)).filter((item) => item !== null);
    }
    if ("index" in step) at = Array.isArray(at) ? at.at(step.index) : undefined;
    else at = !Array.isArray(at) && Object.hasOwn(at, step.member) ? at[step.member] : undefined;
  }
  return isExactNumber(at) ? plainNumber(at) : (at ?? null);
}
