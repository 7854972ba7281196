/** Choices of two systems are the same when they are called the same, whatever their ids. */
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Value } from "@accord/contracts/data/values";
import { foldText } from "@accord/expressions";

/**
 * Turns option ids of one field into those of another by label, without regard to case; null when either field offers
 * no options. Values that are no option, or whose label the other field lacks, stay as they are.
 */
export function optionMapping(from: FieldSchema, to: FieldSchema): ((value: Value) => Value) | null {
  if (!from.picklist?.length || !to.picklist?.length) return null;
  const byLabel = new Map<string, string>();
  for (const { id, label } of to.picklist) if (!byLabel.has(foldText(label))) byLabel.set(foldText(label), id);
  const byId = new Map<Value, string>();
  for (const { id, label } of from.picklist) {
    const other = byLabel.get(foldText(label));
    if (other !== undefined && other !== id) byId.set(id, other);
  }
  if (byId.size === 0) return null;
  const one = (value: Value): Value => byId.get(value) ?? value;
  return (value) => (Array.isArray(value) ? value.map(one) : one(value));
}
