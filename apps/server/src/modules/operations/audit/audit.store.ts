/** Entries of the audit log: only ever added. */
import type { Db } from "../../../platform/db/db.ts";

export type AuditRow = {
  id: string;
  organisation_id: string;
  instance_id: string | null;
  user_id: string | null;
  user_email: string;
  action: string;
  target_kind: string | null;
  target_id: string | null;
  target_name: string | null;
  /** JSON text. */
  details: unknown;
  request_id: string;
  address: string;
  at: Date | string;
};

type Tables = { audit_entry: AuditRow };

export async function insertEntry(db: Db, row: AuditRow): Promise<void> {
  await db.withTables<Tables>().insertInto("audit_entry").values(row).execute();
}

/** Newest first; `before` is the id of an entry, `instanceIds` limits to these instances. */
export function listEntries(
  db: Db,
  where: { organisationId: string; instanceId: string | null; before: string | null; limit: number },
): Promise<AuditRow[]> {
  let query = db
    .withTables<Tables>()
    .selectFrom("audit_entry")
    .selectAll()
    .where("organisation_id", "=", where.organisationId)
    .orderBy("id", "desc")
    .limit(where.limit);
  if (where.instanceId) query = query.where("instance_id", "=", where.instanceId);
  if (where.before) query = query.where("id", "<", where.before);
  return query.execute();
}
