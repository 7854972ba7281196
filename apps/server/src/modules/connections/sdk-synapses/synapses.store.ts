/** Uploaded synapses, who shares them, and the connections that use them. Decides nothing. */
import type { Id } from "@accord/contracts";
import type { DeploymentStatus, ShareScope } from "@accord/contracts/connections/sdk-synapse-shapes";
import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

type InstanceId = Id<"instance">;
type SynapseId = Id<"sdkSynapse">;

export interface SynapseRow {
  instance_id: InstanceId;
  id: SynapseId;
  name: string;
  display_name: string;
  publish_to_global: boolean;
  is_global: boolean;
  scope: Exclude<ShareScope, "GLOBAL">;
  deployment_status: DeploymentStatus | null;
  deployment_message: string | null;
  version: number;
  created_at: string;
}

/** Own ones; of others those with an approved version that are shared with the instance. */
const visibleTo = (at: InstanceId) => sql<boolean>`(s.instance_id = ${at} OR (
  EXISTS (SELECT FROM sdk_synapse_version v WHERE v.synapse_id = s.id AND v.approval_status = 'APPROVED')
  AND (s.is_global
    OR (s.scope = 'SELECTED' AND EXISTS (
      SELECT FROM sdk_synapse_share h WHERE h.synapse_id = s.id AND h.instance_id = ${at}))
    OR (s.scope = 'SUBSCRIPTION' AND EXISTS (
      SELECT FROM instance mine JOIN instance own ON own.organisation_id = mine.organisation_id
      WHERE mine.id = ${at} AND own.id = s.instance_id)))))`;

export async function readVisible(db: Db, at: InstanceId): Promise<SynapseRow[]> {
  const { rows } = await sql<SynapseRow>`SELECT s.* FROM sdk_synapse s WHERE ${visibleTo(at)}
    ORDER BY lower(s.display_name), s.id`.execute(db);
  return rows;
}

export async function findVisible(db: Db, at: InstanceId, id: string): Promise<SynapseRow | null> {
  const { rows } = await sql<SynapseRow>`SELECT s.* FROM sdk_synapse s WHERE s.id = ${id} AND ${visibleTo(at)}`.execute(
    db,
  );
  return rows[0] ?? null;
}

