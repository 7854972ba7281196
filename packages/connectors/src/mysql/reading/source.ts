/** What is read of one table, as SQL: its columns, key and watermark, as the database describes them just now. */
import { ConnectorError } from "@accord/connector-sdk";
import type { EntitySchema, FieldSchema } from "@accord/contracts/data/schema";
import { columnsOf } from "../../relational/joined-key.ts";
import type { SqlValue, TextRow } from "../client.ts";
import { columnsOfTable, type Column } from "../columns.ts";
import type { MysqlConfig } from "../config.ts";
import type { Condition } from "../key.ts";
import { quoteName } from "../quote-name.ts";
import { selectedText, type ReadField } from "../values.ts";

export interface Source {
  name: string;
  /** Quoted, with its database. */
  table: string;
  columns: ReadonlyMap<string, Column>;
  key: Column[];
  /** Rows may have the same id, or ids that the server holds equal, or none: nothing in the database forbids it. */
  isLoose: boolean;
  watermark: Column | null;
  fields: ReadField[];
  /** What to select: the key's columns, the moment of change or NULL, then the fields. */
  selected: string;
  hasMoment: boolean;
  /** Changes with any definition of a column. */
  shape: string;
}

interface Asking {
  query(sql: string, values?: readonly SqlValue[], signal?: AbortSignal): Promise<TextRow[]>;
}

export interface SourceOptions {
  entity: EntitySchema;
  fields: readonly string[];
  /** Times of change without a zone are stamped in UTC: by our own session. */
  isStampedByUs?: boolean;
  signal?: AbortSignal;
}

/** A watermark that is compared with moments. */
export const watermarkOf = (entity: EntitySchema): FieldSchema | undefined =>
  entity.fields.find(
    ({ isWatermarkField, status, dataType }) =>
      isWatermarkField && status === "ACTIVE" && (dataType === "date" || dataType === "datetime"),
  );

export async function sourceOf(client: Asking, config: MysqlConfig, options: SourceOptions): Promise<Source> {
  const { entity, fields, isStampedByUs, signal } = options;
  const id = entity.fields.find((field) => field.isIdField);
  if (!id)
    throw new ConnectorError("configuration", `${entity.displayName} has no id field.`, {
      hint: "Choose a field that is always filled and unique as id in the connector's settings.",
    });
  const { columns: all, shape } = await columnsOfTable(client, config.database, entity.apiName, signal);
  if (all.length === 0)
    throw new ConnectorError("schemaChanged", `The table ${entity.apiName} is gone.`, {
      hint: "Refresh the connector's schema, or take it out of the pipeline.",
    });
  const columns = new Map(all.map((column) => [column.name, column]));
  const key = columnsOf(id).map((name) => columnNamed(columns, entity, name));
  const stamp = watermarkOf(entity);
  const wanted = new Set(fields);
  const selected = entity.fields.filter(
    (field) => field.status === "ACTIVE" && (field === id || field === stamp || wanted.has(field.apiName)),
  );
  const read = selected.map((field): ReadField => ({
    field,
    column: columnsOf(field).length > 1 ? null : columnNamed(columns, entity, field.apiName),
  }));
  const found = stamp ? columnNamed(columns, entity, stamp.apiName) : null;
  const watermark = found && (found.kind === "date" || found.kind === "moment") ? found : null;
  const hasMoment = watermark?.kind === "moment" && !watermark.isZoned && !isStampedByUs;
  const texts = read.map(({ column }) => (column ? selectedText(column) : "NULL"));
  return {
    name: entity.apiName,
    table: `${quoteName(config.database)}.${quoteName(entity.apiName)}`,
    columns,
    key,
    isLoose: entity.readOnly || !id.unique || key.some(({ nullable }) => nullable),
    watermark,
    fields: read,
    selected: [...key.map(selectedText), hasMoment ? inUtc(watermark) : "NULL", ...texts].join(", "),
    hasMoment,
    shape,
  };
}

function columnNamed(columns: ReadonlyMap<string, Column>, entity: EntitySchema, name: string): Column {
  const column = columns.get(name);
  if (column) return column;
  throw new ConnectorError("schemaChanged", `${entity.displayName} has no column ${name} any more.`, {
    hint: "The connector's schema is read again by itself; if this stays, refresh it.",
    isFieldGone: true,
  });
}

/** Times of change without a zone are local times of the server: `NOW()` writes them by its `time_zone`. */
const SERVER_ZONE = "@@global.time_zone";

export const inUtc = (column: Column): string => {
  const name = `t.${quoteName(column.name)}`;
  return column.isZoned || column.kind === "date" ? name : `CONVERT_TZ(${name}, ${SERVER_ZONE}, '+00:00')`;
};

/** The rows of `t` whose watermark is not older than the moment (`2024-01-31 10:20:30`, in UTC). */
export function stampedSince(column: Column, moment: string): Condition {
  const name = `t.${quoteName(column.name)}`;
  if (column.kind === "date") return { sql: `${name} >= DATE(LEAST(${shownSince}))`, values: thrice(moment) };
  if (column.isZoned) return { sql: `${name} >= ?`, values: [moment] };
  return { sql: `${name} >= LEAST(${shownSince})`, values: thrice(moment) };
}

/**
 * What a local time that is not before the moment shows at least: less than at the moment itself where clocks are put back
 * within the hour after it; and as UTC, where an application keeps that in the column whatever the zone is.
 */
const AT = "CAST(? AS DATETIME(6))";
const shownSince = [
  `CONVERT_TZ(${AT}, '+00:00', ${SERVER_ZONE})`,
  `CONVERT_TZ(${AT} + INTERVAL 1 HOUR, '+00:00', ${SERVER_ZONE}) - INTERVAL 1 HOUR`,
  AT,
].join(", ");
const thrice = (moment: string): string[] => [moment, moment, moment];

/** Conditions of a statement, joined, with the values of their placeholders. */
export class Conditions {
  readonly values: SqlValue[] = [];
  readonly #texts: string[] = [];

  add(condition: Condition | null): void {
    if (!condition) return;
    this.#texts.push(condition.sql);
    this.values.push(...condition.values);
  }

  get sql(): string {
    return this.#texts.length === 0 ? "" : `WHERE ${this.#texts.join(" AND ")}`;
  }
}
