/**
 * New rows that show what a creation without an answer wrote for another record, which a row that somebody entered there
 * stands for by now. Merged with that record, such a row says nothing of its own in the fields that are as they were
 * written: the record it was made for has the say, whatever has been entered in it since.
 */
import type { Values } from "@accord/contracts/data/values";
import type { BatchContext } from "./decision.ts";
import { changedFields } from "./page/changed-fields.ts";
import type { ProcessedPage } from "./page/process-page.ts";
import type { SinkPlan, SourcePlan } from "../plan/plan.ts";
import { judgeShown } from "../state/fields/returned-fields.ts";
import type { StoredRecord } from "../protocol/stored.ts";
import type { InboundRecord } from "../protocol/inbound-record.ts";

/** Whether a record shows in a field only what was written for another one. */
export type IsWrittenFor = (other: StoredRecord, field: string) => boolean;

/** `sink`: the destination at the same place. Null where no creation for another record is in doubt there. */
export function writtenFor(
  { source, sink, page }: { source: SourcePlan; sink: SinkPlan | null; page: ProcessedPage },
  inbound: InboundRecord,
  values: Values,
  env: Pick<BatchContext, "now" | "reapply">,
): IsWrittenFor | null {
  const { unanswered } = page.resolved;
  if (!sink || ![...unanswered.values()].some(({ intent }) => intent === "create")) return null;
  const changed = new Map<string, ((field: string) => boolean) | null>();
  const changedSince = (other: StoredRecord): ((field: string) => boolean) | null => {
    const doubt = unanswered.get(other.recordId);
    if (doubt?.intent !== "create") return null;
    const asOther: InboundRecord = { ...inbound, stored: other, written: doubt.written };
    asOther.spelling = judgeShown(sink, source, asOther, other.values, env);
    return changedFields(source, asOther, values, env.reapply);
  };
  return (other, field) => {
    const known = changed.get(other.recordId);
    const isChanged = known === undefined ? changedSince(other) : known;
    if (known === undefined) changed.set(other.recordId, isChanged);
    return isChanged !== null && !isChanged(field);
  };
}
