/** A simulated Mailchimp: the members of one audience, as the reference of the Marketing API describes them. */
import { randomUUID } from "node:crypto";
import { basicOf, bearerOf, isObject } from "../kit.ts";
import {
  hashOf,
  LIST_ID,
  MERGE_FIELDS,
  mergeValues,
  newMember,
  schemaErrors,
  shown,
  timeText,
  type FieldError,
  type Member,
} from "./members.ts";
import { signInDesk, type SignInDesk } from "../sign-in/desk.ts";
import { MAILCHIMP_SIGN_IN } from "../sign-in/rules.ts";
import { startVendor, type Call, type Reply, type VendorServer } from "../server.ts";

export const MAILCHIMP_KEY = "0123456789abcdef0123456789abcdef-us1";
export const MAILCHIMP_LIST = LIST_ID;

export interface Mailchimp extends VendorServer {
  /** By the contact's id, which stays when the address changes; archived ones too. */
  records: Map<string, Member>;
  /** Where people sign in in the browser. */
  signIns: SignInDesk;
  outside: {
    /** Answers the member's id: the hash of its address. */
    create(): Promise<string>;
    update(id: string): Promise<void>;
    /** Archives, as the button of the members' table does. */
    remove(id: string): Promise<void>;
    /** Deletes for good. */
    erase(id: string): Promise<void>;
  };
}

export async function startMailchimp(seeded: number): Promise<Mailchimp> {
  const audience = new Audience();
  for (let number = 1; number <= seeded; number++) {
    audience.add(
      newMember(`Member${number}@example.org`, { FNAME: `Member ${number}` }, Date.UTC(2024, 0, 1, 0, number)),
    );
  }
  const signIns = signInDesk(MAILCHIMP_SIGN_IN);
  const server = await startVendor(signIns.inFrontOf((call) => audience.answer(call), MAILCHIMP_KEY));
  let last = 0;
  return {
    ...server,
    signIns,
    records: audience.members,
    outside: {
      async create() {
        const email = `by.hand${++last}@example.org`;
        audience.add(newMember(email, { FNAME: "Entered by hand" }, Date.now()));
        return hashOf(email);
      },
      async update(id) {
        const member = audience.find(id);
        if (member !== undefined)
          audience.change(member, { merge: { ...member.merge, FNAME: `Changed ${randomUUID()}` } });
      },
      async remove(id) {
        const member = audience.find(id);
        if (member !== undefined) audience.change(member, { status: "archived" });
      },
      async erase(id) {
        audience.members.delete(audience.find(id)?.contactId ?? "");
      },
    },
  };
}

function problem(status: number, title: string, detail: string, errors?: FieldError[]): Reply {
  const type = "https://mailchimp.com/developer/marketing/docs/errors/";
  const body = { type, title, status, detail, instance: randomUUID(), ...(errors === undefined ? {} : { errors }) };
  return { status, headers: { "content-type": "application/problem+json; charset=utf-8" }, body };
}

const NOT_FOUND = "The requested resource could not be found.";

function invalid(errors: FieldError[], detail?: string): Reply {
  const usual = "The resource submitted could not be validated. For field-specific details, see the 'errors' array.";
  return problem(400, "Invalid Resource", detail ?? usual, errors);
}

/** What stands at the root of the API. */
const ACCOUNT = {
  ...{
    account_id: "8d3a3db4d97663a9074efcc16",
    login_id: "44332",
    account_name: "Northwind",
    email: "ada@example.org",
  },
  ...{ role: "owner", industry_stats: { open_rate: 0.21 }, total_subscribers: 12 },
};

class Audience {
  readonly members = new Map<string, Member>();

  add(member: Member): void {
    this.members.set(member.contactId, member);
  }

  change(member: Member, changes: Partial<Member>): void {
    Object.assign(member, changes, { lastChanged: timeText(Date.now()) });
  }

  /** By the hash of the address, the address, or the contact's id. */
  find(id: string): Member | undefined {
    const hash = id.includes("@") ? hashOf(id) : id;
    return this.members.get(id) ?? [...this.members.values()].find(({ email }) => hashOf(email) === hash);
  }

