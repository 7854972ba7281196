/** The simulated Stripe: exchanges as its API reference shows them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startStripe, STRIPE_KEY, STRIPE_WRONG_KEY, type StripeServer } from "./stripe.ts";

let stripe: StripeServer;
beforeAll(async () => void (stripe = await startStripe(13)));
afterAll(() => stripe.stop());

const basic = (key: string): string => `Basic ${Buffer.from(`${key}:`).toString("base64")}`;
async function call(method: string, path: string, form?: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(stripe.url + path, {
    method,
    headers: { authorization: `Bearer ${STRIPE_KEY}`, ...headers },
    ...(form && { body: new URLSearchParams(form) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

it("wants its key, as bearer or as user name", async () => {
  expect(await call("GET", "/v1/customers", undefined, { authorization: basic(STRIPE_KEY) })).toMatchObject({
    status: 200,
  });
  const wrong = await call("GET", "/v1/customers", undefined, { authorization: basic(STRIPE_WRONG_KEY) });
  expect(wrong).toMatchObject({ status: 401, body: { error: { type: "invalid_request_error" } } });
});

it("lists newest first, ten unless asked, and goes on after a record", async () => {
  const first = await call("GET", "/v1/customers");
  expect(first.body).toMatchObject({ object: "list", url: "/v1/customers", has_more: true });
  expect(first.body.data).toHaveLength(10);
  expect(first.body.data[0]).toMatchObject({ object: "customer", name: "Customer 13", balance: 0 });
  const rest = await call("GET", `/v1/customers?starting_after=${first.body.data[9].id}`);
  expect(rest.body).toMatchObject({ has_more: false });
  expect(rest.body.data.map((one: { name: string }) => one.name)).toEqual(["Customer 3", "Customer 2", "Customer 1"]);
  expect(await call("GET", "/v1/customers?limit=101")).toMatchObject({
    status: 400,
    body: { error: { param: "limit" } },
  });
  const unknown = { error: { code: "parameter_unknown", param: "updated" } };
  expect(await call("GET", "/v1/customers?updated=1")).toMatchObject({ status: 400, body: unknown });
});

it("takes forms, unsets by an empty text, and shows deleted customers as deleted", async () => {
  const form = {
    name: "Jenny Rosen",
    email: "jenny@example.com",
    "metadata[order_id]": "6735",
    "address[city]": "Kiel",
  };
  const { body: made } = await call("POST", "/v1/customers", form);
  expect(made).toMatchObject({
    metadata: { order_id: "6735" },
    address: { city: "Kiel", line1: null },
    description: null,
  });
  const path = `/v1/customers/${made.id}`;
  expect((await call("POST", path, { name: "", "metadata[a]": "1" })).body).toMatchObject({
    name: null,
    metadata: { order_id: "6735", a: "1" },
  });
  expect(await call("POST", path, { size: "1" })).toMatchObject({ status: 400, body: { error: { param: "size" } } });
  const json = {
    method: "POST",
    body: "{}",
    headers: { authorization: basic(STRIPE_KEY), "content-type": "application/json" },
  };
  expect((await fetch(stripe.url + path, json)).status).toBe(400);
  const gone = { status: 200, body: { id: made.id, object: "customer", deleted: true } };
  expect(await call("DELETE", path)).toMatchObject(gone);
  expect(await call("GET", path)).toMatchObject(gone);
  expect(await call("POST", path, { name: "x" })).toMatchObject({
    status: 404,
    body: { error: { code: "resource_missing" } },
  });
});

it("keeps what it answered to an idempotency key, and lists changes as events", async () => {
  const key = { "idempotency-key": "k1" };
  const first = await call("POST", "/v1/customers", { name: "Once" }, key);
  const again = await call("POST", "/v1/customers", { name: "Once" }, key);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  const other = await call("POST", "/v1/customers", { name: "Twice" }, key);
  expect(other).toMatchObject({ status: 400, body: { error: { type: "idempotency_error" } } });
  await stripe.outside.update(first.body.id);
  const events = await call("GET", "/v1/events?types[]=customer.updated&limit=1");
  const data = { object: { id: first.body.id }, previous_attributes: { name: "Once" } };
  expect(events.body.data).toMatchObject([{ object: "event", type: "customer.updated", data }]);
});
