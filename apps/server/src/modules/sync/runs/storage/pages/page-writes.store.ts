/** What a page changes in its transaction: records, links, deliveries, and where reading goes on. */
import {
  type CommitBatch,
  type LinkWrite,
  type Position,
  type ReturnedRecord,
  linkAfterReturn,
} from "@accord/sync-engine/run";
import type { PoolClient } from "pg";
import { prepared } from "../../../../../platform/db/prepared.ts";
import { fieldColumn, toArrays } from "../../../../data/schema/index.ts";
import { Refused } from "../lease-guard.store.ts";
import { linkColumns, type StoredRows } from "../stored-rows.store.ts";
import {
  deliveryColumns,
  RENEW_DELIVERY_SQL,
  enqueueLackingSql,
  enqueueSql,
} from "../deliveries/enqueue-deliveries.store.ts";

export function pageWrites({ scope, table, records, fields }: StoredRows) {
  async function updateRecords(
    client: PoolClient,
    { updates, ledger }: Pick<CommitBatch, "updates" | "ledger">,
  ): Promise<void> {
    if (updates.length === 0) return;
    const touched = new Set(ledger.flatMap(({ changes }) => Object.keys(changes)));
    const written = fields.filter(({ apiName }) => touched.has(apiName));
    const arrays = toArrays(
      written,
      updates.map(({ values }) => values),
    );
    const sets = written.map((field, index) => `, ${fieldColumn(field)} = w.f${index}`).join("");
    const columns = written.map((_, index) => `, f${index}`).join("");
    const params = arrays.map(({ type }, index) => `, $${index + 5}::${type}`).join("");
    const { rowCount } = await client.query(
      `UPDATE ${records} r SET accord_version = r.accord_version + 1, accord_updated_at = now(),
              accord_deleted = w.deleted, accord_origin = w.origin${sets}
       FROM unnest($1::text[], $2::int[], $3::boolean[], $4::jsonb[]${params}) AS w(id, version, deleted, origin${columns})
       WHERE r.accord_id = w.id AND r.accord_version = w.version`,
      [
        updates.map(({ recordId }) => recordId),
        updates.map(({ expectedVersion }) => expectedVersion),
        updates.map(({ deleted }) => deleted),
        updates.map(({ origin }) => JSON.stringify(origin)),
        ...arrays.map(({ array }) => array),
      ],
    );
    if (rowCount !== updates.length) throw new Refused("conflict");
  }

  /** A conflict, when one of them has been merged away: what names it was decided before that. */
  async function assertStanding(client: PoolClient, recordIds: readonly string[]): Promise<void> {
    const { rowCount } = await client.query(
      prepared(
        `SELECT FROM ${table("merged_record")} WHERE loser_id = ANY($1::text[]) AND NOT undone LIMIT 1`,
        [recordIds],
        recordIds.length,
      ),
    );
    if (rowCount !== 0) throw new Refused("conflict");
  }

  async function changeLinks(client: PoolClient, { placeId, links, creates }: CommitBatch): Promise<void> {
    const known = links.filter(({ isNew }) => !isNew);
    const moved = known.filter(({ isMoved }) => isMoved);
    if (moved.length > 0) await dropDeadLinks(client, placeId, moved);
    if (known.length > 0) await updateLinks(client, placeId, known);
    const created = new Set(creates.map(({ recordId }) => recordId));
    const attached = links.filter(({ isNew, recordId }) => isNew && !created.has(recordId));
    if (attached.length > 0) await dropDeadTwins(client, placeId, attached);
  }

  async function updateLinks(client: PoolClient, placeId: number, links: readonly LinkWrite[]): Promise<void> {
    await client.query(
      `UPDATE ${table("link")} l SET record_id = w.record_id, seen = w.seen, told = w.told, refused = w.refused, respelled = w.respelled,
              modified_at = w.modified_at, dead = w.dead, held_back = w.held_back, seen_at = now(),
              decided_at = CASE WHEN w.is_confirmed THEN coalesce(l.decided_at, l.seen_at) END
       FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[], $9::text[],
                   $10::jsonb[], $11::boolean[])
            AS w(external_id, record_id, seen, told, refused, modified_at, dead, respelled, held_back, is_confirmed)
       WHERE l.place = $1 AND l.external_id = w.external_id`,
      [
        placeId,
        ...linkColumns(links),
        links.map(({ heldBack }) => heldBack ?? null),
        links.map(({ isConfirmed }) => isConfirmed === true),
      ],
    );
  }

  /** The lock keeps changes by hand waiting: none of them can ask for a telling that would be lost here. */
  async function fulfil(
    client: PoolClient,
    placeId: number,
    fulfilled: NonNullable<CommitBatch["fulfilled"]>,
  ): Promise<void> {
    await client.query(
      `WITH held AS MATERIALIZED (
         SELECT r.accord_id FROM unnest($2::text[], $3::int[]) AS w(id, version)
         JOIN ${records} r ON r.accord_id = w.id AND r.accord_version = w.version
         WHERE EXISTS (SELECT FROM ${table("delivery")} o WHERE o.place = $1 AND o.record_id = w.id)
         FOR NO KEY UPDATE OF r
       )
       DELETE FROM ${table("delivery")} d USING held
       WHERE d.place = $1 AND d.record_id = held.accord_id AND d.intent IS NULL AND NOT d.parked`,
      [placeId, fulfilled.map(({ recordId }) => recordId), fulfilled.map(({ version }) => version)],
    );
  }

  /** What the page has destinations told, and where reading goes on after it: in one statement where both are the usual. */
  async function wantAndReach(
    client: PoolClient,
    { deliveries, lacking, position }: Pick<CommitBatch, "deliveries" | "lacking" | "position">,
  ): Promise<void> {
    if (lacking) await client.query(enqueueLackingSql(table("delivery"), table("link")), deliveryColumns(lacking));
    const sure = deliveries.filter(({ onlyIfOutstanding }) => !onlyIfOutstanding);
    const renewed = deliveries.filter(({ onlyIfOutstanding }) => onlyIfOutstanding);
    const want = enqueueSql(table("delivery"));
    if (sure.length > 0 && position && position.of !== "resync") {
      const values = [...deliveryColumns(sure), ...positionColumns(position)];
      await client.query(prepared(`WITH reached AS (${reachSql(3)}) ${want}`, values, sure.length));
    } else {
      if (sure.length > 0) await client.query(prepared(want, deliveryColumns(sure), sure.length));
      if (position) await reach(client, position);
    }
    if (renewed.length > 0) {
      await client.query(
        `UPDATE ${table("delivery")} d SET ${RENEW_DELIVERY_SQL} FROM unnest($1::smallint[], $2::text[]) AS w(place, record_id)
         WHERE d.place = w.place AND d.record_id = w.record_id`,
        deliveryColumns(renewed),
      );
    }
  }

  /** `first`: number of the first parameter. */
  const reachSql = (first: number): string => `
    INSERT INTO ${table("source_position")} AS p (pipeline_id, node_id, cursor, read_at, through, known_until)
    VALUES ($${first}, $${first + 1}, $${first + 2}, now(), $${first + 3}, $${first + 4})
    ON CONFLICT (pipeline_id, node_id)
    DO UPDATE SET cursor = EXCLUDED.cursor, read_at = now(), through = EXCLUDED.through,
                  known_until = coalesce(EXCLUDED.known_until, p.known_until)`;
  const positionColumns = ({ nodeId, cursor, isComplete, knownUntil }: Position): unknown[] => [
    scope.pipelineId,
    nodeId,
    JSON.stringify(cursor),
    isComplete === true,
    knownUntil ?? null,
  ];

  async function reach(client: PoolClient, position: Position): Promise<void> {
    const cursor = JSON.stringify(position.cursor);
    if (position.of === "resync") {
      await client.query(
        `UPDATE sync_pipeline
         SET resync = jsonb_set(resync, ARRAY['cursors', $3], $4::jsonb) || jsonb_build_object('reading', $5::bigint)
         WHERE instance_id = $1 AND pipeline_id = $2 AND resync->>'resyncId' = $6`,
        [scope.instanceId, scope.pipelineId, position.nodeId, cursor, position.read ?? 0, position.resyncId],
      );
      return;
    }
    await client.query(prepared(reachSql(1), positionColumns(position)));
  }

  /** Likewise, where the link that a record gets is known already. */
  async function dropDeadLinks(client: PoolClient, placeId: number, links: readonly LinkWrite[]): Promise<void> {
    await client.query(
      `DELETE FROM ${table("link")} d USING unnest($2::text[], $3::text[]) AS w(record_id, external_id)
       WHERE d.place = $1 AND d.dead AND d.record_id = w.record_id AND d.external_id <> w.external_id`,
      [placeId, links.map(({ recordId }) => recordId), links.map(({ externalId }) => externalId)],
    );
  }

  /** Records that were let go are there again: they go on from their last version, and their other copies are read anew. */
  async function resumeReturned(client: PoolClient, returned: readonly ReturnedRecord[]): Promise<void> {
    await client.query(
      `WITH gone AS (DELETE FROM ${table("let_go_record")} WHERE record_id = ANY($1::text[]) RETURNING record_id, version)
       UPDATE ${records} r SET accord_version = g.version + 1 FROM gone g WHERE r.accord_id = g.record_id`,
      [returned.map(({ recordId }) => recordId)],
    );
    const copies = returned.flatMap(({ recordId, others }) => others.map((other) => ({ recordId, ...other })));
    const { rows } = await client.query(
      `SELECT w.at::int, l.place, l.external_id, l.seen, l.told
       FROM unnest($1::smallint[], $2::text[]) WITH ORDINALITY AS w(place, record_id, at)
       JOIN ${table("link")} l ON l.place = w.place AND l.record_id = w.record_id AND NOT l.dead FOR UPDATE OF l`,
      [copies.map(({ placeId }) => placeId), copies.map(({ recordId }) => recordId)],
    );
    const ties = rows.flatMap(({ at, place, external_id: externalId, seen, told: lastWritten }) => {
      const copy = copies[at - 1];
      return copy
        ? [{ place, externalId, isAsked: copy.isAsked, ...linkAfterReturn({ seen, lastWritten }, copy) }]
        : [];
    });
    await client.query(
      `WITH ties AS (
         SELECT * FROM unnest($1::smallint[], $2::text[], $3::text[], $4::text[], $5::boolean[])
                  AS w(place, external_id, seen, told, is_asked)
       ), asked AS (
         INSERT INTO ${table("missing_record")} (place, external_id, is_listed)
         SELECT place, external_id, true FROM ties WHERE is_asked ON CONFLICT DO NOTHING
       )
       UPDATE ${table("link")} l SET seen = w.seen, told = w.told FROM ties w
       WHERE l.place = w.place AND l.external_id = w.external_id`,
      [
        ties.map(({ place }) => place),
        ties.map(({ externalId }) => externalId),
        ties.map(({ seen }) => seen),
        ties.map(({ lastWritten }) => lastWritten),
        ties.map(({ isAsked }) => isAsked),
      ],
    );
  }

  /** A record that had a dead link here is tied anew: the dead one makes room, if the new one is to be had. */
  async function dropDeadTwins(client: PoolClient, placeId: number, links: readonly LinkWrite[]): Promise<void> {
    await client.query(
      prepared(
        `DELETE FROM ${table("link")} d USING unnest($2::text[], $3::text[]) AS w(record_id, external_id)
       WHERE d.place = $1 AND d.dead AND d.record_id = w.record_id
         AND NOT EXISTS (SELECT FROM ${table("link")} h
                         WHERE h.place = $1 AND h.external_id = w.external_id AND h.record_id <> w.record_id)`,
        [placeId, links.map(({ recordId }) => recordId), links.map(({ externalId }) => externalId)],
        links.length,
      ),
    );
  }

  /** Which fields the page's place has lost by now. */
  async function loseFields(client: PoolClient, { placeId, lostFields }: CommitBatch): Promise<void> {
    if (!lostFields) return;
    await client.query(`UPDATE ${table("place")} SET lost_fields = $2 WHERE number = $1`, [placeId, lostFields]);
  }

  return {
    updateRecords,
    assertStanding,
    changeLinks,
    dropDeadTwins,
    resumeReturned,
    fulfil,
    wantAndReach,
    reach,
    loseFields,
  };
}
