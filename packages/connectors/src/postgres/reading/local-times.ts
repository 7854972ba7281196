/**
 * Times of change that a column keeps without a zone are local times of the database: `now()` writes them by the
 * `TimeZone` of the role or database, whereas our own sessions use UTC.
 */
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { PostgresClient } from "../client.ts";

const IS_LOCAL = `
  SELECT ((CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.oid END) = 'timestamp'::regtype)::text
  FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid JOIN pg_class c ON c.oid = a.attrelid
  JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relname = $2 AND a.attname = $3`;

/** Zones by relation and column, as long as the connection is used. */
const known = new WeakMap<PostgresClient, Map<string, Promise<string | null>>>();

/** The zone of a column's times; null where they tell it themselves, or there is no such column. */
export function zoneOf(
  client: PostgresClient,
  { schema, table }: { schema: string; table: string },
  field: FieldSchema | undefined,
): Promise<string | null> {
  if (field?.dataType !== "datetime") return Promise.resolve(null);
  const zones = known.get(client) ?? new Map<string, Promise<string | null>>();
  known.set(client, zones);
  const names = [schema, table, field.apiName];
  const key = JSON.stringify(names);
  const zone = zones.get(key) ?? askZone(client, names);
  zones.set(key, zone);
  zone.catch(() => zones.delete(key));
  return zone;
}

async function askZone(client: PostgresClient, names: readonly string[]): Promise<string | null> {
  const [row] = await client.query(IS_LOCAL, names);
  return row?.[0] === "true" ? client.ownZone() : null;
}
