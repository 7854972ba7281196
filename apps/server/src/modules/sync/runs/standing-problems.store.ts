/** What is wrong with records right now, whatever the last cycle said: quarantine, refused values, deliveries that wait. */
import type { Value } from "@accord/contracts/data/values";
import { instanceSchema, type Pool } from "../../../platform/db/db.ts";
import { quoteIdentifier } from "../../data/schema/index.ts";

/** Open quarantine entries with one reason at one node. */
export interface QuarantineCauseRow {
  pipelineId: string;
  placeId: number;
  nodeId: string | null;
  direction: "source" | "destination";
  code: string;
  count: number;
  /** Id of the newest entry. */
  sampleId: string;
  externalId: string | null;
}

/** One entry of a cause, to say in words why its records wait. */
export interface CauseSample {
  message: string;
  payload: { [field: string]: Value } | null;
  /** It is too large to be read for this: nobody knows which of its values the message repeats. */
  isPayloadLeftOut: boolean;
}

/** Records of a place whose value of a field could not be taken. */
export interface RefusedValuesRow {
  placeId: number;
  field: string;
  count: number;
  /** Of one of them. */
  externalId: string;
}

const MAX_SAMPLE_BYTES = 100_000;

export interface CauseKey {
  pipelineId: string;
  code: string;
}

export function standingProblemsStore(pool: Pool) {
  const schemaOf = (instanceId: string): string => quoteIdentifier(instanceSchema(instanceId));

  return {
    /** Of one pipeline, or of all. */
    async quarantineCauses(instanceId: string, pipelineId: string | null = null): Promise<QuarantineCauseRow[]> {
      const { rows } = await pool.query(
        `SELECT pipeline_id, place, node_id, direction, code, count(*)::int AS count,
           max(id) AS sample_id, min(coalesce(external_id, record_id)) AS external_id
         FROM ${schemaOf(instanceId)}.quarantine
         WHERE status <> 'RESOLVED' AND ($1::text IS NULL OR pipeline_id = $1)
         GROUP BY pipeline_id, place, node_id, direction, code ORDER BY count(*) DESC, code`,
        [pipelineId],
      );
      return rows.map((row) => ({
        pipelineId: row.pipeline_id,
        placeId: row.place,
        nodeId: row.node_id,
        direction: row.direction,
        code: row.code,
        count: row.count,
        sampleId: row.sample_id,
        externalId: row.external_id,
      }));
    },

    async causeSamples(instanceId: string, causes: readonly QuarantineCauseRow[]): Promise<Map<string, CauseSample>> {
      if (causes.length === 0) return new Map();
      const { rows } = await pool.query(
        `SELECT id, left(message, 2000) AS message,
           CASE WHEN pg_column_size(payload) < ${MAX_SAMPLE_BYTES} THEN payload END AS payload,
           coalesce(pg_column_size(payload) >= ${MAX_SAMPLE_BYTES}, false) AS left_out
         FROM ${schemaOf(instanceId)}.quarantine WHERE id = ANY($1::text[])`,
        [causes.map(({ sampleId }) => sampleId)],
      );
      return new Map(
        rows.map((row) => [row.id, { message: row.message, payload: row.payload, isPayloadLeftOut: row.left_out }]),
      );
    },

    /** Of these causes, those for which records were quarantined once and are not any more. */
    async resolvedCauses(instanceId: string, causes: readonly CauseKey[]): Promise<CauseKey[]> {
      if (causes.length === 0) return [];
      const quarantine = `${schemaOf(instanceId)}.quarantine`;
      const { rows } = await pool.query(
        `SELECT w.pipeline_id, w.code FROM unnest($1::text[], $2::text[]) AS w(pipeline_id, code)
         WHERE EXISTS (SELECT FROM ${quarantine} q WHERE q.pipeline_id = w.pipeline_id AND q.code = w.code)
           AND NOT EXISTS (SELECT FROM ${quarantine} q
             WHERE q.pipeline_id = w.pipeline_id AND q.code = w.code AND q.status <> 'RESOLVED')`,
        [causes.map(({ pipelineId }) => pipelineId), causes.map(({ code }) => code)],
      );
      return rows.map((row) => ({ pipelineId: row.pipeline_id, code: row.code }));
    },

    /**
     * A refused value stands until its outside record has been read with another value, or the field was taken over
     * from there. The entry and its link are written in one transaction; entries are dated to the millisecond. A reading
     * that only shows what we wrote there leaves it standing: that is why links say when they were last decided on.
     */
    async refusedValues(instanceId: string): Promise<RefusedValuesRow[]> {
      const schema = schemaOf(instanceId);
      const { rows } = await pool.query(
        `SELECT g.place, f.key AS field, count(DISTINCT g.external_id)::int AS count, min(g.external_id) AS external_id
         FROM ${schema}.ledger g
         JOIN ${schema}.link l ON l.place = g.place AND l.external_id = g.external_id AND NOT l.dead
         CROSS JOIN LATERAL json_each(g.refused) f
         WHERE (g.refused #>> '{}') LIKE '%"not_convertible"%' AND f.value ->> 1 = 'not_convertible'
           AND coalesce(l.decided_at, l.seen_at) <= g.at + interval '1 millisecond'
           AND NOT EXISTS (SELECT FROM ${schema}.ledger later
             WHERE later.record_id = g.record_id AND later.number > g.number AND later.place = g.place
               AND later.changes::jsonb ? f.key)
         GROUP BY g.place, f.key ORDER BY count(DISTINCT g.external_id) DESC, f.key LIMIT 500`,
      );
      return rows.map((row) => ({
        placeId: row.place,
        field: row.field,
        count: row.count,
        externalId: row.external_id,
      }));
    },

    /** Deliveries still to be made, by place number; records in quarantine there are counted as such. */
    async waitingDeliveries(instanceId: string): Promise<Map<number, number>> {
      const schema = schemaOf(instanceId);
      const { rows } = await pool.query(
        `SELECT d.place, count(*)::int AS count FROM ${schema}.delivery d
         WHERE NOT d.parked AND NOT EXISTS (SELECT FROM ${schema}.quarantine q
           WHERE q.place = d.place AND q.record_id = d.record_id AND q.direction = 'destination' AND q.status <> 'RESOLVED')
         GROUP BY d.place`,
      );
      return new Map(rows.map((row) => [row.place, row.count]));
    },

    /** How many records of a pipeline are in quarantine, and the oldest entry of them. */
    async openQuarantine(instanceId: string, pipelineId: string): Promise<{ count: number; oldestId: string | null }> {
      const { rows } = await pool.query(
        `SELECT count(*)::int AS count, min(id) AS oldest_id FROM ${schemaOf(instanceId)}.quarantine
         WHERE pipeline_id = $1 AND status <> 'RESOLVED'`,
        [pipelineId],
      );
      return { count: rows[0].count, oldestId: rows[0].oldest_id };
    },
  };
}

export type StandingProblemsStore = ReturnType<typeof standingProblemsStore>;
