/** Values as they are written into queries, forms and headers. */
import { isExactNumber } from "@accord/contracts/data/exact-number";
import type { Value } from "@accord/contracts/data/values";

/** Truth values as Python writes them; what has parts as JSON. */
export function plainText(value: Value): string {
  if (value === null) return "";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (isExactNumber(value)) return value.rawJSON;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
