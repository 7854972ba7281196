/** The outbox: every mail the product wrote, delivered or kept for an administrator to read. */
import type { Db } from "../db/db.ts";
import type { OneTimeLink } from "./mail.ts";

export type MailStatus = "WAITING" | "SENT" | "KEPT" | "FAILED";

export type MailRow = {
  id: string;
  organisation_id: string;
  instance_id: string | null;
  kind: string;
  recipient: string;
  subject: string;
  body: string;
  link_kind: OneTimeLink["kind"] | null;
  link_user_id: string | null;
  status: MailStatus;
  attempts: number;
  error: string | null;
  created_at: Date | string;
  sent_at: Date | string | null;
};

type Tables = { mail: MailRow };

/** Answers false when a mail with its id is there already. */
export async function insertMail(db: Db, row: MailRow): Promise<boolean> {
  const done = await db
    .withTables<Tables>()
    .insertInto("mail")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  return done.numInsertedOrUpdatedRows === 1n;
}

export function findMail(db: Db, id: string) {
  return db.withTables<Tables>().selectFrom("mail").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function updateMail(
  db: Db,
  id: string,
  changes: Partial<Pick<MailRow, "status" | "attempts" | "error" | "sent_at">>,
): Promise<void> {
  await db.withTables<Tables>().updateTable("mail").set(changes).where("id", "=", id).execute();
}

/** Mails written before that do not wait to be sent, at most so many; answers how many went. */
export async function deleteMails(db: Db, before: Date, count: number): Promise<number> {
  const old = db
    .withTables<Tables>()
    .selectFrom("mail")
    .select("id")
    .where("status", "<>", "WAITING")
    .where("created_at", "<", before)
    .orderBy("created_at")
    .limit(count);
  const done = await db.withTables<Tables>().deleteFrom("mail").where("id", "in", old).executeTakeFirst();
  return Number(done.numDeletedRows);
}

export function listMail(
  db: Db,
  where: { organisationId: string; instanceId: string | null; before: string | null; limit: number },
) {
  let query = db
    .withTables<Tables>()
    .selectFrom("mail")
    .selectAll()
    .where("organisation_id", "=", where.organisationId)
    .orderBy("id", "desc")
    .limit(where.limit);
  if (where.instanceId) query = query.where("instance_id", "=", where.instanceId);
  if (where.before) query = query.where("id", "<", where.before);
  return query.execute();
}
