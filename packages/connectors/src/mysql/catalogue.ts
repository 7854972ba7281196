/** Entities of a MySQL or MariaDB database: tables and views the user may read, keys, references, types. */
import { titleOf } from "@accord/connector-sdk";
import { EntitySchema, FieldSchema } from "@accord/contracts/data/schema";
import type { DataType } from "@accord/contracts/data/values";
import { canJoin, CREATED, describeJoinedKey, UPDATED } from "../relational/joined-key.ts";
import type { MysqlClient } from "./client.ts";
import { columnsOfTable, isFlag, type Column, type ColumnKind } from "./columns.ts";
import { quoteName } from "./quote-name.ts";

const TABLES = `
  SELECT TABLE_NAME, TABLE_TYPE, COALESCE(ENGINE, ''), COALESCE(TABLE_COMMENT, '') FROM information_schema.TABLES
  WHERE TABLE_SCHEMA = ? AND TABLE_TYPE <> 'SEQUENCE' ORDER BY TABLE_TYPE = 'VIEW', TABLE_NAME`;

/** Tables with a column that the user may read. */
const READABLE = `
  SELECT DISTINCT CAST(TABLE_NAME AS BINARY) FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = ? AND FIND_IN_SET('select', LOWER(PRIVILEGES)) > 0`;

/** Engines that undo what a transaction did. */
const ENGINES = "SELECT ENGINE FROM information_schema.ENGINES WHERE TRANSACTIONS = 'YES'";

const INDEXES = `
  SELECT TABLE_NAME, INDEX_NAME, NON_UNIQUE, COLUMN_NAME, SUB_PART FROM information_schema.STATISTICS
  WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? ORDER BY INDEX_NAME, SEQ_IN_INDEX`;

const REFERENCES = `
  SELECT TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
  FROM information_schema.KEY_COLUMN_USAGE
  WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? AND REFERENCED_TABLE_SCHEMA = TABLE_SCHEMA`;

/** MariaDB keeps JSON as text with a check that is called like its column. Which are a column's shows from 10.5.10 on only. */
const JSON_CHECKS = `
  SELECT TABLE_NAME, CONSTRAINT_NAME, CHECK_CLAUSE FROM information_schema.CHECK_CONSTRAINTS
  WHERE CONSTRAINT_SCHEMA = ? AND TABLE_NAME = ? AND CHECK_CLAUSE LIKE 'json_valid(%'`;

export interface Relation {
  name: string;
  isView: boolean;
  /** null where rows can be written; otherwise why not, or "" for a view. */
  readOnlyFor: string | null;
  comment: string;
}

/** Tables, then views, that the user may read. */
export async function listRelations(client: MysqlClient, database: string): Promise<Relation[]> {
  const rows = await client.query(TABLES, [database]);
  const readable = new Set((await client.query(READABLE, [database])).map(([name]) => name));
  const engines = await client.query(ENGINES);
  const transactional = new Set(engines.map(([engine]) => engine?.toLowerCase()));
  const found = rows.filter(([name]) => readable.has(name ?? ""));
  return found.map(([name, type, engine, comment]) => {
    const isView = type === "VIEW";
    const isSafe = transactional.has(engine?.toLowerCase());
    return {
      name: name ?? "",
      isView,
      readOnlyFor: isView ? "" : isSafe ? null : `Read only: its storage engine ${engine ?? ""} knows no transactions.`,
      comment: isView ? "" : (comment ?? ""),
    };
  });
}

export interface Index {
  name: string;
  isUnique: boolean;
  columns: string[];
  /** Whole columns: no prefixes, no expressions. */
  isWhole: boolean;
}

export async function indexesOf(client: MysqlClient, database: string, table: string): Promise<Index[]> {
  const rows = (await client.query(INDEXES, [database, table])).filter(([name]) => name === table);
  return [...Map.groupBy(rows, ([, name]) => name ?? "")].map(([name, parts]) => ({
    name,
    isUnique: parts.every(([, , nonUnique]) => nonUnique === "0"),
    columns: parts.flatMap(([, , , column]) => column ?? []),
    isWhole: parts.every(([, , , column, part]) => column !== null && (part ?? null) === null),
  }));
}

interface Reference {
  table: string;
  column: string;
}

async function referencesOf(client: MysqlClient, database: string, table: string): Promise<Map<string, Reference>> {
  const rows = (await client.query(REFERENCES, [database, table])).filter(([name]) => name === table);
  const found = new Map<string, Reference>();
  for (const parts of Map.groupBy(rows, ([, constraint]) => constraint).values()) {
    const [, , column, to, toColumn] = parts[0] ?? [];
    if (parts.length === 1 && column && to && toColumn && !found.has(column))
      found.set(column, { table: to, column: toColumn });
  }
  return found;
}

async function jsonColumnsOf(client: MysqlClient, database: string, table: string): Promise<Set<string>> {
  const { isMariaDb } = await client.facts();
  if (!isMariaDb) return new Set();
  const rows = await client.query(JSON_CHECKS, [database, table]);
  const isOfColumn = (column: string, clause: string): boolean => clause.startsWith(`json_valid(${quoteName(column)})`);
  return new Set(
    rows.flatMap(([name, column, clause]) =>
      name === table && column && isOfColumn(column, clause ?? "") ? column : [],
    ),
  );
}

