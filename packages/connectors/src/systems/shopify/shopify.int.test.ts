/** Shopify, read and written as its REST reference says: the conformance kit, and what is special about it. */
import { connectTo, entityNamed, readToEnd, testConnector } from "@accord/connector-sdk/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  SHOPIFY_TOKEN,
  SHOPIFY_WRONG_TOKEN,
  startShopify,
  type ShopifyServer,
} from "../../../test-systems/vendors/shopify/shopify.ts";
import { systemUnderTest } from "../../../test-systems/vendors/under-test.ts";
import { shopify } from "./index.ts";

const BASE = "/admin/api/2026-01";

testConnector({
  definition: shopify,
  async start() {
    const server = await startShopify(270);
    server.products.clear();
    return systemUnderTest({
      server,
      authType: "apiKey",
      settings: { shop: "acme" },
      basePath: BASE,
      credentials: { apiKey: SHOPIFY_TOKEN },
      wrongCredentials: { apiKey: SHOPIFY_WRONG_TOKEN },
      entity: "customers",
      emptyEntity: "products",
      seeded: 270,
      expected: { idField: "id", types: { email: "string", tags: "string", updated_at: "datetime" } },
      outside: server.outside,
      writes: {
        valid: (n) => ({ email: `w${n}@example.com`, first_name: `Written ${n}`, last_name: "As & it < is" }),
        change: { first_name: "Changed", last_name: null },
        invalid: { email: "c1@example.com" },
        missingId: "987654",
        lookupField: "email",
      },
      rateLimitNext: (waitMs) => server.rateLimitNext(waitMs),
    });
  },
});

let server: ShopifyServer;
beforeAll(async () => void (server = await startShopify(3)));
afterAll(() => server.stop());

const connect = () =>
  connectTo(shopify, {
    config: { shop: "acme", baseUrl: server.url + BASE },
    authType: "apiKey",
    credentials: { apiKey: SHOPIFY_TOKEN },
  });

test("closed orders are read too", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, "orders");
  const { records } = await readToEnd(connection, { entity, cursor: null, pageSize: 100, mode: "all" });
  expect(records).toHaveLength(3);
});

test("ids beyond 32 bits keep their digits", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, "customers");
  const { records } = await readToEnd(connection, { entity, cursor: null, pageSize: 100, mode: "all" });
  expect(records.map(({ id }) => id).sort()).toEqual([...server.customers.keys()].sort());
});
