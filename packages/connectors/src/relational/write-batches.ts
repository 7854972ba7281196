/** Splits what is to be written into batches that one round of statements can do. */
import type { WriteOperation } from "@accord/connector-sdk";

export type IndexedOperation = { index: number; operation: WriteOperation };

/** Operations of the same kind and the same columns, all conditional or none, no id twice. */
export interface Batch {
  kind: WriteOperation["kind"];
  isConditional: boolean;
  columns: string[];
  items: IndexedOperation[];
}

export const idOf = (operation: WriteOperation): string | null => (operation.kind === "create" ? null : operation.id);

export function batchesOf(operations: readonly IndexedOperation[]): Batch[] {
  const batches: Batch[] = [];
  let ids = new Set<string>();
  let shape = "";
  for (const { index, operation } of operations) {
    const columns = operation.kind === "delete" ? [] : Object.keys(operation.values).sort();
    const isConditional = operation.kind !== "create" && operation.expected !== undefined;
    const nextShape = JSON.stringify([operation.kind, isConditional, columns]);
    const id = idOf(operation);
    const current = batches.at(-1);
    if (current && nextShape === shape && (id === null || !ids.has(id))) current.items.push({ index, operation });
    else {
      batches.push({ kind: operation.kind, isConditional, columns, items: [{ index, operation }] });
      shape = nextShape;
      ids = new Set();
    }
    if (id !== null) ids.add(id);
  }
  return batches;
}
