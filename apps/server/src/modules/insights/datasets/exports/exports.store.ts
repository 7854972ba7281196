/** Exports of datasets and the pieces of their files. Only the run that holds the lease of an export writes its file. */
import type { Id } from "@accord/contracts";
import {
  type DatasetExport,
  EXPORT_LIMITS,
  type ExportFormat,
  type ExportStatus,
} from "@accord/contracts/insights/dataset-exports";
import { VariableValues } from "@accord/contracts/insights/variables";
import { sql } from "kysely";
import type { Db } from "../../../../platform/db/db.ts";

type InstanceId = Id<"instance">;
type ExportId = Id<"datasetExport">;

interface ExportRow {
  instance_id: InstanceId;
  id: ExportId;
  dataset_id: Id<"dataset">;
  user_id: Id<"user">;
  created_by: string;
  format: ExportFormat;
  variables: unknown;
  file_name: string;
  status: ExportStatus;
  rows_written: number | string;
  total_rows: number | string | null;
  bytes: number | string;
  error: string | null;
  created_at: string;
  expires_at: string;
}

const toExport = (row: ExportRow): DatasetExport => ({
  id: row.id,
  datasetId: row.dataset_id,
  format: row.format,
  status: row.status,
  fileName: row.file_name,
  variablesMap: VariableValues.parse(row.variables),
  rows: Number(row.rows_written),
  totalRows: row.total_rows === null ? null : Number(row.total_rows),
  bytes: Number(row.bytes),
  error: row.error,
  createdBy: row.created_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

/** Whose exports somebody sees, and when: not those that are due to be deleted. */
export interface Owner {
  userId: Id<"user">;
  now: string;
}

export async function insertExport(
  db: Db,
  instanceId: InstanceId,
  one: Pick<DatasetExport, "id" | "datasetId" | "format" | "variablesMap" | "fileName" | "createdBy" | "expiresAt"> &
    Owner,
): Promise<void> {
  await sql`INSERT INTO dataset_export
      (instance_id, id, dataset_id, user_id, created_by, format, variables, file_name, status, created_at, expires_at)
    VALUES (${instanceId}, ${one.id}, ${one.datasetId}, ${one.userId}, ${one.createdBy}, ${one.format},
      ${JSON.stringify(one.variablesMap)}::jsonb, ${one.fileName}, 'QUEUED', ${one.now}, ${one.expiresAt})`.execute(db);
}

/** Newest first. */
export async function readExports(
  db: Db,
  instanceId: InstanceId,
  { datasetId, userId, now }: Owner & { datasetId: Id<"dataset"> },
): Promise<DatasetExport[]> {
  const { rows } = await sql<ExportRow>`SELECT * FROM dataset_export
    WHERE instance_id = ${instanceId} AND dataset_id = ${datasetId} AND user_id = ${userId} AND expires_at > ${now}
    ORDER BY created_at DESC, id DESC LIMIT ${EXPORT_LIMITS.listed}`.execute(db);
  return rows.map(toExport);
}

export async function findExport(
  db: Db,
  instanceId: InstanceId,
  { id, userId, now }: Owner & { id: ExportId },
): Promise<DatasetExport | null> {
  const { rows } = await sql<ExportRow>`SELECT * FROM dataset_export
    WHERE instance_id = ${instanceId} AND id = ${id} AND user_id = ${userId} AND expires_at > ${now}`.execute(db);
  return rows[0] ? toExport(rows[0]) : null;
}

/** What all exports of an instance take. */
export async function readUsage(db: Db, instanceId: InstanceId): Promise<{ stored: number; bytes: number }> {
  const { rows } = await sql<{ stored: string; bytes: string }>`
    SELECT count(*) AS stored, coalesce(sum(bytes), 0) AS bytes FROM dataset_export
    WHERE instance_id = ${instanceId}`.execute(db);
  return { stored: Number(rows[0]?.stored), bytes: Number(rows[0]?.bytes) };
}

/** False when it waits or runs no more. */
export async function cancelExport(
  db: Db,
  instanceId: InstanceId,
  { id, userId, expiresAt }: { id: ExportId; userId: Id<"user">; expiresAt: string },
): Promise<boolean> {
  const { rows } = await sql`UPDATE dataset_export
    SET status = 'CANCELED', bytes = 0, run_id = NULL, lease_until = NULL, expires_at = ${expiresAt}
    WHERE instance_id = ${instanceId} AND id = ${id} AND user_id = ${userId} AND status IN ('QUEUED', 'RUNNING')
    RETURNING id`.execute(db);
  if (rows.length === 0) return false;
  await deleteChunks(db, instanceId, id);
  return true;
}

export async function deleteExport(
  db: Db,
  instanceId: InstanceId,
  { id, userId }: { id: ExportId; userId: Id<"user"> },
): Promise<boolean> {
  const { rows } = await sql`DELETE FROM dataset_export
    WHERE instance_id = ${instanceId} AND id = ${id} AND user_id = ${userId} RETURNING id`.execute(db);
  return rows.length > 0;
}

/** A piece of the file; null where it has no more. */
export async function readChunk(db: Db, instanceId: InstanceId, id: ExportId, number: number): Promise<Buffer | null> {
  const { rows } = await sql<{ content: Buffer }>`SELECT content FROM dataset_export_chunk
    WHERE instance_id = ${instanceId} AND export_id = ${id} AND number = ${number}`.execute(db);
  return rows[0]?.content ?? null;
}

export async function deleteChunks(db: Db, instanceId: InstanceId, id: ExportId): Promise<void> {
  await sql`DELETE FROM dataset_export_chunk WHERE instance_id = ${instanceId} AND export_id = ${id}`.execute(db);
}
