/** Pipelines, their drafts and versions. */
import type { Id } from "@accord/contracts";
import { Graph } from "@accord/contracts/sync/graph";
import { MergeConfig, PipelineSettings } from "@accord/contracts/sync/pipelines";
import type { z } from "zod";
import type { Db } from "../../../platform/db/db.ts";
import { Outline } from "./outline.ts";

type InstanceId = Id<"instance">;
type EntityId = Id<"entity">;
type VersionId = Id<"pipelineVersion">;

/** Who did it, as they were called then. */
export interface Person {
  userId: string;
  firstName: string;
  lastName: string;
}

type Tables = {
  pipeline: {
    entity_id: string;
    instance_id: string;
    revision: number;
    settings: unknown;
    merge_config: unknown;
    published_version_id: string | null;
    modified_at: string;
    modified_by: unknown;
  };
  pipeline_draft: {
    entity_id: string;
    instance_id: string;
    graph: unknown;
    outline: unknown;
    updated_at: string;
    updated_by: unknown;
  };
  pipeline_version: {
    id: string;
    instance_id: string;
    entity_id: string;
    number: number;
    name: string;
    summary: string;
    graph: unknown;
    outline: unknown;
    settings: unknown;
    published_at: string;
    published_by: unknown;
  };
};

const tables = (db: Db) => db.withTables<Tables>();

/** A pipeline without its graphs. */
export interface PipelineHead {
  entityId: EntityId;
  revision: number;
  settings: PipelineSettings;
  mergeConfig: z.output<typeof MergeConfig>;
  modifiedAt: string;
  modifiedBy: Person;
  draft: { outline: Outline; updatedAt: string; updatedBy: Person } | null;
  published: { id: VersionId; number: number; name: string; outline: Outline; publishedAt: string } | null;
  versions: number;
}

/** Pipelines of an instance, or the one of an entity. `lock` holds it until the transaction ends. */
export async function readHeads(
  db: Db,
  at: InstanceId,
  options: { entityId?: EntityId; lock?: boolean } = {},
): Promise<PipelineHead[]> {
  if (options.lock && options.entityId)
    await tables(db)
      .selectFrom("pipeline")
      .select("entity_id")
      .where("instance_id", "=", at)
      .where("entity_id", "=", options.entityId)
      .forUpdate()
      .execute();
  let query = tables(db)
    .selectFrom("pipeline as p")
    .leftJoin("pipeline_draft as d", "d.entity_id", "p.entity_id")
    .leftJoin("pipeline_version as v", "v.id", "p.published_version_id")
    .select((is) => [
      "p.entity_id",
      "p.revision",
      "p.settings",
      "p.merge_config",
      "p.modified_at",
      "p.modified_by",
      "d.outline as draft_outline",
      "d.updated_at as draft_updated_at",
      "d.updated_by as draft_updated_by",
      "v.id as version_id",
      "v.number",
      "v.name",
      "v.outline as version_outline",
      "v.published_at",
      is
        .selectFrom("pipeline_version as all")
        .whereRef("all.entity_id", "=", "p.entity_id")
        .select((count) => count.fn.countAll<number>().as("count"))
        .as("versions"),
    ])
    .where("p.instance_id", "=", at);
  if (options.entityId) query = query.where("p.entity_id", "=", options.entityId);
  return (await query.execute()).map((row) => ({
    entityId: row.entity_id as EntityId,
    revision: row.revision,
    settings: PipelineSettings.parse(row.settings),
    mergeConfig: MergeConfig.parse(row.merge_config),
    modifiedAt: row.modified_at,
    modifiedBy: row.modified_by as Person,
    draft: row.draft_outline
      ? {
          outline: Outline.parse(row.draft_outline),
          updatedAt: row.draft_updated_at!,
          updatedBy: row.draft_updated_by as Person,
        }
      : null,
    published: row.version_id
      ? {
          id: row.version_id as VersionId,
          number: row.number!,
          name: row.name!,
          outline: Outline.parse(row.version_outline),
          publishedAt: row.published_at!,
        }
      : null,
    versions: Number(row.versions ?? 0),
  }));
}

