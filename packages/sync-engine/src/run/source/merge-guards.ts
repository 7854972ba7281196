/** Which core records a page relies on to stand for themselves when it is committed. */
import type { CommitBatch, Resolved } from "../protocol/storage.ts";
import type { Decision } from "./decision.ts";

/**
 * Records that the batch ties external records to, or may refer to, and that had not been merged away when they were
 * looked up. A merge in between has moved links and references; the batch would set them back.
 */
export function mergeGuardsOf(
  { creates, updates, links }: CommitBatch,
  { merged, references }: Pick<Resolved, "merged" | "references">,
): string[] {
  const tied = links.flatMap(({ isNew, recordId }) => (isNew ? [] : recordId));
  const isWritten = creates.length + updates.length > 0;
  const named = isWritten ? [...references.values()].flatMap((ids) => [...ids.values()]) : [];
  return [...new Set([...tied, ...named])].filter((recordId) => !merged?.has(recordId));
}

/** The decision with what has to stand still for its merges. */
export function withMergeGuards(decision: Decision, resolved: Resolved): Decision {
  const standing = mergeGuardsOf(decision.batch, resolved);
  if (standing.length > 0) decision.batch.standing = standing;
  return decision;
}
