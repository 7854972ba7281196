/**
 * Marks: which transactions were surely over at a moment, so that what they wrote has been read by whatever is read
 * afterwards. A row version belongs to the next pass if its transaction (`xmin`) was not over when the last one began.
 *
 * A snapshot alone does not tell this: it lists running transactions, but not the subtransactions (savepoints) whose
 * numbers row versions carry. So each number below the snapshot's end that may still be running is asked for by its
 * status, before the first row is read, and the few that are in progress are remembered. An old open transaction thus
 * costs nothing but its own rows.
 */
import { ConnectorError } from "@accord/connector-sdk";
import { z } from "zod";
import { databaseErrorOf, type PostgresClient } from "../client.ts";

const Range = z.tuple([z.string(), z.string()]);
type NumberRange = readonly [from: bigint, until: bigint];

const CurrentMark = z.object({
  /** Table identity: a table that was dropped and made anew starts from the beginning. */
  oid: z.string(),
  /** Transactions from this number on, in full, are news; "" where rows have no `xmin`. */
  next: z.string(),
  /** Ranges of earlier ones that may not have been over, without their ends. */
  open: z.array(Range),
  /** The database's clock, exact text. */
  time: z.string(),
  /** The cluster and its timeline: another one may have given the same numbers to other transactions. Absent: not known. */
  origin: z.string().optional(),
});
/** As written by earlier versions: all from the oldest running transaction on is news. */
const EarlierMark = z
  .object({ oid: z.string(), transaction: z.string(), time: z.string() })
  .transform(({ oid, transaction, time }) => ({ oid, next: transaction, open: [], time }));

export const Mark = z.union([CurrentMark, EarlierMark]);
export type Mark = z.infer<typeof CurrentMark>;

/** What shows without reading a table that it may have changed. */
export interface Activity {
  /** Rows ever inserted, updated and deleted, and what else changes with them; null where nothing tells. */
  counters: string | null;
  /** Bytes of its rows, with all partitions. */
  size: number;
  /** Whether the watermark column has an index. */
  isWatermarkIndexed: boolean;
}

/** A standby's own timeline is the one of its last restart point. */
const ORIGIN = `
  (SELECT system_identifier::text FROM pg_control_system()) || '/' || CASE WHEN pg_is_in_recovery()
    THEN (SELECT timeline_id FROM pg_control_checkpoint())
    ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END`;

/** A partitioned table, or one that others inherit from, is read with all of them: they count together. */
const relationSql = (origin: string): string => `
  WITH RECURSIVE relation AS (
    SELECT c.oid, c.relkind FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relname = $2),
  tree AS (SELECT oid FROM relation UNION ALL SELECT i.inhrelid FROM pg_inherits i JOIN tree ON i.inhparent = tree.oid),
  parts AS MATERIALIZED (SELECT p.oid, p.relkind FROM tree JOIN pg_class p ON p.oid = tree.oid),
  bounds AS MATERIALIZED (
    SELECT txid_snapshot_xmin(s) AS oldest, txid_snapshot_xmax(s) AS next FROM txid_current_snapshot() s)
  SELECT c.oid::text, CASE WHEN c.relkind IN ('r', 'p', 'm') THEN b.next::text ELSE '' END, b.oldest::text,
         clock_timestamp()::text,
         CASE WHEN current_setting('track_counts') = 'on' AND NOT pg_is_in_recovery()
                AND NOT EXISTS (SELECT FROM parts WHERE relkind NOT IN ('r', 'p')) THEN (
           SELECT concat_ws('/', sum(pg_stat_get_tuples_inserted(p.oid)), sum(pg_stat_get_tuples_updated(p.oid)),
             sum(pg_stat_get_tuples_deleted(p.oid)), md5(string_agg(concat(p.oid, ':', pg_relation_filenode(p.oid)), ',' ORDER BY p.oid)),
             sum(pg_relation_size(p.oid)), (SELECT stats_reset FROM pg_stat_database WHERE datname = current_database()))
           FROM parts p) END,
         (SELECT coalesce(sum(pg_relation_size(p.oid)), 0)::text FROM parts p),
         ((c.relkind = 'p' OR (SELECT count(*) FROM parts) = 1) AND
           EXISTS (SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
                   WHERE i.indrelid = c.oid AND i.indisvalid AND i.indpred IS NULL AND a.attname = $3))::text,
         ${origin}
  FROM relation c CROSS JOIN bounds b`;

/** Status asked for each transaction of the ranges: what is told as over is over in each later snapshot. */
const IN_PROGRESS = `
  SELECT id::text FROM unnest($1::bigint[], $2::bigint[]) AS r(first, until)
  CROSS JOIN LATERAL generate_series(r.first, r.until - 1) AS id
  WHERE txid_status(id) = 'in progress' ORDER BY id`;

/** Transactions asked for in one poll, and ranges remembered: beyond it more than need be counts as open. */
const MAX_CHECKED = 100_000n;
const MAX_RANGES = 200;

export interface Place {
  schema: string;
  table: string;
}

