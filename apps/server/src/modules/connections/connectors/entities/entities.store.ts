/** Entities of connectors in `app`: what was discovered, and what a person chose. Decides nothing. */
import type { Id } from "@accord/contracts";
import { EntitySchema } from "@accord/contracts/data/schema";
import { sql } from "kysely";
import type { Db } from "../../../../platform/db/db.ts";

type EntityTable = {
  instance_id: string;
  connector_id: string;
  api_name: string;
  definition: unknown;
  status: "ACTIVE" | "INACTIVE";
  id_field: string | null;
  watermark_field: string | null;
  refreshed_at: string;
};

type Tables = { connector_entity: EntityTable };

export interface EntityRow extends Omit<EntityTable, "definition"> {
  definition: EntitySchema;
}

type InstanceId = Id<"instance">;

const tables = (db: Db) => db.withTables<Tables>();
const json = (value: unknown): never => JSON.stringify(value) as never;

const toEntity = (row: EntityTable): EntityRow => ({ ...row, definition: EntitySchema.parse(row.definition) });

export const readEntities = async (db: Db, at: InstanceId, connectorId: string): Promise<EntityRow[]> =>
  (
    await tables(db)
      .selectFrom("connector_entity")
      .selectAll()
      .where("instance_id", "=", at)
      .where("connector_id", "=", connectorId)
      .orderBy("api_name")
      .execute()
  ).map(toEntity);

export async function findEntity(
  db: Db,
  at: InstanceId,
  connectorId: string,
  apiName: string,
): Promise<EntityRow | null> {
  const row = await tables(db)
    .selectFrom("connector_entity")
    .selectAll()
    .where("instance_id", "=", at)
    .where("connector_id", "=", connectorId)
    .where("api_name", "=", apiName)
    .executeTakeFirst();
  return row ? toEntity(row) : null;
}

/** Of several connectors at once, in no order. */
export async function findEntities(
  db: Db,
  at: InstanceId,
  wanted: readonly { connectorId: string; entity: string }[],
): Promise<EntityRow[]> {
  const connectorIds = wanted.map(({ connectorId }) => connectorId);
  const names = wanted.map(({ entity }) => entity);
  const rows = await tables(db)
    .selectFrom("connector_entity")
    .selectAll()
    .where("instance_id", "=", at)
    .where(sql<boolean>`(connector_id, api_name) IN (SELECT * FROM unnest(${connectorIds}::text[], ${names}::text[]))`)
    .execute();
  return rows.map(toEntity);
}

export async function saveEntities(
  db: Db,
  at: InstanceId,
  connectorId: string,
  entities: readonly { schema: EntitySchema; status: "ACTIVE" | "INACTIVE" }[],
  now: Date,
): Promise<void> {
  for (const { schema, status } of entities) {
    const changed = { definition: json(schema), status, refreshed_at: now.toISOString() };
    await tables(db)
      .insertInto("connector_entity")
      .values({
        instance_id: at,
        connector_id: connectorId,
        api_name: schema.apiName,
        id_field: null,
        watermark_field: null,
        ...changed,
      })
      .onConflict((conflict) => conflict.columns(["connector_id", "api_name"]).doUpdateSet(changed))
      .execute();
  }
}

export async function chooseFields(
  db: Db,
  at: InstanceId,
  connectorId: string,
  apiName: string,
  chosen: { idField?: string | null; watermarkField?: string | null },
): Promise<void> {
  await tables(db)
    .updateTable("connector_entity")
    .set({
      ...(chosen.idField !== undefined && { id_field: chosen.idField }),
      ...(chosen.watermarkField !== undefined && { watermark_field: chosen.watermarkField }),
    })
    .where("instance_id", "=", at)
    .where("connector_id", "=", connectorId)
    .where("api_name", "=", apiName)
    .execute();
}
