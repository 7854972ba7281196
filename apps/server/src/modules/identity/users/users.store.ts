/** People of an organisation. */
import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

export interface UserFacts {
  id: string;
  organisation_id: string;
  email: string;
  first_name: string;
  last_name: string;
  photo: string | null;
  time_zone: string;
  status: "PENDING" | "ACTIVE" | "INACTIVE";
  password_expired: boolean;
  org_admin: boolean;
  super_admin: boolean;
  ghost_user: boolean;
  created_at: string;
  last_seen_at: string | null;
}

type Tables = {
  app_user: {
    id: string;
    organisation_id: string | null;
    email: string;
    first_name: string;
    last_name: string;
    photo: string | null;
    time_zone: string;
    status: UserFacts["status"];
    org_admin: boolean;
    super_admin: boolean;
    ghost_user: boolean;
    password_hash: string | null;
    password_changed_at: Date | null;
    preferences: string;
    created_at: Date | string;
    updated_at: Date | string;
  };
};

const COLUMNS = sql`u.id, u.organisation_id, u.email, u.first_name, u.last_name, u.photo, u.time_zone, u.status,
  u.password_expired, u.org_admin, u.super_admin, u.ghost_user, u.created_at,
  (SELECT max(s.last_seen_at) FROM session s WHERE s.user_id = u.id) AS last_seen_at`;

/** `instanceIds` null: everybody; else those who hold a role in one of them. */
export async function listUsers(
  db: Db,
  where: { organisationId: string; instanceIds: readonly string[] | null; search: string },
): Promise<UserFacts[]> {
  const text = `%${where.search.replace(/[\\%_]/g, "\\$&")}%`;
  const { rows } = await sql<UserFacts>`
    SELECT ${COLUMNS}
      FROM app_user u
     WHERE u.organisation_id = ${where.organisationId}
       AND (${where.instanceIds}::text[] IS NULL
            OR EXISTS (SELECT 1 FROM user_role r WHERE r.user_id = u.id AND r.instance_id = ANY(${where.instanceIds}::text[])))
       AND (concat(u.first_name, ' ', u.last_name) ILIKE ${text} OR u.email ILIKE ${text})
     ORDER BY lower(u.last_name), lower(u.first_name), u.id`.execute(db);
  return rows;
}

export async function findUser(db: Db, organisationId: string, id: string): Promise<UserFacts | undefined> {
  const { rows } = await sql<UserFacts>`
    SELECT ${COLUMNS} FROM app_user u WHERE u.organisation_id = ${organisationId} AND u.id = ${id}`.execute(db);
  return rows[0];
}

/** Whether somebody with this address is in the organisation. `instanceIds` null: anybody; else with a role in one of them. */
export async function hasUser(
  db: Db,
  where: { organisationId: string; instanceIds: readonly string[] | null; email: string },
): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM app_user u
     WHERE u.organisation_id = ${where.organisationId} AND u.email = ${where.email}
       AND (${where.instanceIds}::text[] IS NULL
            OR EXISTS (SELECT 1 FROM user_role r WHERE r.user_id = u.id AND r.instance_id = ANY(${where.instanceIds}::text[])))
     LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** One change of people at a time in an organisation: "the last administrator" must not be decided twice at once. */
export async function lockOrganisation(db: Db, organisationId: string): Promise<void> {
  await sql`SELECT id FROM organisation WHERE id = ${organisationId} FOR UPDATE`.execute(db);
}

export async function countActiveOrgAdmins(db: Db, organisationId: string, except: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM app_user
     WHERE organisation_id = ${organisationId} AND org_admin AND status = 'ACTIVE' AND id <> ${except}`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

export type NewUser = Omit<Tables["app_user"], "photo" | "time_zone" | "preferences" | "ghost_user">;

export async function insertUser(db: Db, user: NewUser): Promise<void> {
  await db
    .withTables<Tables>()
    .insertInto("app_user")
    .values({ ...user, photo: null, time_zone: "UTC", ghost_user: false, preferences: "{}" })
    .execute();
}

export type UserChanges = Partial<
  Pick<
    Tables["app_user"],
    "first_name" | "last_name" | "photo" | "time_zone" | "status" | "org_admin" | "ghost_user" | "organisation_id"
  >
>;

export async function updateUser(db: Db, id: string, changes: UserChanges, now: Date): Promise<void> {
  await db
    .withTables<Tables>()
    .updateTable("app_user")
    .set({ ...changes, updated_at: now })
    .where("id", "=", id)
    .execute();
}

export async function deleteUser(db: Db, id: string): Promise<void> {
  await db.withTables<Tables>().deleteFrom("app_user").where("id", "=", id).execute();
}

export async function findOrganisation(db: Db, id: string): Promise<{ name: string; logo: string | null } | undefined> {
  const { rows } = await sql<{ name: string; logo: string | null }>`
    SELECT name, logo FROM organisation WHERE id = ${id}`.execute(db);
  return rows[0];
}
