/** What a cycle begins with: its places, where reading goes on, and the records to take before anything new. */
import type { SourceRecord } from "@accord/connector-sdk";
import type { CycleSummary, LostFields, EndpointFields } from "@accord/sync-engine/run";
import type { PoolClient } from "pg";
import { instanceSchema, type Pool } from "../../../../platform/db/db.ts";
import { queryPrepared } from "../../../../platform/db/prepared.ts";
import { transaction } from "../../../../platform/db/transaction.ts";
import { quoteIdentifier } from "../../../data/schema/index.ts";
import { numberEntity } from "../storage/entity-number.store.ts";

/**
 * An external record as it was stored. One that was `listed` with other values than were read last, at a time of change
 * `knownAt`, counts only as it is found by its id.
 */
export type StoredReplay = SourceRecord & { listed?: { knownAt: string | null } };

export function cycleStarts(pool: Pool) {
  return {
    /** Numbers a pipeline's entity and places, and lets their field lists grow by what is missing. */
    async settleIn(
      instanceId: string,
      pipelineId: string,
      needs: readonly EndpointFields[],
    ): Promise<{ entityNumber: number; places: StoredPlace[] }> {
      const schema = quoteIdentifier(instanceSchema(instanceId));
      return transaction(pool, async ({ client }) => {
        const entityNumber = await numberEntity(client, schema, pipelineId);
        const places: StoredPlace[] = [];
        for (const need of needs) places.push(await settlePlace(client, schema, pipelineId, need));
        return { entityNumber, places };
      });
    },

    /**
     * Keeps by which fields the external records of places are known; answers the places whose records are tied by
     * another one, with that. A place without any living link takes whichever it is given.
     */
    async keepIdFields(instanceId: string, idFields: ReadonlyMap<number, string>): Promise<Map<number, string>> {
      const schema = quoteIdentifier(instanceSchema(instanceId));
      const { rows } = await pool.query(
        `WITH wanted AS (SELECT * FROM unnest($1::int[], $2::text[]) AS w(place, id_field)),
              kept AS (
                UPDATE ${schema}.place p SET id_field = w.id_field FROM wanted w
                WHERE p.number = w.place AND p.id_field IS DISTINCT FROM w.id_field
                  AND (p.id_field IS NULL OR NOT EXISTS (SELECT FROM ${schema}.link l WHERE l.place = p.number AND NOT l.dead))
                RETURNING p.number)
         SELECT p.number, p.id_field FROM ${schema}.place p JOIN wanted w ON p.number = w.place
         WHERE p.id_field <> w.id_field AND p.number NOT IN (SELECT number FROM kept)`,
        [[...idFields.keys()], [...idFields.values()]],
      );
      return new Map(rows.map((row) => [row.number, row.id_field]));
    },

    /**
     * Where reading goes on, by source, and external records to take before anything new is read, by place: those that a
     * person asked to try again, as they came when they failed, those found to be gone, and those listed with other
     * values than were read last; the places that nothing waits to be sent to, and the fields that places have lost.
     */
    async beginning(instanceId: string, pipelineId: string): Promise<CycleBeginning> {
      const schema = quoteIdentifier(instanceSchema(instanceId));
      const { rows } = await queryPrepared(
        pool,
        `(SELECT node_id, through, known_until, (extract(epoch FROM now() - read_at) * 1000)::float8 AS age_ms,
            NULL::int AS place, NULL AS external_id, cursor AS payload, false AS deleted, false AS listed, NULL AS modified_at, false AS is_quiet
          FROM ${schema}.source_position WHERE pipeline_id = $1)
         UNION ALL
         (SELECT NULL, NULL, NULL, NULL, place, external_id, payload, false, false, NULL, false FROM ${schema}.quarantine
          WHERE pipeline_id = $1 AND status = 'RETRYING' AND direction = 'source' AND payload IS NOT NULL
            AND code <> 'unreadable' ORDER BY id LIMIT 1000)
         UNION ALL
         (SELECT NULL, NULL, NULL, NULL, m.place, m.external_id, '{}', true, m.is_listed, l.modified_at, false FROM ${schema}.missing_record m
          JOIN ${schema}.link l ON l.place = m.place AND l.external_id = m.external_id AND NOT l.dead
          JOIN ${schema}.place p ON p.number = m.place AND p.pipeline_id = $1 LIMIT 4000)
         UNION ALL
         (SELECT NULL, NULL, NULL, NULL, p.number, NULL, nullif(p.lost_fields, '{}'), false, false, NULL,
            NOT EXISTS (SELECT FROM ${schema}.delivery d WHERE d.place = p.number) FROM ${schema}.place p
          WHERE p.pipeline_id = $1)`,
        [pipelineId],
      );
      const quiet = new Set<number>();
      const positions = new Map<string, StoredPosition>();
      const replays = new Map<number, StoredReplay[]>();
      const lostFields = new Map<number, LostFields>();
      for (const {
        node_id,
        through,
        known_until: knownUntil,
        age_ms,
        place,
        external_id: id,
        payload,
        deleted,
        listed,
        modified_at,
        is_quiet,
      } of rows) {
        if (node_id !== null) {
          positions.set(node_id, { cursor: payload, isComplete: through, knownUntil, ageMs: age_ms });
          continue;
        }
        if (id === null) {
          if (is_quiet) quiet.add(place);
          if (payload !== null) lostFields.set(place, payload);
          continue;
        }
        const facts = { ...(deleted && { deleted }), ...(listed && { listed: { knownAt: modified_at } }) };
        const record = { id, values: payload, ...facts };
        replays.set(place, [...(replays.get(place) ?? []), record]);
      }
      return { positions, replays, quiet, lostFields };
    },

    /** These are there after all: nothing takes them as gone any more. */
    async forgetMissing(instanceId: string, placeId: number, ids: readonly string[]): Promise<void> {
      const schema = quoteIdentifier(instanceSchema(instanceId));
      await pool.query(`DELETE FROM ${schema}.missing_record WHERE place = $1 AND external_id = ANY($2::text[])`, [
        placeId,
        ids,
      ]);
    },
  };
}

