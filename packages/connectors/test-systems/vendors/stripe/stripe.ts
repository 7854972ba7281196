/** Stripe as its API reference shows it: customers and products, written as forms, listed newest first, and the events of their changes. */
import { randomBytes } from "node:crypto";
import { basicOf, bearerOf, isObject, refusing, Refusal, wholeNumber, type Json, type Outside } from "../kit.ts";
import { startVendor, type Call, type Reply, type VendorServer } from "../server.ts";
import { formOf, missing, newId, nowSeconds, refuse, valuesOf, type Kind } from "./form.ts";

export const STRIPE_KEY = "sk_test_4eC39HqLyjWDarjtT1zdp7dc";
/** A key that Stripe refuses. */
export const STRIPE_WRONG_KEY = "sk_test_wrong";

export interface StripeServer extends VendorServer {
  customers: Map<string, Json>;
  products: Map<string, Json>;
  outside: Outside;
  rateLimitNext(): void;
}

interface Resource {
  object: string;
  prefix: string;
  records: Map<string, Json>;
  /** Deleted ones that are still shown, as deleted. */
  deleted: Set<string>;
  showsDeleted: boolean;
  required: string[];
  parameters: { [name: string]: Kind };
  filters: string[];
  blank: () => Json;
}

const ADDRESS: Kind = {
  city: "text",
  country: "text",
  line1: "text",
  line2: "text",
  postal_code: "text",
  state: "text",
};
const CUSTOMER_PARAMETERS: { [name: string]: Kind } = {
  address: ADDRESS,
  balance: "integer",
  description: "text",
  email: "email",
  invoice_prefix: "text",
  metadata: "map",
  name: "text",
  next_invoice_sequence: "integer",
  phone: "text",
  preferred_locales: "list",
  shipping: { address: ADDRESS, name: "text", phone: "text" },
  tax_exempt: ["none", "exempt", "reverse"],
};
const PRODUCT_PARAMETERS: { [name: string]: Kind } = {
  active: "boolean",
  description: "text",
  images: "list",
  metadata: "map",
  name: "text",
  shippable: "boolean",
  statement_descriptor: "text",
  unit_label: "text",
  url: "text",
};
function checkKey(call: Call): void {
  const headers = { "www-authenticate": 'Basic realm="Stripe"' };
  const key = bearerOf(call) ?? basicOf(call)?.user ?? "";
  const message = key
    ? `Invalid API Key provided: ${key.slice(0, 8)}****${key.slice(-4)}`
    : "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').";
  if (key !== STRIPE_KEY)
    throw new Refusal({ status: 401, headers, body: { error: { message, type: "invalid_request_error" } } });
}

const LIST_PARAMETERS = ["limit", "starting_after", "ending_before", "expand", "created"];

