/** Organisations and their subscriptions, and what the first start wrote down about itself. */
import type { Id } from "@accord/contracts";
import { sql } from "kysely";
import type { Db } from "../../platform/db/db.ts";

export interface InstallationRow {
  organisation_id: Id<"organisation">;
  subscription_id: string;
  admin_id: Id<"user">;
  instance_id: Id<"instance"> | null;
  demo: boolean;
  password_untold: boolean;
  email: string;
}

export async function findInstallation(db: Db): Promise<InstallationRow | null> {
  const { rows } = await sql<InstallationRow>`
    SELECT i.*, u.email, (SELECT id FROM subscription s WHERE s.organisation_id = i.organisation_id
                          ORDER BY created_at LIMIT 1) AS subscription_id
    FROM installation i JOIN app_user u ON u.id = i.admin_id`.execute(db);
  return rows[0] ?? null;
}

export async function insertInstallation(
  db: Db,
  row: Pick<InstallationRow, "organisation_id" | "admin_id" | "demo" | "password_untold">,
): Promise<void> {
  await sql`
    INSERT INTO installation (organisation_id, admin_id, demo, password_untold)
    VALUES (${row.organisation_id}, ${row.admin_id}, ${row.demo}, ${row.password_untold})`.execute(db);
}

export async function setInstance(db: Db, instanceId: string): Promise<void> {
  await sql`UPDATE installation SET instance_id = ${instanceId}`.execute(db);
}

/** An instance that a start made and did not live to write down. */
export async function findUnfinishedInstances(db: Db, organisationId: string): Promise<Id<"instance">[]> {
  const { rows } = await sql<{ id: Id<"instance"> }>`
    SELECT id FROM instance WHERE organisation_id = ${organisationId} AND status <> 'DELETED'`.execute(db);
  return rows.map(({ id }) => id);
}

export async function setAdminPassword(
  db: Db,
  { adminId, hash, untold, now }: { adminId: string; hash: string; untold: boolean; now: Date },
): Promise<void> {
  await sql`
    UPDATE app_user SET password_hash = ${hash}, password_changed_at = ${now}, updated_at = ${now}
    WHERE id = ${adminId}`.execute(db);
  await sql`UPDATE installation SET password_untold = ${untold}`.execute(db);
}

export async function markPasswordTold(db: Db): Promise<void> {
  await sql`UPDATE installation SET password_untold = false`.execute(db);
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
