/**
 * Reads an entity's list pass by pass. A pass asks for what changed since the last one began (by the system's own clock,
 * with an overlap), or for everything where the API can't be asked. Lists that move while they are paged lose nothing:
 * sorted ones go on from the last time stamp, offsets are checked at the seam, and a pass during which something changed
 * is read again from where it began.
 */
import {
  ConnectorError,
  compileSelector,
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
import { nextPlace, pageRequest, pageSizeOf, PagePlace, START } from "./paging.ts";
import { mapRecords } from "./records.ts";

const Pass = z.strictObject({
  /** ISO. By the system's clock. */
  began: z.string(),
  at: PagePlace,
  /** Sorted lists: the moment from which the pages are counted. */
  step: z.string().nullable(),
  pages: z.int(),
  read: z.int(),
  /** Something changed, or the list moved, since the pass began. */
  moved: z.boolean(),
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

export interface ListReader {
  entity: HttpEntityConfig;
  client: HttpClient;
  now(): Date;
}

export async function readList({ entity, client, now }: ListReader, request: ReadRequest): Promise<ReadPage> {
  const position = request.cursor === null ? { since: null, again: 0, pass: null } : parsePosition(request.cursor);
  const { list } = entity;
  const since = request.mode === "changes" ? position.since : (request.since?.toISOString() ?? null);
  const pass = position.pass;
  const place = pass?.at ?? START;
  const paged = pageRequest(list.paging, place);
  const asked = watermarkFacts(entity, pass?.step ?? since, request.until ?? null);
  const { json, answer } = await client.callJson(list, {
    ...paged,
    query: { ...asked.query, ...paged.query },
    facts: { ...asked.facts, ...paged.facts },
    signal: request.signal,
  });
  const records = listIn(entity, json);
  const map = mapRecords(entity, request.entity, request.fields);
  const seam = place.kind === "offset" ? place.seam : null;
  const listMoved = seam !== null && map.idOf(records[0]) !== seam;
  const page = within(map.read(seam !== null && !listMoved ? records.slice(1) : records), request);

  const current: Pass = pass ?? {
    began: clockOf(answer.headers, now),
    at: START,
    step: null,
    pages: 0,
    read: 0,
    moved: false,
  };
  const read = current.read + records.length - (seam === null ? 0 : 1);
  const changedMeanwhile = page.records.some((record) => (record.modifiedAt ?? "") >= current.began);
  const seen: Pass = {
    ...current,
    pages: current.pages + 1,
    read,
    moved: current.moved || listMoved || changedMeanwhile,
  };
  guardEnd(entity, seen.pages);
  const next = following(entity, seen, place, {
    json,
    headers: answer.headers,
    records,
    lastId: map.idOf(records.at(-1)),
    page,
  });
  if (next === null) return { ...page, cursor: endOf(entity, position, seen), drained: true };
  const cursor: Position = { ...position, pass: { ...seen, ...next } };
  return { ...page, cursor, drained: false, ahead: pagesAhead(entity, cursor) };
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
function endOf(entity: HttpEntityConfig, position: Position, pass: Pass): Cursor {
  const { watermark, paging } = entity.list;
  const slides = (paging.kind === "page" || paging.kind === "offset") && pass.pages > 1 && !watermark?.sorted;
  if (slides && pass.moved && watermark && position.again < MOST_REREADS)
    return { since: position.since, again: position.again + 1, pass: null };
  if (!watermark) return { since: null, again: 0, pass: null };
  const since = new Date(Date.parse(pass.began) - watermark.overlapSeconds * 1000).toISOString();
  return { since, again: 0, pass: null };
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
  if (place.kind === "page") return { kind: "page", number: place.number + by };
  return place.kind === "offset" ? { ...place, offset: place.offset + by * size } : place;
}

export function listIn(entity: HttpEntityConfig, json: Value): Value[] {
  const found = compileSelector(entity.list.recordSelector)(json);
  if (Array.isArray(found)) return found;
  if (found === null || found === undefined) {
    if (json === null || entity.list.recordSelector !== "") return [];
  }
  throw new ConnectorError("configuration", `The answer holds no list at "${entity.list.recordSelector || "$"}".`, {
    hint: "Choose where the records are in the answer: try the endpoint in the entity's settings.",
  });
}

function watermarkFacts(
  entity: HttpEntityConfig,
  since: string | null,
  until: Date | null,
): { query: Record<string, string>; facts: { [name: string]: Value } } {
  const { watermark } = entity.list;
  const start = since && watermark ? formatted(since, watermark.format) : null;
  const end = until && watermark ? formatted(until.toISOString(), watermark.format) : null;
  const query: Record<string, string> = {};
  if (watermark && watermark.param !== "" && start !== null) query[watermark.param] = String(start);
  if (watermark && watermark.untilParam !== "" && end !== null) query[watermark.untilParam] = String(end);
  return { query, facts: { watermark: { start, end } } };
}

function formatted(iso: string, format: string): string | number {
  if (format === "epochSeconds") return Math.floor(Date.parse(iso) / 1000);
  if (format === "epochMilliseconds") return Date.parse(iso);
  return format === "date" ? iso.slice(0, 10) : iso;
}

/** A time range is kept here too: not every API can be asked for it. */
function within(
  page: { records: SourceRecord[]; bad: BadRecord[] },
  { since, until }: ReadRequest,
): { records: SourceRecord[]; bad?: BadRecord[] } {
  const [from, to] = [since?.toISOString(), until?.toISOString()];
  const isInside = ({ modifiedAt }: SourceRecord): boolean =>
    modifiedAt === undefined || ((!from || modifiedAt >= from) && (!to || modifiedAt < to));
  const records = from || to ? page.records.filter(isInside) : page.records;
  return page.bad.length > 0 ? { records, bad: page.bad } : { records };
}

function clockOf(headers: Readonly<Record<string, string>>, now: () => Date): string {
  const told = Date.parse(headers["date"] ?? "");
  return (Number.isNaN(told) ? now() : new Date(told)).toISOString();
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
