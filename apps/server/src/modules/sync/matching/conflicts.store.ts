/** Conflicts as they stand in an instance. */
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { Value } from "@accord/contracts/data/values";
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { CompetingValue, Settlement } from "@accord/contracts/sync/monitoring/conflicts";
import type { Origin } from "@accord/sync-engine/run";
import { escapeLiteral, type QueryResultRow } from "pg";
import {
  boundedPage,
  type BoundedPage,
  PAGE_BYTES,
  type PageColumns,
  shortJson,
  shortText,
  takePage,
} from "../../../platform/db/bounded-page.ts";
import { instanceSchema, type Pool } from "../../../platform/db/db.ts";
import { exactValueTypes } from "../../../platform/db/value-types.ts";
import {
  asName,
  nameFieldOf,
  selectedNames,
  selectList,
  quoteIdentifier,
  recordTable,
  SYSTEM_COLUMNS,
  toValues,
} from "../../data/schema/index.ts";

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

/** `reads`: for what people look through page by page. */
export function conflictsStore(pool: Pool, reads = pool) {
  const schemaOf = (instanceId: string): string => quoteIdentifier(instanceSchema(instanceId));

  /** Of the record only the field that is in conflict, with its origin, and its name. */
  function selectSql(instanceId: string, entity: Entity, condition: string): string {
    const schema = schemaOf(instanceId);
    const name = nameFieldOf(entity);
    const own = selectList(entity.fields, "r", (column, { apiName }) =>
      apiName === name ? column : `CASE WHEN c.field = ${escapeLiteral(apiName)} THEN ${column} END`,
    );
    return `SELECT c.field AS of_field, ${own}, r.accord_id AS of_record, r.accord_version,
         r.accord_origin -> c.field AS field_origin
       FROM (SELECT DISTINCT c.record_id, c.field FROM ${schema}.conflict c JOIN ${schema}.place p ON p.number = c.place
         WHERE c.pipeline_id = $1 AND c.settled_at IS NULL) c
       JOIN ${recordTable(instanceId, entity.apiName)} r ON r.accord_id = c.record_id AND NOT r.accord_deleted
       WHERE ${condition}`;
  }

  /** What other systems hold, of a row of `selectSql`. */
  const competingSql = (instanceId: string, value = "c.value"): string => `(
    SELECT jsonb_agg(jsonb_build_object(
        'value', ${value}, 'connectorId', p.connector_id, 'connectorEntity', p.entity, 'at', c.at, 'reason', c.reason,
        'noticedAt', to_char(c.noticed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      ) ORDER BY c.place)
    FROM ${schemaOf(instanceId)}.conflict c JOIN ${schemaOf(instanceId)}.place p ON p.number = c.place
    WHERE c.pipeline_id = $1 AND c.record_id = of_record AND c.field = of_field AND c.settled_at IS NULL)`;

  return {
    async list(
      instanceId: string,
      entity: Entity,
      query: { cursor?: string | undefined; count: number; field?: string | undefined; recordId?: string | undefined },
    ): Promise<BoundedPage<ConflictRow>> {
      const at = query.cursor?.indexOf(".") ?? -1;
      const after = query.cursor && at > 0 ? [query.cursor.slice(0, at), query.cursor.slice(at + 1)] : [null, null];
      const picked = selectSql(
        instanceId,
        entity,
        `($2::text IS NULL OR (c.record_id, c.field) > ($2, $3::text)) AND ($4::text IS NULL OR c.field = $4)
           AND ($5::text IS NULL OR c.record_id = $5) ORDER BY c.record_id, c.field LIMIT $6`,
      );
      const { rows } = await reads.query({
        types: exactValueTypes,
        text: boundedPage(picked, {
          order: "of_record, of_field",
          ...columnsOf(entity, competingSql(instanceId), competingSql(instanceId, shortJson("c.value", "jsonb"))),
        }),
        values: [entity.id, ...after, query.field ?? null, query.recordId ?? null, query.count + 1],
      });
      return takePage(rows, query.count, (row) => readConflict(entity, row));
    },

    async find(instanceId: string, entity: Entity, wanted: readonly Field[]): Promise<ConflictRow[]> {
      const { rows } = await pool.query({
        types: exactValueTypes,
        text: `SELECT *, ${competingSql(instanceId)} AS competing FROM (${selectSql(
          instanceId,
          entity,
          "(c.record_id, c.field) IN (SELECT * FROM unnest($2::text[], $3::text[]))",
        )}) open`,
        values: [entity.id, wanted.map(({ recordId }) => recordId), wanted.map(({ field }) => field)],
      });
      return rows.map((row) => readConflict(entity, row));
    },

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

/** Of a name that is read beside values too large for a page. */
const NAME_CHARACTERS = 1_000;

/** What a page reads: of a conflict that is larger than a page its values cut, the record's own as `own_large`. */
function columnsOf(entity: Entity, full: string, short: string): PageColumns {
  const { fields } = entity;
  const own = selectedNames(fields);
  const cases = fields.map(({ apiName }, index) => `WHEN ${escapeLiteral(apiName)} THEN ${own[index]}::text`);
  const value = shortText(`(CASE of_field ${cases.join(" ")} END)`);
  const isText = ({ dataType, isMultiValueField }: FieldSchema): boolean => dataType === "string" && !isMultiValueField;
  const shorter = (field: FieldSchema, column: string): string =>
    field.apiName !== nameFieldOf(entity) ? "NULL" : isText(field) ? `left(${column}, ${NAME_CHARACTERS})` : column;
  return {
    columns: [
      ...["of_field", "of_record", "accord_version", "field_origin"],
      `CASE WHEN page_size > ${PAGE_BYTES} THEN ${value} END AS own_large`,
    ],
    large: {
      ...Object.fromEntries(
        fields.map((field, index) => [own[index], { short: shorter(field, own[index] ?? "") }] as const),
      ),
      competing: { full, short },
    },
  };
}

function readConflict(entity: Entity, row: QueryResultRow): ConflictRow {
  const values = toValues(entity.fields, row);
  return {
    recordId: row["of_record"],
    version: row[SYSTEM_COLUMNS.version],
    field: row["of_field"],
    name: asName(values[nameFieldOf(entity) ?? ""]),
    value: row["own_large"] ?? values[row["of_field"]] ?? null,
    origin: row["field_origin"] ?? undefined,
    competing: row["competing"],
  };
}
