/** The links that answers of destinations bring: written where nobody else has them, or taken over from who let them go. */
import { type LinkWrite, offsetOf, type DeliveryResult } from "@accord/sync-engine/run";
import type { PoolClient } from "pg";
import { prepared } from "../../../../../platform/db/prepared.ts";
import type { pageWrites } from "../pages/page-writes.store.ts";
import { linkColumns, type StoredRows } from "../stored-rows.store.ts";

export function writtenLinks({ table }: StoredRows, dropDeadTwins: ReturnType<typeof pageWrites>["dropDeadTwins"]) {
  /** SQL that holds where the record of the link `l` was let go: its copy belongs to whoever finds it. */
  const isReleased = `EXISTS (SELECT FROM ${table("let_go_record")} g WHERE g.record_id = l.record_id)`;

  /**
   * `taken`: records whose external record turned out to belong to another one, be it one of the same batch: two that
   * were looked for at once may both have found it. `repeated`: see `Settlement.takesOver`.
   */
  async function writeWrittenLinks(
    client: PoolClient,
    placeId: number,
    settlements: readonly DeliveryResult[],
  ): Promise<{ taken: Set<string>; repeated: Set<string> }> {
    const doubtful = await maybeOthers(client, placeId, settlements);
    const links = settlements.flatMap(({ link, recordId }) => (link && !doubtful.has(recordId) ? [link] : []));
    // What is deleted by the batch is deleted before what is created by it.
    const known = await putLinks(
      client,
      placeId,
      links.filter(({ isNew }) => !isNew),
    );
    const repeated = new Set(await takeOverDead(client, placeId, settlements));
    const fresh = links.filter(({ isNew, recordId }) => isNew && !repeated.has(recordId));
    if (fresh.length > 0) await dropDeadTwins(client, placeId, fresh);
    const attached = await putLinks(client, placeId, fresh);
    const refused = fresh.filter(({ recordId }) => !attached.has(recordId));
    const freed = refused.length > 0 ? await putFreed(client, placeId, refused) : attached;
    const isWritten = (id: string): boolean => known.has(id) || attached.has(id) || freed.has(id) || repeated.has(id);
    return { taken: new Set(links.map(({ recordId }) => recordId).filter((id) => !isWritten(id))), repeated };
  }

  /** Records for which something was found that the creation of another record, without an answer yet, may have made. */
  async function maybeOthers(
    client: PoolClient,
    placeId: number,
    settlements: readonly DeliveryResult[],
  ): Promise<Set<string>> {
    const found = settlements.flatMap(({ recordId, foundBy }) => (foundBy ? [{ recordId, ...foundBy }] : []));
    if (found.length === 0) return new Set();
    const { rows } = await client.query(
      `SELECT w.record_id FROM unnest($2::text[], $3::int[], $4::text[]) AS w(record_id, at, key)
       WHERE EXISTS (SELECT FROM ${table("delivery")} d, string_to_table(d.written, ' ') AS attempt
                     WHERE d.place = $1 AND d.intent = 'create' AND NOT d.parked AND d.record_id <> w.record_id
                       AND substr(attempt, w.at, length(w.key)) = w.key)`,
      [
        placeId,
        found.map(({ recordId }) => recordId),
        found.map(({ writeIndex }) => offsetOf(writeIndex) + 1),
        found.map(({ key }) => key),
      ],
    );
    return new Set(rows.map((row) => row.record_id));
  }

  /**
   * Hands over external records that were deleted for other records; answers the records that were told an old answer.
   * What was kept of the earlier record while a filter held it back says nothing of the one that takes its key over.
   */
  async function takeOverDead(
    client: PoolClient,
    placeId: number,
    settlements: readonly DeliveryResult[],
  ): Promise<string[]> {
    const created = settlements.flatMap(({ link, takesOver }) => (link && takesOver ? [{ link, takesOver }] : []));
    if (created.length === 0) return [];
    const { rows } = await client.query(
      prepared(
        `SELECT DISTINCT ON (w.external_id) w.external_id, w.record_id,
              w.takes_over = 'ifLater' AND (w.modified_at IS NULL OR w.modified_at <= coalesce(h.modified_at, '')) AS repeats
       FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) WITH ORDINALITY
            AS w(external_id, record_id, modified_at, takes_over, turn)
       JOIN ${table("link")} h ON h.place = $1 AND h.external_id = w.external_id
       WHERE h.dead AND h.record_id <> w.record_id
         AND NOT EXISTS (SELECT FROM ${table("link")} o
                         WHERE o.place = $1 AND o.record_id = w.record_id AND NOT o.dead)
       ORDER BY w.external_id, w.turn`,
        [
          placeId,
          created.map(({ link }) => link.externalId),
          created.map(({ link }) => link.recordId),
          created.map(({ link }) => link.modifiedAt),
          created.map(({ takesOver }) => takesOver),
        ],
        created.length,
      ),
    );
    if (rows.length === 0) return [];
    const records = rows.map((row) => row.record_id);
    await client.query(`DELETE FROM ${table("link")} WHERE place = $1 AND dead AND record_id = ANY($2::text[])`, [
      placeId,
      records,
    ]);
    await client.query(
      `UPDATE ${table("link")} h SET record_id = w.record_id, held_back = NULL FROM unnest($2::text[], $3::text[]) AS w(external_id, record_id)
       WHERE h.place = $1 AND h.external_id = w.external_id`,
      [placeId, rows.map((row) => row.external_id), records],
    );
    return rows.filter((row) => row.repeats).map((row) => row.record_id);
  }

  /** Copies of records that were let go are taken over; answers the records whose link could be written then. */
  async function putFreed(client: PoolClient, placeId: number, links: readonly LinkWrite[]): Promise<Set<string>> {
    const { rowCount } = await client.query(
      `DELETE FROM ${table("link")} l WHERE l.place = $1 AND l.external_id = ANY($2::text[]) AND NOT l.dead AND ${isReleased}`,
      [placeId, links.map(({ externalId }) => externalId)],
    );
    if (rowCount === 0) return new Set();
    await dropDeadTwins(client, placeId, links);
    return putLinks(client, placeId, links);
  }

  /** Answers the records whose link could be written. */
  async function putLinks(client: PoolClient, placeId: number, links: readonly LinkWrite[]): Promise<Set<string>> {
    if (links.length === 0) return new Set();
    const { rows } = await client.query(
      prepared(
        `INSERT INTO ${table("link")} (place, external_id, record_id, seen, told, refused, modified_at, dead, respelled, told_at)
       SELECT DISTINCT ON (w.external_id)
              $1, w.external_id, w.record_id, w.seen, w.told, w.refused, w.modified_at, w.dead, w.respelled, now()
       FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[],
                   $9::text[])
            WITH ORDINALITY AS w(external_id, record_id, seen, told, refused, modified_at, dead, respelled, turn)
       WHERE NOT EXISTS (SELECT FROM ${table("link")} o
                         WHERE o.place = $1 AND o.record_id = w.record_id AND o.external_id <> w.external_id)
         AND NOT EXISTS (SELECT FROM ${table("link")} h
                         WHERE h.place = $1 AND h.external_id = w.external_id AND h.record_id <> w.record_id)
       ORDER BY w.external_id, w.turn
       ON CONFLICT (place, external_id) DO UPDATE SET seen = EXCLUDED.seen, told = EXCLUDED.told,
         refused = EXCLUDED.refused, respelled = EXCLUDED.respelled, modified_at = EXCLUDED.modified_at, dead = EXCLUDED.dead, told_at = now()
       WHERE link.record_id = EXCLUDED.record_id
       RETURNING record_id`,
        [placeId, ...linkColumns(links)],
        links.length,
      ),
    );
    return new Set(rows.map((row) => row.record_id));
  }

  return { isReleased, writeWrittenLinks };
}
