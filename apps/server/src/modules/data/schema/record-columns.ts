/** Values of records between their fields and the columns of their table: rows ↔ values, bind parameters, select lists. */
import { parseExactJson } from "@accord/contracts/data/exact-json";
import { dateFromPostgres, momentFromPostgres, timeToPostgres } from "@accord/contracts/data/postgres-time";
import type { Value, Values } from "@accord/contracts/data/values";
import { columnType, fieldColumn, type RecordField } from "./record-table.ts";

const BIGINT_MIN = -(2n ** 63n);
const BIGINT_MAX = 2n ** 63n - 1n;

/** Why the database could not hold a value already converted to the field's type; null when it can. */
export function cannotStore(field: RecordField, value: Value): string | null {
  if (value === null) return null;
  if (JSON.stringify(value).includes("\\u0000")) return "holds the character U+0000, which cannot be stored";
  if (columnType(field) === "bigint" && (typeof value === "number" || typeof value === "string")) {
    if (!/^-?\d{1,19}$/.test(String(value))) return "is not a whole number";
    const whole = BigInt(value);
    if (whole < BIGINT_MIN || whole > BIGINT_MAX) return "is too large for a whole number";
  }
  return null;
}

/** A value of the field's type as a bind parameter of its column's type. */
export function toParameter(field: RecordField, value: Value | undefined): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  const type = columnType(field);
  if (type === "jsonb" || typeof value === "object") return JSON.stringify(value);
  return typeof value === "string" && (type === "date" || type === "timestamptz") ? timeToPostgres(value) : value;
}

/** What was read of a column with `selectList` as a value of the field's type. */
function fromColumn(field: RecordField, raw: unknown): Value {
  if (raw === null || raw === undefined) return null;
  switch (columnType(field)) {
    case "bigint": {
      const whole = Number(raw);
      return Number.isSafeInteger(whole) ? whole : String(raw);
    }
    case "timestamptz":
      return momentFromPostgres(String(raw)) ?? String(raw);
    case "date":
      return dateFromPostgres(String(raw)) ?? String(raw);
    case "numeric":
    case "text":
      return String(raw);
    case "double precision":
      return Number.isFinite(raw) ? Number(raw) : String(raw);
    case "boolean":
      return raw === true;
    case "jsonb":
      // Numbers in lists of anything but JSON are doubles, and were JavaScript's own.
      return columnType({ ...field, isMultiValueField: false }) === "jsonb"
        ? parseExactJson(String(raw))
        : JSON.parse(String(raw));
  }
}

/** Quoted field columns, for an insert's column list. */
export const columnList = (fields: readonly RecordField[]): string => fields.map(fieldColumn).join(", ");

/** Columns that are read as PostgreSQL writes them: the driver's own forms cut microseconds and the digits of numbers. */
const isReadAsText = (field: RecordField): boolean =>
  columnType(field) === "jsonb" || columnType(field) === "timestamptz";

/** By place, not by name: an `ORDER BY` of the column means the column, and not its text. */
const textName = (index: number): string => `accord_text_${index}`;

/**
 * The fields for a select list, to be read with `toValues`. `prefix`: a table alias. `shown`: what is read in place of
 * a column.
 */
export function selectList(
  fields: readonly RecordField[],
  prefix?: string,
  shown: (column: string, field: RecordField) => string = (column) => column,
): string {
  const columns = fields.map((field, index) => {
    const column = shown(prefix ? `${prefix}.${fieldColumn(field)}` : fieldColumn(field), field);
    return isReadAsText(field) ? `(${column})::text AS ${textName(index)}` : `${column} AS ${fieldColumn(field)}`;
  });
  return columns.join(", ");
}

/** Names of the columns that such a list gives, quoted. */
export const selectedNames = (fields: readonly RecordField[]): string[] =>
  fields.map((field, index) => (isReadAsText(field) ? textName(index) : fieldColumn(field)));

/** The fields' values of a row read with `selectList` of just these fields. */
export function toValues(fields: readonly RecordField[], row: Record<string, unknown>): Values {
  const values: Values = {};
  for (const [index, field] of fields.entries())
    values[field.apiName] = fromColumn(field, row[isReadAsText(field) ? textName(index) : field.apiName]);
  return values;
}

/** One array per field, for `FROM unnest($1::bigint[], $2::text[] …)`; absent values are null. */
export function toArrays(
  fields: readonly RecordField[],
  rows: readonly Values[],
): { type: string; array: unknown[] }[] {
  return fields.map((field) => ({
    type: `${columnType(field)}[]`,
    array: rows.map((values) => toParameter(field, values[field.apiName])),
  }));
}
