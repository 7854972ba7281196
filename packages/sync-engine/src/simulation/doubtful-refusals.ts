/** Invariant: what is kept out as an edit or an older write, nobody knows which, is no write that the engine can know. */
import type { Judged } from "./judged.ts";
import { enteredValue } from "./typed-values.ts";

/** Refusals as doubtful of what our own writes wrote, but for its spelling. */
export function doubtfulRefusals({ store, story }: Pick<Judged, "store" | "story">): string[] {
  const keyOf = (field: string, value: Parameters<typeof enteredValue>[2]): string =>
    String(enteredValue(story.types, field, value)).toLowerCase();
  const written = new Set<string>();
  const broken: string[] = [];
  for (const { recordId, operation, changes, refused } of store.ledger) {
    if (operation === "write")
      for (const field in changes) written.add(`${recordId}|${keyOf(field, changes[field]?.[1] ?? null)}`);
    for (const [field, [value, reason]] of Object.entries(refused ?? {})) {
      if (reason === "unconfirmed" && written.has(`${recordId}|${keyOf(field, value)}`))
        broken.push(`our own write of ${field} was taken for a doubtful edit`);
    }
  }
  return broken;
}
