/** Counts tries in windows of time, in the database, so that every server process counts together. */
import { sql } from "kysely";
import type { Db } from "../db/db.ts";

type Tables = {
  throttle: { scope: string; key: string; window_ends_at: Date | string; tries: number };
};

/** Counts one more try and answers how many there are in the window. */
export async function countTry(
  db: Db,
  { scope, key, now, windowEndsAt }: { scope: string; key: string; now: Date; windowEndsAt: Date },
): Promise<{ tries: number; windowEndsAt: Date }> {
  const row = await db
    .withTables<Tables>()
    .insertInto("throttle")
    .values({ scope, key, window_ends_at: windowEndsAt, tries: 1 })
    .onConflict((conflict) =>
      conflict.columns(["scope", "key"]).doUpdateSet({
        tries: sql<number>`CASE WHEN throttle.window_ends_at <= ${now} THEN 1 ELSE throttle.tries + 1 END`,
        window_ends_at: sql<Date>`CASE WHEN throttle.window_ends_at <= ${now} THEN ${windowEndsAt} ELSE throttle.window_ends_at END`,
      }),
    )
    .returning(["tries", "window_ends_at"])
    .executeTakeFirstOrThrow();
  return { tries: row.tries, windowEndsAt: new Date(row.window_ends_at) };
}

export async function forgetTries(db: Db, scope: string, key: string): Promise<void> {
  await db.withTables<Tables>().deleteFrom("throttle").where("scope", "=", scope).where("key", "=", key).execute();
}

export async function forgetEndedWindows(db: Db, now: Date): Promise<void> {
  await db.withTables<Tables>().deleteFrom("throttle").where("window_ends_at", "<", now).execute();
}
