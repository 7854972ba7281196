/** HTTP synapses with their drafts, versions and shares. Decides nothing. */
import type { Id } from "@accord/contracts";
import type { ShareScope } from "@accord/contracts/connections/http-synapse-sharing";
import type { HttpSynapseDefinition, VariableValues } from "@accord/contracts/connections/http-synapse-definition";
import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";
import { reaches } from "../connectors/index.ts";

/** What a draft is tested with, less its secrets. */
export interface Trial {
  values?: VariableValues;
  plain?: Record<string, string>;
  secretNames?: string[];
  /** Where the secrets may go. */
  destinations?: string[];
}

type SynapseTable = {
  id: Id<"customSynapse">;
  instance_id: Id<"instance">;
  name: string;
  icon: string | null;
  share_scope: ShareScope;
  published_version: number | null;
  draft: HttpSynapseDefinition | null;
  draft_revision: number;
  trial: Trial;
  trial_sealed: string | null;
  created_at: string;
  created_by: string;
  updated_at: string;
};

type VersionTable = {
  synapse_id: string;
  instance_id: string;
  version: number;
  definition: HttpSynapseDefinition;
  published_at: string;
  published_by: string;
};

type ShareTable = { synapse_id: string; instance_id: string; shared_with: Id<"instance"> };

type Tables = { http_synapse: SynapseTable; http_synapse_version: VersionTable; http_synapse_share: ShareTable };

export interface SynapseRow extends SynapseTable {
  /** The version that connections use. */
  published: HttpSynapseDefinition | null;
  published_at: string | null;
  /** Connections of it in its own instance. */
  connection_count: number;
}

export interface SynapsePlace {
  instanceId: Id<"instance">;
  synapseId: Id<"customSynapse">;
}

const tables = (db: Db) => db.withTables<Tables>();
const json = <Shape>(value: Shape) => sql<Shape>`${JSON.stringify(value)}::jsonb`;

const withVersions = (db: Db, at: Id<"instance">) =>
  tables(db)
    .selectFrom("http_synapse as s")
    .leftJoin("http_synapse_version as v", (join) =>
      join
        .onRef("v.synapse_id", "=", "s.id")
        .onRef("v.version", "=", "s.published_version")
        .onRef("v.instance_id", "=", "s.instance_id"),
    )
    .select([
      "v.published_at",
      sql<number>`(SELECT count(*)::int FROM connector c
                    WHERE c.type = s.id AND c.instance_id = s.instance_id AND c.status <> 'DELETED')`.as(
        "connection_count",
      ),
    ])
    .where("s.instance_id", "=", at);

const synapses = (db: Db, at: Id<"instance">) =>
  withVersions(db, at).selectAll("s").select("v.definition as published");

export interface ListedSynapse extends Omit<SynapseRow, "draft" | "published" | "trial" | "trial_sealed"> {
  has_draft: boolean;
  /** Of the draft where there is one. */
  display_name: string;
  description: string;
  entity_count: number;
}

const SHOWN = sql`coalesce(s.draft, v.definition)`;

/** By name, without their definitions, which may be large. */
export const readSynapses = (db: Db, at: Id<"instance">): Promise<ListedSynapse[]> =>
  withVersions(db, at)
    .select([
      ...(["s.id", "s.instance_id", "s.name", "s.icon", "s.share_scope", "s.published_version"] as const),
      ...(["s.draft_revision", "s.created_at", "s.created_by", "s.updated_at"] as const),
      sql<boolean>`s.draft IS NOT NULL`.as("has_draft"),
      sql<string>`${SHOWN} #>> '{settings,displayName}'`.as("display_name"),
      sql<string>`coalesce(${SHOWN} #>> '{settings,description}', '')`.as("description"),
      sql<number>`jsonb_array_length(${SHOWN} -> 'entities')`.as("entity_count"),
    ])
    .orderBy(sql`lower(s.name)`)
    .execute();

export const findSynapse = async (db: Db, { instanceId, synapseId }: SynapsePlace): Promise<SynapseRow | null> =>
  (await synapses(db, instanceId).where("s.id", "=", synapseId).executeTakeFirst()) ?? null;

/** Holds the synapse for the rest of the transaction. */
export const lockSynapse = async (tx: Db, { instanceId, synapseId }: SynapsePlace): Promise<SynapseRow | null> =>
  (await synapses(tx, instanceId).where("s.id", "=", synapseId).forUpdate("s").executeTakeFirst()) ?? null;

export interface NewSynapse {
  id: Id<"customSynapse">;
  instanceId: Id<"instance">;
  name: string;
  icon: string | null;
  draft: HttpSynapseDefinition;
  trial: Trial;
  by: string;
  now: Date;
}

/** @throws when the name is taken: see `isNameTaken`. */
export async function insertSynapse(db: Db, { id, instanceId, name, icon, draft, trial, by, now }: NewSynapse) {
  await tables(db)
    .insertInto("http_synapse")
    .values({
      id,
      instance_id: instanceId,
      name,
      icon,
      share_scope: "PRIVATE",
      published_version: null,
      draft: json(draft),
      draft_revision: 1,
      trial: json(trial),
      trial_sealed: null,
      created_at: now.toISOString(),
      created_by: by,
      updated_at: now.toISOString(),
    })
    .execute();
}

