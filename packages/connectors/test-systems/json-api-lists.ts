/** How the register lists its companies: every kind of paging, and a search by POST. */
import type { Company, Habits } from "./json-api-habits.ts";

export type Reply = (status: number, json: unknown, headers?: Record<string, string>) => void;

/** Lists in the order of ids, or of changes; pages as the first part of the path says. */
export function listCompanies(all: Company[], style: string, url: URL, habits: Habits, reply: Reply): void {
  const query = url.searchParams;
  const after = query.get("updated_after");
  const email = query.get("email");
  const list = all
    .filter((company) => (!after || company.updated_at > after) && (!email || company.email === email))
    .sort((a, b) => (style !== "sorted" ? 0 : a.updated_at < b.updated_at ? -1 : 1));
  const asked = Number(query.get("size") ?? query.get("limit") ?? "1000");
  const size = Math.min(asked, habits.largestPage ?? asked);
  const place =
    style === "offset"
      ? Number(query.get("offset") ?? "0")
      : style === "page" || style === "sorted"
        ? (Number(query.get("page") ?? "1") - 1) * size
        : placeAfter(list, query.get("starting_after") ?? query.get("cursor"));
  const lastRecord = query.get("starting_after");
  if (lastRecord !== null && !list.some(({ id }) => String(id) === lastRecord))
    return reply(400, { error: { message: `No such company: ${lastRecord}` } });
  const isPastEnd = place > 0 && place >= list.length;
  const { pastEnd } = habits;
  if (isPastEnd && typeof pastEnd === "object")
    return reply(pastEnd.status, { error: { message: "There is no such page" } });
  const start = isPastEnd && pastEnd === "sameAgain" ? Math.max(0, Math.ceil(list.length / size) - 1) * size : place;
  const items = style === "all" ? list : list.slice(start, start + size);
  const more = start + items.length < list.length;
  const cursor = more ? String(items.at(-1)?.id) : null;
  const next = new URL(url);
  next.searchParams.set("cursor", cursor ?? "");
  const address = `${next.pathname}${next.search}`;
  if (style === "link")
    return reply(200, { items }, cursor ? { link: `<${address}>; rel="next", </first>; rel="first"` } : {});
  const answer = {
    items,
    total: list.length,
    has_more: more,
    next: style === "next" && cursor ? address : null,
    paging: { cursor },
  };
  reply(200, habits.change?.(answer) ?? answer);
}

const placeAfter = (list: Company[], cursor: string | null): number =>
  cursor === null || cursor === "" ? 0 : list.findIndex((company) => company.id > Number(cursor)) >>> 0;

/**
 * A search by POST, oldest changes first. Its cursors count records, so that a list that moves slides beneath them. It
 * takes members that hold nothing for errors, and refuses to go on past `habits.searchEnds` records.
 */
export function searchCompanies(all: Company[], body: string, habits: Habits, reply: Reply): void {
  const asked = JSON.parse(body) as { updated_after?: string; after?: string; limit?: number };
  if (Object.values(asked).includes(null as never)) return reply(400, { error: { message: "null is no value" } });
  const { updated_after: since = "", after = "0", limit = 1000 } = asked;
  const list = all
    .filter((company) => company.updated_at > since)
    .sort((a, b) => (a.updated_at < b.updated_at ? -1 : 1));
  const end = Number(after) + limit;
  if (habits.searchEnds !== undefined && end > habits.searchEnds)
    return reply(400, { error: { message: `A search ends at ${habits.searchEnds}` } });
  const results = list.slice(Number(after), end);
  reply(200, { total: list.length, results, paging: end < list.length ? { next: { after: String(end) } } : undefined });
}
