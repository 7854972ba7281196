/** What happened: cycles, quarantine, the ledger and links, as screens ask for them. */
import type { Id } from "@accord/contracts";
import type { RecentCycle } from "@accord/contracts/sync/pipelines";
import type { Cycle } from "@accord/contracts/sync/monitoring/runs";
import type { Transaction } from "@accord/contracts/sync/monitoring/transactions";
import type { Value } from "@accord/contracts/data/values";
import type { CycleCounts, CycleProblem } from "@accord/sync-engine/run";
import type { QueryResultRow } from "pg";
import { boundedPage, type BoundedPage, shortPairs, takePage } from "../../../../platform/db/bounded-page.ts";
import { instanceSchema, type Pool } from "../../../../platform/db/db.ts";
import { prepared } from "../../../../platform/db/prepared.ts";
import { quoteIdentifier } from "../../../data/schema/index.ts";

export interface LedgerRow {
  number: number;
  at: string;
  pipelineId: Id<"entity">;
  recordId: Id<"record">;
  operation: Transaction["operation"];
  connectorId: string | null;
  connectorEntity: string | null;
  externalId: string | null;
  cycleNumber: number | null;
  versionNumber: number | null;
  userId: string | null;
  userName: string | null;
  changes: { [field: string]: [Value, Value] };
  refused: { [field: string]: [Value, string] } | null;
}