/** `all`: newest first. */
function list(call: Call, all: Json[], object: string, filters: string[]): Reply {
  const query = formOf(call.query);
  for (const name of Object.keys(query))
    if (![...LIST_PARAMETERS, ...filters].includes(name))
      refuse(400, { code: "parameter_unknown", message: `Received unknown parameter: ${name}`, param: name });
  const asked = typeof query["limit"] === "string" ? query["limit"] : "10";
  const limit = wholeNumber(asked, 1, 100);
  if (limit === null) {
    const message = /^\d+$/.test(asked)
      ? `This value must be ${Number(asked) > 100 ? "less than or equal to 100" : "greater than or equal to 1"}.`
      : `Invalid integer: ${asked}`;
    return refuse(400, { code: "parameter_invalid_integer", message, param: "limit" });
  }
  const created = isObject(query["created"]) ? query["created"] : { gte: query["created"], lte: query["created"] };
  const types = isObject(query["types"]) ? Object.values(query["types"]) : null;
  const type = typeof query["type"] === "string" ? query["type"] : null;
  const matches = (record: Json): boolean => {
    const at = Number(record["created"]);
    const is = (bound: unknown, holds: (limit: number) => boolean) => bound === undefined || holds(Number(bound));
    const kind = String(record["type"]);
    const known = filters.filter((name) => name !== "type" && name !== "types" && query[name] !== undefined);
    return (
      is(created["gt"], (bound) => at > bound) &&
      is(created["gte"], (bound) => at >= bound) &&
      is(created["lt"], (bound) => at < bound) &&
      is(created["lte"], (bound) => at <= bound) &&
      (types === null || types.includes(kind)) &&
      (type === null || (type.endsWith("*") ? kind.startsWith(type.slice(0, -1)) : kind === type)) &&
      known.every((name) => String(record[name]) === query[name])
    );
  };
  const placeOf = (param: "starting_after" | "ending_before"): number | null => {
    const id = query[param];
    if (id === undefined) return null;
    const at = all.findIndex((record) => record["id"] === id);
    return at < 0 ? missing(object, String(id), 400, param) : at;
  };
  const [after, before] = [placeOf("starting_after"), placeOf("ending_before")];
  if (after !== null && before !== null)
    refuse(400, { message: "You may only specify one of these parameters: starting_after, ending_before." });
  const rest = all.slice(after === null ? 0 : after + 1, before ?? undefined).filter(matches);
  const data = before === null ? rest.slice(0, limit) : rest.slice(-limit);
  return { status: 200, body: { object: "list", url: call.path, has_more: rest.length > data.length, data } };
}

const resourceOf = (object: string, prefix: string, parameters: { [name: string]: Kind }): Resource => {
  const isCustomer = object === "customer";
  const nothing = { description: null, name: null, metadata: {}, livemode: false };
  return {
    object,
    prefix,
    parameters,
    records: new Map(),
    deleted: new Set(),
    showsDeleted: isCustomer,
    required: isCustomer ? [] : ["name"],
    filters: isCustomer ? ["email"] : ["active", "url", "shippable"],
    blank: () => ({
      ...nothing,
      ...(isCustomer
        ? { address: null, balance: 0, currency: null, default_source: null, delinquent: false, discount: null }
        : { active: true, default_price: null, images: [], shippable: null, unit_label: null, url: null }),
      ...(isCustomer
        ? { email: null, phone: null, preferred_locales: [], shipping: null, tax_exempt: "none", test_clock: null }
        : { statement_descriptor: null, tax_code: null, type: "service" }),
      ...(isCustomer && { invoice_prefix: randomBytes(4).toString("hex").toUpperCase(), next_invoice_sequence: 1 }),
    }),
  };
};

