/** Reads a stream for the engine: pages bounded by number, bytes, calls and time, and a position that leaves no gap. */
import { ConnectorError, type ReadPage, type ReadRequest } from "@accord/connector-sdk";
import type { Value, Values } from "@accord/contracts/data/values";
import type { ParentPage, Stream } from "../components/model.ts";
import { PARENT_SLICE } from "../components/slices/substreams.ts";
import { Moment } from "../template/moments.ts";
import { afterPass, BEGINNING, parsePass, parsePosition, type Pass, type Position } from "./position.ts";
import { mapRecords } from "./records.ts";
import { readsChanges } from "./schema.ts";
import { beginPass, momentAt, type Found, type Step, type Walk } from "./walk.ts";

/** Bytes of the records of one page, together. */
export const MAX_PAGE_BYTES = 8_000_000;
/** Pages of the system that one page of ours may be made of, and how long they may take. */
export const MAX_STEPS = 200;
export const MAX_PAGE_MS = 15_000;
/** Changes of the same moment may come later than it was read. */
const OVERLAP_MS = 1_000;
/** How much earlier than asked for history begins: clocks differ. */
const CLOCK_MARGIN_MS = 3_600_000;

export interface StreamReader {
  stream: Stream;
  walk: Walk;
  now(): Date;
  /** A wait that the system asked for behind what was read already: nothing is sent before it is over. */
  wait: { error: ConnectorError; until: number } | null;
}

export async function readStream(reader: StreamReader, request: ReadRequest): Promise<ReadPage> {
  const { stream } = reader;
  const position = parsePosition(request.cursor);
  assertWaited(reader);
  const begun = position.pass ?? beginning(stream, position, request);
  const { found, pass, last } = await collect(reader, begun, request);
  const { records, bad } = mapRecords(stream, request.entity, request.fields)(found);
  const inRange = within(records, request);
  const page = bad.length > 0 ? { records: inRange, bad } : { records: inRange };
  if (pass !== null) return { ...page, cursor: { ...position, pass }, drained: false };
  return { ...page, cursor: endOf(stream, request, position, last), drained: true };
}

function assertWaited(reader: StreamReader): void {
  if (reader.wait === null) return;
  const { error, until } = reader.wait;
  const left = until - reader.now().getTime();
  reader.wait = left > 0 ? reader.wait : null;
  if (left > 0)
    throw new ConnectorError(error.kind, error.message, { hint: error.hint, retryAfterMs: left, cause: error });
}

/** A stream whose time does not show changes is read from its beginning each time. */
function endOf(stream: Stream, { mode, entity }: ReadRequest, position: Position, pass: Pass): Position {
  return mode === "changes" && readsChanges(stream, entity) ? afterPass(position, pass) : BEGINNING;
}

function beginning(stream: Stream, position: Position, request: ReadRequest): Pass {
  const start = startOf(stream, position, request);
  if (request.mode === "all") return beginPass(stream, start);
  return beginPass(stream, start, { known: position.partitions, first: startOf(stream, BEGINNING, request) });
}

function startOf({ cursor }: Stream, { state }: Position, { mode, since }: ReadRequest): Moment | null {
  if (!cursor) return null;
  const first = cursor.start();
  if (mode === "all") return first;
  const known = momentAt(state);
  const from = known
    ? cursor.lookback(new Moment(known.ms - OVERLAP_MS))
    : since && new Moment(since.getTime() - CLOCK_MARGIN_MS);
  return from && from.compare(first) > 0 ? from : first;
}

type Collected = Pick<Step, "found" | "pass" | "last">;

/**
 * Steps until there is a page. What fails after something was found is asked for again by the next page, and what can't
 * be tried again fails there.
 */
async function collect(reader: StreamReader, begun: Pass, { pageSize, signal }: ReadRequest): Promise<Collected> {
  const until = reader.now().getTime() + MAX_PAGE_MS;
  const isOver = (): boolean => reader.now().getTime() >= until;
  const found: Found[] = [];
  let [pass, bytes, steps]: [Pass, number, number] = [begun, 0, 0];
  do {
    try {
      const step = await reader.walk.step(pass, Math.max(1, pageSize - found.length), isOver, signal);
      found.push(...step.found);
      if (step.pass === null) return { found, pass: null, last: step.last };
      pass = step.pass;
      bytes += step.found.reduce((size, { record }) => size + JSON.stringify(record).length, 0);
    } catch (error) {
      const isUsable = error instanceof ConnectorError && (found.length > 0 || (steps > 0 && error.retryable));
      if (!isUsable) throw error;
      if (error.retryAfterMs) reader.wait = { error, until: reader.now().getTime() + error.retryAfterMs };
      return { found, pass, last: pass };
    }
    steps += 1;
  } while (found.length < pageSize && bytes < MAX_PAGE_BYTES && steps < MAX_STEPS && !isOver());
  return { found, pass, last: pass };
}

/** A time range is kept here too: not every API can be asked for it. */
function within(records: ReadPage["records"], { mode, since, until }: ReadRequest): ReadPage["records"] {
  const [from, to] = mode === "all" ? [since?.toISOString(), until?.toISOString()] : [];
  if (!from && !to) return records;
  return records.filter(
    ({ modifiedAt }) => modifiedAt === undefined || ((!from || modifiedAt >= from) && (!to || modifiedAt < to)),
  );
}

/** Records of a parent that are looked at in one step. */
const PARENT_ROOM = 5_000;

/** A page of a parent stream, its records with the partition they came from. */
export async function readParentPage(reader: StreamReader, cursor: Value, signal?: AbortSignal): Promise<ParentPage> {
  const begun = cursor === null ? beginPass(reader.stream, reader.stream.cursor?.start() ?? null) : parsePass(cursor);
  const until = reader.now().getTime() + MAX_PAGE_MS;
  const { found, pass } = await reader.walk.step(begun, PARENT_ROOM, () => reader.now().getTime() >= until, signal);
  // A parent that can't be read would leave out its whole partition without a word.
  const [bad] = found.flatMap((one) => one.bad ?? []);
  if (bad)
    throw new ConnectorError("configuration", `A record of the parent stream ${reader.stream.name}: ${bad.message}`);
  const records = found.map(({ record, partition }): Value =>
    isObject(record) ? { ...record, [PARENT_SLICE]: partition } : record,
  );
  return { records, next: pass };
}

const isObject = (value: Value): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);
