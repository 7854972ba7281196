/** Runs of tests: begun, kept alive, ended, read back, and deleted once they are many, large or old. */
import {
  PIPELINE_TEST_LIMITS as LIMITS,
  type TestResult,
  type TestRunStatus,
} from "@accord/contracts/sync/tests/pipeline-tests";
import type { QueryResultRow } from "pg";
import { instanceSchema, type Pool } from "../../../platform/db/db.ts";
import { exactValueTypes } from "../../../platform/db/value-types.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { quoteIdentifier } from "../../data/schema/index.ts";
import type { TestOwner } from "./pipeline-tests.store.ts";

export interface RunRow {
  id: string;
  kind: "simulated" | "live";
  name: string;
  status: TestRunStatus;
  message: string | null;
  testIds: string[];
  graphVersion: "draft" | "published";
  requestedBy: string;
  requestedAt: string;
  beganAt: string | null;
  endedAt: string | null;
  records: number;
}

/** A run that is not renewed for this long was cut off with its server. */
const LEASE_SECONDS = 20;
const UNDER_WAY = "r.status IN ('NEW', 'PROCESSING')";
/** Nobody has to clean up after a crash: a run whose lease is over reads as aborted. */
const COLUMNS = `r.id, r.kind, r.name, CASE WHEN ${UNDER_WAY} AND r.lease_until < now() THEN 'aborted' ELSE r.status END AS status,
  r.message, r.test_ids, r.graph_version, r.requested_by, r.requested_at, r.began_at, r.ended_at, r.records`;

