/** A record as it would be written: what is compared where a system has its own way of spelling a value. */
import type { SourceRecord } from "@accord/connector-sdk";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { replaceFields } from "../fingerprint.ts";
import { ConversionError, type SourcePlan } from "../../plan/plan.ts";

/** The record's fingerprint with its values in the core's normal form: as they are written, however a system spells them. */
export function normalFingerprint({ mappings, place }: SourcePlan, { values }: SourceRecord, seen: string): string {
  const parts = new Map<number, string>();
  for (const { connectorField, readIndex, reference, convert } of mappings) {
    const value = reference ? null : convert(values[connectorField] ?? null);
    if (!reference && !(value instanceof ConversionError)) parts.set(readIndex, hashValue(value));
  }
  return replaceFields(seen, place.readFields.length, parts);
}
