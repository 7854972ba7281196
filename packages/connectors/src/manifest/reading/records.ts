/** Records of streams in Accord's form: with their id, their values by field, and when they were changed. */
import {
  changeTimeOf,
  TypeMismatchError,
  valueParser,
  type BadField,
  type BadRecord,
  type SourceRecord,
} from "@accord/connector-sdk";
import { isExactNumber, plainNumber } from "@accord/contracts/data/exact-number";
import type { EntitySchema, FieldSchema } from "@accord/contracts/data/schema";
import type { Value, Values } from "@accord/contracts/data/values";
import { createHash } from "node:crypto";
import type { Stream } from "../components/model.ts";
import { isTracked, KEY_FIELD, plainKey } from "./schema.ts";
import type { Found } from "./walk.ts";

/** Characters shown of a value that can't be used. */
const EXCERPT = 300;

const isObject = (value: Value | undefined): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);

export function mapRecords(
  stream: Stream,
  entity: EntitySchema,
  wanted: readonly string[],
): (found: readonly Found[]) => { records: SourceRecord[]; bad: BadRecord[] } {
  const idField = entity.fields.find((field) => field.isIdField)?.apiName ?? plainKey(stream) ?? KEY_FIELD;
  const watermark = entity.fields.find((field) => field.isWatermarkField)?.apiName;
  const names = new Set([...wanted, idField, watermark]);
  const fields = entity.fields.filter(({ apiName }) => names.has(apiName));
  const readers = fields.map((field) => ({ field, conform: valueParser(field), read: readerOf(stream, field) }));
  const idOf = idReader(stream, idField);
  return (found) => {
    const given = readers.filter(({ field }) => found.some(({ record }) => hasField(record, field)));
    const records: SourceRecord[] = [];
    const bad: BadRecord[] = [];
    for (const [index, { record, bad: part }] of found.entries()) {
      const place = `record ${index + 1} of the page`;
      if (part) {
        bad.push({ place, ...part });
        continue;
      }
      const id = isObject(record) ? idOf(record) : null;
      if (!isObject(record) || id === null) {
        const message = isObject(record) ? `It has no ${idField}.` : "It is no JSON object.";
        bad.push({ place, message, excerpt: JSON.stringify(record).slice(0, EXCERPT) });
        continue;
      }
      const read = readValues(record, given);
      const values = names.has(KEY_FIELD) && idField === KEY_FIELD ? { ...read.values, [KEY_FIELD]: id } : read.values;
      const changed = isTracked(stream) ? changeTimeOf(stream.cursor?.timeOf(record)?.toIso()) : undefined;
      records.push({ id, ...read, values, ...(changed !== undefined && { modifiedAt: changed }) });
    }
    return { records, bad };
  };
}

const hasField = (record: Value, { apiName }: FieldSchema): boolean =>
  isObject(record) && Object.hasOwn(record, apiName);

/** The time of change is read by the manifest's formats; what they don't fit is left to the field's type. */
function readerOf({ cursor }: Stream, field: FieldSchema): (record: Values) => Value | undefined {
  const read = (record: Values): Value | undefined =>
    Object.hasOwn(record, field.apiName) ? record[field.apiName] : undefined;
  const isTime =
    cursor !== null && field.isWatermarkField && field.apiName === cursor.field && field.dataType === "datetime";
  return isTime ? (record) => cursor.timeOf(record)?.toIso() ?? read(record) : read;
}

interface Reader {
  field: FieldSchema;
  read: (record: Values) => Value | undefined;
  conform: (value: Value | undefined) => Value;
}

/** A value that does not fit its field costs that field alone. */
function readValues(record: Values, readers: readonly Reader[]): Pick<SourceRecord, "values" | "badFields"> {
  const values: Values = {};
  const badFields: BadField[] = [];
  for (const { field, conform, read } of readers) {
    const value = read(record);
    try {
      values[field.apiName] = conform(value);
    } catch (error) {
      if (!(error instanceof TypeMismatchError)) throw error;
      const excerpt = JSON.stringify(value ?? null).slice(0, EXCERPT);
      badFields.push({ field: field.apiName, message: `${field.displayName}: ${error.message}.`, excerpt });
    }
  }
  return badFields.length > 0 ? { values, badFields } : { values };
}

const plain = (value: Value | undefined): string | null => {
  if (isExactNumber(value)) return String(plainNumber(value));
  return value === null || value === undefined || value === "" || typeof value === "object" ? null : String(value);
};

/** A field, several of them as a list, or a fingerprint of the whole record where the stream has no key. */
function idReader({ primaryKey }: Stream, idField: string): (record: Values) => string | null {
  if (idField !== KEY_FIELD) return (record) => plain(Object.hasOwn(record, idField) ? record[idField] : undefined);
  if (primaryKey.length === 0) return (record) => createHash("sha256").update(canonical(record)).digest("hex");
  return (record) => {
    const parts = primaryKey.map((path) => plain(path.reduce(member, record)));
    return parts.some((part) => part === null) ? null : JSON.stringify(parts);
  };
}

const member = (value: Value | undefined, key: string): Value | undefined =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** Members in the order of their names: a system may give them in another one. */
const canonical = (record: Values): string =>
  JSON.stringify(
    Object.keys(record)
      .sort()
      .map((key) => [key, record[key] ?? null]),
  );
