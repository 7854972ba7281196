/**
 * The engine's storage in PostgreSQL: looks, and commits that happen whole or not at all. Every write first renews the
 * lease under its epoch; where that finds another epoch, nothing is written.
 */
import type { Value } from "@accord/contracts/data/values";
import type {
  Claimed,
  ClaimedDelivery,
  ClaimRequest,
  CommitAnswer,
  CommitBatch,
  IntendAnswer,
  Intent,
  LinkWrite,
  MatchKeys,
  MatchRequest,
  Position,
  Resolved,
  ResolveRequest,
  SettleAnswer,
  Settlement,
  Signal,
  StoredLink,
  StoredRecord,
  Unanswered,
} from "@accord/sync-engine/run";
import type { PoolClient, QueryResultRow } from "pg";
import { endComings, insertActions } from "../actions/index.ts";
import { instanceSchema, type Pool } from "../../../platform/db/db.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import {
  columnList,
  columnType,
  fieldColumn,
  quoteIdentifier,
  type RecordEntity,
  recordTable,
  SYSTEM_COLUMNS,
  toArrays,
  toParameter,
  toValues,
} from "../../data/schema/index.ts";
import { writeConflicts } from "./conflict-writes.store.ts";
import { type CopyInto, copyRows } from "./copy-rows.store.ts";
import { type FirstLook, firstLook } from "./look-up.store.ts";
import { mergeStorage } from "./merge-storage.store.ts";
import type { Referrer } from "./repoint-references.store.ts";
import { ledgerRows, pageRows } from "./page-rows.store.ts";
import { pendingReferences } from "./pending-references.store.ts";
import { RENEWED, wantSql } from "./want-deliveries.store.ts";

/** Which pipeline's storage, and how its records are kept. */
export interface StorageScope {
  instanceId: string;
  pipelineId: string;
  /** Number of the core entity in this instance's ledger. */
  entityNumber: number;
  entity: RecordEntity;
  /** Fields of core entities that hold ids of this one's records. */
  referrers: () => Promise<readonly Referrer[]>;
}

/** The run on whose behalf something is written. */
export interface RunIdentity {
  epoch: number;
  cycleNumber: number;
  versionNumber: number;
}

/** Lease time of a worker, renewed by every write. */
export const LEASE_SECONDS = 30;

/** What people asked for meanwhile, as columns and as the engine names it. */
export const ASKED = "paused, version_number AS version, resync->>'status' AS resync";
/** A newer version than the one the run is pinned to ends it like a pause, after its page. */
export const signalIn = (row: QueryResultRow, versionNumber: number): Signal =>
  row["paused"] || row["version"] !== versionNumber
    ? "pause"
    : row["resync"] === "CANCEL_REQUESTED"
      ? "cancelResync"
      : "none";

const ASYNC = ", set_config('synchronous_commit', 'off', true)";

const CONFLICT_CODES: ReadonlySet<string> = new Set(["23505", "40001", "40P01"]);

class Refused extends Error {
  readonly reason: "lost" | "conflict";
  constructor(reason: "lost" | "conflict") {
    super(reason);
    this.reason = reason;
  }
}

export type RunStorage = ReturnType<typeof runStorage>;

