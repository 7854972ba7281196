/** The working tables of one reconciliation: ids that were listed, what is missing by them, and suspected differences. */
import type { SourceRecord } from "@accord/connector-sdk";
import type { CompiledPipeline } from "../../runs/index.ts";
import { instanceSchema, type Pool } from "../../../../platform/db/db.ts";
import { exactValueTypes } from "../../../../platform/db/value-types.ts";
import { quoteIdentifier, recordTable } from "../../../data/schema/index.ts";
import type { PipelineKey } from "./evidence.store.ts";

export interface WorkKey extends PipelineKey {
  id: string;
}

export interface SuspectRow {
  externalId: string | null;
  recordId: string | null;
  digest: string;
  /** As it was read once more; null where it was not. */
  record?: SourceRecord | null;
}

export interface DoubledGroup {
  externalIds: string[];
  recordIds: string[];
}

/** Groups of equal records that are looked at; beyond it only the number would grow. */
const MAX_GROUPS = 10_000;

export function workStore(pool: Pool) {
  const schemaOf = (instanceId: string): string => quoteIdentifier(instanceSchema(instanceId));

  return {
    /** Forgets what an earlier attempt, or a finished report, left behind. */
    async clear({ instanceId, id }: WorkKey, tables: "work" | "all"): Promise<void> {
      const schema = schemaOf(instanceId);
      const names = ["reconciliation_listed", "reconciliation_suspect"];
      if (tables === "all") names.push("reconciliation_difference");
      for (const name of names) await pool.query(`DELETE FROM ${schema}.${name} WHERE reconciliation_id = $1`, [id]);
    },

    /** Answers the ids that were not listed before: pages may overlap. */
    async addListed(
      { instanceId, id }: WorkKey,
      placeId: number,
      records: readonly { externalId: string; fingerprint: string | null }[],
    ): Promise<Set<string>> {
      const { rows } = await pool.query(
        `INSERT INTO ${schemaOf(instanceId)}.reconciliation_listed
         SELECT $1, $2, l.external_id, l.fingerprint FROM unnest($3::text[], $4::text[]) AS l(external_id, fingerprint)
         ON CONFLICT (reconciliation_id, place, external_id) DO UPDATE SET fingerprint = EXCLUDED.fingerprint
         RETURNING external_id, xmax = 0 AS is_new`,
        [id, placeId, records.map(({ externalId }) => externalId), records.map(({ fingerprint }) => fingerprint)],
      );
      return new Set(rows.flatMap((row) => (row.is_new ? [row.external_id] : [])));
    },

    async analyze({ instanceId }: WorkKey): Promise<void> {
      await pool.query(`ANALYZE ${schemaOf(instanceId)}.reconciliation_listed`);
    },

    /** Alive links whose external record was not listed, in order of their ids. */
    async missingLinks({ instanceId, id }: WorkKey, placeId: number, after: string, limit: number): Promise<string[]> {
      const schema = schemaOf(instanceId);
      const { rows } = await pool.query(
        `SELECT l.external_id FROM ${schema}.link l
         WHERE l.place = $1 AND NOT l.dead AND l.external_id > $2 AND NOT EXISTS (
           SELECT FROM ${schema}.reconciliation_listed s
           WHERE s.reconciliation_id = $3 AND s.place = $1 AND s.external_id = l.external_id)
         ORDER BY l.external_id LIMIT $4`,
        [placeId, after, id, limit],
      );
      return rows.map((row) => row.external_id);
    },

    /** Alive core records without an alive link at the place, of their own or of one merged into them, in order of their ids. */
    async undelivered(
      { instanceId }: WorkKey,
      { entity }: Pick<CompiledPipeline, "entity">,
      placeId: number,
      after: string,
      limit: number,
    ): Promise<string[]> {
      const schema = schemaOf(instanceId);
      const { rows } = await pool.query(
        `SELECT r.accord_id FROM ${recordTable(instanceId, entity.apiName)} r
         WHERE r.accord_id > $2 AND NOT r.accord_deleted
           AND NOT EXISTS (SELECT FROM ${schema}.link l WHERE l.record_id = r.accord_id AND l.place = $1 AND NOT l.dead)
           AND NOT EXISTS (SELECT FROM ${schema}.merged_record m JOIN ${schema}.link l ON l.record_id = m.loser_id
             WHERE m.winner_id = r.accord_id AND NOT m.undone AND l.place = $1 AND NOT l.dead)
         ORDER BY r.accord_id LIMIT $3`,
        [placeId, after, limit],
      );
      return rows.map((row) => row.accord_id);
    },

    async countCore({ instanceId }: WorkKey, { entity }: Pick<CompiledPipeline, "entity">): Promise<number> {
      const { rows } = await pool.query(
        `SELECT count(*)::float8 AS count FROM ${recordTable(instanceId, entity.apiName)} WHERE NOT accord_deleted`,
      );
      return rows[0].count;
    },

    /** Alive links of the places: about how many records there are to read. */
    async countLinks({ instanceId }: WorkKey, placeIds: readonly number[]): Promise<number> {
      const { rows } = await pool.query(
        `SELECT count(*)::float8 AS count FROM ${schemaOf(instanceId)}.link WHERE place = ANY($1::smallint[]) AND NOT dead`,
        [placeIds],
      );
      return rows[0].count;
    },

    /** External records of a system that have all values in common, several of them. */
    async equalRecords({ instanceId, id }: WorkKey, placeId: number): Promise<DoubledGroup[]> {
      const schema = schemaOf(instanceId);
      const { rows } = await pool.query(
        `SELECT array_agg(s.external_id ORDER BY s.external_id) AS external_ids,
                array_agg(coalesce(l.record_id, '') ORDER BY s.external_id) AS record_ids
         FROM ${schema}.reconciliation_listed s
         LEFT JOIN ${schema}.link l ON l.place = s.place AND l.external_id = s.external_id AND NOT l.dead
         WHERE s.reconciliation_id = $1 AND s.place = $2 AND s.fingerprint IS NOT NULL
         GROUP BY s.fingerprint HAVING count(*) > 1 ORDER BY 1 LIMIT ${MAX_GROUPS}`,
        [id, placeId],
      );
      return rows.map((row) => ({ externalIds: row.external_ids, recordIds: row.record_ids }));
    },

    /** Alive core records that hold the same value in a field. */
    async sameField(
      { instanceId }: WorkKey,
      { entity }: Pick<CompiledPipeline, "entity">,
      field: string,
    ): Promise<{ value: string; recordIds: string[] }[]> {
      const column = quoteIdentifier(field);
      const { rows } = await pool.query(
        `SELECT ${column}::text AS value, array_agg(accord_id ORDER BY accord_id) AS record_ids
         FROM ${recordTable(instanceId, entity.apiName)} WHERE NOT accord_deleted AND ${column} IS NOT NULL
         GROUP BY ${column} HAVING count(*) > 1 ORDER BY 1 LIMIT ${MAX_GROUPS}`,
      );
      return rows.map((row) => ({ value: row.value, recordIds: row.record_ids }));
    },

    async addSuspects({ instanceId, id }: WorkKey, placeId: number, suspects: readonly SuspectRow[]): Promise<void> {
      if (suspects.length === 0) return;
      await pool.query(
        `INSERT INTO ${schemaOf(instanceId)}.reconciliation_suspect
           (reconciliation_id, place, external_id, record_id, digest)
         SELECT DISTINCT ON (s.external_id, s.record_id) $1, $2::smallint, s.external_id, s.record_id, s.digest
         FROM unnest($3::text[], $4::text[], $5::text[]) AS s(external_id, record_id, digest)
         ON CONFLICT (reconciliation_id, place, external_id, record_id) DO UPDATE SET digest = EXCLUDED.digest`,
        [
          id,
          placeId,
          suspects.map(({ externalId }) => externalId ?? ""),
          // An external record is found by its own id alone: its record may change.
          suspects.map(({ externalId, recordId }) => (externalId === null ? (recordId ?? "") : "")),
          suspects.map(({ digest }) => digest),
        ],
      );
    },

    async suspects(
      { instanceId, id }: WorkKey,
      placeId: number,
      after: SuspectRow | null,
      limit: number,
    ): Promise<SuspectRow[]> {
      const { rows } = await pool.query({
        types: exactValueTypes,
        text: `SELECT external_id, record_id, digest, record FROM ${schemaOf(instanceId)}.reconciliation_suspect
         WHERE reconciliation_id = $1 AND place = $2 AND (external_id, record_id) > ($3, $4)
         ORDER BY external_id, record_id LIMIT $5`,
        values: [id, placeId, after?.externalId ?? "", after?.recordId ?? "", limit],
      });
      return rows.map((row) => ({
        externalId: row.external_id || null,
        recordId: row.record_id || null,
        digest: row.digest,
        record: row.record,
      }));
    },

    async dropSuspects({ instanceId, id }: WorkKey, placeId: number, suspects: readonly SuspectRow[]): Promise<void> {
      if (suspects.length === 0) return;
      await pool.query(
        `DELETE FROM ${schemaOf(instanceId)}.reconciliation_suspect s
         USING unnest($3::text[], $4::text[]) AS d(external_id, record_id)
         WHERE s.reconciliation_id = $1 AND s.place = $2 AND s.external_id = d.external_id AND s.record_id = d.record_id`,
        [
          id,
          placeId,
          suspects.map(({ externalId }) => externalId ?? ""),
          suspects.map(({ externalId, recordId }) => (externalId === null ? (recordId ?? "") : "")),
        ],
      );
    },

    /** Keeps what was read once more of suspected records, and of no others. */
    async rememberSuspects(
      { instanceId, id }: WorkKey,
      placeId: number,
      records: readonly SourceRecord[],
    ): Promise<void> {
      await pool.query(
        `UPDATE ${schemaOf(instanceId)}.reconciliation_suspect s SET record = r.record
         FROM unnest($3::text[], $4::jsonb[]) AS r(external_id, record)
         WHERE s.reconciliation_id = $1 AND s.place = $2 AND s.external_id = r.external_id AND s.record_id = ''`,
        [id, placeId, records.map((record) => record.id), records.map((record) => JSON.stringify(record))],
      );
    },

    async forgetSuspects({ instanceId, id }: WorkKey, placeId: number): Promise<void> {
      await pool.query(
        `UPDATE ${schemaOf(instanceId)}.reconciliation_suspect SET record = NULL WHERE reconciliation_id = $1 AND place = $2`,
        [id, placeId],
      );
    },

    async countSuspectsOf({ instanceId, id }: WorkKey, placeId: number): Promise<number> {
      const { rows } = await pool.query(
        `SELECT count(*)::float8 AS count FROM ${schemaOf(instanceId)}.reconciliation_suspect
         WHERE reconciliation_id = $1 AND place = $2`,
        [id, placeId],
      );
      return rows[0].count;
    },

    async dropSuspectsOf({ instanceId, id }: WorkKey, placeId: number): Promise<void> {
      await pool.query(
        `DELETE FROM ${schemaOf(instanceId)}.reconciliation_suspect WHERE reconciliation_id = $1 AND place = $2`,
        [id, placeId],
      );
    },

    async countSuspects({ instanceId, id }: WorkKey): Promise<number> {
      const { rows } = await pool.query(
        `SELECT count(*)::float8 AS count FROM ${schemaOf(instanceId)}.reconciliation_suspect WHERE reconciliation_id = $1`,
        [id],
      );
      return rows[0].count;
    },
  };
}

export type WorkStore = ReturnType<typeof workStore>;
