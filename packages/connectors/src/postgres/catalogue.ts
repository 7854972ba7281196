/** Entities of a PostgreSQL database from its catalogue: tables and views the user may read, keys, references, types. */
import { titleOf } from "@accord/connector-sdk";
import { EntitySchema, FieldSchema } from "@accord/contracts/data/schema";
import type { DataType } from "@accord/contracts/data/values";
import { z } from "zod";
import type { PostgresClient } from "./client.ts";
import { canJoin, CREATED, describeJoinedKey, UPDATED } from "../relational/joined-key.ts";

const RELATIONS = `
  SELECT c.oid::text, n.nspname, c.relname, c.relkind::text,
         (c.relkind IN ('r', 'p') AND has_table_privilege(c.oid, 'INSERT,UPDATE,DELETE'))::text,
         obj_description(c.oid, 'pg_class')
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
    AND n.nspname = ANY ($1) AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
  ORDER BY array_position($1, n.nspname::text), c.relname`;

/** Everything about one relation's columns in one row each; keys and references joined in. */
const COLUMNS = `
  SELECT json_build_object(
    'name', a.attname, 'type', COALESCE(et.typname, bt.typname, t.typname),
    'kind', COALESCE(et.typtype, bt.typtype, t.typtype), 'list', t.typcategory = 'A',
    'required', a.attnotnull, 'hasDefault', a.atthasdef OR a.attidentity <> '',
    'generated', a.attgenerated <> '' OR a.attidentity = 'a', 'length',
      CASE WHEN t.typname IN ('varchar', 'bpchar') AND a.atttypmod > 4 THEN a.atttypmod - 4 END,
    'precision', CASE WHEN t.typname = 'numeric' AND a.atttypmod > 4 THEN ((a.atttypmod - 4) >> 16) & 65535 END,
    'scale', CASE WHEN t.typname = 'numeric' AND a.atttypmod > 4 THEN (a.atttypmod - 4) & 2047 END,
    'description', col_description(a.attrelid, a.attnum),
    'options', (SELECT json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_enum e
                WHERE e.enumtypid = COALESCE(et.oid, bt.oid, t.oid)),
    'keyPosition', (SELECT k.position FROM pg_index i, unnest(i.indkey) WITH ORDINALITY AS k(attnum, position)
                    WHERE i.indrelid = a.attrelid AND i.indisprimary AND k.attnum = a.attnum AND k.position <= i.indnkeyatts),
    'unique', EXISTS (SELECT FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisunique AND i.indnkeyatts = 1
                      AND i.indkey[0] = a.attnum AND i.indpred IS NULL AND i.indisvalid),
    'reference', (SELECT json_build_object('schema', fn.nspname, 'table', fc.relname, 'column', fa.attname)
                  FROM pg_constraint k JOIN pg_class fc ON fc.oid = k.confrelid JOIN pg_namespace fn ON fn.oid = fc.relnamespace
                  JOIN pg_attribute fa ON fa.attrelid = k.confrelid AND fa.attnum = k.confkey[1]
                  WHERE k.conrelid = a.attrelid AND k.contype = 'f' AND k.conkey = ARRAY[a.attnum] LIMIT 1))
  FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
  LEFT JOIN pg_type et ON et.oid = t.typelem AND t.typcategory = 'A'
  LEFT JOIN pg_type bt ON bt.oid = t.typbasetype AND t.typtype = 'd'
  WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped AND has_column_privilege(a.attrelid, a.attnum, 'SELECT')
  ORDER BY a.attnum`;

const Column = z.object({
  name: z.string(),
  type: z.string(),
  kind: z.string(),
  list: z.boolean(),
  required: z.boolean(),
  hasDefault: z.boolean(),
  generated: z.boolean(),
  length: z.number().nullable(),
  precision: z.number().nullable(),
  scale: z.number().nullable(),
  description: z.string().nullable(),
  options: z.array(z.string()).nullable(),
  /** Place in the primary key, from 1. */
  keyPosition: z.number().nullable(),
  unique: z.boolean(),
  reference: z.object({ schema: z.string(), table: z.string(), column: z.string() }).nullable(),
});
type Column = z.infer<typeof Column>;

export interface Relation {
  oid: string;
  schema: string;
  table: string;
  writable: boolean;
  description: string | null;
}

