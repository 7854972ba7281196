/** Which records the new external records of a page belong to, and what passes from its deleted rows to new ones. */
import { RecordMatcher, severalMatches } from "./match-existing.ts";
import type { ProcessedPage } from "../../source/process-page.ts";
import type { SinkPlan, SourcePlan } from "../../plan/plan.ts";
import { inheritedLink, recordsOfDeletedRows } from "../reinserted-rows.ts";
import type { StoredRecord } from "../../protocol/stored.ts";
import type { RecordWarning, InboundRecord } from "../../protocol/inbound-record.ts";

export interface PageMatching {
  /** Records that attach rules found for new external records. */
  records: ReadonlyMap<InboundRecord, StoredRecord>;
  /** Ids of deleted rows whose records other rows have taken over. */
  reassigned: ReadonlySet<string>;
  warnings: readonly RecordWarning[];
}

/** `sink`: the destination at the same place. Rows that take a record over get the link that the deleted one had. */
export function matchPage(
  source: SourcePlan,
  sink: SinkPlan | null,
  page: ProcessedPage,
  candidates: readonly StoredRecord[],
): PageMatching {
  const left = recordsOfDeletedRows(page);
  const matcher = new RecordMatcher(
    source,
    candidates,
    page.resolved,
    [...left.values()].map(({ record }) => record),
  );
  const heirs = onlyHeirs(page, matcher);
  // Whatever order records come in: those that are known keep their records to themselves.
  const taken = new Set(page.completed.flatMap(({ inbound }) => inbound.stored?.recordId ?? []));
  const records = new Map<InboundRecord, StoredRecord>();
  const reassigned = new Set<string>();
  const warnings: RecordWarning[] = [];
  for (const { inbound, flow } of page.completed) {
    const found = inbound.stored || flow.attach.length === 0 ? null : matcher.find(flow, taken, heirs.get(inbound));
    if (!found) continue;
    if (found.isAmbiguous) warnings.push(severalMatches(found.nodeId, inbound.record.id));
    taken.add(found.record.recordId);
    records.set(inbound, found.record);
    const earlier = left.get(found.record.recordId);
    if (!earlier || inbound.link) continue;
    reassigned.add(earlier.link.externalId);
    inbound.link = inheritedLink(sink, earlier, inbound.record.id);
    inbound.isSuccessor = true;
  }
  return { records, reassigned, warnings };
}

/** The records that new rows take over from deleted ones: where exactly one row was the same, and is entered again once. */
function onlyHeirs({ completed }: ProcessedPage, matcher: RecordMatcher): ReadonlyMap<InboundRecord, StoredRecord> {
  const found = completed.flatMap(({ inbound, flow }): [InboundRecord, StoredRecord][] => {
    const record = inbound.stored || flow.attach.length === 0 ? null : matcher.findLeft(flow);
    return record ? [[inbound, record]] : [];
  });
  const counts = new Map<string, number>();
  for (const [, { recordId }] of found) counts.set(recordId, (counts.get(recordId) ?? 0) + 1);
  return new Map(found.filter(([, { recordId }]) => counts.get(recordId) === 1));
}
