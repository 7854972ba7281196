/** First look at a page: one query says which of its records are known, unchanged, in doubt or quarantined. */
import type { OpenQuarantine, ResolveRequest, Unanswered } from "@accord/sync-engine/run";
import type { Pool } from "../../../../../platform/db/db.ts";
import { queryPrepared } from "../../../../../platform/db/prepared.ts";

export interface ResolvedLinks {
  /** Indexes of records that show what was last seen of them. */
  absorbed: Set<number>;
  /** Outside ids of those that have a link and show something else. */
  changed: string[];
  /** Some have no link. */
  hasUnknown: boolean;
  /** What was sent to the place without a certain answer. */
  doubts: { recordId: string; intent: Unanswered["intent"]; written: string | null; isTied: boolean }[];
  /** By external id. */
  quarantined: Map<string, OpenQuarantine>;
}

export interface LinkTables {
  link: string;
  delivery: string;
  quarantine: string;
}

/** Between ids in a parameter: a plain text costs this process a fraction of an array's quoting. */
const SEPARATOR = "\u001f";
const SPLIT = (parameter: string): string => `string_to_array(${parameter}, E'\\x1f')`;
const UNCHANGED = "=".charCodeAt(0);
const CHANGED = "~".charCodeAt(0);

/**
 * Each record is looked for by itself: before PostgreSQL has counted a young table's rows, it would rather go through
 * all links of the place for every page.
 */
export async function resolveLinks(pool: Pool, tables: LinkTables, request: ResolveRequest): Promise<ResolvedLinks> {
  const { placeId, records, absorb } = request;
  const columns = [records.map(({ externalId }) => externalId), records.map(({ seen }) => seen)];
  const texts = columns.map((column) => column.join(SEPARATOR));
  const isPlain = texts.every((text) => countOf(SEPARATOR, text) === records.length - 1);
  const list = (parameter: string): string => (isPlain ? SPLIT(parameter) : `${parameter}::text[]`);
  const { rows } = await queryPrepared(
    pool,
    `SELECT
        string_agg(CASE WHEN l.place IS NULL THEN '-'
                        WHEN $4 AND NOT l.dead AND l.held_back IS NULL AND l.seen IS NOT DISTINCT FROM w.seen THEN '='
                        ELSE '~' END, '' ORDER BY w.ord) AS signs,
        (SELECT json_agg(json_build_object('recordId', d.record_id, 'intent', d.intent, 'written', d.written, 'isTied',
           EXISTS (SELECT FROM ${tables.link} t WHERE t.place = d.place AND t.record_id = d.record_id AND NOT t.dead)))
         FROM ${tables.delivery} d WHERE d.place = $1 AND d.intent IS NOT NULL) AS doubts,
        (SELECT json_agg(json_build_array(q.external_id, json_build_object(
           'knownUntil', to_char(q.known_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'modifiedAt', q.modified_at)))
         FROM ${tables.quarantine} q
         WHERE q.place = $1 AND q.direction = 'source' AND q.status <> 'RESOLVED'
           AND q.external_id = ANY(${list("$2")})) AS quarantined
      FROM unnest(${list("$2")}, ${list("$3")}) WITH ORDINALITY AS w(external_id, seen, ord)
      LEFT JOIN LATERAL (SELECT l.place, l.seen, l.dead, l.held_back FROM ${tables.link} l
                         WHERE l.place = $1 AND l.external_id = w.external_id LIMIT 1) l ON true`,
    [placeId, ...(isPlain ? texts : columns), absorb],
  );
  const [row] = rows;
  const quarantined = new Map<string, OpenQuarantine>(row?.["quarantined"]);
  return {
    ...signsIn(records, row?.["signs"] ?? "", quarantined),
    doubts: row?.["doubts"] ?? [],
    quarantined,
  };
}

/** Without making anything of the text, which is long. */
function countOf(part: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) count += 1;
  return count;
}

function signsIn(
  records: ResolveRequest["records"],
  signs: string,
  quarantined: ResolvedLinks["quarantined"],
): Pick<ResolvedLinks, "absorbed" | "changed" | "hasUnknown"> {
  const changed: string[] = [];
  const found = { absorbed: new Set<number>(), changed, hasUnknown: false };
  records.forEach(({ externalId }, index) => {
    const sign = signs.charCodeAt(index);
    // What was quarantined of it may be over: it is looked at though it shows nothing new.
    if (sign === UNCHANGED && !quarantined.has(externalId)) found.absorbed.add(index);
    else if (sign === UNCHANGED || sign === CHANGED) changed.push(externalId);
    else found.hasUnknown = true;
  });
  return found;
}