export async function findHead(
  db: Db,
  at: InstanceId,
  entityId: EntityId,
  lock = false,
): Promise<PipelineHead | undefined> {
  const [head] = await readHeads(db, at, { entityId, lock });
  return head;
}

export async function readDraftGraph(db: Db, at: InstanceId, entityId: EntityId): Promise<Graph | null> {
  const row = await tables(db)
    .selectFrom("pipeline_draft")
    .select("graph")
    .where("instance_id", "=", at)
    .where("entity_id", "=", entityId)
    .executeTakeFirst();
  return row ? Graph.parse(row.graph) : null;
}

export interface StoredVersion {
  id: VersionId;
  entityId: EntityId;
  number: number;
  name: string;
  summary: string;
  publishedAt: string;
  publishedBy: Person;
  settings: PipelineSettings;
}

const toVersion = (row: Omit<Tables["pipeline_version"], "graph" | "outline" | "instance_id">): StoredVersion => ({
  id: row.id as VersionId,
  entityId: row.entity_id as EntityId,
  number: row.number,
  name: row.name,
  summary: row.summary,
  publishedAt: row.published_at,
  publishedBy: row.published_by as Person,
  settings: PipelineSettings.parse(row.settings),
});

const VERSION_COLUMNS = [
  "id",
  "entity_id",
  "number",
  "name",
  "summary",
  "settings",
  "published_at",
  "published_by",
] as const;

/** Newest first. */
export async function readVersions(db: Db, at: InstanceId, entityId: EntityId): Promise<StoredVersion[]> {
  const rows = await tables(db)
    .selectFrom("pipeline_version")
    .select(VERSION_COLUMNS)
    .where("instance_id", "=", at)
    .where("entity_id", "=", entityId)
    .orderBy("number", "desc")
    .execute();
  return rows.map(toVersion);
}

export async function findVersion(
  db: Db,
  at: InstanceId,
  entityId: EntityId,
  versionId: VersionId,
): Promise<(StoredVersion & { graph: Graph }) | undefined> {
  const row = await tables(db)
    .selectFrom("pipeline_version")
    .select([...VERSION_COLUMNS, "graph"])
    .where("instance_id", "=", at)
    .where("entity_id", "=", entityId)
    .where("id", "=", versionId)
    .executeTakeFirst();
  return row && { ...toVersion(row), graph: Graph.parse(row.graph) };
}

/** What runs, over all instances. */
export async function readAllPublished(
  db: Db,
): Promise<{ instanceId: InstanceId; entityId: EntityId; versionId: VersionId; number: number }[]> {
  const rows = await tables(db)
    .selectFrom("pipeline as p")
    .innerJoin("pipeline_version as v", "v.id", "p.published_version_id")
    .select(["p.instance_id", "p.entity_id", "v.id", "v.number"])
    .execute();
  return rows.map((row) => ({
    instanceId: row.instance_id as InstanceId,
    entityId: row.entity_id as EntityId,
    versionId: row.id as VersionId,
    number: row.number,
  }));
}

/** All graphs of an instance that are in use: drafts and published versions. */
export async function readGraphsInUse(
  db: Db,
  at: InstanceId,
  entityId?: EntityId,
): Promise<{ entityId: EntityId; published: boolean; graph: Graph }[]> {
  let drafts = tables(db).selectFrom("pipeline_draft").select(["entity_id", "graph"]).where("instance_id", "=", at);
  let published = tables(db)
    .selectFrom("pipeline as p")
    .innerJoin("pipeline_version as v", "v.id", "p.published_version_id")
    .select(["p.entity_id", "v.graph"])
    .where("p.instance_id", "=", at);
  if (entityId) {
    drafts = drafts.where("entity_id", "=", entityId);
    published = published.where("p.entity_id", "=", entityId);
  }
  const read = (isPublished: boolean) => (row: { entity_id: string; graph: unknown }) => ({
    entityId: row.entity_id as EntityId,
    published: isPublished,
    graph: Graph.parse(row.graph),
  });
  return [...(await published.execute()).map(read(true)), ...(await drafts.execute()).map(read(false))];
}