export interface LedgerFilter {
  pipelineId?: string | undefined;
  recordId?: string | undefined;
  cycleNumber?: number | undefined;
  operation?: string | undefined;
  /** Changes of records themselves: not what was written to systems. */
  isOwn?: true;
  field?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export interface Keyset {
  /** Exclusive; null begins at the newest. */
  from: number | null;
  direction: "next" | "previous";
  count: number;
}

export interface CycleRow {
  number: number;
  isResync: boolean;
  versionNumber: number;
  beganAt: string;
  finishedAt: string;
  outcome: Cycle["outcome"];
  counts: CycleCounts;
  problems: CycleProblem[];
}

export interface LinkRow {
  recordId: string;
  connectorId: string;
  connectorEntity: string;
  externalId: string;
  lastSeenAt: string | null;
  lastWrittenAt: string | null;
  state: "live" | "dead";
}

export const readLedger = (row: QueryResultRow): LedgerRow => ({
  number: Number(row["number"]),
  at: row["at"],
  pipelineId: row["pipeline_id"],
  recordId: row["record_id"],
  operation: row["operation"],
  connectorId: row["connector_id"],
  connectorEntity: row["entity_name"],
  externalId: row["external_id"],
  cycleNumber: row["cycle"] === null ? null : Number(row["cycle"]),
  versionNumber: row["version_number"],
  userId: row["user_id"],
  userName: row["user_name"],
  changes: row["changes"],
  refused: row["refused"],
});

const readCycle = (row: QueryResultRow): CycleRow => ({
  number: Number(row["number"]),
  isResync: row["is_resync"],
  versionNumber: row["version_number"],
  beganAt: row["began_at"],
  finishedAt: row["finished_at"],
  outcome: row["outcome"],
  counts: row["counts"],
  problems: row["problems"],
});

/** Rows of a keyset page in reading order (newest first), whichever way it was walked. */
export const inOrder = <Row>(page: BoundedPage<Row>, direction: Keyset["direction"]): BoundedPage<Row> =>
  direction === "previous" ? { ...page, rows: page.rows.reverse() } : page;

/** Columns of the ledger that are read beside what changed. */
const LEDGER_COLUMNS = [
  ...["number", "at", "record_id", "operation", "external_id", "cycle", "version_number", "user_id", "user_name"],
  ...["pipeline_id", "connector_id", "entity_name"],
];

/** `reads`: for what people look through page by page. */
export function runsStore(pool: Pool, reads = pool) {
  const schemaOf = (instanceId: string): string => quoteIdentifier(instanceSchema(instanceId));

  return {
    async ledger(instanceId: string, filter: LedgerFilter, page: Keyset): Promise<BoundedPage<LedgerRow>> {
      const schema = schemaOf(instanceId);
      const values: unknown[] = [];
      const bind = (value: unknown): string => `$${values.push(value)}`;
      const conditions = [
        filter.pipelineId && `e.pipeline_id = ${bind(filter.pipelineId)}`,
        filter.recordId && `g.record_id = ${bind(filter.recordId)}`,
        filter.cycleNumber !== undefined && `g.cycle = ${bind(filter.cycleNumber)}`,
        filter.isOwn && "g.operation <> 'write'",
        filter.operation && `g.operation = ${bind(filter.operation)}`,
        filter.field && `(g.changes::jsonb ? ${bind(filter.field)} OR g.refused::jsonb ? ${bind(filter.field)})`,
        filter.from && `g.at >= ${bind(filter.from)}`,
        filter.to && `g.at <= ${bind(filter.to)}`,
        page.from !== null && `g.number ${page.direction === "next" ? "<" : ">"} ${bind(page.from)}`,
      ].filter(Boolean);
      const order = page.direction === "next" ? "DESC" : "ASC";
      const picked = `SELECT g.*, e.pipeline_id, p.connector_id, p.entity AS entity_name FROM ${schema}.ledger g
         JOIN ${schema}.sync_entity e ON e.number = g.entity
         LEFT JOIN ${schema}.place p ON p.number = g.place
         ${conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : ""}
         ORDER BY g.number ${order} LIMIT ${bind(page.count + 1)}`;
      const large = {
        changes: { short: shortPairs("changes", "json") },
        refused: { short: shortPairs("refused", "json") },
      };
      const { rows } = await reads.query(
        boundedPage(picked, { order: `number ${order}`, columns: LEDGER_COLUMNS, large }),
        values,
      );
      return inOrder(takePage(rows, page.count, readLedger), page.direction);
    },

    async hasCycle(instanceId: string, number: number): Promise<boolean> {
      const { rows } = await pool.query(
        `SELECT EXISTS (SELECT FROM ${schemaOf(instanceId)}.cycle WHERE number = $1) AS found`,
        [number],
      );
      return rows[0].found;
    },

    /** Whether a record has a history in this instance, deleted or not. */
    async hasRecord(instanceId: string, recordId: string): Promise<boolean> {
      const { rows } = await pool.query(
        `SELECT EXISTS (SELECT FROM ${schemaOf(instanceId)}.ledger WHERE record_id = $1) AS found`,
        [recordId],
      );
      return rows[0].found;
    },

    async cycles(instanceId: string, pipelineId: string, page: Keyset): Promise<BoundedPage<CycleRow>> {
      const comparison = page.direction === "next" ? "<" : ">";
      const order = `number ${page.direction === "next" ? "DESC" : "ASC"}`;
      const columns = ["number", "is_resync", "version_number", "began_at", "finished_at", "outcome", "counts"];
      const picked = `SELECT * FROM ${schemaOf(instanceId)}.cycle
         WHERE pipeline_id = $1 AND ($2::bigint IS NULL OR number ${comparison} $2) ORDER BY ${order} LIMIT $3`;
      const { rows } = await reads.query(
        boundedPage(picked, { order, columns, large: { problems: { short: "problems" } } }),
        [pipelineId, page.from, page.count + 1],
      );
      return inOrder(takePage(rows, page.count, readCycle), page.direction);
    },

    /** The last cycle of a version in which records passed an edge; `problems` are left out. Not looked for beyond 500. */
    async lastFlow(instanceId: string, pipelineId: string, versionNumber: number): Promise<CycleRow | null> {
      const { rows } = await pool.query(
        `SELECT number, is_resync, version_number, began_at, finished_at, outcome, counts, '[]'::jsonb AS problems
         FROM (SELECT * FROM ${schemaOf(instanceId)}.cycle WHERE pipeline_id = $1 ORDER BY number DESC LIMIT 500) recent
         WHERE version_number = $2 AND counts ? 'flow' ORDER BY number DESC LIMIT 1`,
        [pipelineId, versionNumber],
      );
      return rows[0] ? readCycle(rows[0]) : null;
    },

    async links(instanceId: string, pipelineId: string, recordIds: readonly string[]): Promise<LinkRow[]> {
      const schema = schemaOf(instanceId);
      const { rows } = await pool.query(
        `SELECT w.record_id, p.connector_id, p.entity, l.external_id, l.seen_at, l.told_at, l.dead
         FROM (
           SELECT id AS record_id, id AS holder FROM unnest($2::text[]) AS id
           UNION ALL
           SELECT m.winner_id, m.loser_id FROM ${schema}.merged_record m
           WHERE m.winner_id = ANY($2::text[]) AND NOT m.undone
         ) w JOIN ${schema}.link l ON l.record_id = w.holder AND (w.holder = w.record_id OR NOT l.dead)
         JOIN ${schema}.place p ON p.number = l.place
         WHERE p.pipeline_id = $1 ORDER BY w.record_id, p.number, w.holder`,
        [pipelineId, recordIds],
      );
      return rows.map((row) => ({
        recordId: row.record_id,
        connectorId: row.connector_id,
        connectorEntity: row.entity,
        externalId: row.external_id,
        lastSeenAt: row.seen_at,
        lastWrittenAt: row.told_at,
        state: row.dead ? "dead" : "live",
      }));
    },

    async places(
      instanceId: string,
    ): Promise<{ id: number; pipelineId: Id<"entity">; connectorId: string; entity: string; readFields: string[] }[]> {
      const { rows } = await pool.query(
        `SELECT number, pipeline_id, connector_id, entity, read_fields FROM ${schemaOf(instanceId)}.place`,
      );
      return rows.map((row) => ({
        id: row.number,
        pipelineId: row.pipeline_id,
        connectorId: row.connector_id,
        entity: row.entity,
        readFields: row.read_fields,
      }));
    },

    /** Published pipelines that have a place at the connector, and those that have no place yet (`isSettled` false). */
    async maybeReaders(
      instanceId: string,
      connectorId: string,
    ): Promise<{ pipelineId: Id<"entity">; versionId: Id<"pipelineVersion">; isSettled: boolean }[]> {
      const { rows } = await pool.query(
        prepared(
          `SELECT s.pipeline_id, s.version_id, bool_or(p.connector_id = $2) IS TRUE AS settled
           FROM sync_pipeline s LEFT JOIN ${schemaOf(instanceId)}.place p ON p.pipeline_id = s.pipeline_id
           WHERE s.instance_id = $1 GROUP BY s.pipeline_id, s.version_id
           HAVING bool_or(p.connector_id = $2) IS TRUE OR count(p.number) = 0`,
          [instanceId, connectorId],
        ),
      );
      return rows.map((row) => ({ pipelineId: row.pipeline_id, versionId: row.version_id, isSettled: row.settled }));
    },

    /** The latest `most` cycles of each of these pipelines that are kept, the oldest first. */
    async recentCycles(
      instanceId: string,
      pipelineIds: readonly string[],
      most: number,
    ): Promise<ReadonlyMap<string, RecentCycle[]>> {
      const { rows } = await reads.query(
        `SELECT p.id, c.began_at, c.outcome, coalesce(c.created, 0) + coalesce(c.updated, 0) + coalesce(c.deleted, 0) AS changed
         FROM unnest($1::text[]) AS p(id) CROSS JOIN LATERAL (
           SELECT number, began_at, outcome, (counts->>'created')::float8 AS created,
                  (counts->>'updated')::float8 AS updated, (counts->>'deleted')::float8 AS deleted
           FROM ${schemaOf(instanceId)}.cycle WHERE pipeline_id = p.id ORDER BY number DESC LIMIT $2
         ) c ORDER BY c.number`,
        [pipelineIds, most],
      );
      const cycles = new Map<string, RecentCycle[]>();
      for (const { id, began_at: startedAt, outcome, changed } of rows) {
        const known = cycles.get(id) ?? [];
        known.push({ startedAt, changed, isFailed: outcome === "failed" || outcome === "lost" });
        cycles.set(id, known);
      }
      return cycles;
    },

    /** What the newest cycle that is kept of each pipeline met, by pipeline. */
    async keptProblems(
      instanceId: string,
      pipelineIds: readonly string[],
    ): Promise<ReadonlyMap<string, Pick<CycleRow, "number" | "problems">>> {
      if (pipelineIds.length === 0) return new Map();
      const { rows } = await reads.query(
        `SELECT p.id, c.number, c.problems FROM unnest($1::text[]) AS p(id) CROSS JOIN LATERAL (
           SELECT number, problems FROM ${schemaOf(instanceId)}.cycle WHERE pipeline_id = p.id ORDER BY number DESC LIMIT 1
         ) c`,
        [pipelineIds],
      );
      return new Map(rows.map(({ id, number, problems }) => [id, { number: Number(number), problems }]));
    },

    /** When each source was last read, by node id; of one pipeline or of all. */
    async readTimes(instanceId: string, pipelineId: string | null = null): Promise<Map<string, string>> {
      const { rows } = await pool.query(
        `SELECT node_id, read_at FROM ${schemaOf(instanceId)}.source_position WHERE $1::text IS NULL OR pipeline_id = $1`,
        [pipelineId],
      );
      return new Map(rows.map((row) => [row.node_id, row.read_at]));
    },
  };
}

export type RunsStore = ReturnType<typeof runsStore>;
