/** Which mutants are tried where not all of them are. */
import { createHash } from "node:crypto";
import { compiled } from "./compiled.ts";
import type { Mutant } from "./mutant.ts";

/** For one that is tried, some two are drawn: the compiler refuses about a third. */
const DRAWN = 1.8;
const FEW = 8;

/** Those whose names hash lowest: the same ones while others come and go. `salt`: another one, another sample. */
export function sample(root: string, mutants: readonly Mutant[], count: number, salt: string): Mutant[] {
  if (count === 0) return [];
  const rank = ({ id }: Mutant): string => createHash("sha256").update(`${salt} ${id}`).digest("hex");
  const ranked = mutants
    .map((mutant) => ({ mutant, rank: rank(mutant) }))
    .toSorted((left, right) => (left.rank < right.rank ? -1 : 1))
    .map(({ mutant }) => mutant);
  const drawn = ranked.slice(0, Math.ceil(count * DRAWN) + FEW);
  const chosen = compiled(root, drawn);
  return (chosen.length < count ? compiled(root, ranked) : chosen).slice(0, count);
}
