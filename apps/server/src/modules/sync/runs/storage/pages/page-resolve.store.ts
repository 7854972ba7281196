/** What a page's first look and its match rules find: links, records, doubts, references. */
import {
  type FoundCandidates,
  maxHolders,
  MAX_MATCHES_OF_KEY,
  type MatchKeys,
  type MatchRequest,
  REMOVED_BY_US,
  type Resolved,
  type ResolveRequest,
  type StoredLink,
  type StoredRecord,
  type Unanswered,
} from "@accord/sync-engine/run";
import type { Value } from "@accord/contracts/data/values";
import { columnType, fieldColumn, SYSTEM_COLUMNS, toParameter } from "../../../../data/schema/index.ts";
import { boundedMatches, type BoundedSearch } from "./bounded-matches.store.ts";
import { type ResolvedLinks, resolveLinks } from "./link-lookup.store.ts";
import { isDataError, unstorableAmong } from "../unstorable-values.store.ts";
import { LINK_COLUMNS, readLink, type StoredRows, splitWritten } from "../stored-rows.store.ts";

/** Where merged records lead. */
interface Merged {
  follow(recordIds: readonly string[]): Promise<Map<string, string>>;
  aliased(recordIds: readonly string[]): Promise<ReadonlySet<string>>;
}

export function pageResolve(stored: StoredRows, mergeBatch: Merged) {
  const { pool, table, records, recordColumns, readRecord, readRecords } = stored;
  const tables = { link: table("link"), delivery: table("delivery"), quarantine: table("quarantine") };

  async function resolve(request: ResolveRequest): Promise<Resolved> {
    const look = await resolveLinks(pool, tables, request);
    const resolved = {
      absorbed: look.absorbed,
      links: new Map<string, StoredLink>(),
      deadSince: new Map<string, number>(),
      writtenAt: new Map<string, number>(),
      records: new Map<string, StoredRecord>(),
      unanswered: new Map<string, Unanswered>(),
      otherPlaces: new Map<string, number[]>(),
      quarantined: look.quarantined,
      references: new Map<string, Map<string, string>>(),
      renamed: new Set<string>(),
    };
    if (look.changed.length > 0) await readLinked(request, look.changed, resolved);
    await addDoubts(look, resolved);
    for (const reference of request.references) await readReferences(reference, resolved);
    return resolved;
  }

  async function readLinked(
    request: ResolveRequest,
    ids: string[],
    into: {
      links: Map<string, StoredLink>;
      deadSince: Map<string, number>;
      writtenAt: Map<string, number>;
      records: Map<string, StoredRecord>;
      otherPlaces: Map<string, number[]>;
      merged?: ReadonlyMap<string, string>;
      aliased?: ReadonlySet<string>;
    },
  ): Promise<void> {
    const { rows } = await pool.query({
      text: `SELECT ${LINK_COLUMNS}, ${recordColumns},
                    CASE WHEN l.dead THEN extract(epoch FROM greatest(l.seen_at, l.told_at)) * 1000 END AS dead_since,
                    CASE WHEN l.respelled IS NOT NULL THEN extract(epoch FROM l.told_at) * 1000 END AS told_at
             FROM ${table("link")} l LEFT JOIN ${records} r ON r.accord_id = l.record_id
             WHERE l.place = $1 AND l.external_id = ANY($2::text[])`,
      values: [request.placeId, ids],
    });
    for (const row of rows) {
      const link = readLink(row);
      into.links.set(link.externalId, link);
      if (row.dead_since !== null) into.deadSince.set(link.externalId, Number(row.dead_since));
      if (row.told_at !== null) into.writtenAt.set(link.externalId, Number(row.told_at));
      if (row[SYSTEM_COLUMNS.id] !== null) into.records.set(link.recordId, readRecord(row));
    }
    await followMerged(into);
    const deleted = new Set(request.records.filter((record) => record.deleted).map(({ externalId }) => externalId));
    const gone = [...into.links.values()].filter(({ externalId }) => deleted.has(externalId));
    if (gone.length === 0) return;
    const others = await pool.query({
      text: `SELECT record_id, array_agg(place::int) AS places FROM ${table("link")}
             WHERE record_id = ANY($2::text[]) AND place <> $1 AND NOT dead GROUP BY record_id`,
      values: [request.placeId, gone.map(({ recordId }) => recordId)],
    });
    for (const row of others.rows) into.otherPlaces.set(row.record_id, row.places);
    into.aliased = await mergeBatch.aliased(gone.map(({ recordId }) => recordId));
  }

  /** Deleted records that were merged into others lead to those; looked for only where one is deleted. */
  async function followMerged(into: {
    records: Map<string, StoredRecord>;
    merged?: ReadonlyMap<string, string>;
  }): Promise<void> {
    const lost = [...into.records.values()].filter(({ deleted }) => deleted).map(({ recordId }) => recordId);
    if (lost.length === 0) return;
    const merged = await mergeBatch.follow(lost);
    if (merged.size === 0) return;
    const missing = [...merged.values()].filter((recordId) => !into.records.has(recordId));
    for (const record of await readRecords(missing)) into.records.set(record.recordId, record);
    // Also where the winner was let go: what comes of its second external records is its own.
    into.merged = merged;
  }

  /** Records that were perhaps created at this place belong to a page with unknown ones. */
  async function addDoubts(
    { doubts, hasUnknown }: ResolvedLinks,
    into: { records: Map<string, StoredRecord>; unanswered: Map<string, Unanswered> },
  ): Promise<void> {
    const unread: string[] = [];
    for (const { recordId, intent, written, isTied } of doubts) {
      into.unanswered.set(recordId, { intent, written: splitWritten(written), isTied });
      if (hasUnknown && intent === "create" && !into.records.has(recordId)) unread.push(recordId);
    }
    for (const record of await readRecords(unread)) into.records.set(record.recordId, record);
  }

  /**
   * Ids of records behind external ids of another entity of the same connector, whichever pipeline brought them. What was
   * merged away leads to who stands for it, even once its external record is gone; what we removed for a merge that was
   * undone since, to its own record again.
   */
  async function readReferences(
    { connectorId, entity, externalIds }: ResolveRequest["references"][number],
    into: { references: Map<string, Map<string, string>>; renamed: Set<string> },
  ): Promise<void> {
    const { rows } = await pool.query(
      `SELECT l.external_id, l.record_id, l.dead, EXISTS (
         SELECT FROM ${table("merged_record")} m WHERE m.loser_id = l.record_id AND NOT m.undone) AS is_merged,
         l.dead AND l.told = $4 AND EXISTS (
         SELECT FROM ${table("merged_record")} m WHERE m.loser_id = l.record_id AND m.undone) AS is_parted
       FROM ${table("place")} p JOIN ${table("link")} l ON l.place = p.number
       WHERE p.connector_id = $1 AND p.entity = $2 AND l.external_id = ANY($3::text[])`,
      [connectorId, entity, externalIds, REMOVED_BY_US],
    );
    const lost = rows.filter((row) => row.is_merged);
    const winners =
      lost.length > 0 ? await mergeBatch.follow(lost.map((row) => row.record_id)) : new Map<string, string>();
    const known = rows.filter((row) => !row.dead || row.is_merged || row.is_parted);
    const behind = known.map((row): [string, string] => [row.external_id, winners.get(row.record_id) ?? row.record_id]);
    into.references.set(`${connectorId}/${entity}`, new Map(behind));
    for (const row of known) if (row.is_merged || row.is_parted) into.renamed.add(row.external_id);
  }

  /** Throws `UnstorableValue` when the database can't read a key. */
  async function match({ placeId, fields, takers = 0 }: MatchRequest): Promise<FoundCandidates> {
    const search: BoundedSearch = {
      limit: MAX_MATCHES_OF_KEY + takers,
      condition: (bind) =>
        `NOT EXISTS (SELECT FROM ${table("link")} l WHERE l.record_id = r.accord_id AND l.place = ${bind(placeId)} AND NOT l.dead)`,
    };
    const {
      records: found,
      cut,
      isFull,
    } = await boundedMatches(stored, fields, search).catch(async (error: unknown) => {
      if (!isDataError(error)) throw error;
      const keys = fields.map(({ field, keys: [key = null] }): [string, Value] => [field, key]);
      throw await unstorableAmong(stored, Object.fromEntries(keys), error);
    });
    return { records: found, cut, isFull };
  }

  /** Outside ids at the place of records that have one of the keys; none where they are too many. Throws like `match`, which is asked first. */
  async function findHolders(request: MatchRequest): Promise<string[]> {
    const values: unknown[] = [request.placeId];
    const conditions = request.fields.flatMap(
      (keys) => keyCondition(stored, keys, (value) => `$${values.push(value)}`) ?? [],
    );
    if (conditions.length === 0) return [];
    const { rows } = await pool.query(
      `SELECT l.external_id FROM ${records} r JOIN ${table("link")} l ON l.record_id = r.accord_id
       WHERE (${conditions.join(" OR ")}) AND NOT r.accord_deleted AND l.place = $1 AND NOT l.dead
       ORDER BY r.accord_id LIMIT ${maxHolders(request) + 1}`,
      values,
    );
    if (rows.length > maxHolders(request)) return [];
    return rows.map(({ external_id: externalId }) => externalId);
  }

  return { resolve, match, findHolders };
}

/** SQL that holds for records having one of the keys; texts are compared without regard to case. */
function keyCondition(
  { fields }: Pick<StoredRows, "fields">,
  { field, keys }: MatchKeys,
  bind: (value: unknown) => string,
): string | null {
  const known = fields.find(({ apiName }) => apiName === field);
  if (!known) return null;
  const column = `r.${fieldColumn(known)}`;
  const list = `${bind(keys.map((key) => toParameter(known, key)))}::${columnType(known)}[]`;
  return columnType(known) === "text" && known.dataType !== "reference"
    ? `lower(${column} COLLATE "und-x-icu") = ANY(ARRAY(SELECT lower(k COLLATE "und-x-icu") FROM unnest(${list}) k))`
    : `${column} = ANY(${list})`;
}
