/** Reads PostgreSQL's texts into Accord's values, and writes these as PostgreSQL reads them, field by field. */
import { changeTimeOf, valueParser, TypeMismatchError, momentInZone, type SourceRecord } from "@accord/connector-sdk";
import { parseExactJson } from "@accord/contracts/data/exact-json";
import { dateFromPostgres, momentFromPostgres, timeToPostgres } from "@accord/contracts/data/postgres-time";
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Value, Values } from "@accord/contracts/data/values";
import type { TextRow } from "./client.ts";
import { columnsOf } from "../relational/joined-key.ts";
import { textOf } from "./key.ts";
import { quoteName } from "./quote-name.ts";

type FromText = (text: string) => Value;

/**
 * What to select so that `readerOf` understands it: lists travel as JSON of their items' texts, everything else as
 * PostgreSQL writes it. A cast to text takes off the blanks with which `char(n)` fills up: they are no part of its value.
 */
export function selectedColumn(field: FieldSchema): string {
  const columns = columnsOf(field);
  if (columns.length > 1) return textOf(columns);
  const column = `t.${quoteName(field.apiName)}`;
  if (field.isMultiValueField) return `to_json(${column}::text[])::text`;
  return field.length === undefined ? column : `${column}::text`;
}

const date: FromText = (text) => {
  const day = dateFromPostgres(text);
  if (day === null) throw new TypeMismatchError(`"${text}" is not a date that can be kept`);
  return day;
};

const moment: FromText = (text) => {
  const read = momentFromPostgres(text);
  if (read === null) throw new TypeMismatchError(`"${text}" is not a time that can be kept`);
  return read;
};

function readerOf(field: FieldSchema): FromText {
  const one = readerOfOne(field);
  if (!field.isMultiValueField) return one;
  const item = (value: Value): Value =>
    Array.isArray(value) ? value.map(item) : typeof value === "string" ? one(value) : null;
  return (text) => item(JSON.parse(text) as Value);
}

function readerOfOne(field: FieldSchema): FromText {
  switch (field.dataType) {
    case "object":
      return parseExactJson;
    case "date":
      return date;
    case "datetime":
      return moment;
    case "boolean":
      return (text) => text === "t" || text === "true";
    case "string":
    case "reference":
    case "picklist":
      return (text) => text;
    default:
      return valueParser({ ...field, isMultiValueField: false });
  }
}

/** Values of a row as the database reads them out of JSON. */
export function writtenValues(fields: ReadonlyMap<string, FieldSchema>, values: Values): Values {
  const written: Values = {};
  for (const name in values) written[name] = writtenValue(fields.get(name), values[name] ?? null);
  return written;
}

function writtenValue(field: FieldSchema | undefined, value: Value): Value {
  if (field?.dataType !== "date" && field?.dataType !== "datetime") return value;
  if (Array.isArray(value)) return value.map((item) => writtenValue(field, item));
  return typeof value === "string" ? timeToPostgres(value) : value;
}

interface RowShape {
  fields: readonly FieldSchema[];
  /** The zone of the watermark's times; null where they tell it themselves. */
  watermarkZone: string | null;
}

/** Turns rows of `[id, …fields]` into records; `modifiedAt` comes from the field marked as watermark, read in its zone. */
export function rowReader({ fields, watermarkZone }: RowShape): (rows: readonly TextRow[]) => SourceRecord[] {
  const readers = fields.map((field) => ({ name: field.apiName, label: field.displayName, read: readerOf(field) }));
  const watermark = fields.find((field) => field.isWatermarkField)?.apiName;
  return (rows) =>
    rows.map((row) => {
      const record: SourceRecord = { id: row[0] ?? "", values: {} };
      for (const [index, reader] of readers.entries()) readField(record, reader, row[index + 1] ?? null);
      const modifiedAt = watermark === undefined ? undefined : changeTimeOf(record.values[watermark]);
      if (modifiedAt !== undefined)
        record.modifiedAt = watermarkZone === null ? modifiedAt : momentInZone(modifiedAt, watermarkZone);
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
    if (!(error instanceof TypeMismatchError)) throw error;
    const bad = {
      field: name,
      message: `${label}: ${error.message}.`,
      excerpt: (text ?? "").slice(0, MAX_EXCERPT_LENGTH),
    };
    (record.badFields ??= []).push(bad);
  }
}
