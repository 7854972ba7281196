/** Answers of creating calls by the key their caller chose. */
import type { Db } from "../db/db.ts";

type Tables = {
  idempotency_key: {
    scope: string;
    key: string;
    request_hash: string;
    reply: string | null;
    created_at: Date | string;
  };
};

/** Claims the key. false: somebody else holds it. A claim that is older than `abandonedBefore` is taken over. */
export async function claimKey(
  db: Db,
  claim: { scope: string; key: string; requestHash: string; now: Date; abandonedBefore: Date; forgottenBefore: Date },
): Promise<boolean> {
  const tables = db.withTables<Tables>();
  const claimed = await tables
    .insertInto("idempotency_key")
    .values({ scope: claim.scope, key: claim.key, request_hash: claim.requestHash, reply: null, created_at: claim.now })
    .onConflict((conflict) =>
      conflict
        .columns(["scope", "key"])
        .doUpdateSet({ request_hash: claim.requestHash, reply: null, created_at: claim.now })
        .where(({ or, and, eb }) =>
          or([
            eb("idempotency_key.created_at", "<", claim.forgottenBefore),
            and([
              eb("idempotency_key.reply", "is", null),
              eb("idempotency_key.created_at", "<", claim.abandonedBefore),
            ]),
          ]),
        ),
    )
    .returning("key")
    .executeTakeFirst();
  return claimed !== undefined;
}

export function findKey(db: Db, scope: string, key: string) {
  return db
    .withTables<Tables>()
    .selectFrom("idempotency_key")
    .select(["request_hash", "reply"])
    .where("scope", "=", scope)
    .where("key", "=", key)
    .executeTakeFirst();
}

export async function saveReply(db: Db, scope: string, key: string, reply: string): Promise<void> {
  await db
    .withTables<Tables>()
    .updateTable("idempotency_key")
    .set({ reply })
    .where("scope", "=", scope)
    .where("key", "=", key)
    .execute();
}

export async function releaseKey(db: Db, scope: string, key: string): Promise<void> {
  await db
    .withTables<Tables>()
    .deleteFrom("idempotency_key")
    .where("scope", "=", scope)
    .where("key", "=", key)
    .where("reply", "is", null)
    .execute();
}

export async function forgetKeys(db: Db, before: Date): Promise<void> {
  await db.withTables<Tables>().deleteFrom("idempotency_key").where("created_at", "<", before).execute();
}
