/**
 * Records that are there again under an id whose deletion is known: restored, or another thing with the same key. What a
 * page shows of them counts only if it is from after their deletion; else it is an earlier state that comes late.
 */
import type { SourceRecord } from "@accord/connector-sdk";
import type { SourcePlan } from "../../plan/plan.ts";
import type { Resolved } from "../../protocol/storage.ts";

/** A page as its records came, with a fingerprint of each. */
interface Shown {
  records: readonly SourceRecord[];
  seen: readonly string[];
  isReplay: boolean;
  isCurrent: boolean;
  /** When it was asked for, milliseconds; 0 where that is not known. */
  askedAt: number;
}

/** What was deleted and entered again within this time is one moment; clocks agree to much less. */
export const MOMENT_MS = 1_000;
/** No page of a source that may tell earlier states, and can't be asked for single records, is as late as this. */
const LATEST_MS = 600_000;

/** Whether the record was put there after its deletion. Milliseconds of `askedAt` and `deadSince` are of one clock. */
export function isReactivated(source: SourcePlan, page: Shown, record: SourceRecord, resolved: Resolved): boolean {
  const age = ageAtReading(source, page, record, resolved);
  return age > 0 && (isOfNow(page) || (!source.canGetById && age > LATEST_MS));
}

/** Ids that seem to have come back on a page that may tell earlier states: only reading them one by one can say. */
export function maybeReactivated(source: SourcePlan, page: Shown, resolved: Resolved): ReadonlySet<string> {
  if (!source.canGetById || isOfNow(page) || (resolved.deadSince?.size ?? 0) === 0) return NONE;
  const back = page.records.filter((record, index) => {
    const age = ageAtReading(source, page, record, resolved);
    return age > (isUnchanged(record, page.seen[index] ?? "", resolved) ? LATEST_MS : 0);
  });
  return new Set(back.map(({ id }) => id));
}

/** Shown as it was before its deletion, perhaps at each poll: a list may go on with what is gone. */
function isUnchanged({ id, modifiedAt }: SourceRecord, shown: string, { links }: Resolved): boolean {
  const link = links.get(id);
  return link?.seen === shown && (!modifiedAt || modifiedAt === link.modifiedAt);
}

const NONE: ReadonlySet<string> = new Set();

/** The page says how things stood when it was asked for. */
const isOfNow = ({ isCurrent, isReplay, askedAt }: Shown): boolean => isCurrent || (isReplay && askedAt > 0);

/** How long a deletion must have been visible when the page was asked for, milliseconds; negative where it need not. */
function ageAtReading(
  { readDelayMs }: SourcePlan,
  { askedAt }: Shown,
  { id, deleted }: SourceRecord,
  { deadSince }: Resolved,
): number {
  const since = deleted ? undefined : deadSince?.get(id);
  return since === undefined ? -1 : askedAt - since - readDelayMs - MOMENT_MS;
}
