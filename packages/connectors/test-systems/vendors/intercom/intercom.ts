/** Intercom as the reference of its REST API (2.11) shows it: contacts with their search, companies, and their data attributes. */
import { randomBytes, randomUUID } from "node:crypto";
import { bearerOf, isObject, refusing, wholeNumber, type Json, type Outside } from "../kit.ts";
import { startVendor, type Call, type Reply, type VendorServer } from "../server.ts";
import { blankCompany, blankContact, dataAttributes, nowSeconds, refuse, valuesOf, WORKSPACE } from "./records.ts";
import { pageOf, queryOf, sortOf } from "./search.ts";

export const INTERCOM_TOKEN = "dG9rOmludGVyY29tLXRlc3Q=";
/** A token that Intercom refuses. */
export const INTERCOM_WRONG_TOKEN = "dG9rOndyb25n";
export const INTERCOM_VERSION = "2.11";
const VERSIONS = ["2.7", "2.8", "2.9", "2.10", INTERCOM_VERSION];

export interface IntercomServer extends VendorServer {
  contacts: Map<string, Json>;
  companies: Map<string, Json>;
  /** Contacts that were archived: neither listed nor found, and their addresses still taken. */
  archived: Set<string>;
  outside: Outside;
  rateLimitNext(waitMs: number): void;
}

const ok = (body: unknown): Reply => ({ status: 200, body: structuredClone(body) });

function checkCaller(call: Call): void {
  if (bearerOf(call) !== INTERCOM_TOKEN) refuse(401, "unauthorized", "Access Token Invalid");
  const version = call.headers["intercom-version"];
  if (version !== undefined && !VERSIONS.includes(version))
    refuse(400, "intercom_version_invalid", "The requested version could not be found");
}

function bodyOf(call: Call): Json {
  const body = call.json();
  if (!/^application\/json/i.test(call.headers["content-type"] ?? ""))
    return refuse(415, "media_type_not_acceptable", "The Content-Type should be application/json");
  return isObject(body) ? body : refuse(400, "bad_request", "The request body is not a JSON object");
}

