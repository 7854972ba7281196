/** The calls that Shopify gets, as its reference asks for them: links of pages, envelopes, the header with the token. */
import { connectTo, entityNamed, readToEnd } from "@accord/connector-sdk/test-kit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startVendor, type Call, type VendorServer } from "../../../test-systems/vendors/server.ts";
import { shopify } from "./index.ts";

let server: VendorServer;
let received: Call[] = [];
const CUSTOMERS = [1, 2, 3].map((id) => ({
  id,
  email: `c${id}@example.com`,
  total_spent: "199.50",
  default_address: { city: "Graz", country_code: "AT" },
  updated_at: `2026-01-0${id}T10:00:00+01:00`,
}));

beforeEach(async () => {
  received = [];
  server = await startVendor((call) => {
    received.push(call);
    if (call.path === "/admin/oauth/access_token")
      return { status: 200, body: { access_token: "shpat_1", scope: "read_customers", expires_in: 86_399 } };
    if (call.headers["x-shopify-access-token"] !== "shpat_1") return { status: 401, body: { errors: "[API] Invalid" } };
    if (call.method !== "GET") return { status: 200, body: { customer: { ...CUSTOMERS[0], note: "Changed" } } };
    if (call.path.endsWith("/customers/1.json")) return { status: 200, body: { customer: CUSTOMERS[0] } };
    if (call.query.has("page_info"))
      return call.query.has("updated_at_min")
        ? { status: 400, body: { errors: { updated_at_min: "cannot be passed along with page_info." } } }
        : { status: 200, body: { customers: CUSTOMERS.slice(2) } };
    const next = `${server.url}/admin/api/2026-01/customers.json?limit=250&page_info=abc`;
    return { status: 200, headers: { link: `<${next}>; rel="next"` }, body: { customers: CUSTOMERS.slice(0, 2) } };
  });
});
afterEach(() => server.stop());

const connect = (apiKey = "shpat_1") =>
  connectTo(shopify, {
    config: { shop: "acme", baseUrl: `${server.url}/admin/api/2026-01` },
    authType: "apiKey",
    credentials: { apiKey },
  });

test("the pages of a list of changes are followed by their links alone", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, "customers");
  const since = { since: "2026-01-01T00:00:00.000Z", again: 0, pass: null };
  const { records } = await readToEnd(connection, { entity, cursor: since, mode: "changes", pageSize: 250 });
  expect(records).toMatchObject([
    {
      id: "1",
      modifiedAt: "2026-01-01T09:00:00.000Z",
      values: { total_spent: 199.5, default_address_city: "Graz", default_address_country: "AT" },
    },
    { id: "2" },
    { id: "3" },
  ]);
  expect(server.calls).toEqual([
    "GET /admin/api/2026-01/customers.json?updated_at_min=2026-01-01T00%3A00%3A00.000Z&limit=250",
    "GET /admin/api/2026-01/customers.json?limit=250&page_info=abc",
  ]);
});

test("a record is sent and answered in its envelope", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, "customers");
  const operations = [
    { kind: "update" as const, id: "1", values: { note: "Changed", tags: "a, b" }, idempotencyKey: "k" },
  ];
  expect(await connection.write?.({ entity, operations })).toMatchObject([
    { status: "done", id: "1", values: { note: "Changed" } },
  ]);
  expect(received.at(-1)).toMatchObject({ method: "PUT", path: "/admin/api/2026-01/customers/1.json" });
  expect(received.at(-1)?.json()).toEqual({ customer: { note: "Changed", tags: "a, b" } });
});

test("an app's id and secret become a token at the shop's own address, which goes into Shopify's header", async () => {
  const connection = connectTo(shopify, {
    config: { shop: "acme", baseUrl: `${server.url}/admin/api/2026-01` },
    authType: "oauthClientCredentials",
    credentials: { clientId: "app", clientSecret: "secret of the app" },
  });
  await connection.check();
  expect(received[0]?.text).toBe("grant_type=client_credentials&client_id=app&client_secret=secret+of+the+app");
  expect(received.at(-1)?.headers).toMatchObject({ "x-shopify-access-token": "shpat_1" });
  expect(received.at(-1)?.headers["authorization"]).toBeUndefined();
});

test("a token that is refused is shown in Shopify's own words", async () => {
  await expect(connect("shpat_2").check()).rejects.toMatchObject({
    kind: "authentication",
    message: expect.stringContaining("[API] Invalid"),
  });
});