/**
 * One table as an entity. Its id is the column of the primary key, or its columns together; without a primary key that
 * can be an id, a unique, always filled column.
 */
export async function describeRelation(
  client: MysqlClient,
  database: string,
  relation: Relation,
): Promise<EntitySchema> {
  const { name } = relation;
  const all = (await columnsOfTable(client, database, name)).columns.filter(({ readable }) => readable);
  const json = await jsonColumnsOf(client, database, name);
  const columns = all.map((column) => (json.has(column.name) ? { ...column, kind: "json" as const } : column));
  const indexes = relation.isView ? [] : await indexesOf(client, database, name);
  const references = relation.isView ? new Map<string, Reference>() : await referencesOf(client, database, name);
  const key = indexes.find((index) => index.name === "PRIMARY")?.columns ?? [];
  const unique = new Set(
    indexes.flatMap((index) => (index.isUnique && index.isWhole && index.columns.length === 1 ? index.columns : [])),
  );
  const isJoined = canJoin(key) && key.every((part) => all.some((column) => column.name === part));
  const joined = isJoined ? key : [];
  const single = columns.find((column) =>
    key.length === 1 ? column.name === key[0] : unique.has(column.name) && !column.nullable,
  );
  const id = isJoined ? undefined : single;
  const watermark = watermarkAmong(columns);
  const isReadOnly = relation.readOnlyFor !== null || !columns.some(({ writable }) => writable);
  const description = [relation.comment, relation.readOnlyFor ?? ""].filter((text) => text !== "").join(" ");
  return EntitySchema.parse({
    apiName: name,
    displayName: titleOf(name),
    description: description.slice(0, 1000) || undefined,
    readOnly: isReadOnly,
    fields: [
      ...(joined.length > 0 ? [describeJoinedKey(joined)] : []),
      ...columns.map((column) =>
        describeColumn(column, {
          isId: column === id,
          isOfKey: joined.includes(column.name),
          isWatermark: column === watermark,
          isUnique: unique.has(column.name),
          reference: references.get(column.name),
        }),
      ),
    ],
  });
}

/** By its name; else the one column that each change of a row stamps by itself. */
function watermarkAmong(columns: readonly Column[]): Column | undefined {
  const named = columns.find((column) => column.kind === "moment" && UPDATED.test(column.name));
  return named ?? columns.find((column) => column.kind === "moment" && column.isStamped);
}

interface Roles {
  isId: boolean;
  isOfKey: boolean;
  isWatermark: boolean;
  isUnique: boolean;
  reference: Reference | undefined;
}

function describeColumn(column: Column, { isId, isOfKey, isWatermark, isUnique, reference }: Roles): FieldSchema {
  const isComputed = column.isGenerated || column.kind === "geometry";
  return FieldSchema.parse({
    apiName: column.name,
    displayName: titleOf(column.name),
    dataType: reference && !isId ? "reference" : dataTypeOf(column),
    description: column.comment.slice(0, 1000) || undefined,
    nillable: column.nullable || column.hasDefault,
    initializable: !isComputed,
    updateable: !isComputed && !isId && !isOfKey,
    calculated: isComputed && !isId,
    unique: isUnique,
    length: column.length ?? undefined,
    ...digitsOf(column),
    referenceTo: reference?.table,
    referenceTargetField: reference?.column,
    picklist: picklistOf(column),
    isMultiValueField: column.kind === "options",
    isIdField: isId,
    isWatermarkField: isWatermark,
    isUpdatedAtField: isWatermark,
    isCreatedAtField: column.kind === "moment" && CREATED.test(column.name),
  });
}

/** Nothing can be chosen by an empty name: a column may hold it all the same. */
function picklistOf({ options }: Column): FieldSchema["picklist"] {
  const named = options.filter((option) => option !== "");
  return named.length > 0 ? named.map((option) => ({ id: option, label: option })) : undefined;
}

const TYPES: Record<ColumnKind, DataType> = {
  integer: "integer",
  year: "integer",
  boolean: "boolean",
  bit: "integer",
  float: "double",
  double: "double",
  decimal: "decimal",
  date: "date",
  moment: "datetime",
  time: "string",
  json: "object",
  option: "picklist",
  options: "picklist",
  bytes: "string",
  geometry: "string",
  text: "string",
};

/** What counts up by itself does not get that far. */
const isBeyondIntegers = ({ isHuge, isAutoIncrement }: Column): boolean => isHuge && !isAutoIncrement;

function dataTypeOf(column: Column): DataType {
  if (isFlag(column)) return "boolean";
  return isBeyondIntegers(column) ? "decimal" : TYPES[column.kind];
}

function digitsOf(column: Column): { precision?: number; scale?: number } {
  if (isBeyondIntegers(column)) return { precision: 20, scale: 0 };
  if (column.kind !== "decimal" || column.precision === null) return {};
  return { precision: column.precision, scale: column.scale ?? 0 };
}
