/** Pipelines and their drafts. */
import type { Id } from "@accord/contracts";
import { Graph } from "@accord/contracts/sync/graph";
import { MergeConfig, Person as PersonShape, PipelineSettings } from "@accord/contracts/sync/pipelines";
import { z } from "zod";
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

const PersonName = z.object(PersonShape.shape);

/** Tables of pipelines; their versions are read and written in `versions.store.ts`. */
export type PipelineTables = {
  pipeline: {
    entity_id: string;
    instance_id: string;
    revision: number;
    settings: unknown;
    merge_config: unknown;
    published_version_id: VersionId | null;
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
  field_pipeline_draft: {
    entity_id: string;
    instance_id: string;
    graph: unknown;
  };
  pipeline_version: {
    id: string;
    instance_id: string;
    entity_id: string;
    number: number;
    name: string;
    summary: string;
    graph: unknown;
    field_graphs: unknown;
    outline: unknown;
    settings: unknown;
    published_at: string;
    published_by: unknown;
  };
};

const tables = (db: Db) => db.withTables<PipelineTables>();

/** A pipeline without its graphs. */
export interface PipelineHead {
  entityId: EntityId;
  revision: number;
  settings: PipelineSettings;
  mergeConfig: z.output<typeof MergeConfig>;
  modifiedAt: string;
  modifiedBy: Person;
  draft: { outline: Outline; updatedAt: string; updatedBy: Person } | null;
  published: {
    id: VersionId;
    number: number;
    name: string;
    outline: Outline;
    publishedAt: string;
    publishedBy: z.output<typeof PersonName>;
  } | null;
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
      "v.published_by",
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
    draft: row.draft_updated_at
      ? {
          outline: Outline.parse(row.draft_outline),
          updatedAt: row.draft_updated_at,
          updatedBy: row.draft_updated_by as Person,
        }
      : null,
    published:
      row.version_id !== null && row.number !== null && row.name !== null && row.published_at !== null
        ? {
            id: row.version_id as VersionId,
            number: row.number,
            name: row.name,
            outline: Outline.parse(row.version_outline),
            publishedAt: row.published_at,
            publishedBy: PersonName.parse(row.published_by),
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

/** Which version runs, with what is set beside it; undefined when none does. */
export async function findRunning(
  db: Db,
  at: InstanceId,
  entityId: EntityId,
): Promise<
  { versionId: VersionId; mergeConfig: z.output<typeof MergeConfig>; loggedNodes: readonly string[] } | undefined
> {
  const row = await tables(db)
    .selectFrom("pipeline")
    .select(["published_version_id", "merge_config", "settings"])
    .where("instance_id", "=", at)
    .where("entity_id", "=", entityId)
    .executeTakeFirst();
  if (!row?.published_version_id) return undefined;
  return {
    versionId: row.published_version_id,
    mergeConfig: MergeConfig.parse(row.merge_config),
    loggedNodes: PipelineSettings.parse(row.settings).loggedNodes,
  };
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
