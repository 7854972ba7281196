/** A simulated Zendesk (Support API v2): tickets, users and organizations, with lists, incremental exports and changes. */
import { type Call, type Reply, startVendor, type VendorServer } from "../server.ts";
import { type ExportingWorld, exported, FIELDS, KINDS, listed, noSuchPath, searched } from "./lists.ts";
import { signInDesk, type SignInDesk } from "../sign-in/desk.ts";
import { ZENDESK_SIGN_IN } from "../sign-in/rules.ts";
import { basicOf, bearerOf, isObject } from "../kit.ts";
import {
  addRecord,
  badAttribute,
  notFound,
  readRecord,
  recordInvalid,
  shownRecord,
  type ZendeskKind,
  zendeskNow,
  type ZendeskRecord,
  type ZendeskWorld,
} from "./records.ts";

export { ZENDESK_ORGANIZATION_FIELD, ZENDESK_TICKET_FIELD, ZENDESK_USER_FIELD } from "./records.ts";
export const ZENDESK_EMAIL = "jdoe@example.com";
/** Basic authentication: `email/token` as the user, this as the password. */
export const ZENDESK_API_TOKEN = "6wiIBWbGkBMo1mRDMuVwkw1EPsNkeUj95PIz2akv";
/** OAuth: as a bearer token. */
export const ZENDESK_ACCESS_TOKEN = "gErypPlm4dOVgGRvA1ZzMH5MQ3nLo8bo";

export interface Zendesk extends VendorServer {
  /** By id. Deleted users stay, with `active: false`. */
  records: ZendeskWorld["records"];
  /** Where people sign in in the browser. */
  signIns: SignInDesk;
  /** Changes of tickets. */
  outside: { create(): Promise<string>; update(id: string): Promise<void>; remove(id: string): Promise<void> };
  /** As the real exports do: what changed within the last minute comes later. Off at the start, so that tests need not wait. */
  hideLastMinute(hide: boolean): void;
}

const ONE = { tickets: "ticket", users: "user", organizations: "organization" } as const;
const HOUR = 3_600_000;

/** `seeded` tickets, with a fifth as many organizations and end users, and the agent who signs in. */
export async function startZendesk(seeded: number): Promise<Zendesk> {
  const records = { tickets: new Map(), users: new Map(), organizations: new Map() };
  const world: ExportingWorld = {
    records,
    deleted: new Map(),
    lastId: 35_400,
    revisions: new Map(),
    lastRevision: 0,
    hidesLastMinute: false,
  };
  const start = Date.now() - (seeded + 48) * HOUR;
  const agent = touch(
    world,
    addRecord(world, "users", { name: "Jane Doe", email: ZENDESK_EMAIL, role: "admin" }, start),
  );
  let [organization, user] = [agent, agent];
  for (let at = 1; at <= seeded; at++) {
    const time = start + at * HOUR;
    if (at % 5 === 1) {
      organization = touch(world, addRecord(world, "organizations", { name: `Organization ${at}` }, time));
      const values = { name: `User ${at}`, email: `user${at}@example.com`, organization_id: organization.id };
      user = touch(world, addRecord(world, "users", values, time));
    }
    const text = { subject: `Ticket ${at}`, description: `What happens in case ${at}.` };
    const status = at % 3 === 0 ? "pending" : "open";
    const links = { requester_id: user.id, submitter_id: user.id, organization_id: organization.id };
    touch(world, addRecord(world, "tickets", { ...text, status, ...links }, time));
  }
  const signIns = signInDesk(ZENDESK_SIGN_IN);
  const server = await startVendor(
    signIns.inFrontOf((call) => answer(world, call, server.secureUrl), ZENDESK_ACCESS_TOKEN),
  );
  return {
    ...server,
    signIns,
    records: world.records,
    hideLastMinute: (hide) => void (world.hidesLastMinute = hide),
    outside: {
      async create() {
        const values = { subject: "Created in the agents' view", description: "By mail.", requester_id: agent.id };
        return String(touch(world, addRecord(world, "tickets", values)).id);
      },
      async update(id) {
        const found = world.records.tickets.get(id);
        if (found) change(world, "tickets", found, { subject: `${String(found["subject"])} (edited)` });
      },
      async remove(id) {
        const found = world.records.tickets.get(id);
        if (found) remove(world, "tickets", found);
      },
    },
  };
}

function touch(world: ExportingWorld, record: ZendeskRecord): ZendeskRecord {
  world.revisions.set(record.id, ++world.lastRevision);
  return record;
}

function change(
  world: ExportingWorld,
  kind: ZendeskKind,
  found: ZendeskRecord,
  values: Record<string, unknown>,
): ZendeskRecord {
  const changed = { ...found, ...values, updated_at: zendeskNow() };
  world.records[kind].set(String(found.id), changed);
  return touch(world, changed);
}

/** Tickets and organizations leave; users stay and become inactive. */
function remove(world: ExportingWorld, kind: ZendeskKind, found: ZendeskRecord): ZendeskRecord {
  if (kind === "users") return change(world, kind, found, { active: false });
  const gone = touch(world, { ...found, status: "deleted", updated_at: zendeskNow() });
  world.records[kind].delete(String(found.id));
  if (kind === "tickets") world.deleted.set(String(found.id), gone);
  return gone;
}

