/** Own roles of organisations, and who holds which role where. */
import type { Id } from "@accord/contracts";
import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";
import type { Holdings } from "./effective.ts";

export type CustomRoleRow = {
  id: string;
  organisation_id: string;
  name: string;
  description: string;
  permissions: string[];
  created_at: Date | string;
  updated_at: Date | string;
  version: number;
};

type UserRoleRow = { user_id: string; instance_id: string; role: string };
type Tables = { custom_role: CustomRoleRow; user_role: UserRoleRow };

export function listCustomRoles(db: Db, organisationId: string): Promise<CustomRoleRow[]> {
  return db
    .withTables<Tables>()
    .selectFrom("custom_role")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .orderBy("name")
    .execute();
}

export function findCustomRole(db: Db, organisationId: string, id: string): Promise<CustomRoleRow | undefined> {
  return db
    .withTables<Tables>()
    .selectFrom("custom_role")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .executeTakeFirst();
}

export async function insertCustomRole(db: Db, row: CustomRoleRow): Promise<void> {
  await db.withTables<Tables>().insertInto("custom_role").values(row).execute();
}

/** undefined when the version is no longer the stored one. */
export function updateCustomRole(
  db: Db,
  at: { organisationId: string; id: string; version: number },
  changes: Pick<CustomRoleRow, "name" | "description" | "permissions" | "updated_at">,
): Promise<CustomRoleRow | undefined> {
  return db
    .withTables<Tables>()
    .updateTable("custom_role")
    .set({ ...changes, version: at.version + 1 })
    .where("organisation_id", "=", at.organisationId)
    .where("id", "=", at.id)
    .where("version", "=", at.version)
    .returningAll()
    .executeTakeFirst();
}

export async function deleteCustomRole(db: Db, organisationId: string, id: string): Promise<void> {
  await db
    .withTables<Tables>()
    .deleteFrom("custom_role")
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .execute();
}

/** How many people of the organisation hold each role; that of an administrator is held without any instance. */
export async function countHolders(db: Db, organisationId: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ role: string; users: number }>`
    SELECT held.role, count(DISTINCT held.user_id) AS users
      FROM (SELECT r.role, r.user_id FROM user_role r JOIN instance i ON i.id = r.instance_id
             WHERE i.organisation_id = ${organisationId}
            UNION ALL
            SELECT 'ORG_ADMIN', id FROM app_user WHERE organisation_id = ${organisationId} AND org_admin
            UNION ALL
            SELECT 'SUPER_ADMIN', id FROM app_user WHERE organisation_id = ${organisationId} AND super_admin) held
     GROUP BY held.role`.execute(db);
  return new Map(rows.map((row) => [row.role, Number(row.users)]));
}

/** Instances in which anybody holds the role. */
export async function instancesUsingRole(db: Db, role: string): Promise<string[]> {
  const rows = await db
    .withTables<Tables>()
    .selectFrom("user_role")
    .select("instance_id")
    .distinct()
    .where("role", "=", role)
    .execute();
  return rows.map((row) => row.instance_id);
}

/** Roles by user, then by instance. */
export async function rolesOfUsers(db: Db, userIds: readonly string[]): Promise<Map<string, Record<string, string[]>>> {
  const byUser = new Map<string, Record<string, string[]>>();
  if (userIds.length === 0) return byUser;
  const rows = await db
    .withTables<Tables>()
    .selectFrom("user_role")
    .selectAll()
    .where("user_id", "in", userIds)
    .orderBy("instance_id")
    .orderBy("role")
    .execute();
  for (const { user_id, instance_id, role } of rows) {
    const ofUser = byUser.get(user_id) ?? {};
    (ofUser[instance_id] ??= []).push(role);
    byUser.set(user_id, ofUser);
  }
  return byUser;
}

/** Replaces the roles of a user in one instance. */
export async function setRoles(db: Db, userId: string, instanceId: string, roles: readonly string[]): Promise<void> {
  const tables = db.withTables<Tables>();
  await tables.deleteFrom("user_role").where("user_id", "=", userId).where("instance_id", "=", instanceId).execute();
  const rows = [...new Set(roles)].map((role) => ({ user_id: userId, instance_id: instanceId, role }));
  if (rows.length > 0) await tables.insertInto("user_role").values(rows).execute();
}

export async function deleteRolesOf(db: Db, userId: string): Promise<void> {
  await db.withTables<Tables>().deleteFrom("user_role").where("user_id", "=", userId).execute();
}

/** Everything that gives a user rights in an instance of their organisation; undefined when either is not there. */
export async function findHoldings(db: Db, userId: string, instanceId: string): Promise<Holdings | undefined> {
  const { rows } = await sql<{ org_admin: boolean; super_admin: boolean; roles: string[]; custom: string[] }>`
    SELECT u.org_admin, u.super_admin,
           ARRAY(SELECT r.role FROM user_role r WHERE r.user_id = u.id AND r.instance_id = i.id) AS roles,
           ARRAY(SELECT DISTINCT unnest(c.permissions) FROM user_role r JOIN custom_role c ON c.id = r.role
                  WHERE r.user_id = u.id AND r.instance_id = i.id AND c.organisation_id = u.organisation_id) AS custom
      FROM app_user u JOIN instance i ON i.organisation_id = u.organisation_id
     WHERE u.id = ${userId} AND i.id = ${instanceId}`.execute(db);
  const row = rows[0];
  if (!row) return undefined;
  return { roles: row.roles, customPermissions: row.custom, orgAdmin: row.org_admin, superAdmin: row.super_admin };
}

/** Somebody who works in an instance, or administers its organisation, with what gives them rights there. */
export interface PersonIn {
  id: Id<"user">;
  organisationId: Id<"organisation">;
  email: string;
  firstName: string;
  lastName: string;
  holdings: Holdings;
}

/** By name. Deactivated people are not among them; `ids` undefined: everybody, at most `limit`. */
export async function findPeople(
  db: Db,
  instanceId: string,
  { ids, limit }: { ids?: readonly string[]; limit: number },
): Promise<PersonIn[]> {
  const isOneOf = ids === undefined ? sql`true` : sql`u.id = ANY(${ids}::text[])`;
  const { rows } = await sql<{
    id: Id<"user">;
    organisation_id: Id<"organisation">;
    email: string;
    first_name: string;
    last_name: string;
    org_admin: boolean;
    super_admin: boolean;
    roles: string[];
    custom: string[];
  }>`
    SELECT u.id, u.organisation_id, u.email, u.first_name, u.last_name, u.org_admin, u.super_admin, held.roles,
           ARRAY(SELECT DISTINCT unnest(c.permissions) FROM custom_role c
                  WHERE c.id = ANY(held.roles) AND c.organisation_id = u.organisation_id) AS custom
      FROM app_user u JOIN instance i ON i.organisation_id = u.organisation_id
     CROSS JOIN LATERAL (SELECT ARRAY(SELECT r.role FROM user_role r
                                       WHERE r.user_id = u.id AND r.instance_id = i.id) AS roles) held
     WHERE i.id = ${instanceId} AND u.status <> 'INACTIVE' AND ${isOneOf}
       AND (u.org_admin OR u.super_admin OR cardinality(held.roles) > 0)
     ORDER BY lower(u.last_name), lower(u.first_name), u.id LIMIT ${limit}`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    organisationId: row.organisation_id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    holdings: {
      roles: row.roles,
      customPermissions: row.custom,
      orgAdmin: row.org_admin,
      superAdmin: row.super_admin,
    },
  }));
}
