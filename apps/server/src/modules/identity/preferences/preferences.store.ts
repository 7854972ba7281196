/** Preferences live on the account, as one JSON object. */
import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

export async function readPreferences(db: Db, userId: string): Promise<unknown> {
  const { rows } = await sql<{ preferences: unknown }>`SELECT preferences FROM app_user WHERE id = ${userId}`.execute(
    db,
  );
  return rows[0]?.preferences ?? {};
}

/** Sets the value at a path in one statement, so that two windows don't undo each other. false: too much in all. */
export async function writePreference(
  db: Db,
  userId: string,
  path: readonly string[],
  value: unknown,
  maxBytes: number,
): Promise<boolean> {
  const json = JSON.stringify(value);
  const parents = path.slice(0, -1).map((_, index) => path.slice(0, index + 1));
  let target = sql`preferences`;
  for (const parent of parents) {
    target = sql`jsonb_set(${target}, ${parent}::text[], coalesce(preferences #> ${parent}::text[], '{}'::jsonb))`;
  }
  const { rows } = await sql<{ id: string }>`
    UPDATE app_user SET preferences = jsonb_set(${target}, ${path}::text[], ${json}::jsonb)
     WHERE id = ${userId}
       AND octet_length(preferences::text) + ${Buffer.byteLength(json)} <= ${maxBytes}
    RETURNING id`.execute(db);
  return rows.length > 0;
}
