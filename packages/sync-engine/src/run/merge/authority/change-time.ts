/** When a record's values were set, as far as its source can tell. */
import type { InboundRecord } from "../../protocol/inbound-record.ts";

/**
 * The record's own time stamp, at the latest the moment when it was read: nothing was entered later, so a clock that is
 * ahead gives its system no lead over what is entered elsewhere afterwards. A record that changed though its time stamp did not move on was changed by something
 * that sets none (an import, a restored backup, a statement by hand): then the moment when that was noticed. Only of a
 * source that tells how records stand now; others may have sent an earlier state late.
 */
export const changeTime = (inbound: Dated, env: Env, isCurrent: boolean): string =>
  sourceTime(inbound, env, isCurrent) ?? env.now;

/** Null where the source does not tell it: then all that is known is by when the record was read. */
export function sourceTime({ record: { modifiedAt }, link, seen }: Dated, env: Env, isCurrent: boolean): string | null {
  if (!modifiedAt) return null;
  const hasMovedOn = !link?.modifiedAt || modifiedAt > link.modifiedAt || link.seen === seen;
  const isReported = hasMovedOn || env.reapply || !isCurrent;
  return isReported && modifiedAt < env.now ? modifiedAt : null;
}

type Dated = Pick<InboundRecord, "record" | "link" | "seen">;

interface Env {
  now: string;
  reapply: boolean;
}