export function testRunsStore(pool: Pool) {
  const tableOf = (instanceId: string, name = "pipeline_test_run"): string =>
    `${quoteIdentifier(instanceSchema(instanceId))}.${name}`;

  return {
    /** Null while another run of the pipeline, or of one of its fields, is under way. */
    async begin(
      owner: TestOwner,
      run: Pick<RunRow, "id" | "kind" | "name" | "testIds" | "graphVersion" | "requestedBy">,
    ): Promise<RunRow | null> {
      const table = tableOf(owner.instanceId);
      return transaction(pool, async ({ client }) => {
        await client.query(
          `UPDATE ${table} r SET status = 'aborted', ended_at = lease_until
           WHERE pipeline_id = $1 AND ${UNDER_WAY} AND lease_until < now()`,
          [owner.pipelineId],
        );
        const { rows } = await client.query(
          `INSERT INTO ${table} AS r (id, pipeline_id, field_id, kind, name, test_ids, graph_version, requested_by, lease_until)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + interval '${LEASE_SECONDS} seconds')
           ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
          [run.id, owner.pipelineId, owner.fieldId, run.kind, run.name, run.testIds, run.graphVersion, run.requestedBy],
        );
        return rows[0] ? readRun(rows[0]) : null;
      });
    },

    /** The version that is tested, once it was read. */
    async start(instanceId: string, runId: string, graphVersion: RunRow["graphVersion"]): Promise<void> {
      await pool.query(
        `UPDATE ${tableOf(instanceId)} SET graph_version = $2, status = 'PROCESSING', began_at = now()
         WHERE id = $1 AND status = 'NEW'`,
        [runId, graphVersion],
      );
    },

    /** Whether it is still under way. */
    async renew(instanceId: string, runId: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        `UPDATE ${tableOf(instanceId)} r SET lease_until = now() + interval '${LEASE_SECONDS} seconds'
         WHERE id = $1 AND ${UNDER_WAY}`,
        [runId],
      );
      return rowCount === 1;
    },

    /** Whether it was under way until now: whoever performs it finds out when it is renewed. */
    async cancel(owner: TestOwner, kind: RunRow["kind"], runId: string, message: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        `UPDATE ${tableOf(owner.instanceId)} r SET status = 'aborted', message = $5, ended_at = now()
         WHERE pipeline_id = $1 AND field_id = $2 AND kind = $3 AND id = $4 AND ${UNDER_WAY}`,
        [owner.pipelineId, owner.fieldId, kind, runId, message],
      );
      return rowCount === 1;
    },

    /** Takes back a run that could not begin. */
    async withdraw(instanceId: string, runId: string): Promise<void> {
      await pool.query(`DELETE FROM ${tableOf(instanceId)} r WHERE id = $1 AND ${UNDER_WAY}`, [runId]);
    },

    async end(
      owner: TestOwner,
      runId: string,
      { status, message, results }: { status: TestRunStatus; message: string | null; results: readonly TestResult[] },
      { revisions, graphsHash }: { revisions: ReadonlyMap<string, number>; graphsHash: string },
    ): Promise<void> {
      const table = tableOf(owner.instanceId);
      const details = results.map((result) => JSON.stringify(result));
      const bytes = details.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      const records = results.reduce((sum, { recordsProcessed }) => sum + recordsProcessed, 0);
      await transaction(pool, async ({ client }) => {
        const { rowCount } = await client.query(
          `UPDATE ${table} r SET status = $2, message = $3, ended_at = now(), records = $4, bytes = $5
           WHERE id = $1 AND ${UNDER_WAY}`,
          [runId, status, message, records, bytes],
        );
        if (rowCount === 0) return;
        await client.query(
          `INSERT INTO ${tableOf(owner.instanceId, "pipeline_test_result")}
             (run_id, position, test_id, status, actual, records, details, test_revision, graphs_hash)
           SELECT $1, position, test_id, status, actual, records, details, test_revision, $8
           FROM unnest($2::text[], $3::text[], $4::json[], $5::int[], $6::json[], $7::int[])
             WITH ORDINALITY AS w(test_id, status, actual, records, details, test_revision, position)`,
          [
            runId,
            results.map(({ id }) => id),
            results.map((result) => result.status),
            results.map(({ actualResult }) => JSON.stringify(actualResult)),
            results.map(({ recordsProcessed }) => recordsProcessed),
            details,
            results.map(({ id }) => revisions.get(id) ?? null),
            graphsHash,
          ],
        );
      });
    },

    /** Deletes what is beyond the limits: of number and age for each kind of run and each field, of bytes for all; the newest of each always stays. */
    async deleteOld(owner: Pick<TestOwner, "instanceId" | "pipelineId">): Promise<void> {
      const table = tableOf(owner.instanceId);
      await pool.query(
        `DELETE FROM ${table} WHERE id IN (
           SELECT id FROM (SELECT r.id, r.requested_at,
               row_number() OVER (PARTITION BY r.field_id, r.kind ORDER BY r.id DESC) AS place,
               sum(r.bytes) OVER (ORDER BY r.id DESC) AS bytes
             FROM ${table} r WHERE r.pipeline_id = $1 AND NOT (${UNDER_WAY} AND r.lease_until >= now())) r
           WHERE place > 1 AND (place > $2 OR bytes > $3 OR requested_at < now() - make_interval(days => $4)))`,
        [owner.pipelineId, LIMITS.keptRuns, LIMITS.keptRunBytes, LIMITS.keptDays],
      );
    },

    /** Deletes those that have ended, and answers how many. */
    async clear(owner: TestOwner, kind: RunRow["kind"]): Promise<number> {
      const { rowCount } = await pool.query(
        `DELETE FROM ${tableOf(owner.instanceId)} r
         WHERE pipeline_id = $1 AND field_id = $2 AND kind = $3 AND NOT (${UNDER_WAY} AND r.lease_until >= now())`,
        [owner.pipelineId, owner.fieldId, kind],
      );
      return rowCount ?? 0;
    },

    async isUnderWay(instanceId: string, pipelineId: string): Promise<boolean> {
      const { rows } = await pool.query(
        `SELECT FROM ${tableOf(instanceId)} r WHERE pipeline_id = $1 AND ${UNDER_WAY} AND lease_until >= now()`,
        [pipelineId],
      );
      return rows.length > 0;
    },

    async list(owner: TestOwner, kind: RunRow["kind"]): Promise<RunRow[]> {
      const { rows } = await pool.query(
        `SELECT ${COLUMNS} FROM ${tableOf(owner.instanceId)} r
         WHERE pipeline_id = $1 AND field_id = $2 AND kind = $3 ORDER BY id DESC LIMIT $4`,
        [owner.pipelineId, owner.fieldId, kind, LIMITS.keptRuns + 1],
      );
      return rows.map(readRun);
    },

    async find(owner: TestOwner, kind: RunRow["kind"], runId: string): Promise<RunRow | null> {
      const { rows } = await pool.query(
        `SELECT ${COLUMNS} FROM ${tableOf(owner.instanceId)} r
         WHERE pipeline_id = $1 AND field_id = $2 AND kind = $3 AND id = $4`,
        [owner.pipelineId, owner.fieldId, kind, runId],
      );
      return rows[0] ? readRun(rows[0]) : null;
    },

    async results(instanceId: string, runId: string): Promise<TestResult[]> {
      const { rows } = await pool.query({
        types: exactValueTypes,
        text: `SELECT details FROM ${tableOf(instanceId, "pipeline_test_result")} WHERE run_id = $1 ORDER BY position`,
        values: [runId],
      });
      return rows.map((row) => row.details);
    },
  };
}

export type TestRunsStore = ReturnType<typeof testRunsStore>;

const readRun = (row: QueryResultRow): RunRow => ({
  id: row["id"],
  kind: row["kind"],
  name: row["name"],
  status: row["status"],
  message: row["message"],
  testIds: row["test_ids"],
  graphVersion: row["graph_version"],
  requestedBy: row["requested_by"],
  requestedAt: row["requested_at"],
  beganAt: row["began_at"],
  endedAt: row["ended_at"],
  records: row["records"],
});