export async function findOwn(db: Db, at: InstanceId, id: string): Promise<SynapseRow | null> {
  const { rows } = await sql<SynapseRow>`SELECT * FROM sdk_synapse WHERE instance_id = ${at} AND id = ${id}`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** The same, and nobody else changes it until the transaction ends. */
export async function lockOwn(db: Db, at: InstanceId, id: string): Promise<SynapseRow | null> {
  const { rows } = await sql<SynapseRow>`SELECT * FROM sdk_synapse
    WHERE instance_id = ${at} AND id = ${id} FOR UPDATE`.execute(db);
  return rows[0] ?? null;
}

/**
 * Keeps a synapse from being deleted, and from being taken away from an instance, for the rest of the transaction. False
 * where the instance may not connect it.
 */
export async function holdToConnect(tx: Db, at: InstanceId, id: string): Promise<boolean> {
  // Locked first: who waits for somebody else's change judges by what that left.
  await sql`SELECT FROM sdk_synapse WHERE id = ${id} FOR SHARE`.execute(tx);
  const { rows } = await sql`SELECT FROM sdk_synapse s WHERE s.id = ${id} AND ${visibleTo(at)} AND EXISTS (
    SELECT FROM sdk_synapse_version v WHERE v.synapse_id = s.id AND v.approval_status = 'APPROVED')`.execute(tx);
  return rows.length > 0;
}

export async function insertSynapse(
  db: Db,
  made: Pick<SynapseRow, "instance_id" | "id" | "name" | "display_name" | "publish_to_global"> & { now: Date },
): Promise<void> {
  await sql`INSERT INTO sdk_synapse (instance_id, id, name, display_name, publish_to_global, created_at)
    VALUES (${made.instance_id}, ${made.id}, ${made.name}, ${made.display_name}, ${made.publish_to_global}, ${made.now})`.execute(
    db,
  );
}

/** Whether it still had this version. What is no longer to be global is not from now on. */
export async function updateSynapse(
  db: Db,
  at: InstanceId,
  id: SynapseId,
  change: { version: number; displayName: string; publishToGlobal: boolean },
): Promise<boolean> {
  const { numAffectedRows } = await sql`UPDATE sdk_synapse SET display_name = ${change.displayName},
      publish_to_global = ${change.publishToGlobal}, is_global = is_global AND ${change.publishToGlobal},
      version = version + 1
    WHERE instance_id = ${at} AND id = ${id} AND version = ${change.version}`.execute(db);
  return numAffectedRows === 1n;
}

export async function setDeployment(
  db: Db,
  at: InstanceId,
  id: SynapseId,
  status: DeploymentStatus | null,
  message: string | null,
): Promise<void> {
  await sql`UPDATE sdk_synapse SET deployment_status = ${status}, deployment_message = ${message}
    WHERE instance_id = ${at} AND id = ${id}`.execute(db);
}

/** As it was approved, unless it is not wanted any more. */
export async function makeGlobal(db: Db, at: InstanceId, id: SynapseId, isApproved: boolean): Promise<void> {
  await sql`UPDATE sdk_synapse SET is_global = publish_to_global AND ${isApproved} WHERE instance_id = ${at} AND id = ${id}`.execute(
    db,
  );
}

export async function deleteSynapse(db: Db, at: InstanceId, id: SynapseId): Promise<void> {
  await sql`DELETE FROM sdk_synapse WHERE instance_id = ${at} AND id = ${id}`.execute(db);
}

/** Only of an own one. */
const isOwn = (at: InstanceId) => sql<boolean>`EXISTS (
  SELECT FROM sdk_synapse s WHERE s.id = synapse_id AND s.instance_id = ${at})`;

export async function readShares(db: Db, at: InstanceId, id: SynapseId): Promise<InstanceId[]> {
  const { rows } = await sql<{ instance_id: InstanceId }>`SELECT instance_id FROM sdk_synapse_share
    WHERE synapse_id = ${id} AND ${isOwn(at)} ORDER BY instance_id`.execute(db);
  return rows.map((row) => row.instance_id);
}

export async function replaceShares(
  db: Db,
  at: InstanceId,
  id: SynapseId,
  { scope, instanceIds }: { scope: SynapseRow["scope"]; instanceIds: readonly string[] },
): Promise<void> {
  await sql`UPDATE sdk_synapse SET scope = ${scope}, version = version + 1
    WHERE instance_id = ${at} AND id = ${id}`.execute(db);
  await sql`DELETE FROM sdk_synapse_share WHERE synapse_id = ${id} AND ${isOwn(at)}`.execute(db);
  await sql`INSERT INTO sdk_synapse_share (instance_id, synapse_id)
    SELECT wanted, s.id FROM unnest(${instanceIds}::text[]) wanted, sdk_synapse s
    WHERE s.id = ${id} AND s.instance_id = ${at}`.execute(db);
}

/** Connections of these types in the instance. */
export async function countConnections(
  db: Db,
  at: InstanceId,
  types: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ type: string; count: number }>`SELECT type, count(*)::int AS count FROM connector
    WHERE instance_id = ${at} AND type = ANY (${types}::text[]) AND type LIKE 'sdk:%' AND status <> 'DELETED'
    GROUP BY type`.execute(db);
  return new Map(rows.map(({ type, count }) => [type, count]));
}

export interface UsingConnection {
  id: string;
  instance_id: string;
  name: string;
}

/** Of all instances: whoever uses it would lose it. */
export async function readUses(db: Db, type: string): Promise<UsingConnection[]> {
  const { rows } = await sql<UsingConnection>`SELECT id, instance_id, name FROM connector
    WHERE type = ${type} AND type LIKE 'sdk:%' AND status <> 'DELETED' ORDER BY name LIMIT 100`.execute(db);
  return rows;
}

/** What connections know of their synapse, wherever they are: a version was published. */
export async function describeConnections(db: Db, type: string, member: string, description: unknown): Promise<void> {
  await sql`UPDATE connector SET config = jsonb_set(config, ARRAY[${member}]::text[], ${JSON.stringify(description)}::jsonb)
    WHERE type = ${type} AND type LIKE 'sdk:%'`.execute(db);
}
