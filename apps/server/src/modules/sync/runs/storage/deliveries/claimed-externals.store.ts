/** Creations whose external record turned out to be another record's: what is noted of them, and of that one. */
import { type DeliveryResult, writtenBeforeStray } from "@accord/sync-engine/run";
import type { PoolClient } from "pg";
import { heldSql } from "./freed-records.store.ts";
import type { StoredRows } from "../stored-rows.store.ts";
import { enqueueSql } from "./enqueue-deliveries.store.ts";

export function takenRecords({ schema, table }: Pick<StoredRows, "schema" | "table">) {
  /**
   * Which of the records whose external record is taken are to be parked: all that were answered with it; of those that
   * only found it, the ones for which another living record has it.
   */
  async function findParked(
    client: PoolClient,
    placeId: number,
    settlements: readonly DeliveryResult[],
    taken: ReadonlySet<string>,
  ): Promise<ReadonlySet<string>> {
    const found = settlements.flatMap(({ recordId, link, ifTaken }) =>
      link && ifTaken && !ifTaken.answered && taken.has(recordId) ? [{ recordId, externalId: link.externalId }] : [],
    );
    if (found.length === 0) return taken;
    const isHeld = heldSql(schema, { place: "$1", externalId: "w.external_id", recordId: "w.record_id" });
    const { rows } = await client.query(
      `SELECT w.record_id FROM unnest($2::text[], $3::text[]) AS w(record_id, external_id) WHERE NOT ${isHeld}`,
      [placeId, found.map(({ recordId }) => recordId), found.map(({ externalId }) => externalId)],
    );
    const free = new Set(rows.map((row) => row.record_id));
    return new Set([...taken].filter((recordId) => !free.has(recordId)));
  }

  /** Whose external record the parked ones wait for. */
  async function noteWaits(
    client: PoolClient,
    placeId: number,
    settlements: readonly DeliveryResult[],
    taken: ReadonlySet<string>,
  ): Promise<void> {
    const waits = settlements.flatMap(({ recordId, link, ifTaken, waitsFor }) => {
      if (waitsFor) return [{ recordId, externalId: waitsFor.externalId }];
      const isFound = link !== null && ifTaken && !ifTaken.answered && taken.has(recordId);
      return isFound ? [{ recordId, externalId: link.externalId }] : [];
    });
    if (waits.length === 0) return;
    await client.query(
      `UPDATE ${table("delivery")} d SET taken_id = w.external_id, taken_key = NULL
       FROM unnest($2::text[], $3::text[]) AS w(record_id, external_id)
       WHERE d.place = $1 AND d.record_id = w.record_id AND d.parked AND d.taken_id IS DISTINCT FROM w.external_id`,
      [placeId, waits.map(({ recordId }) => recordId), waits.map(({ externalId }) => externalId)],
    );
  }

  /** `taken`: records whose link could not be written, as its external record belongs to another one. */
  async function noteTaken(
    client: PoolClient,
    placeId: number,
    settlements: readonly DeliveryResult[],
    { taken, now }: { taken: ReadonlySet<string>; now: number },
  ): Promise<void> {
    const answered = settlements.flatMap(({ recordId, link, ifTaken }) =>
      link && ifTaken?.answered && taken.has(recordId)
        ? [{ recordId, externalId: link.externalId, ...ifTaken.answered }]
        : [],
    );
    if (answered.length === 0) return;
    const { rows: noted } = await client.query(
      `UPDATE ${table("delivery")} d SET taken_id = w.external_id, taken_key = w.key, taken_times = d.taken_times + 1
       FROM unnest($2::text[], $3::text[], $4::text[]) AS w(record_id, external_id, key)
       WHERE d.place = $1 AND d.record_id = w.record_id
         AND EXISTS (SELECT FROM ${table("link")} h
                     WHERE h.place = $1 AND h.external_id = w.external_id AND h.record_id <> w.record_id)
       RETURNING d.record_id`,
      [
        placeId,
        answered.map(({ recordId }) => recordId),
        answered.map(({ externalId }) => externalId),
        answered.map(({ key }) => key),
      ],
    );
    const isNoted = new Set(noted.map((row) => row.record_id));
    for (const { recordId, externalId, written } of answered)
      if (written && isNoted.has(recordId))
        await doubtHolder(client, placeId, externalId, {
          ...written,
          delayMs: Math.max(0, Math.round(written.nextAt - now)),
        });
  }

  /** What was sent may stand in the copy of the record that it belongs to: that is read, and told what it should hold. */
  async function doubtHolder(
    client: PoolClient,
    placeId: number,
    externalId: string,
    { attempt, fields, delayMs }: { attempt: string; fields: readonly number[]; delayMs: number },
  ): Promise<void> {
    const { rows } = await client.query(
      `SELECT record_id, told FROM ${table("link")} WHERE place = $1 AND external_id = $2 AND NOT dead`,
      [placeId, externalId],
    );
    const [holder] = rows;
    if (!holder) return;
    await client.query(`UPDATE ${table("link")} SET told = $3 WHERE place = $1 AND external_id = $2`, [
      placeId,
      externalId,
      writtenBeforeStray(holder.told, fields),
    ]);
    await client.query(enqueueSql(table("delivery")), [[placeId], [holder.record_id]]);
    await client.query(
      `UPDATE ${table("delivery")} SET intent = coalesce(intent, 'update'), written = concat_ws(' ', written, $3::text),
              next_at = greatest(next_at, now() + $4 * interval '1 millisecond')
       WHERE place = $1 AND record_id = $2`,
      [placeId, holder.record_id, attempt, delayMs],
    );
  }

  return { findParked, noteTaken, noteWaits };
}
