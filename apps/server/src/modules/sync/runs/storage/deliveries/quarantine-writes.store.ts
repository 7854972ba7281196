/** Records quarantined with their reason, and those that got through since. */
import type { CommitBatch } from "@accord/sync-engine/run";
import type { PoolClient } from "pg";
import type { StoredRows } from "../stored-rows.store.ts";

export async function quarantineRecords(
  client: PoolClient,
  { scope, table }: Pick<StoredRows, "scope" | "table">,
  batch: Pick<CommitBatch, "placeId" | "quarantine" | "settled">,
  newId: () => string,
): Promise<void> {
  for (const entry of batch.quarantine) {
    await client.query(quarantineSql(table("quarantine")), [
      newId(),
      scope.pipelineId,
      batch.placeId,
      entry.direction,
      entry.externalId,
      entry.recordId,
      entry.nodeId,
      entry.code,
      entry.message,
      entry.payload === null ? null : JSON.stringify(entry.payload),
      entry.knownUntil ?? null,
      entry.modifiedAt ?? null,
    ]);
  }
  if (batch.settled.length === 0) return;
  await client.query(
    `UPDATE ${table("quarantine")} SET status = 'RESOLVED', resolved_at = now()
     WHERE place = $1 AND direction = 'source' AND status <> 'RESOLVED' AND external_id = ANY($2::text[])`,
    [batch.placeId, batch.settled],
  );
}

const quarantineSql = (quarantine: string): string => `INSERT INTO ${quarantine}
    (id, pipeline_id, place, direction, external_id, record_id, node_id, code, message, payload, known_until, modified_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  ON CONFLICT (place, direction, (coalesce(external_id, record_id, ''))) WHERE status <> 'RESOLVED'
  DO UPDATE SET attempts = quarantine.attempts + 1, status = 'OPEN', at = now(), code = EXCLUDED.code,
    message = EXCLUDED.message, node_id = EXCLUDED.node_id, payload = EXCLUDED.payload,
    modified_at = EXCLUDED.modified_at`;
