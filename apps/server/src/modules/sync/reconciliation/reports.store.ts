/** Reports: reconciliations asked for, under way and ended, and the differences they found. */
import type { Id } from "@accord/contracts";
import type { Value } from "@accord/contracts/data/values";
import type {
  DifferenceKind,
  DifferenceReason,
  Reconciliation,
  ReconciledSystem,
} from "@accord/contracts/sync/reconciliation";
import type { QueryResultRow } from "pg";
import { instanceSchema, type Pool } from "../../../platform/db/db.ts";
import { exactValueTypes } from "../../../platform/db/value-types.ts";
import { quoteIdentifier } from "../../data/schema/index.ts";
import type { FoundDifference } from "./subjects.ts";
import type { WorkKey } from "./work.store.ts";

export interface ReportRow {
  id: Id<"reconciliation">;
  instanceId: Id<"instance">;
  pipelineId: Id<"entity">;
  versionNumber: number;
  status: Reconciliation["status"];
  requestedBy: string;
  requestedAt: string;
  beganAt: string | null;
  endedAt: string | null;
  progress: ReportProgress;
  summary: ReportSummary;
  problem: string | null;
}

export interface ReportProgress {
  phase?: Reconciliation["phase"];
  listed?: number;
  expected?: number | null;
  suspects?: number;
}

export interface ReportSummary {
  coreRecords?: number;
  systems?: ReconciledSystem[];
  /** Differences found, stored or not: `kind reason` → count. */
  counts?: { [key: string]: number };
}

export interface DifferenceRow {
  number: string;
  kind: DifferenceKind;
  reason: DifferenceReason;
  placeId: number;
  externalId: string | null;
  recordId: string | null;
  field: string | null;
  connectorField: string | null;
  outsideValue: Value;
  coreValue: Value;
  signature: string | null;
  isUnread: boolean;
  repairRequestedAt: string | null;
}

export interface DifferenceChoice {
  kind?: DifferenceKind | undefined;
  reason?: DifferenceReason | undefined;
  numbers?: readonly string[] | undefined;
}

/** A worker that is not heard of for this long has died. */
const LEASE_SECONDS = 30;
/** Reports kept for each pipeline. */
export const MAX_REPORTS = 20;
const COLUMNS = `id, instance_id, pipeline_id, version_number, status, requested_by, requested_at, began_at, ended_at,
  progress, summary, problem`;

