/** Heartbeats of worker processes, and reports of crashed screens. */
import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

/** By the database's clock, which all processes share. */
export async function beat(db: Db, processId: string): Promise<void> {
  await sql`
    INSERT INTO worker_heartbeat (process_id, seen_at) VALUES (${processId}, now())
    ON CONFLICT (process_id) DO UPDATE SET seen_at = excluded.seen_at`.execute(db);
}

/** Also forgets processes that ended without a word. */
export async function stopHeartbeat(db: Db, processId: string): Promise<void> {
  await sql`
    DELETE FROM worker_heartbeat WHERE process_id = ${processId} OR seen_at < now() - interval '1 hour'`.execute(db);
}

export async function countWorkers(db: Db, silentAfterSeconds: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM worker_heartbeat
     WHERE seen_at >= now() - make_interval(secs => ${silentAfterSeconds})`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

export async function ping(db: Db): Promise<void> {
  await sql`SELECT 1`.execute(db);
}

type Tables = {
  error_report: {
    id: string;
    organisation_id: string | null;
    user_id: string | null;
    phone_home_id: string;
    report: string;
    created_at: Date;
  };
};

export async function insertErrorReport(db: Db, row: Tables["error_report"]): Promise<void> {
  await db.withTables<Tables>().insertInto("error_report").values(row).execute();
}
