/** References whose targets were missing: found again when the targets appear, in the core and at destinations. */
import {
  type ClaimedDelivery,
  type CommitBatch,
  REMOVED_BY_US,
  type ResolvedReference,
  type DeliveryResult,
  type StoredRecord,
} from "@accord/sync-engine/run";
import type { PoolClient, QueryResultRow } from "pg";
import type { Pool } from "../../../../../platform/db/db.ts";
import { RENEW_DELIVERY_SQL } from "../deliveries/enqueue-deliveries.store.ts";

/** Resolved at once; the rest has its turn in the next cycle or page of work. */
const AT_ONCE = 500;

export interface ReferenceParts {
  pipelineId: string;
  schema: string;
  recordColumns: string;
  records: string;
  readRecord: (row: QueryResultRow) => StoredRecord;
}

export function pendingReferences(pool: Pool, parts: ReferenceParts) {
  const table = (name: string): string => `${parts.schema}.${name}`;

  /** Pending references of this pipeline whose targets are known now. A target that was merged is its winner, one parted again itself. */
  async function findResolved(): Promise<ResolvedReference[]> {
    const { rows } = await pool.query(
      `SELECT pr.field, pr.place::int AS place, pr.at, ${parts.recordColumns}, (
                WITH RECURSIVE chain AS (
                  SELECT l.record_id AS id, 0 AS steps
                  UNION ALL
                  SELECT m.winner_id, c.steps + 1 FROM chain c
                  JOIN ${table("merged_record")} m ON m.loser_id = c.id AND NOT m.undone WHERE c.steps < 100
                ) SELECT id FROM chain ORDER BY steps DESC LIMIT 1) AS target
       FROM ${table("pending_reference")} pr
       JOIN ${table("place")} p ON p.connector_id = pr.connector_id AND p.entity = pr.entity
       JOIN ${table("link")} l ON l.place = p.number AND l.external_id = pr.external_id
         AND (NOT l.dead OR EXISTS (
           SELECT FROM ${table("merged_record")} m WHERE m.loser_id = l.record_id AND (NOT m.undone OR l.told = $2)))
       JOIN ${parts.records} r ON r.accord_id = pr.record_id AND NOT r.accord_deleted
       WHERE pr.pipeline_id = $1 AND pr.place IS NOT NULL ORDER BY pr.record_id, pr.field, p.number LIMIT ${AT_ONCE}`,
      [parts.pipelineId, REMOVED_BY_US],
    );
    const found = new Map<string, ResolvedReference>();
    for (const row of rows) {
      const record = parts.readRecord(row);
      const { field, place: placeId, at, target: targetId } = row;
      const key = `${record.recordId} ${field}`;
      if (!found.has(key)) found.set(key, { record, field, targetId, placeId, at });
    }
    return [...found.values()];
  }

  /**
   * Destinations that were notified of a record without a reference learn of it again once its target is there, or one
   * merged into it. A target that was merged away since is its winner.
   */
  async function renewWaiting(placeIds: readonly number[]): Promise<void> {
    await pool.query(
      `WITH RECURSIVE up AS (
         SELECT target_id, target_id AS record_id FROM ${table("waiting_reference")} WHERE place = ANY($1::smallint[])
         UNION
         SELECT u.target_id, m.winner_id FROM up u
         JOIN ${table("merged_record")} m ON m.loser_id = u.record_id AND NOT m.undone
       ), standing AS (
         SELECT u.target_id, u.record_id, true AS is_meant FROM up u
         WHERE NOT EXISTS (SELECT FROM ${table("merged_record")} m WHERE m.loser_id = u.record_id AND NOT m.undone)
         UNION
         SELECT s.target_id, m.loser_id, false FROM standing s
         JOIN ${table("merged_record")} m ON m.winner_id = s.record_id AND NOT m.undone
       ), found AS (
         DELETE FROM ${table("waiting_reference")} w USING standing s, ${table("place")} p, ${table("link")} l
         WHERE w.place = ANY($1::smallint[]) AND p.connector_id = w.connector_id AND p.entity = w.entity
           AND s.target_id = w.target_id AND l.place = p.number AND l.record_id = s.record_id AND NOT l.dead
           AND (s.is_meant
             OR NOT EXISTS (SELECT FROM ${table("delivery")} d WHERE d.place = l.place AND d.record_id = l.record_id))
         RETURNING w.place, w.record_id
       )
       INSERT INTO ${table("delivery")} AS d (place, record_id, wanted)
       SELECT DISTINCT place, record_id, extract(epoch FROM now())::int FROM found
       ON CONFLICT (place, record_id) DO UPDATE SET ${RENEW_DELIVERY_SQL}`,
      [placeIds],
    );
  }

  /** Says of claimed records which references the place itself has left open. */
  async function addOpen(placeId: number, deliveries: ClaimedDelivery[]): Promise<void> {
    const { rows } = await pool.query(
      `SELECT record_id, array_agg(field) AS fields FROM ${table("pending_reference")}
       WHERE place = $1 AND record_id = ANY($2::text[]) GROUP BY record_id`,
      [placeId, deliveries.map(({ recordId }) => recordId)],
    );
    const open = new Map(rows.map((row): [string, string[]] => [row.record_id, row.fields]));
    for (const delivery of deliveries) {
      const fields = open.get(delivery.recordId);
      if (fields) delivery.open = fields;
    }
  }

  async function write(
    client: PoolClient,
    { placeId, pending, clearedPending = [], resolvedPending = [] }: CommitBatch,
  ): Promise<void> {
    if (clearedPending.length > 0) {
      await client.query(
        `DELETE FROM ${table("pending_reference")} pr USING unnest($1::text[], $2::text[], $4::boolean[]) AS w(record_id, field, everywhere)
         WHERE pr.record_id = w.record_id AND pr.field = w.field AND (w.everywhere OR pr.place = $3 OR pr.place IS NULL)`,
        [
          clearedPending.map(({ recordId }) => recordId),
          clearedPending.map(({ field }) => field),
          placeId,
          clearedPending.map(({ isEverywhere }) => isEverywhere === true),
        ],
      );
    }
    if (resolvedPending.length > 0) {
      await client.query(
        `DELETE FROM ${table("pending_reference")} pr USING unnest($1::text[], $2::text[]) AS w(record_id, field)
         WHERE pr.record_id = w.record_id AND pr.field = w.field`,
        [resolvedPending.map(({ recordId }) => recordId), resolvedPending.map(({ field }) => field)],
      );
    }
    if (pending.length === 0) return;
    await client.query(
      `INSERT INTO ${table("pending_reference")} (pipeline_id, place, record_id, field, connector_id, entity, external_id, at)
       SELECT DISTINCT ON (w.record_id, w.field) $1, $2::smallint, w.*
       FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
            AS w(record_id, field, connector_id, entity, external_id, at)
       ON CONFLICT (record_id, field) DO UPDATE
       SET pipeline_id = EXCLUDED.pipeline_id, place = EXCLUDED.place, connector_id = EXCLUDED.connector_id,
           entity = EXCLUDED.entity, external_id = EXCLUDED.external_id, at = EXCLUDED.at`,
      [
        parts.pipelineId,
        placeId,
        pending.map(({ recordId }) => recordId),
        pending.map(({ field }) => field),
        pending.map(({ connectorId }) => connectorId),
        pending.map(({ entity }) => entity),
        pending.map(({ externalId }) => externalId),
        pending.map(({ at }) => at),
      ],
    );
  }

  async function writeWaiting(
    client: PoolClient,
    placeId: number,
    settlements: readonly DeliveryResult[],
  ): Promise<void> {
    const waits = settlements.flatMap(({ recordId, waits: open = [] }) => open.map((wait) => ({ recordId, ...wait })));
    if (waits.length === 0) return;
    await client.query(
      `INSERT INTO ${table("waiting_reference")} (place, record_id, connector_id, entity, target_id)
       SELECT $1, w.* FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS w(record_id, connector_id, entity, target_id)
       ON CONFLICT DO NOTHING`,
      [
        placeId,
        waits.map(({ recordId }) => recordId),
        waits.map(({ connectorId }) => connectorId),
        waits.map(({ entity }) => entity),
        waits.map(({ targetId }) => targetId),
      ],
    );
  }

  return { findResolved, renewWaiting, addOpen, write, writeWaiting };
}
