/** Saved datasets. */
import type { Id } from "@accord/contracts";
import { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import type { Dataset } from "@accord/contracts/insights/datasets";
import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

type DatasetTable = {
  instance_id: string;
  id: string;
  name: string;
  display_name: string;
  description: string;
  tags: string[];
  config: unknown;
  version: number;
  created_by: string;
  updated_by: string;
  updated_at: string;
};
type Tables = { dataset: DatasetTable };

type At = Id<"instance">;
type DatasetId = Id<"dataset">;

const tables = (db: Db) => db.withTables<Tables>();

const toDataset = (row: DatasetTable): Dataset => ({
  id: row.id as DatasetId,
  name: row.name,
  displayName: row.display_name,
  description: row.description,
  tags: row.tags,
  datasetConfig: DatasetConfig.parse(row.config),
  version: row.version,
  updatedAt: row.updated_at,
});

export const readDatasets = async (db: Db, at: At): Promise<Dataset[]> => {
  const rows = await tables(db)
    .selectFrom("dataset")
    .selectAll()
    .where("instance_id", "=", at)
    .orderBy(sql`lower(display_name)`)
    .orderBy("id")
    .execute();
  return rows.map(toDataset);
};

export const readDataset = async (db: Db, at: At, id: DatasetId): Promise<Dataset | null> => {
  const row = await tables(db)
    .selectFrom("dataset")
    .selectAll()
    .where("instance_id", "=", at)
    .where("id", "=", id)
    .executeTakeFirst();
  return row ? toDataset(row) : null;
};

/** Who made each dataset, and who changed it last. */
export async function readOwners(db: Db, at: At): Promise<Map<string, { createdBy: string; updatedBy: string }>> {
  const rows = await tables(db)
    .selectFrom("dataset")
    .select(["id", "created_by", "updated_by"])
    .where("instance_id", "=", at)
    .execute();
  return new Map(rows.map((row) => [row.id, { createdBy: row.created_by, updatedBy: row.updated_by }]));
}

export type DatasetText = Pick<Dataset, "displayName" | "description" | "tags" | "datasetConfig">;
export interface Written {
  by: string;
  now: string;
}

/** False when the name is taken. */
export async function insertDataset(
  db: Db,
  at: At,
  dataset: DatasetText & { id: DatasetId; name: string } & Written,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tables(db)
    .insertInto("dataset")
    .values({
      instance_id: at,
      id: dataset.id,
      name: dataset.name,
      ...columns(dataset),
      version: 1,
      created_by: dataset.by,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** False when the version is not the stored one. */
export async function updateDataset(
  db: Db,
  at: At,
  id: DatasetId,
  version: number,
  dataset: DatasetText & Written,
): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable("dataset")
    .set({ ...columns(dataset), version: version + 1 })
    .where("instance_id", "=", at)
    .where("id", "=", id)
    .where("version", "=", version)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function deleteDataset(db: Db, at: At, id: DatasetId): Promise<void> {
  await tables(db).deleteFrom("dataset").where("instance_id", "=", at).where("id", "=", id).execute();
}

const columns = ({ displayName, description, tags, datasetConfig, by, now }: DatasetText & Written) => ({
  display_name: displayName,
  description,
  tags,
  config: JSON.stringify(datasetConfig),
  updated_by: by,
  updated_at: now,
});
