/** Reports: reconciliations asked for, under way and ended. */
import type { Id } from "@accord/contracts";
import type { Reconciliation, ReconciledSystem } from "@accord/contracts/sync/reconciliation";
import type { QueryResultRow } from "pg";
import type { Pool } from "../../../../platform/db/db.ts";
import { differencesStore } from "./differences.store.ts";

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

/** A worker that is not heard of for this long has died. */
const LEASE_SECONDS = 30;
/** Reports kept for each pipeline. */
export const MAX_REPORTS = 20;
const COLUMNS = `id, instance_id, pipeline_id, version_number, status, requested_by, requested_at, began_at, ended_at,
  progress, summary, problem`;

/** With what they found. `reads`: for what people look through page by page. */
export function reportsStore(pool: Pool, reads = pool) {
  return {
    ...differencesStore(pool, reads),

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
