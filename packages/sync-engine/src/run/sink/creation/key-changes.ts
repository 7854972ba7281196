/** Changes of the field by which a destination finds records: what waits for the former key may be created now. */
import { fieldOf, isKnown } from "../../state/fingerprint.ts";
import type { SinkPlan } from "../../plan/plan.ts";
import type { LinkWrite } from "../../protocol/storage.ts";

/** An external record for which deliveries of other records may be parked, and may be tried again. */
export interface FreedRecord {
  externalId: string;
  /** Its key changed, see `LinkWrite`: it may be another record's still. Absent: only if no other record has it. */
  rekeyedForMs?: number;
}

/** `before` and `after`: what an external record held of the written fields. `delayMs`: until look-ups show what it holds. */
export function keyChange(
  { matchOn, place }: SinkPlan,
  { before, after }: { before: string | null; after: string | null },
  delayMs: number,
): Pick<LinkWrite, "rekeyedForMs"> {
  const index = matchOn === null ? -1 : place.writeFields.indexOf(matchOn);
  if (index < 0 || before === null || after === null) return {};
  const [former, key] = [fieldOf(before, index), fieldOf(after, index)];
  // A key that was in doubt, and is read again, has not changed by that.
  return isKnown(former) && isKnown(key) && key !== former ? { rekeyedForMs: delayMs } : {};
}
