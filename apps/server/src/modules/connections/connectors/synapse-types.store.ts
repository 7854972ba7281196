/** Published HTTP synapses that an instance may connect: its own, and those that are shared with it. Decides nothing. */
import type { Id } from "@accord/contracts";
import { sql, type RawBuilder } from "kysely";
import type { Db } from "../../../platform/db/db.ts";
import type { StoredSynapse } from "./synapse-types.ts";

/** Whether the synapse `s` may be connected in an instance. */
export const reaches = (instance: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`(
  s.instance_id = ${instance}
  OR s.share_scope = 'GLOBAL'
  OR (s.share_scope = 'INSTANCES' AND EXISTS (
    SELECT FROM http_synapse_share h WHERE h.synapse_id = s.id AND h.shared_with = ${instance}))
  OR (s.share_scope = 'SUBSCRIPTION' AND EXISTS (
    SELECT FROM instance a JOIN instance b ON b.organisation_id = a.organisation_id
     WHERE a.id = s.instance_id AND b.id = ${instance})))`;

/** Without its definition, which may be large: see `readDefinitions`. */
const FACTS = sql`jsonb_build_object('id', s.id, 'version', s.published_version, 'icon', s.icon)`;

/** The synapse of a row of `connector`; null where it is none of a synapse. */
export const synapseOfConnector = sql<StoredSynapse | null>`(
  SELECT ${FACTS} FROM http_synapse s
   WHERE s.id = connector.type AND s.published_version IS NOT NULL AND ${reaches(sql`connector.instance_id`)})`;

export async function readSynapseTypes(db: Db, at: Id<"instance">): Promise<StoredSynapse[]> {
  const { rows } = await sql<{ synapse: StoredSynapse }>`
    SELECT ${FACTS} AS synapse FROM http_synapse s
     WHERE s.published_version IS NOT NULL AND ${reaches(sql`${at}`)} ORDER BY s.id`.execute(db);
  return rows.map(({ synapse }) => synapse);
}

/** Of published versions that may be connected in an instance, with their size as they are stored. */
export async function readDefinitions(
  db: Db,
  at: Id<"instance">,
  versions: readonly Pick<StoredSynapse, "id" | "version">[],
): Promise<{ id: string; definition: unknown; bytes: number }[]> {
  const ids = versions.map(({ id }) => id);
  const numbers = versions.map(({ version }) => version);
  const { rows } = await sql<{ id: string; definition: unknown; bytes: number }>`
    SELECT s.id, v.definition, octet_length(v.definition::text) AS bytes
      FROM unnest(${ids}::text[], ${numbers}::integer[]) AS wanted (id, version)
      JOIN http_synapse s ON s.id = wanted.id
      JOIN http_synapse_version v ON v.synapse_id = s.id AND v.version = wanted.version
     WHERE ${reaches(sql`${at}`)}`.execute(db);
  return rows;
}

/**
 * Keeps a synapse from being deleted, and from being taken away, for the rest of the transaction.
 * False where there is none that may be connected.
 */
export async function holdSynapseType(tx: Db, at: Id<"instance">, synapseId: string): Promise<boolean> {
  // Locked first: who waits for somebody else's change judges by what that left.
  await sql`SELECT FROM http_synapse WHERE id = ${synapseId} FOR SHARE`.execute(tx);
  return (await findSynapseType(tx, at, synapseId)) !== null;
}

export async function findSynapseType(db: Db, at: Id<"instance">, synapseId: string): Promise<StoredSynapse | null> {
  const { rows } = await sql<{ synapse: StoredSynapse }>`
    SELECT ${FACTS} AS synapse FROM http_synapse s
     WHERE s.id = ${synapseId} AND s.published_version IS NOT NULL AND ${reaches(sql`${at}`)}`.execute(db);
  return rows[0]?.synapse ?? null;
}
