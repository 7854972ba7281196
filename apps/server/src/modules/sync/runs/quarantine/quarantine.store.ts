/** Records quarantined, with their reason: found by what they have in common, tried again, or let go. */
import type { SourceRecord } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import type { Value } from "@accord/contracts/data/values";
import type { QuarantineFilter } from "@accord/contracts/sync/monitoring/quarantine";
import { DELIVERY_ATTEMPTS } from "@accord/sync-engine/run";
import type { QueryResultRow } from "pg";
import {
  type BoundedPage,
  boundedPage,
  shortMembers,
  shortText,
  takePage,
} from "../../../../platform/db/bounded-page.ts";
import { instanceSchema, type Pool } from "../../../../platform/db/db.ts";
import { transaction } from "../../../../platform/db/transaction.ts";
import { quoteIdentifier } from "../../../data/schema/index.ts";
import { inOrder, type Keyset } from "../monitoring/runs.store.ts";
import { RENEW_DELIVERY_SQL, enqueueSql } from "../storage/deliveries/enqueue-deliveries.store.ts";

export interface QuarantineRow {
  id: Id<"quarantine">;
  pipelineId: Id<"entity">;
  at: string;
  direction: "source" | "destination";
  status: "OPEN" | "RETRYING" | "RESOLVED";
  placeId: number;
  connectorId: string;
  connectorEntity: string;
  externalId: string | null;
  recordId: Id<"record"> | null;
  nodeId: string | null;
  code: string;
  message: string;
  attempts: number;
  dismissedBy: string | null;
  dismissedAt: string | null;
  payload: { [field: string]: Value } | null;
}

/** Chosen ones, or all that a filter holds for. */
export interface QuarantineChoice {
  ids?: readonly string[] | undefined;
  filter?: QuarantineFilter | undefined;
}

/** A record of a source that could not be read, with its id or what stands for it. */
export interface UnreadableRow {
  id: Id<"quarantine">;
  placeId: number;
  externalId: string;
}

/** A person waits for it. */
const READ_AGAIN_AT_ONCE = 500;

const COLUMNS = [
  ...[
    "id",
    "pipeline_id",
    "at",
    "direction",
    "status",
    "place",
    "connector_id",
    "entity_name",
    "external_id",
    "record_id",
    "node_id",
  ],
  ...["code", "attempts", "dismissed_by", "dismissed_at"],
];

