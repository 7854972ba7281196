/** The log of a webhook: posts and refusals, the newest first; refusals are bounded by number, bytes and age. */
import type { WebhookOutcome } from "@accord/contracts/connections/webhooks";
import type { QueryResultRow } from "pg";
import { instanceSchema, type Pool } from "../../../platform/db/db.ts";
import { SEALED_VALUE_PREFIX, type Secrets } from "../../../platform/secrets/secrets.ts";
import type { WebhookPlace } from "./inbox.store.ts";
import { KeptHeaders } from "./kept-headers.ts";
import { EXCERPT_LENGTH, openBody, sealBody, SEALED_EXCERPT_LENGTH } from "./sealed-body.ts";

export type LogKind = "post" | "refusal";

export interface LogRow {
  kind: LogKind;
  number: number;
  at: string;
  /** Its time to the microsecond: where a page goes on. */
  atKey: string;
  status: number;
  code: string | null;
  times: number;
  messageId: string | null;
  size: number | null;
  records: number | null;
  replayOf: number | null;
  body: string | null;
}

export interface FoundPost extends LogRow {
  headers: KeptHeaders;
}

/** Where a page begins, without the entry itself. */
export interface LogKey {
  atKey: string;
  kind: LogKind;
  number: number;
}

export interface LogQuery {
  from: LogKey | null;
  direction: "next" | "previous";
  count: number;
  outcome: WebhookOutcome | undefined;
}

export interface Refusal {
  code: string;
  status: number;
  /** Whether it proved who sent it. */
  isProven: boolean;
  headers: KeptHeaders;
  /** As it came; its beginning is kept. */
  body: string;
  size: number;
}

/** Refusals kept for each webhook, of those that proved who sent them and of the others each. */
const MAX_REFUSALS = 500;
/** Bytes of their headers and bodies together. */
const MAX_REFUSAL_BYTES = 1_000_000;
/** Days that they are kept: the sweep of old rows and the log itself. */
export const REFUSAL_DAYS = 7;

const tableOf = (at: string, name: string): string => `"${instanceSchema(at)}".${name}`;

/** After a row `fresh` is inserted: takes out what is then too many or too much, and counts it. Posts refused at one time cut
the same rows in any order: each takes those that no other has, so that none waits for another's. */
const cutSql = (at: string): string => `sized AS (
    SELECT number, row_number() OVER newest AS place, sum(kept_bytes) OVER newest AS total
    FROM ${tableOf(at, "webhook_refusal")} WHERE connector_id = $1 AND is_proven = $2
    WINDOW newest AS (ORDER BY number DESC)
  ), over AS (
    SELECT number FROM ${tableOf(at, "webhook_refusal")} WHERE number IN (
      SELECT number FROM sized, fresh WHERE place >= ${MAX_REFUSALS} OR total + fresh.kept_bytes > ${MAX_REFUSAL_BYTES})
    FOR UPDATE SKIP LOCKED
  ), cut AS (
    DELETE FROM ${tableOf(at, "webhook_refusal")} WHERE number IN (SELECT number FROM over)
    RETURNING times
  ) INSERT INTO ${tableOf(at, "webhook_refusal_cut")} AS known (connector_id, posts)
    SELECT $1, sum(times) FROM cut HAVING count(*) > 0
    ON CONFLICT (connector_id) DO UPDATE SET posts = known.posts + EXCLUDED.posts`;

const OF_POST = `'post' AS kind, number, received_at AS at, status, NULL AS code, 1 AS times, message_id, size, records,
  replay_of, body, headers`;
const OF_REFUSAL = `'refusal' AS kind, number, at, status, code, times, NULL AS message_id, size, NULL::integer AS records,
  NULL::bigint AS replay_of, body, headers`;
const AT_KEY = `to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at_key`;

