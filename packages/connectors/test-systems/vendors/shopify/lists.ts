/** How Shopify lists: filters, orders, and pages that are followed by the links of the answer alone. */
import { isObject, wholeNumber, type Json } from "../kit.ts";
import type { Call, Reply } from "../server.ts";
import { refuse } from "./records.ts";

const MAX_LIMIT = 250;
const SORTABLE = new Set(["id", "created_at", "updated_at", "processed_at", "title", "name"]);
/** Allowed beside `page_info`. */
const WITH_PAGE = new Set(["page_info", "limit", "fields"]);

const textOf = (query: URLSearchParams, name: string): string | null => query.get(name) || null;

function filtered(all: Json[], query: URLSearchParams, resource: string): Json[] {
  const bound = (name: string): number | null => {
    const text = textOf(query, name);
    if (text === null) return null;
    const at = Date.parse(text);
    return Number.isNaN(at) ? refuse(400, { [name]: "Invalid value." }) : at;
  };
  const bounds = ["created_at", "updated_at"].map((name) => ({
    name,
    min: bound(`${name}_min`) ?? -Infinity,
    max: bound(`${name}_max`) ?? Infinity,
  }));
  const ids = textOf(query, "ids")?.split(",").map(Number);
  const since = textOf(query, "since_id");
  const status = query.get("status") ?? (resource === "orders" ? "open" : null);
  const hasStatus = (record: Json): boolean => {
    if (status === null || status === "any" || resource === "customers") return true;
    if (resource === "products") return status.split(",").includes(String(record["status"]));
    if (status === "cancelled") return record["cancelled_at"] !== null;
    return (record["closed_at"] !== null) === (status === "closed") && record["cancelled_at"] === null;
  };
  return all.filter(
    (record) =>
      bounds.every(({ name, min, max }) => {
        const at = Date.parse(String(record[name]));
        return at >= min && at <= max;
      }) &&
      (ids === undefined || ids.includes(Number(record["id"]))) &&
      (since === null || Number(record["id"]) > Number(since)) &&
      hasStatus(record),
  );
}

const compare = (left: unknown, right: unknown): number =>
  typeof left === "number" && typeof right === "number"
    ? left - right
    : String(left) < String(right)
      ? -1
      : Number(String(left) > String(right));

/** Records in the order that was asked for; after an id by their ids, else newest first. */
function ordered(records: Json[], query: URLSearchParams): { records: Json[]; after: (a: Json, b: Json) => number } {
  const [field = "", direction = "asc"] = (textOf(query, "order") ?? "id desc").trim().split(/\s+/);
  const isSince = textOf(query, "since_id") !== null;
  if (!isSince && (!SORTABLE.has(field) || !/^(asc|desc)$/i.test(direction))) refuse(400, { order: "Invalid value." });
  const by = isSince ? "id" : field;
  const sign = !isSince && direction.toLowerCase() === "desc" ? -1 : 1;
  const after = (a: Json, b: Json) => (compare(a[by], b[by]) || compare(a["id"], b["id"])) * sign;
  return { records: records.toSorted(after), after };
}

interface Place {
  query: string;
  /** The record at the page's edge. */
  edge: Json;
  direction: "next" | "previous";
}

const tokenOf = (place: Place): string => Buffer.from(JSON.stringify(place)).toString("base64url");

function placeOf(token: string): Place {
  try {
    const read: unknown = JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
    if (isObject(read) && typeof read["query"] === "string" && isObject(read["edge"]))
      return {
        query: read["query"],
        edge: read["edge"],
        direction: read["direction"] === "next" ? "next" : "previous",
      };
  } catch {
    // Not one of ours: refused below.
  }
  return refuse(400, { page_info: "Invalid value." });
}

export function countOf(call: Call, all: Json[], resource: string): Reply {
  return { status: 200, body: { count: filtered(all, call.query, resource).length } };
}

export function narrowed(record: Json, fields: string | null): Json {
  if (!fields) return record;
  const wanted = new Set(fields.split(",").map((name) => name.trim()));
  return Object.fromEntries(Object.entries(record).filter(([name]) => wanted.has(name)));
}

export function listOf(call: Call, all: Json[], resource: string): Reply {
  const token = textOf(call.query, "page_info");
  const other = [...call.query.keys()].find((name) => !WITH_PAGE.has(name));
  if (token !== null && other !== undefined)
    refuse(400, {
      [other]: `${other} cannot be passed when page_info is present. See https://shopify.dev/api/usage/pagination-rest for more information.`,
    });
  const place = token === null ? null : placeOf(token);
  const query = place ? new URLSearchParams(place.query) : call.query;
  const limit = Math.min(wholeNumber(call.query.get("limit") ?? "50", 1, 1_000_000) ?? 50, MAX_LIMIT);
  const { records, after } = ordered(filtered(all, query, resource), query);
  const rest = !place
    ? records
    : records.filter((record) => after(record, place.edge) * (place.direction === "next" ? 1 : -1) > 0);
  const page = place?.direction === "previous" ? rest.slice(-limit) : rest.slice(0, limit);

  const fields = call.query.get("fields");
  const link = (edge: Json | undefined, direction: Place["direction"]): string[] => {
    const isMore = edge && records.some((record) => after(record, edge) * (direction === "next" ? 1 : -1) > 0);
    if (!edge || !isMore) return [];
    const { id, created_at, updated_at, processed_at, title, name } = edge;
    const kept = { id, created_at, updated_at, processed_at, title, name };
    const page_info = tokenOf({ query: query.toString(), edge: kept, direction });
    const next = new URLSearchParams({ limit: String(limit), ...(fields !== null && { fields }), page_info });
    return [`<http://${call.headers["host"] ?? ""}${call.path}?${next}>; rel="${direction}"`];
  };
  const links = [...link(page[0], "previous"), ...link(page.at(-1), "next")];
  return {
    status: 200,
    headers: links.length > 0 ? { link: links.join(", ") } : {},
    body: { [resource]: page.map((record) => narrowed(record, fields)) },
  };
}
