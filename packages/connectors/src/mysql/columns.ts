/** Columns of a table as the server describes them: what kind of values each holds, and who may write it. */
import { hashText } from "@accord/connector-sdk";
import type { SqlValue, TextRow } from "./client.ts";

export type ColumnKind =
  | "integer"
  /** 0, or 1901 to 2155. */
  | "year"
  /** `TINYINT(1)`, which is what `BOOLEAN` means. */
  | "boolean"
  | "bit"
  | "float"
  | "double"
  | "decimal"
  | "date"
  | "moment"
  | "time"
  | "json"
  | "option"
  | "options"
  | "bytes"
  | "geometry"
  | "text";

export interface Column {
  name: string;
  kind: ColumnKind;
  nullable: boolean;
  hasDefault: boolean;
  isAutoIncrement: boolean;
  /** The server computes it. */
  isGenerated: boolean;
  /** Changes of a row set it by themselves. */
  isStamped: boolean;
  /** `BIGINT UNSIGNED`: whole numbers beyond what 64 bits with a sign hold. */
  isHuge: boolean;
  /** `TIMESTAMP`: a moment. `DATETIME` is a time without a zone. */
  isZoned: boolean;
  /** Characters, of a text. */
  length: number | null;
  precision: number | null;
  scale: number | null;
  options: string[];
  comment: string;
  readable: boolean;
  writable: boolean;
}

const COLUMNS = `
  SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, IS_NULLABLE, COLUMN_DEFAULT, EXTRA, CHARACTER_MAXIMUM_LENGTH,
         NUMERIC_PRECISION, NUMERIC_SCALE, COLUMN_COMMENT, PRIVILEGES, COALESCE(COLLATION_NAME, '')
  FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? ORDER BY ORDINAL_POSITION`;

interface Asking {
  query(sql: string, values?: readonly SqlValue[], signal?: AbortSignal): Promise<TextRow[]>;
}

export interface TableColumns {
  columns: Column[];
  /** Changes with any of their definitions. */
  shape: string;
}

/** Empty where there is no such table. */
export async function columnsOfTable(
  client: Asking,
  database: string,
  table: string,
  signal?: AbortSignal,
): Promise<TableColumns> {
  const found = await client.query(COLUMNS, [database, table], signal);
  // Names are compared there without regard to upper and lower case, even where tables differ by it.
  const rows = found.filter(([name]) => name === table);
  return { columns: rows.map(columnOf), shape: hashText(JSON.stringify(rows)) };
}

const KINDS: Record<string, ColumnKind> = {
  tinyint: "integer",
  smallint: "integer",
  mediumint: "integer",
  int: "integer",
  bigint: "integer",
  year: "year",
  bit: "bit",
  float: "float",
  double: "double",
  decimal: "decimal",
  date: "date",
  datetime: "moment",
  timestamp: "moment",
  time: "time",
  json: "json",
  enum: "option",
  set: "options",
  binary: "bytes",
  varbinary: "bytes",
  tinyblob: "bytes",
  blob: "bytes",
  mediumblob: "bytes",
  longblob: "bytes",
  vector: "bytes",
  geometry: "geometry",
  point: "geometry",
  linestring: "geometry",
  polygon: "geometry",
  multipoint: "geometry",
  multilinestring: "geometry",
  multipolygon: "geometry",
  geometrycollection: "geometry",
  geomcollection: "geometry",
};

function columnOf(row: TextRow): Column {
  const [, name, type, fullType, isNullable, , extra, length, precision, scale, comment, privileges] = row.map(
    (text) => text ?? "",
  );
  const dataType = (type ?? "").toLowerCase();
  const isFlag = /^tinyint\(1\)$/i.test(fullType ?? "") || /^bit\(1\)$/i.test(fullType ?? "");
  const kind = isFlag && dataType === "tinyint" ? "boolean" : (KINDS[dataType] ?? "text");
  const granted = new Set((privileges ?? "").toLowerCase().split(","));
  const isAutoIncrement = /auto_increment/i.test(extra ?? "");
  return {
    name: name ?? "",
    kind,
    nullable: isNullable === "YES",
    hasDefault: isAutoIncrement || (row[5] ?? null) !== null || /DEFAULT_GENERATED/i.test(extra ?? ""),
    isAutoIncrement,
    isGenerated: /\b(VIRTUAL|STORED|PERSISTENT|GENERATED ALWAYS)\b/i.test(extra ?? ""),
    isStamped: /on update/i.test(extra ?? ""),
    isHuge: dataType === "bigint" && /unsigned/i.test(fullType ?? ""),
    isZoned: dataType === "timestamp",
    // `CHAR(0)` holds nothing but the empty text.
    length: /^(var)?char$/.test(dataType) ? Number(length) || null : null,
    precision: kind === "decimal" && precision ? Number(precision) : kind === "bit" && isFlag ? 1 : null,
    scale: kind === "decimal" && scale ? Number(scale) : null,
    options: kind === "option" || kind === "options" ? optionsIn(fullType ?? "") : [],
    comment: comment ?? "",
    readable: granted.has("select"),
    writable: granted.has("insert") || granted.has("update"),
  };
}

/** The labels in `enum('a','b''c')`. */
const optionsIn = (fullType: string): string[] =>
  [...fullType.matchAll(/'((?:[^']|'')*)'/g)].map(([, label = ""]) => label.replaceAll("''", "'"));

/** A single bit is true or false. */
export const isFlag = ({ kind, precision }: Column): boolean =>
  kind === "boolean" || (kind === "bit" && precision === 1);
