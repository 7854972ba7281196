/** References that name a record which nobody knows yet: no blank, and kept until the record appears. */
import type { Values } from "@accord/contracts/data/values";
import { ruleOf } from "./authority/authority.ts";
import type { Merged } from "./merge.ts";
import type { InboundRecord } from "../protocol/inbound-record.ts";
import type { Plan, SourcePlan } from "../plan/plan.ts";
import type { CommitBatch } from "../protocol/storage.ts";

/** What a source says of a stored record: what it changed, but for references that can't be followed yet. */
export function contributedFields(
  { pending }: InboundRecord,
  completed: Values,
  isChanged: (field: string) => boolean,
): Values {
  const open = new Set(pending.map(({ field }) => field));
  const contributed: Values = {};
  for (const field in completed)
    if (isChanged(field) && !open.has(field)) contributed[field] = completed[field] ?? null;
  return contributed;
}

/** What a source says of a record's references. */
interface Said {
  recordId: string;
  /** When the source set a field, UTC ISO-8601. */
  timeOf: (field: string) => string;
  isChanged: (field: string) => boolean;
  /** Whether what it says goes over all that was said before, whoever said it and whenever. */
  isLastWord?: (field: string) => boolean;
}

/**
 * Fields whose value this source has just set where nobody else's counts for more. Nothing else remembers that it came
 * after a reference which another place has left open.
 */
export const lastWords =
  ({ authority }: Pick<Plan, "authority">, { changes }: Pick<Merged, "changes">) =>
  (field: string): boolean =>
    field in changes && ruleOf(authority, field).authority === "NONE";

/** Keeps references said anew whose targets are not known; what the place named earlier in their stead is void. */
export function recordPending(
  batch: CommitBatch,
  source: SourcePlan,
  inbound: InboundRecord,
  { recordId, timeOf, isChanged, isLastWord = () => false }: Said,
): void {
  for (const pending of inbound.pending) {
    if (isChanged(pending.field)) batch.pending.push({ ...pending, recordId, at: timeOf(pending.field) });
  }
  if (!inbound.stored) return;
  for (const { reference, coreField: field } of source.mappings) {
    if (!reference || !isChanged(field)) continue;
    (batch.clearedPending ??= []).push({ recordId, field, ...(isLastWord(field) ? { isEverywhere: true } : {}) });
  }
}
