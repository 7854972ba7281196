/** What is stored of a pipeline's places and of single records' links there, read without numbering or preparing anything. */
import type { Id } from "@accord/contracts";
import { parseExactJson } from "@accord/contracts/data/exact-json";
import { Value, Values } from "@accord/contracts/data/values";
import type { EndpointFields, StoredLink } from "@accord/sync-engine/run";
import { instanceSchema, type Pool } from "../../../../platform/db/db.ts";
import {
  columnType,
  fieldColumn,
  quoteIdentifier,
  type RecordEntity,
  recordTable,
  SYSTEM_COLUMNS,
} from "../../../data/schema/index.ts";
import { LINK_COLUMNS, readLink } from "../storage/stored-rows.store.ts";

/** A place as it was numbered when a version was published; field lists in the order of its fingerprints. */
export type NumberedPlace = EndpointFields & { id: number };

export type ChosenOrder = "latest" | "spread";

/** Where a list of chosen records goes on. */
export interface ChosenKey {
  /** In order of change UTC ISO-8601 with microseconds, spread an integer. */
  position: string;
  recordId: string;
}

const UTC_TEXT = (sql: string): string => `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

interface LinkedRecord {
  recordId: Id<"record">;
  externalId: string;
}

/** More words than this add nothing but cost. */
const MAX_WORDS = 8;
const MAX_SEARCHED_FIELDS = 12;

/** Statements that the pool's limit of time ended. */
const QUERY_CANCELED = "57014";
export const isQueryTimeout = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === QUERY_CANCELED;

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");

/** `pool`: one that only reads, within a limit of time. */
export function storedStateStore(pool: Pool) {
  const schemaOf = (instanceId: string): string => quoteIdentifier(instanceSchema(instanceId));

  return {
    async places(instanceId: string, pipelineId: string): Promise<NumberedPlace[]> {
      const { rows } = await pool.query(
        `SELECT number, connector_id, entity, read_fields, told_fields FROM ${schemaOf(instanceId)}.place
         WHERE pipeline_id = $1 ORDER BY number`,
        [pipelineId],
      );
      return rows.map((row) => ({
        id: row.number,
        connectorId: row.connector_id,
        entity: row.entity,
        readFields: row.read_fields,
        writeFields: row.told_fields,
      }));
    },

    /** By place number; where a record has several there, one that lives. */
    async linksOfRecord(instanceId: string, pipelineId: string, recordId: string): Promise<Map<number, StoredLink>> {
      const schema = schemaOf(instanceId);
      const { rows } = await pool.query(
        `SELECT l.place, ${LINK_COLUMNS} FROM ${schema}.link l JOIN ${schema}.place p ON p.number = l.place
         WHERE p.pipeline_id = $1 AND l.record_id = $2 ORDER BY l.dead DESC, l.external_id`,
        [pipelineId, recordId],
      );
      return new Map(rows.map((row) => [row.place, readLink(row)]));
    },

    async linkAt(instanceId: string, placeId: number, externalId: string): Promise<StoredLink | null> {
      const { rows } = await pool.query(
        `SELECT ${LINK_COLUMNS} FROM ${schemaOf(instanceId)}.link l WHERE l.place = $1 AND l.external_id = $2`,
        [placeId, externalId],
      );
      return rows[0] ? readLink(rows[0]) : null;
    },

    /** A record that waits in quarantine, as its source sent it; null where none does. Secret values are sealed. */
    async quarantined(instanceId: string, placeId: number, externalId: string): Promise<Values | null> {
      const { rows } = await pool.query(
        `SELECT payload::text AS payload FROM ${schemaOf(instanceId)}.quarantine
         WHERE place = $1 AND direction = 'source' AND external_id = $2 AND status <> 'RESOLVED' AND payload IS NOT NULL
         ORDER BY id DESC LIMIT 1`,
        [placeId, externalId],
      );
      return rows[0] ? (Values.safeParse(parseExactJson(rows[0].payload)).data ?? null) : null;
    },

    /** Live records after a key: the one changed last first, or spread over all of them; each with the key to go on after it. */
    async choose(
      instanceId: string,
      entity: RecordEntity,
      { order, after, count }: { order: ChosenOrder; after: ChosenKey | null; count: number },
    ): Promise<(ChosenKey & { recordId: Id<"record"> })[]> {
      const { id, updatedAt, deleted } = SYSTEM_COLUMNS;
      const { column, type, text } = {
        latest: { column: updatedAt, type: "timestamptz", text: UTC_TEXT },
        spread: { column: `hashtext(${id})`, type: "bigint", text: (sql: string) => `${sql}::text` },
      }[order];
      const values: unknown[] = after ? [count, after.position, after.recordId] : [count];
      const { rows } = await pool.query(
        `SELECT ${id} AS id, ${text(column)} AS position FROM ${recordTable(instanceId, entity.apiName)}
         WHERE NOT ${deleted} ${after ? `AND (${column}, ${id}) < ($2::${type}, $3)` : ""}
         ORDER BY ${column} DESC, ${id} DESC LIMIT $1`,
        values,
      );
      return rows.map((row) => ({ recordId: row.id, position: row.position }));
    },

    /** Values that authority kept out of a record, by place and core field. */
    async keptOut(instanceId: string, recordId: string): Promise<Map<number, Map<string, Value[]>>> {
      const { rows } = await pool.query(
        `SELECT place, field, value::text AS value FROM ${schemaOf(instanceId)}.conflict WHERE record_id = $1`,
        [recordId],
      );
      const places = new Map<number, Map<string, Value[]>>();
      for (const { place, field, value } of rows) {
        const fields = places.get(place) ?? new Map<string, Value[]>();
        places.set(place, fields.set(field, [Value.parse(value === null ? null : parseExactJson(value))]));
      }
      return places;
    },

    /** Live records that have an external record at the place: each word is in one of their texts, or is their id there. */
    async search(
      instanceId: string,
      { placeId, entity, text, count }: { placeId: number; entity: RecordEntity; text: string; count: number },
    ): Promise<LinkedRecord[]> {
      const values: unknown[] = [placeId, count];
      const bind = (value: string): string => `$${values.push(value)}::text`;
      const texts = entity.fields.filter((field) => columnType(field) === "text" && field.dataType === "string");
      const words = text.replaceAll("\0", "").toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
      const conditions = words.map((word) => {
        const [whole, pattern] = [bind(word), bind(`%${escapeLike(word)}%`)];
        const inTexts = texts
          .slice(0, MAX_SEARCHED_FIELDS)
          .map((field) => `lower(r.${fieldColumn(field)} COLLATE "und-x-icu") LIKE ${pattern}`);
        return `(${[`lower(l.external_id) = ${whole}`, `r.${SYSTEM_COLUMNS.id} = ${whole}`, ...inTexts].join(" OR ")})`;
      });
      const { rows } = await pool.query(
        `SELECT l.record_id, l.external_id FROM ${schemaOf(instanceId)}.link l
         JOIN ${recordTable(instanceId, entity.apiName)} r ON r.${SYSTEM_COLUMNS.id} = l.record_id
         WHERE ${["l.place = $1", "NOT l.dead", `NOT r.${SYSTEM_COLUMNS.deleted}`, ...conditions].join(" AND ")}
         ORDER BY l.record_id DESC LIMIT $2`,
        values,
      );
      return rows.map((row) => ({ recordId: row.record_id, externalId: row.external_id }));
    },
  };
}
