/** What the simulated Zendesk answers to readers of many records: lists, a search, incremental exports, metadata. */
import type { Call, Reply } from "../server.ts";
import {
  shownRecord,
  ZENDESK_ORGANIZATION_FIELD,
  ZENDESK_TICKET_FIELD,
  ZENDESK_USER_FIELD,
  type ZendeskKind,
  type ZendeskRecord,
  type ZendeskWorld,
} from "./records.ts";

export interface ExportingWorld extends ZendeskWorld {
  /** When each record changed last, counted; exports go by it, as times in seconds leave order open. */
  revisions: Map<number, number>;
  lastRevision: number;
  hidesLastMinute: boolean;
}

export const KINDS: Readonly<Record<string, ZendeskKind>> = {
  tickets: "tickets",
  users: "users",
  organizations: "organizations",
};
export const noSuchPath = (): Reply => ({
  status: 404,
  body: { error: { title: "Not Found", message: "There is nothing at this address." } },
});

function field(type: string, more: Record<string, unknown>) {
  return {
    type,
    active: true,
    position: 1,
    created_at: "2024-01-01T00:00:00Z",
    updated_at: "2024-01-01T00:00:00Z",
    ...more,
  };
}

export const FIELDS: Readonly<Record<string, unknown>> = {
  ticket_fields: {
    ticket_fields: [
      field("subject", { id: 360_000_000_001, title: "Subject", required: false, removable: false }),
      field("text", { id: ZENDESK_TICKET_FIELD, title: "Serial number", required: false, removable: true }),
    ],
    count: 2,
    next_page: null,
    previous_page: null,
  },
  user_fields: {
    user_fields: [field("text", { id: 75, key: ZENDESK_USER_FIELD, title: "Membership", system: false })],
    count: 1,
    next_page: null,
    previous_page: null,
  },
  organization_fields: {
    organization_fields: [field("text", { id: 76, key: ZENDESK_ORGANIZATION_FIELD, title: "Region", system: false })],
    count: 1,
    next_page: null,
    previous_page: null,
  },
};

const number = (text: string | null, otherwise: number): number =>
  text !== null && /^\d+$/.test(text) && Number(text) > 0 ? Number(text) : otherwise;
const encoded = (place: string): string => Buffer.from(place).toString("base64url");
const decoded = (cursor: string): number => Number(Buffer.from(cursor, "base64url").toString("utf8"));
const badRequest = (error: string, description: string): Reply => ({ status: 400, body: { error, description } });

/** By cursor with `page[size]`, otherwise by page number; deleted users are left out. */
export function listed(world: ExportingWorld, call: Call, base: string, kind: ZendeskKind): Reply {
  const all = [...world.records[kind].values()].filter((record) => record["active"] !== false);
  const { query } = call;
  const [asked, after] = [query.get("page[size]"), query.get("page[after]")];
  if (asked === null && after === null) return byPage(all, call, base, kind);
  if (number(asked, 100) > 100) {
    const title = "Invalid page[size] parameter: must be between 1 and 100";
    return { status: 400, body: { errors: [{ code: "InvalidPaginationParameter", title }] } };
  }
  const from = after === null ? 0 : decoded(after);
  if (Number.isNaN(from)) {
    return {
      status: 400,
      body: { errors: [{ code: "InvalidPaginationParameter", title: "page[after] is not valid" }] },
    };
  }
  const [size, rest] = [number(asked, 100), all.filter(({ id }) => id > from)];
  const shown = rest.slice(0, size);
  const [first, last] = [shown.at(0), shown.at(-1)];
  const link = (name: string, cursor: string) =>
    `${base}/api/v2/${kind}.json?${new URLSearchParams({ [`page[${name}]`]: cursor, "page[size]": String(size) })}`;
  const [before, next] = [first ? encoded(String(first.id)) : null, last ? encoded(String(last.id)) : null];
  const links = { prev: before && link("before", before), next: next && link("after", next) };
  const meta = { has_more: rest.length > size, after_cursor: next, before_cursor: before };
  return { status: 200, body: { [kind]: shown.map((record) => shownRecord(kind, record, base)), meta, links } };
}