export function runStorage(pool: Pool, scope: StorageScope) {
  const schema = quoteIdentifier(instanceSchema(scope.instanceId));
  const table = (name: string): string => `${schema}.${name}`;
  const records = recordTable(scope.instanceId, scope.entity.apiName);
  const { fields } = scope.entity;
  const tables = {
    records,
    link: table("link"),
    ledger: table("ledger"),
    delivery: table("delivery"),
    quarantine: table("quarantine"),
    fields,
    entityNumber: scope.entityNumber,
  };
  const prepared = new WeakMap<CommitBatch, CopyInto[]>();
  const recordColumns = `r.accord_id, r.accord_version, r.accord_deleted, r.accord_origin, ${columnList(fields, "r")}`;

  const readRecord = (row: QueryResultRow): StoredRecord => ({
    recordId: row[SYSTEM_COLUMNS.id],
    version: row[SYSTEM_COLUMNS.version],
    deleted: row[SYSTEM_COLUMNS.deleted],
    origin: row[SYSTEM_COLUMNS.origin],
    values: toValues(fields, row),
  });

  /**
   * Renews the lease, or refuses; answers what people asked for meanwhile. A page does not wait for its commit to reach
   * the disk: whatever is told outside is preceded by an intent that does, and the log keeps their order.
   */
  async function guard(client: PoolClient, run: RunIdentity, what: "page" | "promise" = "promise"): Promise<Signal> {
    const { rows } = await client.query({
      name: `sync-guard-${what}`,
      text: `UPDATE sync_pipeline SET lease_until = now() + interval '${LEASE_SECONDS} seconds'
             WHERE instance_id = $1 AND pipeline_id = $2 AND epoch = $3
             RETURNING ${ASKED}${what === "page" ? ASYNC : ""}`,
      values: [scope.instanceId, scope.pipelineId, run.epoch],
    });
    const [row] = rows;
    if (!row) throw new Refused("lost");
    return signalIn(row, run.versionNumber);
  }

  async function resolve(request: ResolveRequest): Promise<Resolved> {
    const look = await firstLook(pool, tables, request);
    const resolved = {
      absorbed: look.absorbed,
      links: new Map<string, StoredLink>(),
      records: new Map<string, StoredRecord>(),
      unanswered: new Map<string, Unanswered>(),
      otherPlaces: new Map<string, number[]>(),
      quarantined: new Set(look.quarantined),
      references: new Map<string, Map<string, string>>(),
      renamed: new Set<string>(),
    };
    if (look.changed.length > 0) await readLinked(request, look.changed, resolved);
    await addDoubts(look, resolved);
    for (const reference of request.references) await readReferences(reference, resolved);
    return resolved;
  }

  async function readLinked(
    request: ResolveRequest,
    ids: string[],
    into: {
      links: Map<string, StoredLink>;
      records: Map<string, StoredRecord>;
      otherPlaces: Map<string, number[]>;
      merged?: ReadonlyMap<string, string>;
      aliased?: ReadonlySet<string>;
    },
  ): Promise<void> {
    const { rows } = await pool.query({
      text: `SELECT l.external_id AS l_external_id, l.record_id AS l_record_id, l.seen AS l_seen, l.told AS l_told,
                    l.refused AS l_refused, l.modified_at AS l_modified_at, l.dead AS l_dead, ${recordColumns}
             FROM ${table("link")} l LEFT JOIN ${records} r ON r.accord_id = l.record_id
             WHERE l.place = $1 AND l.external_id = ANY($2::text[])`,
      values: [request.placeId, ids],
    });
    for (const row of rows) {
      const link = readLink(row);
      into.links.set(link.externalId, link);
      if (row[SYSTEM_COLUMNS.id] !== null) into.records.set(link.recordId, readRecord(row));
    }
    await followMerged(into);
    const deleted = new Set(request.records.filter((record) => record.deleted).map(({ externalId }) => externalId));
    const gone = [...into.links.values()].filter(({ externalId }) => deleted.has(externalId));
    if (gone.length === 0) return;
    const others = await pool.query({
      text: `SELECT record_id, array_agg(place::int) AS places FROM ${table("link")}
             WHERE record_id = ANY($2::text[]) AND place <> $1 AND NOT dead GROUP BY record_id`,
      values: [request.placeId, gone.map(({ recordId }) => recordId)],
    });
    for (const row of others.rows) into.otherPlaces.set(row.record_id, row.places);
    into.aliased = await merging.aliased(gone.map(({ recordId }) => recordId));
  }

  /** Deleted records that were merged into others lead to those; looked for only where one is deleted. */
  async function followMerged(into: {
    records: Map<string, StoredRecord>;
    merged?: ReadonlyMap<string, string>;
  }): Promise<void> {
    const lost = [...into.records.values()].filter(({ deleted }) => deleted).map(({ recordId }) => recordId);
    if (lost.length === 0) return;
    const merged = await merging.follow(lost);
    if (merged.size === 0) return;
    const missing = [...merged.values()].filter((recordId) => !into.records.has(recordId));
    for (const record of await readRecords(missing)) into.records.set(record.recordId, record);
    into.merged = new Map([...merged].filter(([, winnerId]) => into.records.has(winnerId)));
  }

  /** Records that were perhaps created at this place belong to a page with unknown ones. */
  async function addDoubts(
    { doubts, hasUnknown }: FirstLook,
    into: { records: Map<string, StoredRecord>; unanswered: Map<string, Unanswered> },
  ): Promise<void> {
    const unread: string[] = [];
    for (const { recordId, intent, written, isTied } of doubts) {
      into.unanswered.set(recordId, { intent, written: splitWritten(written), isTied });
      if (hasUnknown && intent === "create" && !into.records.has(recordId)) unread.push(recordId);
    }
    for (const record of await readRecords(unread)) into.records.set(record.recordId, record);
  }

  async function readRecords(recordIds: readonly string[]): Promise<StoredRecord[]> {
    if (recordIds.length === 0) return [];
    const { rows } = await pool.query(`SELECT ${recordColumns} FROM ${records} r WHERE r.accord_id = ANY($1::text[])`, [
      recordIds,
    ]);
    return rows.map(readRecord);
  }

  /**
   * Ids of records behind outside ids of another entity of the same connector, whichever pipeline brought them. What was
   * merged away leads to who stands for it, even once its outside record is gone.
   */
  async function readReferences(
    { connectorId, entity, externalIds }: ResolveRequest["references"][number],
    into: { references: Map<string, Map<string, string>>; renamed: Set<string> },
  ): Promise<void> {
    const { rows } = await pool.query(
      `SELECT l.external_id, l.record_id, l.dead, EXISTS (
         SELECT FROM ${table("merged_record")} m WHERE m.loser_id = l.record_id AND NOT m.undone) AS is_merged
       FROM ${table("place")} p JOIN ${table("link")} l ON l.place = p.number
       WHERE p.connector_id = $1 AND p.entity = $2 AND l.external_id = ANY($3::text[])`,
      [connectorId, entity, externalIds],
    );
    const lost = rows.filter((row) => row.is_merged);
    const winners =
      lost.length > 0 ? await merging.follow(lost.map((row) => row.record_id)) : new Map<string, string>();
    const known = rows.filter((row) => !row.dead || row.is_merged);
    const behind = known.map((row): [string, string] => [row.external_id, winners.get(row.record_id) ?? row.record_id]);
    into.references.set(`${connectorId}/${entity}`, new Map(behind));
    for (const row of lost) into.renamed.add(row.external_id);
  }

  /** Holds for records having one of the keys; texts are compared without regard to case. */
  function keyCondition({ field, keys }: MatchKeys, bind: (value: unknown) => string): string | null {
    const known = fields.find(({ apiName }) => apiName === field);
    if (!known) return null;
    const column = `r.${fieldColumn(known)}`;
    const list = `${bind(keys.map((key) => toParameter(known, key)))}::${columnType(known)}[]`;
    return columnType(known) === "text" && known.dataType !== "reference"
      ? `lower(${column} COLLATE "und-x-icu") = ANY(ARRAY(SELECT lower(k COLLATE "und-x-icu") FROM unnest(${list}) k))`
      : `${column} = ANY(${list})`;
  }

  async function match(request: MatchRequest): Promise<StoredRecord[]> {
    const values: unknown[] = [request.placeId];
    const conditions = request.fields.flatMap((keys) => keyCondition(keys, (value) => `$${values.push(value)}`) ?? []);
    if (conditions.length === 0) return [];
    const { rows } = await pool.query(
      `SELECT ${recordColumns} FROM ${records} r
       WHERE (${conditions.join(" OR ")}) AND NOT r.accord_deleted
         AND NOT EXISTS (SELECT FROM ${table("link")} l WHERE l.record_id = r.accord_id AND l.place = $1 AND NOT l.dead)
       ORDER BY r.accord_id`,
      values,
    );
    return rows.map(readRecord);
  }

  async function commit(run: RunIdentity, batch: CommitBatch, newId: () => string): Promise<CommitAnswer> {
    try {
      const rows = prepare(run, batch);
      const signal = await transaction(pool, async ({ client }) => {
        const asked = await guard(client, run, "page");
        await updateRecords(client, batch);
        await changeLinks(client, batch);
        await copyRows(client, rows);
        if (batch.fulfilled) await fulfil(client, batch.placeId, batch.fulfilled);
        await wantDeliveries(client, batch.deliveries);
        await putAside(client, batch, newId);
        await references.write(client, batch);
        if (batch.conflicts || batch.agreed) await writeConflicts(client, table("conflict"), scope.pipelineId, batch);
        if (batch.merging) await merging.write(client, run, batch.placeId, batch.merging);
        await writeActions(client, run, batch, newId);
        if (batch.position) await reach(client, batch.position);
        return asked;
      });
      return { status: "done", signal };
    } catch (error) {
      return refusal(error);
    }
  }

  async function writeActions(
    client: PoolClient,
    { versionNumber }: RunIdentity,
    { actions, actionsOver, placeId }: CommitBatch,
    newId: () => string,
  ): Promise<void> {
    const pipeline = { ...scope, versionNumber };
    const written = actions.map((call) => ({ id: newId(), call, key: null }));
    const links = { table: table("link"), placeId };
    await insertActions(client, pipeline, written, { begun: false, links });
    await endComings(client, pipeline, { keys: actionsOver, links });
  }

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

  async function changeLinks(client: PoolClient, { placeId, links, creates }: CommitBatch): Promise<void> {
    const known = links.filter(({ isNew }) => !isNew);
    if (known.length > 0) await updateLinks(client, placeId, known);
    const created = new Set(creates.map(({ recordId }) => recordId));
    const attached = links.filter(({ isNew, recordId }) => isNew && !created.has(recordId));
    if (attached.length > 0) await dropDeadTwins(client, placeId, attached);
  }

  async function updateLinks(client: PoolClient, placeId: number, links: readonly LinkWrite[]): Promise<void> {
    await client.query(
      `UPDATE ${table("link")} l SET record_id = w.record_id, seen = w.seen, told = w.told, refused = w.refused,
              modified_at = w.modified_at, dead = w.dead, seen_at = now()
       FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[])
            AS w(external_id, record_id, seen, told, refused, modified_at, dead)
       WHERE l.place = $1 AND l.external_id = w.external_id`,
      [placeId, ...linkColumns(links)],
    );
  }

  /** A record that had a dead link here is tied anew: the dead one makes room. */
  async function dropDeadTwins(client: PoolClient, placeId: number, links: readonly LinkWrite[]): Promise<void> {
    await client.query(`DELETE FROM ${table("link")} WHERE place = $1 AND dead AND record_id = ANY($2::text[])`, [
      placeId,
      links.map(({ recordId }) => recordId),
    ]);
  }

  const writeLedger = (
    client: PoolClient,
    run: RunIdentity,
    placeId: number,
    entries: CommitBatch["ledger"],
  ): Promise<void> => copyRows(client, [ledgerRows(tables, run, placeId, entries)]);

  /** Makes a page's rows while the one before it is committed. */
  function prepare(run: RunIdentity, batch: CommitBatch): CopyInto[] {
    const rows = prepared.get(batch) ?? pageRows(tables, run, batch);
    prepared.set(batch, rows);
    return rows;
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

  async function wantDeliveries(client: PoolClient, deliveries: CommitBatch["deliveries"]): Promise<void> {
    if (deliveries.length === 0) return;
    const sure = deliveries.filter(({ onlyIfOutstanding }) => !onlyIfOutstanding);
    const renewed = deliveries.filter(({ onlyIfOutstanding }) => onlyIfOutstanding);
    if (sure.length > 0) await client.query(wantSql(table("delivery")), deliveryColumns(sure));
    if (renewed.length > 0) {
      await client.query(
        `UPDATE ${table("delivery")} d SET ${RENEWED} FROM unnest($1::smallint[], $2::text[]) AS w(place, record_id)
         WHERE d.place = w.place AND d.record_id = w.record_id`,
        deliveryColumns(renewed),
      );
    }
  }

  async function putAside(client: PoolClient, batch: CommitBatch, newId: () => string): Promise<void> {
    for (const entry of batch.quarantine) {
      await client.query(quarantineSql(table("quarantine")), [
        newId(),
        scope.pipelineId,
        batch.placeId,
        entry.direction,
        entry.externalId,
        entry.recordId,
        entry.nodeId,
        entry.code,
        entry.message,
        entry.payload === null ? null : JSON.stringify(entry.payload),
      ]);
    }
    if (batch.settled.length === 0) return;
    await client.query(
      `UPDATE ${table("quarantine")} SET status = 'RESOLVED'
       WHERE place = $1 AND direction = 'source' AND status <> 'RESOLVED' AND external_id = ANY($2::text[])`,
      [batch.placeId, batch.settled],
    );
  }

  async function reach(client: PoolClient, position: Position): Promise<void> {
    const cursor = JSON.stringify(position.cursor);
    if (position.of === "resync") {
      await client.query(
        `UPDATE sync_pipeline
         SET resync = jsonb_set(resync, ARRAY['cursors', $3], $4::jsonb) || jsonb_build_object('reading', $5::bigint)
         WHERE instance_id = $1 AND pipeline_id = $2 AND resync IS NOT NULL`,
        [scope.instanceId, scope.pipelineId, position.nodeId, cursor, position.read ?? 0],
      );
      return;
    }
    await client.query({
      name: "sync-reach",
      text: `INSERT INTO ${table("source_position")} (pipeline_id, node_id, cursor, read_at) VALUES ($1, $2, $3, now())
             ON CONFLICT (pipeline_id, node_id) DO UPDATE SET cursor = EXCLUDED.cursor, read_at = now()`,
      values: [scope.pipelineId, position.nodeId, cursor],
    });
  }

  async function claim(request: ClaimRequest): Promise<Claimed> {
    const { rows } = await pool.query(
      `SELECT d.record_id AS d_record_id, d.wanted AS d_wanted, d.attempts AS d_attempts, d.intent AS d_intent,
              d.written AS d_written, l.external_id AS l_external_id, l.record_id AS l_record_id, l.seen AS l_seen,
              l.told AS l_told, l.refused AS l_refused, l.modified_at AS l_modified_at, l.dead AS l_dead, ${recordColumns},
              (extract(epoch FROM now() - d.next_at) * 1000)::float8 AS due_for_ms,
              CASE WHEN r.accord_deleted THEN EXISTS (
                SELECT FROM ${table("merged_record")} m WHERE m.loser_id = d.record_id AND NOT m.undone) END AS is_merged
       FROM ${table("delivery")} d
       LEFT JOIN ${table("link")} l ON l.place = d.place AND l.record_id = d.record_id
       LEFT JOIN ${records} r ON r.accord_id = d.record_id
       WHERE d.place = $1 AND NOT d.parked AND d.next_at <= now() ORDER BY d.next_at, d.record_id LIMIT $2`,
      [request.placeId, request.limit],
    );
    const deliveries = rows.map((row): ClaimedDelivery => ({
      recordId: row.d_record_id,
      wanted: row.d_wanted,
      attempts: row.d_attempts,
      unanswered: row.d_intent === null ? null : { intent: row.d_intent, written: splitWritten(row.d_written) },
      record: row[SYSTEM_COLUMNS.id] === null ? null : readRecord(row),
      link: row.l_external_id === null ? null : readLink(row),
      dueForMs: row.due_for_ms,
      isMerged: row.is_merged === true,
    }));
    const outsideIds = new Map<string, Map<string, string>>();
    for (const { coreField, connectorId, entity } of request.references) {
      const ids = deliveries.flatMap(({ record }) => textOf(record?.values[coreField]) ?? []);
      if (ids.length > 0) await readOutsideIds(connectorId, entity, ids, outsideIds);
    }
    if (request.references.length > 0) await references.addOpen(request.placeId, deliveries);
    const nextAt = deliveries.length < request.limit ? await nextDelivery(request.placeId) : null;
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
  }

  /** When the next delivery that is not due yet will be, milliseconds; null when none waits. */
  async function nextDelivery(placeId: number): Promise<number | null> {
    const { rows } = await pool.query(
      `SELECT min(next_at) AS at FROM ${table("delivery")} WHERE place = $1 AND NOT parked AND next_at > now()`,
      [placeId],
    );
    return rows[0]?.at ? Date.parse(rows[0].at) : null;
  }

  async function intend(run: RunIdentity, placeId: number, intents: readonly Intent[]): Promise<IntendAnswer> {
    try {
      return await transaction(pool, async ({ client }) => {
        await guard(client, run);
        const { rows } = await client.query(
          `WITH w AS (
             SELECT * FROM unnest($2::text[], $3::int[], $4::text[], $5::text[], $6::int[], $7::text[])
                      AS w(record_id, wanted, intent, written, hold_ms, adopts)
           ), free AS (
             SELECT w.*, EXISTS (SELECT FROM ${table("link")} l WHERE l.place = $1 AND l.external_id = w.adopts
                                   AND l.record_id <> w.record_id) AS taken FROM w
           ), begun AS (
             UPDATE ${table("delivery")} d SET attempts = d.attempts + 1, intent = f.intent, written = f.written,
                    next_at = now() + f.hold_ms * interval '1 millisecond'
             FROM free f WHERE d.place = $1 AND d.record_id = f.record_id AND d.wanted = f.wanted AND NOT f.taken
             RETURNING d.record_id
           )
           SELECT f.record_id, f.taken, b.record_id IS NOT NULL AS standing
           FROM free f LEFT JOIN begun b ON b.record_id = f.record_id`,
          [
            placeId,
            intents.map(({ recordId }) => recordId),
            intents.map(({ wanted }) => wanted),
            intents.map(({ intent }) => intent),
            intents.map(({ written }) => written.join(" ")),
            intents.map(({ holdMs }) => holdMs),
            intents.map(({ adopts }) => adopts),
          ],
        );
        const pick = (key: "standing" | "taken"): Set<string> =>
          new Set(rows.filter((row) => row[key]).map((row) => row.record_id));
        return { status: "done" as const, standing: pick("standing"), taken: pick("taken") };
      });
    } catch (error) {
      if (refusal(error).status === "lost") return { status: "lost" };
      throw error;
    }
  }

  async function settle(
    run: RunIdentity,
    placeId: number,
    settlements: readonly Settlement[],
    now: number,
    newId: () => string,
  ): Promise<SettleAnswer> {
    try {
      const signal = await transaction(pool, async ({ client }) => {
        const asked = await guard(client, run);
        const taken = await writeToldLinks(client, placeId, settlements);
        const entries = settlements.flatMap(({ ledger }) => (ledger && !taken.has(ledger.recordId) ? [ledger] : []));
        await writeLedger(client, run, placeId, entries);
        const quarantine = settlements.flatMap((settlement) => settlement.quarantine ?? []);
        await putAside(client, { placeId, quarantine, settled: [] as string[] } as CommitBatch, newId);
        await references.writeWaiting(client, placeId, settlements);
        await settleDeliveries(client, placeId, settlements, taken, now);
        return asked;
      });
      return { status: "done", signal };
    } catch (error) {
      if (refusal(error).status === "lost") return { status: "lost" };
      throw error;
    }
  }

  /** Answers the records whose outside record turned out to belong to another one. */
  async function writeToldLinks(
    client: PoolClient,
    placeId: number,
    settlements: readonly Settlement[],
  ): Promise<Set<string>> {
    const links = settlements.flatMap(({ link }) => link ?? []);
    if (links.length === 0) return new Set();
    const fresh = links.filter(({ isNew }) => isNew);
    if (fresh.length > 0) await dropDeadTwins(client, placeId, fresh);
    const { rows } = await client.query(
      `INSERT INTO ${table("link")} (place, external_id, record_id, seen, told, refused, modified_at, dead, told_at)
       SELECT $1, w.*, now()
       FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[])
            AS w(external_id, record_id, seen, told, refused, modified_at, dead)
       ON CONFLICT (place, external_id) DO UPDATE SET seen = EXCLUDED.seen, told = EXCLUDED.told,
         refused = EXCLUDED.refused, modified_at = EXCLUDED.modified_at, dead = EXCLUDED.dead, told_at = now()
       WHERE link.record_id = EXCLUDED.record_id
       RETURNING record_id`,
      [placeId, ...linkColumns(links)],
    );
    const written = new Set(rows.map((row) => row.record_id));
    return new Set(links.map(({ recordId }) => recordId).filter((recordId) => !written.has(recordId)));
  }

  async function settleDeliveries(
    client: PoolClient,
    placeId: number,
    settlements: readonly Settlement[],
    taken: ReadonlySet<string>,
    now: number,
  ): Promise<void> {
    const result = ({ recordId, result: wish }: Settlement): string => (taken.has(recordId) ? "parked" : wish);
    const values = [
      placeId,
      settlements.map(({ recordId }) => recordId),
      settlements.map(({ wanted }) => wanted),
      settlements.map(result),
      settlements.map(({ answered }) => answered),
      settlements.map(({ attempts }) => attempts),
      settlements.map(({ nextAt }) => Math.max(0, Math.round(nextAt - now))),
    ];
    await client.query(
      `WITH w AS MATERIALIZED (
         SELECT * FROM unnest($2::text[], $3::int[], $4::text[], $5::boolean[], $6::int[], $7::bigint[])
                  AS w(record_id, wanted, result, answered, attempts, delay_ms)
       ), told AS (
         DELETE FROM ${table("delivery")} d USING w
         WHERE d.place = $1 AND d.record_id = w.record_id AND d.wanted = w.wanted AND w.result = 'done'
       )
       UPDATE ${table("delivery")} d SET
         intent = CASE WHEN w.answered THEN NULL ELSE d.intent END,
         written = CASE WHEN w.answered THEN NULL ELSE d.written END,
         attempts = CASE WHEN d.wanted = w.wanted THEN w.attempts ELSE 0 END,
         parked = d.wanted = w.wanted AND w.result = 'parked',
         next_at = CASE WHEN d.wanted <> w.wanted AND w.answered THEN now()
                        ELSE now() + w.delay_ms * interval '1 millisecond' END
       FROM w WHERE d.place = $1 AND d.record_id = w.record_id AND NOT (d.wanted = w.wanted AND w.result = 'done')`,
      values,
    );
    await client.query(
      `UPDATE ${table("quarantine")} q SET status = 'RESOLVED'
       WHERE q.place = $1 AND q.direction = 'destination' AND q.status <> 'RESOLVED' AND q.record_id = ANY($2::text[])`,
      [placeId, settlements.filter((settlement) => result(settlement) === "done").map(({ recordId }) => recordId)],
    );
  }

  const references = pendingReferences(pool, {
    pipelineId: scope.pipelineId,
    schema,
    recordColumns,
    records,
    readRecord,
  });
  const merging = mergeStorage(pool, {
    instanceId: scope.instanceId,
    pipelineId: scope.pipelineId,
    schema,
    referrers: scope.referrers,
    recordColumns,
    records,
    readRecord,
    keyCondition,
    updateRecords,
    writeLedger,
  });

  return {
    resolve,
    match,
    findDuplicates: merging.find,
    findResolved: references.findResolved,
    renewWaiting: references.renewWaiting,
    prepare,
    commit,
    claim,
    intend,
    settle,
    reach,
    readRecords,
    guard,
  };
}

const deliveryColumns = (deliveries: CommitBatch["deliveries"]): unknown[] => [
  deliveries.map(({ placeId }) => placeId),
  deliveries.map(({ recordId }) => recordId),
];

const quarantineSql = (quarantine: string): string => `INSERT INTO ${quarantine}
    (id, pipeline_id, place, direction, external_id, record_id, node_id, code, message, payload)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (place, direction, (coalesce(external_id, record_id, ''))) WHERE status <> 'RESOLVED'
  DO UPDATE SET attempts = quarantine.attempts + 1, status = 'OPEN', at = now(), code = EXCLUDED.code,
    message = EXCLUDED.message, node_id = EXCLUDED.node_id, payload = EXCLUDED.payload`;

const linkColumns = (links: readonly LinkWrite[]): unknown[] => [
  links.map(({ externalId }) => externalId),
  links.map(({ recordId }) => recordId),
  links.map(({ seen }) => seen),
  links.map(({ told }) => told),
  links.map(({ refused }) => refused),
  links.map(({ modifiedAt }) => modifiedAt),
  links.map(({ dead }) => dead),
];

const readLink = (row: QueryResultRow): StoredLink => ({
  externalId: row["l_external_id"],
  recordId: row["l_record_id"],
  seen: row["l_seen"],
  told: row["l_told"],
  refused: row["l_refused"],
  modifiedAt: row["l_modified_at"],
  dead: row["l_dead"],
});

const splitWritten = (text: string | null): string[] => (text ? text.split(" ") : []);
const textOf = (value: Value | undefined): string | undefined => (typeof value === "string" ? value : undefined);
/** Turns a refusal into an answer; other errors go on. */
function refusal(error: unknown): CommitAnswer {
  if (error instanceof Refused) return error.reason === "lost" ? { status: "lost" } : { status: "conflict" };
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (CONFLICT_CODES.has(code)) return { status: "conflict" };
  throw error;
}
