/** Versions of pipelines: frozen graphs, one of which may run. */
import type { Id } from "@accord/contracts";
import { Graph } from "@accord/contracts/sync/graph";
import { PipelineSettings } from "@accord/contracts/sync/pipelines";
import { sql } from "kysely";
import { z } from "zod";
import type { Db } from "../../../../platform/db/db.ts";
import type { Outline } from "../outline.ts";
import type { Person, PipelineTables } from "../pipelines.store.ts";

type InstanceId = Id<"instance">;
type EntityId = Id<"entity">;
type VersionId = Id<"pipelineVersion">;

const tables = (db: Db) => db.withTables<PipelineTables>();

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

/** Field pipelines of a version by core field. */
export type FieldGraphs = { [field: string]: Graph };
const FieldGraphs = z.record(z.string(), Graph);

const toVersion = (
  row: Omit<PipelineTables["pipeline_version"], "graph" | "field_graphs" | "outline" | "instance_id">,
): StoredVersion => ({
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
): Promise<(StoredVersion & { graph: Graph; fieldGraphs: FieldGraphs }) | undefined> {
  const row = await tables(db)
    .selectFrom("pipeline_version")
    .select([...VERSION_COLUMNS, "graph", "field_graphs"])
    .where("instance_id", "=", at)
    .where("entity_id", "=", entityId)
    .where("id", "=", versionId)
    .executeTakeFirst();
  return row && { ...toVersion(row), graph: Graph.parse(row.graph), fieldGraphs: FieldGraphs.parse(row.field_graphs) };
}

/** Which nodes each version has, newest first. */
export async function readVersionNodes(
  db: Db,
  at: InstanceId,
  entityId: EntityId,
): Promise<{ publishedAt: string; nodeIds: readonly string[] }[]> {
  const rows = await tables(db)
    .selectFrom("pipeline_version")
    .select(["published_at", sql<string[]>`jsonb_path_query_array(graph::jsonb, '$.nodes[*].id')`.as("node_ids")])
    .where("instance_id", "=", at)
    .where("entity_id", "=", entityId)
    .orderBy("number", "desc")
    .execute();
  return rows.map((row) => ({ publishedAt: row.published_at, nodeIds: row.node_ids }));
}

/** Configurations of each version's sources, the oldest version first. */
export async function readVersionSources(
  db: Db,
  at: InstanceId,
  entityId: EntityId,
): Promise<{ publishedAt: string; sources: readonly unknown[] }[]> {
  const rows = await tables(db)
    .selectFrom("pipeline_version")
    .select([
      "published_at",
      sql<
        unknown[]
      >`jsonb_path_query_array(graph::jsonb, '$.nodes[*] ? (@.nodeType == "ENTITY_SOURCE").configuration')`.as(
        "sources",
      ),
    ])
    .where("instance_id", "=", at)
    .where("entity_id", "=", entityId)
    .orderBy("number")
    .execute();
  return rows.map((row) => ({ publishedAt: row.published_at, sources: row.sources }));
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

/** All graphs of an instance that are in use, those of field pipelines too: drafts and published versions. */
export async function readGraphsInUse(
  db: Db,
  at: InstanceId,
  entityId?: EntityId,
): Promise<{ entityId: EntityId; published: boolean; graph: Graph }[]> {
  let fields = tables(db)
    .selectFrom("field_pipeline_draft")
    .select(["entity_id", "graph"])
    .where("instance_id", "=", at);
  let drafts = tables(db).selectFrom("pipeline_draft").select(["entity_id", "graph"]).where("instance_id", "=", at);
  let published = tables(db)
    .selectFrom("pipeline as p")
    .innerJoin("pipeline_version as v", "v.id", "p.published_version_id")
    .select(["p.entity_id", "v.graph", "v.field_graphs"])
    .where("p.instance_id", "=", at);
  if (entityId) {
    fields = fields.where("entity_id", "=", entityId);
    drafts = drafts.where("entity_id", "=", entityId);
    published = published.where("p.entity_id", "=", entityId);
  }
  const read = (isPublished: boolean) => (row: { entity_id: string; graph: unknown }) => ({
    entityId: row.entity_id as EntityId,
    published: isPublished,
    graph: Graph.parse(row.graph),
  });
  const running = await published.execute();
  return [
    ...running.map(read(true)),
    ...running.flatMap(({ entity_id, field_graphs }) =>
      Object.values(FieldGraphs.parse(field_graphs)).map((graph) => read(true)({ entity_id, graph })),
    ),
    ...(await drafts.execute()).map(read(false)),
    ...(await fields.execute()).map(read(false)),
  ];
}

/**
 * Fields of a connector that any version ever moved to or from one of these core fields. `entity`: one of its entities;
 * null: all. Graphs are searched in the database: they may be many and large.
 */
export async function readPastConnectorFields(
  db: Db,
  at: InstanceId,
  { connectorId, entity }: { connectorId: string; entity: string | null },
  coreFields: readonly { entityId: string; field: string }[],
): Promise<string[]> {
  if (coreFields.length === 0) return [];
  const entityIds = coreFields.map(({ entityId }) => entityId);
  const fields = coreFields.map(({ field }) => field);
  const atConnector = sql`jsonb_build_object('connector', ${connectorId}::text)`;
  const { rows } = await sql<{ connector_field: string }>`
    WITH core AS (SELECT * FROM unnest(${entityIds}::text[], ${fields}::text[]) AS core (entity_id, field)),
    version AS (SELECT entity_id, graph, field_graphs FROM pipeline_version
      WHERE instance_id = ${at} AND entity_id IN (SELECT entity_id FROM core)),
    used AS (
      SELECT v.entity_id, m ->> 'coreField' AS core_field, m ->> 'connectorField' AS connector_field, node
      FROM version v, jsonb_path_query(v.graph, '$.nodes[*] ? ((@.nodeType == "ENTITY_SOURCE" || @.nodeType == "ENTITY_SINK")
        && @.configuration.connectorId == $connector)', ${atConnector}) AS node,
        jsonb_path_query(node, '$.configuration.fieldMappings[*]') AS m
      UNION ALL
      SELECT v.entity_id, f.key, node #>> '{configuration,attributeDefinition}', node
      FROM version v, jsonb_each(v.field_graphs) f, jsonb_path_query(f.value,
        '$.nodes[*] ? ((@.nodeType == "ATTRIBUTE_SOURCE" || @.nodeType == "ATTRIBUTE_SINK")
        && @.configuration.connectorId == $connector)', ${atConnector}) AS node
    )
    SELECT DISTINCT u.connector_field FROM used u JOIN core c ON c.entity_id = u.entity_id AND c.field = u.core_field
    WHERE u.connector_field IS NOT NULL
      AND (${entity}::text IS NULL OR u.node #>> '{configuration,entityDefinition}' = ${entity})`.execute(db);
  return rows.map((row) => row.connector_field);
}

/** How often something was published in the instance. */
export async function countVersions(db: Db, at: InstanceId): Promise<number> {
  const row = await tables(db)
    .selectFrom("pipeline_version")
    .select((count) => count.fn.countAll<number>().as("count"))
    .where("instance_id", "=", at)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Freezes a graph as the next version. Answers its number. */
export async function insertVersion(
  db: Db,
  at: InstanceId,
  entityId: EntityId,
  version: {
    id: VersionId;
    name: string;
    summary: string;
    graph: Graph;
    fieldGraphs: FieldGraphs;
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
      field_graphs: JSON.stringify(version.fieldGraphs),
      outline: JSON.stringify(version.outline),
      settings: JSON.stringify(version.settings),
      published_at: version.now,
      published_by: JSON.stringify(version.by),
    }))
    .returning("number")
    .executeTakeFirstOrThrow();
  return number;
}
