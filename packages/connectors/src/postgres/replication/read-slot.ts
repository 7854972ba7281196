/**
 * Reading with a replication slot. The slot is made before the first row is read, so that what changes during the first
 * load is in it; from then on it says which rows changed, and the table is asked what they hold now: whatever the log
 * leaves out (large values that did not change) is there, in the same form as when reading all.
 */
import {
  ConnectorError,
  type ConnectContext,
  type ReadPage,
  type ReadRequest,
  type SourceRecord,
} from "@accord/connector-sdk";
import { isReplicated } from "../reading/change-detection.ts";
import { type ChangeFeed, UnreadableChanges } from "../reading/change-feed.ts";
import { databaseErrorOf, type PostgresClient, type TextRow } from "../client.ts";
import type { PostgresConfig } from "../config.ts";
import { Position } from "../reading/position.ts";
import { quoteName } from "../quote-name.ts";
import {
  advanceSlot,
  beginReplication,
  endReplication,
  replicationProblem,
  replicationStatus,
  slotLoss,
  type ReplicationStatus,
  type SlotPosition,
} from "./replication.ts";
import type { Source } from "../reading/source.ts";
import { rowReader } from "../values.ts";

export interface SlotReading {
  client: PostgresClient;
  feed: ChangeFeed;
  config: PostgresConfig;
  request: ReadRequest;
  source: Source;
  log: ConnectContext["log"];
}

/** The page, or from where rows are to be read. `isRestart`: all of them, since changes may have been missed. */
export type SlotTurn = { kind: "changes"; page: ReadPage } | { kind: "rows"; position: Position; isRestart: boolean };

const NAME = /^[a-z0-9_]{1,63}$/;

export async function readSlot(reading: SlotReading, position: Position): Promise<SlotTurn> {
  const { client, config, request, source } = reading;
  if (request.mode !== "changes") return { kind: "rows", position, isRestart: false };
  const name = request.reader;
  const isWanted = config.changes === "replication" && name !== undefined;
  const status = isWanted ? await replicationStatus(client, source, name) : null;
  if (!isWanted || !status) return withoutSlot(position);
  if (!NAME.test(name)) throw new ConnectorError("invalidRequest", `${name} can't be the name of a slot.`);
  const trouble = replicationProblem(status, source, name);
  if (!isReplicated(config, trouble)) {
    // Without a replica identity its publication would keep the table's users from writing.
    const isHarmful = trouble?.problem === "replicaIdentity" && status.mayPublish;
    if (isHarmful && (status.slot || status.publication)) await endReplication(client, name);
    return withoutSlot(position);
  }
  if (!position.slot) return firstTurn(reading, position, name, status);
  const loss = slotLoss(status, position.slot);
  if (loss) return restart(reading, name, status, loss);
  const committed = Position.safeParse(request.committed).data?.slot;
  if (committed && slotLoss(status, committed) === null) await advanceSlot(client, name, status, committed);
  if (position.pass) return { kind: "rows", position, isRestart: false };
  try {
    return { kind: "changes", page: await changes(reading, position, { name, status, slot: position.slot }) };
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return restart(reading, name, status, error.message);
  }
}

/** Nothing tells what happened since the slot was last read: all rows are. */
const withoutSlot = ({ slot, ...position }: Position): SlotTurn =>
  slot
    ? { kind: "rows", position: { seen: null, pass: null }, isRestart: true }
    : { kind: "rows", position, isRestart: false };

/**
 * A pass that began before there was a slot is finished first: rows that it had read and that changed before the slot
 * was made would be in neither. Whatever its last look said, the table is looked through once more, after that moment.
 */
async function firstTurn(
  { client, source }: SlotReading,
  position: Position,
  name: string,
  status: ReplicationStatus,
): Promise<SlotTurn> {
  if (position.pass) return { kind: "rows", position, isRestart: false };
  const slot = await beginReplication(client, source, name, status);
  return { kind: "rows", position: { seen: position.seen, pass: null, slot }, isRestart: false };
}

async function restart(
  { client, source, log }: SlotReading,
  name: string,
  status: ReplicationStatus,
  loss: string,
): Promise<SlotTurn> {
  log("warn", "changes may have been missed: all rows are read again", { slot: name, reason: loss });
  const slot = await beginReplication(client, source, name, status);
  return { kind: "rows", position: { seen: null, pass: null, slot }, isRestart: true };
}

/** Publication or slot vanished under the reading, the log is not there any more, or keys are of another type now. */
function isUnreadable(error: unknown): error is Error {
  if (error instanceof UnreadableChanges) return true;
  const state = error instanceof ConnectorError ? (databaseErrorOf(error)?.code ?? "") : "";
  return state === "42704" || state === "55000" || state === "58P01" || state.startsWith("22");
}

async function changes(
  { client, feed, request, source }: SlotReading,
  position: Position,
  { name, status, slot }: { name: string; status: ReplicationStatus; slot: SlotPosition },
): Promise<ReadPage> {
  const end = status.lsn ?? slot.lsn;
  // Nothing was written anywhere in the server.
  if (end === slot.lsn && !slot.part) return { records: [], cursor: position, drained: true, isCurrent: true };
  const found = await feed.next({
    name,
    keyColumns: source.key.columns,
    position: slot,
    end,
    count: request.pageSize,
    signal: request.signal,
  });
  return {
    records: found.keys.length === 0 ? [] : await currentRows(client, source, found.keys, request.signal),
    cursor: { ...position, slot: found.position },
    drained: found.isDrained,
    isCurrent: true,
    ...(found.isTruncated && { missedDeletes: true }),
  };
}

/** What these keys stand for now; those without a row are deleted. */
async function currentRows(
  client: PostgresClient,
  source: Source,
  keys: readonly string[][],
  signal: AbortSignal | undefined,
): Promise<SourceRecord[]> {
  const { relation, key, columns } = source;
  const wanted = keys.map((values) => Object.fromEntries(key.columns.map((column, index) => [column, values[index]])));
  const [first = ""] = key.columns;
  const rows = await client.query(
    `SELECT k.id, (t.${quoteName(first)} IS NOT NULL)::text, ${columns}
     FROM jsonb_populate_recordset(NULL::${relation}, $1) x
     CROSS JOIN LATERAL (SELECT ${key.text} AS id FROM (SELECT x.*) t) k
     LEFT JOIN ${relation} t ON ${key.equals}`,
    [JSON.stringify(wanted)],
    signal,
  );
  const byId = new Map<string, TextRow>(rows.map((row) => [row[0] ?? "", row]));
  const read = rowReader(source);
  return [...byId]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([id, [, exists, ...row]]) => (exists === "true" ? read([row]) : [{ id, values: {}, deleted: true }]));
}
