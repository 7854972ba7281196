/** Values that writes of ours replace in a fake system. */
import type { WriteOperation } from "@accord/connector-sdk";
import type { Value, Values } from "@accord/contracts/data/values";

export interface ReplacedValue {
  id: string;
  field: string;
  value: Value;
  /** The system told nobody of this field then. */
  isHidden: boolean;
}

/** Values that a write replaces, or removes with their row. `last`: the row as it stands; `hidden`: a field that vanished. */
export function replacedBy(
  operation: Exclude<WriteOperation, { kind: "create" }>,
  last: { values: Values; deleted: boolean } | undefined,
  hidden?: string,
): ReplacedValue[] {
  if (!last || last.deleted) return [];
  const { id } = operation;
  return Object.entries(last.values).flatMap(([field, value]) => {
    const isKept = operation.kind === "update" && [undefined, value].includes(operation.values[field]);
    return value === null || isKept ? [] : [{ id, field, value, isHidden: field === hidden }];
  });
}
