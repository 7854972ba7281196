/** How deep values may be nested: whoever writes them to JSON goes down each level, and ends where memory for that does. */
import type { Value } from "@accord/contracts/data/values";

export const MAX_DEPTH = 500;

/** Goes down level by level, whatever the depth. */
export function isNestedTooDeeply(value: Value): boolean {
  let level: Value[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((one) =>
      typeof one === "object" && one !== null ? Object.values(one).filter(isStructure) : [],
    );
  }
  return false;
}

const isStructure = (value: Value): boolean => typeof value === "object" && value !== null;
