/** Shopify as the reference of its Admin REST API shows it: customers, products and orders of a shop. */
import { randomBytes } from "node:crypto";
import { refusing, wholeNumber, type Json, type Outside } from "../kit.ts";
import { startVendor, type Call, type Reply, type VendorServer } from "../server.ts";
import { countOf, listOf, narrowed } from "./lists.ts";
import {
  blankCustomer,
  blankOrder,
  blankProduct,
  CUSTOMER,
  newId,
  ORDER,
  PRODUCT,
  refuse,
  shopTime,
  unwrapped,
  valuesOf,
  type Kind,
} from "./records.ts";

export const SHOPIFY_TOKEN = "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";
/** A token that Shopify refuses. */
export const SHOPIFY_WRONG_TOKEN = "shpat_wrong";
export const SHOPIFY_VERSION = "2024-10";

export interface ShopifyServer extends VendorServer {
  /** By their ids as text. */
  customers: Map<string, Json>;
  products: Map<string, Json>;
  orders: Map<string, Json>;
  outside: Outside;
  rateLimitNext(waitMs: number): void;
}

interface Resource {
  name: "customers" | "products" | "orders";
  envelope: string;
  kinds: Record<string, Kind>;
  records: Map<string, Json>;
  blank: (id: number, at: number) => Json;
}

const resourceOf = (
  name: Resource["name"],
  envelope: string,
  kinds: Record<string, Kind>,
  blank: Resource["blank"],
): Resource => ({ name, envelope, kinds, blank, records: new Map() });

/** By one field, as in `email:name@example.com`; a word alone looks at names. */
function searched(call: Call, customers: Json[]): Reply {
  const [, field = "last_name", value = ""] =
    /^(?:(email|phone|first_name|last_name):)?"?([^"]*)"?$/.exec(call.query.get("query") ?? "") ?? [];
  const found = customers.filter((customer) => String(customer[field]).toLowerCase() === value.toLowerCase());
  return { status: 200, body: { customers: found.slice(0, 50) } };
}

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

