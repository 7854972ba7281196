/** Conflicts as they stand in an instance. */
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { Value } from "@accord/contracts/data/values";
import type { CompetingValue, Settlement } from "@accord/contracts/sync/conflicts";
import type { Origin } from "@accord/sync-engine/run";
import type { QueryResultRow } from "pg";
import { instanceSchema, type Pool } from "../../../platform/db/db.ts";
import { exactValueTypes } from "../../../platform/db/value-types.ts";
import { selectList, quoteIdentifier, recordTable, SYSTEM_COLUMNS, toValues } from "../../data/schema/index.ts";
import { asName, nameFieldOf } from "./record-names.ts";

export interface ConflictRow {
  recordId: Id<"record">;
  version: number;
  field: string;
  /** What people call the record. */
  name: string | null;
  /** What the record holds, and who set it where that is known. */
  value: Value;
  origin: Origin[string] | undefined;
  competing: CompetingValue[];
}

type Entity = Pick<CoreEntity, "id" | "apiName" | "nameField" | "fields">;
type Field = Pick<Settlement, "recordId" | "field">;

/** Where a page of conflicts ends. */
export const conflictKey = ({ recordId, field }: { recordId: string; field: string }): string => `${recordId}.${field}`;

export function conflictsStore(pool: Pool) {
  const schemaOf = (instanceId: string): string => quoteIdentifier(instanceSchema(instanceId));

  async function select(
    instanceId: string,
    entity: Entity,
    condition: string,
    values: unknown[],
  ): Promise<ConflictRow[]> {
    const schema = schemaOf(instanceId);
    const { rows } = await pool.query({
      types: exactValueTypes,
      text: `SELECT c.field, c.competing, ${selectList(entity.fields, "r")}, r.accord_id, r.accord_version, r.accord_origin
       FROM (
         SELECT c.record_id, c.field, jsonb_agg(jsonb_build_object(
                  'value', c.value, 'connectorId', p.connector_id, 'connectorEntity', p.entity, 'at', c.at,
                  'reason', c.reason,
                  'noticedAt', to_char(c.noticed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
                ) ORDER BY c.place) AS competing
         FROM ${schema}.conflict c JOIN ${schema}.place p ON p.number = c.place
         WHERE c.pipeline_id = $1 AND c.settled_at IS NULL GROUP BY c.record_id, c.field
       ) c JOIN ${recordTable(instanceId, entity.apiName)} r ON r.accord_id = c.record_id AND NOT r.accord_deleted
       WHERE ${condition}`,
      values: [entity.id, ...values],
    });
    return rows.map((row) => readConflict(entity, row));
  }

  return {
    /** One more than asked for tells that there are more. */
    list(
      instanceId: string,
      entity: Entity,
      query: { cursor?: string | undefined; count: number; field?: string | undefined; recordId?: string | undefined },
    ): Promise<ConflictRow[]> {
      const at = query.cursor?.indexOf(".") ?? -1;
      const after = query.cursor && at > 0 ? [query.cursor.slice(0, at), query.cursor.slice(at + 1)] : [null, null];
      return select(
        instanceId,
        entity,
        `($2::text IS NULL OR (c.record_id, c.field) > ($2, $3::text)) AND ($4::text IS NULL OR c.field = $4)
           AND ($5::text IS NULL OR c.record_id = $5) ORDER BY c.record_id, c.field LIMIT $6`,
        [...after, query.field ?? null, query.recordId ?? null, query.count + 1],
      );
    },

    find: (instanceId: string, entity: Entity, wanted: readonly Field[]): Promise<ConflictRow[]> =>
      select(instanceId, entity, `(c.record_id, c.field) IN (SELECT * FROM unnest($2::text[], $3::text[]))`, [
        wanted.map(({ recordId }) => recordId),
        wanted.map(({ field }) => field),
      ]),

    async count(instanceId: string, pipelineId: string): Promise<number> {
      const { rows } = await pool.query(
        `SELECT count(DISTINCT (record_id, field))::int AS open FROM ${schemaOf(instanceId)}.conflict
         WHERE pipeline_id = $1 AND settled_at IS NULL`,
        [pipelineId],
      );
      return rows[0].open;
    },

    async settle(instanceId: string, pipelineId: string, fields: readonly Field[], by: string): Promise<void> {
      await pool.query(
        `UPDATE ${schemaOf(instanceId)}.conflict c SET settled_at = now(), settled_by = $2
         FROM unnest($3::text[], $4::text[]) AS w(record_id, field)
         WHERE c.pipeline_id = $1 AND c.record_id = w.record_id AND c.field = w.field`,
        [pipelineId, by, fields.map(({ recordId }) => recordId), fields.map(({ field }) => field)],
      );
    },
  };
}

export type ConflictsStore = ReturnType<typeof conflictsStore>;

function readConflict(entity: Entity, row: QueryResultRow): ConflictRow {
  const values = toValues(entity.fields, row);
  return {
    recordId: row[SYSTEM_COLUMNS.id],
    version: row[SYSTEM_COLUMNS.version],
    field: row["field"],
    name: asName(values[nameFieldOf(entity) ?? ""]),
    value: values[row["field"]] ?? null,
    origin: row[SYSTEM_COLUMNS.origin][row["field"]],
    competing: row["competing"],
  };
}
