/**
 * Reads rows page by page in the order of their id, so that a row that changes meanwhile is never passed over.
 *
 * A table's changes are found by the transaction that wrote each row version (`xmin`), not by a time stamp: a row is
 * read again when its transaction is not older than the oldest one still running when the last pass began. That finds late
 * commits, bulk loads with one time stamp and updates that forget their `updated_at`, and reads nothing twice while
 * the database rests. Views have no `xmin`: they are read by watermark with an overlap, or completely without one.
 */
import type {
  BadRecord,
  Cursor,
  IdPage,
  ListIdsRequest,
  ReadPage,
  ReadRequest,
  SourceRecord,
} from "@accord/connector-sdk";
import { ConnectorError } from "@accord/connector-sdk";
import type { EntitySchema, FieldSchema } from "@accord/contracts/data/schema";
import { z } from "zod";
import { placeOf } from "./catalogue.ts";
import { databaseErrorOf, type PostgresClient, type TextRow } from "./client.ts";
import type { PostgresConfig } from "./config.ts";
import { columnsOf, keyOf, type Key } from "./key.ts";
import { quoteName } from "./quote-name.ts";
import { rowReader, selectedColumn } from "./values.ts";

/** Which change marks a relation has, and the moment a pass begins: taken before its first page. */
const Mark = z.object({
  /** Table identity: a table that was dropped and made anew starts from the beginning. */
  oid: z.string(),
  /** Oldest transaction still running, in full; "" where rows have no `xmin`. */
  transaction: z.string(),
  /** The database's clock, exact text. */
  time: z.string(),
});
type Mark = z.infer<typeof Mark>;

const Position = z.object({
  /** Everything from before this mark has been read. */
  seen: Mark.nullable(),
  /** The pass under way: where it began and the last id read. */
  pass: z.object({ began: Mark, after: z.string() }).nullable(),
});
type Position = z.infer<typeof Position>;

const MARK = `
  SELECT c.oid::text,
         CASE WHEN c.relkind IN ('r', 'p', 'm') THEN pg_snapshot_xmin(pg_current_snapshot())::text ELSE '' END,
         clock_timestamp()::text
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2`;

interface Source {
  /** Quoted and schema-qualified. */
  relation: string;
  place: { schema: string; table: string };
  key: Key;
  watermark: string | null;
  fields: FieldSchema[];
  /** What to select: the id, then the fields. */
  columns: string;
}

export async function readPage(
  client: PostgresClient,
  config: PostgresConfig,
  request: ReadRequest,
): Promise<ReadPage> {
  const source = sourceOf(config, request.entity, request.fields);
  const position = request.cursor === null ? { seen: null, pass: null } : parsePosition(request.cursor);
  const pass = position.pass ?? { began: await markOf(client, source), after: null };
  const seen = request.mode === "changes" ? stillValid(position.seen, pass.began) : null;

  const sql = new Statement();
  if (pass.after !== null) sql.where(source.key.after(pass.after, (text) => sql.value(text)));
  if (seen) sql.where(changedSince(sql, seen, source, config));
  addTimeRange(sql, request, source);
  // One row more than the page tells whether another page follows.
  const found = await client.query(
    `SELECT ${source.columns} FROM ${source.relation} t
     ${sql.conditions()} ORDER BY ${source.key.order} LIMIT ${request.pageSize + 1}`,
    sql.values,
  );
  const { rows, repeated } = withoutRepeats(found.slice(0, request.pageSize), found[request.pageSize]);
  const { records, bad: misfits } = rowReader(source.fields)(rows);
  const bad = [...misfits, ...repeated];
  const after = rows.at(-1)?.[0];
  const drained = found.length <= request.pageSize || after === null || after === undefined;
  const next: Position = drained
    ? { seen: restingMark(seen, pass.began, position.pass === null && found.length === 0), pass: null }
    : { seen: position.seen, pass: { began: pass.began, after } };
  return { records, ...(bad.length > 0 && { bad }), cursor: next, drained };
}

/** A person may have chosen an id that is not unique: its first row is read, the others are reported. Rows are in order. */
function withoutRepeats(page: readonly TextRow[], following: TextRow | undefined) {
  const rows = page.filter((row, at) => at === 0 || row[0] !== page[at - 1]?.[0]);
  const again = page.filter((row, at) => at > 0 && row[0] === page[at - 1]?.[0]);
  if (following && following[0] === page.at(-1)?.[0]) again.push(following);
  const repeated = [...new Set(again.map(([id]) => id))].map((id): BadRecord => ({
    place: `id ${id}`,
    message: "This id appears more than once: choose a field as id that is unique.",
  }));
  return { rows, repeated };
}

/** Ids in order, many at a time: cheap enough to find vanished rows. */
export async function listIds(
  client: PostgresClient,
  config: PostgresConfig,
  request: ListIdsRequest,
): Promise<IdPage> {
  const source = sourceOf(config, request.entity, []);
  const sql = new Statement();
  if (typeof request.cursor === "string") sql.where(source.key.after(request.cursor, (text) => sql.value(text)));
  const rows = await client.query(
    `SELECT ${source.key.text} FROM ${source.relation} t ${sql.conditions()} ORDER BY ${source.key.order} LIMIT ${request.pageSize}`,
    sql.values,
  );
  const ids = rows.map(([id]) => id ?? "");
  return { ids, cursor: ids.at(-1) ?? request.cursor, drained: ids.length < request.pageSize };
}

