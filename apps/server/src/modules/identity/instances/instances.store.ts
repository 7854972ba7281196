/** Instances and the subscription they belong to. */
import type { Id } from "@accord/contracts";
import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

export type InstanceRow = {
  id: Id<"instance">;
  organisation_id: Id<"organisation">;
  subscription_id: string;
  name: string;
  display_name: string;
  type: "production" | "trial" | "partner";
  status: "ACTIVE" | "INACTIVE" | "DELETING" | "DELETED";
  /** By quota type. */
  quotas: unknown;
  trial_started_at: Date | string | null;
  ghost_access: boolean;
  disabled_features: string[];
  created_by: string | null;
  created_at: Date | string;
  updated_at: Date | string;
  version: number;
};

/** With the names that come from other tables. */
export interface InstanceFacts extends InstanceRow {
  organisation_name: string;
  plan_name: string;
  created_by_name: string | null;
}

export interface SubscriptionFacts {
  id: string;
  name: string;
  type: "standard" | "trial" | "partner";
  status: "ACTIVE" | "DELETED";
  created_at: string;
  created_by: string | null;
  deleted_at: string | null;
  deleted_by: string | null;
}

type Tables = { instance: InstanceRow };

/** `ids` null: all that are not deleted. */
export async function listInstances(
  db: Db,
  where: { organisationId: string; ids: readonly string[] | null; search: string },
): Promise<InstanceFacts[]> {
  const text = `%${where.search.replace(/[\\%_]/g, "\\$&")}%`;
  const { rows } = await sql<InstanceFacts>`
    SELECT i.*, o.name AS organisation_name, s.name AS plan_name,
           nullif(trim(concat(u.first_name, ' ', u.last_name)), '') AS created_by_name
      FROM instance i
      JOIN organisation o ON o.id = i.organisation_id
      JOIN subscription s ON s.id = i.subscription_id
      LEFT JOIN app_user u ON u.id = i.created_by
     WHERE i.organisation_id = ${where.organisationId} AND i.status <> 'DELETED'
       AND (${where.ids}::text[] IS NULL OR i.id = ANY(${where.ids}::text[]))
       AND (i.display_name ILIKE ${text} OR o.name ILIKE ${text} OR i.id ILIKE ${text})
     ORDER BY i.created_at, i.id`.execute(db);
  return rows;
}

/** Ids of the active instances a user holds a role in. */
export async function instancesOfUser(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT i.id FROM user_role r JOIN instance i ON i.id = r.instance_id AND i.status <> 'DELETED'
     WHERE r.user_id = ${userId}`.execute(db);
  return rows.map((row) => row.id);
}

export function findInstance(
  db: Db,
  organisationId: Id<"organisation">,
  id: Id<"instance">,
): Promise<InstanceRow | undefined> {
  return db
    .withTables<Tables>()
    .selectFrom("instance")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .where("status", "<>", "DELETED")
    .executeTakeFirst();
}

/** Without an organisation: for background work that only knows the instance. */
export function findInstanceById(db: Db, id: Id<"instance">): Promise<InstanceRow | undefined> {
  return db.withTables<Tables>().selectFrom("instance").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Every instance background work cares for, in all organisations. */
export async function activeInstances(db: Db): Promise<Pick<InstanceRow, "id" | "organisation_id" | "display_name">[]> {
  return db
    .withTables<Tables>()
    .selectFrom("instance")
    .select(["id", "organisation_id", "display_name"])
    .where("status", "=", "ACTIVE")
    .orderBy("id")
    .execute();
}

export async function insertInstance(db: Db, row: InstanceRow): Promise<void> {
  await db
    .withTables<Tables>()
    .insertInto("instance")
    .values({ ...row, quotas: JSON.stringify(row.quotas) })
    .execute();
}

/** undefined when the version is no longer the stored one. */
export function updateInstance(
  db: Db,
  at: { id: Id<"instance">; version: number },
  changes: Partial<Omit<InstanceRow, "id" | "organisation_id" | "version">>,
): Promise<InstanceRow | undefined> {
  const { quotas, ...rest } = changes;
  return db
    .withTables<Tables>()
    .updateTable("instance")
    .set({ ...rest, ...(quotas === undefined ? {} : { quotas: JSON.stringify(quotas) }), version: at.version + 1 })
    .where("id", "=", at.id)
    .where("version", "=", at.version)
    .returningAll()
    .executeTakeFirst();
}

export async function setStatus(db: Db, id: Id<"instance">, status: InstanceRow["status"], now: Date): Promise<void> {
  await db.withTables<Tables>().updateTable("instance").set({ status, updated_at: now }).where("id", "=", id).execute();
}

export async function setFeature(db: Db, id: Id<"instance">, feature: string, enabled: boolean): Promise<void> {
  await sql`
    UPDATE instance
       SET disabled_features = CASE WHEN ${enabled} THEN array_remove(disabled_features, ${feature})
                                    WHEN ${feature} = ANY(disabled_features) THEN disabled_features
                                    ELSE array_append(disabled_features, ${feature}) END
     WHERE id = ${id}`.execute(db);
}

export async function rememberInstance(db: Db, userId: string, instanceId: string): Promise<void> {
  await sql`UPDATE app_user SET last_instance_id = ${instanceId} WHERE id = ${userId}`.execute(db);
}

export async function findSubscription(db: Db, organisationId: string): Promise<SubscriptionFacts | undefined> {
  const { rows } = await sql<SubscriptionFacts>`
    SELECT id, name, type, status, created_at, created_by, deleted_at, deleted_by
      FROM subscription WHERE organisation_id = ${organisationId} ORDER BY created_at LIMIT 1`.execute(db);
  return rows[0];
}

/** Deletes every row of an instance in the database `app`, whichever feature it belongs to; its audit entries stay. */
export async function purgeInstanceRows(db: Db, instanceId: string): Promise<void> {
  const { rows } = await sql<{ table_name: string }>`
    SELECT c.table_name FROM information_schema.columns c
      JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND c.column_name = 'instance_id' AND t.table_type = 'BASE TABLE'
       AND c.table_name NOT IN ('audit_entry', 'session')`.execute(db);
  let left = rows.map((row) => row.table_name);
  // Tables refer to each other: what can't go yet goes in a later round.
  for (let round = 0; left.length > 0 && round < rows.length; round++) {
    const blocked: string[] = [];
    for (const table of left) {
      await sql`DELETE FROM ${sql.table(table)} WHERE instance_id = ${instanceId}`
        .execute(db)
        .catch(() => blocked.push(table));
    }
    left = blocked;
  }
  if (left.length > 0) throw new Error(`rows of an instance could not be deleted from: ${left.join(", ")}`);
}

export async function dropInstanceSchema(dataDb: Db, schema: string): Promise<void> {
  await sql`DROP SCHEMA IF EXISTS ${sql.id(schema)} CASCADE`.execute(dataDb);
}
