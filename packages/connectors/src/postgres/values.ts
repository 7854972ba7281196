/** Reads PostgreSQL's texts into Accord's values, field by field. */
import { conformer, Misfit, type SourceRecord } from "@accord/connector-sdk";
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Value } from "@accord/contracts/data/values";
import type { TextRow } from "./client.ts";
import { columnsOf, textOf } from "./key.ts";
import { quoteName } from "./quote-name.ts";

type FromText = (text: string) => Value;

/** What to select so that `readerOf` understands it: lists travel as JSON, everything else as PostgreSQL writes it. */
export function selectedColumn(field: FieldSchema): string {
  const columns = columnsOf(field);
  if (columns.length > 1) return textOf(columns);
  return field.isMultiValueField ? `to_json(t.${quoteName(field.apiName)})::text` : `t.${quoteName(field.apiName)}`;
}

const TIMESTAMP = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?(\+00)?$/;

/** `2024-05-06 07:08:09.123456+00` → `2024-05-06T07:08:09.123Z`; the session's time zone is UTC. */
const moment: FromText = (text) => {
  if (!TIMESTAMP.test(text)) throw new Misfit(`"${text}" is not a time that can be kept (years 0001 to 9999)`);
  const fraction = text[19] === "." ? text.slice(20, text.endsWith("+00") ? -3 : undefined) : "";
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.slice(0, 3).padEnd(3, "0")}Z`;
};

function readerOf(field: FieldSchema): FromText {
  if (field.isMultiValueField || field.dataType === "object") {
    const conform = field.isMultiValueField ? conformer(field) : (value: Value) => value;
    return (text) => conform(JSON.parse(text) as Value);
  }
  if (field.dataType === "datetime") return moment;
  if (field.dataType === "boolean") return (text) => text === "t" || text === "true";
  if (field.dataType === "string" || field.dataType === "reference" || field.dataType === "picklist")
    return (text) => text;
  return conformer(field);
}

/** Turns rows of `[id, …fields]` into records; `modifiedAt` comes from the field marked as watermark. */
export function rowReader(fields: readonly FieldSchema[]): (rows: readonly TextRow[]) => SourceRecord[] {
  const readers = fields.map((field) => ({ name: field.apiName, label: field.displayName, read: readerOf(field) }));
  const watermark = fields.find((field) => field.isWatermarkField)?.apiName;
  return (rows) =>
    rows.map((row) => {
      const record: SourceRecord = { id: row[0] ?? "", values: {} };
      for (const [index, reader] of readers.entries()) readField(record, reader, row[index + 1] ?? null);
      const modifiedAt = watermark === undefined ? null : record.values[watermark];
      if (typeof modifiedAt === "string") record.modifiedAt = modifiedAt;
      return record;
    });
}

/** Longest part of a value that people are shown. */
const MAX_EXCERPT_LENGTH = 200;

function readField(
  record: SourceRecord,
  { name, label, read }: { name: string; label: string; read: FromText },
  text: string | null,
): void {
  try {
    record.values[name] = text === null ? null : read(text);
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    const bad = {
      field: name,
      message: `${label}: ${error.message}.`,
      excerpt: (text ?? "").slice(0, MAX_EXCERPT_LENGTH),
    };
    (record.badFields ??= []).push(bad);
  }
}
