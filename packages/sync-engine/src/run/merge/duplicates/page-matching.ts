/** Which records the new external records of a page belong to, and what passes from its deleted rows to new ones. */
import type { AttachIntent } from "../../../functions/flow.ts";
import {
  type Attachment,
  matchesNotCompared,
  RecordMatcher,
  severalMatches,
  tooManyCandidates,
} from "./match-existing.ts";
import type { Found } from "../../source/decision.ts";
import { failed } from "../../source/page/page-quarantine.ts";
import type { ProcessedPage } from "../../source/page/process-page.ts";
import type { SinkPlan, SourcePlan } from "../../plan/plan.ts";
import { type DeletedRowRecord, inheritedLink, recordsOfDeletedRows } from "../reinserted-rows.ts";
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
  found: Pick<Found, "candidates" | "cut">,
): PageMatching {
  const left = recordsOfDeletedRows(page);
  const { attachments } = attach(source, page, found, left);
  const records = new Map<InboundRecord, StoredRecord>();
  const reassigned = new Set<string>();
  const warnings: RecordWarning[] = [];
  for (const [inbound, attached] of attachments) {
    const { id } = inbound.record;
    if (attached.isAmbiguous) warnings.push(severalMatches(attached.nodeId, id));
    if (attached.isCut) warnings.push(matchesNotCompared(attached.nodeId, id));
    records.set(inbound, attached.record);
    const earlier = left.get(attached.record.recordId);
    if (!earlier || inbound.link) continue;
    reassigned.add(earlier.link.externalId);
    inbound.link = inheritedLink(sink, earlier, id);
    inbound.isSuccessor = true;
  }
  return { records, reassigned, warnings };
}

/**
 * The page without the records that can't be judged, since too many share a value that a rule compares: they are
 * quarantined. As new ones they would be there twice, should one that was not compared be the same.
 */
export function withoutUndecided(
  source: SourcePlan,
  page: ProcessedPage,
  found: Pick<Found, "candidates" | "cut">,
): ProcessedPage {
  if (!found.cut || found.cut.isEmpty) return page;
  const { undecided } = attach(source, page, found, recordsOfDeletedRows(page));
  if (undecided.size === 0) return page;
  const failures = page.completed.flatMap(({ inbound, flow }) => {
    const intent = undecided.get(inbound);
    return intent ? [failed(inbound, { ...flow, failure: tooManyCandidates(intent) })] : [];
  });
  const ids = new Set(failures.map(({ externalId }) => externalId));
  return {
    ...page,
    completed: page.completed.filter(({ inbound }) => !undecided.has(inbound)),
    quarantine: [...page.quarantine, ...failures],
    settled: page.settled.filter((id) => !ids.has(id)),
    deferredActions: page.deferredActions.filter(({ externalId }) => !ids.has(externalId)),
    executedActions: page.executedActions.filter(({ externalId }) => !ids.has(externalId)),
  };
}

interface PageAttachments {
  attachments: ReadonlyMap<InboundRecord, Attachment>;
  undecided: ReadonlyMap<InboundRecord, AttachIntent>;
}

const NOTHING_ATTACHED: PageAttachments = { attachments: new Map(), undecided: new Map() };

function attach(
  source: SourcePlan,
  page: ProcessedPage,
  { candidates, cut }: Pick<Found, "candidates" | "cut">,
  deletedRows: ReadonlyMap<string, DeletedRowRecord>,
): PageAttachments {
  if (page.completed.every(({ flow }) => flow.attach.length === 0)) return NOTHING_ATTACHED;
  const left = [...deletedRows.values()].map(({ record }) => record);
  const matcher = new RecordMatcher(source, candidates, page.resolved, { left, cut });
  const heirs = onlyHeirs(page, matcher);
  // Whatever order records come in: those that are known keep their records to themselves.
  const taken = new Set(page.completed.flatMap(({ inbound }) => inbound.stored?.recordId ?? []));
  const attachments = new Map<InboundRecord, Attachment>();
  const undecided = new Map<InboundRecord, AttachIntent>();
  for (const completed of page.completed) {
    const { inbound, flow } = completed;
    const found =
      inbound.stored || flow.attach.length === 0 ? null : matcher.find(completed, taken, heirs.get(inbound));
    if (!found) continue;
    if ("undecided" in found) {
      undecided.set(inbound, found.undecided);
      continue;
    }
    taken.add(found.record.recordId);
    attachments.set(inbound, found);
  }
  return { attachments, undecided };
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
