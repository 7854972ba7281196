/** When a record was last changed, from the field that says it. */
import type { Value } from "@accord/contracts/data/values";

/**
 * The value of a watermark field as a record's `modifiedAt`: these are compared as texts, so digits beyond milliseconds
 * are cut, and a time that lies outside the calendar (`infinity`, years before 1) says nothing.
 */
export function changeTimeOf(value: Value | undefined): string | undefined {
  if (typeof value !== "string" || !/^\d/.test(value)) return undefined;
  return value.replace(/(?<=\.\d{3})\d{3}Z$/, "Z");
}
