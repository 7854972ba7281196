/** What is wrong with records right now, whatever the last cycle said: quarantine, refused values, deliveries that wait. */
import type { Id } from "@accord/contracts";
import type { Value, Values } from "@accord/contracts/data/values";
import { COUNTED_UP_TO } from "@accord/contracts/sync/monitoring/health";
import type { QueryResultRow } from "pg";
import { boundedPage, type BoundedPage, shortMembers, takePage } from "../../../../platform/db/bounded-page.ts";
import { instanceSchema, type Pool } from "../../../../platform/db/db.ts";
import { quoteIdentifier } from "../../../data/schema/index.ts";
import { inOrder, type Keyset } from "./runs.store.ts";
import { waitingDeliveriesStore } from "./waiting-deliveries.store.ts";

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

/** Records of a place whose value of a field could not be taken: by the core's (`source`), or by the place's own. */
export interface RefusedValuesRow {
  placeId: number;
  direction: Direction;
  /** Of the core, or of the place. */
  field: string;
  count: number;
  /** Only the newest records of the place and direction were looked at. */
  isLowerBound: boolean;
  /** Of one of them. */
  externalId: string;
}

/** What of a record the core can't hold, or its destination can't take. */
export interface RefusedRecord {
  /** Of its ledger entry. */
  number: number;
  at: string;
  placeId: number;
  direction: Direction;
  recordId: Id<"record">;
  externalId: string;
  values: Values;
}

type Direction = QuarantineCauseRow["direction"];

export interface RefusedFilter {
  places: readonly { id: number; direction: Direction }[];
  field?: string | undefined;
}

const MAX_SAMPLE_BYTES = 100_000;

export interface CauseKey {
  pipelineId: string;
  code: string;
}