  answer(call: Call): Reply {
    const key = basicOf(call)?.password ?? bearerOf(call);
    if (key !== MAILCHIMP_KEY) {
      const detail = "Your API key may be invalid, or you've attempted to access the wrong datacenter.";
      return problem(401, "API Key Invalid", detail);
    }
    const reply = this.#route(call);
    const isShown = isObject(reply.body) && reply.status === 200;
    return isShown ? { ...reply, body: chosen(reply.body, call.query) } : reply;
  }

  #route(call: Call): Reply {
    const [, version, root, list, part, id, ...rest] = call.path.split("/").map(decodeURIComponent);
    const known = version === "3.0" && (list === undefined || list === LIST_ID);
    const notFound = problem(404, "Resource Not Found", NOT_FOUND);
    if (version === "3.0" && call.method === "GET") {
      if (root === "") return { status: 200, body: ACCOUNT };
      if (root === "ping") return { status: 200, body: { health_status: "Everything's Chimpy!" } };
      if (root === "search-members") return this.#searched(call.query);
      if (root === "lists" && list === undefined)
        return { status: 200, body: { lists: [this.#list()], total_items: 1 } };
    }
    if (!known || root !== "lists" || rest.length > 0) return notFound;
    if (part === undefined) return call.method === "GET" ? { status: 200, body: this.#list() } : notAllowed();
    if (part === "merge-fields" && id === undefined && call.method === "GET") {
      const page = pageOf(MERGE_FIELDS, call.query);
      return "status" in page
        ? page
        : { status: 200, body: { merge_fields: page.items, list_id: LIST_ID, total_items: MERGE_FIELDS.length } };
    }
    if (part !== "members") return notFound;
    if (id !== undefined) return this.#member(call, id);
    if (call.method === "GET") return this.#members(call.query);
    return call.method === "POST" ? this.#create(call) : notAllowed();
  }

  #list(): Record<string, unknown> {
    const count = [...this.members.values()].filter(({ status }) => status === "subscribed").length;
    return { id: LIST_ID, name: "Newsletter", stats: { member_count: count } };
  }

  #members(query: URLSearchParams): Reply {
    const [status, since, before] = ["status", "since_last_changed", "before_last_changed"].map((name) =>
      query.get(name),
    );
    const errors: FieldError[] = [];
    for (const [field, text] of [
      ["since_last_changed", since],
      ["before_last_changed", before],
    ] as const) {
      if (typeof text === "string" && Number.isNaN(Date.parse(text)))
        errors.push({ field, message: "This value is not a valid datetime." });
    }
    if (errors.length > 0) return invalid(errors);
    const found = [...this.members.values()].filter(
      (member) =>
        // Archived members are listed only when asked for.
        (typeof status === "string" ? member.status === status : member.status !== "archived") &&
        (typeof since !== "string" || Date.parse(member.lastChanged) > Date.parse(since)) &&
        (typeof before !== "string" || Date.parse(member.lastChanged) < Date.parse(before)),
    );
    const key = ({ lastChanged, signedUp }: Member): number =>
      Date.parse(query.get("sort_field") === "last_changed" ? lastChanged : signedUp);
    const sign = query.get("sort_dir")?.toUpperCase() === "DESC" ? -1 : 1;
    if (query.has("sort_field")) found.sort((left, right) => sign * (key(left) - key(right)));
    const page = pageOf(found, query);
    if ("status" in page) return page;
    return { status: 200, body: { members: page.items.map(shown), list_id: LIST_ID, total_items: found.length } };
  }

  #searched(query: URLSearchParams): Reply {
    const text = query.get("query")?.toLowerCase() ?? "";
    if (text === "") return invalid([{ field: "query", message: "This value should not be blank." }]);
    const present = [...this.members.values()].filter(({ status }) => status !== "archived");
    const exact = present.filter(({ email }) => email.toLowerCase() === text).map(shown);
    const full = present
      .map(shown)
      .filter((one) => `${String(one["email_address"])} ${String(one["full_name"])}`.toLowerCase().includes(text));
    const part = (members: unknown[]): unknown => ({ members, total_items: members.length });
    return { status: 200, body: { exact_matches: part(exact), full_search: part(full) } };
  }

