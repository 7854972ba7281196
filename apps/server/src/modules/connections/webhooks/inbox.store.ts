/** What webhooks brought: addresses, posts kept before they are answered, and how many came in a minute. */
import { randomUUID } from "node:crypto";
import type { InboxPage, InboxRequest } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import type { PoolClient } from "pg";
import { instanceSchema, type Pool } from "../../../platform/db/db.ts";
import { prepared } from "../../../platform/db/prepared.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { Secrets } from "../../../platform/secrets/secrets.ts";
import type { KeptHeaders } from "./kept-headers.ts";
import { openBody, sealBody } from "./sealed-body.ts";

type InstanceId = Id<"instance">;

export interface WebhookPlace {
  instanceId: InstanceId;
  connectorId: Id<"connector">;
}

const tableOf = (at: string, name: string): string => `"${instanceSchema(at)}".${name}`;

/** Parts of a statement, the last one `woken`, that let `pipelines` run where its part `kept` has a row. */
type WakeSql = (kept: string, instanceId: string, pipelines: string) => string;

export interface NewPost {
  messageId: string;
  isBodyId: boolean;
  /** Of a signature that the sender makes once: where the id is only what the body says, none is kept twice with it. */
  proofId?: string | null;
  body: string;
  status: number;
  holdMs: number | null;
  /** Pipelines that may read it at once. */
  wakes: readonly string[];
  /** It was counted before. */
  isCounted: boolean;
  /** What its log shows beside the body. */
  log: PostFacts;
}

export interface PostFacts {
  headers: KeptHeaders;
  /** Bytes of the body. */
  size: number;
  /** Records in it by the present path. */
  records: number;
  /** Number of the post that it repeats. */
  replayOf: number | null;
}

export interface KeptPost {
  /** Whether there were more this minute than may be: it is counted, and not kept. */
  isTooMany: boolean;
  /** null: there is one of this id already, or there were too many. */
  number: number | null;
  /** Pipelines that were let run with it. */
  woken: readonly string[];
}

const countSql = (address: string): string => `old AS (
    DELETE FROM webhook_rate WHERE address = ${address} AND minute < date_trunc('minute', now())
  ), counted AS (
    INSERT INTO webhook_rate (address, minute, posts) VALUES (${address}, date_trunc('minute', now()), 1)
    ON CONFLICT (address, minute) DO UPDATE SET posts = webhook_rate.posts + 1 RETURNING posts
  )`;

