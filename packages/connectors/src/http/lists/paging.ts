/** Where the next page of a list is: one small state for each kind of paging, decided from the answer alone. */
import { compileSelector, ConnectorError } from "@accord/connector-sdk";
import type { HttpEntityConfig, HttpPaging } from "@accord/contracts/connections/http-entity";
import type { Value } from "@accord/contracts/data/values";
import { z } from "zod";

/** Where a page is. `seam`: id of the last record before it, by which is noticed that the list moved. */
export const PageCursor = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("start") }),
  z.strictObject({ kind: z.literal("page"), number: z.int(), seam: z.string().nullable().default(null) }),
  z.strictObject({ kind: z.literal("offset"), offset: z.int(), seam: z.string().nullable() }),
  z.strictObject({ kind: z.literal("cursor"), cursor: z.string() }),
  z.strictObject({ kind: z.literal("link"), url: z.string() }),
  z.strictObject({ kind: z.literal("after"), id: z.string() }),
]);
export type PageCursor = z.infer<typeof PageCursor>;
export const START: PageCursor = { kind: "start" };

export interface PageAnswer {
  json: Value;
  headers: Readonly<Record<string, string>>;
  /** Records on the page. */
  count: number;
  /** Id of the last record, when there is one. */
  lastId: string | null;
  /** Records behind this page by what the API tells of a total; null where nothing of use is told. */
  left: number | null;
  /** Records of the largest page of this pass, this one included. */
  largest: number;
  /** Pages without a record up to here, this one included. */
  emptyPages: number;
}

/** How many records a page is asked for; `wanted` unless the entity fixes a size. null: the API decides. */
export function pageSizeOf(paging: HttpPaging): number | null {
  if (paging.kind === "none") return null;
  if (paging.kind === "page" || paging.kind === "cursor") return paging.sizeParam === "" ? null : paging.size;
  return paging.kind === "offset" || paging.sizeParam !== "" ? paging.size : null;
}

export interface PageRequest {
  query: Record<string, string>;
  facts: { [name: string]: Value };
  leavesOutBlank: boolean;
  link?: string;
}

/** What to ask for: query parameters, facts for placeholders, or a whole address. */
export function pageRequest(
  { paging, leavesOutBlank }: Pick<HttpEntityConfig["list"], "paging" | "leavesOutBlank">,
  place: PageCursor,
): PageRequest {
  const query: Record<string, string> = {};
  const facts: { [name: string]: Value } = { page: null, offset: null, cursor: null, limit: pageSizeOf(paging) };
  const put = (param: string, value: string | number): void => {
    if (param !== "") query[param] = String(value);
  };
  switch (paging.kind) {
    case "none":
      break;
    case "page":
      facts["page"] = place.kind === "page" ? place.number : paging.firstPage;
      put(paging.pageParam, facts["page"]);
      put(paging.sizeParam, paging.size);
      break;
    case "offset": {
      facts["offset"] = place.kind === "offset" ? place.offset - overlapOf(place) : 0;
      put(paging.offsetParam, facts["offset"]);
      put(paging.limitParam, paging.size);
      break;
    }
    case "cursor":
      if (place.kind === "cursor") {
        facts["cursor"] = place.cursor;
        put(paging.cursorParam, place.cursor);
      }
      put(paging.sizeParam, paging.size);
      break;
    case "lastRecord":
      if (place.kind === "after") {
        facts["cursor"] = place.id;
        put(paging.param, place.id);
      }
      put(paging.sizeParam, paging.size);
      break;
    case "nextLink":
    case "linkHeader":
      if (place.kind === "link") return { query, facts, leavesOutBlank, link: place.url };
      put(paging.sizeParam, paging.size);
      break;
    default:
      paging satisfies never;
  }
  return { query, facts, leavesOutBlank };
}

/** Whether pages of this list are found by counting, so that only their records tell which is the last. */
export const isNumbered = ({ kind }: HttpPaging): boolean => kind === "page" || kind === "offset";

/** Whether the largest page so far is smaller than was asked for: the API may give no more, or the list is short. */
export function isBelowSize(paging: HttpPaging, largest: number): boolean {
  const size = pageSizeOf(paging);
  return isNumbered(paging) && size !== null && largest < size;
}

/** An offset page begins with the last record of the one before, as long as pages hold more than that one. */
const overlapOf = (place: PageCursor): number => (place.kind === "offset" && place.seam !== null ? 1 : 0);

/** How many records there are at least, by where the page stands. `read`: those of the pass, this page included. */
export const leastTotal = (place: PageCursor, count: number, read: number): number =>
  place.kind === "offset" ? place.offset - overlapOf(place) + count : read;

/**
 * Whether the page is the last by what the answer says, else by its size: a page of a list that is found by counting is
 * the last when it holds fewer records than an earlier one of the pass. How many were asked for decides nothing, since
 * many systems give fewer. Nor does a total that a page as large as any reaches: it may be the number on that page.
 */
