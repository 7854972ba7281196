/** Services that an instance has configured; their secrets stay sealed here. */
import type { Id } from "@accord/contracts";
import { type ServiceName, ServiceProviderInput } from "@accord/contracts/sync/providers";
import { sql } from "kysely";
import type { Db } from "../../../../platform/db/db.ts";

const Definition = ServiceProviderInput.omit({ secret: true });

export interface StoredProvider {
  service: ServiceName;
  definition: typeof Definition._output;
  secret: string | null;
  host: string;
  updatedAt: string;
}

interface Row {
  service: ServiceName;
  definition: unknown;
  secret: string | null;
  host: string;
  updated_at: string;
}

const asProvider = ({ definition, updated_at: updatedAt, ...row }: Row): StoredProvider => ({
  ...row,
  definition: Definition.parse(definition),
  updatedAt,
});

export async function readProviders(db: Db, at: Id<"instance">): Promise<StoredProvider[]> {
  const { rows } = await sql<Row>`
    SELECT service, definition, secret, host, updated_at FROM service_provider WHERE instance_id = ${at}`.execute(db);
  return rows.map(asProvider);
}

export async function findProvider(db: Db, at: Id<"instance">, service: ServiceName): Promise<StoredProvider | null> {
  const { rows } = await sql<Row>`
    SELECT service, definition, secret, host, updated_at FROM service_provider
     WHERE instance_id = ${at} AND service = ${service}`.execute(db);
  return rows[0] ? asProvider(rows[0]) : null;
}

export async function writeProvider(
  db: Db,
  at: Id<"instance">,
  one: Omit<StoredProvider, "updatedAt"> & { now: Date },
) {
  await sql`
    INSERT INTO service_provider (instance_id, service, definition, secret, host, updated_at)
    VALUES (${at}, ${one.service}, ${JSON.stringify(one.definition)}, ${one.secret}, ${one.host}, ${one.now})
    ON CONFLICT (instance_id, service) DO UPDATE SET definition = EXCLUDED.definition, secret = EXCLUDED.secret,
      host = EXCLUDED.host, updated_at = EXCLUDED.updated_at`.execute(db);
}

export async function removeProvider(db: Db, at: Id<"instance">, service: ServiceName): Promise<void> {
  await sql`DELETE FROM service_provider WHERE instance_id = ${at} AND service = ${service}`.execute(db);
}
