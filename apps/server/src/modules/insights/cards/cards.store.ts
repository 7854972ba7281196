/** Saved data cards. */
import type { Id } from "@accord/contracts";
import { CardConfiguration, type DataCard } from "@accord/contracts/insights/cards";
import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

type CardTable = {
  instance_id: string;
  id: string;
  name: string;
  display_name: string;
  description: string;
  tags: string[];
  dataset_id: string;
  configuration: unknown;
  version: number;
  created_by: string;
  updated_by: string;
  updated_at: string;
};
type Tables = { data_card: CardTable };

type At = Id<"instance">;
type CardId = Id<"dataCard">;

const tables = (db: Db) => db.withTables<Tables>();

/** A card as stored; what follows from its dataset's variables is added by the service. */
export type StoredCard = Omit<DataCard, "configurationMeta">;

const toCard = (row: CardTable): StoredCard => {
  const configuration = CardConfiguration.parse(row.configuration);
  return {
    id: row.id as CardId,
    name: row.name,
    displayName: row.display_name,
    description: row.description,
    tags: row.tags,
    vizType: configuration.vizType,
    configuration: configuration.variablesMap,
    contents: { configuration },
    version: row.version,
    updatedAt: row.updated_at,
  };
};

export async function readCards(db: Db, at: At, ids?: readonly string[]): Promise<StoredCard[]> {
  if (ids?.length === 0) return [];
  const all = tables(db)
    .selectFrom("data_card")
    .selectAll()
    .where("instance_id", "=", at)
    .orderBy(sql`lower(display_name)`)
    .orderBy("id");
  const rows = await (ids ? all.where("id", "in", ids) : all).execute();
  return rows.map(toCard);
}

export async function readCard(db: Db, at: At, id: CardId): Promise<StoredCard | null> {
  const [card] = await readCards(db, at, [id]);
  return card ?? null;
}

/** Who made each card, and who changed it last. */
export async function readOwners(db: Db, at: At): Promise<Map<string, { createdBy: string; updatedBy: string }>> {
  const rows = await tables(db)
    .selectFrom("data_card")
    .select(["id", "created_by", "updated_by"])
    .where("instance_id", "=", at)
    .execute();
  return new Map(rows.map((row) => [row.id, { createdBy: row.created_by, updatedBy: row.updated_by }]));
}

export async function countByDataset(db: Db, at: At): Promise<Map<string, number>> {
  const rows = await tables(db)
    .selectFrom("data_card")
    .select(["dataset_id", ({ fn }) => fn.countAll<number>().as("cards")])
    .where("instance_id", "=", at)
    .groupBy("dataset_id")
    .execute();
  return new Map(rows.map((row) => [row.dataset_id, Number(row.cards)]));
}

export interface CardText {
  displayName: string;
  description: string;
  tags: string[];
  configuration: CardConfiguration;
  by: string;
  now: string;
}

/** False when the name is taken. */
export async function insertCard(db: Db, at: At, card: CardText & { id: CardId; name: string }): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tables(db)
    .insertInto("data_card")
    .values({ instance_id: at, id: card.id, name: card.name, ...columns(card), version: 1, created_by: card.by })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** False when the version is not the stored one. */
export async function updateCard(db: Db, at: At, id: CardId, version: number, card: CardText): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable("data_card")
    .set({ ...columns(card), version: version + 1 })
    .where("instance_id", "=", at)
    .where("id", "=", id)
    .where("version", "=", version)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function deleteCard(db: Db, at: At, id: CardId): Promise<void> {
  await tables(db).deleteFrom("data_card").where("instance_id", "=", at).where("id", "=", id).execute();
}

const columns = (card: CardText) => ({
  display_name: card.displayName,
  description: card.description,
  tags: card.tags,
  dataset_id: card.configuration.datasetId,
  configuration: JSON.stringify(card.configuration),
  updated_by: card.by,
  updated_at: card.now,
});