  #create(call: Call): Reply {
    const body = call.json();
    if (!isObject(body)) return problem(400, "JSON Parse Error", "We encountered an unspecified JSON parsing error.");
    const blank = ["email_address", "status"].filter((field) => body[field] === undefined || body[field] === "");
    const errors = [
      ...blank.map((field) => ({ field, message: "This value should not be blank." })),
      ...schemaErrors(body),
    ];
    if (errors.length > 0) return invalid(errors);
    const present = this.find(String(body["email_address"]).trim());
    if (present !== undefined && present.status !== "archived") return exists(present.email);
    const member = present ?? newMember("", {}, Date.now());
    const refusal = this.#write(member, body);
    if (refusal !== undefined) return refusal;
    this.add(member);
    return { status: 200, body: shown(member) };
  }

  #member(call: Call, id: string): Reply {
    const member = this.find(id);
    if (member === undefined) return problem(404, "Resource Not Found", NOT_FOUND);
    if (call.method === "GET") return { status: 200, body: shown(member) };
    if (call.method === "DELETE") {
      if (member.status === "archived") return problem(405, "Method Not Allowed", "This list member cannot be removed");
      this.change(member, { status: "archived" });
      return { status: 204 };
    }
    if (call.method !== "PATCH") return notAllowed();
    const body = call.json();
    if (!isObject(body)) return problem(400, "JSON Parse Error", "We encountered an unspecified JSON parsing error.");
    const errors = schemaErrors(body);
    if (errors.length > 0) return invalid(errors);
    return this.#write(member, body) ?? { status: 200, body: shown(member) };
  }

  /** Changes the member as the checked body says, or answers why not. */
  #write(member: Member, body: Readonly<Record<string, unknown>>): Reply | undefined {
    const email = String(body["email_address"] ?? member.email).trim();
    if (!/^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i.test(email)) {
      return problem(400, "Invalid Resource", `Please provide a valid email address.`);
    }
    const other = this.find(email);
    if (other !== undefined && other !== member) return exists(email);
    const { values, errors } = mergeValues(body["merge_fields"]);
    if (errors.length > 0) return invalid(errors, "Your merge fields were invalid.");
    this.change(member, {
      email,
      status: String(body["status"] ?? member.status),
      emailType: String(body["email_type"] ?? member.emailType),
      language: String(body["language"] ?? member.language),
      vip: body["vip"] === undefined ? member.vip : body["vip"] === true,
      merge: { ...member.merge, ...values },
    });
    return undefined;
  }
}

function exists(email: string): Reply {
  const detail = `${email} is already a list member. Use PUT to insert or update existing members.`;
  return problem(400, "Member Exists", detail);
}

function notAllowed(): Reply {
  return problem(405, "Method Not Allowed", "The requested method and resource are not compatible.");
}

function pageOf<Item>(items: readonly Item[], query: URLSearchParams): { items: Item[] } | Reply {
  const [count, offset] = [query.get("count") ?? "10", query.get("offset") ?? "0"];
  const errors: FieldError[] = [];
  if (!/^\d+$/.test(count) || Number(count) > 1000) errors.push({ field: "count", message: "Must be at most 1000" });
  if (!/^\d+$/.test(offset)) errors.push({ field: "offset", message: "Must be a number of at least 0" });
  if (errors.length > 0) return invalid(errors);
  return { items: items.slice(Number(offset), Number(offset) + Number(count)) };
}

/** What `fields` names, with dots into lists and objects. */
function chosen(body: unknown, query: URLSearchParams): unknown {
  const fields = query.get("fields");
  return fields === null
    ? body
    : only(
        body,
        fields.split(",").map((path) => path.trim().split(".")),
      );
}

function only(value: unknown, paths: readonly string[][]): unknown {
  if (Array.isArray(value)) return value.map((item) => only(item, paths));
  if (!isObject(value) || paths.some((path) => path.length === 0)) return value;
  const names = Object.keys(value).filter((name) => paths.some((path) => path[0] === name));
  const below = (name: string): string[][] => paths.filter((path) => path[0] === name).map((path) => path.slice(1));
  return Object.fromEntries(names.map((name) => [name, only(value[name], below(name))]));
}
