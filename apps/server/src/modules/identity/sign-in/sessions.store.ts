/** Sessions and the one-time links that lead to one. */
import { CompiledQuery } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

type SessionRow = {
  id: string;
  token_hash: string;
  user_id: string;
  instance_id: string | null;
  purpose: "full" | "passwordChange";
  address: string;
  user_agent: string;
  created_at: Date | string;
  last_seen_at: Date | string;
};

type LinkRow = {
  token_hash: string;
  kind: LinkKind;
  user_id: string;
  created_at: Date | string;
  expires_at: Date | string;
  used_at: Date | string | null;
};

type Tables = { session: SessionRow; one_time_token: LinkRow };

export type LinkKind = "invitation" | "passwordReset";

export interface SessionFacts {
  session_id: string;
  purpose: "full" | "passwordChange";
  created_at: string;
  last_seen_at: string;
  user_id: string;
  email: string;
  first_name: string;
  last_name: string;
  status: string;
  org_admin: boolean;
  super_admin: boolean;
  organisation_id: string;
  /** null also when the instance is no longer active. */
  instance_id: string | null;
  schema_version: number | null;
  roles: string[];
  custom_permissions: string[];
}

const FIND_SESSION = `
  SELECT s.id AS session_id, s.purpose, s.created_at, s.last_seen_at,
         u.id AS user_id, u.email, u.first_name, u.last_name, u.status, u.org_admin, u.super_admin, u.organisation_id,
         i.id AS instance_id, i.schema_version,
         ARRAY(SELECT r.role FROM user_role r WHERE r.user_id = u.id AND r.instance_id = i.id) AS roles,
         ARRAY(SELECT DISTINCT unnest(c.permissions) FROM user_role r JOIN custom_role c ON c.id = r.role
                WHERE r.user_id = u.id AND r.instance_id = i.id AND c.organisation_id = u.organisation_id)
           AS custom_permissions
    FROM session s
    JOIN app_user u ON u.id = s.user_id AND u.organisation_id IS NOT NULL
    LEFT JOIN instance i ON i.id = s.instance_id AND i.organisation_id = u.organisation_id AND i.status = 'ACTIVE'
   WHERE s.token_hash = $1`;

/** The session with everything that decides about rights, read anew for each request: the text is ready beforehand. */
export async function findSession(db: Db, tokenHash: string): Promise<SessionFacts | undefined> {
  const { rows } = await db.executeQuery<SessionFacts>(CompiledQuery.raw(FIND_SESSION, [tokenHash]));
  return rows[0];
}

export async function insertSession(db: Db, row: SessionRow): Promise<void> {
  await db.withTables<Tables>().insertInto("session").values(row).execute();
}

export async function touchSession(db: Db, id: string, now: Date): Promise<void> {
  await db.withTables<Tables>().updateTable("session").set({ last_seen_at: now }).where("id", "=", id).execute();
}

/** Where a session works, and as which of the person's accounts. */
export async function setSessionPlace(
  db: Db,
  id: string,
  { userId, instanceId }: { userId: string; instanceId: string },
): Promise<void> {
  const place = { user_id: userId, instance_id: instanceId };
  await db.withTables<Tables>().updateTable("session").set(place).where("id", "=", id).execute();
}

export async function deleteSession(db: Db, id: string): Promise<void> {
  await db.withTables<Tables>().deleteFrom("session").where("id", "=", id).execute();
}

export async function deleteSessionByToken(db: Db, tokenHash: string): Promise<void> {
  await db.withTables<Tables>().deleteFrom("session").where("token_hash", "=", tokenHash).execute();
}

/** Ends all sessions of a user but, when given, one. */
export async function deleteSessionsOf(db: Db, userId: string, except?: string): Promise<void> {
  let query = db.withTables<Tables>().deleteFrom("session").where("user_id", "=", userId);
  if (except) query = query.where("id", "<>", except);
  await query.execute();
}

export async function deleteEndedSessions(db: Db, seenBefore: Date, createdBefore: Date): Promise<void> {
  await db
    .withTables<Tables>()
    .deleteFrom("session")
    .where(({ or, eb }) => or([eb("last_seen_at", "<", seenBefore), eb("created_at", "<", createdBefore)]))
    .execute();
}

export async function insertLink(db: Db, row: Omit<LinkRow, "used_at">): Promise<void> {
  await db
    .withTables<Tables>()
    .insertInto("one_time_token")
    .values({ ...row, used_at: null })
    .execute();
}

/** Whose link it is, without using it up. */
export async function findLink(db: Db, kind: LinkKind, tokenHash: string, now: Date): Promise<string | undefined> {
  const link = await db
    .withTables<Tables>()
    .selectFrom("one_time_token")
    .select("user_id")
    .where("token_hash", "=", tokenHash)
    .where("kind", "=", kind)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return link?.user_id;
}

/** Uses a link up. Of many that try at once, one gets the user; the others nothing. */
export async function takeLink(db: Db, kind: LinkKind, tokenHash: string, now: Date): Promise<string | undefined> {
  const taken = await db
    .withTables<Tables>()
    .updateTable("one_time_token")
    .set({ used_at: now })
    .where("token_hash", "=", tokenHash)
    .where("kind", "=", kind)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .returning("user_id")
    .executeTakeFirst();
  return taken?.user_id;
}

/** Ends the links of a kind that a user still has. */
export async function endLinks(db: Db, kind: LinkKind, userId: string, now: Date): Promise<void> {
  await db
    .withTables<Tables>()
    .updateTable("one_time_token")
    .set({ used_at: now })
    .where("user_id", "=", userId)
    .where("kind", "=", kind)
    .where("used_at", "is", null)
    .execute();
}

export async function deleteOldLinks(db: Db, before: Date): Promise<void> {
  await db.withTables<Tables>().deleteFrom("one_time_token").where("expires_at", "<", before).execute();
}
