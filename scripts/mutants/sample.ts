/** Which mutants are tried where not all of them are. */
import { createHash } from "node:crypto";
import { isParsed } from "./mutated-text.ts";
import type { Mutant } from "./mutant.ts";

/** Those whose names hash lowest: the same ones while others come and go. `salt`: another one, another sample. */
export function sample(root: string, mutants: readonly Mutant[], count: number, salt: string): Mutant[] {
  const rank = ({ id }: Mutant): string => createHash("sha256").update(`${salt} ${id}`).digest("hex");
  const ranked = mutants
    .map((mutant) => ({ mutant, rank: rank(mutant) }))
    .toSorted((left, right) => (left.rank < right.rank ? -1 : 1));
  const chosen: Mutant[] = [];
  for (const { mutant } of ranked) {
    if (chosen.length >= count) break;
    if (isParsed(root, mutant)) chosen.push(mutant);
  }
  return chosen;
}
