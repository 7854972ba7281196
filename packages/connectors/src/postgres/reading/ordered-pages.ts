/** Pages of rows in the order of their ids, from the last one read on: a pass through a relation, or through its changes. */
import type { BadRecord, ConnectContext, ReadPage, ReadRequest } from "@accord/connector-sdk";
import type { PostgresClient, TextRow } from "../client.ts";
import type { PostgresConfig } from "../config.ts";
import { type Mark, stillValid, writtenSince } from "./mark.ts";
import type { Pass, Position } from "./position.ts";
import { numbersIn, Statement, type Source } from "./source.ts";
import { rowReader } from "../values.ts";

export interface Reading {
  client: PostgresClient;
  config: PostgresConfig;
  request: ReadRequest;
  source: Source;
  now: () => Date;
  log: ConnectContext["log"];
}

/** `isWhole`: the first of those that bring all rows. */
export type RowsPage = Omit<ReadPage, "cursor"> & { cursor: Position; isWhole?: boolean };

/** Rows of the index that one page of many changes looks through: left to itself, the server sorts the table for each. */
const WINDOW = 20_000;
/** In milliseconds. As long as windows without changes follow one another in one page. */
const MAX_WINDOWS_MS = 2_000;

/** The next page of a pass; in a windowed one the next in which something changed. */
export async function nextPage(reading: Reading, position: Position, pass: Pass): Promise<RowsPage> {
  const began = performance.now();
  let next = await orderedPage(reading, position, pass);
  while (
    next.cursor.pass?.look?.isWindowed &&
    next.records.length === 0 &&
    !next.bad &&
    performance.now() - began < MAX_WINDOWS_MS
  )
    next = await orderedPage(reading, next.cursor, next.cursor.pass);
  return next;
}

/** A page in the order of ids, from the last one read on. */
export async function orderedPage(reading: Reading, position: Position, pass: Pass): Promise<RowsPage> {
  const { client, config, request, source } = reading;
  const since = pass.isStamped ? (stillValid(position.looked ?? null, pass.began) ?? position.seen) : position.seen;
  const seen = request.mode === "changes" ? stillValid(since, pass.began) : null;
  const beganMs = performance.now();
  const sql = new Statement();
  const { after } = pass;
  if (after !== null) sql.where(source.key.after(after, (text) => sql.value(text)));
  const windowEnd = seen && seen.next !== "" && !pass.isSparse ? await endOfWindow(reading, after) : null;
  if (windowEnd !== null) sql.where(source.key.until(windowEnd, (text) => sql.value(text)));
  if (seen) sql.where(changedSince(sql, seen, source, config));
  if (seen && pass.isStamped) sql.where(stampedSince(sql, seen, source, config));
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
  const look = pass.look?.isWindowed
    ? { ...pass.look, scanMs: pass.look.scanMs + Math.round(performance.now() - beganMs) }
    : pass.look;
  if (last === null || last === undefined) {
    const whole = page(reading, found, afterPass(reading, position, { ...pass, look }));
    // Rows whose watermark was left alone come with the next reading of the whole table.
    return pass.isStamped ? { ...whole, isPutOff: true } : whole;
  }
  return page(reading, found, {
    seen: position.seen,
    pass: { ...pass, after: last, ...(look && { look }) },
    ...(pass.isStamped && { rest: position.rest, looked: position.looked }),
  });
}

function afterPass({ now }: Reading, position: Position, { began, isStamped, look }: Pass): Position {
  if (isStamped) return { ...position, pass: null, looked: began };
  return { seen: began, pass: null, ...(look && { rest: { ...look, scannedAtMs: now().getTime() } }) };
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

/** A page of rows that were found, one more than it takes perhaps. */
export function page({ request, source }: Reading, found: readonly TextRow[], cursor: Position): RowsPage {
  const { rows, repeated } = withoutRepeats(found.slice(0, request.pageSize), found[request.pageSize]);
  const records = rowReader(source)(rows);
  const drained = cursor.pass === null;
  const fieldIds = numbersIn(source, found[0]);
  const page = { records, ...(repeated.length > 0 && { bad: repeated }), ...(fieldIds && { fieldIds }) };
  return { ...page, cursor, drained, isCurrent: true };
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

/** Rows in the order of their ids. */
export const sorted = (rows: TextRow[]): TextRow[] =>
  rows.toSorted(([one], [other]) => ((one ?? "") < (other ?? "") ? -1 : one === other ? 0 : 1));

function changedSince(sql: Statement, seen: Mark, source: Source, config: PostgresConfig): string {
  if (seen.next !== "") return writtenSince(seen, (value) => sql.value(value));
  return source.watermark ? stampedSince(sql, seen, source, config) : "true";
}

/** The rows of `t` whose watermark is not older than the mark, with the overlap. */
export const stampedSince = (
  sql: Statement,
  seen: Mark,
  source: Source,
  { overlapSeconds }: PostgresConfig,
): string => {
  const moment = `${sql.value(seen.time)}::timestamptz - make_interval(secs => ${overlapSeconds})`;
  return `t.${source.watermark} >= ${earliestShown(sql, source, moment)}`;
};

/**
 * What a time that is not before the moment shows at least. A local time shows less than at the moment itself where clocks
 * are put back within the hour after it; and as UTC, where an application keeps that in the column whatever the zone is.
 */
function earliestShown(sql: Statement, { watermarkZone }: Source, moment: string): string {
  if (watermarkZone === null) return moment;
  const zone = `${sql.value(watermarkZone)}::text`;
  const hour = "interval '1 hour'";
  const shown = [
    `(${moment}) AT TIME ZONE ${zone}`,
    `(${moment} + ${hour}) AT TIME ZONE ${zone} - ${hour}`,
    `(${moment}) AT TIME ZONE 'UTC'`,
  ];
  return `LEAST(${shown.join(", ")})`;
}

/** The column as a moment. */
const inZone = (sql: Statement, { watermarkZone }: Source, column: string): string =>
  watermarkZone === null ? column : `${column} AT TIME ZONE ${sql.value(watermarkZone)}::text`;

/** What a resync is restricted to; and of a first read, what changed since history begins, by the database's own clock. */
function addTimeRange(sql: Statement, { request, source, config, now }: Reading): void {
  if (!source.watermark) return;
  const { since, until, mode } = request;
  const column = `t.${source.watermark}`;
  const given = (date: Date): string => `${sql.value(date.toISOString())}::timestamptz`;
  if (since && mode === "all") sql.where(`${column} >= ${earliestShown(sql, source, given(since))}`);
  else if (since) {
    const age = (now().getTime() - since.getTime()) / 1000 + config.overlapSeconds;
    sql.where(`${column} >= ${earliestShown(sql, source, `now() - make_interval(secs => ${sql.value(age)})`)}`);
  }
  if (until && mode === "all") sql.where(`${inZone(sql, source, column)} < ${given(until)}`);
}
