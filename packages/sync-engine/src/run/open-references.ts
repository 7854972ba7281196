/** References that name a record which nobody knows yet: no blank, and kept until the record appears. */
import type { Values } from "@accord/contracts/data/values";
import type { Traveller } from "./traveller.ts";
import type { SourcePlan } from "./plan.ts";
import type { CommitBatch } from "./storage.ts";

/** What a source says of a stored record: what it changed, but for references that can't be followed yet. */
export function contributionOf({ pending }: Traveller, arrived: Values, isChanged: (field: string) => boolean): Values {
  const open = new Set(pending.map(({ field }) => field));
  const contributed: Values = {};
  for (const field in arrived) if (isChanged(field) && !open.has(field)) contributed[field] = arrived[field] ?? null;
  return contributed;
}

/** Keeps references said anew whose targets are not known; what the place named earlier in their stead is void. */
export function keepOpen(
  batch: CommitBatch,
  source: SourcePlan,
  traveller: Traveller,
  { recordId, at, isChanged }: { recordId: string; at: string; isChanged: (field: string) => boolean },
): void {
  for (const pending of traveller.pending) {
    if (isChanged(pending.field)) batch.pending.push({ ...pending, recordId, at });
  }
  if (!traveller.stored) return;
  for (const { reference, coreField: field } of source.mappings) {
    if (reference && isChanged(field)) (batch.pendingOver ??= []).push({ recordId, field });
  }
}
