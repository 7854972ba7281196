/** The text of a file with a mutant in it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { walk } from "../check/syntax-walk.ts";
import type { Mutant } from "./mutant.ts";

/** @throws SyntaxError when it can't be parsed: any test would notice that, and prove nothing. */
export function mutatedText(root: string, { file, start, end, replacement }: Mutant): string {
  const text = readFileSync(join(root, file), "utf8");
  const changed = text.slice(0, start) + replacement + text.slice(end);
  walk(file, changed, () => () => {});
  return changed;
}

export function isParsed(root: string, mutant: Mutant): boolean {
  try {
    mutatedText(root, mutant);
    return true;
  } catch {
    return false;
  }
}