/** A relation as it is now: what a mark of it says, and what shows without reading it. */
export async function relationOf(client: PostgresClient, place: Place, watermark: string | null) {
  const ask = (origin: string) =>
    client.query(relationSql(origin), [place.schema, place.table, watermark ?? ""]).then(([found]) => found);
  const row = await ask(ORIGIN).catch((error: unknown) => {
    if (mayNotAsk(error)) return ask("NULL");
    throw error;
  });
  if (!row)
    throw new ConnectorError("schemaChanged", `The table ${place.table} is gone.`, {
      hint: "Refresh the connector's schema, or take it out of the pipeline.",
    });
  const [oid, next, oldest, time, counters, size, isIndexed, origin] = row.map((text) => text ?? "");
  const mark: Mark = { oid: oid ?? "", next: next ?? "", open: [], time: time ?? "", ...(origin && { origin }) };
  const activity: Activity = {
    counters: counters || null,
    size: Number(size),
    isWatermarkIndexed: isIndexed === "true",
  };
  return { mark, oldest: BigInt(oldest ?? "0"), activity, hasRowVersions: mark.next !== "" };
}

/** The right was taken away, or the service has no such functions. */
function mayNotAsk(error: unknown): boolean {
  const state = error instanceof ConnectorError ? databaseErrorOf(error)?.code : undefined;
  return state !== undefined && ["42501", "42883", "0A000", "55000"].includes(state);
}

export type Relation = Awaited<ReturnType<typeof relationOf>>;

/** The mark of a relation as it was found: what is read from now on shows all that it calls over. `seen`: one before it. */
export async function takeMark(
  client: PostgresClient,
  { mark, oldest, hasRowVersions }: Relation,
  seen: Mark | null,
): Promise<Mark> {
  return hasRowVersions ? { ...mark, open: await openRanges(client, mark, oldest, stillValid(seen, mark)) } : mark;
}

async function openRanges(
  client: PostgresClient,
  { next }: Mark,
  oldest: bigint,
  seen: Mark | null,
): Promise<[string, string][]> {
  const before = seen
    ? [...rangesOf(seen), [BigInt(seen.next), BigInt(next)] as const]
    : [[oldest, BigInt(next)] as const];
  const { checked, unchecked } = split(
    // All before the oldest running transaction are over, with their subtransactions.
    before
      .map(([from, until]): NumberRange => [from > oldest ? from : oldest, until])
      .filter(([from, until]) => from < until),
  );
  const rows =
    checked.length === 0
      ? []
      : await client.query(IN_PROGRESS, [checked.map(([from]) => `${from}`), checked.map(([, until]) => `${until}`)]);
  const running = rows.map(([id]): NumberRange => [BigInt(id ?? "0"), BigInt(id ?? "0") + 1n]);
  return joined([...running, ...unchecked]).map(([from, until]) => [`${from}`, `${until}`]);
}

const rangesOf = ({ open }: Mark): NumberRange[] => open.map(([from, until]) => [BigInt(from), BigInt(until)]);

function split(ranges: readonly NumberRange[]): { checked: NumberRange[]; unchecked: NumberRange[] } {
  const checked: NumberRange[] = [];
  const unchecked: NumberRange[] = [];
  let left = MAX_CHECKED;
  for (const [from, until] of ranges) {
    const middle = until - from > left ? from + left : until;
    if (from < middle) checked.push([from, middle]);
    if (middle < until) unchecked.push([middle, until]);
    left -= middle - from;
  }
  return { checked, unchecked };
}

/** Neighbours as one range; all as one where there are too many. */
function joined(ranges: readonly NumberRange[]): NumberRange[] {
  const sorted = ranges.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const result: NumberRange[] = [];
  for (const [from, until] of sorted) {
    const last = result.at(-1);
    if (last && from <= last[1]) result[result.length - 1] = [last[0], until > last[1] ? until : last[1]];
    else result.push([from, until]);
  }
  const [first, last] = [result[0], result.at(-1)];
  return first && last && result.length > MAX_RANGES ? [[first[0], last[1]]] : result;
}

/**
 * null when the mark says nothing about this table any more: another table by that name, a restored database, or another
 * server that took over and may lack what was read, and have used the same numbers for what was not.
 */
export function stillValid(seen: Mark | null, now: Mark): Mark | null {
  if (seen?.origin !== undefined && now.origin !== undefined && seen.origin !== now.origin) return null;
  if (!seen || seen.oid !== now.oid || (seen.next === "") !== (now.next === "")) return null;
  if (seen.next === "") return seen;
  const oldest = rangesOf(seen).reduce((least, [from]) => (from < least ? from : least), BigInt(seen.next));
  // Row versions carry 32 bits of their transaction: beyond half of that, older and newer can't be told apart.
  return BigInt(now.next) < BigInt(seen.next) || BigInt(now.next) - oldest > 2_000_000_000n ? null : seen;
}

/** No transaction has ended between the two: nothing can have changed anywhere in the database server. */
export const isAtRest = (seen: Mark, now: Mark): boolean =>
  seen.next !== "" && seen.next === now.next && JSON.stringify(seen.open) === JSON.stringify(now.open);

/** The rows of `t` written by transactions that were not over at the mark; `value` makes a parameter. */
export function writtenSince(mark: Mark, value: (value: unknown) => string): string {
  const age = (id: bigint): string => `age(${value((id % 4_294_967_296n).toString())}::text::xid)`;
  const since = `age(t.xmin) BETWEEN 0 AND ${age(BigInt(mark.next))}`;
  const single: string[] = [];
  const conditions = [since];
  for (const [from, until] of rangesOf(mark)) {
    if (until - from === 1n) single.push((from % 4_294_967_296n).toString());
    else conditions.push(`age(t.xmin) BETWEEN ${age(until - 1n)} AND ${age(from)}`);
  }
  if (single.length > 0) conditions.push(`t.xmin = ANY (${value(single)}::text[]::xid[])`);
  return `(${conditions.join(" OR ")})`;
}