function isLast({ list }: HttpEntityConfig, place: PageCursor, answer: PageAnswer): boolean {
  const { paging, stop, pagesAhead } = list;
  const { left } = answer;
  if (saysEnd(list, answer.json)) return true;
  if (answer.count - overlapOf(place) <= 0)
    return !namesNext(paging) || (left !== null && left <= 0) || namesNextAlways(list, answer);
  if (answer.count >= answer.largest) return false;
  if (left !== null && left <= 0) return true;
  if (!stop.shortPage || !isNumbered(paging) || pageSizeOf(paging) === null) return false;
  // Offsets ahead have been asked for by the size of a full page: after one that isn't, they would leave records out.
  const isAskedAhead = paging.kind === "offset" && pagesAhead > 0 && !isBelowSize(paging, answer.largest);
  return isAskedAhead || (left === null && stop.hasMoreSelector === "");
}

/** Whether the answer itself says that nothing follows. */
function saysEnd({ stop }: HttpEntityConfig["list"], json: Value): boolean {
  if (stop.endSelector !== "" && isYes(compileSelector(stop.endSelector)(json))) return true;
  return stop.hasMoreSelector !== "" && isNo(compileSelector(stop.hasMoreSelector)(json));
}

/**
 * Whether answers say where the next page is: one without records may stand before others, as where records are left
 * out after paging, or were deleted since the page before was answered.
 */
const namesNext = ({ kind }: HttpPaging): boolean => kind === "cursor" || kind === "nextLink" || kind === "linkHeader";

/** So many empty pages in a row, and nothing is described that says whether more follow: such an API names a next page at its end too. */
const MAX_EMPTY_PAGES = 20;
const namesNextAlways = ({ stop }: HttpEntityConfig["list"], { emptyPages }: PageAnswer): boolean =>
  emptyPages >= MAX_EMPTY_PAGES && stop.hasMoreSelector === "" && stop.endSelector === "";

/** Whether there are more records, but none on this page by which the next one could be asked for. */
export const isCutShort = ({ list }: HttpEntityConfig, { json, count }: Pick<PageAnswer, "json" | "count">): boolean =>
  list.paging.kind === "lastRecord" && count === 0 && list.stop.hasMoreSelector !== "" && !saysEnd(list, json);

/** The place after this page; null when it was the last. */
export function nextCursor(entity: HttpEntityConfig, place: PageCursor, answer: PageAnswer): PageCursor | null {
  const { paging, pagesAhead } = entity.list;
  if (paging.kind === "none" || isLast(entity, place, answer)) return null;
  switch (paging.kind) {
    case "page":
      return {
        kind: "page",
        number: (place.kind === "page" ? place.number : paging.firstPage) + 1,
        seam: pagesAhead > 0 || !paging.readAgain ? null : answer.lastId,
      };
    case "offset": {
      const offset = (place.kind === "offset" ? place.offset : 0) + answer.count - overlapOf(place);
      return { kind: "offset", offset, seam: pagesAhead > 0 || answer.largest === 1 ? null : answer.lastId };
    }
    case "cursor": {
      const cursor = compileSelector(paging.cursorSelector)(answer.json);
      if (cursor === null || cursor === undefined || cursor === "" || typeof cursor === "object") return null;
      return moved(entity, place, { kind: "cursor", cursor: String(cursor) }, answer);
    }
    case "nextLink": {
      const url = compileSelector(paging.linkSelector)(answer.json);
      return typeof url === "string" && url !== "" ? moved(entity, place, { kind: "link", url }, answer) : null;
    }
    case "linkHeader": {
      const url = nextInLinkHeader(answer.headers["link"] ?? "");
      return url === null ? null : moved(entity, place, { kind: "link", url }, answer);
    }
    case "lastRecord":
      if (answer.lastId !== null) return moved(entity, place, { kind: "after", id: answer.lastId }, answer);
      throw new ConnectorError("configuration", `The last record of a page has no ${entity.idField}.`, {
        hint: "The next page is asked for by it: choose the field that identifies a record.",
      });
    default:
      return paging satisfies never;
  }
}

/** How many records the API says there are; null when it says nothing. */
export function totalIn({ list }: HttpEntityConfig, json: Value): number | null {
  if (list.stop.totalSelector === "") return null;
  const total = Number(compileSelector(list.stop.totalSelector)(json) ?? Number.NaN);
  return Number.isFinite(total) ? total : null;
}

/**
 * An API that answers the same next page again would be asked for ever; null where its total says that this was all, or
 * where a page has no records and nothing says that there are more: so ends an export that names where to go on later.
 */
function moved(entity: HttpEntityConfig, from: PageCursor, to: PageCursor, answer: PageAnswer): PageCursor | null {
  if (JSON.stringify(from) !== JSON.stringify(to)) return to;
  const { count, left } = answer;
  if ((left !== null && left <= 0) || (count === 0 && entity.list.stop.hasMoreSelector === "")) return null;
  throw new ConnectorError("configuration", "The API names the same next page again and again.", {
    hint: "Check the path to the next cursor or link in this entity's paging.",
  });
}

const isYes = (value: Value | undefined): boolean => value === true || value === "true" || value === 1;

const isNo = (value: Value | undefined): boolean =>
  value === false || value === "false" || value === 0 || value === null || value === undefined;

/** The address marked `rel="next"` in a Link header. */
export function nextInLinkHeader(header: string): string | null {
  for (const part of header.slice(0, 10_000).split(/,(?=\s*<)/)) {
    const end = part.indexOf(">");
    const start = part.indexOf("<");
    if (start >= 0 && end > start && /;\s*rel="?next"?\s*(;|$)/i.test(part.slice(end)))
      return part.slice(start + 1, end);
  }
  return null;
}