export function reportsStore(pool: Pool) {
  const differences = (instanceId: string): string =>
    `${quoteIdentifier(instanceSchema(instanceId))}.reconciliation_difference`;

  return {
    /** Null while another one of the pipeline waits or runs. */
    async add(report: {
      id: string;
      instanceId: string;
      pipelineId: string;
      versionNumber: number;
      requestedBy: string;
    }): Promise<ReportRow | null> {
      const { rows } = await pool.query(
        `INSERT INTO sync_reconciliation (id, instance_id, pipeline_id, version_number, requested_by)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
        [report.id, report.instanceId, report.pipelineId, report.versionNumber, report.requestedBy],
      );
      return rows[0] ? readReport(rows[0]) : null;
    },

    async find(instanceId: string, id: string): Promise<ReportRow | null> {
      const { rows } = await pool.query(
        `SELECT ${COLUMNS} FROM sync_reconciliation WHERE instance_id = $1 AND id = $2`,
        [instanceId, id],
      );
      return rows[0] ? readReport(rows[0]) : null;
    },

    async list(instanceId: string, pipelineId: string): Promise<ReportRow[]> {
      const { rows } = await pool.query(
        `SELECT ${COLUMNS} FROM sync_reconciliation WHERE instance_id = $1 AND pipeline_id = $2 ORDER BY id DESC LIMIT $3`,
        [instanceId, pipelineId, MAX_REPORTS],
      );
      return rows.map(readReport);
    },

    /** Reports of the pipeline beyond those that are kept. */
    async outdated(instanceId: string, pipelineId: string): Promise<string[]> {
      const { rows } = await pool.query(
        `DELETE FROM sync_reconciliation WHERE id IN (
           SELECT id FROM sync_reconciliation WHERE instance_id = $1 AND pipeline_id = $2
             AND status NOT IN ('WAITING', 'RUNNING') ORDER BY id DESC OFFSET $3) RETURNING id`,
        [instanceId, pipelineId, MAX_REPORTS],
      );
      return rows.map(({ id }) => id);
    },

    /** Takes one that nobody works on, or the named one, of an instance with the fewest under way; null when there is none. */
    async acquire(
      owner: string,
      { id = null, except = [] }: { id?: string | null; except?: readonly string[] } = {},
    ): Promise<(ReportRow & { attempts: number }) | null> {
      const { rows } = await pool.query(
        `UPDATE sync_reconciliation SET status = 'RUNNING', owner = $1, attempts = attempts + 1, progress = '{}',
           summary = '{}', began_at = now(), lease_until = now() + interval '${LEASE_SECONDS} seconds'
         WHERE id = (SELECT id FROM sync_reconciliation s
           WHERE (status = 'WAITING' OR (status = 'RUNNING' AND lease_until < now())) AND ($2::text IS NULL OR id = $2)
             AND NOT instance_id = ANY($3::text[])
           ORDER BY (SELECT count(*) FROM sync_reconciliation o
                     WHERE o.instance_id = s.instance_id AND o.status = 'RUNNING' AND o.lease_until >= now()),
             requested_at LIMIT 1 FOR UPDATE OF s SKIP LOCKED)
         RETURNING ${COLUMNS}, attempts`,
        [owner, id, except],
      );
      return rows[0] ? { ...readReport(rows[0]), attempts: rows[0].attempts } : null;
    },

    /** Renews the lease; answers whether it is still ours, and whether a person wants it to end. */
    async renew(owner: string, id: string, progress: ReportProgress): Promise<"going" | "cancelled" | "lost"> {
      const { rows } = await pool.query(
        `UPDATE sync_reconciliation SET progress = $3, lease_until = now() + interval '${LEASE_SECONDS} seconds'
         WHERE id = $2 AND owner = $1 AND status = 'RUNNING' RETURNING is_cancel_requested`,
        [owner, id, JSON.stringify(progress)],
      );
      if (!rows[0]) return "lost";
      return rows[0].is_cancel_requested ? "cancelled" : "going";
    },

    async end(
      owner: string,
      id: string,
      status: "FINISHED" | "CANCELLED" | "FAILED",
      { summary, problem }: { summary: ReportSummary; problem: string | null },
    ): Promise<void> {
      await pool.query(
        `UPDATE sync_reconciliation SET status = $3, summary = $4, problem = $5, ended_at = now(), owner = NULL,
           lease_until = NULL WHERE id = $2 AND owner = $1`,
        [owner, id, status, JSON.stringify(summary), problem],
      );
    },

    /** Gives it back unfinished: somebody else begins it anew. */
    async release(owner: string, id: string): Promise<void> {
      await pool.query("UPDATE sync_reconciliation SET lease_until = now() WHERE id = $2 AND owner = $1", [owner, id]);
    },

    async requestCancel(instanceId: string, id: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        `UPDATE sync_reconciliation SET is_cancel_requested = true,
           status = CASE WHEN status = 'WAITING' THEN 'CANCELLED' ELSE status END,
           ended_at = CASE WHEN status = 'WAITING' THEN now() END
         WHERE instance_id = $1 AND id = $2 AND status IN ('WAITING', 'RUNNING')`,
        [instanceId, id],
      );
      return rowCount === 1;
    },

    async addDifferences(
      { instanceId, id }: WorkKey,
      placeId: number,
      found: readonly FoundDifference[],
    ): Promise<void> {
      if (found.length === 0) return;
      await pool.query(
        `INSERT INTO ${differences(instanceId)} (reconciliation_id, place, kind, reason, external_id, record_id, field,
           connector_field, outside_value, core_value, signature, is_unread)
         SELECT $1, $2, d.* FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
           $9::jsonb[], $10::jsonb[], $11::text[], $12::boolean[]) AS d`,
        [
          id,
          placeId,
          found.map(({ kind }) => kind),
          found.map(({ reason }) => reason),
          found.map(({ externalId }) => externalId),
          found.map(({ recordId }) => recordId),
          found.map(({ field }) => field),
          found.map(({ connectorField }) => connectorField),
          found.map(({ outsideValue }) => JSON.stringify(outsideValue)),
          found.map(({ coreValue }) => JSON.stringify(coreValue)),
          found.map(({ signature }) => signature),
          found.map(({ isUnread }) => isUnread),
        ],
      );
    },

    /** How many are stored: `kind reason` → count. */
    async storedCounts({ instanceId, id }: WorkKey): Promise<Map<string, number>> {
      const { rows } = await pool.query(
        `SELECT kind || ' ' || reason AS key, count(*)::int AS count FROM ${differences(instanceId)}
         WHERE reconciliation_id = $1 GROUP BY kind, reason`,
        [id],
      );
      return new Map(rows.map(({ key, count }) => [key, count]));
    },

    /** In the order in which they were found; one more than asked for tells that there are more. */
    async differences(
      { instanceId, id }: WorkKey,
      { kind, reason, numbers }: DifferenceChoice,
      page: { from: string | null; direction: "next" | "previous"; count: number },
    ): Promise<DifferenceRow[]> {
      const values: unknown[] = [id];
      const bind = (value: unknown): string => `$${values.push(value)}`;
      const conditions = ["reconciliation_id = $1"];
      if (kind) conditions.push(`kind = ${bind(kind)}`);
      if (reason) conditions.push(`reason = ${bind(reason)}`);
      if (numbers) conditions.push(`number = ANY(${bind(numbers)}::bigint[])`);
      const isForward = page.direction === "next";
      if (page.from !== null) conditions.push(`number ${isForward ? ">" : "<"} ${bind(page.from)}`);
      const { rows } = await pool.query({
        types: exactValueTypes,
        text: `SELECT * FROM ${differences(instanceId)} WHERE ${conditions.join(" AND ")}
         ORDER BY number ${isForward ? "ASC" : "DESC"} LIMIT ${bind(page.count + 1)}`,
        values,
      });
      const found = rows.map(readDifference);
      return isForward ? found : found.reverse();
    },

    /** Signatures that one unlinked outside record and one undelivered core record of a system have in common, with that record. */
    async lostLinks({ instanceId, id }: WorkKey): Promise<Map<string, string>> {
      const { rows } = await pool.query(
        `SELECT place, signature, min(record_id) FILTER (WHERE kind = 'not_delivered') AS record_id
         FROM ${differences(instanceId)} WHERE reconciliation_id = $1 AND signature IS NOT NULL
         GROUP BY place, signature
         HAVING count(*) FILTER (WHERE kind = 'unlinked') = 1 AND count(*) FILTER (WHERE kind = 'not_delivered') = 1`,
        [id],
      );
      return new Map(rows.map((row) => [`${row.place} ${row.signature}`, row.record_id]));
    },

    async noteRepair({ instanceId, id }: WorkKey, numbers: readonly string[]): Promise<void> {
      await pool.query(
        `UPDATE ${differences(instanceId)} SET repair_requested_at = now()
         WHERE reconciliation_id = $1 AND number = ANY($2::bigint[])`,
        [id, numbers],
      );
    },
  };
}

export type ReportsStore = ReturnType<typeof reportsStore>;

const readReport = (row: QueryResultRow): ReportRow => ({
  id: row["id"],
  instanceId: row["instance_id"],
  pipelineId: row["pipeline_id"],
  versionNumber: row["version_number"],
  status: row["status"],
  requestedBy: row["requested_by"],
  requestedAt: row["requested_at"],
  beganAt: row["began_at"],
  endedAt: row["ended_at"],
  progress: row["progress"],
  summary: row["summary"],
  problem: row["problem"],
});

const readDifference = (row: QueryResultRow): DifferenceRow => ({
  number: String(row["number"]),
  kind: row["kind"],
  reason: row["reason"],
  placeId: row["place"],
  externalId: row["external_id"],
  recordId: row["record_id"],
  field: row["field"],
  connectorField: row["connector_field"],
  outsideValue: row["outside_value"],
  coreValue: row["core_value"],
  signature: row["signature"],
  isUnread: row["is_unread"],
  repairRequestedAt: row["repair_requested_at"],
});
