/** Duplicates in PostgreSQL: who may be one, where merged records went, and merges as part of a page's transaction. */
import {
  type CommitBatch,
  type FoundDuplicates,
  type LedgerEntry,
  type MatchKeys,
  MAX_MATCHES_OF_KEY,
  type MergeBatch,
  type MergeWrite,
  type RecordUpdate,
  type StoredRecord,
} from "@accord/sync-engine/run";
import type { PoolClient, QueryResultRow } from "pg";
import type { Pool } from "../../../../platform/db/db.ts";
import type { RunIdentity } from "./lease-guard.store.ts";
import type { BoundedMatches, BoundedSearch } from "./pages/bounded-matches.store.ts";
import { noteRepointed, type Referrer, type Repointed, repointSql } from "./pages/repoint-references.store.ts";
import { transferUncertain, RENEW_DELIVERY_SQL, enqueueSql } from "./deliveries/enqueue-deliveries.store.ts";

/** What merging uses of the engine's storage. */
export interface MergeStorageParts {
  instanceId: string;
  pipelineId: string;
  schema: string;
  referrers: () => Promise<readonly Referrer[]>;
  recordColumns: string;
  records: string;
  readRecord: (row: QueryResultRow) => StoredRecord;
  /** Living records that have one of the keys. */
  findMatches: (keys: readonly MatchKeys[], search: BoundedSearch) => Promise<BoundedMatches>;
  updateRecords: (client: PoolClient, batch: Pick<CommitBatch, "updates" | "ledger">) => Promise<void>;
  writeLedger: (client: PoolClient, author: MergeAuthor, entries: LedgerEntry[]) => Promise<void>;
}

/** On whose behalf records are merged: a run's for what came from a place, or a person's. */
export type MergeAuthor =
  | { run: RunIdentity; placeId: number; actor?: undefined }
  | { actor: { userId: string; name: string }; run?: undefined; placeId?: undefined };

