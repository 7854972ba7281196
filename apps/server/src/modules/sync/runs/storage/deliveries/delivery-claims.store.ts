/** What a destination still has to be told, with all that is known of it. */
import type { Value } from "@accord/contracts/data/values";
import type { Claimed, ClaimedDelivery, ClaimRequest } from "@accord/sync-engine/run";
import { queryPrepared } from "../../../../../platform/db/prepared.ts";
import { SYSTEM_COLUMNS } from "../../../../data/schema/index.ts";
import { heldSql } from "./freed-records.store.ts";
import type { pendingReferences } from "../pages/pending-references.store.ts";
import { readLink, type StoredRows, splitWritten } from "../stored-rows.store.ts";

export function deliveryClaims(
  { pool, schema, table, records, recordColumns, readRecord }: StoredRows,
  references: Pick<ReturnType<typeof pendingReferences>, "addOpen">,
) {
  /** Deliveries claimed last, by place: how many there will be is not known before, nor which plan is the better. */
  const lately = new Map<number, number>();
  const isHeld = heldSql(schema, { place: "d.place", externalId: "d.taken_id", recordId: "d.record_id" });

  async function claim(request: ClaimRequest): Promise<Claimed> {
    const { rows } = await queryPrepared(
      pool,
      // Of one moment: what is not due yet is named, what is due is claimed.
      `SELECT later.at AS later_at, due.* FROM (
         SELECT CASE WHEN $3 AND EXISTS (
             SELECT FROM ${table("delivery")} d WHERE d.place = $1 AND NOT d.parked AND d.next_at <= now()
               AND NOT EXISTS (SELECT FROM ${table("link")} l WHERE l.place = d.place AND l.record_id = d.record_id)
           ) THEN now() ELSE (
             SELECT min(next_at) FROM ${table("delivery")} WHERE place = $1 AND NOT parked AND next_at > now()
           ) END AS at
       ) later LEFT JOIN (
       SELECT d.record_id AS d_record_id, d.next_at AS d_next_at, d.wanted AS d_wanted, d.attempts AS d_attempts, d.intent AS d_intent,
              d.written AS d_written, l.external_id AS l_external_id, l.record_id AS l_record_id, l.seen AS l_seen,
              l.told AS l_told, l.refused AS l_refused, l.respelled AS l_respelled, l.modified_at AS l_modified_at, l.dead AS l_dead, l.held_back AS l_held_back, ${recordColumns},
              (extract(epoch FROM now() - d.next_at) * 1000)::float8 AS due_for_ms,
              (extract(epoch FROM now() - l.told_at) * 1000)::float8 AS told_for_ms,
              d.taken_id AS d_taken_id, d.taken_key AS d_taken_key, d.taken_times AS d_taken_times, CASE WHEN d.taken_key IS NOT NULL THEN ${isHeld} END AS is_taken,
              CASE WHEN r.accord_deleted THEN EXISTS (
                SELECT FROM ${table("merged_record")} m WHERE m.loser_id = d.record_id AND NOT m.undone) END AS is_merged
       FROM ${table("delivery")} d
       LEFT JOIN ${table("link")} l ON l.place = d.place AND l.record_id = d.record_id
       LEFT JOIN ${records} r ON r.accord_id = d.record_id
       WHERE d.place = $1 AND NOT d.parked AND d.next_at <= now() AND (NOT $3 OR l.external_id IS NOT NULL)
         AND NOT EXISTS (SELECT FROM ${table("quarantine")} q
                         WHERE q.place = d.place AND q.direction = 'source' AND q.status <> 'RESOLVED'
                           AND coalesce(q.external_id, q.record_id, '') = l.external_id)
       ORDER BY d.next_at, d.record_id LIMIT $2
       ) due ON true ORDER BY due.d_next_at, due.d_record_id`,
      [request.placeId, request.limit, request.onlyLinked ?? false],
      lately.get(request.placeId) ?? request.limit,
    );
    const deliveries = rows
      .filter((row) => row.d_record_id !== null)
      .map((row): ClaimedDelivery => ({
        recordId: row.d_record_id,
        wanted: row.d_wanted,
        attempts: row.d_attempts,
        unanswered: row.d_intent === null ? null : { intent: row.d_intent, written: splitWritten(row.d_written) },
        record: row[SYSTEM_COLUMNS.id] === null ? null : readRecord(row),
        link: row.l_external_id === null ? null : readLink(row),
        dueForMs: row.due_for_ms,
        writtenForMs: row.told_for_ms,
        isMerged: row.is_merged === true,
        ...(row.is_taken ? { taken: { externalId: row.d_taken_id, key: row.d_taken_key } } : {}),
        ...(row.d_taken_times > 0 ? { takenTimes: row.d_taken_times } : {}),
      }));
    lately.set(request.placeId, deliveries.length);
    const outsideIds = new Map<string, Map<string, string>>();
    for (const { coreField, connectorId, entity } of request.references) {
      const ids = deliveries.flatMap(({ record }) => textOf(record?.values[coreField]) ?? []);
      if (ids.length > 0) await readOutsideIds(connectorId, entity, ids, outsideIds);
    }
    if (request.references.length > 0) await references.addOpen(request.placeId, deliveries);
    const laterAt = deliveries.length < request.limit ? rows[0]?.["later_at"] : null;
    const nextAt = laterAt ? Date.parse(laterAt) : null;
    return { deliveries, references: outsideIds, nextAt };
  }

  async function readOutsideIds(
    connectorId: string,
    entity: string,
    recordIds: readonly string[],
    into: Map<string, Map<string, string>>,
  ): Promise<void> {
    const key = `${connectorId}/${entity}`;
    const known = into.get(key) ?? new Map<string, string>();
    const { rows } = await pool.query(
      `SELECT l.external_id, l.record_id FROM ${table("place")} p JOIN ${table("link")} l ON l.place = p.number
       WHERE p.connector_id = $1 AND p.entity = $2 AND l.record_id = ANY($3::text[]) AND NOT l.dead`,
      [connectorId, entity, recordIds],
    );
    for (const row of rows) known.set(row.record_id, row.external_id);
    into.set(key, known);
    const missing = [...new Set(recordIds)].filter((recordId) => !known.has(recordId));
    if (missing.length > 0) await readAliases(connectorId, entity, missing, known);
  }

  /**
   * A record that has no external record of its own at a place is there as one of those merged into it, unless the place
   * has yet to learn of that one: it may be about to be deleted.
   */
  async function readAliases(
    connectorId: string,
    entity: string,
    recordIds: readonly string[],
    known: Map<string, string>,
  ): Promise<void> {
    const { rows } = await pool.query(
      `WITH RECURSIVE standing AS (
         SELECT winner_id, loser_id FROM ${table("merged_record")} WHERE winner_id = ANY($3::text[]) AND NOT undone
         UNION
         SELECT s.winner_id, m.loser_id FROM standing s
         JOIN ${table("merged_record")} m ON m.winner_id = s.loser_id AND NOT m.undone
       )
       SELECT s.winner_id, min(l.external_id) AS external_id
       FROM standing s JOIN ${table("place")} p ON p.connector_id = $1 AND p.entity = $2
       JOIN ${table("link")} l ON l.place = p.number AND l.record_id = s.loser_id AND NOT l.dead
       WHERE NOT EXISTS (SELECT FROM ${table("delivery")} d WHERE d.place = l.place AND d.record_id = l.record_id)
       GROUP BY s.winner_id`,
      [connectorId, entity, recordIds],
    );
    for (const row of rows) known.set(row.winner_id, row.external_id);
  }

  return { claim };
}

const textOf = (value: Value | undefined): string | undefined => (typeof value === "string" ? value : undefined);