/** Records whose field equals one of the texts. */
export async function readWhere(
  client: PostgresClient,
  config: PostgresConfig,
  request: { entity: EntitySchema; fields: string[]; field: string; values: readonly string[] },
): Promise<SourceRecord[]> {
  const source = sourceOf(config, request.entity, request.fields);
  const field = request.entity.fields.find((candidate) => candidate.apiName === request.field);
  if (!field) throw new ConnectorError("invalidRequest", `There is no field ${request.field}.`);
  const key = keyOf(columnsOf(field));
  const joined = key.columns.length > 1;
  const wanted = joined ? request.values.map((id) => key.valuesOf(id)) : request.values;
  const select = (rest: string, values: unknown) =>
    client.query(`SELECT ${source.columns} FROM ${source.relation} t ${rest}`, [values]);
  const byType = () =>
    joined
      ? select(`JOIN jsonb_populate_recordset(NULL::${source.relation}, $1) x ON ${key.equals}`, JSON.stringify(wanted))
      : select(`WHERE ${key.order} = ANY ($1)`, wanted);
  // The column's own type can use its index. A text that this type can't hold fails there; as text it just isn't found.
  const rows = await byType().catch((error: ConnectorError) => {
    if (databaseErrorOf(error)?.code?.startsWith("22"))
      return select(`WHERE ${key.text} = ANY ($1::text[])`, request.values);
    throw error;
  });
  return rowReader(source.fields)(rows).records;
}

/** SQL conditions with their parameters. */
class Statement {
  readonly values: unknown[] = [];
  readonly #conditions: string[] = [];

  value(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  where(condition: string): void {
    this.#conditions.push(condition);
  }

  conditions(): string {
    return this.#conditions.length === 0 ? "" : `WHERE ${this.#conditions.join(" AND ")}`;
  }
}

export function sourceOf(config: PostgresConfig, entity: EntitySchema, fields: readonly string[]): Source {
  const place = placeOf(config.schemas, entity.apiName);
  const id = entity.fields.find((field) => field.isIdField);
  if (!id)
    throw new ConnectorError("configuration", `${entity.displayName} has no id field.`, {
      hint: "Choose a field that is always filled and unique as id in the connector's settings.",
    });
  const wanted = new Set(fields);
  const watermark = entity.fields.find((field) => field.isWatermarkField && field.status === "ACTIVE");
  const key = keyOf(columnsOf(id));
  const selected = entity.fields.filter(
    (field) => field.status === "ACTIVE" && (field === id || field === watermark || wanted.has(field.apiName)),
  );
  return {
    place,
    relation: `${quoteName(place.schema)}.${quoteName(place.table)}`,
    key,
    watermark: watermark ? quoteName(watermark.apiName) : null,
    fields: selected,
    columns: [key.text, ...selected.map(selectedColumn)].join(", "),
  };
}

async function markOf(client: PostgresClient, source: Source): Promise<Mark> {
  const [row] = await client.query(MARK, [source.place.schema, source.place.table]);
  if (!row)
    throw new ConnectorError("schemaChanged", `The table ${source.place.table} is gone.`, {
      hint: "Refresh the connector's schema, or take it out of the pipeline.",
    });
  return { oid: row[0] ?? "", transaction: row[1] ?? "", time: row[2] ?? "" };
}

/** null when the mark says nothing about this table any more: another table by that name, or a restored database. */
function stillValid(seen: Mark | null, now: Mark): Mark | null {
  if (!seen || seen.oid !== now.oid || (seen.transaction === "") !== (now.transaction === "")) return null;
  if (seen.transaction === "") return seen;
  const distance = BigInt(now.transaction) - BigInt(seen.transaction);
  // Row versions carry 32 bits of their transaction: beyond half of that, older and newer can't be told apart.
  return distance < 0n || distance > 2_000_000_000n ? null : seen;
}

/** Transactions after which a mark moves on although nothing was found. */
const MARK_LASTS = 1_000_000n;

/** A pass that found nothing leaves the mark where it is: nothing to store, and nothing passed over. */
function restingMark(seen: Mark | null, began: Mark, foundNothing: boolean): Mark {
  if (!seen || !foundNothing || seen.transaction === "") return began;
  return BigInt(began.transaction) - BigInt(seen.transaction) > MARK_LASTS ? began : seen;
}

function changedSince(sql: Statement, seen: Mark, source: Source, config: PostgresConfig): string {
  if (seen.transaction !== "") {
    const transaction = (BigInt(seen.transaction) % 4_294_967_296n).toString();
    return `age(t.xmin) <= age(${sql.value(transaction)}::text::xid)`;
  }
  if (!source.watermark) return "true";
  return `t.${source.watermark} >= ${sql.value(seen.time)}::timestamptz - make_interval(secs => ${config.overlapSeconds})`;
}

function addTimeRange(sql: Statement, request: ReadRequest, source: Source): void {
  if (!source.watermark) return;
  if (request.since) sql.where(`t.${source.watermark} >= ${sql.value(request.since.toISOString())}`);
  if (request.until) sql.where(`t.${source.watermark} < ${sql.value(request.until.toISOString())}`);
}

function parsePosition(cursor: Cursor): Position {
  const parsed = Position.safeParse(cursor);
  if (parsed.success) return parsed.data;
  throw new ConnectorError("configuration", "The stored reading position can't be understood.", {
    hint: "Resync this source to start from the beginning.",
  });
}
