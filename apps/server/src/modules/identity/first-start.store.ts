/** Organisations and their subscriptions, as the first start makes them. */
import { sql } from "kysely";
import type { Db } from "../../platform/db/db.ts";

export async function hasOrganisation(db: Db): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM organisation LIMIT 1`.execute(db);
  return rows.length > 0;
}

export async function insertOrganisation(
  db: Db,
  { id, name, subscriptionId, now }: { id: string; name: string; subscriptionId: string; now: Date },
): Promise<void> {
  await sql`INSERT INTO organisation (id, name, created_at) VALUES (${id}, ${name}, ${now})`.execute(db);
  await sql`
    INSERT INTO subscription (id, organisation_id, name, type, status, created_at)
    VALUES (${subscriptionId}, ${id}, ${name}, 'standard', 'ACTIVE', ${now})`.execute(db);
}
