/** Edits of records that were deleted elsewhere: deletion goes first, and what it takes along is said. */
import { runTexts } from "@accord/contracts/messages/en/sync/run/cycle";
import type { Values } from "@accord/contracts/data/values";
import { sameValue } from "@accord/expressions";
import type { SinkPlan } from "../plan/plan.ts";
import { wasWrittenAnother } from "../sink/sink-relevance.ts";
import type { LedgerEntry, StoredLink, StoredRecord } from "../protocol/stored.ts";
import type { RecordWarning } from "../protocol/inbound-record.ts";

type Refused = NonNullable<LedgerEntry["refused"]>;

/** Changed values of a source's record whose core record is deleted; null when there are none. */
export function discardedEdits(
  values: Values,
  isChanged: (field: string) => boolean,
  stored: StoredRecord,
): Refused | null {
  const refused: Refused = {};
  for (const field in values) {
    const value = values[field] ?? null;
    if (isChanged(field) && !sameValue(value, stored.values[field] ?? null)) refused[field] = [value, "deleted"];
  }
  return Object.keys(refused).length > 0 ? refused : null;
}

/** Values of a core record that a place was yet to be told when its external record turned out to be gone; null: none. */
export function unsentEdits(
  sink: SinkPlan,
  { lastWritten }: Pick<StoredLink, "lastWritten">,
  values: Values,
): Refused | null {
  if (lastWritten === null) return null;
  const refused: Refused = {};
  for (const mapping of sink.mappings) {
    const value = values[mapping.coreField] ?? null;
    if (wasWrittenAnother(mapping, lastWritten, value)) refused[mapping.coreField] = [value, "deleted"];
  }
  return Object.keys(refused).length > 0 ? refused : null;
}

export const warningsOfDeleted = (
  nodeId: string,
  { record }: { record: { id: string } },
  refused: Refused,
): RecordWarning[] =>
  Object.keys(refused).map((field) => ({
    nodeId,
    code: "edited_while_deleted",
    message: runTexts.deletionFirst,
    record: record.id,
    field,
  }));
