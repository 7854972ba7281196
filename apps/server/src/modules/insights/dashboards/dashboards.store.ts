/** Dashboards: published ones, their drafts, and where each person was last. */
import type { Id } from "@accord/contracts";
import { type Dashboard, DashboardCard, DashboardVariable } from "@accord/contracts/insights/dashboards";
import { type SelectQueryBuilder, sql } from "kysely";
import { z } from "zod";
import type { Db } from "../../../platform/db/db.ts";

type DashboardTable = {
  instance_id: string;
  id: string;
  parent_id: string | null;
  draft_status: "NEW" | "APPROVED";
  name: string;
  display_name: string;
  description: string;
  tags: string[];
  cards: unknown;
  variables: unknown;
  seeded: boolean;
  is_example: boolean;
  version: number;
  created_by: string;
  updated_by: string;
  updated_at: string;
};
type Tables = {
  dashboard: DashboardTable;
  dashboard_visit: { user_id: string; instance_id: string; dashboard_id: string };
};

type At = Id<"instance">;
type DashboardId = Id<"dashboard">;

const tables = (db: Db) => db.withTables<Tables>();
const Cards = z.array(DashboardCard);
const Variables = z.array(DashboardVariable);

/** `updatedBy` beside what the contract shows. */
export type StoredDashboard = Omit<Dashboard, "id"> & { id: DashboardId; updatedBy: string };

const toDashboard = (row: DashboardTable & { draft: string | null }): StoredDashboard => ({
  id: row.id as DashboardId,
  displayName: row.display_name,
  name: row.name,
  description: row.description,
  tags: row.tags,
  dataCards: Cards.parse(row.cards),
  variables: Variables.parse(row.variables),
  draftStatus: row.draft_status,
  draft: row.draft,
  parentId: row.parent_id,
  seeded: row.seeded,
  isExample: row.is_example,
  version: row.version,
  createdBy: row.created_by,
  updatedAt: row.updated_at,
  updatedBy: row.updated_by,
});

const select = (db: Db, at: At): SelectQueryBuilder<Tables, "dashboard", DashboardTable & { draft: string | null }> =>
  tables(db)
    .selectFrom("dashboard")
    .selectAll("dashboard")
    .select(
      sql<string | null>`(SELECT draft.id FROM dashboard AS draft WHERE draft.parent_id = dashboard.id)`.as("draft"),
    )
    .where("instance_id", "=", at);

export const readDashboards = async (db: Db, at: At): Promise<StoredDashboard[]> =>
  (
    await select(db, at)
      .orderBy(sql`lower(display_name)`)
      .orderBy("id")
      .execute()
  ).map(toDashboard);

export async function readDashboard(db: Db, at: At, id: string): Promise<StoredDashboard | null> {
  const row = await select(db, at).where("id", "=", id).executeTakeFirst();
  return row ? toDashboard(row) : null;
}

/** Everything a person may write on a dashboard. */
export type DashboardContent = Pick<Dashboard, "displayName" | "description" | "tags" | "dataCards" | "variables">;
export interface Written {
  by: string;
  now: string;
}

const content = ({ displayName, description, tags, dataCards, variables, by, now }: DashboardContent & Written) => ({
  display_name: displayName,
  description,
  tags,
  cards: JSON.stringify(dataCards),
  variables: JSON.stringify(variables),
  updated_by: by,
  updated_at: now,
});

export type NewDashboard = DashboardContent &
  Written & {
    id: DashboardId;
    name: string;
    parentId: string | null;
    draftStatus: "NEW" | "APPROVED";
    seeded?: boolean;
  };

/** False when the name is taken, or the parent has a draft already. */
export async function insertDashboard(db: Db, at: At, dashboard: NewDashboard): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tables(db)
    .insertInto("dashboard")
    .values({
      instance_id: at,
      id: dashboard.id,
      parent_id: dashboard.parentId,
      draft_status: dashboard.draftStatus,
      name: dashboard.name,
      ...content(dashboard),
      seeded: dashboard.seeded ?? false,
      is_example: dashboard.seeded ?? false,
      version: 1,
      created_by: dashboard.by,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** False when the version is not the stored one. */
export async function updateDashboard(
  db: Db,
  at: At,
  id: string,
  version: number,
  dashboard: DashboardContent & Written,
): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable("dashboard")
    .set({ ...content(dashboard), version: version + 1 })
    .where("instance_id", "=", at)
    .where("id", "=", id)
    .where("version", "=", version)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function approveDashboard(db: Db, at: At, id: string, { by, now }: Written): Promise<void> {
  await tables(db)
    .updateTable("dashboard")
    .set(({ eb }) => ({ draft_status: "APPROVED", version: eb("version", "+", 1), updated_by: by, updated_at: now }))
    .where("instance_id", "=", at)
    .where("id", "=", id)
    .execute();
}

/** A draft left behind by its parent becomes one that was never published. */
export async function deleteDashboard(db: Db, at: At, id: string): Promise<void> {
  await tables(db).deleteFrom("dashboard").where("instance_id", "=", at).where("id", "=", id).execute();
}

export async function readLastVisited(db: Db, at: At, userId: string): Promise<string | null> {
  const row = await tables(db)
    .selectFrom("dashboard_visit")
    .select("dashboard_id")
    .where("instance_id", "=", at)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.dashboard_id ?? null;
}

export async function writeLastVisited(db: Db, at: At, userId: string, dashboardId: string): Promise<void> {
  await tables(db)
    .insertInto("dashboard_visit")
    .values({ instance_id: at, user_id: userId, dashboard_id: dashboardId })
    .onConflict((conflict) => conflict.columns(["user_id", "instance_id"]).doUpdateSet({ dashboard_id: dashboardId }))
    .execute();
}