/** `reads`: for what people look through page by page. */
export function quarantineStore(pool: Pool, reads = pool) {
  const schemaOf = (instanceId: string): string => quoteIdentifier(instanceSchema(instanceId));

  return {
    /** Of one pipeline; of all where `pipelineId` is null. */
    async list(
      instanceId: string,
      pipelineId: string | null,
      { ids, ...filter }: QuarantineFilter & { status?: string | undefined; ids?: readonly string[] | undefined },
      page: { from: string | null; direction: Keyset["direction"]; count: number },
    ): Promise<BoundedPage<QuarantineRow>> {
      const schema = schemaOf(instanceId);
      const values: unknown[] = [];
      const bind = (value: unknown): string => `$${values.push(value)}`;
      const conditions = conditionsOf({ ids, filter }, bind);
      if (pipelineId !== null) conditions.push(`q.pipeline_id = ${bind(pipelineId)}`);
      if (filter.status === "UNRESOLVED") conditions.push("q.status <> 'RESOLVED'");
      else if (filter.status) conditions.push(`q.status = ${bind(filter.status)}`);
      if (page.from !== null) conditions.push(`q.id ${page.direction === "next" ? "<" : ">"} ${bind(page.from)}`);
      const order = `id ${page.direction === "next" ? "DESC" : "ASC"}`;
      const picked = `SELECT q.*, p.connector_id, p.entity AS entity_name FROM ${schema}.quarantine q
         JOIN ${schema}.place p ON p.number = q.place
         WHERE ${["true", ...conditions].join(" AND ")} ORDER BY q.${order} LIMIT ${bind(page.count + 1)}`;
      const large = {
        message: { short: shortText("message") },
        payload: { short: shortMembers("payload", "jsonb") },
      };
      const { rows } = await reads.query(boundedPage(picked, { order, columns: COLUMNS, large }), values);
      return inOrder(takePage(rows, page.count, readRow), page.direction);
    },

    /** Chosen records of sources that could not be read. */
    async unreadable(instanceId: string, pipelineId: string, choice: QuarantineChoice): Promise<UnreadableRow[]> {
      const values: unknown[] = [pipelineId];
      const conditions = conditionsOf(choice, (value) => `$${values.push(value)}`);
      const own = [
        "q.pipeline_id = $1",
        "q.status <> 'RESOLVED'",
        "q.code = 'unreadable'",
        "q.external_id IS NOT NULL",
      ];
      const { rows } = await pool.query(
        `SELECT q.id, q.place, q.external_id FROM ${schemaOf(instanceId)}.quarantine q
         WHERE ${[...own, ...conditions].join(" AND ")} ORDER BY q.id LIMIT ${READ_AGAIN_AT_ONCE}`,
        values,
      );
      return rows.map((row) => ({ id: row.id, placeId: row.place, externalId: row.external_id }));
    },

    /** It can be read now: the next cycle tries it as it stands. False: an entry of this record waits already. */
    async readAgain(instanceId: string, entryId: string, { id, values }: SourceRecord): Promise<boolean> {
      const quarantine = `${schemaOf(instanceId)}.quarantine`;
      const { rowCount } = await pool.query(
        `UPDATE ${quarantine} q SET code = 'read_again', external_id = $2, payload = $3
         WHERE q.id = $1 AND q.status <> 'RESOLVED' AND NOT EXISTS (SELECT FROM ${quarantine} other WHERE
           other.place = q.place AND other.direction = q.direction AND other.external_id = $2
           AND other.status <> 'RESOLVED' AND other.id <> q.id)`,
        [entryId, id, JSON.stringify(values)],
      );
      return rowCount === 1;
    },

    /** What stood there is gone, or known by another name: there is nothing left to try. */
    async clear(instanceId: string, ids: readonly string[]): Promise<number> {
      const { rowCount } = await pool.query(
        `UPDATE ${schemaOf(instanceId)}.quarantine SET status = 'RESOLVED', resolved_at = now()
         WHERE id = ANY($1::text[]) AND status <> 'RESOLVED'`,
        [ids],
      );
      return rowCount ?? 0;
    },

    /** Destinations are sent again, what was read is tried again; what could never be read waits for a new reading. */
    async replay(instanceId: string, pipelineId: string, choice: QuarantineChoice): Promise<number> {
      const schema = schemaOf(instanceId);
      return transaction(pool, async ({ client }) => {
        const values: unknown[] = [pipelineId];
        const conditions = conditionsOf(choice, (value) => `$${values.push(value)}`);
        const { rows } = await client.query(
          `UPDATE ${schema}.quarantine q SET status = 'RETRYING'
           WHERE ${["q.pipeline_id = $1", "q.status <> 'RESOLVED'", "q.code <> 'unreadable'", ...conditions].join(" AND ")}
           RETURNING q.direction, q.place, q.record_id, q.code`,
          values,
        );
        const told = rows.filter((row) => row.direction === "destination" && row.record_id !== null);
        if (told.length > 0) {
          // Set aside since it was gone there: whether it still is, only the destination can say.
          const missing = told.filter((row) => row.code === "missing_there");
          await client.query(enqueueSql(`${schema}.delivery`), [
            missing.map((row) => row.place),
            missing.map((row) => row.record_id),
          ]);
          await client.query(
            `UPDATE ${schema}.link l SET dead = false FROM unnest($1::smallint[], $2::text[]) AS w(place, record_id)
             WHERE l.place = w.place AND l.record_id = w.record_id AND l.dead`,
            [missing.map((row) => row.place), missing.map((row) => row.record_id)],
          );
          await client.query(
            `UPDATE ${schema}.delivery d SET ${RENEW_DELIVERY_SQL}, taken_id = NULL, taken_key = NULL FROM unnest($1::smallint[], $2::text[]) AS w(place, record_id)
             WHERE d.place = w.place AND d.record_id = w.record_id`,
            [told.map((row) => row.place), told.map((row) => row.record_id)],
          );
        }
        return rows.length;
      });
    },

    /**
     * Lets go: nothing is tried until the record changes again, now and then neither. Who did it stays on the entry.
     * A delivery with few attempts has a newer reason than the entry.
     */
    async dismiss(instanceId: string, pipelineId: string, choice: QuarantineChoice, by: string): Promise<number> {
      const schema = schemaOf(instanceId);
      const values: unknown[] = [pipelineId, by, DELIVERY_ATTEMPTS - 1];
      const conditions = conditionsOf(choice, (value) => `$${values.push(value)}`);
      const { rows } = await pool.query(
        `WITH let_go AS (
           UPDATE ${schema}.quarantine q SET status = 'RESOLVED', resolved_at = now(), dismissed_by = $2, dismissed_at = now()
           WHERE ${["q.pipeline_id = $1", "q.status <> 'RESOLVED'", ...conditions].join(" AND ")}
           RETURNING q.direction, q.place, q.record_id
         ), parked AS (
           UPDATE ${schema}.delivery d SET parked = true FROM let_go w
           WHERE w.direction = 'destination' AND d.place = w.place AND d.record_id = w.record_id AND d.attempts >= $3
         )
         SELECT count(*)::int AS count FROM let_go`,
        values,
      );
      return rows[0]?.count ?? 0;
    },
  };
}

export type QuarantineStore = ReturnType<typeof quarantineStore>;

function conditionsOf({ ids, filter = {} }: QuarantineChoice, bind: (value: unknown) => string): string[] {
  const conditions: string[] = [];
  if (ids) conditions.push(`q.id = ANY(${bind(ids)}::text[])`);
  if (filter.recordId) conditions.push(`q.record_id = ${bind(filter.recordId)}`);
  if (filter.code) conditions.push(`q.code = ${bind(filter.code)}`);
  if (filter.nodeId) conditions.push(`q.node_id = ${bind(filter.nodeId)}`);
  if (filter.side) conditions.push(`q.direction = ${bind(filter.side)}`);
  if (filter.search) {
    const text = bind(filter.search.toLowerCase());
    const held = "lower(concat_ws(' ', q.message, q.external_id, q.record_id, q.payload::text))";
    conditions.push(`position(${text} IN ${held}) > 0`);
  }
  return conditions;
}

const readRow = (row: QueryResultRow): QuarantineRow => ({
  id: row["id"],
  pipelineId: row["pipeline_id"],
  at: row["at"],
  direction: row["direction"],
  status: row["status"],
  placeId: row["place"],
  connectorId: row["connector_id"],
  connectorEntity: row["entity_name"],
  externalId: row["external_id"],
  recordId: row["record_id"],
  nodeId: row["node_id"],
  code: row["code"],
  message: row["message"],
  attempts: row["attempts"],
  dismissedBy: row["dismissed_by"],
  dismissedAt: row["dismissed_at"],
  payload: row["payload"],
});