function byPage(all: ZendeskRecord[], { query, path }: Call, base: string, kind: ZendeskKind): Reply {
  const [size, page] = [Math.min(number(query.get("per_page"), 100), 100), number(query.get("page"), 1)];
  if (page * size > 10_000) return badRequest("InvalidPagination", "Use cursor pagination beyond 10,000 records");
  const link = (to: number) => {
    const params = new URLSearchParams(query);
    params.set("page", String(to));
    return `${base}${path}?${params}`;
  };
  const shown = all.slice((page - 1) * size, page * size).map((record) => shownRecord(kind, record, base));
  const next_page = all.length > page * size ? link(page + 1) : null;
  const previous_page = page > 1 ? link(page - 1) : null;
  return { status: 200, body: { [kind]: shown, next_page, previous_page, count: all.length } };
}

export function searched(world: ExportingWorld, call: Call, base: string): Reply {
  const [text, external] = [call.query.get("query"), call.query.get("external_id")];
  if (text === null && external === null) return badRequest("BadRequest", "Missing parameter: query or external_id");
  const [, name, value] = /^(email|name|phone|external_id):"?(.*?)"?$/.exec(text ?? "") ?? [];
  const matching = [...world.records.users.values()].filter((user) => {
    if (user["active"] === false) return false;
    if (external !== null) return user["external_id"] === external;
    const words = (of: string) => String(user[of] ?? "").toLowerCase();
    if (name !== undefined) return words(name) === value?.toLowerCase();
    return ["name", "email", "phone", "notes"].some((of) => words(of).includes((text ?? "").toLowerCase()));
  });
  return byPage(matching, call, base, "users");
}

/** Everything changed at or after a time, in order of change; a cursor goes on where the last answer ended. */
export function exported(world: ExportingWorld, { query }: Call, base: string, name = ""): Reply {
  const kind = KINDS[name];
  if (kind !== "tickets" && kind !== "users") return noSuchPath();
  const [start, cursor] = [query.get("start_time"), query.get("cursor")];
  if (cursor === null && !/^\d+$/.test(start ?? ""))
    return badRequest("InvalidValue", "start_time must be a time in seconds");
  const from = cursor === null ? 0 : decoded(cursor);
  if (Number.isNaN(from)) return badRequest("InvalidValue", "cursor is not valid");
  const now = Math.floor(Date.now() / 1000);
  if (cursor === null && Number(start) > now - 60) {
    const description = "Too recent start_time. Use a start_time older than 60 seconds";
    return { status: 422, body: { error: "InvalidValue", description } };
  }
  const seconds = (record: ZendeskRecord) => Date.parse(record.updated_at) / 1000;
  const place = (record: ZendeskRecord) => world.revisions.get(record.id) ?? 0;
  const deleted = kind === "tickets" && query.get("exclude_deleted") !== "true" ? [...world.deleted.values()] : [];
  const changed = [...world.records[kind].values(), ...deleted]
    .filter((record) => place(record) > from && (cursor !== null || seconds(record) >= Number(start)))
    .filter((record) => !world.hidesLastMinute || seconds(record) <= now - 60)
    .toSorted((one, other) => place(one) - place(other));
  const size = Math.min(number(query.get("per_page"), 1000), 1000);
  const shown = changed.slice(0, size);
  const last = shown.at(-1);
  const after = last ? encoded(String(place(last))) : (cursor ?? encoded("0"));
  const body = {
    [kind]: shown.map((record) => shownRecord(kind, record, base)),
    after_cursor: after,
    after_url: `${base}/api/v2/incremental/${kind}/cursor.json?${new URLSearchParams({ cursor: after, per_page: String(size) })}`,
    before_cursor: null,
    before_url: null,
    end_of_stream: changed.length <= size,
  };
  return { status: 200, body };
}
