/**
 * Reads rows page by page in the order of their id, so that a row that changes meanwhile is never passed over.
 *
 * A table's changes are found by the transaction that wrote each row version (`xmin`, see `mark.ts`), not by a time
 * stamp: that finds late commits, bulk loads with one time stamp, imports with old ones and updates that forget their
 * `updated_at`, and reads nothing twice. Views have no `xmin`: they are read by watermark with an overlap, or completely
 * without one. Where a server retains changes for a reader, they are read from there instead (see `read-slot.ts`).
 */
import type {
  BadRecord,
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
import { rowVersionMethod } from "./change-detection.ts";
import type { ChangeFeed } from "./change-feed.ts";
import { databaseErrorOf, type PostgresClient, type TextRow } from "./client.ts";
import type { PostgresConfig } from "./config.ts";
import { columnsOf, keyOf } from "./key.ts";
import { isAtRest, type Mark, stillValid, takeMark, writtenSince, type Activity } from "./mark.ts";
import { type Pass, Position } from "./position.ts";
import { readSlot } from "./read-slot.ts";
import { sourceOf, Statement, type Source } from "./source.ts";
import { rowReader } from "./values.ts";

export async function readPage(
  client: PostgresClient,
  feed: ChangeFeed,
  config: PostgresConfig,
  request: ReadRequest,
  context: Pick<ConnectContext, "now" | "log">,
): Promise<ReadPage> {
  const { now, log } = context;
  const reading = { client, config, request, source: sourceOf(config, request.entity, request.fields), now, log };
  const position = request.cursor === null ? { seen: null, pass: null } : parsePosition(request.cursor);
  const turn = await readSlot({ client, feed, config, request, source: reading.source, log }, position);
  if (turn.kind === "changes") return turn.page;
  const { slot } = turn.position;
  const { cursor, isWhole, ...found } = await rowsPage(reading, turn.position, turn.isRestart);
  return {
    ...found,
    // The slot holds all that happens while rows are read.
    cursor: slot ? { ...cursor, slot } : cursor,
    ...((isWhole || turn.isRestart || turn.position.pass?.isWhole) && { missedDeletes: true }),
  };
}

/** The next page of rows by the transactions that wrote them. */
async function rowsPage(reading: Reading, position: Position, isRestart: boolean): Promise<RowsPage> {
  const { client, request } = reading;
  if (position.pass) return orderedPage(reading, position, position.pass);
  const { mark, activity } = await takeMark(client, reading.source.place, reading.source.watermarkName, position.seen);
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
  return changedPage(reading, { ...position, seen: known }, { seen: known, mark, activity });
}

/** Nothing tells what changed since the mark, nor what vanished: all rows are read, and the ids listed. */
async function restart(reading: Reading, position: Position, mark: Mark): Promise<RowsPage> {
  const { place } = reading.source;
  reading.log("warn", "changes may have been missed: all rows are read again", { ...place, origin: mark.origin });
  return { ...(await orderedPage(reading, position, { began: mark, after: null, isWhole: true })), isWhole: true };
}

/** Changes since a mark. Few of them come in one page, found in one walk through the table, whatever its order. */
async function changedPage(
  reading: Reading,
  position: Position,
  { seen, mark, activity }: { seen: Mark; mark: Mark; activity: Activity },
): Promise<RowsPage> {
  if (isAtRest(seen, mark) || (await mayWait(reading, position, { seen, activity })))
    return page(reading, [], position);
  const { client, request, source } = reading;
  const sql = new Statement();
  const changed = writtenSince(seen, (value) => sql.value(value));
  const began = performance.now();
  const rows = await client.query(
    `SELECT ${source.columns} FROM ${source.relation} t WHERE ${changed} LIMIT ${request.pageSize + 1}`,
    sql.values,
    request.signal,
  );
  const { counters } = activity;
  const rest = { scanMs: Math.round(performance.now() - began), scannedAtMs: reading.now().getTime() };
  if (rows.length <= request.pageSize)
    return page(reading, sorted(rows), {
      seen: mark,
      pass: null,
      ...(counters !== null && { rest: { ...rest, counters } }),
    });
  const [count] = await client.query(
    `SELECT count(*) FROM (SELECT FROM ${source.relation} t WHERE ${changed} LIMIT ${MAX_SORTED + 1}) c`,
    sql.values,
    request.signal,
  );
  return orderedPage(reading, position, { began: mark, after: null, isSparse: Number(count?.[0]) <= MAX_SORTED });
}

/** Changed rows that are sorted for each page anew; more are found in the order of the id's index, window by window. */
const MAX_SORTED = 40_000;
/** Rows of the index that one page of many changes looks through: left to itself, the server sorts the table for each. */
const WINDOW = 20_000;
/** Times its cost that a look waits for: a table that nobody changes takes two percent of one connection's time. */
const SCAN_PAUSES = 50;
const MAX_PAUSE_MS = 300_000;

/**
 * Whether a look at a large table may wait: its counters say that nothing changed, and so does the index of its
 * watermark. Neither is certain (sessions tell their counters seconds late, or for as long as they chain transactions
 * never), so the mark does not move, and the look is only put off for a while.
 */
async function mayWait(
  { client, config, request, source, now }: Reading,
  { rest }: Position,
  { seen, activity }: { seen: Mark; activity: Activity },
): Promise<boolean> {
  const method = rowVersionMethod(activity);
  if (!rest || method === "tableScan" || activity.counters !== rest.counters) return false;
  const waited = now().getTime() - rest.scannedAtMs;
  if (waited < 0 || waited > Math.min(MAX_PAUSE_MS, SCAN_PAUSES * rest.scanMs)) return false;
  if (method === "counters") return true;
  const sql = new Statement();
  sql.where(stampedSince(sql, seen, source, config));
  sql.where(writtenSince(seen, (value) => sql.value(value)));
  const found = await client.query(
    `SELECT FROM ${source.relation} t ${sql.conditions()} LIMIT 1`,
    sql.values,
    request.signal,
  );
  return found.length === 0;
}

/** A page in the order of ids, from the last one read on. */
async function orderedPage(reading: Reading, position: Position, pass: Pass): Promise<RowsPage> {
  const { client, config, request, source } = reading;
  const seen = request.mode === "changes" ? stillValid(position.seen, pass.began) : null;
  const sql = new Statement();
  const { after } = pass;
  if (after !== null) sql.where(source.key.after(after, (text) => sql.value(text)));
  const windowEnd = seen && seen.next !== "" && !pass.isSparse ? await endOfWindow(reading, after) : null;
  if (windowEnd !== null) sql.where(source.key.until(windowEnd, (text) => sql.value(text)));
  if (seen) sql.where(changedSince(sql, seen, source, config));
  if (request.mode === "all" || (position.seen === null && !pass.isWhole)) addTimeRange(sql, reading);
  // One row more than the page tells whether another page follows.
  const limit = `LIMIT ${request.pageSize + 1}`;
  const select = `SELECT ${source.columns} FROM ${source.relation} t ${sql.conditions()}`;
  const found = await client.query(
    pass.isSparse
      ? `SELECT ${source.columns} FROM (SELECT t.* FROM ${source.relation} t ${sql.conditions()} OFFSET 0) t
         ORDER BY ${source.key.order} ${limit}`
      : `${select} ORDER BY ${source.key.order} ${limit}`,
    sql.values,
    request.signal,
  );
  const last = found.length <= request.pageSize ? windowEnd : found[request.pageSize - 1]?.[0];
  if (last === null || last === undefined) return page(reading, found, { seen: pass.began, pass: null });
  return page(reading, found, {
    seen: position.seen,
    pass: { ...pass, after: last },
  });
}

/** The id at which the window of rows after an id ends; null: with the table. */
async function endOfWindow({ client, request, source }: Reading, after: string | null): Promise<string | null> {
  const { key, relation } = source;
  const sql = new Statement();
  if (after !== null) sql.where(key.after(after, (text) => sql.value(text)));
  const [row] = await client.query(
    `SELECT ${key.text} FROM ${relation} t ${sql.conditions()} ORDER BY ${key.order} OFFSET ${WINDOW - 1} LIMIT 1`,
    sql.values,
    request.signal,
  );
  return row?.[0] ?? null;
}

const sorted = (rows: TextRow[]): TextRow[] =>
  rows.toSorted(([one], [other]) => ((one ?? "") < (other ?? "") ? -1 : one === other ? 0 : 1));

interface Reading {
  client: PostgresClient;
  config: PostgresConfig;
  request: ReadRequest;
  source: Source;
  now: () => Date;
  log: ConnectContext["log"];
}

/** `isWhole`: the first of those that bring all rows. */
type RowsPage = Omit<ReadPage, "cursor"> & { cursor: Position; isWhole?: boolean };

function page({ request, source }: Reading, found: readonly TextRow[], cursor: Position): RowsPage {
  const { rows, repeated } = withoutRepeats(found.slice(0, request.pageSize), found[request.pageSize]);
  const records = rowReader(source.fields)(rows);
  const drained = cursor.pass === null;
  return { records, ...(repeated.length > 0 && { bad: repeated }), cursor, drained, isCurrent: true };
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
  return rowReader(source.fields)(rows);
}

function changedSince(sql: Statement, seen: Mark, source: Source, config: PostgresConfig): string {
  if (seen.next !== "") return writtenSince(seen, (value) => sql.value(value));
  return source.watermark ? stampedSince(sql, seen, source, config) : "true";
}

const stampedSince = (sql: Statement, seen: Mark, { watermark }: Source, { overlapSeconds }: PostgresConfig): string =>
  `t.${watermark} >= ${sql.value(seen.time)}::timestamptz - make_interval(secs => ${overlapSeconds})`;

/** What a resync is restricted to; and of a first read, what changed since history begins, by the database's own clock. */
function addTimeRange(sql: Statement, { request, source, config, now }: Reading): void {
  if (!source.watermark) return;
  const { since, until, mode } = request;
  if (since && mode === "all") sql.where(`t.${source.watermark} >= ${sql.value(since.toISOString())}::timestamptz`);
  else if (since) {
    const age = (now().getTime() - since.getTime()) / 1000 + config.overlapSeconds;
    sql.where(`t.${source.watermark} >= now() - make_interval(secs => ${sql.value(age)})`);
  }
  if (until && mode === "all") sql.where(`t.${source.watermark} < ${sql.value(until.toISOString())}::timestamptz`);
}

function parsePosition(cursor: Cursor): Position {
  const parsed = Position.safeParse(cursor);
  if (parsed.success) return parsed.data;
  throw new ConnectorError("configuration", "The stored reading position can't be understood.", {
    hint: "Resync this source to start from the beginning.",
  });
}