export async function startIntercom(seeded: number): Promise<IntercomServer> {
  const contacts = new Map<string, Json>();
  const companies = new Map<string, Json>();
  const archived = new Set<string>();
  /** Who belongs to which company: ids of contacts by the company's id. */
  const members = new Map<string, Set<string>>();

  const companiesOf = (id: unknown): Json[] =>
    [...companies.values()].filter((company) => members.get(String(company["id"]))?.has(String(id)));
  const shownContact = (contact: Json): Json => {
    const listOf = (name: string, data: Json[]) => {
      const url = `/contacts/${String(contact["id"])}/${name}`;
      return { type: "list", data: data.slice(0, 10), url, total_count: data.length, has_more: data.length > 10 };
    };
    const belongs = companiesOf(contact["id"]).map(({ id }) => ({
      type: "company",
      id,
      url: `/companies/${String(id)}`,
    }));
    return {
      ...contact,
      companies: listOf("companies", belongs),
      tags: listOf("tags", []),
      notes: listOf("notes", []),
    };
  };
  const shownCompany = (company: Json): Json => ({
    ...company,
    user_count: members.get(String(company["id"]))?.size ?? 0,
  });
  const present = (): Json[] => [...contacts.values()].filter(({ id }) => !archived.has(String(id)));

  const contactAt = (id: string): Json => contacts.get(id) ?? refuse(404, "not_found", "User Not Found");
  const companyAt = (id: string): Json => companies.get(id) ?? refuse(404, "company_not_found", "Company Not Found");

  const refuseTaken = (contact: Json): void => {
    const taken = [...contacts.values()].find(
      (other) =>
        other["id"] !== contact["id"] &&
        ((contact["external_id"] !== null && other["external_id"] === contact["external_id"]) ||
          // Several leads may share an address, users may not.
          (contact["email"] !== null &&
            other["email"] === contact["email"] &&
            contact["role"] === "user" &&
            other["role"] === "user")),
    );
    if (!taken) return;
    const kind = archived.has(String(taken["id"])) ? "An archived contact" : "A contact";
    refuse(409, "conflict", `${kind} matching those details already exists with id=${String(taken["id"])}`);
  };
  const saveContact = (old: Json, sent: Json, at: number): Json => {
    const { role = old["role"] } = sent;
    if (role !== "user" && role !== "lead") refuse(400, "parameter_invalid", "role must be one of user, lead");
    const values = valuesOf("contact", sent, old);
    const contact: Json = { ...old, ...values, role, updated_at: at };
    // A lead's is given by Intercom.
    if (role === "lead") contact["external_id"] = old["role"] === "lead" ? old["external_id"] : randomUUID();
    refuseTaken(contact);
    contacts.set(String(contact["id"]), contact);
    return contact;
  };
  const createContact = (sent: Json, at = nowSeconds()): Json => {
    if ([sent["role"], sent["email"], sent["external_id"]].every((one) => one === undefined || one === null))
      refuse(400, "parameter_not_found", "One of role, email or external_id is required");
    return saveContact(blankContact(at), sent, at);
  };
  const saveCompany = (old: Json, sent: Json, at: number): Json => {
    const { plan } = sent;
    const company = { ...old, ...valuesOf("company", sent, old), updated_at: at };
    if (typeof plan === "string")
      Object.assign(company, { plan: { type: "plan", id: String(plan.length), name: plan } });
    companies.set(String(old["id"]), company);
    return company;
  };
  const upsertCompany = (sent: Json, at = nowSeconds()): Json => {
    const { company_id } = sent;
    if (company_id === undefined) return saveCompany(blankCompany(at), sent, at);
    if (typeof company_id !== "string" || company_id === "")
      return refuse(400, "parameter_invalid", "company_id is invalid");
    const known = [...companies.values()].find((company) => company["company_id"] === company_id);
    return saveCompany(known ?? { ...blankCompany(at), company_id }, sent, at);
  };
  const removeContact = (id: string): Json => {
    const { external_id } = contactAt(id);
    contacts.delete(id);
    archived.delete(id);
    for (const ids of members.values()) ids.delete(id);
    return { type: "contact", id, external_id, deleted: true };
  };
  const join = (contact: string, company: string): void => {
    members.set(company, (members.get(company) ?? new Set()).add(contact));
  };

  const companyList = (call: Call): Reply => {
    const { query } = call;
    for (const name of ["company_id", "name"]) {
      const value = call.method === "GET" ? query.get(name) : null;
      if (value === null) continue;
      const found = [...companies.values()].find((company) => company[name] === value);
      return ok(shownCompany(found ?? refuse(404, "company_not_found", "Company Not Found")));
    }
    const size = wholeNumber(query.get("per_page") ?? "15", 1, 60);
    const page = wholeNumber(query.get("page") ?? "1", 1, 10_000);
    if (size === null) return refuse(400, "parameter_invalid", "per_page must be a number between 1 and 60");
    if (page === null) return refuse(400, "parameter_invalid", "page must be a positive number");
    if (page * size > 10_000) return refuse(400, "parameter_invalid", "page limit reached, please use the scroll API");
    // Companies without users are not listed.
    const all = [...companies.values()].filter(({ id }) => (members.get(String(id))?.size ?? 0) > 0);
    if (query.get("order") !== "asc") all.reverse();
    const total_pages = Math.ceil(all.length / size);
    const next = page < total_pages ? `https://api.intercom.io/companies/list?per_page=${size}&page=${page + 1}` : null;
    const data = all.slice((page - 1) * size, page * size).map(shownCompany);
    const pages = { type: "pages", next, page, per_page: size, total_pages };
    return ok({ type: "list", data, pages, total_count: all.length });
  };
  const shownPage = (found: Json): Reply =>
    ok({ ...found, data: Array.isArray(found["data"]) ? found["data"].filter(isObject).map(shownContact) : [] });
  const search = (body: Json): Reply => {
    const { per_page: perPage, starting_after: startingAfter } = isObject(body["pagination"]) ? body["pagination"] : {};
    const found = present().filter(queryOf(body["query"]));
    return shownPage(pageOf(found, { perPage, startingAfter, ...sortOf(body["sort"]) }));
  };
  const oneContact = (call: Call, id: string, part: string | undefined, last: string | undefined): Reply => {
    const contact = contactAt(id);
    const is = `${call.method} ${part ?? ""}`;
    if (is === "GET ") return ok(shownContact(contact));
    if (is === "PUT ") return ok(shownContact(saveContact(contact, bodyOf(call), nowSeconds())));
    if (is === "DELETE ") return ok(removeContact(id));
    if (is === "POST archive" || is === "POST unarchive") {
      if (part === "archive") archived.add(id);
      else archived.delete(id);
      const { external_id } = contact;
      return ok({ type: "contact", id, external_id, archived: part === "archive" });
    }
    if (is === "GET companies") return ok({ type: "list", data: companiesOf(id).map(shownCompany) });
    if (is === "POST companies") {
      const company = companyAt(String(bodyOf(call)["id"]));
      join(id, String(company["id"]));
      return ok(shownCompany(company));
    }
    if (is === "DELETE companies" && last !== undefined) {
      const company = companyAt(last);
      members.get(last)?.delete(id);
      return ok(shownCompany(company));
    }
    return refuse(404, "not_found", "The requested resource was not found");
  };
  const oneCompany = (call: Call, id: string): Reply => {
    const company = companyAt(id);
    if (call.method === "GET") return ok(shownCompany(company));
    if (call.method === "PUT") return ok(shownCompany(saveCompany(company, bodyOf(call), nowSeconds())));
    if (call.method !== "DELETE") return refuse(404, "not_found", "The requested resource was not found");
    companies.delete(id);
    members.delete(id);
    return ok({ id, object: "company", deleted: true });
  };
  const handle = (call: Call): Reply => {
    checkCaller(call);
    const [, kind, id, part, last] = call.path.split("/").map(decodeURIComponent);
    const is = `${call.method} ${kind}${id === undefined ? "" : `/${id}`}`;
    if (is === "GET me") return ok(me());
    if (is === "GET data_attributes") {
      const models = (["contact", "company"] as const).filter((one) => (call.query.get("model") ?? one) === one);
      if (models.length === 0) refuse(400, "parameter_invalid", "model is invalid");
      return ok({ type: "list", data: models.flatMap(dataAttributes) });
    }
    if (is === "GET contacts") {
      const perPage = call.query.get("per_page");
      return shownPage(
        pageOf(present(), { perPage, startingAfter: call.query.get("starting_after"), ...sortOf(null) }),
      );
    }
    if (is === "POST contacts") return ok(shownContact(createContact(bodyOf(call))));
    if (is === "POST contacts/search" && part === undefined) return search(bodyOf(call));
    if (is === "GET companies" || is === "POST companies/list") return companyList(call);
    if (is === "POST companies") return ok(shownCompany(upsertCompany(bodyOf(call))));
    if (kind === "contacts" && id !== undefined) return oneContact(call, id, part, last);
    if (kind === "companies" && id !== undefined && part === undefined) return oneCompany(call, id);
    return refuse(404, "not_found", "The requested resource was not found");
  };

  const start = nowSeconds() - 60 - seeded * 10;
  for (let n = 1; n <= seeded; n += 1) {
    const at = start + n * 10;
    const email = `c${n}@example.com`;
    const { id } = createContact(
      { name: `Contact ${n}`, email, external_id: `${n}`, custom_attributes: { seats: n } },
      at,
    );
    if (n <= 3) join(String(id), String(upsertCompany({ name: `Company ${n}`, company_id: `co-${n}` }, at)["id"]));
  }
  const server = await startVendor(refusing(handle));
  return {
    ...server,
    contacts,
    companies,
    archived,
    outside: {
      create: async () =>
        String(
          createContact({ name: "Made in the inbox", email: `${randomBytes(4).toString("hex")}@example.com` })["id"],
        ),
      async update(id) {
        saveContact(contactAt(id), { name: `Changed ${randomBytes(3).toString("hex")}` }, nowSeconds());
      },
      remove: async (id) => void removeContact(id),
    },
    rateLimitNext(waitMs) {
      const errors = [{ code: "rate_limit_exceeded", message: "Exceeded rate limit of 83 in 10_seconds" }];
      const reset = String(Math.ceil((Date.now() + waitMs) / 1000));
      const headers = { "x-ratelimit-limit": "83", "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset };
      server.refuseNext({ status: 429, headers, body: { type: "error.list", request_id: randomUUID(), errors } });
    },
  };
}

const me = (): Json => ({
  type: "admin",
  id: "991267459",
  email: "admin@example.com",
  name: "Ciaran Lee",
  email_verified: true,
  app: { type: "app", id_code: WORKSPACE, name: "MyApp", timezone: "UTC", region: "US", identity_verification: false },
  avatar: { type: "avatar", image_url: null },
  has_inbox_seat: true,
});