export function webhookInbox(pool: Pool, secrets: Pick<Secrets, "sealValue" | "openValue">, wakeSql: WakeSql) {
  async function countPost(address: string): Promise<number> {
    const { rows } = await pool.query(prepared(`WITH ${countSql("$1")} SELECT posts FROM counted`, [address]));
    return rows[0].posts;
  }

  /** Keeps a post that was counted before, or counts it too: past the limit it is not kept. */
  const keepSql = (table: string, isCounted: boolean): string => `WITH ${isCounted ? "" : `${countSql("$13")},`}
    turn AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtextextended($7, 0))
                          ${isCounted ? "" : "FROM counted WHERE posts <= $14"}),
    kept AS (
      INSERT INTO ${table} (connector_id, message_id, body, status, held_until, headers, size, records, replay_of)
      SELECT $2, $3, $4, $5, now() + $6 * interval '1 millisecond', $9, $10::integer, $11::integer, $12::bigint FROM turn
      ON CONFLICT (connector_id, message_id) DO NOTHING RETURNING number
    ), ${wakeSql("kept", "$1", "$8")}
    SELECT (SELECT number FROM kept) AS number, ARRAY(SELECT pipeline_id FROM woken) AS woken,
      NOT EXISTS (SELECT FROM turn) AS is_too_many`;

  return {
    /**
     * Posts after a number, oldest first: what a webhook's connection reads. Up to the first that is just being
     * answered, unless it is read for the answer.
     */
    async read(
      at: InstanceId,
      connectorId: string,
      { after, count, maxBytes, since, until, isAnswering }: InboxRequest & { isAnswering: boolean },
    ): Promise<InboxPage> {
      const table = tableOf(at, "webhook_message");
      const { rows } = await pool.query(
        prepared(
          `SELECT number, body FROM (SELECT number, body, octet_length(body) AS size,
           sum(octet_length(body)) OVER (ORDER BY number) AS total FROM ${table}
         WHERE connector_id = $1 AND number > $2 AND ($4::timestamptz IS NULL OR received_at >= $4)
           AND ($5::timestamptz IS NULL OR received_at <= $5)
           AND ($6 OR number < coalesce((SELECT min(number) FROM ${table}
             WHERE connector_id = $1 AND held_until > now()), 9223372036854775807)) ORDER BY number LIMIT $3) posts
         WHERE total - size < $7 ORDER BY number`,
          [connectorId, after, count, since ?? null, until ?? null, isAnswering, maxBytes],
        ),
      );
      // As the statement bounds it: by what is stored, which is sealed and so larger than what is read.
      const size = rows.reduce((bytes, row) => bytes + Buffer.byteLength(row.body), 0);
      const posts = rows.map((row) => ({ number: Number(row.number), body: openBody(secrets, at, row.body) }));
      return { posts, isFull: rows.length >= count || size >= maxBytes };
    },

    async findAddress(address: string): Promise<WebhookPlace | null> {
      const { rows } = await pool.query(
        prepared("SELECT instance_id, connector_id FROM webhook_endpoint WHERE address = $1", [address]),
      );
      return rows[0] ? { instanceId: rows[0].instance_id, connectorId: rows[0].connector_id } : null;
    },

    /** Its address; null while it has none. */
    async addressOf({ instanceId, connectorId }: WebhookPlace): Promise<string | null> {
      const { rows } = await pool.query(
        "SELECT address FROM webhook_endpoint WHERE instance_id = $1 AND connector_id = $2",
        [instanceId, connectorId],
      );
      return rows[0]?.address ?? null;
    },

    /** The connector's address, made when it has none; `isNew` replaces the one it has. */
    async settleAddress({ instanceId, connectorId }: WebhookPlace, fresh: string, isNew: boolean): Promise<string> {
      const { rows } = await pool.query(
        `INSERT INTO webhook_endpoint (address, instance_id, connector_id) VALUES ($1, $2, $3)
         ON CONFLICT (instance_id, connector_id) DO UPDATE
           SET address = CASE WHEN $4 THEN EXCLUDED.address ELSE webhook_endpoint.address END
         RETURNING address`,
        [fresh, instanceId, connectorId, isNew],
      );
      return rows[0].address;
    },

    /** Counts a post before it is kept, if it is. Posts of this minute at this address, this one included. */
    countPost,

    /**
     * Counts a post, keeps it for good unless there were more than `most` this minute, and lets pipelines run; says its
     * number. Where the id is only what the body says, the same may be said again after something else was: only the
     * newest post is repeated by it, for some minutes; one with a signature of its own is not kept twice. Cycles leave it alone until it is released, or after `holdMs`;
     * null: they may read it at once.
     */
    async keep(
      { address, instanceId, connectorId }: WebhookPlace & { address: string },
      post: NewPost,
      most: number,
    ): Promise<KeptPost> {
      const table = tableOf(instanceId, "webhook_message");
      // One at a time: numbers become visible in their order, so that a reader who is past one has seen all before it.
      const turn = `webhook ${connectorId}`;
      const insert = async (client: Pool | PoolClient, messageId: string, isCounted: boolean): Promise<KeptPost> => {
        const sealed = sealBody(secrets, instanceId, post.body);
        const { size, records, replayOf } = post.log;
        const headers = secrets.sealValue(instanceId, JSON.stringify(post.log.headers));
        const values = [
          ...[instanceId, connectorId, messageId, sealed, post.status, post.holdMs, turn, post.wakes],
          ...[headers, size, records, replayOf],
        ];
        const { rows } = await client.query(
          prepared(keepSql(table, isCounted), isCounted ? values : [...values, address, most]),
        );
        const [{ number, woken, is_too_many: isTooMany }] = rows;
        return { isTooMany, number: number === null ? null : Number(number), woken };
      };
      if (!post.isBodyId) return insert(pool, post.messageId, post.isCounted);
      if (!post.isCounted && (await countPost(address)) > most) return { isTooMany: true, number: null, woken: [] };
      return transaction(pool, async ({ client }) => {
        await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [turn]);
        return insert(client, await idOfBody(client, table, connectorId, post), true);
      });
    },

    /** It has its answer: cycles may read it. */
    async release({ instanceId }: WebhookPlace, number: number, status: number): Promise<void> {
      const table = tableOf(instanceId, "webhook_message");
      await pool.query(`UPDATE ${table} SET held_until = NULL, status = $2 WHERE number = $1`, [number, status]);
    },
  };
}

export type WebhookInbox = ReturnType<typeof webhookInbox>;

/** How long a sender without ids of its own repeats a post that it has no answer to. */
const REPEATED_FOR = "interval '10 minutes'";

/** The newest post's id where it has this body and is that young; else one of its own, by its signature where it has one. */
async function idOfBody(
  client: PoolClient,
  table: string,
  connectorId: string,
  { messageId: bodyId, proofId }: Pick<NewPost, "messageId" | "proofId">,
): Promise<string> {
  const { rows } = await client.query(
    `SELECT message_id FROM (
       SELECT message_id, received_at FROM ${table} WHERE connector_id = $1 ORDER BY number DESC LIMIT 1
     ) newest WHERE starts_with(message_id, $2) AND received_at > now() - ${REPEATED_FOR}`,
    [connectorId, bodyId],
  );
  return rows[0]?.message_id ?? `${bodyId}-${proofId ?? randomUUID()}`;
}
