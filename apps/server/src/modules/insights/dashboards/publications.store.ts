/** Publications: the cards and datasets of each published dashboard as they were when it was published. */
import { type Id, id } from "@accord/contracts";
import { CardConfiguration } from "@accord/contracts/insights/cards";
import { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import { sql } from "kysely";
import { z } from "zod";
import type { Db } from "../../../platform/db/db.ts";
import type { Written } from "./dashboards.store.ts";

type PublicationTable = {
  instance_id: string;
  dashboard_id: string;
  cards: unknown;
  datasets: unknown;
  published_by: string;
  published_at: string;
};
type Tables = { dashboard_publication: PublicationTable; dashboard: { id: string; display_name: string } };

type InstanceId = Id<"instance">;

export const PublishedCard = z.strictObject({
  id: id("dataCard"),
  displayName: z.string(),
  description: z.string(),
  version: z.int(),
  configuration: CardConfiguration,
});
export type PublishedCard = z.output<typeof PublishedCard>;

export const PublishedDataset = z.strictObject({
  id: id("dataset"),
  name: z.string(),
  displayName: z.string(),
  version: z.int(),
  config: DatasetConfig,
});
export type PublishedDataset = z.output<typeof PublishedDataset>;

/** All that drawing a published dashboard takes, beside the unified model and its records. */
export interface Publication {
  cards: PublishedCard[];
  /** Those the cards stand on, and those below them. */
  datasets: PublishedDataset[];
}

const Cards = z.array(PublishedCard);
const Datasets = z.array(PublishedDataset);
const tables = (db: Db) => db.withTables<Tables>();

export async function writePublication(
  db: Db,
  instanceId: InstanceId,
  dashboardId: string,
  { cards, datasets, by, now }: Publication & Written,
): Promise<void> {
  const content = {
    cards: JSON.stringify(cards),
    datasets: JSON.stringify(datasets),
    published_by: by,
    published_at: now,
  };
  await tables(db)
    .insertInto("dashboard_publication")
    .values({ instance_id: instanceId, dashboard_id: dashboardId, ...content })
    .onConflict((conflict) =>
      conflict.column("dashboard_id").doUpdateSet(content).where("dashboard_publication.instance_id", "=", instanceId),
    )
    .execute();
}

export async function readPublication(
  db: Db,
  instanceId: InstanceId,
  dashboardId: string,
): Promise<Publication | null> {
  const row = await tables(db)
    .selectFrom("dashboard_publication")
    .select(["cards", "datasets"])
    .where("instance_id", "=", instanceId)
    .where("dashboard_id", "=", dashboardId)
    .executeTakeFirst();
  return row ? { cards: Cards.parse(row.cards), datasets: Datasets.parse(row.datasets) } : null;
}

/** Type of each published card, by dashboard: what the list's small pictures show. */
export async function readPublishedTypes(db: Db, instanceId: InstanceId): Promise<Map<string, Map<string, string>>> {
  const rows = await tables(db)
    .selectFrom("dashboard_publication")
    .select([
      "dashboard_id",
      sql<Record<string, string>>`(
        SELECT coalesce(jsonb_object_agg(card ->> 'id', card -> 'configuration' ->> 'vizType'), '{}')
          FROM jsonb_array_elements(cards) AS card)`.as("types"),
    ])
    .where("instance_id", "=", instanceId)
    .execute();
  return new Map(rows.map((row) => [row.dashboard_id, new Map(Object.entries(row.types))]));
}

/** A card or dataset that publications hold copies of. */
export interface Definition {
  kind: "cards" | "datasets";
  id: string;
}

interface Holder {
  id: string;
  displayName: string;
}

/** The published dashboards whose copy holds a card or a dataset. */
export async function publicationsHolding(
  db: Db,
  instanceId: InstanceId,
  { kind, id: definitionId }: Definition,
): Promise<Holder[]> {
  const wanted = JSON.stringify([{ id: definitionId }]);
  const rows = await tables(db)
    .selectFrom("dashboard_publication")
    .innerJoin("dashboard", "dashboard.id", "dashboard_publication.dashboard_id")
    .select(["dashboard.id", "dashboard.display_name"])
    .where("dashboard_publication.instance_id", "=", instanceId)
    .where(sql<boolean>`${sql.ref(`dashboard_publication.${kind}`)} @> ${wanted}::jsonb`)
    .orderBy(sql`lower(dashboard.display_name)`)
    .orderBy("dashboard.id")
    .execute();
  return rows.map((row) => ({ id: row.id, displayName: row.display_name }));
}

/** What every published dashboard shows, for what looks into the definitions. */
export async function readPublications(db: Db, instanceId: InstanceId): Promise<(Holder & Publication)[]> {
  const rows = await tables(db)
    .selectFrom("dashboard_publication")
    .innerJoin("dashboard", "dashboard.id", "dashboard_publication.dashboard_id")
    .select(["dashboard.id", "dashboard.display_name", "dashboard_publication.cards", "dashboard_publication.datasets"])
    .where("dashboard_publication.instance_id", "=", instanceId)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    displayName: row.display_name,
    cards: Cards.parse(row.cards),
    datasets: Datasets.parse(row.datasets),
  }));
}