export function standingProblemsStore(pool: Pool) {
  const schemaOf = (instanceId: string): string => quoteIdentifier(instanceSchema(instanceId));

  return {
    ...waitingDeliveriesStore(pool),

    /** Of one pipeline, or of all; each cause is found and counted through an index, whatever their number. */
    async quarantineCauses(instanceId: string, pipelineId: string | null = null): Promise<QuarantineCauseRow[]> {
      const open = `${schemaOf(instanceId)}.quarantine q WHERE q.status <> 'RESOLVED' AND ($1::text IS NULL OR q.pipeline_id = $1)`;
      const first = `ORDER BY ${CAUSE_OF_ENTRY} LIMIT 1`;
      const { rows } = await pool.query(
        `WITH RECURSIVE cause AS (
           (SELECT ${CAUSE_OF_ENTRY} AS node FROM ${open} ${first})
           UNION ALL
           SELECT next.* FROM cause c CROSS JOIN LATERAL (
             SELECT ${CAUSE_OF_ENTRY} AS node FROM ${open}
               AND (${CAUSE_OF_ENTRY}) > (c.pipeline_id, c.code, c.place, c.direction, c.node) ${first}
           ) next
         )
         SELECT c.*, counted.count, newest.id AS sample_id, newest.external_id
         FROM cause c CROSS JOIN LATERAL (
           SELECT count(*)::int AS count FROM (SELECT FROM ${open} AND ${SAME_CAUSE} LIMIT ${COUNTED_UP_TO + 1}) entry
         ) counted CROSS JOIN LATERAL (
           SELECT q.id, coalesce(q.external_id, q.record_id) AS external_id FROM ${open} AND ${SAME_CAUSE}
           ORDER BY q.id DESC LIMIT 1
         ) newest
         ORDER BY counted.count DESC, c.code`,
        [pipelineId],
      );
      return rows.map((row) => ({
        pipelineId: row.pipeline_id,
        placeId: row.place,
        nodeId: row.node === "" ? null : row.node,
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
         WHERE EXISTS (SELECT FROM ${quarantine} q
             WHERE q.pipeline_id = w.pipeline_id AND q.code = w.code AND q.status = 'RESOLVED')
           AND NOT EXISTS (SELECT FROM ${quarantine} q
             WHERE q.pipeline_id = w.pipeline_id AND q.code = w.code AND q.status <> 'RESOLVED')`,
        [causes.map(({ pipelineId }) => pipelineId), causes.map(({ code }) => code)],
      );
      return rows.map((row) => ({ pipelineId: row.pipeline_id, code: row.code }));
    },

    /** Of each place, and of each direction there, up to `COUNTED_UP_TO` records and one more, the newest first. */
    async refusedValues(instanceId: string): Promise<RefusedValuesRow[]> {
      const schema = schemaOf(instanceId);
      const { rows } = await pool.query(
        `SELECT p.number AS place, e.direction, f.key AS field, count(*)::int AS count, min(e.external_id) AS external_id,
           max(e.records) > ${COUNTED_UP_TO} AS is_lower_bound
         FROM ${schema}.place p CROSS JOIN (VALUES ('source'), ('destination')) AS w(direction) CROSS JOIN LATERAL (
           SELECT newest.*, count(*) OVER () AS records FROM (
             ${standingRefusals(schema)} WHERE ${IS_REFUSED} AND g.place = p.number AND ${DIRECTION} = w.direction
             ORDER BY g.number DESC LIMIT ${COUNTED_UP_TO + 1}
           ) newest
         ) e CROSS JOIN LATERAL json_each(e.refused) f
         GROUP BY p.number, e.direction, f.key ORDER BY count(*) DESC, f.key, p.number, e.direction`,
      );
      return rows.map((row) => ({
        placeId: row.place,
        direction: row.direction,
        field: row.field,
        count: row.count,
        isLowerBound: row.is_lower_bound,
        externalId: row.external_id,
      }));
    },

    /** Refused values of these places that stand, ledger entry by ledger entry, the newest first. */
    async refusedRecords(instanceId: string, filter: RefusedFilter, page: Keyset): Promise<BoundedPage<RefusedRecord>> {
      const schema = schemaOf(instanceId);
      const order = `number ${page.direction === "next" ? "DESC" : "ASC"}`;
      const picked = `SELECT e.* FROM unnest($1::smallint[], $5::text[]) AS w(place, direction) CROSS JOIN LATERAL (
           ${standingRefusals(schema, "f.key = coalesce($2::text, f.key)")} WHERE ${IS_REFUSED} AND g.place = w.place
             AND ${DIRECTION} = w.direction AND ($3::bigint IS NULL OR g.number ${page.direction === "next" ? "<" : ">"} $3)
           ORDER BY g.${order} LIMIT $4
         ) e ORDER BY e.${order} LIMIT $4`;
      const columns = ["number", "at", "place", "direction", "record_id", "external_id"];
      const { rows } = await pool.query(
        boundedPage(picked, { order, columns, large: { refused: { short: shortMembers("refused", "json") } } }),
        [
          filter.places.map(({ id }) => id),
          filter.field ?? null,
          page.from,
          page.count + 1,
          filter.places.map(({ direction }) => direction),
        ],
      );
      const read = (row: QueryResultRow): RefusedRecord => ({
        number: Number(row["number"]),
        at: row["at"],
        placeId: row["place"],
        direction: row["direction"],
        recordId: row["record_id"],
        externalId: row["external_id"],
        values: row["refused"],
      });
      return inOrder(takePage(rows, page.count, read), page.direction);
    },

    /** How many records of a pipeline are in quarantine, and the oldest entry of them. */
    async openQuarantine(instanceId: string, pipelineId: string): Promise<{ count: number; oldestId: string | null }> {
      const quarantine = `${schemaOf(instanceId)}.quarantine WHERE pipeline_id = $1 AND status <> 'RESOLVED'`;
      const { rows } = await pool.query(
        `SELECT (SELECT count(*)::int FROM (SELECT FROM ${quarantine} LIMIT ${COUNTED_UP_TO + 1}) entry) AS count,
           (SELECT id FROM ${quarantine} ORDER BY id LIMIT 1) AS oldest_id`,
        [pipelineId],
      );
      return { count: rows[0].count, oldestId: rows[0].oldest_id };
    },
  };
}

export type StandingProblemsStore = ReturnType<typeof standingProblemsStore>;

/** What an entry was quarantined for, in the order of its index; the node is last. */
const CAUSE_OF_ENTRY = "q.pipeline_id, q.code, q.place, q.direction, coalesce(q.node_id, '')";
const SAME_CAUSE = `q.pipeline_id = c.pipeline_id AND q.code = c.code AND q.place = c.place
  AND q.direction = c.direction AND coalesce(q.node_id, '') = c.node`;

const IS_REFUSED = `(g.refused #>> '{}') LIKE '%"not_convertible"%'`;

/** Whether an entry is of what the core can't hold, or of what was not written as the place can't take it. */
const DIRECTION = `CASE g.operation WHEN 'write' THEN 'destination' ELSE 'source' END`;

/**
 * Whether an entry `g` of a write names what its place still can't take: the record's delivery is parked for that, and no
 * later write went there.
 */
export const isStillUnfit = (schema: string): string =>
  `EXISTS (SELECT FROM ${schema}.delivery d WHERE d.place = g.place AND d.record_id = g.record_id AND d.unfit IS NOT NULL)
   AND NOT EXISTS (SELECT FROM ${schema}.ledger later WHERE later.record_id = g.record_id AND later.number > g.number
     AND later.place = g.place AND later.operation = 'write')`;

/**
 * Entries `g` with the values in them that stand, as `refused`.
 *
 * Of what was written to a place: those of the newest write of a record whose delivery is parked for them.
 *
 * Of what was read: each until its external record has been read with
 * another value, or the field was taken over from there, or written there. Entries of writes name the connector's fields, all
 * others the core's: a refusal has both where they differ (older versions stored the core's only). The entry and its link are written in one transaction; entries
 * are dated to the millisecond. A reading that only shows what we wrote there leaves them standing: that is why links say
 * when they were last decided on.
 */
const standingRefusals = (schema: string, condition = "true"): string =>
  `SELECT g.number, g.at, g.place, ${DIRECTION} AS direction, g.record_id, g.external_id, stands.refused
   FROM ${schema}.ledger g
   JOIN ${schema}.link l ON l.place = g.place AND l.external_id = g.external_id AND NOT l.dead
     AND CASE g.operation WHEN 'write' THEN ${isStillUnfit(schema)}
       ELSE coalesce(l.decided_at, l.seen_at) <= g.at + interval '1 millisecond' END
   JOIN LATERAL (
     SELECT json_object_agg(f.key, f.value -> 0) AS refused FROM json_each(g.refused) f
     WHERE f.value ->> 1 = 'not_convertible' AND ${condition}
       AND NOT EXISTS (SELECT FROM ${schema}.ledger later
         WHERE later.record_id = g.record_id AND later.number > g.number AND later.place = g.place
           AND later.changes::jsonb ? CASE later.operation WHEN 'write' THEN coalesce(f.value ->> 2, f.key) ELSE f.key END)
   ) stands ON stands.refused IS NOT NULL`;
