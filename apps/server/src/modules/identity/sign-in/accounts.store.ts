/** Accounts: how a person signs in. */
import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

export type AccountRow = {
  id: string;
  organisation_id: string | null;
  email: string;
  first_name: string;
  last_name: string;
  photo: string | null;
  time_zone: string;
  status: "PENDING" | "ACTIVE" | "INACTIVE";
  password_hash: string | null;
  password_changed_at: Date | string | null;
  password_expired: boolean;
  org_admin: boolean;
  super_admin: boolean;
  ghost_user: boolean;
  last_instance_id: string | null;
  created_at: Date | string;
  updated_at: Date | string;
};

type Tables = { app_user: AccountRow };

const users = (db: Db) => db.withTables<Tables>();

export function findByEmail(db: Db, email: string): Promise<AccountRow | undefined> {
  return users(db).selectFrom("app_user").selectAll().where("email", "=", email).executeTakeFirst();
}

export function findAccount(db: Db, id: string): Promise<AccountRow | undefined> {
  return users(db).selectFrom("app_user").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Also makes an invited person active. */
export async function setPassword(db: Db, id: string, passwordHash: string, now: Date): Promise<void> {
  await users(db)
    .updateTable("app_user")
    .set({ password_hash: passwordHash, password_changed_at: now, password_expired: false, updated_at: now })
    .where("id", "=", id)
    .execute();
}

export async function activateInvited(db: Db, id: string, now: Date): Promise<void> {
  await users(db)
    .updateTable("app_user")
    .set({ status: "ACTIVE", updated_at: now })
    .where("id", "=", id)
    .where("status", "=", "PENDING")
    .execute();
}

/** Days after which passwords of the person's organisation expire; null: never. */
export async function passwordExpiryDays(db: Db, organisationId: string): Promise<number | null> {
  const { rows } = await sql<{ days: number | null }>`
    SELECT password_expiry_days AS days FROM organisation WHERE id = ${organisationId}`.execute(db);
  return rows[0]?.days ?? null;
}

/** The instance to start in: the last one if they still may, else the first of theirs. */
export async function startingInstance(db: Db, userId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    SELECT i.id
      FROM app_user u
      JOIN instance i ON i.organisation_id = u.organisation_id AND i.status = 'ACTIVE'
     WHERE u.id = ${userId}
       AND (u.org_admin OR u.super_admin
            OR EXISTS (SELECT 1 FROM user_role r WHERE r.user_id = u.id AND r.instance_id = i.id))
     ORDER BY (i.id = u.last_instance_id) IS TRUE DESC, i.created_at, i.id
     LIMIT 1`.execute(db);
  return rows[0]?.id ?? null;
}
