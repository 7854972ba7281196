/**
 * Reads rows page by page in the order of their id, so that a row that changes meanwhile is never passed over. Changes are
 * found by a time stamp with an overlap where the table has one, else by reading it completely; a table that its engine
 * calls unchanged since the last look is not read at all.
 */
import {
  ConnectorError,
  type ConnectContext,
  type Cursor,
  type IdPage,
  type ListIdsRequest,
  type ReadPage,
  type ReadRequest,
  type SourceRecord,
} from "@accord/connector-sdk";
import type { EntitySchema } from "@accord/contracts/data/schema";
import { z } from "zod";
import { columnsOf } from "../../relational/joined-key.ts";
import type { MysqlClient, TextRow } from "../client.ts";
import type { Column } from "../columns.ts";
import type { MysqlConfig } from "../config.ts";
import { hasOneOf, NEVER, type Condition } from "../key.ts";
import { rowReader } from "../values.ts";
import { activityOf, Mark, secondsBefore, type Activity } from "./activity.ts";
import { orderedRows } from "./ordered-pages.ts";
import { rowsSpelled } from "./other-alphabets.ts";
import { inUtc, sourceOf, stampedSince, type Source } from "./source.ts";

const Pass = z.object({
  began: Mark,
  after: z.string().nullable(),
  /** All rows are read, wherever history begins: changes may have been missed. */
  isWhole: z.boolean().optional(),
});
const Position = z.object({ seen: Mark.nullable(), pass: Pass.nullable() });
type Position = z.infer<typeof Position>;
type Pass = z.infer<typeof Pass>;

interface Reading {
  client: MysqlClient;
  config: MysqlConfig;
  request: ReadRequest;
  source: Source;
  now: () => Date;
}

/** Whatever the engine says of a table, it is looked at this often. */
const MAX_REST_MS = 600_000;

export async function readPage(
  client: MysqlClient,
  config: MysqlConfig,
  request: ReadRequest,
  { now, log }: Pick<ConnectContext, "now" | "log">,
): Promise<ReadPage> {
  const position = request.cursor === null ? { seen: null, pass: null } : parsePosition(request.cursor);
  const { entity, fields, signal } = request;
  const source = await sourceOf(client, config, { entity, fields, ...(signal && { signal }) });
  const reading = { client, config, request, source, now };
  if (position.pass) return nextPage(reading, position, position.pass);
  const activity = await activityOf(client, config, source.name, signal);
  const began: Mark = { ...activity.mark, shape: source.shape, lookedAtMs: now().getTime() };
  const { seen } = position;
  if (request.mode === "changes" && seen && isUnchanged(seen, began))
    return { records: [], cursor: position, drained: true, isCurrent: true };
  const isOther = request.mode === "changes" && seen !== null && seen.origin !== began.origin;
  if (isOther)
    log("warn", "changes may have been missed: all rows are read again", { table: source.name, origin: began.origin });
  const page = await nextPage(reading, position, { began, after: null, ...(isOther && { isWhole: true }) });
  return { ...page, ...(isOther && { missedDeletes: true }) };
}

/** Nobody wrote to the table since: its engine says the same as then, of the same server and the same columns. */
function isUnchanged(seen: Mark, now: Mark): boolean {
  const rested = now.lookedAtMs - seen.lookedAtMs;
  const isSame = seen.updated === now.updated && seen.origin === now.origin && seen.shape === now.shape;
  return seen.updated !== null && isSame && rested >= 0 && rested < MAX_REST_MS;
}

async function nextPage(reading: Reading, position: Position, pass: Pass): Promise<ReadPage> {
  const { client, source, request } = reading;
  const { rows, last, bad } = await orderedRows({
    client,
    source,
    selected: source.selected,
    conditions: conditionsOf(reading, position, pass),
    after: pass.after,
    pageSize: request.pageSize,
    ...(request.signal && { signal: request.signal }),
  });
  const cursor: Position =
    last === null ? { seen: pass.began, pass: null } : { seen: position.seen, pass: { ...pass, after: last } };
  return {
    records: rowReader(source)(rows),
    ...(bad.length > 0 && { bad }),
    cursor,
    drained: last === null,
    isCurrent: true,
  };
}

