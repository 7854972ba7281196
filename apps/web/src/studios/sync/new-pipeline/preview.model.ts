/** Records of a system as the core entity would hold them: each value converted as the pipeline would. Pure. */
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Value, Values } from "@accord/contracts/data/values";
import { ConversionError, converter } from "@accord/sync-engine/run";
import type { ProposedRow } from "./proposal.model.ts";

export interface PreviewColumn {
  field: FieldSchema;
  core: FieldSchema;
}

/** A value as it would be stored, or why it would not be. */
export type PreviewCell = { value: Value } | { refused: ConversionError["code"]; value: Value };

export const previewColumns = (rows: readonly ProposedRow[]): PreviewColumn[] =>
  rows.flatMap(({ field, core }) => (core ? [{ field, core }] : []));

export function previewRows(columns: readonly PreviewColumn[], records: readonly Values[]): PreviewCell[][] {
  const convert = columns.map(({ field, core }) => converter(field, core, "UTC"));
  return records.map((values) =>
    columns.map(({ field }, index): PreviewCell => {
      const value = values[field.apiName] ?? null;
      const converted = value === null ? null : (convert[index]?.(value) ?? null);
      return converted instanceof ConversionError ? { refused: converted.code, value } : { value: converted };
    }),
  );
}

/** The first few different values of a field, for people to recognise it by. */
export function samplesOf(field: FieldSchema, records: readonly Values[], most = 3): Value[] {
  const seen = new Map<string, Value>();
  for (const values of records) {
    const value = values[field.apiName] ?? null;
    if (value !== null && value !== "") seen.set(JSON.stringify(value), value);
    if (seen.size === most) break;
  }
  return [...seen.values()];
}

export function valueText(value: Value): string {
  if (value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
