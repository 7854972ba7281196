/** Where the secrets of all instances may go, as earlier versions of the product wrote it. Decides nothing. */
import type { Values } from "@accord/contracts/data/values";
import { sql } from "kysely";
import type { Db } from "../../../../platform/db/db.ts";

interface BoundCredential {
  id: string;
  hosts: string[];
  type: string;
  auth_type: string;
  config: Values;
}

/** Credentials whose secrets are bound to `host:port`, or may be to origins, as older versions did, with their connectors. */
export async function readLooselyBound(db: Db): Promise<BoundCredential[]> {
  const { rows } = await sql<BoundCredential>`
    SELECT k.id, k.hosts, c.type, c.auth_type, c.config FROM credential k JOIN connector c ON c.id = k.connector_id
     WHERE k.hosts <> '[]' AND (k.hosts::text NOT LIKE '%://%' OR c.auth_type LIKE 'oauth%')`.execute(db);
  return rows;
}

/** Nothing when somebody entered new ones meanwhile. */
export async function saveDestinations(
  db: Db,
  credentialId: string,
  { before, now }: { before: readonly string[]; now: readonly string[] },
): Promise<void> {
  await sql`UPDATE credential SET hosts = ${JSON.stringify(now)}::jsonb
             WHERE id = ${credentialId} AND hosts = ${JSON.stringify(before)}::jsonb`.execute(db);
}
