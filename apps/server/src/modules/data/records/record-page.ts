/** A page of a sorted list by keyset: the order, the position in a cursor, and the SQL condition that goes on from it. */
import { SYSTEM_SORTS } from "@accord/contracts/data/records";
import { fixedSql, joinSql, sql, type SqlFragment } from "@accord/expressions";
import { z } from "zod";
import { invalidField } from "../../../platform/http/app-error.ts";
import { columnType, fieldColumn, type RecordField } from "../schema/index.ts";

/** The column a list is ordered by; the record's id settles ties, so the order is total. Blanks come last. */
export interface Order {
  /** As the caller wrote it; part of the cursor. */
  text: string;
  column: SqlFragment;
  /** SQL type of the column. */
  type: string;
  descending: boolean;
  /** The column is the id itself: no ties, no blanks. */
  byId: boolean;
}

/** Names are sorted as people expect, whatever the database's own collation. */
const PEOPLE = ' COLLATE "und-x-icu"';

const SYSTEM_TYPES = { accord_id: "text", accord_created_at: "timestamptz", accord_updated_at: "timestamptz" } as const;
const isSystemSort = (name: string): name is (typeof SYSTEM_SORTS)[number] =>
  (SYSTEM_SORTS as readonly string[]).includes(name);

/** Only the entity's own fields and the system sorts can stand in the order. */
export function orderOf(text: string, fields: readonly RecordField[]): Order {
  const descending = text.startsWith("-");
  const name = descending ? text.slice(1) : text;
  if (isSystemSort(name))
    return { text, column: fixedSql(name), type: SYSTEM_TYPES[name], descending, byId: name === "accord_id" };
  const field = fields.find((other) => other.apiName === name);
  if (!field || !isSortable(field))
    throw invalidField("sort", "must be a field of this entity with single, plain values");
  const people = columnType(field) === "text" && field.dataType !== "reference" ? PEOPLE : "";
  return { text, column: fixedSql(fieldColumn(field) + people), type: columnType(field), descending, byId: false };
}

export const isSortable = (field: RecordField): boolean =>
  columnType(field) !== "jsonb" && field.dataType !== "password";

/** Where a page begins: the order's value as text (null for a blank) and the id of the record before it. */
export interface Position {
  value: string | null;
  id: string;
}

const CursorText = z.tuple([z.string(), z.string().nullable(), z.string().regex(/^[0-9a-f]{24}$/)]);

export const writeCursor = (order: Order, { value, id }: Position): string =>
  Buffer.from(JSON.stringify([order.text, value, id])).toString("base64url");

/** A cursor belongs to one order: with another it means nothing and is refused. */
export function readCursor(order: Order, cursor: string): Position {
  const parsed = CursorText.safeParse(parseJson(Buffer.from(cursor, "base64url").toString("utf8")));
  if (!parsed.success || parsed.data[0] !== order.text || !fits(order, parsed.data[1]))
    throw invalidField("cursor", "is not a cursor of this list in this order: start from the first page");
  return { value: parsed.data[1], id: parsed.data[2] };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A forged value must not reach the database as something it cannot read. */
function fits({ type }: Order, value: string | null): boolean {
  if (value === null || type === "text") return !value?.includes("\0");
  if (type === "boolean") return value === "true" || value === "false";
  if (type === "bigint") return /^-?\d{1,18}$/.test(value) || value === "9223372036854775807";
  if (type === "numeric" || type === "double precision")
    return /^(-?\d+(\.\d+)?(e[+-]?\d{1,3})?|-?Infinity|NaN)$/i.test(value);
  return /^(-?infinity|\d{4,7}-\d\d-\d\d( \d\d:\d\d:\d\d(\.\d{1,6})?(\+00)?)?( BC)?)$/.test(value);
}

/** The column's value as text that keeps every digit; read it under the name `accord_cursor`. */
export const cursorColumn = (order: Order): SqlFragment =>
  order.byId ? fixedSql("NULL::text") : sql`(${order.column})::text`;

export function orderBy(order: Order, direction: "next" | "previous"): SqlFragment {
  const backwards = direction === "previous";
  const way = fixedSql(order.descending !== backwards ? " DESC" : " ASC");
  if (order.byId) return sql`accord_id${way}`;
  return sql`${order.column}${way}${fixedSql(backwards ? " NULLS FIRST" : " NULLS LAST")}, accord_id${way}`;
}

/** True for the records that come after the position, walking in `direction`. */
export function beyond(order: Order, direction: "next" | "previous", { value, id }: Position): SqlFragment {
  const backwards = direction === "previous";
  const than = fixedSql(order.descending !== backwards ? " < " : " > ");
  const idBeyond = sql`accord_id${than}${id}`;
  if (order.byId) return idBeyond;
  const blank = sql`${order.column} IS NULL`;
  // Blanks are last: backwards from one come the other blanks and then all that have a value.
  if (value === null)
    return backwards ? sql`(${order.column} IS NOT NULL OR ${idBeyond})` : sql`(${blank} AND ${idBeyond})`;
  const position = sql`${value}::text::${fixedSql(order.type)}`;
  const parts = [sql`${order.column}${than}${position}`, sql`(${order.column} = ${position} AND ${idBeyond})`];
  if (!backwards) parts.push(blank);
  return sql`(${joinSql(parts, " OR ")})`;
}