function conditionsOf({ source, request, config, now }: Reading, { seen }: Position, pass: Pass): Condition[] {
  const { watermark } = source;
  if (!watermark || pass.isWhole) return [];
  const { mode, since, until } = request;
  const conditions: Condition[] = [];
  if (mode === "changes" && seen) return [stampedSince(watermark, secondsBefore(seen.time, config.overlapSeconds))];
  if (mode === "all") {
    if (since) conditions.push(stampedSince(watermark, textOf(since)));
    if (until) conditions.push({ sql: `${inUtc(watermark)} < ?`, values: [textOf(until)] });
  } else if (since) {
    // By the database's own clock, as it was when the pass began.
    const age = Math.ceil((now().getTime() - since.getTime()) / 1000) + config.overlapSeconds;
    conditions.push(stampedSince(watermark, secondsBefore(pass.began.time, age)));
  }
  return conditions;
}

const textOf = (date: Date): string => date.toISOString().slice(0, 23).replace("T", " ");

/** Ids in order, many at a time, with the fields that are asked for. */
export async function listIds(client: MysqlClient, config: MysqlConfig, request: ListIdsRequest): Promise<IdPage> {
  const { entity, fields, signal, pageSize } = request;
  const source = await sourceOf(client, config, { entity, fields: fields ?? [], ...(signal && { signal }) });
  const after = typeof request.cursor === "string" ? request.cursor : null;
  const selected = { selected: source.selected, conditions: [], after, pageSize, ...(signal && { signal }) };
  const { rows, last } = await orderedRows({ client, source, ...selected });
  const records = rowReader(source)(rows);
  const ids = records.map(({ id }) => id);
  return { ids, ...(fields && { records }), cursor: last ?? ids.at(-1) ?? request.cursor, drained: last === null };
}

/** Values in one statement: beyond a thousand, servers may compare them in another way. */
const MAX_VALUES = 500;

/** Records whose field equals one of the texts, as the server compares them. */
export async function readWhere(
  client: MysqlClient,
  config: MysqlConfig,
  request: { entity: EntitySchema; fields: string[]; field: string; values: readonly string[] },
): Promise<SourceRecord[]> {
  const { entity, fields } = request;
  const field = entity.fields.find((candidate) => candidate.apiName === request.field);
  if (!field) throw new ConnectorError("invalidRequest", `There is no field ${request.field}.`);
  const source = await sourceOf(client, config, { entity, fields });
  const key = columnsOf(field).flatMap((name) => source.columns.get(name) ?? []);
  const values = [...new Set(request.values)];
  const rows: TextRow[] = [];
  for (let at = 0; at < values.length; at += MAX_VALUES)
    rows.push(...(await rowsWith({ client, source, key }, values.slice(at, at + MAX_VALUES))));
  // Values of two statements may be equal for the server.
  const records = new Map(rowReader(source)(rows).map((record) => [record.id, record]));
  return [...records.values()];
}

interface Lookup {
  client: MysqlClient;
  source: Source;
  key: readonly Column[];
}

function rowsWith({ client, source, key }: Lookup, values: readonly string[]): Promise<TextRow[]> {
  return rowsSpelled(values, (some) => {
    const { sql, values: bound } = key.length === 0 ? NEVER : hasOneOf(key, some);
    return client.query(`SELECT ${source.selected} FROM ${source.table} t WHERE ${sql}`, bound);
  });
}

/** How changes of a table are found as things are. */
export async function lookAt(
  client: MysqlClient,
  config: MysqlConfig,
  entity: EntitySchema,
): Promise<Activity & { source: Source }> {
  const source = await sourceOf(client, config, { entity, fields: [] });
  return { source, ...(await activityOf(client, config, source.name)) };
}

function parsePosition(cursor: Cursor): Position {
  const parsed = Position.safeParse(cursor);
  if (parsed.success) return parsed.data;
  throw new ConnectorError("configuration", "The stored reading position can't be understood.", {
    hint: "Resync this source to start from the beginning.",
  });
}
