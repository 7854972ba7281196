/** Which paging an answer speaks of: a next link, a cursor, numbers of pages, an offset; likeliest first. */
import { childPath } from "@accord/connector-sdk";
import { type HttpPaging, HttpPaging as HttpPagingParser } from "@accord/contracts/connections/http-entity";
import { isExactNumber, plainNumber } from "@accord/contracts/data/exact-number";
import type { Value } from "@accord/contracts/data/values";

export interface PagingProposed {
  paging: HttpPaging;
  /** A path into the answer, or the name of a header. */
  foundAt: string;
  stop: { totalSelector?: string; hasMoreSelector?: string };
}

interface Member {
  /** The name in lower case without separators: `nextPageToken` and `next_page_token` are one. */
  key: string;
  name: string;
  path: string;
  value: Value;
}

/** `records`: where the records are; what they hold says nothing of the list. `asked`: the address that was called. */
export function proposePaging(
  json: Value,
  headers: Readonly<Record<string, string>>,
  { records, asked }: { records: string; asked: URL },
): PagingProposed[] {
  const members = membersOf(json, records);
  const stop = stopIn(members);
  const found = [
    linkHeaderIn(headers),
    nextLinkIn(members),
    cursorIn(members),
    offsetIn(members, asked),
    pageNumberIn(members, asked),
    lastRecordIn(members),
  ];
  return found.flatMap((proposal) => (proposal ? [{ ...proposal, stop: stopOf(proposal.paging, stop) }] : []));
}

const DEPTH = 3;

/** Members outside the records. */
function membersOf(json: Value, records: string): Member[] {
  const members: Member[] = [];
  const visit = (value: Value, path: string, depth: number): void => {
    if (typeof value !== "object" || value === null || Array.isArray(value) || isExactNumber(value) || depth === 0)
      return;
    for (const [name, inner] of Object.entries(value)) {
      const at = childPath(path, name);
      if (at === records) continue;
      members.push({ key: name.toLowerCase().replace(/[^a-z0-9]/g, ""), name, path: at, value: inner });
      visit(inner, at, depth - 1);
    }
  };
  visit(json, "", DEPTH);
  return members;
}

type Found = Omit<PagingProposed, "stop"> | null;

function linkHeaderIn(headers: Readonly<Record<string, string>>): Found {
  const isNext = /<[^>]+>\s*;[^,]*\brel\s*=\s*"?next\b/i.test(headers["link"] ?? "");
  return isNext ? { paging: HttpPagingParser.parse({ kind: "linkHeader" }), foundAt: "Link" } : null;
}

const isAddress = (value: Value): boolean => typeof value === "string" && /^(https?:\/\/|\/|\?)/.test(value);

function nextLinkIn(members: readonly Member[]): Found {
  const next = members.find(({ key, path, value }) => isAddress(value) && (/next/.test(key) || /\bnext\b/i.test(path)));
  return next
    ? { paging: HttpPagingParser.parse({ kind: "nextLink", linkSelector: next.path }), foundAt: next.path }
    : null;
}

const CURSOR =
  /^(next|nextcursor|cursor|nextpagetoken|pagetoken|nexttoken|continuationtoken|continuation|endcursor|after|nextpagecursor|scrollid|bookmark)$/;

function cursorIn(members: readonly Member[]): Found {
  const cursor = members.find(
    ({ key, value }) =>
      CURSOR.test(key) &&
      ((typeof value === "string" && value !== "" && !isAddress(value)) || numberOf(value) !== null),
  );
  if (!cursor) return null;
  const cursorParam = paramOf(cursor);
  return {
    paging: HttpPagingParser.parse({ kind: "cursor", cursorSelector: cursor.path, cursorParam }),
    foundAt: cursor.path,
  };
}

/** What the parameter is usually called that takes such a cursor. */
function paramOf({ key, name }: Member): string {
  if (key === "nextpagetoken" || key === "pagetoken") return /_/.test(name) ? "page_token" : "pageToken";
  if (key === "nexttoken") return /_/.test(name) ? "next_token" : "nextToken";
  if (key === "endcursor" || key === "after") return "after";
  if (key.startsWith("continuation")) return name;
  if (key === "scrollid" || key === "bookmark") return name;
  return "cursor";
}

