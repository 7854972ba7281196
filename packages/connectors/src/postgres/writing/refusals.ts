/** What the database says of a row that it will not take: whether that may pass, and which row stands in its way. */
import { ConnectorError, type WriteOperation, type WriteOutcome } from "@accord/connector-sdk";
import type { EntitySchema } from "@accord/contracts/data/schema";
import { databaseErrorOf, type PostgresClient } from "../client.ts";
import type { PostgresConfig } from "../config.ts";
import { quoteName } from "../quote-name.ts";
import { sourceOf } from "../reading/source.ts";
import { writtenValues } from "../values.ts";
import { sentence } from "../../relational/sentence.ts";

type DatabaseError = NonNullable<ReturnType<typeof databaseErrorOf>>;
export type Rejected = Extract<WriteOutcome, { status: "rejected" }>;

/** What the database says about one row that it will not take; null when the problem is not the row. */
export function refusalOf(error: ConnectorError): Rejected | Extract<WriteOutcome, { status: "retry" }> | null {
  const cause = databaseErrorOf(error);
  const state = cause?.code ?? "";
  if (!cause || state === "") return null;
  if (state === "40001" || state === "40P01" || state === "55P03" || state === "57014")
    return { status: "retry", message: cause.message };
  if (
    !state.startsWith("22") &&
    !state.startsWith("23") &&
    !state.startsWith("44") &&
    !state.startsWith("P0") &&
    !OF_A_VALUE.has(state) &&
    !OF_THE_ROW.has(cause.routine ?? "")
  )
    return null;
  const code = REFUSALS[state] ?? "refused";
  const isTransient = ABOUT_OTHER_ROWS.has(state);
  // Of a failed check it is the whole row, with columns that were never sent.
  const detail = cause.detail && isTransient ? ` ${cause.detail}` : "";
  const message = `${sentence(cause.message)}${detail}`;
  return { status: "rejected", code, message, field: cause.column, ...(isTransient && { isTransient }) };
}

/** A value for a generated column, and one that is too large for an index. */
const OF_A_VALUE: ReadonlySet<string> = new Set(["428C9", "54000"]);

/**
 * Where the database raises errors about a row whatever their code: `RAISE` in a trigger, which may take any, and the
 * check of row-level security, whose code is also that of missing rights on the whole table.
 */
const OF_THE_ROW: ReadonlySet<string> = new Set(["exec_stmt_raise", "ExecWithCheckOptions"]);

/** Refusals for what other rows hold, or do not hold yet; their detail says which key is doubled or missing. */
const ABOUT_OTHER_ROWS: ReadonlySet<string> = new Set(["23505", "23503", "23P01"]);

const REFUSALS: Record<string, string> = {
  "23505": "duplicate",
  "23502": "required",
  "23503": "reference_missing",
  "23514": "check_failed",
  "22001": "too_long",
  "22003": "out_of_range",
  "22P02": "wrong_type",
  "22007": "wrong_type",
  "22008": "wrong_type",
};

/** A row that was refused, for itself or for what other rows hold. */
export interface RefusedRow {
  operation: WriteOperation;
  outcome: Rejected;
  cause: DatabaseError;
}

export interface Table {
  client: PostgresClient;
  config: PostgresConfig;
  entity: EntitySchema;
}

/** Adds to the outcomes which field the constraint is about, and which rows hold the values that it keeps unique. */
export async function explainRefusals(table: Table, refused: readonly RefusedRow[]): Promise<void> {
  const byConstraint = Map.groupBy(refused, ({ cause }) =>
    JSON.stringify([cause.schema ?? "", cause.table ?? "", cause.constraint ?? ""]),
  );
  for (const rows of byConstraint.values()) {
    try {
      await explainConstraint(table, rows);
    } catch (error) {
      // The refusal itself is known, and told.
      if (!(error instanceof ConnectorError)) throw error;
    }
  }
}

async function explainConstraint(table: Table, rows: readonly RefusedRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = await columnsOfConstraint(table.client, first.cause);
  if (!columns) return;
  const [column = "", ...more] = columns;
  for (const { operation, outcome } of rows) {
    if (operation.kind === "delete" || !columns.every((name) => name in operation.values)) continue;
    if (more.length === 0) outcome.field = column;
    outcome.message += ` ${NOT_WRITTEN} ${NEXT[first.cause.code ?? ""] ?? ""}`;
  }
  if (first.cause.code !== "23505") return;
  const holders = await holdersOf(table, columns, rows);
  const holderById = new Map(
    rows.flatMap(({ operation }, index) =>
      operation.kind === "update" ? [[operation.id, holders[index]] as const] : [],
    ),
  );
  for (const [index, { operation, outcome }] of rows.entries()) {
    const holder = holders[index];
    const circle = operation.kind === "update" ? circleOf(operation.id, holderById) : null;
    if (circle) outcome.message += ` ${exchange(circle)}`;
    else if (holder !== undefined) outcome.message += ` The row ${holder} holds it.`;
  }
}

