/**
 * The one place that maps a core entity to its typed table: names, columns and DDL; `record-columns.ts` maps its values.
 * Nobody else writes the name of a record table or column, so quoting and types are right everywhere.
 */
import type { DataType } from "@accord/contracts/data/values";
import { instanceSchema } from "../../../platform/db/db.ts";
import { grantToReader } from "../../../platform/db/reader-roles.ts";

/** As much of a field as its column depends on; every `CoreField` is one. */
export interface RecordField {
  apiName: string;
  dataType: DataType;
  isMultiValueField: boolean;
  unique?: boolean;
}

export interface RecordEntity {
  apiName: string;
  fields: readonly RecordField[];
}

/** Accord's own columns of every record table, beside one column per field. */
export const SYSTEM_COLUMNS = {
  id: "accord_id",
  deleted: "accord_deleted",
  version: "accord_version",
  createdAt: "accord_created_at",
  updatedAt: "accord_updated_at",
  score: "accord_score",
  /** Per field api name: `{ by, at }` — which source set it and when; authority reads it. */
  origin: "accord_origin",
} as const;

const SYSTEM_COLUMN_DDL = `
  "accord_id" text COLLATE "C" PRIMARY KEY,
  "accord_deleted" boolean NOT NULL DEFAULT false,
  "accord_version" integer NOT NULL DEFAULT 1,
  "accord_created_at" timestamptz NOT NULL DEFAULT now(),
  "accord_updated_at" timestamptz NOT NULL DEFAULT now(),
  "accord_score" real,
  "accord_origin" jsonb NOT NULL DEFAULT '{}'`;

export type ColumnType =
  | "boolean"
  | "bigint"
  | "double precision"
  | "numeric"
  | "text"
  | "date"
  | "timestamptz"
  | "jsonb";

const COLUMN_TYPES: Record<DataType, ColumnType> = {
  boolean: "boolean",
  integer: "bigint",
  double: "double precision",
  decimal: "numeric",
  string: "text",
  picklist: "text",
  password: "text",
  date: "date",
  datetime: "timestamptz",
  timestamp: "timestamptz",
  reference: "text",
  object: "jsonb",
  child: "jsonb",
  complex: "jsonb",
};

/** Column type of a field; several values share one jsonb list. */
export function columnType(field: RecordField): ColumnType {
  return field.isMultiValueField ? "jsonb" : COLUMN_TYPES[field.dataType];
}

/** Quotes any text as an SQL identifier. */
export function quoteIdentifier(name: string): string {
  if (name.includes("\0")) throw new Error("an identifier cannot hold U+0000");
  return `"${name.replaceAll('"', '""')}"`;
}

/** Unqualified, unquoted: `r_Account`. */
export const recordTableName = (entityApiName: string): string => `r_${entityApiName}`;

/** Qualified and quoted, ready to stand in SQL: `"i_…"."r_Account"`. */
export function recordTable(instanceId: string, entityApiName: string): string {
  return `${quoteIdentifier(instanceSchema(instanceId))}.${quoteIdentifier(recordTableName(entityApiName))}`;
}

/** Quoted column of a field. */
export const fieldColumn = (field: Pick<RecordField, "apiName">): string => quoteIdentifier(field.apiName);

// ── DDL ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const collation = (field: RecordField): string =>
  field.dataType === "reference" && !field.isMultiValueField ? ' COLLATE "C"' : "";

const columnDdl = (field: RecordField): string => `${fieldColumn(field)} ${columnType(field)}${collation(field)}`;

/** References are joined along and unique fields are looked up by value; both get a btree. */
const wantsIndex = (field: RecordField): boolean =>
  columnType(field) !== "jsonb" && (field.dataType === "reference" || field.unique === true);

/** Texts are compared without regard to case everywhere, so that is what their index holds. */
const indexed = (field: RecordField): string =>
  columnType(field) === "text" && field.dataType !== "reference"
    ? `lower(${fieldColumn(field)} COLLATE "und-x-icu")`
    : fieldColumn(field);

/** An index name within PostgreSQL's 63 bytes: long names keep their head and a checksum of the whole. */
export function indexName(entityApiName: string, suffix: string): string {
  const name = `x_${entityApiName}_${suffix}`;
  if (name.length <= 63) return name;
  let hash = 0;
  for (const char of name) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) >>> 0;
  return `${name.slice(0, 54)}_${hash.toString(16).padStart(8, "0")}`;
}

function indexDdl(instanceId: string, entityApiName: string, field: RecordField): string {
  const name = quoteIdentifier(indexName(entityApiName, field.apiName));
  return `CREATE INDEX IF NOT EXISTS ${name} ON ${recordTable(instanceId, entityApiName)} (${indexed(field)})`;
}

function dropIndexDdl(instanceId: string, entityApiName: string, field: RecordField): string {
  const schema = quoteIdentifier(instanceSchema(instanceId));
  return `DROP INDEX IF EXISTS ${schema}.${quoteIdentifier(indexName(entityApiName, field.apiName))}`;
}

