/** When a record's values were set, as far as its source can tell. */
import type { Traveller } from "./traveller.ts";

/**
 * The record's own time stamp, at the latest the moment when it was read: nothing was entered later, so a clock that is
 * ahead gives its system no lead over what is entered elsewhere afterwards. A record that changed though its time stamp did not move on was changed by something
 * that sets none (an import, a restored backup, a statement by hand): then the moment when that was noticed. Only of a
 * source that tells how records stand now; others may have sent an earlier state late.
 */
export function changeTime(
  { record: { modifiedAt }, link, seen }: Pick<Traveller, "record" | "link" | "seen">,
  { now, reapply }: { now: string; reapply: boolean },
  isCurrent: boolean,
): string {
  if (!modifiedAt) return now;
  const hasMovedOn = !link?.modifiedAt || modifiedAt > link.modifiedAt || link.seen === seen;
  const isTold = hasMovedOn || reapply || !isCurrent;
  return isTold && modifiedAt < now ? modifiedAt : now;
}
