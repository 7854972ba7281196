/** Answers of creating calls by the key their caller chose. */
import type { Db } from "../../db/db.ts";

type Tables = {
  idempotency_key: {
    scope: string;
    key: string;
    request_hash: string;
    reply: string | null;
    owner: string | null;
    created_at: Date | string;
  };
};

/** A call that holds a key. */
export interface KeyOwner {
  scope: string;
  key: string;
  owner: string;
}

/** Claims the key. false: somebody else holds it. A claim that is older than `abandonedBefore` is taken over. */
export async function claimKey(
  db: Db,
  claim: KeyOwner & { requestHash: string; now: Date; abandonedBefore: Date; forgottenBefore: Date },
): Promise<boolean> {
  const { scope, key, owner } = claim;
  const tables = db.withTables<Tables>();
  const claimed = await tables
    .insertInto("idempotency_key")
    .values({ scope, key, request_hash: claim.requestHash, reply: null, owner, created_at: claim.now })
    .onConflict((conflict) =>
      conflict
        .columns(["scope", "key"])
        .doUpdateSet({ request_hash: claim.requestHash, reply: null, owner, created_at: claim.now })
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

/** The rows that the owner still holds. */
const held = (db: Db, { scope, key, owner }: KeyOwner) =>
  db
    .withTables<Tables>()
    .updateTable("idempotency_key")
    .where("scope", "=", scope)
    .where("key", "=", key)
    .where("owner", "=", owner)
    .where("reply", "is", null);

/** The call is alive: nobody takes its key over. */
export async function renewKey(db: Db, owner: KeyOwner, now: Date): Promise<void> {
  await held(db, owner).set({ created_at: now }).execute();
}

/** false: somebody else has taken the key over. */
export async function saveReply(db: Db, owner: KeyOwner, reply: string): Promise<boolean> {
  return (await held(db, owner).set({ reply }).returning("key").executeTakeFirst()) !== undefined;
}

/** Nothing happens once somebody else has taken the key over. */
export async function releaseKey(db: Db, { scope, key, owner }: KeyOwner): Promise<void> {
  await db
    .withTables<Tables>()
    .deleteFrom("idempotency_key")
    .where("scope", "=", scope)
    .where("key", "=", key)
    .where("owner", "=", owner)
    .where("reply", "is", null)
    .execute();
}

export async function forgetKeys(db: Db, before: Date): Promise<void> {
  await db.withTables<Tables>().deleteFrom("idempotency_key").where("created_at", "<", before).execute();
}
