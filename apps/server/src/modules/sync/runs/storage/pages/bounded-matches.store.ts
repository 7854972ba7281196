/** Records that have one of a page's keys: for each key the oldest, and of all no more than a page may load. */
import {
  type CutKey,
  type FoundCandidates,
  MAX_MATCH_BYTES,
  MAX_MATCH_ROWS,
  type MatchKeys,
} from "@accord/sync-engine/run";
import type { QueryResultRow } from "pg";
import {
  columnType,
  fieldColumn,
  type RecordField,
  SYSTEM_COLUMNS,
  toParameter,
} from "../../../../data/schema/index.ts";
import type { StoredRows } from "../stored-rows.store.ts";

export interface BoundedSearch {
  /** Records of a key. */
  limit: number;
  /** SQL that holds for records, as `r`, that may be found; binds its values. */
  condition: (bind: (value: unknown) => string) => string;
  /** More columns of each record. */
  columns?: string;
}

export interface BoundedMatches extends FoundCandidates {
  /** Rows of the records, in their order. */
  rows: readonly QueryResultRow[];
}

const NOTHING: BoundedMatches = { records: [], rows: [], cut: [], isFull: false };

/** The oldest of each key come first, so that what is left out of a key is younger than what is found of it. */
export async function boundedMatches(
  stored: Pick<StoredRows, "pool" | "fields" | "records" | "recordColumns" | "readRecord">,
  entries: readonly MatchKeys[],
  { limit, condition, columns = "" }: BoundedSearch,
): Promise<BoundedMatches> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const may = condition(bind);
  const most = `${bind(limit)}::int`;
  const searches = entries.flatMap((keys, entry) => {
    const search = searchOf(stored, keys, bind);
    // OFFSET 0: else the planner may walk through all records by age, in the hope that some of them have the key.
    return search === null
      ? []
      : `SELECT ${entry} AS entry, k.key::int - 1 AS key, c.rank::int AS rank, c.accord_id
         FROM ${search.keys} CROSS JOIN LATERAL (
           SELECT s.accord_id, row_number() OVER (ORDER BY s.accord_id) AS rank FROM (
             SELECT r.accord_id FROM ${stored.records} r
             WHERE ${search.condition} AND NOT r.accord_deleted AND ${may} OFFSET 0) s
           ORDER BY s.accord_id LIMIT ${most} + 1) c`;
  });
  if (searches.length === 0) return NOTHING;
  const { rows } = await stored.pool.query(
    `WITH pair AS (
       SELECT * FROM (${searches.join(" UNION ALL ")}) p ORDER BY rank, accord_id, entry, key LIMIT ${MAX_MATCH_ROWS + 1}
     ), sized AS (
       SELECT p.*, row_number() OVER w AS n, sum(octet_length((r.*)::text)) OVER w AS bytes
       FROM pair p JOIN ${stored.records} r ON r.accord_id = p.accord_id
       WINDOW w AS (ORDER BY p.rank, p.accord_id, p.entry, p.key ROWS UNBOUNDED PRECEDING)
     )
     SELECT p.entry AS m_entry, p.key AS m_key, p.rank AS m_rank, ${stored.recordColumns}${columns}
     FROM sized p LEFT JOIN ${stored.records} r ON r.accord_id = p.accord_id AND p.rank <= ${most}
       AND p.n <= ${MAX_MATCH_ROWS} AND (p.n = 1 OR p.bytes <= ${MAX_MATCH_BYTES})
     ORDER BY p.n`,
    values,
  );
  return answerOf(stored, entries, limit, rows);
}

function answerOf(
  { readRecord }: Pick<StoredRows, "readRecord">,
  entries: readonly MatchKeys[],
  limit: number,
  rows: readonly QueryResultRow[],
): BoundedMatches {
  const found = new Map<string, QueryResultRow>();
  const lastIds = new Map<string, string>();
  const over = new Set<string>();
  let isFull = rows.length > MAX_MATCH_ROWS;
  for (const row of rows) {
    const key = `${row["m_entry"]} ${row["m_key"]}`;
    const id: string | null = row[SYSTEM_COLUMNS.id];
    if (row["m_rank"] > limit) over.add(key);
    else if (id === null) isFull = true;
    else {
      found.set(id, row);
      lastIds.set(key, id);
    }
  }
  const cut = entries.flatMap(({ keys }, entry) =>
    keys.flatMap((_, key): CutKey[] => {
      const name = `${entry} ${key}`;
      return isFull || over.has(name) ? [{ entry, key, lastId: lastIds.get(name) ?? null }] : [];
    }),
  );
  const ordered = [...found].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row);
  return { records: ordered.map(readRecord), rows: ordered, cut, isFull };
}

/** The keys as rows `k`, numbered from 1, and what holds for the records `r` of one; null where the field is not known. */
function searchOf(
  { fields }: Pick<StoredRows, "fields">,
  { field, keys, also = [] }: MatchKeys,
  bind: (value: unknown) => string,
): { keys: string; condition: string } | null {
  const parts: { field: RecordField; keys: MatchKeys["keys"] }[] = [];
  for (const one of [{ field, keys }, ...also]) {
    const known = fields.find(({ apiName }) => apiName === one.field);
    if (known) parts.push({ field: known, keys: one.keys });
    else if (parts.length === 0) return null;
  }
  const lists = parts.map(
    (part) => `${bind(part.keys.map((key) => toParameter(part.field, key)))}::${columnType(part.field)}[]`,
  );
  const names = parts.map((_, index) => `v${index}`);
  return {
    keys: `unnest(${lists.join(", ")}) WITH ORDINALITY AS k(${names.join(", ")}, key)`,
    condition: parts.map((part, index) => sameSql(part.field, `k.v${index}`)).join(" AND "),
  };
}

/** Texts are compared without regard to case. */
const sameSql = (field: RecordField, key: string): string =>
  columnType(field) === "text" && field.dataType !== "reference"
    ? `lower(r.${fieldColumn(field)} COLLATE "und-x-icu") = lower(${key} COLLATE "und-x-icu")`
    : `r.${fieldColumn(field)} = ${key}`;