/** Tables, partitioned tables, views and foreign tables the user may select from, first schema first. */
export async function listRelations(client: PostgresClient, schemas: string[]): Promise<Relation[]> {
  const rows = await client.query(RELATIONS, [schemas]);
  return rows.map(([oid, schema, table, , writable, description]) => ({
    oid: oid ?? "",
    schema: schema ?? "",
    table: table ?? "",
    writable: writable === "true",
    description: description ?? null,
  }));
}

/** `customers` in the first schema, `crm.contacts` in another. */
export const entityNameOf = (schemas: string[], schema: string, table: string): string =>
  schema === schemas[0] ? table : `${schema}.${table}`;

/** Where an entity lives: the other way round of `entityNameOf`. */
export function placeOf(schemas: string[], apiName: string): { schema: string; table: string } {
  const other = schemas.slice(1).find((schema) => apiName.startsWith(`${schema}.`));
  if (other) return { schema: other, table: apiName.slice(other.length + 1) };
  return { schema: schemas[0] ?? "public", table: apiName };
}

/**
 * One relation as an entity. Its id is the column of the primary key, or its columns together; without a primary key
 * that can be an id, a unique, always filled column.
 */
export async function describeRelation(
  client: PostgresClient,
  schemas: string[],
  relation: Relation,
): Promise<EntitySchema> {
  const rows = await client.query(COLUMNS, [relation.oid]);
  const columns = rows.map(([json]) => Column.parse(JSON.parse(json ?? "{}")));
  const key = columns.filter((column) => column.keyPosition !== null).sort(byKeyPosition);
  const names = key.map((column) => column.name);
  const joined = canJoin(names) ? names : [];
  const unique = columns.find((column) => column.unique && column.required);
  const id = key.length === 1 ? key[0] : joined.length > 0 ? undefined : unique;
  const watermark = columns.find((column) => isMoment(column) && UPDATED.test(column.name));
  return EntitySchema.parse({
    apiName: entityNameOf(schemas, relation.schema, relation.table),
    displayName: titleOf(relation.table),
    description: relation.description?.slice(0, 1000) ?? undefined,
    readOnly: !relation.writable,
    fields: [
      ...(joined.length > 0 ? [describeJoinedKey(joined)] : []),
      ...columns.map((column) => describeColumn(schemas, column, { id, joined, watermark })),
    ],
  });
}

const byKeyPosition = (one: Column, other: Column): number => (one.keyPosition ?? 0) - (other.keyPosition ?? 0);

const isMoment = (column: Column): boolean => TYPES[column.type] === "datetime" && !column.list;

function describeColumn(
  schemas: string[],
  column: Column,
  roles: { id: Column | undefined; joined: readonly string[]; watermark: Column | undefined },
): FieldSchema {
  const isId = column === roles.id;
  const reference = column.list ? null : column.reference;
  return FieldSchema.parse({
    apiName: column.name,
    displayName: titleOf(column.name),
    dataType: reference && !isId ? "reference" : dataTypeOf(column),
    description: column.description?.slice(0, 1000) ?? undefined,
    nillable: !column.required || column.hasDefault,
    initializable: !column.generated,
    updateable: !column.generated && !isId && !roles.joined.includes(column.name),
    calculated: column.generated && !isId,
    unique: column.unique,
    length: column.length ?? undefined,
    precision: column.precision ?? undefined,
    scale: column.precision ? (column.scale ?? undefined) : undefined,
    referenceTo: reference ? entityNameOf(schemas, reference.schema, reference.table) : undefined,
    referenceTargetField: reference?.column,
    picklist: column.options?.map((option) => ({ id: option, label: option })),
    isMultiValueField: column.list,
    isIdField: isId,
    isWatermarkField: column === roles.watermark,
    isUpdatedAtField: column === roles.watermark,
    isCreatedAtField: isMoment(column) && CREATED.test(column.name),
  });
}

const TYPES: Record<string, DataType> = {
  bool: "boolean",
  int2: "integer",
  int4: "integer",
  int8: "integer",
  float4: "double",
  float8: "double",
  numeric: "decimal",
  date: "date",
  timestamp: "datetime",
  timestamptz: "datetime",
  json: "object",
  jsonb: "object",
};

const dataTypeOf = (column: Column): DataType => (column.kind === "e" ? "picklist" : (TYPES[column.type] ?? "string"));
