/** One value in words, for lists that compare values: options by their label, lists joined, nothing as a word of its own. */
import type { CoreField } from "@accord/contracts/data/entities";
import type { Value } from "@accord/contracts/data/values";

export function valueWords(field: Pick<CoreField, "picklist"> | undefined, value: Value, nothing: string): string {
  if (value === null || value === "") return nothing;
  if (Array.isArray(value)) {
    return value.length === 0 ? nothing : value.map((item) => valueWords(field, item, nothing)).join(", ");
  }
  if (typeof value === "object") return JSON.stringify(value);
  const text = String(value);
  return field?.picklist?.find(({ id }) => id === text)?.label ?? text;
}