function answer(world: ExportingWorld, call: Call, secureUrl: string): Reply {
  const reply = routed(world, call, secureUrl);
  return { ...reply, headers: { "x-rate-limit": "700", "x-rate-limit-remaining": "699", ...reply.headers } };
}

function routed(world: ExportingWorld, call: Call, secureUrl: string): Reply {
  const host = call.headers["host"] ?? "";
  const base = secureUrl === `https://${host}` ? secureUrl : `http://${host}`;
  const path = call.path.replace(/\.json$/, "");
  const refused = signedIn(call, path === "/api/v2/users/me");
  if (refused) return refused;
  if (!path.startsWith("/api/v2/")) return noSuchPath();
  const [first = "", second, third, more] = path.slice("/api/v2/".length).split("/");
  if (more !== undefined) return noSuchPath();
  if (first === "incremental" && third === "cursor" && call.method === "GET")
    return exported(world, call, base, second);
  if (third !== undefined) return noSuchPath();
  if (call.method === "GET" && second === undefined && first in FIELDS) return { status: 200, body: FIELDS[first] };
  const kind = KINDS[first];
  if (!kind) return noSuchPath();
  if (second === undefined && call.method === "GET") return listed(world, call, base, kind);
  if (second === undefined && call.method === "POST") return written(world, call, base, kind);
  if (call.method === "GET" && kind === "users" && second === "search") return searched(world, call, base);
  const found = kind === "users" && second === "me" ? me(world) : world.records[kind].get(second ?? "");
  if (!found) return notFound();
  if (call.method === "GET") return { status: 200, body: { [ONE[kind]]: shownRecord(kind, found, base) } };
  if (call.method === "PUT") return written(world, call, base, kind, found);
  if (call.method !== "DELETE") return noSuchPath();
  const gone = remove(world, kind, found);
  return kind === "users" ? { status: 200, body: { user: shownRecord(kind, gone, base) } } : { status: 204 };
}

const me = ({ records }: ExportingWorld) => [...records.users.values()].find(({ email }) => email === ZENDESK_EMAIL);

/** Nobody signed in is somebody for `users/me`: the anonymous user. */
function signedIn(call: Call, isMe: boolean): Reply | null {
  if (call.headers["authorization"] === undefined && isMe) {
    return {
      status: 200,
      body: { user: { id: null, name: "Anonymous user", email: "invalid@example.com", role: "end-user" } },
    };
  }
  const token = bearerOf(call);
  if (token === ZENDESK_ACCESS_TOKEN) return null;
  if (token !== undefined) {
    const text = "The access token provided is expired, revoked, malformed or invalid for other reasons.";
    return { status: 401, body: { error: "invalid_token", error_description: text } };
  }
  const basic = basicOf(call);
  if (basic?.user === `${ZENDESK_EMAIL}/token` && basic.password === ZENDESK_API_TOKEN) return null;
  return { status: 401, body: { error: "Couldn't authenticate you" } };
}

function written(world: ExportingWorld, call: Call, base: string, kind: ZendeskKind, found?: ZendeskRecord): Reply {
  const body = call.json();
  if (body === undefined)
    return { status: 422, body: { error: "Unprocessable Entity", message: "Server could not parse JSON" } };
  const given = isObject(body) ? body[ONE[kind]] : undefined;
  if (!isObject(given)) return badAttribute(ONE[kind]);
  if (found && given["safe_update"] === true && given["updated_stamp"] !== found.updated_at) {
    const description =
      "Safe Update prevented the update due to outdated ticket data. Please fetch the latest ticket data and try again.";
    return { status: 409, body: { error: "UpdateConflict", description } };
  }
  if (kind === "tickets" && found?.["status"] === "closed") {
    return recordInvalid("status", "Status: closed prevents ticket update", "InvalidValue");
  }
  const asked = readRecord(world, kind, given, found);
  if ("status" in asked) return asked;
  const { changes } = asked;
  if (found) return { status: 200, body: shownAfter(change(world, kind, found, changes), kind, base) };
  if (kind === "tickets") {
    const { comment } = given;
    const text = isObject(comment) ? (comment["body"] ?? comment["html_body"]) : given["description"];
    if (typeof text !== "string" || text.trim() === "") {
      return recordInvalid("base", "Description: cannot be blank", "BlankValue");
    }
    const requester = me(world)?.id ?? null;
    const status = changes["status"] ?? (changes["assignee_id"] ? "open" : "new");
    Object.assign(changes, { description: text, status, submitter_id: requester });
    changes["requester_id"] ??= requester;
  }
  const made = touch(world, addRecord(world, kind, changes));
  const location = `${base}/api/v2/${kind}/${made.id}.json`;
  return { status: 201, headers: { location }, body: shownAfter(made, kind, base) };
}

function shownAfter(record: ZendeskRecord, kind: ZendeskKind, base: string) {
  const audit = { id: record.id * 10, ticket_id: record.id, created_at: record.updated_at, events: [] };
  return { [ONE[kind]]: shownRecord(kind, record, base), ...(kind === "tickets" ? { audit } : {}) };
}
