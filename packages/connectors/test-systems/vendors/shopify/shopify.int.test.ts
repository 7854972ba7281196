/** The simulated Shopify: exchanges as its API reference shows them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { SHOPIFY_TOKEN, SHOPIFY_WRONG_TOKEN, startShopify, type ShopifyServer } from "./shopify.ts";

let shopify: ShopifyServer;
beforeAll(async () => void (shopify = await startShopify(13)));
afterAll(() => shopify.stop());

async function call(method: string, path: string, body?: unknown, token = SHOPIFY_TOKEN) {
  const headers = { "x-shopify-access-token": token, "content-type": "application/json" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const url = path.startsWith("http") ? path : `${shopify.url}/admin/api/2024-10${path}`;
  const response = await fetch(url, { method, headers, ...sent });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
const nextOf = (headers: Headers): string => /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1] ?? "";

it("wants its token, and says how many calls are left", async () => {
  const shop = await call("GET", "/shop.json");
  expect(shop.body.shop).toMatchObject({ myshopify_domain: "apple.myshopify.com" });
  expect(shop.headers.get("x-shopify-shop-api-call-limit")).toBe("1/40");
  const wrong = await call("GET", "/shop.json", undefined, SHOPIFY_WRONG_TOKEN);
  expect(wrong).toMatchObject({ status: 401, body: { errors: expect.stringContaining("Invalid API key") } });
  shopify.rateLimitNext(2000);
  const limited = await call("GET", "/shop.json");
  expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "2.0"]);
});

it("pages by the links of its answers, and refuses filters beside page_info", async () => {
  const first = await call("GET", "/customers.json?limit=10&order=updated_at+asc&updated_at_min=2020-01-01T00:00:00Z");
  expect(first.body.customers).toHaveLength(10);
  expect(first.body.customers[0]).toMatchObject({ last_name: "1", tags: "a, b" });
  expect(first.body.customers[0].id).toBeGreaterThan(2 ** 32);
  expect(first.body.customers[0].updated_at).toMatch(/T\d\d:\d\d:\d\d-05:00$/);
  const rest = await call("GET", nextOf(first.headers));
  expect(rest.body.customers.map((one: { last_name: string }) => one.last_name)).toEqual(["11", "12", "13"]);
  expect(nextOf(rest.headers)).toBe("");
  expect(rest.headers.get("link")).toContain('rel="previous"');
  const mixed = await call("GET", `${nextOf(first.headers)}&since_id=1`);
  expect(mixed).toMatchObject({ status: 400, body: { errors: { since_id: expect.stringContaining("page_info") } } });
  expect((await call("GET", "/customers/count.json")).body).toEqual({ count: 13 });
  const after = await call("GET", `/customers.json?since_id=${rest.body.customers[1].id}&fields=id,email`);
  expect(after.body.customers).toEqual([{ id: rest.body.customers[2].id, email: "c13@example.com" }]);
});

it("writes customers in envelopes, and refuses those that are taken", async () => {
  const sent = { email: "Steve@Example.com", phone: "+1 (514) 204-5411", tags: "vip, Early,vip", size: 1 };
  const { status, body } = await call("POST", "/customers.json", { customer: sent });
  expect(status).toBe(201);
  expect(body.customer).toMatchObject({ email: "steve@example.com", phone: "+15142045411", tags: "Early, vip" });
  const taken = { status: 422, body: { errors: { email: ["has already been taken"] } } };
  expect(await call("POST", "/customers.json", { customer: { email: "c1@example.com" } })).toMatchObject(taken);
  const missing = { status: 400, body: { errors: { customer: "Required parameter missing or invalid" } } };
  expect(await call("POST", "/customers.json", {})).toMatchObject(missing);
  const path = `/customers/${body.customer.id}.json`;
  const put = await call("PUT", path, { customer: { note: "Hi", phone: null } });
  expect(put).toMatchObject({ status: 200, body: { customer: { note: "Hi", phone: null } } });
  expect(await call("DELETE", path)).toMatchObject({ status: 200, body: {} });
  expect(await call("GET", path)).toMatchObject({ status: 404, body: { errors: "Not Found" } });
});

it("keeps products and orders", async () => {
  const blank = { status: 422, body: { errors: { title: ["can't be blank"] } } };
  expect(await call("POST", "/products.json", { product: { title: "" } })).toMatchObject(blank);
  const { body } = await call("POST", "/products.json", { product: { title: "Product 1" } });
  expect(body.product).toMatchObject({ handle: "product-1-1", status: "active", variants: [{ price: "0.00" }] });
  expect((await call("DELETE", `/products/${body.product.id}.json`)).status).toBe(200);
  const { body: open } = await call("GET", "/orders.json");
  expect(open.orders.map((one: { name: string }) => one.name)).toEqual(["#1003", "#1002"]);
  expect((await call("GET", "/orders/count.json?status=any")).body).toEqual({ count: 3 });
  const put = await call("PUT", `/orders/${open.orders[0].id}.json`, { order: { note: "Gift", tags: "x" } });
  expect(put.body.order).toMatchObject({ note: "Gift", tags: "x", name: "#1003" });
});
