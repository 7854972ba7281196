/** Values that authority kept out, noted and taken off again with the page they came with. */
import type { CommitBatch } from "@accord/sync-engine/run";
import type { PoolClient } from "pg";

/** `table`: qualified and quoted. A place has one standing objection to a field. */
export async function writeConflicts(
  client: PoolClient,
  table: string,
  pipelineId: string,
  { placeId, conflicts = [], agreed = [] }: Pick<CommitBatch, "placeId" | "conflicts" | "agreed">,
): Promise<void> {
  if (agreed.length > 0) {
    await client.query(
      `DELETE FROM ${table} c USING unnest($2::text[], $3::text[]) AS w(record_id, field)
       WHERE c.place = $1 AND c.record_id = w.record_id AND c.field = w.field`,
      [placeId, agreed.map(({ recordId }) => recordId), agreed.map(({ field }) => field)],
    );
  }
  if (conflicts.length === 0) return;
  await client.query(
    `INSERT INTO ${table} AS c (pipeline_id, place, record_id, field, value, at, reason)
     SELECT $1, $2, w.* FROM unnest($3::text[], $4::text[], $5::jsonb[], $6::text[], $7::text[])
            AS w(record_id, field, value, at, reason)
     ON CONFLICT (record_id, field, place) DO UPDATE
     SET value = EXCLUDED.value, at = EXCLUDED.at, reason = EXCLUDED.reason, noticed_at = now(),
         settled_at = CASE WHEN c.value IS NOT DISTINCT FROM EXCLUDED.value THEN c.settled_at END,
         settled_by = CASE WHEN c.value IS NOT DISTINCT FROM EXCLUDED.value THEN c.settled_by END`,
    [
      pipelineId,
      placeId,
      conflicts.map(({ recordId }) => recordId),
      conflicts.map(({ field }) => field),
      conflicts.map(({ value }) => JSON.stringify(value)),
      conflicts.map(({ at }) => at),
      conflicts.map(({ reason }) => reason),
    ],
  );
}
