/** The queue of exports: which one runs, how far it is, and what becomes of one whose server is gone. */
import type { Id } from "@accord/contracts";
import type { ExportFormat } from "@accord/contracts/insights/dataset-exports";
import { VariableValues } from "@accord/contracts/insights/variables";
import { sql } from "kysely";
import type { Db } from "../../../../platform/db/db.ts";
import { deleteChunks } from "./exports.store.ts";

type InstanceId = Id<"instance">;

/** What identifies an export to the person who started it. */
export interface OwnedExport {
  instanceId: InstanceId;
  id: Id<"datasetExport">;
  datasetId: Id<"dataset">;
  userId: Id<"user">;
  fileName: string;
}

/** An export that this run alone writes. */
export interface ClaimedExport extends OwnedExport {
  runId: string;
  format: ExportFormat;
  variablesMap: VariableValues;
}
export interface Progress {
  rows: number;
  total: number | null;
}

/** A run that is silent for so long is lost: its server ended, or its database can't be reached. */
const LEASE_SECONDS = 60;
/** How often an export is begun before it counts as failed. */
const MAX_ATTEMPTS = 3;
const UNIQUE_VIOLATION = "23505";

const lease = sql`now() + make_interval(secs => ${LEASE_SECONDS})`;
const held = ({ instanceId, id, runId }: ClaimedExport) =>
  sql`instance_id = ${instanceId} AND id = ${id} AND run_id = ${runId} AND status = 'RUNNING'`;

/** The export of the instance that has waited longest; null while another one runs, and where none waits. */
export async function claimNext(db: Db, instanceId: InstanceId, runId: string): Promise<ClaimedExport | null> {
  const claimed = await sql<{
    id: Id<"datasetExport">;
    dataset_id: Id<"dataset">;
    user_id: Id<"user">;
    file_name: string;
    format: ExportFormat;
    variables: unknown;
  }>`UPDATE dataset_export
      SET status = 'RUNNING', run_id = ${runId}, lease_until = ${lease}, attempts = attempts + 1,
          rows_written = 0, total_rows = NULL, bytes = 0, error = NULL
      WHERE instance_id = ${instanceId} AND id = (
        SELECT id FROM dataset_export WHERE instance_id = ${instanceId} AND status = 'QUEUED'
        ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
      AND NOT EXISTS (SELECT FROM dataset_export WHERE instance_id = ${instanceId} AND status = 'RUNNING')
      RETURNING id, dataset_id, user_id, file_name, format, variables`
    .execute(db)
    .catch((error: unknown) => {
      // Another server began one in this very moment.
      if (error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION) return { rows: [] };
      throw error;
    });
  const [row] = claimed.rows;
  if (!row) return null;
  await deleteChunks(db, instanceId, row.id);
  const { id, dataset_id: datasetId, user_id: userId, file_name: fileName, format } = row;
  const variablesMap = VariableValues.parse(row.variables);
  return { instanceId, id, runId, datasetId, userId, fileName, format, variablesMap };
}

/** Says how far it is and that it still runs; false when it is no longer this run's: canceled, deleted, or begun anew. */
export async function renewLease(db: Db, claimed: ClaimedExport, { rows, total }: Progress): Promise<boolean> {
  const renewed = await sql`UPDATE dataset_export
    SET rows_written = ${rows}, total_rows = ${total}, lease_until = ${lease}
    WHERE ${held(claimed)} RETURNING id`.execute(db);
  return renewed.rows.length > 0;
}

/** False when it is no longer this run's; nothing is written then. */
export async function addChunk(db: Db, claimed: ClaimedExport, number: number, content: Buffer): Promise<boolean> {
  const added = await sql`
    WITH held AS (UPDATE dataset_export SET bytes = bytes + ${content.length}::integer, lease_until = ${lease}
                  WHERE ${held(claimed)} RETURNING instance_id, id)
    INSERT INTO dataset_export_chunk (instance_id, export_id, number, content)
    SELECT instance_id, id, ${number}::integer, ${content}::bytea FROM held RETURNING number`.execute(db);
  return added.rows.length > 0;
}

