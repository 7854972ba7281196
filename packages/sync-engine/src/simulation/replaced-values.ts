/** Values that writes of ours replace in a made-up system. */
import type { WriteOperation } from "@accord/connector-sdk";
import type { Value, Values } from "@accord/contracts/data/values";

export interface ReplacedValue {
  id: string;
  field: string;
  value: Value;
}

/** Values that a write replaces, or removes with their row. `last`: the row as it stands. */
export function replacedBy(
  operation: Exclude<WriteOperation, { kind: "create" }>,
  last: { values: Values; deleted: boolean } | undefined,
): ReplacedValue[] {
  if (!last || last.deleted) return [];
  const { id } = operation;
  return Object.entries(last.values).flatMap(([field, value]) => {
    const isKept = operation.kind === "update" && [undefined, value].includes(operation.values[field]);
    return value === null || isKept ? [] : [{ id, field, value }];
  });
}
