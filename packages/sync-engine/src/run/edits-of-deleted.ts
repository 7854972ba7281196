/** Edits of records that were deleted elsewhere: deletion goes first, and what it takes along is said. */
import type { Values } from "@accord/contracts/data/values";
import { sameValue } from "@accord/expressions";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { fieldOf, isKnown } from "./fingerprint.ts";
import { Inconvertible, type SinkPlan } from "./plan.ts";
import type { LedgerEntry, StoredLink, StoredRecord } from "./stored.ts";
import type { RecordWarning } from "./traveller.ts";

const MESSAGE = "Changes of records that had been deleted elsewhere were not taken: deletion goes first.";

type Refused = NonNullable<LedgerEntry["refused"]>;

/** Changed values of a source's record whose core record is deleted; null when there are none. */
export function editsOfDeleted(
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

/** Values of a core record that a place was yet to be told when its outside record turned out to be gone; null: none. */
export function untoldEdits(sink: SinkPlan, { told }: Pick<StoredLink, "told">, values: Values): Refused | null {
  const refused: Refused = {};
  for (const { coreField, toldIndex, convert, reference, createOnly, isComputed } of told === null
    ? []
    : sink.mappings) {
    if (reference || createOnly || isComputed) continue;
    const value = values[coreField] ?? null;
    const [part, wanted] = [fieldOf(told ?? "", toldIndex), convert(value)];
    if (isKnown(part) && !(wanted instanceof Inconvertible) && part !== hashValue(wanted))
      refused[coreField] = [value, "deleted"];
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
    message: MESSAGE,
    record: record.id,
    field,
  }));
