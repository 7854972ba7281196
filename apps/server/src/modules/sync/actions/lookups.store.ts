/** Reads behind lookup nodes: core records by a field's values or a condition, and links between records and systems. */
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { Value, Values } from "@accord/contracts/data/values";
import { printSql, type SqlFragment } from "@accord/expressions";
import { instanceSchema, type Pool } from "../../../platform/db/db.ts";
import {
  selectList,
  columnType,
  fieldColumn,
  quoteIdentifier,
  type RecordField,
  recordTable,
  toValues,
} from "../../data/schema/index.ts";

type InstanceId = Id<"instance">;
type Shape = Pick<CoreEntity, "apiName" | "fields">;

/** More candidates than this are not looked through for one page. */
const MOST = 20_000;

const asFound = (fields: Shape["fields"], row: Record<string, unknown>): Values => ({
  ...toValues(fields, row),
  accordId: String(row["accord_id"]),
});

/** Living records whose field equals one of the values, oldest first; texts without regard to case. */
export async function findByField(
  pool: Pool,
  at: InstanceId,
  entity: Shape,
  field: RecordField,
  values: readonly Value[],
): Promise<Values[]> {
  const isText = columnType(field) === "text" && field.dataType !== "reference";
  const column = `r.${fieldColumn(field)}`;
  const condition = isText
    ? `lower(${column} COLLATE "und-x-icu") = ANY (SELECT lower(v COLLATE "und-x-icu") FROM unnest($1::text[]) v)`
    : `${column}::text = ANY ($1::text[])`;
  const { rows } = await pool.query(
    `SELECT r.accord_id, ${selectList(entity.fields, "r")} FROM ${recordTable(at, entity.apiName)} r
     WHERE NOT r.accord_deleted AND ${condition} ORDER BY r.accord_created_at, r.accord_id LIMIT ${MOST}`,
    [values.map(String)],
  );
  return rows.map((row) => asFound(entity.fields, row));
}

export async function findById(pool: Pool, at: InstanceId, entity: Shape, ids: readonly string[]): Promise<Values[]> {
  const { rows } = await pool.query(
    `SELECT r.accord_id, ${selectList(entity.fields, "r")} FROM ${recordTable(at, entity.apiName)} r
     WHERE NOT r.accord_deleted AND r.accord_id = ANY ($1)`,
    [ids],
  );
  return rows.map((row) => asFound(entity.fields, row));
}

/** Living records a condition holds for. `order` names a field, null for the oldest first. */
export async function findByCondition(
  pool: Pool,
  at: InstanceId,
  entity: Shape,
  condition: SqlFragment,
  order: { field: RecordField; direction: "asc" | "desc" } | null,
  limit: number,
): Promise<Values[]> {
  const { text, params } = printSql(condition);
  const by = order ? `r.${fieldColumn(order.field)} ${order.direction === "desc" ? "DESC" : "ASC"} NULLS LAST, ` : "";
  const { rows } = await pool.query(
    `SELECT r.accord_id, ${selectList(entity.fields, "r")} FROM ${recordTable(at, entity.apiName)} r
     WHERE NOT r.accord_deleted AND (${text}) ORDER BY ${by}r.accord_created_at, r.accord_id LIMIT ${limit}`,
    params,
  );
  return rows.map((row) => asFound(entity.fields, row));
}

interface Tie {
  recordId: string;
  externalId: string;
}

/** Living links of a connector's entity, from whichever pipeline, by one of their ends. */
export async function findLinks(
  pool: Pool,
  at: InstanceId,
  place: { connectorId: string; entity: string },
  by: "record_id" | "external_id",
  ids: readonly string[],
): Promise<Tie[]> {
  const schema = quoteIdentifier(instanceSchema(at));
  const { rows } = await pool.query(
    `SELECT l.record_id, l.external_id FROM ${schema}.link l JOIN ${schema}.place p ON p.number = l.place
     WHERE p.connector_id = $1 AND p.entity = $2 AND NOT l.dead AND l.${by} = ANY ($3)`,
    [place.connectorId, place.entity, ids],
  );
  return rows.map((row) => ({ recordId: row.record_id, externalId: row.external_id }));
}
