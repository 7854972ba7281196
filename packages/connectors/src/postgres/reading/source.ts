/** What is read of one relation, as SQL: its columns, key and watermark, and conditions with their parameters. */
import { ConnectorError } from "@accord/connector-sdk";
import type { EntitySchema, FieldSchema } from "@accord/contracts/data/schema";
import { placeOf } from "../catalogue.ts";
import type { PostgresClient, TextRow } from "../client.ts";
import type { PostgresConfig } from "../config.ts";
import { columnsOf } from "../../relational/joined-key.ts";
import { keyOf, type Key } from "../key.ts";
import { zoneOf } from "./local-times.ts";
import { quoteName } from "../quote-name.ts";
import { selectedColumn } from "../values.ts";

export interface Source {
  /** Quoted and schema-qualified. */
  relation: string;
  place: { schema: string; table: string };
  key: Key;
  /** Quoted. */
  watermark: string | null;
  watermarkName: string | null;
  /** The zone of the watermark's times; null where they tell it themselves. */
  watermarkZone: string | null;
  fields: FieldSchema[];
  /** What to select: the id, then the fields, then the numbers of their columns where they are asked for. */
  columns: string;
  /** `columns` end with the numbers, see `withNumbers`. */
  hasNumbers?: true;
}

/**
 * Numbers of a table's columns, which no two of them ever share, not even one after the other; by name, and null for
 * views. Asked for in the statement that reads rows: the lock that it takes keeps columns as they are meanwhile.
 */
export function withNumbers(source: Source): Source {
  const { relation, fields } = source;
  const names = namesOf(fields).map(quoteText).join(", ");
  const numbers = `(SELECT string_agg(a.attnum::text, ' ' ORDER BY a.attname COLLATE "C") FROM pg_catalog.pg_attribute a
    JOIN pg_catalog.pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p')
    WHERE a.attrelid = ${quoteText(relation)}::regclass AND a.attname IN (${names}))`;
  return { ...source, columns: `${source.columns}, ${numbers}`, hasNumbers: true };
}

/** The numbers by field, from a row that was read with them; null where it has none. */
export function numbersIn({ fields, hasNumbers }: Source, row: TextRow | undefined): Record<string, string> | null {
  const text = hasNumbers ? (row?.[fields.length + 1] ?? null) : null;
  if (text === null) return null;
  const numbers = text.split(" ");
  const names = namesOf(fields);
  return numbers.length === names.length
    ? Object.fromEntries(names.map((name, at) => [name, numbers[at] ?? ""]))
    : null;
}

/** In the order of their bytes, as the server sorts them. */
const namesOf = (fields: readonly FieldSchema[]): string[] =>
  [...new Set(fields.flatMap(columnsOf))].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));

const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** SQL conditions with their parameters. */
export class Statement {
  readonly values: unknown[] = [];
  readonly #conditions: string[] = [];

  value(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  where(condition: string): void {
    this.#conditions.push(condition);
  }

  conditions(): string {
    return this.#conditions.length === 0 ? "" : `WHERE ${this.#conditions.join(" AND ")}`;
  }
}

/** Likewise, for reading rows and their times of change. */
export async function readSourceOf(
  client: PostgresClient,
  config: PostgresConfig,
  entity: EntitySchema,
  fields: readonly string[],
): Promise<Source> {
  const source = sourceOf(config, entity, fields);
  const watermark = entity.fields.find(({ apiName }) => apiName === source.watermarkName);
  return { ...source, watermarkZone: await zoneOf(client, source.place, watermark) };
}

/** Without the zone of the watermark, which only the database knows. */
export function sourceOf(config: PostgresConfig, entity: EntitySchema, fields: readonly string[]): Source {
  const place = placeOf(config.schemas, entity.apiName);
  const id = entity.fields.find((field) => field.isIdField);
  if (!id)
    throw new ConnectorError("configuration", `${entity.displayName} has no id field.`, {
      hint: "Choose a field that is always filled and unique as id in the connector's settings.",
    });
  const wanted = new Set(fields);
  const watermark = entity.fields.find((field) => field.isWatermarkField && field.status === "ACTIVE");
  const key = keyOf(columnsOf(id));
  const selected = entity.fields.filter(
    (field) => field.status === "ACTIVE" && (field === id || field === watermark || wanted.has(field.apiName)),
  );
  return {
    place,
    relation: `${quoteName(place.schema)}.${quoteName(place.table)}`,
    key,
    watermark: watermark ? quoteName(watermark.apiName) : null,
    watermarkName: watermark?.apiName ?? null,
    watermarkZone: null,
    fields: selected,
    columns: [key.text, ...selected.map(selectedColumn)].join(", "),
  };
}
