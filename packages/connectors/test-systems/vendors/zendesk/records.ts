/** The records of the simulated Zendesk: how they are kept, what requests may set, and how answers show them. */
import { isObject } from "../kit.ts";
import type { Reply } from "../server.ts";

export type ZendeskKind = "tickets" | "users" | "organizations";
export type ZendeskRecord = Record<string, unknown> & { id: number; created_at: string; updated_at: string };
export interface ZendeskWorld {
  records: Record<ZendeskKind, Map<string, ZendeskRecord>>;
  /** Deleted tickets and organizations leave the lists; incremental exports still give the tickets. */
  deleted: Map<string, ZendeskRecord>;
  lastId: number;
}

export const ZENDESK_TICKET_FIELD = 360_000_000_042;
export const ZENDESK_USER_FIELD = "membership";
export const ZENDESK_ORGANIZATION_FIELD = "region";

/** Times are in whole seconds. */
export const zendeskNow = (time = Date.now()): string => new Date(time).toISOString().replace(/\.\d+Z$/, "Z");

const isString = (value: unknown): value is string => typeof value === "string";
const isNumber = (value: unknown): value is number => Number.isInteger(value);
const isStrings = (value: unknown): value is string[] => Array.isArray(value) && value.every(isString);
export const notFound = (): Reply => ({ status: 404, body: { error: "RecordNotFound", description: "Not found" } });

export function recordInvalid(field: string, description: string, error: string): Reply {
  const details = { [field]: [{ description, error }] };
  return { status: 422, body: { error: "RecordInvalid", description: "Record validation errors", details } };
}

export function badAttribute(name: string): Reply {
  const message = `You passed an invalid value for the ${name} attribute. Invalid parameter: ${name} has the wrong type`;
  return { status: 400, body: { error: { title: "Invalid attribute", message } } };
}

type Form = "text" | "number" | "boolean" | "texts" | "fields" | "custom" | "date" | readonly string[];

/** What requests may set; everything else is passed over. */
const WRITABLE: Readonly<Record<ZendeskKind, Readonly<Record<string, Form>>>> = {
  tickets: {
    subject: "text",
    priority: ["urgent", "high", "normal", "low"],
    type: ["problem", "incident", "question", "task"],
    status: ["new", "open", "pending", "hold", "solved", "closed"],
    external_id: "text",
    requester_id: "number",
    assignee_id: "number",
    organization_id: "number",
    tags: "texts",
    due_at: "date",
    custom_fields: "custom",
  },
  users: {
    name: "text",
    email: "text",
    phone: "text",
    details: "text",
    notes: "text",
    alias: "text",
    external_id: "text",
    role: ["end-user", "agent", "admin"],
    organization_id: "number",
    time_zone: "text",
    locale: "text",
    verified: "boolean",
    suspended: "boolean",
    tags: "texts",
    user_fields: "fields",
  },
  organizations: {
    name: "text",
    details: "text",
    notes: "text",
    external_id: "text",
    domain_names: "texts",
    shared_tickets: "boolean",
    shared_comments: "boolean",
    tags: "texts",
    organization_fields: "fields",
  },
};

function fits(form: Form, value: unknown): boolean {
  if (value === null) return true;
  if (form === "text") return isString(value);
  if (form === "date") return isString(value) && !Number.isNaN(Date.parse(value));
  if (form === "number") return isNumber(value);
  if (form === "boolean") return typeof value === "boolean";
  if (form === "texts") return isStrings(value);
  if (form === "fields") return isObject(value);
  return form === "custom" ? Array.isArray(value) && value.every(isObject) : isString(value);
}

/** What a request sets, as Zendesk keeps it; or the refusal. */
export function readRecord(
  world: ZendeskWorld,
  kind: ZendeskKind,
  body: Record<string, unknown>,
  found?: ZendeskRecord,
): { changes: Record<string, unknown> } | Reply {
  const changes: Record<string, unknown> = {};
  for (const [name, form] of Object.entries(WRITABLE[kind])) {
    const value = body[name];
    if (value === undefined) continue;
    if (!fits(form, value)) return badAttribute(name);
    const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
    if (Array.isArray(form) && isString(value) && !form.includes(value)) {
      return recordInvalid(name, `${title}: ${value} is not valid`, "InvalidValue");
    }
    const linked = name === "organization_id" ? "organizations" : name.endsWith("_id") ? "users" : null;
    if (linked && isNumber(value) && !world.records[linked].has(String(value))) {
      return recordInvalid(name.replace("_id", ""), `${title}: is invalid`, "InvalidValue");
    }
    changes[name] = normalised(name, value, found);
  }
  return duplicate(world, kind, changes, found) ?? { changes };
}

