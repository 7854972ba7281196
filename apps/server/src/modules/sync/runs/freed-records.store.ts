/** What was set aside for an outside record of another record: found and tried again once that one has it no more. */
import type { PoolClient } from "pg";
import { RENEWED } from "./want-deliveries.store.ts";

/** SQL that holds where `externalId` at `place` is another living record's than `recordId`; each an SQL expression. */
export const heldSql = (
  schema: string,
  { place, externalId, recordId }: { place: string; externalId: string; recordId: string },
): string => `EXISTS (SELECT FROM ${schema}.link h
  WHERE h.place = ${place} AND h.external_id = ${externalId} AND h.record_id <> ${recordId} AND NOT h.dead
    AND NOT EXISTS (SELECT FROM ${schema}.let_go_record g WHERE g.record_id = h.record_id))`;

/**
 * Deliveries parked for these outside records, which no other record has now, are due as if a person had tried them
 * again. Not those that a person let go.
 */
export async function releaseFreed(
  client: PoolClient,
  schema: string,
  freed: readonly { placeId: number; externalId: string }[],
): Promise<void> {
  if (freed.length === 0) return;
  const isHeld = heldSql(schema, { place: "d.place", externalId: "d.taken_id", recordId: "d.record_id" });
  await client.query(
    `WITH free AS (
       SELECT DISTINCT d.place, d.record_id FROM unnest($1::smallint[], $2::text[]) AS w(place, external_id)
       JOIN ${schema}.delivery d ON d.place = w.place AND d.taken_id = w.external_id AND d.parked
       WHERE NOT ${isHeld}
     ), tried AS (
       UPDATE ${schema}.quarantine q SET status = 'RETRYING' FROM free f
       WHERE q.place = f.place AND q.record_id = f.record_id AND q.direction = 'destination'
         AND q.status <> 'RESOLVED' AND q.code = 'already_linked'
       RETURNING q.place, q.record_id
     )
     UPDATE ${schema}.delivery d SET ${RENEWED}, taken_id = NULL, taken_key = NULL FROM tried t
     WHERE d.place = t.place AND d.record_id = t.record_id`,
    [freed.map(({ placeId }) => placeId), freed.map(({ externalId }) => externalId)],
  );
}