export interface CycleBeginning {
  /** By node id. */
  positions: Map<string, StoredPosition>;
  /** By place. */
  replays: Map<number, StoredReplay[]>;
  /** Places without any delivery, due, held or parked. */
  quiet: ReadonlySet<number>;
  /** By place, where any was lost. */
  lostFields: ReadonlyMap<number, LostFields>;
}

export interface StoredPosition {
  cursor: NonNullable<CycleSummary["positions"][number]>["cursor"];
  /** Its last reading came to an end. */
  isComplete: boolean;
  /** What changed there before this moment has been read, UTC ISO-8601; null: not known. */
  knownUntil?: string | null;
  ageMs: number;
}

export interface StoredPlace extends EndpointFields {
  id: number;
}

/** `$4`, `$5`: fields read and written; the lists only grow. */
const GROW = `
  read_fields = p.read_fields || ARRAY(SELECT f FROM unnest($4::text[]) f WHERE f <> ALL (p.read_fields)),
  told_fields = p.told_fields || ARRAY(SELECT f FROM unnest($5::text[]) f WHERE f <> ALL (p.told_fields))`;

/** An insert that finds its row there would use up a number each time: it comes last. */
async function settlePlace(
  client: PoolClient,
  schema: string,
  pipelineId: string,
  need: EndpointFields,
): Promise<StoredPlace> {
  const place = `${schema}.place`;
  const itself = "WHERE pipeline_id = $1 AND connector_id = $2 AND entity = $3";
  const wanted = "number, read_fields, told_fields";
  const statements = [
    `SELECT ${wanted} FROM ${place} ${itself} AND read_fields @> $4 AND told_fields @> $5`,
    `UPDATE ${place} p SET ${GROW} ${itself} RETURNING ${wanted}`,
    `INSERT INTO ${place} AS p (pipeline_id, connector_id, entity, read_fields, told_fields) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (pipeline_id, connector_id, entity) DO UPDATE SET ${GROW} RETURNING ${wanted}`,
  ];
  const values = [pipelineId, need.connectorId, need.entity, need.readFields, need.writeFields];
  for (const statement of statements) {
    const [row] = (await client.query(statement, values)).rows;
    if (row) return { ...need, id: row.number, readFields: row.read_fields, writeFields: row.told_fields };
  }
  throw new Error(`The place of ${need.entity} could not be written`);
}
