/** What the replication slots of sources retained when they were last looked at, and which were dropped. */
import type { ReaderState } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import type { Pool } from "../../../../platform/db/db.ts";

export interface SlotOwner {
  instanceId: Id<"instance">;
  connectorId: string;
  pipelineId: string;
  nodeId: string;
}

export interface SlotState extends SlotOwner {
  name: string;
  /** null where the system can't tell. */
  retainedBytes: number | null;
  level: ReaderState["level"];
  measuredAt: string;
  /** When it was last dropped because it retained too much; null when it never was. */
  droppedAt: string | null;
  /** What it retained then. */
  droppedBytes: number | null;
}

export function replicationSlotsStore(pool: Pool) {
  const write = (owner: SlotOwner, { name, retainedBytes, level }: ReaderState, isDropped: boolean) =>
    pool.query(
      `INSERT INTO replication_slot (name, instance_id, connector_id, pipeline, node, retained_bytes, level, measured_at, dropped_at, dropped_bytes)
       VALUES ($1, $2, $3, $4, $5, $6, $7, now(), CASE WHEN $8 THEN now() END, CASE WHEN $8 THEN $6::bigint END)
       ON CONFLICT (name) DO UPDATE SET retained_bytes = excluded.retained_bytes, level = excluded.level,
         measured_at = excluded.measured_at, dropped_at = coalesce(excluded.dropped_at, replication_slot.dropped_at),
         dropped_bytes = coalesce(excluded.dropped_bytes, replication_slot.dropped_bytes)`,
      [name, owner.instanceId, owner.connectorId, owner.pipelineId, owner.nodeId, retainedBytes, level, isDropped],
    );
  return {
    /** A reader is about to begin: from now on its slot is looked for until it is gone. */
    expected: (owner: SlotOwner, name: string) =>
      pool.query(
        `INSERT INTO replication_slot (name, instance_id, connector_id, pipeline, node, level, measured_at)
         VALUES ($1, $2, $3, $4, $5, 'ok', now()) ON CONFLICT DO NOTHING`,
        [name, owner.instanceId, owner.connectorId, owner.pipelineId, owner.nodeId],
      ),

    measured: (owner: SlotOwner, state: ReaderState) => write(owner, state, false),
    dropped: (owner: SlotOwner, state: ReaderState) => write(owner, state, true),

    /** Connectors at which slots were seen that may be there still. */
    async connectors(): Promise<{ instanceId: Id<"instance">; connectorId: string }[]> {
      const { rows } = await pool.query("SELECT DISTINCT instance_id, connector_id FROM replication_slot");
      return rows.map((row) => ({ instanceId: row.instance_id, connectorId: row.connector_id }));
    },

    /** Forgets the slots of a connector that nobody needs any more, once they are gone. */
    async keepOnly(connectorId: string, names: readonly string[]): Promise<void> {
      await pool.query("DELETE FROM replication_slot WHERE connector_id = $1 AND name <> ALL ($2::text[])", [
        connectorId,
        names,
      ]);
    },

    async list(instanceId: string): Promise<SlotState[]> {
      const { rows } = await pool.query("SELECT * FROM replication_slot WHERE instance_id = $1 ORDER BY name", [
        instanceId,
      ]);
      return rows.map((row) => ({
        instanceId: row.instance_id,
        connectorId: row.connector_id,
        pipelineId: row.pipeline,
        nodeId: row.node,
        name: row.name,
        retainedBytes: row.retained_bytes === null ? null : Number(row.retained_bytes),
        level: row.level,
        measuredAt: new Date(row.measured_at).toISOString(),
        droppedAt: row.dropped_at === null ? null : new Date(row.dropped_at).toISOString(),
        droppedBytes: row.dropped_bytes === null ? null : Number(row.dropped_bytes),
      }));
    },
  };
}

export type ReplicationSlotsStore = ReturnType<typeof replicationSlotsStore>;
