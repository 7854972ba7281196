/** What is stored about compared records: links and references for the comparison, and what may explain a difference. */
import type { Id } from "@accord/contracts";
import type { Value } from "@accord/contracts/data/values";
import type { StoredLink } from "@accord/sync-engine/run";
import type { QueryResultRow } from "pg";
import { instanceSchema, type Pool } from "../../../../platform/db/db.ts";
import { quoteIdentifier, recordTable } from "../../../data/schema/index.ts";

export interface PipelineKey {
  instanceId: Id<"instance">;
  pipelineId: Id<"entity">;
}

/** A field of a record whose last change is asked for. */
export interface FieldKey {
  recordId: string;
  field: string;
}

export interface LastChange {
  placeId: number | null;
  externalId: string | null;
  value: Value;
}

/** By record id or external id, at one system. */
export interface Evidence {
  deliveries: ReadonlyMap<string, { isParked: boolean; isInDoubt: boolean }>;
  quarantinedRecords: ReadonlySet<string>;
  quarantinedOutside: ReadonlySet<string>;
  /** `recordId field` */
  conflicts: ReadonlySet<string>;
  pendingReferences: ReadonlySet<string>;
  missing: ReadonlySet<string>;
  /** Copies that a filter of their source holds back. */
  heldBack: ReadonlySet<string>;
  /** Written or read since the moment asked about. */
  touchedRecords: ReadonlySet<string>;
  touchedOutside: ReadonlySet<string>;
}

/** What the pipeline did since a moment. */
export interface Progress {
  isPaused: boolean;
  /** A whole cycle began and ended. */
  hasCycled: boolean;
  /** Node ids of sources that were read in it. */
  read: ReadonlySet<string>;
  /** Places whose ids were listed to find deletions. */
  scanned: ReadonlySet<number>;
  /** Existing records were never brought in. */
  isChangesOnly: boolean;
  publishedAt: string;
}

export const fieldKey = (recordId: string, field: string): string => `${recordId} ${field}`;

const isHeldBack = (row: QueryResultRow): boolean => row["is_held_back"];
const isTouched = (row: QueryResultRow): boolean => row["is_touched"];

