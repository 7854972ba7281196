/** What a looked-at page brings into its batch as it is: nothing about it is left to decide. */
import { confirmSpelling } from "./awaited-spellings.ts";
import type { LookedPage } from "./look.ts";
import type { CommitBatch } from "./storage.ts";

/** `knownUntil`: see `DecideEnv`. */
export function carryOver(page: LookedPage, batch: CommitBatch, knownUntil: string | null): void {
  batch.quarantine.push(...page.quarantine.map((entry) => (knownUntil === null ? entry : { ...entry, knownUntil })));
  batch.settled.push(...page.settled);
  batch.actions.push(...page.acts);
  batch.actionsOver.push(...page.performed);
  for (const { link, seen, isNew = false } of page.confirmed) {
    const respelled = confirmSpelling(link.respelled);
    batch.links.push({ ...link, seen, respelled, isNew, ...(isNew ? {} : { isConfirmed: true }) });
  }
}