/** Statements that make the entity's table. They can be repeated: what exists already stays. */
export function createTable(instanceId: string, entity: RecordEntity): string[] {
  const columns = entity.fields.map((field) => `,\n  ${columnDdl(field)}`).join("");
  return [
    `CREATE TABLE IF NOT EXISTS ${recordTable(instanceId, entity.apiName)} (${SYSTEM_COLUMN_DDL}${columns}\n)`,
    ...entity.fields.filter(wantsIndex).map((field) => indexDdl(instanceId, entity.apiName, field)),
    grantToReader(instanceId, recordTable(instanceId, entity.apiName)),
  ];
}

export function dropTable(instanceId: string, entityApiName: string): string[] {
  return [`DROP TABLE IF EXISTS ${recordTable(instanceId, entityApiName)}`];
}

/** Adding a column takes milliseconds however many records there are: no default is written into the rows. */
export function addField(instanceId: string, entityApiName: string, field: RecordField): string[] {
  const add = `ALTER TABLE ${recordTable(instanceId, entityApiName)} ADD COLUMN IF NOT EXISTS ${columnDdl(field)}`;
  return wantsIndex(field) ? [add, indexDdl(instanceId, entityApiName, field)] : [add];
}

export function dropField(instanceId: string, entityApiName: string, field: Pick<RecordField, "apiName">): string[] {
  return [`ALTER TABLE ${recordTable(instanceId, entityApiName)} DROP COLUMN IF EXISTS ${fieldColumn(field)}`];
}

/** Follows a change of the "unique" mark. */
export function changeIndex(instanceId: string, entityApiName: string, field: RecordField): string[] {
  return [
    wantsIndex(field) ? indexDdl(instanceId, entityApiName, field) : dropIndexDdl(instanceId, entityApiName, field),
  ];
}

/** Text SQL of a timestamp, the form values have inside Accord; what lies beyond the calendar stays as PostgreSQL writes it. */
const isoText = (column: string): string =>
  `CASE WHEN ${column} >= '0001-01-01Z' AND ${column} < '10000-01-01Z' THEN ` +
  `regexp_replace(to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '000$', '') || 'Z' ELSE ${column}::text END`;

/**
 * SQL that reads a stored column as another type without losing anything, or null where that is not always possible.
 * `from` and `to` describe the same field before and after.
 */
export function lossless(from: RecordField, to: RecordField): string | null {
  const column = fieldColumn(from);
  if (from.isMultiValueField)
    return to.isMultiValueField && (from.dataType === to.dataType || to.dataType === "string") ? column : null;
  const single = losslessSingle(column, from.dataType, to.dataType);
  if (single === null || !to.isMultiValueField) return single;
  return `CASE WHEN ${column} IS NULL THEN NULL ELSE jsonb_build_array(${single}) END`;
}

function losslessSingle(column: string, from: DataType, to: DataType): string | null {
  const [stored, wanted] = [COLUMN_TYPES[from], COLUMN_TYPES[to]];
  if (from === to) return column;
  if (from === "password" || to === "password" || to === "reference") return null;
  if (stored === wanted) return from === "string" && to === "picklist" ? null : column;
  if (wanted === "text" && to === "string") {
    if (stored === "timestamptz") return isoText(column);
    return stored === "jsonb" ? `${column}::text` : `(${column})::text`;
  }
  if (stored === "bigint" && wanted === "numeric") return `${column}::numeric`;
  if (stored === "date" && wanted === "timestamptz") return `(${column}::timestamp AT TIME ZONE 'UTC')`;
  return null;
}

/** The column a type change fills before it takes the field's name. */
const INCOMING = "accord_incoming";

/**
 * Type change as add, backfill in slices, swap: readers and writers wait only for the last step.
 * Run `backfill` until it touches no row, then `swap` in one transaction.
 */
export function changeType(instanceId: string, entityApiName: string, from: RecordField, to: RecordField) {
  const expression = lossless(from, to);
  if (expression === null) throw new Error(`${from.dataType} cannot become ${to.dataType} without loss`);
  const table = recordTable(instanceId, entityApiName);
  const incoming = quoteIdentifier(INCOMING);
  const pending = `${incoming} IS NULL AND ${fieldColumn(from)} IS NOT NULL`;
  return {
    prepare: [
      `ALTER TABLE ${table} DROP COLUMN IF EXISTS ${incoming}`,
      `ALTER TABLE ${table} ADD COLUMN ${incoming} ${columnType(to)}${collation(to)}`,
    ],
    /** Copies at most 20,000 records; `$1` the id after which to go on. Returns the last id copied. */
    backfill:
      `WITH slice AS (SELECT accord_id FROM ${table} WHERE accord_id > $1 AND ${pending} ORDER BY accord_id LIMIT 20000), ` +
      `done AS (UPDATE ${table} AS t SET ${incoming} = ${expression} FROM slice WHERE t.accord_id = slice.accord_id) ` +
      `SELECT max(accord_id) AS last FROM slice`,
    swap: [
      `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`,
      // Whatever was written while the slices ran, also over values copied before.
      `UPDATE ${table} SET ${incoming} = ${expression} WHERE ${incoming} IS DISTINCT FROM ${expression}`,
      `ALTER TABLE ${table} DROP COLUMN ${fieldColumn(from)}`,
      `ALTER TABLE ${table} RENAME COLUMN ${incoming} TO ${fieldColumn(to)}`,
      ...(wantsIndex(to) ? [indexDdl(instanceId, entityApiName, to)] : []),
    ],
  };
}
