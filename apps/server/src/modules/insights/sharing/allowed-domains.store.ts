/** Domains that dashboards of an instance may be shared with, and who has access now. */
import type { AllowedDomain, DomainInUse, SharedItem } from "@accord/contracts/insights/allowed-domains";
import type { Id } from "@accord/contracts";
import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

type At = Id<"instance">;
type Tables = {
  allowed_domain: { instance_id: string; domain: string; created_by: string; created_at: string };
};
const tables = (db: Db) => db.withTables<Tables>();

/**
 * Until the end of the transaction the list stays as it is: invitations hold it together (`read`), a change holds it
 * alone. There need not be a row that could be locked: an empty list has none.
 */
export async function lockList(db: Db, at: At, use: "read" | "change"): Promise<void> {
  const key = sql`hashtextextended(${`allowed domains ${at}`}, 0)`;
  await (
    use === "read" ? sql`SELECT pg_advisory_xact_lock_shared(${key})` : sql`SELECT pg_advisory_xact_lock(${key})`
  ).execute(db);
}

export async function readDomains(db: Db, at: At): Promise<AllowedDomain[]> {
  const rows = await tables(db)
    .selectFrom("allowed_domain")
    .selectAll()
    .where("instance_id", "=", at)
    .orderBy("domain")
    .execute();
  return rows.map((row) => ({ domain: row.domain, createdBy: row.created_by, createdAt: row.created_at }));
}

/** Those that are there already stay as they are. */
export async function insertDomains(
  db: Db,
  at: At,
  { domains, by, now }: { domains: readonly string[]; by: string; now: string },
): Promise<string[]> {
  const rows = await tables(db)
    .insertInto("allowed_domain")
    .values(domains.map((domain) => ({ instance_id: at, domain, created_by: by, created_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .returning("domain")
    .execute();
  return rows.map(({ domain }) => domain);
}

/** Whether it was on the list. */
export async function deleteDomain(db: Db, at: At, domain: string): Promise<boolean> {
  const { numDeletedRows } = await tables(db)
    .deleteFrom("allowed_domain")
    .where("instance_id", "=", at)
    .where("domain", "=", domain)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** What can be opened now: a share that has not ended, of a published dashboard. An empty list allows every domain. */
const itemsSql = (at: At, now: string) => sql`(
  SELECT share.id, share.email, share.dashboard_id, share.expires_at, dashboard.display_name, address.domain,
         (NOT EXISTS (SELECT FROM allowed_domain WHERE instance_id = ${at})
          OR EXISTS (SELECT FROM allowed_domain WHERE instance_id = ${at} AND domain = address.domain)) AS is_allowed
    FROM share
    JOIN dashboard ON dashboard.id = share.dashboard_id AND dashboard.instance_id = share.instance_id
   CROSS JOIN LATERAL (SELECT split_part(share.email, '@', 2) COLLATE "C" AS domain) AS address
   WHERE share.instance_id = ${at} AND dashboard.draft_status = 'APPROVED'
     AND (share.expires_at IS NULL OR share.expires_at > ${now}::timestamptz)
)`;

/** Those with most people first; `total` counts the domains behind the limit as well. */
export async function readDomainsInUse(
  db: Db,
  at: At,
  { now, limit }: { now: string; limit: number },
): Promise<{ domains: DomainInUse[]; total: number; peopleOutside: number }> {
  const { rows } = await sql<{
    domain: string;
    people: number;
    is_allowed: boolean;
    total: number;
    outside: number;
  }>`WITH used AS (
       SELECT domain, is_allowed, count(DISTINCT email)::int AS people
         FROM ${itemsSql(at, now)} AS item GROUP BY domain, is_allowed)
     SELECT domain, people, is_allowed, (count(*) OVER ())::int AS total,
            coalesce(sum(people) FILTER (WHERE NOT is_allowed) OVER (), 0)::int AS outside
       FROM used ORDER BY people DESC, domain LIMIT ${limit}`.execute(db);
  return {
    domains: rows.map(({ domain, people, is_allowed }) => ({ domain, people, isAllowed: is_allowed })),
    total: rows[0]?.total ?? 0,
    peopleOutside: rows[0]?.outside ?? 0,
  };
}

export interface ItemPage {
  domain?: string | undefined;
  outside: boolean;
  from: { email: string; id: string } | null;
  count: number;
  now: string;
}

const which = ({ domain, outside }: Pick<ItemPage, "domain" | "outside">) =>
  sql`(${domain ?? null}::text IS NULL OR domain = ${domain ?? null}) AND (NOT ${outside}::boolean OR NOT is_allowed)`;

export async function readItems(db: Db, at: At, page: ItemPage): Promise<SharedItem[]> {
  const { from } = page;
  const { rows } = await sql<{
    id: Id<"share">;
    email: string;
    dashboard_id: Id<"dashboard">;
    display_name: string;
    expires_at: string | null;
    is_allowed: boolean;
  }>`SELECT id, email, dashboard_id, display_name, expires_at, is_allowed FROM ${itemsSql(at, page.now)} AS item
      WHERE ${which(page)} AND ${from ? sql`(email, id) > (${from.email}, ${from.id})` : sql`true`}
      ORDER BY email, id LIMIT ${page.count}`.execute(db);
  return rows.map((row) => ({
    sharedItemId: row.id,
    email: row.email,
    dashboardId: row.dashboard_id,
    dashboardName: row.display_name,
    expiryDate: row.expires_at,
    isAllowed: row.is_allowed,
  }));
}

export async function countPeople(db: Db, at: At, page: Pick<ItemPage, "domain" | "outside" | "now">): Promise<number> {
  const { rows } = await sql<{ people: number }>`SELECT count(DISTINCT email)::int AS people
    FROM ${itemsSql(at, page.now)} AS item WHERE ${which(page)}`.execute(db);
  return rows[0]?.people ?? 0;
}
