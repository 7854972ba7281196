/**
 * Reads an entity's list pass by pass. A pass asks for what changed since the last one began (by the system's own clock,
 * with an overlap), or for everything where the API can't be asked. Lists that move while they are paged lose nothing:
 * sorted ones go on from the last time stamp, numbered pages are checked at the seams, and a pass during which something
 * changed is read again from where it began.
 */
import {
  ConnectorError,
  type BadRecord,
  type Cursor,
  type ReadPage,
  type ReadRequest,
  type SourceRecord,
} from "@accord/connector-sdk";
import type { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import type { Value } from "@accord/contracts/data/values";
import { z } from "zod";
import type { HttpClient } from "./client.ts";
import { fetchPage, type Fetched } from "./fetch-page.ts";
import { nextPlace, pageSizeOf, PagePlace, START, totalIn } from "./paging.ts";
import { mapRecords, type RecordMap } from "./records.ts";
import { overlapSeam, rereadSeam, type Seam } from "./seams.ts";
import { clockOf, firstMoment, type SourceClock } from "./watermark.ts";

const Pass = z.strictObject({
  /** ISO. */
  began: z.string(),
  /** Whether `began` is by the system's own clock; else the newest time stamp seen decides where the next pass begins. */
  isSourceClock: z.boolean().default(true),
  newest: z.string().nullable().default(null),
  at: PagePlace,
  /** Sorted lists: the moment from which the pages are counted. */
  step: z.string().nullable(),
  pages: z.int(),
  read: z.int(),
  /** Records there are, as the last page told it. */
  total: z.number().nullable().default(null),
  /** The list moved since the pass began: records may have been passed over. */
  moved: z.boolean(),
  /** Records changed since: they may have changed their places. */
  changed: z.boolean().default(false),
});
type Pass = z.infer<typeof Pass>;

const Position = z.strictObject({
  /** ISO. Everything changed before it has been read; null: nothing yet. */
  since: z.string().nullable(),
  /** How often this stretch was read again because it moved. */
  again: z.int(),
  pass: Pass.nullable(),
});
type Position = z.infer<typeof Position>;

/** A system that never rests is not read over and over: after this many times the position moves on. */
const MOST_REREADS = 3;
const BEGINNING = { since: null, again: 0, pass: null } satisfies Position;
/** Clocks are told by the second. */
const CLOCK_PRECISION_MS = 2_000;

export interface ListReader {
  entity: HttpEntityConfig;
  client: HttpClient;
  now(): Date;
  /** What is missing counts as deleted: a list that ends before its own total is no list. */
  mustBeWhole?: boolean;
}

export async function readList(reader: ListReader, request: ReadRequest): Promise<ReadPage> {
  const { entity } = reader;
  const { position, fetched } = await nextPage(reader, request);
  const place = position.pass?.at ?? START;
  const map = mapRecords(entity, request.entity, request.fields);
  const seam = await seamOf(reader, request, position, fetched, map);
  const page = within(map.read(seam.records), request);
  const clock = clockOf(fetched.answer.headers, reader.now());
  const pass = seen(position.pass ?? newPass(clock), { entity, place, fetched, seam, records: page.records });
  guardEnd(entity, pass.pages);
  const next = following(entity, pass, place, {
    json: fetched.json,
    headers: fetched.answer.headers,
    records: fetched.records,
    lastId: map.idOf(fetched.records.at(-1)),
    page,
  });
  if (next === null) return { ...page, ...endOf(reader, request, position, pass) };
  const cursor: Position = { ...position, pass: { ...pass, ...next } };
  return { ...page, cursor, drained: false, ahead: pagesAhead(entity, cursor) };
}

/** The page at the position; a first read learns the system's clock from it, and asks again where that is another one. */
async function nextPage(reader: ListReader, request: ReadRequest): Promise<{ position: Position; fetched: Fetched }> {
  const position = request.cursor === null ? BEGINNING : parsePosition(request.cursor);
  const { watermark } = reader.entity.list;
  const { mode, since } = request;
  if (request.cursor !== null || mode !== "changes" || !since || !watermark)
    return {
      position,
      fetched: await fetchPage(reader, request, startOf(position, request), position.pass?.at ?? START),
    };
  const ownClock: SourceClock = { now: reader.now().toISOString(), isSource: false };
  const own = { ...BEGINNING, since: firstMoment(since, ownClock, reader.now(), watermark.overlapSeconds) };
  const fetched = await fetchPage(reader, request, own.since, START);
  const clock = clockOf(fetched.answer.headers, reader.now());
  const theirs = { ...BEGINNING, since: firstMoment(since, clock, reader.now(), watermark.overlapSeconds) };
  const difference = Math.abs(Date.parse(theirs.since) - Date.parse(own.since));
  if (difference <= Math.max(watermark.overlapSeconds * 1000, CLOCK_PRECISION_MS)) return { position: own, fetched };
  return { position: theirs, fetched: await fetchPage(reader, request, theirs.since, START) };
}

const startOf = ({ pass, since: known }: Position, { mode, since }: ReadRequest): string | null =>
  pass?.step ?? (mode === "changes" ? known : (since?.toISOString() ?? null));

async function seamOf(
  reader: ListReader,
  request: ReadRequest,
  position: Position,
  { records }: Fetched,
  { idOf }: Pick<RecordMap, "idOf">,
): Promise<Seam> {
  const place = position.pass?.at ?? START;
  if (place.kind !== "page" || place.seam === null) return overlapSeam(place, records, idOf);
  const before: PagePlace = { kind: "page", number: place.number - 1, seam: null };
  const again = await fetchPage(reader, request, startOf(position, request), before);
  return rereadSeam(place.seam, records, again.records, idOf);
}

const newPass = (clock: SourceClock): Pass => ({
  began: clock.now,
  isSourceClock: clock.isSource,
  newest: null,
  at: START,
  step: null,
  pages: 0,
  read: 0,
  total: null,
  moved: false,
  changed: false,
});

interface SeenPage {
  entity: HttpEntityConfig;
  place: PagePlace;
  fetched: Fetched;
  seam: Seam;
  records: readonly SourceRecord[];
}

/** The pass with one page more. */
function seen(pass: Pass, { entity, place, fetched, seam, records }: SeenPage): Pass {
  const total = totalIn(entity, fetched.json);
  const hasShrunk = total !== null && pass.total !== null && total < pass.total;
  const isOverlap = place.kind === "offset" && place.seam !== null && !seam.moved;
  const times = records.flatMap(({ modifiedAt }) => modifiedAt ?? []);
  return {
    ...pass,
    pages: pass.pages + 1,
    read: pass.read + fetched.records.length - (isOverlap ? 1 : 0),
    total,
    newest: times.reduce((newest, time) => (newest === null || time > newest ? time : newest), pass.newest),
    moved: pass.moved || seam.moved || hasShrunk,
    changed: pass.changed || times.some((time) => time >= pass.began),
  };
}

interface Answered {
  json: Value;
  headers: Readonly<Record<string, string>>;
  records: Value[];
  lastId: string | null;
  page: { records: SourceRecord[] };
}

/** Where the pass goes on; null when it is through. */
function following(
  entity: HttpEntityConfig,
  pass: Pass,
  place: PagePlace,
  { json, headers, records, lastId, page }: Answered,
): Pick<Pass, "at" | "step"> | null {
  const at = nextPlace(entity, place, { json, headers, count: records.length, lastId, read: pass.read });
  if (at === null) return null;
  const newest = page.records.at(-1)?.modifiedAt;
  const { watermark, paging } = entity.list;
  if (!watermark?.sorted || !newest || (paging.kind !== "page" && paging.kind !== "offset"))
    return { at, step: pass.step };
  // One unit back, so that records with the very same time stamp are not passed over.
  const step = stepBefore(newest, watermark.format);
  return pass.step === null || step > pass.step ? { at: START, step } : { at, step: pass.step };
}

function stepBefore(iso: string, format: string): string {
  const unit = format === "epochSeconds" ? 1000 : format === "date" ? 86_400_000 : 1;
  return new Date(Date.parse(iso) - unit).toISOString();
}

/** The position after a pass: it moves on unless the pass was disturbed where that can hide records. */
function endOf(
  { entity, mustBeWhole }: ListReader,
  { mode }: ReadRequest,
  position: Position,
  pass: Pass,
): Pick<ReadPage, "cursor" | "drained"> {
  const { watermark, paging } = entity.list;
  const slides = (paging.kind === "page" || paging.kind === "offset") && pass.pages > 1 && !watermark?.sorted;
  const mayReadAgain = slides && position.again < MOST_REREADS;
  const again: Position = { since: position.since, again: position.again + 1, pass: null };
  // Read through once: what was changed meanwhile is another reader's, what slid past is not.
  if (mode === "all" && pass.moved && mayReadAgain) return { cursor: again, drained: false };
  if (mustBeWhole && pass.total !== null && pass.read < pass.total)
    throw new ConnectorError("unexpected", `The list ended after ${pass.read} of ${pass.total} records.`, {
      hint: "Check the paging, its stop rules, and where the answer tells how many records there are.",
    });
  // A list that moved has not shown all there is: what slid past would be created a second time.
  if (mode === "changes" && watermark && (pass.moved || pass.changed) && mayReadAgain)
    return { cursor: again, drained: !pass.moved };
  if (!watermark) return { cursor: BEGINNING, drained: true };
  return {
    cursor: { since: nextMoment(position, pass, watermark.overlapSeconds), again: 0, pass: null },
    drained: true,
  };
}

/** A system that tells no time of its own is asked on from the newest time stamp it showed. */
function nextMoment(position: Position, pass: Pass, overlapSeconds: number): string | null {
  const { began, newest, isSourceClock } = pass;
  if (!isSourceClock && newest === null) return position.since;
  const moment = isSourceClock || newest === null || newest > began ? began : newest;
  return new Date(Date.parse(moment) - overlapSeconds * 1000).toISOString();
}

/** Positions of the pages after the next one, for lists whose pages are numbered. */
function pagesAhead(entity: HttpEntityConfig, position: Position): Cursor[] | undefined {
  const { paging, pagesAhead: count, watermark } = entity.list;
  const { pass } = position;
  if (count === 0 || watermark?.sorted || !pass) return undefined;
  const size = pageSizeOf(paging);
  if (pass.at.kind !== "page" && (pass.at.kind !== "offset" || size === null)) return undefined;
  return Array.from({ length: count }, (_, index): Cursor => ({
    ...position,
    pass: { ...pass, at: shifted(pass.at, index, size ?? 0) },
  }));
}

function shifted(place: PagePlace, by: number, size: number): PagePlace {
  if (place.kind === "page") return { ...place, number: place.number + by };
  return place.kind === "offset" ? { ...place, offset: place.offset + by * size } : place;
}

/** A time range is kept here too: not every API can be asked for it. */
function within(
  page: { records: SourceRecord[]; bad: BadRecord[] },
  { mode, since, until }: ReadRequest,
): { records: SourceRecord[]; bad?: BadRecord[] } {
  const [from, to] = mode === "all" ? [since?.toISOString(), until?.toISOString()] : [];
  const isInside = ({ modifiedAt }: SourceRecord): boolean =>
    modifiedAt === undefined || ((!from || modifiedAt >= from) && (!to || modifiedAt < to));
  const records = from || to ? page.records.filter(isInside) : page.records;
  return page.bad.length > 0 ? { records, bad: page.bad } : { records };
}

function guardEnd(entity: HttpEntityConfig, pages: number): void {
  if (pages <= entity.list.stop.maxPages) return;
  throw new ConnectorError("configuration", `The list did not end after ${entity.list.stop.maxPages} pages.`, {
    hint: "Check the paging and its stop rules, or allow more pages.",
  });
}

function parsePosition(cursor: Cursor): Position {
  const parsed = Position.safeParse(cursor);
  if (parsed.success) return parsed.data;
  throw new ConnectorError("configuration", "The stored reading position can't be understood.", {
    hint: "Resync this source to start from the beginning.",
  });
}