/** False when it is no longer this run's. */
export async function completeExport(
  db: Db,
  claimed: ClaimedExport,
  rows: number,
  expiresAt: string,
): Promise<boolean> {
  const completed = await sql`UPDATE dataset_export
    SET status = 'COMPLETED', rows_written = ${rows}, total_rows = ${rows}, run_id = NULL, lease_until = NULL,
        expires_at = ${expiresAt}
    WHERE ${held(claimed)} RETURNING id`.execute(db);
  return completed.rows.length > 0;
}

/** False when it is no longer this run's. */
export async function failExport(db: Db, claimed: ClaimedExport, error: string, expiresAt: string): Promise<boolean> {
  const failed = await sql`UPDATE dataset_export
    SET status = 'FAILED', error = ${error}, bytes = 0, run_id = NULL, lease_until = NULL, expires_at = ${expiresAt}
    WHERE ${held(claimed)} RETURNING id`.execute(db);
  if (failed.rows.length === 0) return false;
  await deleteChunks(db, claimed.instanceId, claimed.id);
  return true;
}

/** The server stops: another one, or this one later, begins the export anew. */
export async function requeueExport(db: Db, claimed: ClaimedExport): Promise<void> {
  await sql`UPDATE dataset_export
    SET status = 'QUEUED', attempts = attempts - 1, run_id = NULL, lease_until = NULL,
        rows_written = 0, total_rows = NULL, bytes = 0
    WHERE ${held(claimed)}`.execute(db);
}

/** Exports whose server is gone wait again, or fail with `failure` of how often they were tried; these are answered. */
export async function recoverLost(
  db: Db,
  failure: (attempts: number) => string,
): Promise<{ lost: OwnedExport; reason: string }[]> {
  const { rows } = await sql<{
    instance_id: InstanceId;
    id: Id<"datasetExport">;
    dataset_id: Id<"dataset">;
    user_id: Id<"user">;
    file_name: string;
    error: string;
  }>`
    WITH lost AS (
      UPDATE dataset_export
      SET status = CASE WHEN attempts < ${MAX_ATTEMPTS} THEN 'QUEUED' ELSE 'FAILED' END,
          error = CASE WHEN attempts < ${MAX_ATTEMPTS} THEN NULL ELSE ${failure(MAX_ATTEMPTS)} END,
          run_id = NULL, lease_until = NULL, bytes = 0
      WHERE status = 'RUNNING' AND lease_until < now()
      RETURNING instance_id, id, dataset_id, user_id, file_name, status, error),
    deleted AS (
      DELETE FROM dataset_export_chunk chunk USING lost
      WHERE chunk.instance_id = lost.instance_id AND chunk.export_id = lost.id)
    SELECT instance_id, id, dataset_id, user_id, file_name, error FROM lost WHERE status = 'FAILED'`.execute(db);
  return rows.map(
    ({ instance_id: instanceId, id, dataset_id: datasetId, user_id: userId, file_name: fileName, error }) => ({
      lost: { instanceId, id, datasetId, userId, fileName },
      reason: error,
    }),
  );
}

/** Files and all. */
export async function deleteExpired(db: Db, now: string): Promise<void> {
  await sql`DELETE FROM dataset_export WHERE expires_at <= ${now}`.execute(db);
}

/** Instances of which an export waits while none runs. */
export async function findWaiting(db: Db): Promise<InstanceId[]> {
  const { rows } = await sql<{ instance_id: InstanceId }>`
    SELECT DISTINCT instance_id FROM dataset_export queued WHERE status = 'QUEUED'
      AND NOT EXISTS (SELECT FROM dataset_export running
                      WHERE running.instance_id = queued.instance_id AND running.status = 'RUNNING')`.execute(db);
  return rows.map((row) => row.instance_id);
}

export async function hasWaiting(db: Db, instanceId: InstanceId): Promise<boolean> {
  const { rows } = await sql`SELECT FROM dataset_export
    WHERE instance_id = ${instanceId} AND status = 'QUEUED' LIMIT 1`.execute(db);
  return rows.length > 0;
}
