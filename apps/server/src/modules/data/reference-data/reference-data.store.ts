/** Lists of reference data and their rows, in the instance's schema of the database of records. */
import type { Id } from "@accord/contracts";
import type { ReferenceList } from "@accord/contracts/data/reference-data";
import { instanceSchema, type Client, type Pool } from "../../../platform/db/db.ts";

type InstanceId = Id<"instance">;
type ListId = Id<"referenceList">;
export type StoredList = Omit<ReferenceList, "standard" | "usedInPipelines">;

interface Content {
  fileName: string;
  columns: string[];
  totalRecords: number;
  now: Date;
}

/** Rows sent to the database at once. */
const CHUNK = 10_000;
const list = (at: InstanceId): string => `"${instanceSchema(at)}".reference_list`;
const row = (at: InstanceId): string => `"${instanceSchema(at)}".reference_row`;

const COLUMNS = `id, name, file_name AS "fileName", status, columns, total_records AS "totalRecords",
  imported_at AS "lastImported", version`;
/** Key of one text: see the migration. `at` counts columns from one. */
const key = (id: string, at: string, text: string): string =>
  `hashtextextended(${id} || '/' || ${at} || '/' || lower(${text}), 0)`;

export async function readLists(db: Pool, at: InstanceId): Promise<StoredList[]> {
  const { rows } = await db.query<StoredList>(`SELECT ${COLUMNS} FROM ${list(at)} ORDER BY lower(name), id`);
  return rows;
}

export async function findList(db: Pool | Client, at: InstanceId, id: string): Promise<StoredList | null> {
  const { rows } = await db.query<StoredList>(`SELECT ${COLUMNS} FROM ${list(at)} WHERE id = $1`, [id]);
  return rows[0] ?? null;
}

export async function insertList(
  db: Client,
  at: InstanceId,
  made: Content & { id: ListId; name: string; createdBy: string },
): Promise<void> {
  await db.query(
    `INSERT INTO ${list(at)} (id, name, file_name, status, columns, total_records, created_by, created_at, imported_at)
     VALUES ($1, $2, $3, 'ACTIVE', $4, $5, $6, $7, $7)`,
    [made.id, made.name, made.fileName, made.columns, made.totalRecords, made.createdBy, made.now],
  );
}

/** Whether the list still had this version. */
export async function updateList(
  db: Client,
  at: InstanceId,
  id: ListId,
  { name, version, content }: { name: string; version: number; content: Content | null },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE ${list(at)} SET name = $3, version = version + 1, file_name = coalesce($4, file_name),
       columns = coalesce($5, columns), total_records = coalesce($6, total_records), imported_at = coalesce($7, imported_at)
     WHERE id = $1 AND version = $2`,
    [id, version, name, content?.fileName, content?.columns, content?.totalRecords, content?.now],
  );
  return rowCount === 1;
}

export async function setStatus(db: Pool, at: InstanceId, id: ListId, status: string): Promise<void> {
  await db.query(`UPDATE ${list(at)} SET status = $2, version = version + 1 WHERE id = $1`, [id, status]);
}

export async function deleteList(db: Pool, at: InstanceId, id: ListId): Promise<void> {
  await db.query(`DELETE FROM ${list(at)} WHERE id = $1`, [id]);
}

export async function replaceRows(
  db: Client,
  at: InstanceId,
  id: ListId,
  rows: readonly (readonly string[])[],
): Promise<void> {
  await db.query(`DELETE FROM ${row(at)} WHERE list_id = $1`, [id]);
  await insertRows(db, at, id, rows);
}

export async function insertRows(
  db: Client,
  at: InstanceId,
  id: ListId,
  rows: readonly (readonly string[])[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += CHUNK) {
    await db.query(
      `INSERT INTO ${row(at)} (list_id, position, texts, keys)
       SELECT $1, $2 + r.n, t.texts,
              ARRAY(SELECT ${key("$1", "c.n", "c.text")} FROM unnest(t.texts) WITH ORDINALITY c(text, n))
       FROM json_array_elements($3::json) WITH ORDINALITY r(row, n),
            LATERAL (SELECT ARRAY(SELECT json_array_elements_text(r.row)) AS texts) t`,
      [id, from, JSON.stringify(rows.slice(from, from + CHUNK))],
    );
  }
}

export async function readFirstRows(db: Pool, at: InstanceId, id: ListId, count: number): Promise<string[][]> {
  const { rows } = await db.query<{ texts: string[] }>(
    `SELECT texts FROM ${row(at)} WHERE list_id = $1 ORDER BY position LIMIT $2`,
    [id, count],
  );
  return rows.map(({ texts }) => texts);
}

/** Rows whose column (counted from one) holds one of the texts, at most `limit` for each text, in the file's order. */
export async function findRows(
  db: Pool | Client,
  at: InstanceId,
  id: string,
  question: { column: number; texts: readonly string[]; caseSensitive: boolean; limit: number },
): Promise<{ asked: string; texts: string[] }[]> {
  const { column, texts, caseSensitive, limit } = question;
  const same = caseSensitive ? "r.texts[$3] = q.asked" : "lower(r.texts[$3]) = lower(q.asked)";
  const { rows } = await db.query<{ asked: string; texts: string[] }>(
    `SELECT q.asked, found.texts
     FROM unnest($2::text[]) q(asked), LATERAL (
       SELECT r.texts FROM ${row(at)} r
       WHERE r.list_id = $1 AND r.keys @> ARRAY[${key("$1", "$3::integer", "q.asked")}] AND ${same}
       ORDER BY r.position LIMIT $4) found`,
    [id, texts, column, limit],
  );
  return rows;
}
