/** Asking for a destination to be told: a new delivery, or one more reason for an outstanding one. */

/** What a renewed delivery looks like: tried again, but not before the outcome of an attempt in doubt can be seen. */
export const RENEWED = `wanted = d.wanted + 1, attempts = 0, parked = false,
  next_at = CASE WHEN d.intent IS NULL THEN now() ELSE d.next_at END`;

/** A new delivery counts its reasons from the present second: no earlier one of the record began there. */
export const wantSql = (delivery: string): string => `INSERT INTO ${delivery} AS d (place, record_id, wanted)
  SELECT DISTINCT w.place, w.record_id, extract(epoch FROM now())::int FROM unnest($1::smallint[], $2::text[]) AS w(place, record_id)
  ON CONFLICT (place, record_id) DO UPDATE SET ${RENEWED}`;