function normalised(name: string, value: unknown, found?: ZendeskRecord): unknown {
  // Tags are kept in lower case, once each and in order; a space ends a tag.
  if (name === "tags") {
    const tags = isStrings(value) ? value.flatMap((tag) => tag.toLowerCase().split(/\s+/)).filter(Boolean) : [];
    return [...new Set(tags)].toSorted();
  }
  if (name === "email" && isString(value)) return value.trim().toLowerCase();
  if (name === "due_at" && isString(value)) return zendeskNow(Date.parse(value));
  if (name === "custom_fields") {
    const given = Array.isArray(value) ? value.find((field) => field.id === ZENDESK_TICKET_FIELD) : undefined;
    return given ? [{ id: ZENDESK_TICKET_FIELD, value: given.value ?? null }] : found?.["custom_fields"];
  }
  if ((name === "user_fields" || name === "organization_fields") && isObject(value)) {
    const key = name === "user_fields" ? ZENDESK_USER_FIELD : ZENDESK_ORGANIZATION_FIELD;
    return key in value ? { [key]: value[key] } : (found?.[name] ?? { [key]: null });
  }
  return value;
}

/** Names of organizations, users' e-mail addresses and the external ids of both are given once, whatever the capitals. */
function duplicate(
  world: ZendeskWorld,
  kind: ZendeskKind,
  changes: Record<string, unknown>,
  found?: ZendeskRecord,
): Reply | null {
  const others = [...world.records[kind].values()].filter(
    (other) => other.id !== found?.id && other["active"] !== false,
  );
  const isTaken = (name: string) => {
    const value = changes[name];
    if (!isString(value) || value === "") return false;
    return others.some((other) => String(other[name] ?? "").toLowerCase() === value.toLowerCase());
  };
  if (kind === "tickets") return null;
  const { name, email } = changes;
  if ((name !== undefined || !found) && (!isString(name) || name.trim() === "")) {
    return kind === "users"
      ? recordInvalid("name", "Name: is too short (minimum one character)", "ValueTooShort")
      : recordInvalid("name", "Name: cannot be blank", "BlankValue");
  }
  if (kind === "organizations" && isTaken("name")) {
    return recordInvalid("name", `Name: ${String(name)} has already been taken`, "DuplicateValue");
  }
  if (isString(email) && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email)) {
    return recordInvalid("email", `Email: ${email} is not properly formatted`, "InvalidFormat");
  }
  if (kind === "users" && isTaken("email")) {
    return recordInvalid("email", `Email: ${String(email)} is already being used by another user`, "DuplicateValue");
  }
  if (!isTaken("external_id")) return null;
  return recordInvalid("external_id", "External: has already been taken", "DuplicateValue");
}

const DEFAULTS: Readonly<Record<ZendeskKind, Record<string, unknown>>> = {
  tickets: {
    external_id: null,
    type: null,
    subject: null,
    description: "",
    priority: null,
    status: "new",
    requester_id: null,
    assignee_id: null,
    organization_id: null,
    group_id: null,
    due_at: null,
    tags: [],
    custom_fields: [{ id: ZENDESK_TICKET_FIELD, value: null }],
    via: { channel: "api", source: { from: {}, to: {}, rel: null } },
    is_public: true,
    has_incidents: false,
  },
  users: {
    name: "",
    email: null,
    phone: null,
    external_id: null,
    role: "end-user",
    active: true,
    verified: false,
    suspended: false,
    alias: "",
    details: "",
    notes: "",
    organization_id: null,
    time_zone: "Eastern Time (US & Canada)",
    locale: "en-US",
    tags: [],
    user_fields: { [ZENDESK_USER_FIELD]: null },
  },
  organizations: {
    name: "",
    external_id: null,
    domain_names: [],
    details: "",
    notes: "",
    group_id: null,
    shared_tickets: false,
    shared_comments: false,
    tags: [],
    organization_fields: { [ZENDESK_ORGANIZATION_FIELD]: null },
  },
};

export function addRecord(world: ZendeskWorld, kind: ZendeskKind, given: Record<string, unknown>, time = Date.now()) {
  const [id, at] = [++world.lastId, zendeskNow(time)];
  const made: ZendeskRecord = { ...DEFAULTS[kind], ...given, id, created_at: at, updated_at: at };
  world.records[kind].set(String(id), made);
  return made;
}

export function shownRecord(kind: ZendeskKind, record: ZendeskRecord, base: string): Record<string, unknown> {
  const shown = { url: `${base}/api/v2/${kind}/${record.id}.json`, ...record };
  if (kind !== "tickets") return shown;
  const { subject, custom_fields: fields, updated_at: updated } = record;
  return { ...shown, raw_subject: subject, fields, generated_timestamp: Date.parse(updated) / 1000 };
}
