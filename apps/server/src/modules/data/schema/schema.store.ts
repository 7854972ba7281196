/** Entities of the unified model and their versions, in `app`. */
import type { Id } from "@accord/contracts";
import type { VersionState } from "@accord/contracts/data/entities";
import type { Db } from "../../../platform/db/db.ts";
import { EntityDefinition } from "./entity-definition.ts";

type Tables = {
  core_entity: {
    id: string;
    instance_id: string;
    api_name: string;
    version: number;
    created_at: string;
    updated_at: string;
  };
  core_entity_version: {
    instance_id: string;
    entity_id: string;
    version: number;
    state: VersionState;
    revision: number;
    definition: unknown;
    updated_at: string;
    updated_by: string;
    published_at: string | null;
    published_by: string | null;
  };
};

type InstanceId = Id<"instance">;
type EntityId = Id<"entity">;

/** One entity with all that may be asked of it; `published` or `draft` is null when there is none. */
export interface StoredEntity {
  id: EntityId;
  apiName: string;
  version: number;
  createdAt: string;
  published: StoredVersion | null;
  draft: StoredVersion | null;
}

export interface StoredVersion {
  version: number;
  state: VersionState;
  revision: number;
  definition: EntityDefinition;
  updatedAt: string;
}

const tables = (db: Db) => db.withTables<Tables>();

/** All entities of the instance by api name, or the one with `entityId`. `lock` holds it until the transaction ends. */
export async function readEntities(
  db: Db,
  at: InstanceId,
  options: { entityId?: EntityId; lock?: boolean } = {},
): Promise<StoredEntity[]> {
  let query = tables(db).selectFrom("core_entity").selectAll().where("instance_id", "=", at).orderBy("api_name");
  if (options.entityId) query = query.where("id", "=", options.entityId);
  if (options.lock) query = query.forUpdate();
  const versionsQuery = tables(db)
    .selectFrom("core_entity_version")
    .select(["entity_id", "version", "state", "revision", "definition", "updated_at"])
    .where("instance_id", "=", at)
    .where("state", "!=", "ARCHIVED")
    .$if(options.entityId !== undefined, (narrow) => narrow.where("entity_id", "=", options.entityId as EntityId));
  // With a lock the versions are read once it is held, so that they are the newest.
  const [entities, versions] = options.lock
    ? [await query.execute(), await versionsQuery.execute()]
    : await Promise.all([query.execute(), versionsQuery.execute()]);
  const byEntity = Map.groupBy(versions, (version) => version.entity_id);
  return entities.map((entity) => {
    const own = (byEntity.get(entity.id) ?? []).map((row) => ({
      version: row.version,
      state: row.state,
      revision: row.revision,
      definition: EntityDefinition.parse(row.definition),
      updatedAt: row.updated_at,
    }));
    return {
      id: entity.id as EntityId,
      apiName: entity.api_name,
      version: entity.version,
      createdAt: entity.created_at,
      published: own.find((version) => version.state === "APPROVED") ?? null,
      draft: own.find((version) => version.state === "NEW" || version.state === "DRAFT") ?? null,
    };
  });
}

/** All versions of one entity, the newest first. */
export async function readVersions(db: Db, at: InstanceId, entityId: EntityId) {
  const rows = await tables(db)
    .selectFrom("core_entity_version")
    .selectAll()
    .where("instance_id", "=", at)
    .where("entity_id", "=", entityId)
    .orderBy("version", "desc")
    .execute();
  return rows.map((row) => ({
    version: row.version,
    state: row.state,
    fields: EntityDefinition.parse(row.definition).fields.length,
    updatedAt: row.updated_at,
    updatedBy: row.updated_by,
    publishedAt: row.published_at,
    publishedBy: row.published_by,
  }));
}

export async function insertEntity(
  db: Db,
  at: InstanceId,
  entity: { id: EntityId; apiName: string; definition: EntityDefinition; now: string; by: string },
): Promise<void> {
  const { id, apiName, definition, now, by } = entity;
  await tables(db)
    .insertInto("core_entity")
    .values({ id, instance_id: at, api_name: apiName, version: 0, created_at: now, updated_at: now })
    .execute();
  await insertVersion(db, at, id, { version: 1, state: "NEW", definition, now, by });
}

export const insertVersion = (
  db: Db,
  at: InstanceId,
  entityId: EntityId,
  draft: { version: number; state: VersionState; definition: EntityDefinition; now: string; by: string },
) =>
  tables(db)
    .insertInto("core_entity_version")
    .values({
      instance_id: at,
      entity_id: entityId,
      version: draft.version,
      state: draft.state,
      revision: 0,
      definition: JSON.stringify(draft.definition),
      updated_at: draft.now,
      updated_by: draft.by,
      published_at: null,
      published_by: null,
    })
    .execute();

export const updateDraft = (
  db: Db,
  at: InstanceId,
  entityId: EntityId,
  draft: { definition: EntityDefinition; now: string; by: string },
) =>
  tables(db)
    .updateTable("core_entity_version")
    .set((is) => ({
      definition: JSON.stringify(draft.definition),
      revision: is("revision", "+", 1),
      updated_at: draft.now,
      updated_by: draft.by,
    }))
    .where("instance_id", "=", at)
    .where("entity_id", "=", entityId)
    .where("state", "in", ["NEW", "DRAFT"])
    .execute();

export const deleteDraft = (db: Db, at: InstanceId, entityId: EntityId) =>
  tables(db)
    .deleteFrom("core_entity_version")
    .where("instance_id", "=", at)
    .where("entity_id", "=", entityId)
    .where("state", "in", ["NEW", "DRAFT"])
    .execute();

/** The draft takes the place of the published version, which is kept as an archived one. */
export async function approveDraft(
  db: Db,
  at: InstanceId,
  entityId: EntityId,
  { version, now, by }: { version: number; now: string; by: string },
): Promise<void> {
  const versions = tables(db)
    .updateTable("core_entity_version")
    .where("instance_id", "=", at)
    .where("entity_id", "=", entityId);
  await versions.set({ state: "ARCHIVED" }).where("state", "=", "APPROVED").execute();
  await versions
    .set({ state: "APPROVED", published_at: now, published_by: by })
    .where("version", "=", version)
    .execute();
  await tables(db)
    .updateTable("core_entity")
    .set({ version, updated_at: now })
    .where("instance_id", "=", at)
    .where("id", "=", entityId)
    .execute();
}

export const deleteEntityRow = (db: Db, at: InstanceId, entityId: EntityId) =>
  tables(db).deleteFrom("core_entity").where("instance_id", "=", at).where("id", "=", entityId).execute();

/** Every published entity of every instance. */
export async function readPublished(
  db: Db,
): Promise<{ instanceId: InstanceId; apiName: string; definition: EntityDefinition }[]> {
  const rows = await tables(db)
    .selectFrom("core_entity")
    .innerJoin("core_entity_version", "core_entity_version.entity_id", "core_entity.id")
    .select(["core_entity.instance_id", "core_entity.api_name", "core_entity_version.definition"])
    .where("core_entity_version.state", "=", "APPROVED")
    .execute();
  return rows.map((row) => ({
    instanceId: row.instance_id as InstanceId,
    apiName: row.api_name,
    definition: EntityDefinition.parse(row.definition),
  }));
}
