/** Uploaded files and the pieces of their bytes. Decides nothing. */
import type { Id } from "@accord/contracts";
import type { ConnectorFile } from "@accord/contracts/connections/connector-files";
import { sql } from "kysely";
import type { Db } from "../../../../platform/db/db.ts";

type InstanceId = Id<"instance">;
type FileId = Id<"connectorFile">;

export interface FileRow {
  instance_id: InstanceId;
  id: FileId;
  connector_id: Id<"connector">;
  name: string;
  state: ConnectorFile["state"];
  size: number;
  received: number;
  piece_bytes: number;
  fingerprint: string;
  row_count: number | null;
  number: number;
  user_id: string;
  created_by: string;
  created_at: string;
  changed_at: string;
}

type Stored = Omit<FileRow, "size" | "received" | "row_count" | "number"> &
  Record<"size" | "received" | "number", string | number> & { row_count: string | number | null };

const toRow = (row: Stored): FileRow => ({
  ...row,
  size: Number(row.size),
  received: Number(row.received),
  number: Number(row.number),
  row_count: row.row_count === null ? null : Number(row.row_count),
});

/** Where a file is: of one connector of one instance. */
export interface FileAt {
  instanceId: InstanceId;
  connectorId: Id<"connector">;
  id: FileId;
}

/** By name, then the latest first. */
export async function readFiles(db: Db, at: InstanceId, connectorId: string): Promise<FileRow[]> {
  const { rows } = await sql<Stored>`SELECT * FROM connector_file
    WHERE instance_id = ${at} AND connector_id = ${connectorId} ORDER BY name, number DESC`.execute(db);
  return rows.map(toRow);
}

export async function findFile(db: Db, { instanceId, connectorId, id }: FileAt): Promise<FileRow | null> {
  const { rows } = await sql<Stored>`SELECT * FROM connector_file
    WHERE instance_id = ${instanceId} AND connector_id = ${connectorId} AND id = ${id}`.execute(db);
  return rows[0] ? toRow(rows[0]) : null;
}

/** The same, and nobody else changes it until the transaction ends. */
export async function lockFile(db: Db, { instanceId, connectorId, id }: FileAt): Promise<FileRow | null> {
  const { rows } = await sql<Stored>`SELECT * FROM connector_file
    WHERE instance_id = ${instanceId} AND connector_id = ${connectorId} AND id = ${id} FOR UPDATE`.execute(db);
  return rows[0] ? toRow(rows[0]) : null;
}

/** Nobody else changes the connector until the transaction ends; what belongs to it may still be added. */
export async function lockConnector(db: Db, at: InstanceId, connectorId: string): Promise<void> {
  await sql`SELECT id FROM connector WHERE instance_id = ${at} AND id = ${connectorId} FOR NO KEY UPDATE`.execute(db);
}

/** What an instance stores, at the full size of what is still arriving. */
export async function readUsage(db: Db, at: InstanceId): Promise<{ files: number; bytes: number }> {
  const { rows } = await sql<{ files: string; bytes: string }>`
    SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes FROM connector_file WHERE instance_id = ${at}`.execute(
    db,
  );
  return { files: Number(rows[0]?.files), bytes: Number(rows[0]?.bytes) };
}

/** Those who make room in an instance take turns. */
export async function lockUsage(db: Db, at: InstanceId): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`connector_file ${at}`}, 0))`.execute(db);
}

export type NewFile = Pick<
  FileRow,
  "id" | "connector_id" | "name" | "size" | "piece_bytes" | "fingerprint" | "user_id" | "created_by"
>;

export async function insertFile(db: Db, at: InstanceId, file: NewFile, now: string): Promise<void> {
  await sql`INSERT INTO connector_file
      (instance_id, id, connector_id, name, state, size, piece_bytes, fingerprint, user_id, created_by, created_at, changed_at)
    VALUES (${at}, ${file.id}, ${file.connector_id}, ${file.name}, 'RECEIVING', ${file.size}, ${file.piece_bytes},
      ${file.fingerprint}, ${file.user_id}, ${file.created_by}, ${now}, ${now})`.execute(db);
}

export async function addPiece(
  db: Db,
  { instanceId, id }: FileAt,
  piece: { number: number; content: Buffer; isLast: boolean; now: string },
): Promise<void> {
  const { number, content, isLast, now } = piece;
  await sql`WITH file AS (
      UPDATE connector_file SET received = received + ${content.length}, changed_at = ${now},
        state = ${isLast ? "RECEIVED" : "RECEIVING"}
      WHERE instance_id = ${instanceId} AND id = ${id} RETURNING instance_id, id)
    INSERT INTO connector_file_piece (instance_id, file_id, number, content)
    SELECT instance_id, id, ${number}, ${content} FROM file`.execute(db);
}

export async function readPiece(
  db: Db,
  { instanceId, id }: Pick<FileAt, "instanceId" | "id">,
  number: number,
): Promise<Buffer | null> {
  const { rows } = await sql<{ content: Buffer }>`SELECT content FROM connector_file_piece
    WHERE instance_id = ${instanceId} AND file_id = ${id} AND number = ${number}`.execute(db);
  return rows[0]?.content ?? null;
}

/** Of the pieces that have arrived: the SHA-256 of theirs, one behind the other. */
export async function digestPieces(db: Db, { instance_id, id }: Pick<FileRow, "instance_id" | "id">): Promise<string> {
  const { rows } = await sql<{ digest: string | null }>`
    SELECT encode(sha256(string_agg(sha256(content), ''::bytea ORDER BY number)), 'hex') AS digest
    FROM connector_file_piece WHERE instance_id = ${instance_id} AND file_id = ${id}`.execute(db);
  return rows[0]?.digest ?? "";
}

export async function setRowCount(db: Db, { instanceId, id }: FileAt, rows: number, now: string): Promise<void> {
  await sql`UPDATE connector_file SET row_count = ${rows}, changed_at = ${now}
    WHERE instance_id = ${instanceId} AND id = ${id}`.execute(db);
}

/** Puts it in the place of the file of its name. */
export async function putInUse(db: Db, { instanceId, connectorId, id }: FileAt, name: string): Promise<void> {
  await sql`DELETE FROM connector_file WHERE instance_id = ${instanceId} AND connector_id = ${connectorId}
    AND name = ${name} AND state = 'READY' AND id <> ${id}`.execute(db);
  await sql`UPDATE connector_file SET state = 'READY'
    WHERE instance_id = ${instanceId} AND connector_id = ${connectorId} AND id = ${id}`.execute(db);
}

export async function deleteFile(db: Db, { instanceId, connectorId, id }: FileAt): Promise<boolean> {
  const { rows } = await sql`DELETE FROM connector_file
    WHERE instance_id = ${instanceId} AND connector_id = ${connectorId} AND id = ${id} RETURNING id`.execute(db);
  return rows.length > 0;
}

export async function deleteFilesOf(db: Db, at: InstanceId, connectorId: Id<"connector">): Promise<void> {
  await sql`DELETE FROM connector_file WHERE instance_id = ${at} AND connector_id = ${connectorId}`.execute(db);
}

/** What nobody went on with since then, in all instances. */
export async function deleteAbandoned(db: Db, before: string): Promise<number> {
  const { rows } = await sql`DELETE FROM connector_file
    WHERE state <> 'READY' AND changed_at < ${before} RETURNING id`.execute(db);
  return rows.length;
}
