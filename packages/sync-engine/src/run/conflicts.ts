/** Two sources that disagree about a field: noted when authority keeps one of them out, gone when it comes round. */
import type { Values } from "@accord/contracts/data/values";
import { isConflict } from "./authority.ts";
import type { Merged } from "./merge.ts";
import type { CommitBatch } from "./storage.ts";

/** Adds what a source said of a stored record to the batch: values that lost, and fields on which it agrees now. */
export function noteConflicts(
  batch: CommitBatch,
  recordId: string,
  contributed: Values,
  refused: Merged["refused"],
  at: string,
): void {
  for (const field in contributed) {
    const [value, reason] = refused?.[field] ?? [];
    if (reason === undefined) (batch.agreed ??= []).push({ recordId, field });
    else if (isConflict(reason)) (batch.conflicts ??= []).push({ recordId, field, value: value ?? null, at, reason });
  }
}
