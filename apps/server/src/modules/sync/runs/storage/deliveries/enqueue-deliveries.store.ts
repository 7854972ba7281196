/** Asking for a destination to be told: a new delivery, one more reason for an outstanding one, or doubts of another. */
import type { DeliveryWrite } from "@accord/sync-engine/run";
import type { PoolClient } from "pg";
import type { Pool } from "../../../../../platform/db/db.ts";

/** A record and the place that is notified of it. */
export type DeliveryKey = Pick<DeliveryWrite, "placeId" | "recordId">;

/** As the first two parameters of what follows. */
export const deliveryColumns = (keys: readonly DeliveryKey[]): unknown[] => [
  keys.map(({ placeId }) => placeId),
  keys.map(({ recordId }) => recordId),
];

/** What a renewed delivery looks like: tried again, but not before the outcome of an attempt in doubt can be seen. */
const renewedAt = (nextAt: string): string =>
  `wanted = d.wanted + 1, attempts = 0, parked = false, unfit = NULL, next_at = ${nextAt}`;
const WHEN_KNOWN = "CASE WHEN d.intent IS NULL THEN now() ELSE d.next_at END";
export const RENEW_DELIVERY_SQL = renewedAt(WHEN_KNOWN);

/** Likewise, and not before `delayMs` milliseconds have passed, an SQL expression. */
export const renewedAfter = (delayMs: string): string =>
  renewedAt(`greatest(${WHEN_KNOWN}, now() + ${delayMs} * interval '1 millisecond')`);

/** A new delivery counts its reasons from the present second: no earlier one of the record began there. */
export const enqueueSql = (delivery: string): string => `INSERT INTO ${delivery} AS d (place, record_id, wanted)
  SELECT DISTINCT w.place, w.record_id, extract(epoch FROM now())::int FROM unnest($1::smallint[], $2::text[]) AS w(place, record_id)
  ON CONFLICT (place, record_id) DO UPDATE SET ${RENEW_DELIVERY_SQL}`;

/** Those of `$1` and `$2` that the place has no external record of, not a deleted one either. */
const lackingSql = (link: string): string => `SELECT DISTINCT w.place, w.record_id
  FROM unnest($1::smallint[], $2::text[]) AS w(place, record_id)
  WHERE NOT EXISTS (SELECT FROM ${link} l WHERE l.place = w.place AND l.record_id = w.record_id)`;

export async function findLacking(pool: Pool, link: string, keys: readonly DeliveryKey[]): Promise<DeliveryKey[]> {
  const { rows } = await pool.query(lackingSql(link), deliveryColumns(keys));
  return rows.map(({ place, record_id: recordId }) => ({ placeId: place, recordId }));
}

/** These are told, unless that is outstanding or quarantined already. */
export const enqueueLackingSql = (delivery: string, link: string): string =>
  `INSERT INTO ${delivery} (place, record_id, wanted)
  SELECT place, record_id, extract(epoch FROM now())::int FROM (${lackingSql(link)}) AS lacking ON CONFLICT DO NOTHING`;

/**
 * What writes of a record to its external records did is in doubt: where a merge, or taking one back, gives those to another
 * record, its delivery takes that over, and so has them read first.
 */
export async function transferUncertain(
  client: PoolClient,
  delivery: string,
  passed: readonly { place: number; from: string; to: string }[],
): Promise<void> {
  if (passed.length === 0) return;
  await client.query(
    `UPDATE ${delivery} d
     SET intent = coalesce(d.intent, 'update'), written = concat_ws(' ', d.written, before.written),
         next_at = greatest(d.next_at, before.next_at)
     FROM unnest($1::smallint[], $2::text[], $3::text[]) AS m(place, from_id, to_id)
     JOIN ${delivery} before ON before.place = m.place AND before.record_id = m.from_id AND before.intent <> 'delete'
     WHERE d.place = m.place AND d.record_id = m.to_id`,
    [passed.map(({ place }) => place), passed.map(({ from }) => from), passed.map(({ to }) => to)],
  );
}
