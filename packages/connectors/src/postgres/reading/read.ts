/**
 * Reads rows page by page in the order of their id, so that a row that changes meanwhile is never passed over.
 *
 * A table's changes are found by the transaction that wrote each row version (`xmin`, see `mark.ts`), not by a time
 * stamp: that finds late commits, bulk loads with one time stamp, imports with old ones and updates that forget their
 * `updated_at`, and reads nothing twice. Views have no `xmin`: they are read by watermark with an overlap, or completely
 * without one. Where a server retains changes for a reader, they are read from there instead (see `read-slot.ts`).
 */
import type {
  ConnectContext,
  Cursor,
  IdPage,
  ListIdsRequest,
  ReadPage,
  ReadRequest,
  SourceRecord,
} from "@accord/connector-sdk";
import { ConnectorError } from "@accord/connector-sdk";
import type { EntitySchema } from "@accord/contracts/data/schema";
import { placeOf } from "../catalogue.ts";
import { isLarge } from "./change-detection.ts";
import type { ChangeFeed } from "./change-feed.ts";
import { databaseErrorOf, type PostgresClient, type TextRow } from "../client.ts";
import type { PostgresConfig } from "../config.ts";
import { columnsOf } from "../../relational/joined-key.ts";
import { keyOf } from "../key.ts";
import { isAtRest, type Mark, relationOf, stillValid, takeMark, writtenSince, type Activity } from "./mark.ts";
import { nextPage, orderedPage, page, type Reading, type RowsPage, sorted, stampedSince } from "./ordered-pages.ts";
import { type Pass, Position } from "./position.ts";
import { readSlot } from "../replication/read-slot.ts";
import { readSourceOf, sourceOf, Statement, withNumbers } from "./source.ts";
import { rowReader } from "../values.ts";

async function readRows(
  client: PostgresClient,
  feed: ChangeFeed,
  config: PostgresConfig,
  request: ReadRequest,
  context: Pick<ConnectContext, "now" | "log">,
): Promise<ReadPage> {
  const { now, log } = context;
  const source = await readSourceOf(client, config, request.entity, request.fields);
  const reading = { client, config, request, source, now, log };
  const position = request.cursor === null ? { seen: null, pass: null } : parsePosition(request.cursor);
  const turn = await readSlot({ client, feed, config, request, source: reading.source, log }, position);
  if (turn.kind === "changes") return turn.page;
  const { slot } = turn.position;
  const numbered = { ...reading, source: withNumbers(source) };
  const { cursor, isWhole, ...found } = await rowsPage(numbered, turn.position, turn.isRestart);
  return {
    ...found,
    // The slot holds all that happens while rows are read.
    cursor: slot ? { ...cursor, slot } : cursor,
    ...((isWhole || turn.isRestart || turn.position.pass?.isWhole) && { missedDeletes: true }),
  };
}

/** Likewise, of pages without rows that were read with them. */
const COLUMN_NUMBERS = `
  SELECT a.attname, a.attnum::text FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped`;

export async function readPage(...asked: Parameters<typeof readRows>): Promise<ReadPage> {
  const [client, , config, { entity, fields, signal }] = asked;
  const page = await readRows(...asked);
  const wanted = new Set(fields);
  const ofWanted = (all: [string, string][]) => all.filter(([name]) => wanted.has(name));
  if (page.fieldIds) return { ...page, fieldIds: Object.fromEntries(ofWanted(Object.entries(page.fieldIds))) };
  const { schema, table } = placeOf(config.schemas, entity.apiName);
  // After the rows: a column that is made anew in between counts as new before its blanks are read, not after.
  const rows = await client.query(COLUMN_NUMBERS, [schema, table], signal);
  const numbers = ofWanted(
    rows.flatMap(([name, number]): [string, string][] => (name && number ? [[name, number]] : [])),
  );
  return numbers.length === 0 ? page : { ...page, fieldIds: Object.fromEntries(numbers) };
}

/** The next page of rows by the transactions that wrote them. */
async function rowsPage(reading: Reading, position: Position, isRestart: boolean): Promise<RowsPage> {
  const { client, request, source } = reading;
  if (position.pass) return nextPage(reading, position, position.pass);
  const relation = await relationOf(client, source.place, source.watermarkName);
  const { activity } = relation;
  const isResting = request.mode === "changes" && !isRestart && mayRest(reading, position, activity);
  // Nothing to be asked meanwhile: not even which transactions are over.
  if (isResting && !activity.isWatermarkIndexed && stillValid(position.seen, relation.mark))
    return { ...page(reading, [], position), isPutOff: true };
  const mark = await takeMark(client, relation, position.looked ?? position.seen);
  if (isRestart) return orderedPage(reading, position, { began: mark, after: null, isWhole: true });
  const seen = request.mode === "changes" ? stillValid(position.seen, mark) : null;
  if (request.mode === "changes" && position.seen && !seen) return restart(reading, position, mark);
  const isFirst = request.mode === "changes" && position.seen === null;
  // History begins now, and nothing tells which rows changed since it was to begin.
  if (isFirst && request.since && !reading.source.watermark && mark.next !== "")
    return page(reading, [], { seen: mark, pass: null });
  if (!seen || seen.next === "") return orderedPage(reading, position, { began: mark, after: null });
  const { origin = mark.origin } = seen;
  const known = { ...seen, ...(origin !== undefined && { origin }) };
  return changedPage(reading, { ...position, seen: known }, { seen: known, mark, activity, isResting });
}

