/** Notifications of instances, and up to where each person has looked. */
import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

export interface NotificationRow {
  id: string;
  severity: "success" | "info" | "warning" | "error";
  message: string;
  detail: string;
  link: string;
  created_at: string;
  read: boolean;
}

export interface NewNotification {
  id: string;
  instanceId: string;
  /** What it is about: the same is told once. */
  subject: string;
  severity: NotificationRow["severity"];
  message: string;
  detail: string;
  link: string;
  roles: readonly string[];
  /** Null: whoever holds one of the roles. */
  userId: string | null;
  at: Date;
}

/** false when it was told before. */
export async function insertNotification(db: Db, one: NewNotification): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO notification (id, instance_id, subject, severity, message, detail, link, roles, user_id, created_at)
    VALUES (${one.id}, ${one.instanceId}, ${one.subject}, ${one.severity}, ${one.message}, ${one.detail}, ${one.link},
            ${one.roles}::text[], ${one.userId}, ${one.at})
    ON CONFLICT (instance_id, subject) DO NOTHING RETURNING id`.execute(db);
  return rows.length > 0;
}

/** Somebody who reads, with the roles held in the instance. */
export interface Reader {
  instanceId: string;
  userId: string;
  roles: readonly string[];
}

const toldTo = ({ instanceId, userId, roles }: Reader) =>
  sql`n.instance_id = ${instanceId} AND (n.user_id IS NULL OR n.user_id = ${userId})
    AND (cardinality(n.roles) = 0 OR n.roles && ${roles}::text[])`;
const seenBy = ({ instanceId, userId }: Reader) =>
  sql`coalesce((SELECT up_to FROM notification_seen WHERE user_id = ${userId} AND instance_id = ${instanceId}), '')`;

/** Beginning beside `from`, in the direction of reading; the order is always the newest first. */
export async function listNotifications(
  db: Db,
  reader: Reader,
  { from, newer, limit }: { from: string | null; newer: boolean; limit: number },
): Promise<NotificationRow[]> {
  const beside = newer ? sql`n.id > ${from}` : sql`n.id < ${from}`;
  const { rows } = await sql<NotificationRow>`
    SELECT n.id, n.severity, n.message, n.detail, n.link, n.created_at, n.id <= ${seenBy(reader)} AS read
      FROM notification n WHERE ${toldTo(reader)} AND ${from === null ? sql`true` : beside}
     ORDER BY n.id ${newer ? sql`ASC` : sql`DESC`} LIMIT ${limit}`.execute(db);
  return newer ? rows.reverse() : rows;
}

export async function countUnread(db: Db, reader: Reader): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    SELECT count(*) AS unread FROM notification n WHERE ${toldTo(reader)} AND n.id > ${seenBy(reader)}`.execute(db);
  return Number(rows[0]?.unread ?? 0);
}

/** false when the reader was never told this. Looking back does not make newer ones unread. */
export async function markRead(db: Db, reader: Reader, upTo: string): Promise<boolean> {
  const { rows } = await sql<{ user_id: string }>`
    INSERT INTO notification_seen (user_id, instance_id, up_to)
    SELECT ${reader.userId}, n.instance_id, n.id FROM notification n WHERE ${toldTo(reader)} AND n.id = ${upTo}
    ON CONFLICT (user_id, instance_id) DO UPDATE SET up_to = greatest(notification_seen.up_to, EXCLUDED.up_to)
    RETURNING user_id`.execute(db);
  return rows.length > 0;
}

export async function forgetNotifications(db: Db, before: Date): Promise<void> {
  await sql`DELETE FROM notification WHERE created_at < ${before}`.execute(db);
}