export function postLog(pool: Pool, secrets: Pick<Secrets, "sealValue" | "openValue">) {
  const read = (at: string, row: QueryResultRow): LogRow => ({
    kind: row["kind"],
    number: Number(row["number"]),
    at: row["at"],
    atKey: row["at_key"],
    status: row["status"],
    code: row["code"],
    times: row["times"],
    messageId: row["message_id"],
    size: row["size"],
    records: row["records"],
    replayOf: row["replay_of"] === null ? null : Number(row["replay_of"]),
    body: row["body"] === null ? null : openBody(secrets, at, row["body"]),
  });

  return {
    /** Keeps a refused post in one statement. */
    async noteRefusal({ instanceId, connectorId }: WebhookPlace, refusal: Refusal): Promise<void> {
      const body = sealBody(secrets, instanceId, refusal.body.slice(0, EXCERPT_LENGTH));
      const headers = secrets.sealValue(instanceId, JSON.stringify(refusal.headers));
      await pool.query(
        `WITH fresh AS (
           INSERT INTO ${tableOf(instanceId, "webhook_refusal")}
             (connector_id, is_proven, code, status, headers, body, size, kept_bytes)
           VALUES ($1, $2, $3, $4, $5, $6, $7, octet_length($5) + octet_length($6)) RETURNING kept_bytes
         ), ${cutSql(instanceId)}`,
        [connectorId, refusal.isProven, refusal.code, refusal.status, headers, body, refusal.size],
      );
    },

    /** Counts posts that are not kept one by one: one row a minute, beside those that are. */
    async countRefusals(
      { instanceId, connectorId }: WebhookPlace,
      { code, status, isProven, times }: Pick<Refusal, "code" | "status" | "isProven"> & { times: number },
    ): Promise<void> {
      const table = tableOf(instanceId, "webhook_refusal");
      await pool.query(
        `WITH again AS (
           UPDATE ${table} SET times = times + $5 WHERE number = (SELECT max(number) FROM ${table}
             WHERE connector_id = $1 AND is_proven = $2 AND code = $3 AND body IS NULL AND at >= date_trunc('minute', now()))
           RETURNING number
         ), fresh AS (
           INSERT INTO ${table} (connector_id, is_proven, code, status, times)
           SELECT $1, $2, $3, $4, $5 WHERE NOT EXISTS (SELECT FROM again) RETURNING kept_bytes
         ), ${cutSql(instanceId)}`,
        [connectorId, isProven, code, status, times],
      );
    },

    /** The beginning of large bodies is read without the rest. One entry more than asked for where there is one, in the direction that is read in. */
    async list({ instanceId, connectorId }: WebhookPlace, query: LogQuery): Promise<LogRow[]> {
      const [sign, order] = query.direction === "next" ? ["<", "DESC"] : [">", "ASC"];
      const part = (kind: LogKind, columns: string, time: string, isWanted: string): string => `(
        SELECT ${columns} FROM ${tableOf(instanceId, kind === "post" ? "webhook_message" : "webhook_refusal")}
        WHERE connector_id = $1 AND ${isWanted}
          AND ($2::timestamptz IS NULL OR (${time} ${sign}= $2 AND (${time}, '${kind}', number) ${sign} ($2, $3, $4::bigint)))
        ORDER BY ${time} ${order}, number ${order} LIMIT $5)`;
      const ofPosts = { accepted: "records IS DISTINCT FROM 0", noRecords: "records = 0", refused: "false" };
      const posts = query.outcome ? ofPosts[query.outcome] : "true";
      const refusals = query.outcome && query.outcome !== "refused" ? "false" : recent("at");
      const { rows } = await pool.query(
        `SELECT kind, number, at, ${AT_KEY}, status, code, times, message_id, size, records, replay_of,
           CASE WHEN starts_with(body, '${SEALED_VALUE_PREFIX}') THEN split_part(left(body, ${SEALED_EXCERPT_LENGTH}), E'\\n', 1)
                ELSE left(body, ${EXCERPT_LENGTH}) END AS body
         FROM (${part("post", OF_POST, "received_at", posts)}
               UNION ALL ${part("refusal", OF_REFUSAL, "at", refusals)}) entries
         ORDER BY entries.at ${order}, kind ${order}, number ${order} LIMIT $5`,
        [connectorId, query.from?.atKey ?? null, query.from?.kind ?? null, query.from?.number ?? null, query.count + 1],
      );
      return rows.map((row) => read(instanceId, row));
    },

    async find({ instanceId, connectorId }: WebhookPlace, kind: LogKind, number: number): Promise<FoundPost | null> {
      const [table, columns] = kind === "post" ? ["webhook_message", OF_POST] : ["webhook_refusal", OF_REFUSAL];
      const { rows } = await pool.query(
        `SELECT *, ${AT_KEY} FROM (
           SELECT ${columns} FROM ${tableOf(instanceId, table)} WHERE connector_id = $1 AND number = $2) found`,
        [connectorId, number],
      );
      const [row] = rows;
      if (!row) return null;
      const headers: unknown = row.headers === null ? [] : JSON.parse(openBody(secrets, instanceId, row.headers));
      return { ...read(instanceId, row), headers: KeptHeaders.parse(headers) };
    },

    /** Refused posts that newer ones took the place of. */
    async cut({ instanceId, connectorId }: WebhookPlace): Promise<number> {
      const { rows } = await pool.query(
        `SELECT posts FROM ${tableOf(instanceId, "webhook_refusal_cut")} WHERE connector_id = $1`,
        [connectorId],
      );
      return Number(rows[0]?.posts ?? 0);
    },
  };
}

export type PostLog = ReturnType<typeof postLog>;

const recent = (time: string): string => `${time} > now() - ${REFUSAL_DAYS} * interval '1 day'`;
