/** Attempts counted in windows of time, in the database, so that every server process counts together. */
import { sql } from "kysely";
import type { Db } from "../db/db.ts";

type Tables = {
  rate_limit: {
    scope: string;
    key: string;
    window_ends_at: Date | string;
    attempts: number;
    slot_at: Date | string | null;
    next_at: Date | string | null;
  };
};

const tables = (db: Db) => db.withTables<Tables>();

export interface Attempt {
  scope: string;
  key: string;
  now: Date;
  windowEndsAt: Date;
}

/** Counts one more attempt and answers how many there are in the window. */
export async function countAttempt(
  db: Db,
  { scope, key, now, windowEndsAt }: Attempt,
): Promise<{ attempts: number; windowEndsAt: Date }> {
  const row = await tables(db)
    .insertInto("rate_limit")
    .values({ scope, key, window_ends_at: windowEndsAt, attempts: 1 })
    .onConflict((conflict) =>
      conflict.columns(["scope", "key"]).doUpdateSet({
        attempts: sql<number>`CASE WHEN rate_limit.window_ends_at <= ${now} THEN 1 ELSE rate_limit.attempts + 1 END`,
        window_ends_at: sql<Date>`CASE WHEN rate_limit.window_ends_at <= ${now} THEN ${windowEndsAt} ELSE rate_limit.window_ends_at END`,
      }),
    )
    .returning(["attempts", "window_ends_at"])
    .executeTakeFirstOrThrow();
  return { attempts: row.attempts, windowEndsAt: new Date(row.window_ends_at) };
}

export interface Pace {
  /** Attempts of a window that need not wait. */
  free: number;
  maxGapMs: number;
  /** An attempt whose turn is later than this gets none. */
  maxHoldMs: number;
}

/**
 * Gives an attempt its turn. Beyond the free ones turns lie 1, 2, 4, … seconds apart, at most `maxGapMs`. `turnAt` null:
 * it would be too late; then nothing is counted and `nextAt` says when it is worth asking again.
 */
export async function reserveTurn(
  db: Db,
  { scope, key, now, windowEndsAt }: Attempt,
  { free, maxGapMs, maxHoldMs }: Pace,
): Promise<{ attempts: number; turnAt: Date | null; nextAt: Date }> {
  const isOver = sql<boolean>`r.window_ends_at <= ${now}`;
  const turn = sql<Date>`greatest(r.next_at, ${now}::timestamptz)`;
  const isGranted = sql<boolean>`coalesce(r.next_at, ${now}::timestamptz) <= ${new Date(now.getTime() + maxHoldMs)}`;
  const gap = sql`CASE WHEN r.attempts < ${free} THEN interval '0'
    ELSE least(interval '1 second' * 2 ^ least(r.attempts - ${free}, 16), ${maxGapMs} * interval '1 millisecond') END`;
  const { rows } = await sql<{ attempts: number; slot_at: Date | string | null; next_at: Date | string | null }>`
    INSERT INTO rate_limit AS r (scope, key, window_ends_at, attempts, slot_at)
    VALUES (${scope}, ${key}, ${windowEndsAt}, 1, ${now})
    ON CONFLICT (scope, key) DO UPDATE SET
      attempts = CASE WHEN ${isOver} THEN 1 WHEN ${isGranted} THEN r.attempts + 1 ELSE r.attempts END,
      slot_at = CASE WHEN ${isOver} THEN ${now}::timestamptz WHEN ${isGranted} THEN ${turn} END,
      next_at = CASE WHEN ${isOver} THEN NULL WHEN ${isGranted} THEN ${turn} + ${gap} ELSE r.next_at END,
      window_ends_at = CASE WHEN ${isOver} THEN ${windowEndsAt} ELSE r.window_ends_at END
    RETURNING attempts, slot_at, next_at`.execute(db);
  const row = rows[0];
  if (!row) throw new Error("an attempt was not counted");
  return {
    attempts: row.attempts,
    turnAt: row.slot_at === null ? null : new Date(row.slot_at),
    nextAt: new Date(row.next_at ?? now),
  };
}

/** Takes back one attempt that was none after all. */
export async function uncountAttempt(db: Db, scope: string, key: string): Promise<void> {
  await tables(db)
    .updateTable("rate_limit")
    .set({ attempts: sql<number>`greatest(attempts - 1, 0)` })
    .where("scope", "=", scope)
    .where("key", "=", key)
    .execute();
}

/** The count of a key and of everything below it: a key is `subject` or `subject:part`. */
export async function deleteAttempts(db: Db, scope: string, key: string): Promise<void> {
  await tables(db)
    .deleteFrom("rate_limit")
    .where("scope", "=", scope)
    .where(({ or, eb }) => or([eb("key", "=", key), eb("key", "like", `${key}:%`)]))
    .execute();
}

/** Attempts in the windows that are open now, by key. */
export async function readAttempts(
  db: Db,
  scope: string,
  keys: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map();
  const rows = await tables(db)
    .selectFrom("rate_limit")
    .select(["key", "attempts"])
    .where("scope", "=", scope)
    .where("key", "in", keys)
    .where("window_ends_at", ">", now)
    .execute();
  return new Map(rows.map((row) => [row.key, row.attempts]));
}

export async function deleteEndedWindows(db: Db, now: Date): Promise<void> {
  await tables(db).deleteFrom("rate_limit").where("window_ends_at", "<", now).execute();
}