/** Nothing tells what changed since the mark, nor what vanished: all rows are read, and the ids listed. */
async function restart(reading: Reading, position: Position, mark: Mark): Promise<RowsPage> {
  const { place } = reading.source;
  reading.log("warn", "changes may have been missed: all rows are read again", { ...place, origin: mark.origin });
  return { ...(await orderedPage(reading, position, { began: mark, after: null, isWhole: true })), isWhole: true };
}

interface Look {
  seen: Mark;
  mark: Mark;
  activity: Activity;
  /** The table is not read through now. */
  isResting: boolean;
}

/** Changes since a mark. Few of them come in one page, found in one walk through the table, whatever its order. */
async function changedPage(reading: Reading, position: Position, look: Look): Promise<RowsPage> {
  const { seen, mark, activity, isResting } = look;
  const looked = stillValid(position.looked ?? null, mark);
  if (isAtRest(looked ?? seen, mark) && (isResting || !looked)) return page(reading, [], position);
  if (isResting) return stampedPage(reading, position, { since: looked ?? seen, mark });
  const { client, request, source } = reading;
  const { counters } = activity;
  const windowed: Pass = { began: mark, after: null, look: { counters, scanMs: 0, isWindowed: true } };
  if (position.rest?.isWindowed) return nextPage(reading, position, windowed);
  const sql = new Statement();
  const changed = writtenSince(seen, (value) => sql.value(value));
  const began = performance.now();
  const took = (): number => Math.round(performance.now() - began);
  let rows: TextRow[];
  try {
    rows = await client.query(
      `SELECT ${source.columns} FROM ${source.relation} t WHERE ${changed} LIMIT ${request.pageSize + 1}`,
      sql.values,
      request.signal,
    );
  } catch (error) {
    if (!isLarge(activity) || request.signal?.aborted || !isStatementTimeout(error)) throw error;
    return nextPage(reading, position, windowed);
  }
  if (rows.length <= request.pageSize) {
    const rest = { counters, scanMs: took(), scannedAtMs: reading.now().getTime() };
    return page(reading, sorted(rows), { seen: mark, pass: null, rest });
  }
  const [count] = await client.query(
    `SELECT count(*) FROM (SELECT FROM ${source.relation} t WHERE ${changed} LIMIT ${MAX_SORTED + 1}) c`,
    sql.values,
    request.signal,
  );
  const isSparse = Number(count?.[0]) <= MAX_SORTED;
  return orderedPage(reading, position, { began: mark, after: null, isSparse, look: { counters, scanMs: took() } });
}

/** The server ended a statement for its length. */
const isStatementTimeout = (error: unknown): boolean =>
  error instanceof ConnectorError && databaseErrorOf(error)?.code === "57014";

/** Changed rows that are sorted for each page anew; more are found in the order of the id's index, window by window. */
const MAX_SORTED = 40_000;
/** Times its cost that the next look waits for, whatever happens: a table that is always written to takes a tenth of the time. */
const BUSY_PAUSES = 9;
/** And while the counters stand still: a table that nobody changes takes two percent of one connection's time. */
const SCAN_PAUSES = 50;
const MAX_PAUSE_MS = 300_000;

/**
 * Whether reading a large table through may wait, since it was read through not long ago. Counters that stand still are
 * not certain (sessions tell them seconds late, or for as long as they chain transactions never), so the mark does not
 * move, and the look is only put off for a while.
 */
function mayRest({ now }: Reading, { rest }: Position, activity: Activity): boolean {
  if (!rest || !isLarge(activity)) return false;
  const waited = now().getTime() - rest.scannedAtMs;
  const busy = BUSY_PAUSES * rest.scanMs;
  const isStill = activity.counters !== null && activity.counters === rest.counters;
  return waited >= 0 && waited <= (isStill ? Math.max(busy, Math.min(MAX_PAUSE_MS, SCAN_PAUSES * rest.scanMs)) : busy);
}

/** What the index of the watermark names, while the table is not read through. The next whole look brings it once more. */
async function stampedPage(
  reading: Reading,
  position: Position,
  { since, mark }: { since: Mark; mark: Mark },
): Promise<RowsPage> {
  const { client, config, request, source } = reading;
  const sql = new Statement();
  sql.where(stampedSince(sql, since, source, config));
  sql.where(writtenSince(since, (value) => sql.value(value)));
  const found = await client.query(
    `SELECT FROM ${source.relation} t ${sql.conditions()} LIMIT 1`,
    sql.values,
    request.signal,
  );
  if (found.length === 0) return { ...page(reading, [], position), isPutOff: true };
  return orderedPage(reading, position, { began: mark, after: null, isSparse: true, isStamped: true });
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
  const source = await readSourceOf(client, config, request.entity, request.fields);
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
  return rowReader(source)(rows);
}

function parsePosition(cursor: Cursor): Position {
  const parsed = Position.safeParse(cursor);
  if (parsed.success) return parsed.data;
  throw new ConnectorError("configuration", "The stored reading position can't be understood.", {
    hint: "Resync this source to start from the beginning.",
  });
}
