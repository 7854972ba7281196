/**
 * Rows that were deleted and entered again under another id, as by applications that save by deleting and inserting, or
 * that reload a table whose ids are generated. Where an attach rule finds that the new row is what the deleted one was,
 * and both are known when the page is decided, the record passes to the new row: it is changed, not deleted and created.
 */
import type { SourceRecord } from "@accord/connector-sdk";
import { withoutFields } from "../state/fingerprint.ts";
import type { ProcessedPage } from "../source/page/process-page.ts";
import type { SinkPlan, SourcePlan } from "../plan/plan.ts";
import type { Found } from "../source/decision.ts";
import type { MatchRequest } from "../protocol/match-requests.ts";
import type { StoredLink, StoredRecord } from "../protocol/stored.ts";

/** A deleted row whose record another row of the page may take over. */
export interface DeletedRowRecord {
  record: StoredRecord;
  link: StoredLink;
}

/** Records of the page's deleted rows, by id: those that live, and that no second row of the source stands for. */
export function recordsOfDeletedRows({ gone, resolved }: ProcessedPage): ReadonlyMap<string, DeletedRowRecord> {
  const left = new Map<string, DeletedRowRecord>();
  for (const { link } of gone) {
    const record = resolved.records.get(link.recordId);
    const isOurs = resolved.unanswered.get(link.recordId)?.intent === "delete";
    if (!record || record.deleted || link.dead || isOurs || resolved.aliased?.has(link.recordId)) continue;
    left.set(link.recordId, { record, link });
  }
  return left;
}

/** What is known of the new row: what the deleted one showed, and was told in fields that readings show. */
export function inheritedLink(sink: SinkPlan | null, { link }: DeletedRowRecord, externalId: string): StoredLink {
  const shown = new Set(sink?.place.shared.map(({ writeIndex }) => writeIndex));
  const unseen = (sink?.place.writeFields ?? []).flatMap((_, index) => (shown.has(index) ? [] : [index]));
  const lastWritten = link.lastWritten === null ? null : withoutFields(link.lastWritten, unseen);
  // No write to the new row is under way, and how its system spells values shows in what the old one showed.
  return { ...link, externalId, lastWritten, respelled: null, modifiedAt: null };
}

/**
 * Rows that stand for what new rows of the page are too: they are asked for by their ids, as they may have been deleted
 * without any reading having told of it. Only where deletions count and single records can be asked for.
 */
export const maySeekHolders = (source: SourcePlan): boolean =>
  source.canGetById && source.acceptDeletes && source.attach.length > 0;

/** Ids of rows that are asked for at most for a page: keys that many rows have are no keys of single things. */
export const maxHolders = ({ fields }: Pick<MatchRequest, "fields">): number =>
  2 * fields.reduce((sum, { keys }) => sum + keys.length, 0);

/** Ids to ask for: those that the page does not tell of itself. */
export function holdersToConfirm({ seen }: ProcessedPage, { holders = [] }: Found): ReadonlySet<string> {
  if (holders.length === 0) return new Set();
  const shown = new Set(seen.records.map(({ id }) => id));
  return new Set(holders.filter((id) => !shown.has(id)));
}

/** Those that are gone. */
export const goneAmong = (records: readonly SourceRecord[]): SourceRecord[] =>
  records.filter(({ deleted }) => deleted === true);