export function evidenceStore(pool: Pool) {
  const schemaOf = (instanceId: string): string => quoteIdentifier(instanceSchema(instanceId));
  const setOf = (rows: readonly Record<string, unknown>[], column: string): Set<string> =>
    new Set(rows.map((row) => String(row[column])));

  return {
    async databaseTime(): Promise<string> {
      const { rows } = await pool.query("SELECT clock_timestamp() AS now");
      return rows[0].now;
    },

    async linksByRecord(
      { instanceId }: PipelineKey,
      placeId: number,
      recordIds: readonly string[],
    ): Promise<Map<string, StoredLink>> {
      if (recordIds.length === 0) return new Map();
      const { rows } = await pool.query(
        `SELECT * FROM ${schemaOf(instanceId)}.link WHERE place = $1 AND record_id = ANY($2::text[])`,
        [placeId, recordIds],
      );
      return new Map(
        rows.map((row) => [
          row.record_id,
          {
            externalId: row.external_id,
            recordId: row.record_id,
            seen: row.seen,
            lastWritten: row.told,
            refused: row.refused,
            respelled: row.respelled,
            modifiedAt: row.modified_at,
            dead: row.dead,
          },
        ]),
      );
    },

    /** Record id → external id at a connector's entity. */
    async outsideIds(
      { instanceId }: PipelineKey,
      { connectorId, entity }: { connectorId: string; entity: string },
      recordIds: readonly string[],
    ): Promise<Map<string, string>> {
      if (recordIds.length === 0) return new Map();
      const schema = schemaOf(instanceId);
      const { rows } = await pool.query(
        `SELECT l.record_id, l.external_id FROM ${schema}.place p JOIN ${schema}.link l ON l.place = p.number
         WHERE p.connector_id = $1 AND p.entity = $2 AND l.record_id = ANY($3::text[]) AND NOT l.dead`,
        [connectorId, entity, recordIds],
      );
      return new Map(rows.map((row) => [row.record_id, row.external_id]));
    },

    async evidence(
      { instanceId }: PipelineKey,
      apiName: string,
      placeId: number,
      { recordIds, externalIds, since }: { recordIds: string[]; externalIds: string[]; since: string },
    ): Promise<Evidence> {
      const schema = schemaOf(instanceId);
      const byRecord = [placeId, recordIds];
      const [deliveries, quarantined, conflicts, pending, missing, links, records] = await Promise.all([
        pool.query(
          `SELECT record_id, parked, intent IS NOT NULL AS in_doubt FROM ${schema}.delivery
           WHERE place = $1 AND record_id = ANY($2::text[]) AND unfit IS NULL`,
          byRecord,
        ),
        pool.query(
          `SELECT record_id, external_id, direction FROM ${schema}.quarantine WHERE place = $1 AND status <> 'RESOLVED'
             AND (record_id = ANY($2::text[]) OR external_id = ANY($3::text[]))`,
          [...byRecord, externalIds],
        ),
        pool.query(
          `SELECT record_id || ' ' || field AS key FROM ${schema}.conflict WHERE place = $1 AND record_id = ANY($2::text[])`,
          byRecord,
        ),
        pool.query(
          `SELECT record_id || ' ' || field AS key FROM ${schema}.pending_reference WHERE record_id = ANY($1::text[])`,
          [recordIds],
        ),
        pool.query(
          `SELECT external_id FROM ${schema}.missing_record
           WHERE place = $1 AND external_id = ANY($2::text[]) AND NOT is_listed`,
          [placeId, externalIds],
        ),
        pool.query(
          `SELECT external_id, held_back IS NOT NULL AND NOT dead AS is_held_back, greatest(seen_at, told_at) >= $3 AS is_touched
           FROM ${schema}.link WHERE place = $1 AND external_id = ANY($2::text[])`,
          [placeId, externalIds, since],
        ),
        pool.query(
          `SELECT accord_id FROM ${recordTable(instanceId, apiName)}
           WHERE accord_id = ANY($1::text[]) AND accord_updated_at >= $2`,
          [recordIds, since],
        ),
      ]);
      return {
        deliveries: new Map(
          deliveries.rows.map((row) => [row.record_id, { isParked: row.parked, isInDoubt: row.in_doubt }]),
        ),
        quarantinedRecords: setOf(quarantined.rows, "record_id"),
        quarantinedOutside: setOf(quarantined.rows, "external_id"),
        conflicts: setOf(conflicts.rows, "key"),
        pendingReferences: setOf(pending.rows, "key"),
        missing: setOf(missing.rows, "external_id"),
        heldBack: setOf(links.rows.filter(isHeldBack), "external_id"),
        touchedOutside: setOf(links.rows.filter(isTouched), "external_id"),
        touchedRecords: setOf(records.rows, "accord_id"),
      };
    },

    /** Who changed fields last, as the ledger has it. */
    async lastChanges({ instanceId }: PipelineKey, keys: readonly FieldKey[]): Promise<Map<string, LastChange>> {
      if (keys.length === 0) return new Map();
      const { rows } = await pool.query(
        `SELECT w.record_id, w.field, l.place, l.external_id, l.changes -> w.field -> 1 AS value
         FROM unnest($1::text[], $2::text[]) AS w(record_id, field)
         JOIN LATERAL (SELECT place, external_id, changes FROM ${schemaOf(instanceId)}.ledger l
           WHERE l.record_id = w.record_id AND l.operation <> 'write' AND l.changes -> w.field IS NOT NULL
           ORDER BY l.number DESC LIMIT 1) l ON true`,
        [keys.map(({ recordId }) => recordId), keys.map(({ field }) => field)],
      );
      return new Map(
        rows.map((row) => [
          fieldKey(row.record_id, row.field),
          { placeId: row.place, externalId: row.external_id, value: row.value },
        ]),
      );
    },

    async progress({ instanceId, pipelineId }: PipelineKey, since: string): Promise<Progress | null> {
      const schema = schemaOf(instanceId);
      const self = [instanceId, pipelineId];
      const [pipeline, positions, places] = await Promise.all([
        pool.query(
          `SELECT paused, published_at, last_resync_at IS NULL AND resync IS NULL AS changes_only,
             coalesce(last_finished_at - last_cycle_ms * interval '1 millisecond' > $3, false) AS has_cycled
           FROM sync_pipeline WHERE instance_id = $1 AND pipeline_id = $2`,
          [...self, since],
        ),
        pool.query(
          `SELECT node_id FROM ${schema}.source_position WHERE pipeline_id = $1 AND read_at > $2 AND through`,
          [pipelineId, since],
        ),
        pool.query(
          `SELECT place AS number FROM sync_look WHERE instance_id = $1 AND pipeline_id = $2 AND ended_at > $3`,
          [...self, since],
        ),
      ]);
      const [row] = pipeline.rows;
      if (!row) return null;
      return {
        isPaused: row.paused,
        hasCycled: row.has_cycled,
        read: setOf(positions.rows, "node_id"),
        scanned: new Set(places.rows.map(({ number }) => number)),
        isChangesOnly: row.changes_only,
        publishedAt: row.published_at,
      };
    },
  };
}

export type EvidenceStore = ReturnType<typeof evidenceStore>;
