/** How HubSpot lists and searches records, and the form of its refusals. */
import { randomUUID } from "node:crypto";
import type { ObjectKind } from "./properties.ts";
import { isObject, Refusal, wholeNumber, type Json } from "../kit.ts";
import type { Call } from "../server.ts";

export interface HubspotRecord {
  id: string;
  properties: Record<string, string | null>;
  createdAt: string;
  updatedAt: string;
  archived: boolean;
  archivedAt?: string;
}

export interface Store {
  kind: ObjectKind;
  plural: string;
  records: Map<string, HubspotRecord>;
}

const SEARCH_WINDOW = 10_000;

export function refuse(status: number, category: string, message: string, rest: Json = {}): never {
  const correlationId = randomUUID();
  throw new Refusal({ status, body: { status: "error", message, correlationId, category, ...rest } });
}
export const invalid = (message: string, rest: Json = {}): never => refuse(400, "VALIDATION_ERROR", message, rest);
export const absent = (): never => refuse(404, "OBJECT_NOT_FOUND", "resource not found");

/** With the properties that were asked for and those that always come; unknown ones are left out. */
export function shown({ kind }: Store, record: HubspotRecord, asked: string[] | null): Json {
  const known = (asked ?? []).filter((name) => kind.properties.some((one) => one.name === name));
  const always = ["createdate", "hs_object_id", kind.changed];
  const names = asked === null ? kind.shown : [...new Set([...always, ...known])];
  const { id, createdAt, updatedAt, archived, archivedAt } = record;
  const properties = Object.fromEntries(names.toSorted().map((name) => [name, record.properties[name] ?? null]));
  return { id, properties, createdAt, updatedAt, archived, ...(archivedAt && { archivedAt }) };
}

export const askedOf = (query: URLSearchParams): string[] | null =>
  query.has("properties")
    ? query.getAll("properties").flatMap((names) => names.split(",").map((one) => one.trim()))
    : null;

function page(list: Json[], after: unknown, limit: number, link: string | null): Json {
  const start = after === undefined || after === null || after === "" ? 0 : wholeNumber(String(after), 0, 1e15);
  if (start === null) return invalid("Invalid after: the paging cursor was not one that was given out");
  const results = list.slice(start, start + limit);
  const next = String(start + limit);
  const paging = { next: { after: next, ...(link !== null && { link: `${link}after=${next}` }) } };
  return { results, ...(start + limit < list.length && { paging }) };
}

/** Whether a record fits one condition of a search. */
function fits({ kind }: Store, record: HubspotRecord, filter: unknown): boolean {
  if (!isObject(filter)) return invalid("Invalid input JSON: a filter must be an object");
  const { propertyName, operator, value, values, highValue } = filter;
  const property = kind.properties.find((one) => one.name === propertyName);
  if (!property)
    return invalid(`There was a problem with the request: property ${String(propertyName)} does not exist`);
  const held = record.properties[property.name] ?? null;
  const isTime = property.type === "date" || property.type === "datetime";
  const comparable = (text: unknown): number | string => {
    if (isTime) return /^\d+$/.test(String(text)) ? Number(text) : Date.parse(String(text));
    return property.type === "number" ? Number(text) : String(text).toLowerCase();
  };
  const list = Array.isArray(values) ? values.map(comparable) : [];
  if (operator === "HAS_PROPERTY") return held !== null;
  if (operator === "NOT_HAS_PROPERTY") return held === null;
  if (operator === "NEQ") return held === null || comparable(held) !== comparable(value);
  if (operator === "NOT_IN") return held !== null && !list.includes(comparable(held));
  const isHeld = (test: (own: number | string) => boolean): boolean => held !== null && test(comparable(held));
  switch (operator) {
    case "EQ":
      return isHeld((own) => own === comparable(value));
    case "GT":
      return isHeld((own) => own > comparable(value));
    case "GTE":
      return isHeld((own) => own >= comparable(value));
    case "LT":
      return isHeld((own) => own < comparable(value));
    case "LTE":
      return isHeld((own) => own <= comparable(value));
    case "BETWEEN":
      return isHeld((own) => own >= comparable(value) && own <= comparable(highValue));
    case "IN":
      return isHeld((own) => list.includes(own));
    case "CONTAINS_TOKEN":
      return isHeld((own) => String(own).includes(String(value).replaceAll("*", "").toLowerCase()));
    default:
      return invalid(`Invalid input JSON: ${String(operator)} is not a filter operator`);
  }
}

export function search(store: Store, body: unknown): Json {
  if (!isObject(body)) return invalid("Invalid input JSON on line 1, column 1");
  const { filterGroups = [], sorts = [], properties = null, limit = 10, after } = body;
  const size = wholeNumber(String(limit), 0, 200) ?? invalid("limit must be at most 200");
  if (!Array.isArray(filterGroups) || filterGroups.length > 5) return invalid("There can be at most 5 filterGroups");
  const groups = filterGroups.map((group: unknown) => {
    const filters = isObject(group) ? group["filters"] : undefined;
    return Array.isArray(filters) && filters.length <= 6 ? filters : invalid("A group has at most 6 filters");
  });
  if (Number(after ?? 0) + size > SEARCH_WINDOW)
    return invalid(`Search results can be paged up to ${SEARCH_WINDOW} in total`);
  if (!Array.isArray(sorts) || sorts.length > 1) return invalid("There can be at most one sort");
  const sort: unknown = sorts[0];
  const key = isObject(sort) ? String(sort["propertyName"]) : typeof sort === "string" ? sort : "hs_object_id";
  const isDown = isObject(sort) && sort["direction"] === "DESCENDING";
  const type = store.kind.properties.find((one) => one.name === key)?.type;
  const rank = ({ properties: held }: HubspotRecord): number | string =>
    type === "number" ? Number(held[key] ?? 0) : (held[key] ?? "");
  const found = [...store.records.values()]
    .filter((record) => !record.archived)
    .filter(
      (record) => groups.length === 0 || groups.some((all) => all.every((one: unknown) => fits(store, record, one))),
    )
    .sort((one, other) => (rank(one) < rank(other) ? -1 : rank(one) > rank(other) ? 1 : 0) * (isDown ? -1 : 1));
  const asked = Array.isArray(properties) && properties.length > 0 ? properties.map(String) : null;
  const results = found.map((record) => shown(store, record, asked));
  return { total: found.length, ...page(results, after, size, null) };
}

export function listed(store: Store, call: Call): Json {
  const { query } = call;
  const limit = wholeNumber(query.get("limit") ?? "10", 1, 100) ?? invalid("limit must be between 1 and 100");
  const isArchived = query.get("archived") === "true";
  const all = [...store.records.values()].filter(({ archived }) => archived === isArchived);
  const rest = new URLSearchParams(query);
  rest.delete("after");
  const link = `https://api.hubapi.com${call.path}?${rest.size > 0 ? `${rest}&` : ""}`;
  return page(
    all.map((record) => shown(store, record, askedOf(query))),
    query.get("after"),
    limit,
    link,
  );
}
