/** Shares of dashboards, mailed codes and the sessions of the people they are shared with. */
import type { Id } from "@accord/contracts";
import { type SelectQueryBuilder, sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

type ShareTable = {
  instance_id: string;
  id: string;
  dashboard_id: string;
  email: string;
  password_hash: string | null;
  expires_at: string | null;
  shared_by: string;
  shared_at: string;
  last_viewed_at: string | null;
};
type Tables = {
  share: ShareTable;
  share_session: { token_hash: string; instance_id: string; email: string; expires_at: string };
  share_session_item: { token_hash: string; share_id: string };
  share_code: { share_id: string; code_hash: string; expires_at: string };
  dashboard: { id: string; instance_id: string; draft_status: string; display_name: string };
  instance: { id: string; organisation_id: string };
};

type At = Id<"instance">;
const tables = (db: Db) => db.withTables<Tables>();

export interface StoredShare {
  id: Id<"share">;
  instanceId: At;
  dashboardId: Id<"dashboard">;
  email: string;
  passwordHash: string | null;
  expiresAt: string | null;
  sharedBy: string;
  sharedAt: string;
  lastViewedAt: string | null;
}

const toShare = (row: ShareTable): StoredShare => ({
  id: row.id as Id<"share">,
  instanceId: row.instance_id as At,
  dashboardId: row.dashboard_id as Id<"dashboard">,
  email: row.email,
  passwordHash: row.password_hash,
  expiresAt: row.expires_at,
  sharedBy: row.shared_by,
  sharedAt: row.shared_at,
  lastViewedAt: row.last_viewed_at,
});

/** Puts a share in place; sharing again with the same person replaces secret and expiry and ends open views. */
export async function upsertShare(db: Db, share: Omit<StoredShare, "lastViewedAt">): Promise<void> {
  const row = {
    password_hash: share.passwordHash,
    expires_at: share.expiresAt,
    shared_by: share.sharedBy,
    shared_at: share.sharedAt,
  };
  const { id } = await tables(db)
    .insertInto("share")
    .values({
      ...row,
      instance_id: share.instanceId,
      id: share.id,
      dashboard_id: share.dashboardId,
      email: share.email,
      last_viewed_at: null,
    })
    .onConflict((conflict) => conflict.columns(["dashboard_id", "email"]).doUpdateSet({ ...row, last_viewed_at: null }))
    .returning("id")
    .executeTakeFirstOrThrow();
  await tables(db).deleteFrom("share_session_item").where("share_id", "=", id).execute();
  await tables(db).deleteFrom("share_code").where("share_id", "=", id).execute();
}

export async function readShare(
  db: Db,
  at: At,
  dashboardId: string,
  id: string,
  options: { lock?: boolean } = {},
): Promise<StoredShare | null> {
  let query = tables(db)
    .selectFrom("share")
    .selectAll()
    .where("instance_id", "=", at)
    .where("dashboard_id", "=", dashboardId)
    .where("id", "=", id);
  if (options.lock) query = query.forUpdate();
  const row = await query.executeTakeFirst();
  return row ? toShare(row) : null;
}

/** The share an invitation names; of a published dashboard only. */
export async function findShare(db: Db, dashboardId: string, email: string): Promise<StoredShare | null> {
  const row = await tables(db)
    .selectFrom("share")
    .innerJoin("dashboard", "dashboard.id", "share.dashboard_id")
    .selectAll("share")
    .where("share.dashboard_id", "=", dashboardId)
    .where("share.email", "=", email)
    .where("dashboard.draft_status", "=", "APPROVED")
    .executeTakeFirst();
  return row ? toShare(row) : null;
}

export interface SharePage {
  predicate?: string | undefined;
  from: { sharedAt: string; id: string } | null;
  direction: "next" | "previous";
  count: number;
}

/** Newest first; a previous page comes in the opposite order. */
export async function readShares(db: Db, at: At, dashboardId: string, page: SharePage): Promise<StoredShare[]> {
  const order = page.direction === "next" ? "desc" : "asc";
  let query = ofDashboard(tables(db).selectFrom("share").selectAll(), at, dashboardId, page.predicate);
  if (page.from) {
    const place = sql`(${page.from.sharedAt}::timestamptz, ${page.from.id})`;
    query = query.where(
      page.direction === "next" ? sql<boolean>`(shared_at, id) < ${place}` : sql<boolean>`(shared_at, id) > ${place}`,
    );
  }
  const rows = await query.orderBy("shared_at", order).orderBy("id", order).limit(page.count).execute();
  return rows.map((row) => toShare(row as ShareTable));
}

export async function countShares(db: Db, at: At, dashboardId: string, predicate?: string): Promise<number> {
  const rows = await ofDashboard(
    tables(db)
      .selectFrom("share")
      .select(({ fn }) => fn.countAll<number>().as("shares")),
    at,
    dashboardId,
    predicate,
  ).execute();
  return Number((rows[0] as { shares: number } | undefined)?.shares ?? 0);
}

function ofDashboard<Row>(
  query: SelectQueryBuilder<Tables, "share", Row>,
  at: At,
  dashboardId: string,
  predicate?: string,
) {
  const own = query.where("instance_id", "=", at).where("dashboard_id", "=", dashboardId);
  if (!predicate) return own;
  return own.where("email", "like", `%${predicate.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`);
}

export async function countByDashboard(db: Db, at: At): Promise<Map<string, number>> {
  const rows = await tables(db)
    .selectFrom("share")
    .select(["dashboard_id", ({ fn }) => fn.countAll<number>().as("shares")])
    .where("instance_id", "=", at)
    .groupBy("dashboard_id")
    .execute();
  return new Map(rows.map((row) => [row.dashboard_id, Number(row.shares)]));
}

export async function setExpiry(db: Db, at: At, id: string, expiresAt: string | null): Promise<void> {
  await tables(db)
    .updateTable("share")
    .set({ expires_at: expiresAt })
    .where("instance_id", "=", at)
    .where("id", "=", id)
    .execute();
}

export async function deleteShare(db: Db, at: At, id: string): Promise<void> {
  await tables(db).deleteFrom("share").where("instance_id", "=", at).where("id", "=", id).execute();
}

/** Adds a code; earlier ones of the share stay good until they end. */
export async function insertCode(
  db: Db,
  code: { shareId: string; codeHash: string; expiresAt: string; now: string },
): Promise<void> {
  await tables(db).deleteFrom("share_code").where("expires_at", "<=", code.now).execute();
  await tables(db)
    .insertInto("share_code")
    .values({ share_id: code.shareId, code_hash: code.codeHash, expires_at: code.expiresAt })
    .onConflict((conflict) => conflict.columns(["share_id", "code_hash"]).doUpdateSet({ expires_at: code.expiresAt }))
    .execute();
}

/** Uses a code up: true for the one caller whose code it still was. */
export async function takeCode(
  db: Db,
  { shareId, codeHash, now }: { shareId: string; codeHash: string; now: string },
): Promise<boolean> {
  const { numDeletedRows } = await tables(db)
    .deleteFrom("share_code")
    .where("share_id", "=", shareId)
    .where("code_hash", "=", codeHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function organisationOf(db: Db, at: At): Promise<Id<"organisation">> {
  const row = await tables(db)
    .selectFrom("instance")
    .select("organisation_id")
    .where("id", "=", at)
    .executeTakeFirstOrThrow();
  return row.organisation_id as Id<"organisation">;
}

// Sessions of people outside.

export interface ShareSession {
  tokenHash: string;
  instanceId: At;
  email: string;
}

export async function insertSession(db: Db, session: ShareSession & { expiresAt: string; now: string }): Promise<void> {
  await tables(db).deleteFrom("share_session").where("expires_at", "<", session.now).execute();
  await tables(db)
    .insertInto("share_session")
    .values({
      token_hash: session.tokenHash,
      instance_id: session.instanceId,
      email: session.email,
      expires_at: session.expiresAt,
    })
    .execute();
}

export async function createShareSession(db: Db, tokenHash: string, share: StoredShare, now: string): Promise<void> {
  await tables(db)
    .insertInto("share_session_item")
    .values({ token_hash: tokenHash, share_id: share.id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tables(db).updateTable("share").set({ last_viewed_at: now }).where("id", "=", share.id).execute();
}

export async function findSession(db: Db, tokenHash: string, now: string): Promise<ShareSession | null> {
  const row = await tables(db)
    .selectFrom("share_session")
    .selectAll()
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row ? { tokenHash: row.token_hash, instanceId: row.instance_id as At, email: row.email } : null;
}

/** What a session was let into, of published dashboards. */
export async function sharesOfSession(db: Db, tokenHash: string): Promise<(StoredShare & { displayName: string })[]> {
  const rows = await tables(db)
    .selectFrom("share_session_item")
    .innerJoin("share", "share.id", "share_session_item.share_id")
    .innerJoin("dashboard", "dashboard.id", "share.dashboard_id")
    .selectAll("share")
    .select("dashboard.display_name")
    .where("share_session_item.token_hash", "=", tokenHash)
    .where("dashboard.draft_status", "=", "APPROVED")
    .orderBy("dashboard.display_name")
    .execute();
  return rows.map((row) => ({ ...toShare(row), displayName: row.display_name }));
}

export async function deleteSession(db: Db, tokenHash: string): Promise<void> {
  await tables(db).deleteFrom("share_session").where("token_hash", "=", tokenHash).execute();
}