export function mergeStorage(pool: Pool, parts: MergeStorageParts) {
  const table = (name: string): string => `${parts.schema}.${name}`;

  /** One look for all records of a page. */
  async function find(keys: readonly MatchKeys[]): Promise<FoundDuplicates> {
    const { records, rows, cut, isFull } = await parts.findMatches(keys, {
      limit: MAX_MATCHES_OF_KEY,
      condition: () => "TRUE",
      columns: `, ARRAY(SELECT l.place::int FROM ${table("link")} l WHERE l.record_id = r.accord_id AND NOT l.dead) AS places`,
    });
    if (records.length === 0) return { records, places: new Map(), separated: [], cut, isFull };
    const { rows: separated } = await pool.query(
      `SELECT DISTINCT loser_id, winner_id FROM ${table("merged_record")} WHERE undone AND loser_id = ANY($1::text[])`,
      [records.map(({ recordId }) => recordId)],
    );
    return {
      records,
      places: new Map(rows.map((row) => [row.accord_id, row.places])),
      separated: separated.map((row) => [row.loser_id, row.winner_id] as const),
      cut,
      isFull,
    };
  }

  /** Records that were merged away → who stands for them at the end of the chain. */
  async function follow(recordIds: readonly string[]): Promise<Map<string, string>> {
    const { rows } = await pool.query(
      `WITH RECURSIVE chain AS (
         SELECT loser_id, winner_id, 1 AS steps FROM ${table("merged_record")} WHERE loser_id = ANY($1::text[]) AND NOT undone
         UNION
         SELECT c.loser_id, m.winner_id, c.steps + 1 FROM chain c
         JOIN ${table("merged_record")} m ON m.loser_id = c.winner_id AND NOT m.undone WHERE c.steps < 100
       )
       SELECT DISTINCT ON (loser_id) loser_id, winner_id FROM chain ORDER BY loser_id, steps DESC`,
      [recordIds],
    );
    return new Map(rows.map((row) => [row.loser_id, row.winner_id]));
  }

  /** Which of the records external records of merged ones still stand for. */
  async function aliased(recordIds: readonly string[]): Promise<Set<string>> {
    const { rows } = await pool.query(
      `SELECT DISTINCT m.winner_id FROM ${table("merged_record")} m
       JOIN ${table("link")} l ON l.record_id = m.loser_id AND NOT l.dead
       WHERE m.winner_id = ANY($1::text[]) AND NOT m.undone`,
      [recordIds],
    );
    return new Set(rows.map((row) => row.winner_id));
  }

  async function write(client: PoolClient, author: MergeAuthor, mergeBatch: MergeBatch): Promise<void> {
    await report(client, author, mergeBatch);
    const { merges } = mergeBatch;
    if (merges.length === 0) return;
    const entries = merges.flatMap(entriesOf);
    await parts.updateRecords(client, { updates: merges.flatMap(updatesOf), ledger: entries });
    const pairs = merges.flatMap(({ winner, losers, mergeId }) =>
      losers.map(({ recordId }) => ({ loser: recordId, winner: winner.recordId, mergeId })),
    );
    const moved = await moveLinks(client, pairs);
    const repointed = await repoint(client, author, pairs);
    await client.query(
      `INSERT INTO ${table("merged_record")} (loser_id, winner_id, merge_id)
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[])`,
      [pairs.map(({ loser }) => loser), pairs.map(({ winner }) => winner), pairs.map(({ mergeId }) => mergeId)],
    );
    await keepImages(client, author, { merges, moved, repointed });
    await parts.writeLedger(client, author, entries);
    await tell(client, mergeBatch);
    const winners = new Map(pairs.map(({ loser, winner }) => [loser, winner]));
    const passed = moved.map(({ place, from }) => ({ place, from, to: winners.get(from) ?? "" }));
    await transferUncertain(client, table("delivery"), passed);
  }

  /** External records follow to the winner, one a place; the others stay with the losers and are deleted there or heard as theirs. */
  async function moveLinks(client: PoolClient, pairs: readonly Pair[]): Promise<MovedLink[]> {
    const { rows } = await client.query(
      `SELECT DISTINCT ON (m.winner, l.place) l.place::int, l.external_id, m.loser, m.winner,
              EXISTS (SELECT FROM ${table("delivery")} d
                      WHERE d.place = l.place AND d.record_id = m.loser AND d.intent IS NOT NULL) AS in_flight
       FROM unnest($1::text[], $2::text[]) AS m(loser, winner)
       JOIN ${table("link")} l ON l.record_id = m.loser AND NOT l.dead
       WHERE NOT EXISTS (SELECT FROM ${table("link")} w WHERE w.record_id = m.winner AND w.place = l.place AND NOT w.dead)
         AND NOT EXISTS (SELECT FROM ${table("delivery")} d
                         WHERE d.place = l.place AND d.record_id = m.winner AND d.intent = 'create')
       ORDER BY m.winner, l.place, l.record_id`,
      columnsOf(pairs),
    );
    if (rows.length === 0) return [];
    const places = rows.map((row) => row.place);
    await client.query(
      `DELETE FROM ${table("link")} l USING unnest($1::smallint[], $2::text[]) AS w(place, winner)
       WHERE l.place = w.place AND l.record_id = w.winner AND l.dead`,
      [places, rows.map((row) => row.winner)],
    );
    // What a write under way has left there is unknown: the winner then says everything anew.
    await client.query(
      `UPDATE ${table("link")} l SET record_id = w.winner, told = CASE WHEN w.in_flight THEN NULL ELSE l.told END
       FROM unnest($1::smallint[], $2::text[], $3::text[], $4::boolean[]) AS w(place, external_id, winner, in_flight)
       WHERE l.place = w.place AND l.external_id = w.external_id`,
      [places, rows.map((row) => row.external_id), rows.map((row) => row.winner), rows.map((row) => row.in_flight)],
    );
    return rows.map((row) => ({ place: row.place, externalId: row.external_id, from: row.loser }));
  }

  async function repoint(client: PoolClient, author: MergeAuthor, pairs: readonly Pair[]): Promise<Repointed[]> {
    const all: Repointed[] = [];
    const byline = author.actor ? { cycle: null, actor: author.actor } : { cycle: author.run.cycleNumber };
    for (const referrer of await parts.referrers()) {
      const { rows } = await client.query(repointSql(parts.instanceId, referrer), columnsOf(pairs));
      const found = rows.map((row): Repointed => ({
        entityId: referrer.entityId,
        entity: referrer.apiName,
        field: referrer.field,
        recordId: row.id,
        from: row.before,
        to: row.after,
      }));
      if (found.length > 0) await noteRepointed(client, parts.schema, { ...referrer, ...byline }, found);
      all.push(...found);
    }
    return all;
  }

  async function keepImages(
    client: PoolClient,
    { run, placeId, actor }: MergeAuthor,
    done: { merges: readonly MergeWrite[]; moved: readonly MovedLink[]; repointed: readonly Repointed[] },
  ): Promise<void> {
    const { merges, moved, repointed } = done;
    const of = <Item>(items: readonly Item[], owner: (item: Item) => string, { losers }: MergeWrite): string =>
      JSON.stringify(items.filter((item) => losers.some(({ recordId }) => recordId === owner(item))));
    await client.query(
      `INSERT INTO ${table("merge")}
         (id, pipeline_id, status, cycle, place, winner_id, loser_ids, before, changes, origin, moved, repointed,
          merged_by)
       SELECT w.id, $1, 'MERGED', $2, $3, w.winner, ARRAY(SELECT jsonb_array_elements_text(w.losers)), w.before, w.changes,
              w.origin, w.moved, w.repointed, $12
       FROM unnest($4::text[], $5::text[], $6::jsonb[], $7::jsonb[], $8::jsonb[], $9::jsonb[], $10::jsonb[], $11::jsonb[])
            AS w(id, winner, losers, before, changes, origin, moved, repointed)`,
      [
        parts.pipelineId,
        run?.cycleNumber ?? null,
        placeId ?? null,
        merges.map(({ mergeId }) => mergeId),
        merges.map(({ winner }) => winner.recordId),
        merges.map(({ losers }) => JSON.stringify(losers.map(({ recordId }) => recordId))),
        merges.map(({ winner, losers }) => JSON.stringify(imagesOf([winner, ...losers]))),
        merges.map(({ changes }) => JSON.stringify(changes)),
        merges.map(({ origin }) => JSON.stringify(origin)),
        merges.map((merge) => of(moved, ({ from }) => from, merge)),
        merges.map((merge) => of(repointed, ({ from, to }) => lostOf(from, to, merge), merge)),
        actor?.name ?? null,
      ],
    );
  }

  /** Winners everywhere; losers where the destination may delete, and wherever something of theirs is still outstanding. */
  async function tell(client: PoolClient, { merges, notifySinkIds, deleteAt }: MergeBatch): Promise<void> {
    const winners = merges.map(({ winner }) => winner.recordId);
    const losers = merges.flatMap((merge) => merge.losers.map(({ recordId }) => recordId));
    const all = winners.flatMap((recordId) => notifySinkIds.map((place) => [place, recordId] as const));
    await client.query(enqueueSql(table("delivery")), [
      all.map(([place]) => place),
      all.map(([, recordId]) => recordId),
    ]);
    await client.query(`UPDATE ${table("delivery")} d SET ${RENEW_DELIVERY_SQL} WHERE d.record_id = ANY($1::text[])`, [
      losers,
    ]);
    await client.query(
      `INSERT INTO ${table("delivery")} (place, record_id, wanted)
       SELECT l.place, l.record_id, extract(epoch FROM now())::int FROM ${table("link")} l
       WHERE l.record_id = ANY($1::text[]) AND l.place = ANY($2::smallint[]) AND NOT l.dead
       ON CONFLICT (place, record_id) DO NOTHING`,
      [losers, deleteAt],
    );
  }

  async function report(client: PoolClient, { run, placeId }: MergeAuthor, { reports }: MergeBatch): Promise<void> {
    if (reports.length === 0) return;
    await client.query(
      `INSERT INTO ${table("merge")} (id, pipeline_id, status, cycle, place, winner_id, loser_ids)
       SELECT w.id, $1, w.status, $2, $3, w.winner, ARRAY(SELECT jsonb_array_elements_text(w.losers))
       FROM unnest($4::text[], $5::text[], $6::text[], $7::jsonb[]) AS w(id, status, winner, losers)
       ON CONFLICT DO NOTHING`,
      [
        parts.pipelineId,
        run?.cycleNumber ?? null,
        placeId ?? null,
        reports.map(({ mergeId }) => mergeId),
        reports.map(({ why }) => (why === "tooMany" ? "TOO_MANY" : "REPORTED")),
        reports.map(({ winnerId }) => winnerId),
        reports.map(({ loserIds }) => JSON.stringify(loserIds)),
      ],
    );
  }

  return { find, follow, aliased, write };
}

