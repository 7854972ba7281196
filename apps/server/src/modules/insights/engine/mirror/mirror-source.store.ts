/** Reads records for the mirror: their shape, what changed since a snapshot, and all of them from one snapshot. */
import type { MirrorColumn } from "@accord/analytics-engine";
import type { PoolClient } from "pg";
import type { Pool } from "../../../../platform/db/db.ts";
import type { RawRow } from "../analytics-engine.ts";
import { streamBatches } from "../stream-batches.store.ts";
import { readColumns } from "./cells.ts";

/** What a copy of a table was made of: anything else than this, and it is made anew. */
export interface TableShape {
  oid: string;
  /** Names, types and numbers of its columns, its file, which TRUNCATE exchanges, and the triggers that note its changes. */
  signature: string;
  /** All changes are noted. */
  isCaptured: boolean;
  /** About how many records it has. */
  records: number;
  columns: ReadonlyMap<string, string>;
}

/** What a copy has seen. */
export interface CopyState {
  table: string;
  oid: string;
  signature: string;
  snapshot: string;
}

/** What happened to a table since its copy; `changes` null: too many to name. */
export interface TableChanges {
  table: string;
  isSame: boolean;
  count: number | null;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** One for each kind of change. */
const TRIGGERS = 3;

const SHAPE = `SELECT c.relname AS name,
    (SELECT count(*) FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgenabled = 'A'
     AND t.tgname IN ('accord_mirror_insert', 'accord_mirror_update', 'accord_mirror_delete')) = ${TRIGGERS} AS is_captured,
    c.oid::text AS oid, greatest(c.reltuples, 0)::float8 AS records,
    (SELECT string_agg(concat_ws(' ', a.attnum, a.attname, a.atttypid), ',' ORDER BY a.attnum)
     FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)
    || ';' || c.relfilenode::text || ';' || coalesce((SELECT string_agg(concat(t.oid, t.tgenabled), ',' ORDER BY t.oid)
     FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname LIKE 'accord\\_mirror\\_%'), '') AS signature`;

export async function readShape(client: PoolClient | Pool, schema: string, table: string): Promise<TableShape | null> {
  const { rows } = await client.query<
    Omit<TableShape, "columns" | "isCaptured"> & { is_captured: boolean; names: string[]; types: string[] }
  >(
    `${SHAPE}, ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum) AS names,
      ARRAY(SELECT format_type(a.atttypid, NULL) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum) AS types
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind = 'r'`,
    [schema, table],
  );
  const [found] = rows;
  if (!found) return null;
  const columns = new Map(found.names.map((name, index) => [name, found.types[index] ?? ""]));
  const { oid, signature, records, is_captured: isCaptured } = found;
  return { oid, signature, records, columns, isCaptured };
}

/** In one snapshot, which `now` is: what is not visible in the snapshot of a copy has happened since. */
export async function readChanges(
  client: PoolClient | Pool,
  schema: string,
  copies: readonly CopyState[],
): Promise<{ now: string; tables: TableChanges[] }> {
  const { rows } = await client.query<{
    now: string;
    name: string;
    is_same: boolean;
    count: string | null;
    is_whole: boolean;
  }>(
    `SELECT pg_current_snapshot()::text AS now, k.name, coalesce(s.oid = k.oid AND s.signature = k.signature AND s.is_captured, false)
            AND NOT EXISTS (SELECT FROM ${quoted(schema)}.mirror_pruned p WHERE p.relation = k.oid::oid
                            AND p.through >= pg_snapshot_xmin(k.snapshot::pg_snapshot)) AS is_same,
            m.count, coalesce(m.is_whole, true) AS is_whole
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS k(name, oid, signature, snapshot)
     LEFT JOIN (${SHAPE} FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = $5 AND c.relname = ANY ($1::text[])) s ON s.name = k.name
     CROSS JOIN LATERAL (
       SELECT coalesce(sum(cardinality(ids)), 0) AS count, bool_and(ids IS NOT NULL) AS is_whole
       FROM ${quoted(schema)}.mirror_change
       WHERE relation = k.oid::oid AND xid >= pg_snapshot_xmin(k.snapshot::pg_snapshot)
         AND NOT pg_visible_in_snapshot(xid, k.snapshot::pg_snapshot)
     ) m`,
    [
      copies.map(({ table }) => table),
      copies.map(({ oid }) => oid),
      copies.map(({ signature }) => signature),
      copies.map(({ snapshot }) => snapshot),
      schema,
    ],
  );
  const tables = rows.map(({ name, is_same: isSame, count, is_whole: isWhole }) => ({
    table: name,
    isSame,
    count: isWhole ? Number(count ?? 0) : null,
  }));
  return { now: rows[0]?.now ?? "", tables };
}

/** All records, or those that changed since the snapshot of a copy, in bounded memory; deleted ones are among them. */
export async function streamRecords(
  client: PoolClient,
  from: { schema: string; table: string; columns: readonly MirrorColumn[]; since?: CopyState },
  take: (rows: RawRow[]) => Promise<void>,
): Promise<void> {
  const { schema, table, columns, since } = from;
  const params = since ? [since.oid, since.snapshot] : [];
  const where = since ? ` WHERE accord_id IN (${changedIds(schema)})` : "";
  const text = `SELECT ${readColumns(columns)} FROM ${quoted(schema)}.${quoted(table)}${where}`;
  await streamBatches(client, { text, params }, take);
}

const changedIds = (schema: string): string => `
  SELECT unnest(ids) FROM ${quoted(schema)}.mirror_change WHERE relation = $1::oid
  AND xid >= pg_snapshot_xmin($2::pg_snapshot) AND NOT pg_visible_in_snapshot(xid, $2::pg_snapshot)`;

export async function streamChangedIds(
  client: PoolClient,
  { schema, since }: { schema: string; since: CopyState },
  take: (rows: RawRow[]) => Promise<void>,
): Promise<void> {
  await streamBatches(
    client,
    { text: `SELECT DISTINCT id FROM (${changedIds(schema)}) AS c(id)`, params: [since.oid, since.snapshot] },
    take,
  );
}
