/**
 * What a repair asks of the engine: readings, deliveries, deletions to take, and links put back or corrected. No value of
 * a record or a system is written here: that is left to cycles.
 */
import { offsetOf, REMOVED_BY_US, UNKNOWN } from "@accord/sync-engine/run";
import type { PoolClient } from "pg";
import { instanceSchema, type Pool } from "../../../../platform/db/db.ts";
import { transaction } from "../../../../platform/db/transaction.ts";
import { quoteIdentifier, recordTable } from "../../../data/schema/index.ts";
import { enqueueSql } from "../../runs/index.ts";
import type { PipelineKey } from "../comparison/evidence.store.ts";

export interface RepairWork {
  placeId: number;
  /** `isNews`: only what differs from what was last read counts; else all of it does. */
  reads: { externalId: string; isNews: boolean }[];
  /** Ask for single records; else the whole source is read again by a resync. */
  isReadById: boolean;
  links: { externalId: string; recordId: string }[];
  deleted: string[];
  /** `writeIndex`: of the field to send anew; null sends what the engine finds to send. */
  sends: { recordId: string; writeIndex: number | null }[];
  /** Records that are gone there, to be created anew; `externalId`: of the link that still says it is alive. */
  recreations: { externalId: string | null; recordId: string }[];
  deletions: string[];
}

/** A link that names nothing as seen: the next reading is news in all its fields. */
const NOTHING_SEEN = UNKNOWN;

export function repairStore(pool: Pool, newId: () => string) {
  return {
    async request({ instanceId, pipelineId }: PipelineKey, apiName: string, work: RepairWork): Promise<void> {
      const schema = quoteIdentifier(instanceSchema(instanceId));
      await transaction(pool, async ({ client }) => {
        await putBackLinks(client, schema, work);
        await requestReads(client, { schema, pipelineId, newId, records: recordTable(instanceId, apiName) }, work);
        await client.query(
          `INSERT INTO ${schema}.missing_record (place, external_id)
           SELECT l.place, l.external_id FROM ${schema}.link l
           WHERE l.place = $1 AND l.external_id = ANY($2::text[]) AND NOT l.dead ON CONFLICT DO NOTHING`,
          [work.placeId, work.deleted],
        );
        await requestDeliveries(client, schema, work);
      });
    },
  };
}

export type RepairStore = ReturnType<typeof repairStore>;

async function putBackLinks(client: PoolClient, schema: string, { placeId, links }: RepairWork): Promise<void> {
  await client.query(
    `INSERT INTO ${schema}.link (place, external_id, record_id, seen)
     SELECT $1, l.external_id, l.record_id, '${NOTHING_SEEN}' FROM unnest($2::text[], $3::text[]) AS l(external_id, record_id)
     ON CONFLICT DO NOTHING`,
    [placeId, links.map(({ externalId }) => externalId), links.map(({ recordId }) => recordId)],
  );
}

async function requestReads(
  client: PoolClient,
  scope: { schema: string; pipelineId: string; records: string; newId: () => string },
  { placeId, reads, links, isReadById }: RepairWork,
): Promise<void> {
  const { schema, pipelineId, records, newId } = scope;
  const all = [...reads.map(({ externalId }) => externalId), ...links.map(({ externalId }) => externalId)];
  if (all.length === 0) return;
  const whole = reads.filter(({ isNews }) => !isNews).map(({ externalId }) => externalId);
  // A link to a record that no longer exists ties the external record to nothing.
  await client.query(
    `DELETE FROM ${schema}.link l WHERE l.place = $1 AND l.external_id = ANY($2::text[])
       AND NOT EXISTS (SELECT FROM ${records} r WHERE r.accord_id = l.record_id)`,
    [placeId, all],
  );
  await client.query(
    `UPDATE ${schema}.link SET modified_at = NULL,
       seen = CASE WHEN external_id = ANY($3::text[]) THEN '${NOTHING_SEEN}' ELSE seen END
     WHERE place = $1 AND external_id = ANY($2::text[])`,
    [placeId, all, whole],
  );
  if (!isReadById) return;
  await client.query(
    `INSERT INTO ${schema}.quarantine (id, pipeline_id, place, direction, status, external_id, code, message, payload)
     SELECT w.id, $1, $2, 'source', 'RETRYING', w.external_id, 'read_again', 'To be read again after a reconciliation.', '{}'
     FROM unnest($3::text[], $4::text[]) AS w(id, external_id)
     ON CONFLICT (place, direction, (coalesce(external_id, record_id, ''))) WHERE status <> 'RESOLVED'
     DO UPDATE SET status = CASE WHEN quarantine.code = 'unreadable' THEN quarantine.status ELSE 'RETRYING' END`,
    [pipelineId, placeId, all.map(() => newId()), all],
  );
}

async function requestDeliveries(
  client: PoolClient,
  schema: string,
  { placeId, sends, recreations, deletions }: RepairWork,
): Promise<void> {
  const fields = sends.filter(({ writeIndex }) => writeIndex !== null);
  await client.query(
    `UPDATE ${schema}.link l SET told = overlay(l.told placing '${UNKNOWN}' from w.begins + 1 for ${UNKNOWN.length})
     FROM (SELECT record_id, begins FROM unnest($2::text[], $3::int[]) AS f(record_id, begins)) w
     WHERE l.place = $1 AND l.record_id = w.record_id AND length(l.told) >= w.begins + ${UNKNOWN.length}`,
    [placeId, fields.map(({ recordId }) => recordId), fields.map(({ writeIndex }) => offsetOf(writeIndex ?? 0))],
  );
  // As if we had removed it there ourselves: then it comes back with its record, whatever the settings.
  await client.query(
    `UPDATE ${schema}.link l SET dead = true, told = $4
     WHERE l.place = $1 AND (l.external_id = ANY($2::text[]) OR (l.dead AND l.record_id = ANY($3::text[])))`,
    [
      placeId,
      recreations.flatMap(({ externalId }) => externalId ?? []),
      recreations.map(({ recordId }) => recordId),
      REMOVED_BY_US,
    ],
  );
  await client.query(`UPDATE ${schema}.link l SET dead = false WHERE l.place = $1 AND l.record_id = ANY($2::text[])`, [
    placeId,
    deletions,
  ]);
  const recordIds = [
    ...sends.map(({ recordId }) => recordId),
    ...recreations.map(({ recordId }) => recordId),
    ...deletions,
  ];
  await client.query(enqueueSql(`${schema}.delivery`), [recordIds.map(() => placeId), recordIds]);
}
