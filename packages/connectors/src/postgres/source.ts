/** What is read of one relation, as SQL: its columns, key and watermark, and conditions with their parameters. */
import { ConnectorError } from "@accord/connector-sdk";
import type { EntitySchema, FieldSchema } from "@accord/contracts/data/schema";
import { placeOf } from "./catalogue.ts";
import type { PostgresClient } from "./client.ts";
import type { PostgresConfig } from "./config.ts";
import { columnsOf, keyOf, type Key } from "./key.ts";
import { zoneOf } from "./local-times.ts";
import { quoteName } from "./quote-name.ts";
import { selectedColumn } from "./values.ts";

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
  /** What to select: the id, then the fields. */
  columns: string;
}

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
