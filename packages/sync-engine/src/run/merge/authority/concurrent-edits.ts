/** Edits of one field in two systems at once: where no system is trusted more than another, one is taken and both are said. */
import { runTexts } from "@accord/contracts/messages/en/sync/run/cycle";
import { fill } from "@accord/contracts/messages/fill";
import { ruleOf } from "./authority.ts";
import type { Merged } from "../merge.ts";
import type { Plan, SinkPlan, SourcePlan } from "../../plan/plan.ts";
import { wasWrittenAnother } from "../../sink/sink-relevance.ts";
import type { RecordWarning, InboundRecord } from "../../protocol/inbound-record.ts";

/** By authority: one that trusts some system more is what people chose to decide such cases. */
const MESSAGES: { [authority: string]: string } = {
  NONE: runTexts.editedAtOnce,
  LATEST: runTexts.editedAtOnceLatest,
};

/**
 * Accepted changes of a field whose replaced value had not reached this place yet: whoever edited here did not know it.
 * `sink`: the destination at the same place.
 */
export function concurrentEdits(
  plan: Plan,
  source: SourcePlan,
  sink: SinkPlan | null,
  { link, record }: InboundRecord,
  { changes }: Merged,
): RecordWarning[] {
  const known = link?.lastWritten ?? null;
  if (!sink || known === null) return [];
  return Object.entries(changes).flatMap(([field, [replaced, value]]): RecordWarning[] => {
    const message = MESSAGES[ruleOf(plan.authority, field).authority];
    if (message === undefined || replaced === null) return [];
    const mapping = sink.mappings.find(({ coreField, createOnly }) => coreField === field && !createOnly);
    if (!mapping || !wasWrittenAnother(mapping, known, replaced)) return [];
    const sample = fill(runTexts.sampleReplaced, {
      value: JSON.stringify(value),
      replaced: JSON.stringify(replaced),
      record: record.id,
    });
    return [{ nodeId: source.nodeId, code: "edited_at_once", message, record: record.id, field, sample }];
  });
}