export interface SynapseEdit {
  icon?: string | null;
  shareScope?: ShareScope;
  publishedVersion?: number;
  draft?: HttpSynapseDefinition | null;
  draftRevision?: number;
  trial?: Trial;
  trialSealed?: string | null;
}

export async function editSynapse(db: Db, { instanceId, synapseId }: SynapsePlace, edit: SynapseEdit, now: Date) {
  await tables(db)
    .updateTable("http_synapse")
    .set({
      ...(edit.icon !== undefined && { icon: edit.icon }),
      ...(edit.shareScope !== undefined && { share_scope: edit.shareScope }),
      ...(edit.publishedVersion !== undefined && { published_version: edit.publishedVersion }),
      ...(edit.draft !== undefined && { draft: edit.draft && json(edit.draft) }),
      ...(edit.draftRevision !== undefined && { draft_revision: edit.draftRevision }),
      ...(edit.trial !== undefined && { trial: json(edit.trial) }),
      ...(edit.trialSealed !== undefined && { trial_sealed: edit.trialSealed }),
      updated_at: now.toISOString(),
    })
    .where("instance_id", "=", instanceId)
    .where("id", "=", synapseId)
    .execute();
}

export async function deleteSynapse(db: Db, { instanceId, synapseId }: SynapsePlace): Promise<void> {
  await tables(db)
    .deleteFrom("http_synapse")
    .where("instance_id", "=", instanceId)
    .where("id", "=", synapseId)
    .execute();
}

export async function insertVersion(
  db: Db,
  { instanceId, synapseId }: SynapsePlace,
  { version, definition, by, now }: { version: number; definition: HttpSynapseDefinition; by: string; now: Date },
): Promise<void> {
  await sql`INSERT INTO http_synapse_version (synapse_id, instance_id, version, definition, published_at, published_by)
            SELECT s.id, s.instance_id, ${version}, ${JSON.stringify(definition)}::jsonb, ${now.toISOString()}, ${by}
              FROM http_synapse s WHERE s.id = ${synapseId} AND s.instance_id = ${instanceId}`.execute(db);
}

export async function findVersion(
  db: Db,
  { instanceId, synapseId }: SynapsePlace,
  version: number,
): Promise<HttpSynapseDefinition | null> {
  const row = await tables(db)
    .selectFrom("http_synapse_version")
    .select("definition")
    .where("instance_id", "=", instanceId)
    .where("synapse_id", "=", synapseId)
    .where("version", "=", version)
    .executeTakeFirst();
  return row?.definition ?? null;
}

export const readShares = async (db: Db, { instanceId, synapseId }: SynapsePlace): Promise<Id<"instance">[]> => {
  const rows = await tables(db)
    .selectFrom("http_synapse_share")
    .select("shared_with")
    .where("instance_id", "=", instanceId)
    .where("synapse_id", "=", synapseId)
    .orderBy("shared_with")
    .execute();
  return rows.map(({ shared_with: id }) => id);
};

export async function replaceShares(
  db: Db,
  { instanceId, synapseId }: SynapsePlace,
  sharedWith: readonly string[],
): Promise<void> {
  await tables(db)
    .deleteFrom("http_synapse_share")
    .where("instance_id", "=", instanceId)
    .where("synapse_id", "=", synapseId)
    .execute();
  await sql`INSERT INTO http_synapse_share (synapse_id, instance_id, shared_with)
            SELECT s.id, s.instance_id, i.id FROM http_synapse s, instance i
             WHERE s.id = ${synapseId} AND s.instance_id = ${instanceId} AND i.id = ANY(${[...sharedWith]})`.execute(
    db,
  );
}

/** Connections in instances that the synapse does not reach. */
export async function countLost(db: Db, { instanceId, synapseId }: SynapsePlace): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM connector c JOIN http_synapse s ON s.id = c.type
     WHERE s.id = ${synapseId} AND s.instance_id = ${instanceId} AND c.status <> 'DELETED'
       AND NOT ${reaches(sql`c.instance_id`)}`.execute(db);
  return rows[0]?.count ?? 0;
}

export interface SynapseConnection {
  id: Id<"connector">;
  instance_id: Id<"instance">;
  name: string;
}

/** Connections of a synapse in all instances: what its owner does to it, happens to them. */
export async function readConnectionsOf(db: Db, { instanceId, synapseId }: SynapsePlace): Promise<SynapseConnection[]> {
  const { rows } = await sql<SynapseConnection>`
    SELECT c.id, c.instance_id, c.name FROM connector c JOIN http_synapse s ON s.id = c.type
     WHERE s.id = ${synapseId} AND s.instance_id = ${instanceId} AND c.status <> 'DELETED' ORDER BY lower(c.name)`.execute(
    db,
  );
  return rows;
}

/** Writes them anew, so that whoever keeps what they were reads them again. */
export async function touchConnectionsOf(db: Db, { instanceId, synapseId }: SynapsePlace, now: Date): Promise<void> {
  await sql`UPDATE connector c SET updated_at = ${now.toISOString()} FROM http_synapse s
             WHERE s.id = c.type AND s.id = ${synapseId} AND s.instance_id = ${instanceId}
               AND c.status <> 'DELETED'`.execute(db);
}
