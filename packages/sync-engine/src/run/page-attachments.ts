/** Which records the new outside records of a page belong to, and what passes from its deleted rows to new ones. */
import { Attaching, severalMatches } from "./attach.ts";
import type { LookedPage } from "./look.ts";
import type { SinkPlan, SourcePlan } from "./plan.ts";
import { inheritedLink, leftRecords } from "./reentered.ts";
import type { StoredRecord } from "./stored.ts";
import type { RecordWarning, Traveller } from "./traveller.ts";

export interface PageAttachments {
  /** Records that attach rules found for new outside records. */
  records: ReadonlyMap<Traveller, StoredRecord>;
  /** Ids of deleted rows whose records other rows have taken over. */
  handedOver: ReadonlySet<string>;
  warnings: readonly RecordWarning[];
}

/** `sink`: the destination at the same place. Rows that take a record over get the link that the deleted one had. */
export function attachPage(
  source: SourcePlan,
  sink: SinkPlan | null,
  page: LookedPage,
  candidates: readonly StoredRecord[],
): PageAttachments {
  const left = leftRecords(page);
  const attaching = new Attaching(
    source,
    candidates,
    page.resolved,
    [...left.values()].map(({ record }) => record),
  );
  const heirs = onlyHeirs(page, attaching);
  // Whatever order records come in: those that are known keep their records to themselves.
  const taken = new Set(page.arrived.flatMap(({ traveller }) => traveller.stored?.recordId ?? []));
  const records = new Map<Traveller, StoredRecord>();
  const handedOver = new Set<string>();
  const warnings: RecordWarning[] = [];
  for (const { traveller, flow } of page.arrived) {
    const found =
      traveller.stored || flow.attach.length === 0 ? null : attaching.find(flow, taken, heirs.get(traveller));
    if (!found) continue;
    if (found.isOneOfSeveral) warnings.push(severalMatches(found.nodeId, traveller.record.id));
    taken.add(found.record.recordId);
    records.set(traveller, found.record);
    const earlier = left.get(found.record.recordId);
    if (!earlier || traveller.link) continue;
    handedOver.add(earlier.link.externalId);
    traveller.link = inheritedLink(sink, earlier, traveller.record.id);
    traveller.isSuccessor = true;
  }
  return { records, handedOver, warnings };
}

/** The records that new rows take over from deleted ones: where exactly one row was the same, and is entered again once. */
function onlyHeirs({ arrived }: LookedPage, attaching: Attaching): ReadonlyMap<Traveller, StoredRecord> {
  const found = arrived.flatMap(({ traveller, flow }): [Traveller, StoredRecord][] => {
    const record = traveller.stored || flow.attach.length === 0 ? null : attaching.findLeft(flow);
    return record ? [[traveller, record]] : [];
  });
  const counts = new Map<string, number>();
  for (const [, { recordId }] of found) counts.set(recordId, (counts.get(recordId) ?? 0) + 1);
  return new Map(found.filter(([, { recordId }]) => counts.get(recordId) === 1));
}
