/** What is known of one record: its links, outstanding news, quarantine, and its past in the ledger. */
import type { StoredLink } from "@accord/sync-engine/run";
import type { QueryResultRow } from "pg";
import { instanceSchema, type Pool } from "../../../../platform/db/db.ts";
import { quoteIdentifier } from "../../../data/schema/index.ts";
import { type LedgerRow, readLedger } from "../monitoring/runs.store.ts";

export interface KnownPlace {
  placeId: number;
  link: (StoredLink & { writtenAt: string | null }) | null;
  delivery: { attempts: number; nextAt: string; parked: boolean; isAnswerMissing: boolean } | null;
  quarantine: { code: string; message: string; at: string } | null;
}

/** Most entries of one record's past that are looked at. */
const MOST = 10_000;

export function explainStore(pool: Pool) {
  const schemaOf = (instanceId: string): string => quoteIdentifier(instanceSchema(instanceId));

  return {
    async places(instanceId: string, pipelineId: string, recordId: string): Promise<KnownPlace[]> {
      const schema = schemaOf(instanceId);
      const { rows } = await pool.query(
        `SELECT p.number, l.*, d.attempts, d.next_at, d.parked, d.intent IS NOT NULL AS open, d.record_id AS outstanding,
                q.code, q.message, q.at AS quarantined_at
         FROM ${schema}.place p
         LEFT JOIN ${schema}.link l ON l.place = p.number AND l.record_id = $2
         LEFT JOIN ${schema}.delivery d ON d.place = p.number AND d.record_id = $2 AND d.unfit IS NULL
         LEFT JOIN LATERAL (SELECT * FROM ${schema}.quarantine q
           WHERE q.place = p.number AND q.status <> 'RESOLVED'
             AND (q.record_id = $2 OR (q.direction = 'source' AND q.external_id = l.external_id))
           ORDER BY q.id DESC LIMIT 1) q ON true
         WHERE p.pipeline_id = $1 ORDER BY p.number`,
        [pipelineId, recordId],
      );
      return rows.map(readPlace);
    },

    /** `connectorId/entity` → record id → external id, for the given record ids. */
    async outsideIds(
      instanceId: string,
      references: readonly { connectorId: string; entity: string; recordId: string }[],
    ): Promise<Map<string, Map<string, string>>> {
      const schema = schemaOf(instanceId);
      const found = new Map<string, Map<string, string>>();
      for (const { connectorId, entity, recordId } of references) {
        const { rows } = await pool.query(
          `SELECT l.external_id FROM ${schema}.place p JOIN ${schema}.link l ON l.place = p.number
           WHERE p.connector_id = $1 AND p.entity = $2 AND l.record_id = $3 AND NOT l.dead LIMIT 1`,
          [connectorId, entity, recordId],
        );
        const key = `${connectorId}/${entity}`;
        const known = found.get(key) ?? new Map<string, string>();
        if (rows[0]) known.set(recordId, rows[0].external_id);
        found.set(key, known);
      }
      return found;
    },

    /** Changes of a record's own values, the oldest first: what was written elsewhere is left out. */
    async past(instanceId: string, pipelineId: string, recordId: string): Promise<LedgerRow[]> {
      const schema = schemaOf(instanceId);
      const { rows } = await pool.query(
        `SELECT g.*, e.pipeline_id, p.connector_id, p.entity AS entity_name FROM ${schema}.ledger g
         JOIN ${schema}.sync_entity e ON e.number = g.entity
         LEFT JOIN ${schema}.place p ON p.number = g.place
         WHERE g.record_id = $2 AND e.pipeline_id = $1 AND g.operation <> 'write' ORDER BY g.number DESC LIMIT $3`,
        [pipelineId, recordId, MOST],
      );
      return rows.reverse().map(readLedger);
    },

    /** Entries in which something was refused, the newest first. */
    async refusals(instanceId: string, pipelineId: string, recordId: string, field?: string): Promise<LedgerRow[]> {
      const schema = schemaOf(instanceId);
      const { rows } = await pool.query(
        `SELECT g.*, e.pipeline_id, p.connector_id, p.entity AS entity_name FROM ${schema}.ledger g
         JOIN ${schema}.sync_entity e ON e.number = g.entity
         LEFT JOIN ${schema}.place p ON p.number = g.place
         WHERE g.record_id = $2 AND e.pipeline_id = $1 AND g.refused IS NOT NULL
           AND ($3::text IS NULL OR g.refused::jsonb ? $3) ORDER BY g.number DESC LIMIT 20`,
        [pipelineId, recordId, field ?? null],
      );
      return rows.map(readLedger);
    },
  };
}

export type ExplainStore = ReturnType<typeof explainStore>;

const readPlace = (row: QueryResultRow): KnownPlace => ({
  placeId: row["number"],
  link:
    row["external_id"] === null
      ? null
      : {
          externalId: row["external_id"],
          recordId: row["record_id"],
          seen: row["seen"],
          lastWritten: row["told"],
          refused: row["refused"],
          respelled: row["respelled"],
          modifiedAt: row["modified_at"],
          dead: row["dead"],
          writtenAt: row["told_at"],
        },
  delivery:
    row["outstanding"] === null
      ? null
      : {
          attempts: row["attempts"],
          nextAt: row["next_at"],
          parked: row["parked"],
          isAnswerMissing: row["open"],
        },
  quarantine: row["code"] === null ? null : { code: row["code"], message: row["message"], at: row["quarantined_at"] },
});
