/** What a looked-at page brings into its batch as it is: nothing about it is left to decide. */
import { confirmNormalization } from "../state/normalization/awaited-normalizations.ts";
import type { ProcessedPage } from "./page/process-page.ts";
import type { CommitBatch } from "../protocol/storage.ts";

/** `knownUntil`: see `BatchContext`. */
export function carryOver(page: ProcessedPage, batch: CommitBatch, knownUntil: string | null): void {
  batch.quarantine.push(...page.quarantine.map((entry) => (knownUntil === null ? entry : { ...entry, knownUntil })));
  batch.settled.push(...page.settled);
  batch.actions.push(...page.deferredActions);
  batch.endedOccurrences.push(...page.executedActions.map(({ key }) => key));
  for (const { link, seen, isNew = false, keepsReplaced = false } of page.confirmed) {
    const respelled = confirmNormalization(link.respelled, keepsReplaced);
    batch.links.push({ ...link, seen, respelled, isNew, ...(isNew ? {} : { isConfirmed: true }) });
  }
}