export const NOT_WRITTEN = "Nothing of this record was written.";

/** What to do about a refusal for what other rows hold. */
const NEXT: Record<string, string> = {
  "23505": "Change the value, or free it in the other row.",
  "23503": "Write the row that it refers to first, or change the value.",
  "23P01": "Change the value, or that of the row it conflicts with.",
};

/** Columns of a constraint or unique index, in order; null where it is about less, or more, than columns. */
async function columnsOfConstraint(client: PostgresClient, cause: DatabaseError): Promise<string[] | null> {
  const rows = await client.query(CONSTRAINT_COLUMNS, [cause.schema, cause.table, cause.constraint]);
  const columns = rows.flatMap(([column]) => column ?? []);
  return columns.length > 0 && columns.length === rows.length ? columns : null;
}

const CONSTRAINT_COLUMNS = `
  SELECT a.attname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  CROSS JOIN LATERAL (
    SELECT k.attnum, k.position FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
    CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k(attnum, position)
    WHERE i.indrelid = c.oid AND x.relname = $3 AND i.indpred IS NULL AND k.position <= i.indnkeyatts
    UNION ALL
    SELECT k.attnum, k.position FROM pg_constraint r CROSS JOIN LATERAL unnest(r.conkey) WITH ORDINALITY AS k(attnum, position)
    WHERE r.conrelid = c.oid AND r.conname = $3 AND r.contype = 'f') s
  LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = s.attnum
  WHERE n.nspname = $1 AND c.relname = $2 ORDER BY s.position`;

/** Id of the row that has the same values in these columns as each of the refused ones would have. */
async function holdersOf(
  { client, config, entity }: Table,
  columns: readonly string[],
  rows: readonly RefusedRow[],
): Promise<(string | undefined)[]> {
  const { relation, key } = sourceOf(config, entity, []);
  const fields = new Map(entity.fields.map((field) => [field.apiName, field]));
  const items = rows.map(({ operation }) => ({
    key: operation.kind === "create" ? {} : key.valuesOf(operation.id),
    values: operation.kind === "delete" ? {} : writtenValues(fields, operation.values),
  }));
  const isSame = columns.map((column) => `t.${quoteName(column)} = x.${quoteName(column)}`).join(" AND ");
  // What an update leaves alone is as it stands.
  const found = await client.query(
    `SELECT e.position::text, ${key.text} FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS e(item, position)
     CROSS JOIN LATERAL (
       SELECT p.* FROM jsonb_populate_record(NULL::${relation}, e.item -> 'key') AS x LEFT JOIN ${relation} t ON ${key.equals}
       CROSS JOIN LATERAL jsonb_populate_record(NULL::${relation}, COALESCE(to_jsonb(t.*), '{}') || (e.item -> 'values')) AS p) x
     JOIN ${relation} t ON ${isSame}`,
    [JSON.stringify(items)],
  );
  const holders = new Map(found.map(([position, id]) => [Number(position), id ?? undefined]));
  return rows.map((_, index) => holders.get(index + 1));
}

/** The rows that wait for each other's values, beginning with this one; null when it only waits for others. */
function circleOf(id: string, holders: ReadonlyMap<string, string | undefined>): string[] | null {
  const circle = [id];
  for (let next = holders.get(id); next !== undefined && next !== id; next = holders.get(next)) {
    if (circle.includes(next)) return null;
    circle.push(next);
    if (!holders.has(next)) return null;
  }
  return circle.length > 1 ? circle : null;
}

/** Rows that a message names. */
const MAX_NAMED = 5;

const exchange = (circle: readonly string[]): string => {
  const named = circle.slice(0, MAX_NAMED).join(", ");
  const others = circle.length > MAX_NAMED ? ` and ${circle.length - MAX_NAMED} others` : "";
  return `The rows ${named}${others} exchange it among each other, and the database checks each of them by itself: give one of them another value there and try again, or declare the constraint DEFERRABLE.`;
};
