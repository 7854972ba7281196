/** Accounts: how a person signs in. One address may have an account in each of several organisations. */
import type { Id } from "@accord/contracts";
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
  last_entered_at: Date | string | null;
  created_at: Date | string;
  updated_at: Date | string;
};

type Tables = { app_user: AccountRow };

const users = (db: Db) => db.withTables<Tables>();

/** An account that can be entered, and the name of its organisation. */
export type OpenAccount = AccountRow & { organisation_id: Id<"organisation">; organisation_name: string };

const OPEN_ACCOUNTS = sql`SELECT u.*, o.name AS organisation_name
      FROM app_user u JOIN organisation o ON o.id = u.organisation_id`;

/** The accounts of an address that can be entered, the one entered last first. */
export async function findAccountsOf(db: Db, email: string): Promise<OpenAccount[]> {
  const { rows } = await sql<OpenAccount>`
    ${OPEN_ACCOUNTS}
     WHERE u.email = ${email} AND u.status = 'ACTIVE'
     ORDER BY u.last_entered_at DESC NULLS LAST, u.created_at, u.id`.execute(db);
  return rows;
}

/** Accounts and invitations of an address change one at a time, in all organisations. */
export async function lockAddress(db: Db, email: string): Promise<void> {
  await sql`SELECT id FROM app_user WHERE email = ${email} ORDER BY id FOR UPDATE`.execute(db);
}

/**
 * The accounts that were joined to this one: of the same address and, as their hashes are the very same text, opened by
 * a password that was set once for all of them.
 */
export async function findJoinedAccounts(db: Db, id: string): Promise<OpenAccount[]> {
  const { rows } = await sql<OpenAccount>`
    ${OPEN_ACCOUNTS}
      JOIN app_user own ON own.id = ${id} AND own.email = u.email AND own.password_hash = u.password_hash
     WHERE u.id <> own.id AND u.status = 'ACTIVE'
     ORDER BY u.created_at, u.id`.execute(db);
  return rows;
}

export function findAccount(db: Db, id: string): Promise<AccountRow | undefined> {
  return users(db).selectFrom("app_user").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function setPassword(db: Db, ids: readonly string[], passwordHash: string, now: Date): Promise<void> {
  await users(db)
    .updateTable("app_user")
    .set({ password_hash: passwordHash, password_changed_at: now, password_expired: false, updated_at: now })
    .where("id", "in", ids)
    .execute();
}

/** The invited person enters with the password of an account that they have in another organisation. */
export async function joinAccount(db: Db, id: string, { password_hash, password_changed_at }: AccountRow) {
  await users(db).updateTable("app_user").set({ password_hash, password_changed_at }).where("id", "=", id).execute();
}

/** What was promised to an invited person goes to the account they have in the organisation; the invitation is gone. */
export async function mergeInvited(db: Db, invited: AccountRow, accountId: string, now: Date): Promise<void> {
  await sql`
    INSERT INTO user_role (user_id, instance_id, role)
    SELECT ${accountId}, instance_id, role FROM user_role WHERE user_id = ${invited.id}
    ON CONFLICT DO NOTHING`.execute(db);
  await sql`
    UPDATE app_user SET org_admin = org_admin OR ${invited.org_admin}, ghost_user = ghost_user OR ${invited.ghost_user},
           updated_at = ${now}
     WHERE id = ${accountId}`.execute(db);
  await users(db).deleteFrom("app_user").where("id", "=", invited.id).execute();
}

export async function noteEntered(db: Db, id: string, now: Date): Promise<void> {
  await users(db).updateTable("app_user").set({ last_entered_at: now }).where("id", "=", id).execute();
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