/** Makes the pipeline's row where there is none, and notes who touched it. Answers the new revision. */
export async function touch(
  db: Db,
  at: InstanceId,
  entityId: EntityId,
  { now, by }: { now: string; by: Person },
): Promise<number> {
  const row = await tables(db)
    .insertInto("pipeline")
    .values({
      entity_id: entityId,
      instance_id: at,
      revision: 1,
      settings: "{}",
      merge_config: "{}",
      published_version_id: null,
      modified_at: now,
      modified_by: JSON.stringify(by),
    })
    .onConflict((conflict) =>
      conflict.column("entity_id").doUpdateSet((is) => ({
        revision: is("pipeline.revision", "+", 1),
        modified_at: now,
        modified_by: JSON.stringify(by),
      })),
    )
    .returning("revision")
    .executeTakeFirstOrThrow();
  return row.revision;
}

export async function writeDraft(
  db: Db,
  at: InstanceId,
  entityId: EntityId,
  draft: { graph: Graph; outline: Outline; now: string; by: Person },
): Promise<void> {
  const held = {
    graph: JSON.stringify(draft.graph),
    outline: JSON.stringify(draft.outline),
    updated_at: draft.now,
    updated_by: JSON.stringify(draft.by),
  };
  await tables(db)
    .insertInto("pipeline_draft")
    .values({ entity_id: entityId, instance_id: at, ...held })
    .onConflict((conflict) => conflict.column("entity_id").doUpdateSet(held))
    .execute();
}

export const deleteDraft = (db: Db, at: InstanceId, entityId: EntityId) =>
  tables(db).deleteFrom("pipeline_draft").where("instance_id", "=", at).where("entity_id", "=", entityId).execute();

/** Freezes a graph as the next version and lets it be the one that runs. Answers its number. */
export async function insertVersion(
  db: Db,
  at: InstanceId,
  entityId: EntityId,
  version: {
    id: VersionId;
    name: string;
    summary: string;
    graph: Graph;
    outline: Outline;
    settings: PipelineSettings;
    now: string;
    by: Person;
  },
): Promise<number> {
  const { number } = await tables(db)
    .insertInto("pipeline_version")
    .values((is) => ({
      id: version.id,
      instance_id: at,
      entity_id: entityId,
      number: is
        .selectFrom("pipeline_version")
        .where("entity_id", "=", entityId)
        .select((max) => max(max.fn.coalesce(max.fn.max("number"), max.val(0)), "+", 1).as("next")) as never,
      name: version.name,
      summary: version.summary,
      graph: JSON.stringify(version.graph),
      outline: JSON.stringify(version.outline),
      settings: JSON.stringify(version.settings),
      published_at: version.now,
      published_by: JSON.stringify(version.by),
    }))
    .returning("number")
    .executeTakeFirstOrThrow();
  await setPublished(db, at, entityId, version.id);
  return number;
}

export const setPublished = (db: Db, at: InstanceId, entityId: EntityId, versionId: VersionId | null) =>
  tables(db)
    .updateTable("pipeline")
    .set({ published_version_id: versionId })
    .where("instance_id", "=", at)
    .where("entity_id", "=", entityId)
    .execute();

export const setSettings = (
  db: Db,
  at: InstanceId,
  entityId: EntityId,
  change: { settings: PipelineSettings; mergeConfig: z.output<typeof MergeConfig> },
) =>
  tables(db)
    .updateTable("pipeline")
    .set({ settings: JSON.stringify(change.settings), merge_config: JSON.stringify(change.mergeConfig) })
    .where("instance_id", "=", at)
    .where("entity_id", "=", entityId)
    .execute();
