/** Two sources that disagree about a field: noted when authority keeps one of them out, gone when it comes round. */
import { runTexts } from "@accord/contracts/messages/en/sync/run/cycle";
import { fill } from "@accord/contracts/messages/fill";
import type { Value, Values } from "@accord/contracts/data/values";
import { isBlank, sameValue } from "@accord/expressions";
import { isConflict } from "./authority.ts";
import type { RecordWarning, InboundRecord } from "../../protocol/inbound-record.ts";
import type { Merged } from "../merge.ts";
import type { CommitBatch } from "../../protocol/storage.ts";
import type { LedgerEntry, StoredRecord } from "../../protocol/stored.ts";

/** What authority kept out, and values that could not be read as their fields' type. */
export function rejectedValues(
  { refusedFields, spelling }: InboundRecord,
  refused: LedgerEntry["refused"],
): LedgerEntry["refused"] {
  const hasDoubtful = spelling !== null && Object.keys(spelling.refused).length > 0;
  if (refusedFields.length === 0 && !hasDoubtful) return refused;
  const all: NonNullable<LedgerEntry["refused"]> = { ...refused, ...spelling?.refused };
  for (const { field, value, connectorField } of refusedFields)
    all[field] = connectorField === undefined ? [value, "not_convertible"] : [value, "not_convertible", connectorField];
  return all;
}

/** A value that the core field can't hold: the record goes on without it. */
export const conversionWarning = (
  nodeId: string,
  { record }: InboundRecord,
  field: string,
  value: Value,
): RecordWarning => ({
  nodeId,
  code: "not_convertible",
  message: fill(runTexts.valuesLeftOut, { field }),
  record: record.id,
  field,
  sample: fill(runTexts.sampleIn, { value: JSON.stringify(value), record: record.id }),
});

/** Values that somebody cleared in a known record, and that the core keeps: nobody would look for them in its history. */
export const warningsOfCleared = (
  nodeId: string,
  { record, link }: InboundRecord,
  refused: Merged["refused"],
): RecordWarning[] =>
  Object.entries(link?.seen ? (refused ?? {}) : {}).flatMap(([field, [, reason]]) =>
    reason === "empty_rejected"
      ? [
          {
            nodeId,
            code: "empty_rejected",
            message: fill(runTexts.clearingKeptOut, { field }),
            record: record.id,
            field,
            sample: fill(runTexts.sampleRecord, { record: record.id }),
          },
        ]
      : [],
  );

/** What a source said of a stored record: what it contributed, and its values on the path's end (`values`). */
interface Said {
  stored: Pick<StoredRecord, "recordId">;
  inbound: InboundRecord;
  values: Values;
  contributed: Values;
  merged: Pick<Merged, "values" | "refused">;
  timeOf: (field: string) => string;
}

/**
 * Adds what a source said of a stored record to the batch: values that lost, or were kept out as nothing proves them to be
 * edits, and fields on which it agrees now. Blanks that may never have been entered compete with nothing.
 */
export function recordConflicts(
  batch: CommitBatch,
  { stored: { recordId }, inbound, values, contributed, merged, timeOf }: Said,
): void {
  for (const field in contributed) {
    const [value, reason] = merged.refused?.[field] ?? [];
    if (reason === undefined) (batch.agreed ??= []).push({ recordId, field });
    else if (isConflict(reason))
      (batch.conflicts ??= []).push({ recordId, field, value: value ?? null, at: timeOf(field), reason });
  }
  for (const [field, [, reason]] of Object.entries(inbound.spelling?.refused ?? {})) {
    const value = values[field] ?? null;
    if (!isConflict(reason) || field in contributed || isBlank(value) || sameValue(value, merged.values[field] ?? null))
      continue;
    (batch.conflicts ??= []).push({ recordId, field, value, at: timeOf(field), reason });
  }
}