export async function startShopify(seeded: number): Promise<ShopifyServer> {
  const customers = resourceOf("customers", "customer", CUSTOMER, blankCustomer);
  const products = resourceOf("products", "product", PRODUCT, blankProduct);
  let orderNumber = 0;
  const orders = resourceOf("orders", "order", ORDER, (id, at) => blankOrder(id, at, (orderNumber += 1)));
  const resources = new Map([customers, products, orders].map((one) => [one.name as string, one]));

  const check = (resource: Resource, record: Json): void => {
    const others = [...resource.records.values()].filter((other) => other["id"] !== record["id"]);
    if (resource === customers) {
      const taken = ["email", "phone"].filter(
        (name) => record[name] !== null && others.some((other) => other[name] === record[name]),
      );
      if (taken.length > 0) refuse(422, Object.fromEntries(taken.map((name) => [name, ["has already been taken"]])));
      if (["email", "phone", "first_name", "last_name"].every((name) => !record[name]))
        refuse(422, { base: ["Customer must have a name, phone number or email address"] });
    }
    if (resource !== products) return;
    const title = record["title"];
    if (typeof title !== "string" || title.trim() === "") return refuse(422, { title: ["can't be blank"] });
    const wanted = slugOf(String(record["handle"] || title));
    const handles = new Set(others.map((other) => other["handle"]));
    let handle = wanted;
    for (let n = 1; handles.has(handle); n += 1) handle = `${wanted}-${n}`;
    record["handle"] = handle;
  };
  const save = (resource: Resource, old: Json, sent: Json, at: number): Json => {
    const record: Json = { ...old, ...valuesOf(resource.kinds, sent), updated_at: shopTime(at) };
    check(resource, record);
    resource.records.set(String(record["id"]), record);
    return record;
  };
  const create = (resource: Resource, sent: Json, at = Date.now()): Json =>
    save(resource, resource.blank(newId(), at), sent, at);
  const found = (resource: Resource, id: string): Json => resource.records.get(id) ?? refuse(404, "Not Found");
  const remove = (resource: Resource, id: string): Json => {
    const record = found(resource, id);
    if (resource === customers && Number(record["orders_count"]) > 0)
      refuse(422, { base: ["Cannot delete customer with orders"] });
    resource.records.delete(id);
    return {};
  };

  const one = (call: Call, resource: Resource, id: string): Reply => {
    const { envelope } = resource;
    if (call.method === "GET")
      return { status: 200, body: { [envelope]: narrowed(found(resource, id), call.query.get("fields")) } };
    if (call.method === "PUT") {
      const record = save(resource, found(resource, id), unwrapped(call.json(), envelope), Date.now());
      return { status: 200, body: { [envelope]: record } };
    }
    if (call.method === "DELETE" && resource !== orders) return { status: 200, body: remove(resource, id) };
    return refuse(404, "Not Found");
  };
  const answer = (call: Call): Reply => {
    if (call.headers["x-shopify-access-token"] !== SHOPIFY_TOKEN)
      refuse(401, "[API] Invalid API key or access token (unrecognized login or wrong password)");
    const [, rest] = /^\/admin\/api\/(?:\d{4}-\d{2}|unstable)\/(.+)\.json$/.exec(call.path) ?? [];
    if (rest === undefined) return refuse(404, "Not Found");
    if (rest === "shop" && call.method === "GET") return { status: 200, body: { shop: SHOP } };
    const [name = "", id, more] = rest.split("/");
    const resource = resources.get(name);
    if (!resource || more !== undefined) return refuse(404, "Not Found");
    const isWrite = call.method === "POST" || call.method === "PUT";
    const isJson = /^application\/json/i.test(call.headers["content-type"] ?? "");
    if (isWrite && !isJson) refuse(400, { [resource.envelope]: "Required parameter missing or invalid" });
    const all = [...resource.records.values()];
    if (id === "count" && call.method === "GET") return countOf(call, all, name);
    if (id === "search" && resource === customers && call.method === "GET") return searched(call, all);
    if (id !== undefined)
      return wholeNumber(id, 1, Number.MAX_SAFE_INTEGER) === null ? refuse(404, "Not Found") : one(call, resource, id);
    if (call.method === "GET") return listOf(call, all, name);
    if (call.method !== "POST" || resource === orders) return refuse(404, "Not Found");
    const record = create(resource, unwrapped(call.json(), resource.envelope));
    return { status: 201, body: { [resource.envelope]: record } };
  };
  const handle = (call: Call): Reply => {
    const reply = refusing(answer)(call);
    const limits: Record<string, string> =
      reply.status === 401 ? {} : { "x-shopify-shop-api-call-limit": "1/40", "x-shopify-api-version": SHOPIFY_VERSION };
    return { ...reply, headers: { ...limits, ...reply.headers } };
  };

  const start = Date.now() - (60 + seeded * 10) * 1000;
  for (let n = 1; n <= seeded; n += 1) {
    const at = start + n * 10_000;
    create(customers, { first_name: "Customer", last_name: `${n}`, email: `c${n}@example.com`, tags: "b, a" }, at);
    if (n > 3) continue;
    create(products, { title: `Product ${n}` }, at);
    const order = create(orders, { email: `c${n}@example.com` }, at);
    // The first is done; a list shows it only when it is asked for.
    if (n === 1) order["closed_at"] = shopTime(at);
  }
  const server = await startVendor(handle);
  return {
    ...server,
    customers: customers.records,
    products: products.records,
    orders: orders.records,
    outside: {
      create: async () =>
        String(create(customers, { first_name: "Made", email: `${randomBytes(4).toString("hex")}@example.com` })["id"]),
      async update(id) {
        save(customers, found(customers, id), { last_name: `Changed ${randomBytes(3).toString("hex")}` }, Date.now());
      },
      remove: async (id) => void remove(customers, id),
    },
    rateLimitNext(waitMs) {
      const headers = { "retry-after": (waitMs / 1000).toFixed(1), "x-shopify-shop-api-call-limit": "40/40" };
      const errors =
        "Exceeded 2 calls per second for api client. Reduce request rates to resume uninterrupted service.";
      server.refuseNext({ status: 429, headers, body: { errors } });
    },
  };
}

const SHOP: Json = {
  id: 548_380_009,
  name: "Apple Computers",
  email: "owner@example.com",
  domain: "shop.example.com",
  myshopify_domain: "apple.myshopify.com",
  country_code: "US",
  currency: "USD",
  timezone: "(GMT-05:00) Lima",
  iana_timezone: "America/Lima",
  plan_name: "enterprise",
};