interface Pair {
  loser: string;
  winner: string;
}

export interface MovedLink {
  place: number;
  externalId: string;
  /** The record it belonged to. */
  from: string;
}

const columnsOf = (pairs: readonly Pair[]): [string[], string[]] => [
  pairs.map(({ loser }) => loser),
  pairs.map(({ winner }) => winner),
];

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

/** The first of a merge's losers that a reference named before and no longer names. */
function lostOf(from: unknown, to: unknown, { losers }: MergeWrite): string {
  const after = listOf(to);
  const lost = listOf(from).find((id) => !after.includes(id) && losers.some(({ recordId }) => recordId === id));
  return typeof lost === "string" ? lost : "";
}

const imagesOf = (records: readonly StoredRecord[]): Record<string, Pick<StoredRecord, "values" | "origin">> =>
  Object.fromEntries(records.map(({ recordId, values, origin }) => [recordId, { values, origin }]));

const updatesOf = ({ winner, values, origin, losers }: MergeWrite): RecordUpdate[] => [
  { recordId: winner.recordId, expectedVersion: winner.version, values, origin, deleted: false },
  ...losers.map((loser) => ({
    recordId: loser.recordId,
    expectedVersion: loser.version,
    values: loser.values,
    origin: loser.origin,
    deleted: true,
  })),
];

const entriesOf = ({ winner, changes, losers }: MergeWrite): LedgerEntry[] => [
  { recordId: winner.recordId, operation: "merge", externalId: null, changes, refused: null },
  ...losers.map(({ recordId }): LedgerEntry => ({
    recordId,
    operation: "delete",
    externalId: null,
    changes: {},
    refused: null,
  })),
];
