/** Deliveries that are still to be made and are in no quarantine: counted for health, and listed one by one. */
import type { Id } from "@accord/contracts";
import { COUNTED_UP_TO } from "@accord/contracts/sync/monitoring/health";
import type { QueryResultRow } from "pg";
import type { BoundedPage } from "../../../../platform/db/bounded-page.ts";
import { instanceSchema, type Pool } from "../../../../platform/db/db.ts";
import { quoteIdentifier } from "../../../data/schema/index.ts";
import { inOrder } from "./runs.store.ts";

export interface DeliveryCounts {
  outstanding: number;
  waiting: number;
  /** Only the deliveries that are due first were looked at. */
  isLowerBound: boolean;
}

/** Where a page of deliveries begins: the last one of the page before it. */
export interface DeliveryKeyset {
  /** Microseconds since 1970. */
  dueAt: string;
  placeId: number;
  recordId: string;
}

export interface WaitingRow extends DeliveryKeyset {
  recordId: Id<"record">;
  externalId: string | null;
  enqueuedAt: string | null;
  nextAt: string;
  attempts: number;
  isAnswerMissing: boolean;
  /** The record there is in quarantine as it was read: nothing is sent before that is over. */
  isHeld: boolean;
  lacksReference: boolean;
  lastError: string | null;
}

export interface WaitingPage {
  /** Exclusive; null begins at what is due first. */
  from: DeliveryKeyset | null;
  direction: "next" | "previous";
  count: number;
}

/** Which of the deliveries `d` wait: the one condition behind the count and the list. */
const waitsSql = (schema: string): string => `NOT EXISTS (
  SELECT FROM ${schema}.quarantine q WHERE q.place = d.place AND q.record_id = d.record_id
    AND q.direction = 'destination' AND q.status <> 'RESOLVED')`;

export function waitingDeliveriesStore(pool: Pool) {
  const schemaOf = (instanceId: string): string => quoteIdentifier(instanceSchema(instanceId));

  return {
    /**
     * By place number: deliveries still to be made (`outstanding`), and those of them whose records are not in
     * quarantine there (`waiting`): those are counted as such. Of each place those that are due first are looked at.
     */
    async deliveryCounts(instanceId: string, pipelineId: string | null = null): Promise<Map<number, DeliveryCounts>> {
      const schema = schemaOf(instanceId);
      const { rows } = await pool.query(
        `SELECT p.number AS place, counted.* FROM ${schema}.place p CROSS JOIN LATERAL (
           SELECT count(*)::int AS outstanding, count(*) FILTER (WHERE ${waitsSql(schema)})::int AS waiting
           FROM (SELECT place, record_id FROM ${schema}.delivery WHERE place = p.number AND NOT parked
                 ORDER BY next_at LIMIT ${COUNTED_UP_TO + 1}) d
         ) counted WHERE counted.outstanding > 0 AND ($1::text IS NULL OR p.pipeline_id = $1)`,
        [pipelineId],
      );
      return new Map(
        rows.map(({ place, outstanding, waiting }) => [
          place,
          { outstanding, waiting, isLowerBound: outstanding > COUNTED_UP_TO },
        ]),
      );
    },

    /** Those that wait at these places, what is due first first. */
    async waitingDeliveries(
      instanceId: string,
      places: readonly number[],
      { from, direction, count }: WaitingPage,
    ): Promise<BoundedPage<WaitingRow>> {
      const schema = schemaOf(instanceId);
      const isNext = direction === "next";
      const order = (columns: readonly string[]): string =>
        columns.map((column) => `${column} ${isNext ? "ASC" : "DESC"}`).join(", ");
      const due = "(timestamptz 'epoch' + $3::bigint * interval '1 microsecond')";
      const beyond = `AND d.next_at ${isNext ? ">=" : "<="} ${due}
        AND (d.next_at, d.place, d.record_id) ${isNext ? ">" : "<"} (${due}, $4::int, $5::text)`;
      const { rows } = await pool.query(
        `SELECT page.*, (extract(epoch FROM page.next_at) * 1000000)::bigint::text AS due_at,
           CASE WHEN NOT l.dead THEN l.external_id END AS external_id,
           EXISTS (SELECT FROM ${schema}.quarantine q WHERE q.place = page.place AND q.direction = 'source'
             AND q.status <> 'RESOLVED' AND coalesce(q.external_id, q.record_id, '') = l.external_id) AS is_held,
           EXISTS (SELECT FROM ${schema}.waiting_reference r WHERE r.place = page.place AND r.record_id = page.record_id)
             OR EXISTS (SELECT FROM ${schema}.pending_reference r WHERE r.record_id = page.record_id) AS lacks_reference
         FROM (
           SELECT e.* FROM unnest($1::smallint[]) AS w(place) CROSS JOIN LATERAL (
             SELECT d.place, d.record_id, d.next_at, d.enqueued_at, d.attempts, d.intent IS NOT NULL AS is_answer_missing,
               d.last_error
             FROM ${schema}.delivery d WHERE d.place = w.place AND NOT d.parked AND ${waitsSql(schema)}
               ${from ? beyond : ""} ORDER BY ${order(["d.next_at", "d.record_id"])} LIMIT $2
           ) e ORDER BY ${order(["e.next_at", "e.place", "e.record_id"])} LIMIT $2
         ) page LEFT JOIN LATERAL (SELECT external_id, dead FROM ${schema}.link
           WHERE place = page.place AND record_id = page.record_id ORDER BY dead, external_id LIMIT 1) l ON true
         ORDER BY ${order(["page.next_at", "page.place", "page.record_id"])}`,
        [places, count + 1, ...(from ? [from.dueAt, from.placeId, from.recordId] : [])],
      );
      return inOrder({ rows: rows.slice(0, count).map(readRow), isMore: rows.length > count }, direction);
    },
  };
}

const readRow = (row: QueryResultRow): WaitingRow => ({
  dueAt: row["due_at"],
  placeId: row["place"],
  recordId: row["record_id"],
  externalId: row["external_id"],
  enqueuedAt: row["enqueued_at"],
  nextAt: row["next_at"],
  attempts: row["attempts"],
  isAnswerMissing: row["is_answer_missing"],
  isHeld: row["is_held"],
  lacksReference: row["lacks_reference"],
  lastError: row["last_error"],
});
