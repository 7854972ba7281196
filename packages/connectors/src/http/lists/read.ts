/**
 * Reads an entity's list pass by pass. A pass asks for what changed since the last one began (by the system's own clock,
 * with an overlap), or for everything where the API can't be asked. Lists that move while they are paged lose nothing:
 * sorted ones go on from the last time stamp, numbered pages are checked at the seams, and a pass during which something
 * changed is read again from where it began.
 */
import {
  ConnectorError,
  type BadRecord,
  type PageWarning,
  type ReadPage,
  type ReadRequest,
  type SourceRecord,
} from "@accord/connector-sdk";
import type { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import type { HttpClient } from "../client.ts";
import { askedList } from "./asked-list.ts";
import { fetchPage, type Fetched } from "./fetch-page.ts";
import { following, leftOf } from "./following.ts";
import { isBelowSize, isCutShort, isNumbered, leastTotal, START, totalIn, type PageCursor } from "./paging.ts";
import { BEGINNING, newPass, pagesAhead, parsePosition, startOf, type Pass, type Position } from "./position.ts";
import { describedId, mapRecords, type RecordMap } from "../records.ts";
import { finished, noneThere, restarted, type Restarts } from "./restarts.ts";
import { isSamePage, markOf, overlapSeam, rereadSeam, type Seam } from "./seams.ts";
import { clockOf, firstMoment, type SourceClock } from "./watermark.ts";

/** A system that never rests is not read over and over: after this many times the position moves on. */
const MAX_REREADS = 3;
/** Clocks are told by the second. */
const CLOCK_PRECISION_MS = 2_000;

export interface ListReader {
  entity: HttpEntityConfig;
  client: HttpClient;
  now(): Date;
  restarts: Restarts;
  /** What is missing counts as deleted: a list that ends before its own total is no list. */
  mustBeWhole?: boolean;
}

export async function readList(described: ListReader, request: ReadRequest): Promise<ReadPage> {
  const stored = request.cursor === null ? BEGINNING : parsePosition(request.cursor);
  const { entity, isOfChanges, position: from } = askedList(described.entity, stored, request);
  const reader = { ...described, entity };
  const map = mapRecords(entity, request.entity, request.fields);
  const next = await nextPage(reader, request, from, map);
  if ("restart" in next) return { records: [], cursor: next.restart, drained: false };
  const { position, fetched } = next;
  const isPassedOver = isCutShort(entity, { json: fetched.json, count: fetched.records.length });
  if (isPassedOver) return { records: [], cursor: restarted(reader, request, position, noneThere), drained: false };
  const place = position.pass?.at ?? START;
  const seam = await seamOf(reader, request, position, fetched, map);
  const inRange = within(map.read(seam.records), request);
  const clock = clockOf(fetched.answer.headers, reader.now());
  const before = position.pass ?? newPass(clock, isOfChanges);
  const pass = seen(before, { entity, place, fetched, seam, records: inRange.records, map });
  guardEnd(entity, pass.pages);
  const goesOn = following(entity, pass, place, {
    json: fetched.json,
    headers: fetched.answer.headers,
    count: fetched.records.length,
    lastId: lastIdOf(entity, map, fetched),
    lastTime: inRange.records.at(-1)?.modifiedAt,
  });
  const warnings = warningsOf(entity, pass, goesOn === null);
  const page = { ...inRange, ...(warnings.length > 0 && { warnings }) };
  if (goesOn === null) {
    finished(reader, request);
    return { ...page, ...endOf(reader, request, position, pass) };
  }
  const cursor: Position = { ...position, pass: { ...pass, ...goesOn } };
  return { ...page, cursor, drained: false, ahead: pagesAhead(entity, cursor) };
}

/** The page at the position; a first read learns the system's clock from it, and asks again where that is another one. */
async function nextPage(
  reader: ListReader,
  request: ReadRequest,
  position: Position,
  map: Pick<RecordMap, "idOf">,
): Promise<{ position: Position; fetched: Fetched } | { restart: Position }> {
  const { watermark } = reader.entity.list;
  const { mode, since } = request;
  if (request.cursor !== null || mode !== "changes" || !since || !watermark) {
    const fetched = await pageAt(reader, request, position, map);
    return "restart" in fetched ? fetched : { position, fetched };
  }
  const ownClock: SourceClock = { now: reader.now().toISOString(), isSource: false };
  const own = { ...BEGINNING, since: firstMoment(since, ownClock, reader.now(), watermark.overlapSeconds) };
  const fetched = await fetchPage(reader, request, own.since, START);
  const clock = clockOf(fetched.answer.headers, reader.now());
  const theirs = { ...BEGINNING, since: firstMoment(since, clock, reader.now(), watermark.overlapSeconds) };
  const difference = Math.abs(Date.parse(theirs.since) - Date.parse(own.since));
  if (difference <= Math.max(watermark.overlapSeconds * 1000, CLOCK_PRECISION_MS)) return { position: own, fetched };
  return { position: theirs, fetched: await fetchPage(reader, request, theirs.since, START) };
}

/**
 * What systems answer where there is no such page, after pages that were all smaller than asked for or as many records
 * as they told. As a refusal of the request itself it is taken for one only after so many, or right after the first
 * page, by which the request is known to be good.
 */
const NO_SUCH_PAGE = [404, 410, 416];
const NO_SUCH_REQUEST = [400, 422];

/**
 * What systems answer to the id of a record that has been deleted since the page before, where they don't just go on
 * behind its place, and to a cursor or address of a page that they keep no longer: all last for some time, a position
 * may be older. All else of the request is the same as for the page before, which they answered.
 */
const NO_SUCH_PLACE = [400, 404, 410, 422];
const isNamedByAnswer = ({ kind }: PageCursor): boolean => kind === "after" || kind === "cursor" || kind === "link";

const anew = (position: Position): Position => ({ since: position.since, again: position.again + 1, pass: null });

/** The API pages by its own id, whatever field a person chose to identify records by. */
const lastIdOf = (entity: HttpEntityConfig, { idOf }: Pick<RecordMap, "idOf">, { records }: Fetched): string | null =>
  (entity.list.paging.kind === "lastRecord" ? describedId(entity) : idOf)(records.at(-1));

/**
 * A system that gives the same page again, whatever is asked for, has no further one. `restart`: the place is gone where the page
 * would begin, so the pass has to begin anew.
 */
async function pageAt(
  reader: ListReader,
  request: ReadRequest,
  position: Position,
  { idOf }: Pick<RecordMap, "idOf">,
): Promise<Fetched | { restart: Position }> {
  const { pass } = position;
  const since = startOf(position, request);
  if (!pass) return fetchPage(reader, request, since, START);
  // Behind as many records as the total says there is no further page, whatever an answer named.
  if (isNamedByAnswer(pass.at) && leftOf(pass) !== 0) {
    const fetched = await fetchPage(reader, request, since, pass.at, NO_SUCH_PLACE);
    if (!fetched.isPastEnd) return fetched;
    return { restart: restarted(reader, request, position, () => reader.client.refusal(fetched.answer)) };
  }
  const isAll = leftOf(pass) === 0;
  const isOpen = isAll || isBelowSize(reader.entity.list.paging, pass.largest);
  const pastEnd = isOpen ? [...NO_SUCH_PAGE, ...(isAll || pass.pages === 1 ? NO_SUCH_REQUEST : [])] : [];
  const fetched = await fetchPage(reader, request, since, pass.at, pastEnd);
  const { last, at } = pass;
  if (!last || at.kind === "start" || !isNumbered(reader.entity.list.paging)) return fetched;
  if (!isSamePage(last, markOf(at, fetched.records, idOf))) return fetched;
  // Records may also have been added in front, as many as a page holds: then the page before shows others by now.
  const before = await fetchPage(reader, request, since, last.at);
  return isSamePage(last, markOf(last.at, before.records, idOf))
    ? { ...fetched, records: [], isPastEnd: true }
    : fetched;
}

async function seamOf(
  reader: ListReader,
  request: ReadRequest,
  position: Position,
  { records, isPastEnd }: Fetched,
  { idOf }: Pick<RecordMap, "idOf">,
): Promise<Seam> {
  const { pass } = position;
  const place = pass?.at ?? START;
  // After a short first page an empty one shows that there are no seams.
  const isOnlyPage = pass?.pages === 1 && isBelowSize(reader.entity.list.paging, pass.largest);
  if (isPastEnd || (isOnlyPage && place.kind === "page" && records.length === 0)) return { records: [], moved: false };
  if (place.kind !== "page" || place.seam === null) return overlapSeam(place, records, idOf);
  const before: PageCursor = { kind: "page", number: place.number - 1, seam: null };
  const again = await fetchPage(reader, request, startOf(position, request), before);
  return rereadSeam(place.seam, records, again.records, idOf);
}

interface FingerprintedPage {
  entity: HttpEntityConfig;
  place: PageCursor;
  fetched: Fetched;
  seam: Seam;
  records: readonly SourceRecord[];
  map: Pick<RecordMap, "idOf">;
}

/** The pass with one page more. */
function seen(pass: Pass, { entity, place, fetched, seam, records, map }: FingerprintedPage): Pass {
  const count = fetched.records.length;
  const answered = fetched.isPastEnd ? pass.total : totalIn(entity, fetched.json);
  // Whatever was added or removed meanwhile: the list reached to the end of this page when the answer was made.
  const isMore =
    answered !== null && pass.step === null && count > 0 && answered < leastTotal(place, count, pass.read + count);
  const isTotalWrong = pass.isTotalWrong || isMore;
  const total = isTotalWrong ? null : answered;
  // Where nothing is left, nothing has slid past.
  const hasShrunk = total !== null && total > 0 && pass.total !== null && total < pass.total;
  const isOverlap = place.kind === "offset" && place.seam !== null && !seam.moved && count > 0;
  const added = count - (isOverlap ? 1 : 0);
  const times = records.flatMap(({ modifiedAt }) => modifiedAt ?? []);
  return {
    ...pass,
    pages: pass.pages + 1,
    read: pass.read + added,
    stepRead: pass.stepRead + added,
    largest: Math.max(pass.largest, count),
    emptyPages: count === 0 ? pass.emptyPages + 1 : 0,
    last: markOf(place, fetched.records, map.idOf),
    total,
    isTotalWrong,
    newest: times.reduce((newest, time) => (newest === null || time > newest ? time : newest), pass.newest),
    moved: pass.moved || seam.moved || hasShrunk,
    changed: pass.changed || times.some((time) => time >= pass.began),
  };
}

const wrongTotal = ({ list }: HttpEntityConfig): PageWarning => ({
  code: "total_too_small",
  message:
    `There are more records than the answers tell at "${list.stop.totalSelector}", so that is not taken for their number. ` +
    "In the entity's description, leave stop.totalSelector blank, or enter where the number of all records is told.",
});

const unreachedTotal = ({ list }: HttpEntityConfig, { read, total }: Pass): PageWarning => ({
  code: "total_not_reached",
  message:
    `The list ended after ${read} records, though the answers tell at "${list.stop.totalSelector}" that there are ${total}. ` +
    "Such a list doesn't count as complete: what is deleted there is not noticed. In the entity's description, check the paging " +
    "and its stop rules; leave stop.totalSelector blank if that is not the number of records in the list.",
});

/**
 * What is to be changed in the description, by what its total has to do with what was read. Said once a pass, at its end:
 * a cycle that reads a source to its end withdraws the warnings it does not give itself.
 */
function warningsOf(entity: HttpEntityConfig, pass: Pass, isEnd: boolean): PageWarning[] {
  if (pass.isTotalWrong) return isEnd ? [wrongTotal(entity)] : [];
  // A list that moved while it was paged may have lost records since its total was told.
  const isUnreached = isEnd && !pass.moved && (leftOf(pass) ?? 0) > 0;
  return isUnreached ? [unreachedTotal(entity, pass)] : [];
}

/** The position after a pass: it moves on unless the pass was disturbed where that can hide records. */
function endOf(
  { entity, mustBeWhole }: ListReader,
  { mode }: ReadRequest,
  position: Position,
  pass: Pass,
): Pick<ReadPage, "cursor" | "drained"> {
  const { watermark, paging } = entity.list;
  const isPaged = pass.moved || pass.read > pass.largest;
  const slides = isNumbered(paging) && isPaged && !watermark?.sorted;
  const mayReadAgain = slides && position.again < MAX_REREADS;
  const again = anew(position);
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
