/** What was quarantined for an external record of another record: tried again once that has it no more, or has another key. */
import type { FreedRecord } from "@accord/sync-engine/run";
import type { PoolClient } from "pg";
import { renewedAfter } from "./enqueue-deliveries.store.ts";

/** SQL that holds where `externalId` at `place` is another living record's than `recordId`; each an SQL expression. */
export const heldSql = (
  schema: string,
  { place, externalId, recordId }: { place: string; externalId: string; recordId: string },
): string => `EXISTS (SELECT FROM ${schema}.link h
  WHERE h.place = ${place} AND h.external_id = ${externalId} AND h.record_id <> ${recordId} AND NOT h.dead
    AND NOT EXISTS (SELECT FROM ${schema}.let_go_record g WHERE g.record_id = h.record_id))`;

/**
 * Deliveries parked for these external records, which no other record has now or whose key changed, are due as if a
 * person had tried them again. Not those that a person let go. Where one changes its key twice, the later time counts.
 */
export async function releaseFreed(
  client: PoolClient,
  schema: string,
  freed: readonly (FreedRecord & { placeId: number })[],
): Promise<void> {
  if (freed.length === 0) return;
  const isHeld = heldSql(schema, { place: "d.place", externalId: "d.taken_id", recordId: "d.record_id" });
  await client.query(
    `WITH free AS (
       SELECT d.place, d.record_id, coalesce(max(w.delay_ms), 0) AS delay_ms
       FROM unnest($1::smallint[], $2::text[], $3::float8[]) AS w(place, external_id, delay_ms)
       JOIN ${schema}.delivery d ON d.place = w.place AND d.taken_id = w.external_id AND d.parked
       WHERE w.delay_ms IS NOT NULL OR NOT ${isHeld}
       GROUP BY d.place, d.record_id
     ), tried AS (
       UPDATE ${schema}.quarantine q SET status = 'RETRYING' FROM free f
       WHERE q.place = f.place AND q.record_id = f.record_id AND q.direction = 'destination'
         AND q.status <> 'RESOLVED' AND q.code = 'already_linked'
       RETURNING q.place, q.record_id, f.delay_ms
     ), renewed AS (
       SELECT DISTINCT place, record_id, delay_ms FROM tried
     )
     UPDATE ${schema}.delivery d SET ${renewedAfter("r.delay_ms")}, taken_id = NULL, taken_key = NULL FROM renewed r
     WHERE d.place = r.place AND d.record_id = r.record_id`,
    [
      freed.map(({ placeId }) => placeId),
      freed.map(({ externalId }) => externalId),
      freed.map(({ rekeyedForMs }) => rekeyedForMs ?? null),
    ],
  );
}