export async function startStripe(seeded: number): Promise<StripeServer> {
  const customers = resourceOf("customer", "cus", CUSTOMER_PARAMETERS);
  const products = resourceOf("product", "prod", PRODUCT_PARAMETERS);
  const resources = new Map([
    ["customers", customers],
    ["products", products],
  ]);
  const events: Json[] = [];
  const answered = new Map<string, { sent: string; reply: Reply }>();

  const announce = (resource: Resource, what: string, object: Json, previous?: Json): void => {
    const data = { object: structuredClone(object), ...(previous && { previous_attributes: previous }) };
    const type = `${resource.object}.${what}`;
    const rest = { api_version: "2024-06-20", livemode: false, pending_webhooks: 0, request: { id: null } };
    events.unshift({ id: newId("evt"), object: "event", created: nowSeconds(), type, data, ...rest });
  };
  const create = (resource: Resource, sent: Json, created = nowSeconds()): Json => {
    for (const name of resource.required)
      if (sent[name] === undefined || sent[name] === "")
        refuse(400, { code: "parameter_missing", message: `Missing required param: ${name}.`, param: name });
    const values = valuesOf(resource.parameters, sent, {});
    const id = newId(resource.prefix);
    const record = { id, object: resource.object, ...resource.blank(), ...values, created };
    resource.records.set(id, resource === products ? { ...record, updated: created } : record);
    announce(resource, "created", record);
    return resource.records.get(id) ?? record;
  };
  const update = (resource: Resource, id: string, sent: Json): Json => {
    const old = resource.records.get(id);
    if (!old) return missing(resource.object, id, 404);
    const values = valuesOf(resource.parameters, sent, old);
    const record: Json = { ...old, ...values, ...(resource === products && { updated: nowSeconds() }) };
    resource.records.set(id, record);
    const changed = Object.keys(values).filter((name) => JSON.stringify(old[name]) !== JSON.stringify(record[name]));
    const previous = Object.fromEntries(changed.map((name) => [name, old[name]]));
    if (changed.length > 0) announce(resource, "updated", record, previous);
    return record;
  };
  const remove = (resource: Resource, id: string): Json => {
    const old = resource.records.get(id);
    if (!old) return missing(resource.object, id, 404);
    resource.records.delete(id);
    resource.deleted.add(id);
    announce(resource, "deleted", old);
    return { id, object: resource.object, deleted: true };
  };

  const written = (resource: Resource, call: Call, id: string | undefined): Reply => {
    const isForm = /^application\/x-www-form-urlencoded/i.test(call.headers["content-type"] ?? "");
    if (call.text !== "" && !isForm)
      refuse(400, {
        message: "Invalid request (check that your POST content type is application/x-www-form-urlencoded).",
      });
    const key = call.headers["idempotency-key"];
    const sent = `${call.path} ${call.text}`;
    const before = key === undefined ? undefined : answered.get(key);
    if (before && before.sent !== sent)
      refuse(400, {
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        type: "idempotency_error",
      });
    if (before) return { ...before.reply, headers: { ...before.reply.headers, "idempotent-replayed": "true" } };
    const { expand: _, ...form } = formOf(new URLSearchParams(call.text));
    const body = structuredClone(id === undefined ? create(resource, form) : update(resource, id, form));
    const reply: Reply = { status: 200, body, headers: { "request-id": newId("req") } };
    if (key !== undefined) answered.set(key, { sent, reply });
    return reply;
  };
  const handle = (call: Call): Reply => {
    checkKey(call);
    const [, version, name = "", id, more] = call.path.split("/").map(decodeURIComponent);
    if (version === "v1" && name === "events" && call.method === "GET" && more === undefined) {
      if (id === undefined) return list(call, events, "event", ["type", "types", "delivery_success"]);
      return { status: 200, body: events.find((event) => event["id"] === id) ?? missing("event", id, 404) };
    }
    const resource = version === "v1" && more === undefined ? resources.get(name) : undefined;
    if (!resource || (call.method === "DELETE" && id === undefined))
      return refuse(404, {
        message: `Unrecognized request URL (${call.method}: ${call.path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
      });
    if (call.method === "POST") return written(resource, call, id);
    if (call.method === "DELETE") return { status: 200, body: remove(resource, id ?? "") };
    if (id === undefined)
      return list(call, [...resource.records.values()].toReversed(), resource.object, resource.filters);
    const found = resource.records.get(id);
    if (found) return { status: 200, body: found };
    if (!resource.showsDeleted || !resource.deleted.has(id)) return missing(resource.object, id, 404);
    return { status: 200, body: { id, object: resource.object, deleted: true } };
  };

  const start = nowSeconds() - 60 - seeded * 10;
  for (let n = 1; n <= seeded; n += 1) {
    create(customers, { name: `Customer ${n}`, email: `c${n}@example.com`, metadata: { n: `${n}` } }, start + n * 10);
    if (n <= 3) create(products, { name: `Product ${n}` }, start + n * 10);
  }
  const server = await startVendor(refusing(handle));
  return {
    ...server,
    customers: customers.records,
    products: products.records,
    outside: {
      create: async () => String(create(customers, { name: "Made in the dashboard", email: "new@example.com" })["id"]),
      update: async (id) => void update(customers, id, { name: `Changed ${randomBytes(3).toString("hex")}` }),
      remove: async (id) => void remove(customers, id),
    },
    rateLimitNext() {
      const message =
        "Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.";
      const error = { code: "rate_limit", message, type: "invalid_request_error" };
      server.refuseNext({ status: 429, body: { error }, headers: { "stripe-rate-limited-reason": "global-rate" } });
    },
  };
}