function offsetIn(members: readonly Member[], asked: URL): Found {
  const offset = members.find(
    ({ key, value }) => /^(offset|skip|startat|startindex)$/.test(key) && numberOf(value) !== null,
  );
  const param = [...asked.searchParams.keys()].find((name) => /^(offset|skip|startAt|\$skip)$/i.test(name));
  if (!offset && !param) return null;
  const size = sizeIn(members, asked);
  return {
    paging: HttpPagingParser.parse({
      kind: "offset",
      offsetParam: param ?? offset?.name ?? "offset",
      limitParam: size.param || "limit",
      ...(size.size && { size: size.size }),
    }),
    foundAt: offset?.path ?? asked.search,
  };
}

function pageNumberIn(members: readonly Member[], asked: URL): Found {
  const page = members.find(
    ({ key, value }) => /^(page|currentpage|pagenumber|pageno|pageindex)$/.test(key) && numberOf(value) !== null,
  );
  const pages = members.find(
    ({ key, value }) => /^(totalpages|pages|pagecount|lastpage)$/.test(key) && numberOf(value) !== null,
  );
  const param = [...asked.searchParams.keys()].find((name) =>
    /^(page|p|pageNumber|page_number|page\[number\])$/i.test(name),
  );
  if (!page && !pages && !param) return null;
  const size = sizeIn(members, asked);
  const first = numberOf(page?.value ?? null) === 0 ? 0 : 1;
  return {
    paging: HttpPagingParser.parse({
      kind: "page",
      pageParam: param ?? "page",
      firstPage: first,
      sizeParam: size.param,
      ...(size.size && { size: size.size }),
    }),
    foundAt: page?.path ?? pages?.path ?? asked.search,
  };
}

const SIZE_PARAM = /^(limit|per_?page|page_?size|count|size|max_?results|top|\$top|page\[size\])$/i;

/** How many records a page is asked for, and by which parameter. */
function sizeIn(members: readonly Member[], asked: URL): { param: string; size: number | null } {
  const param = [...asked.searchParams.keys()].find((name) => SIZE_PARAM.test(name));
  const size = Number(asked.searchParams.get(param ?? ""));
  if (param) return { param, size: size >= 1 && size <= 10_000 ? size : null };
  const shown = members.find(
    ({ key, value }) => /^(limit|perpage|pagesize|maxresults)$/.test(key) && (numberOf(value) ?? 0) >= 1,
  );
  const number = shown ? numberOf(shown.value) : null;
  return { param: shown?.name ?? "", size: number !== null && number <= 10_000 ? number : null };
}

/** Only where the answer says that more follow and names no place: the last record's id is it then. */
function lastRecordIn(members: readonly Member[]): Found {
  const more = members.find(({ key, value }) => /^hasmore$/.test(key) && value === true);
  return more ? { paging: HttpPagingParser.parse({ kind: "lastRecord" }), foundAt: more.path } : null;
}

interface Stops {
  total?: string;
  hasMore?: string;
}

function stopIn(members: readonly Member[]): Stops {
  const total = members.find(
    ({ key, value }) =>
      /^(total|totalcount|totalrecords|totalitems|totalresults|totalsize)$/.test(key) && numberOf(value) !== null,
  );
  const more = members.find(
    ({ key, value }) => /^(hasmore|hasnext|hasnextpage|more)$/.test(key) && typeof value === "boolean",
  );
  return { ...(total && { total: total.path }), ...(more && { hasMore: more.path }) };
}

const stopOf = ({ kind }: HttpPaging, { total, hasMore }: Stops): PagingProposed["stop"] => ({
  ...(total !== undefined && (kind === "page" || kind === "offset") && { totalSelector: total }),
  ...(hasMore !== undefined && { hasMoreSelector: hasMore }),
});

function numberOf(value: Value): number | null {
  if (typeof value === "number") return value;
  if (!isExactNumber(value)) return null;
  const plain = plainNumber(value);
  return typeof plain === "number" ? plain : null;
}
