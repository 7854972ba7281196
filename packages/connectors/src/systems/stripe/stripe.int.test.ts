/** Stripe, read and written as its API reference says: the conformance kit, and what is special about it. */
import { connectTo, entityNamed, testConnector } from "@accord/connector-sdk/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  startStripe,
  STRIPE_KEY,
  STRIPE_WRONG_KEY,
  type StripeServer,
} from "../../../test-systems/vendors/stripe/stripe.ts";
import { systemUnderTest } from "../../../test-systems/vendors/under-test.ts";
import { stripe } from "./index.ts";

const ID = "cus_thatNeverWas01";

testConnector({
  definition: stripe,
  async start() {
    const server = await startStripe(130);
    for (const id of server.products.keys()) server.products.delete(id);
    return systemUnderTest({
      server,
      authType: "bearerToken",
      settings: {},
      basePath: "/v1",
      credentials: { token: STRIPE_KEY },
      wrongCredentials: { token: STRIPE_WRONG_KEY },
      entity: "customers",
      seeded: 130,
      emptyEntity: "products",
      expected: { idField: "id", types: { name: "string", balance: "integer", created: "datetime" } },
      outside: server.outside,
      writes: {
        valid: (n) => ({ name: `Written ${n}`, email: `w${n}@example.com`, address_city: "Lübeck", balance: 7 }),
        change: { name: "Changed & more", phone: null, address_city: null },
        invalid: { name: "Broken", email: "no address" },
        missingId: ID,
      },
    });
  },
});

let server: StripeServer;
beforeAll(async () => void (server = await startStripe(2)));
afterAll(() => server.stop());

const connect = () =>
  connectTo(stripe, {
    config: { baseUrl: `${server.url}/v1` },
    authType: "bearerToken",
    credentials: { token: STRIPE_KEY },
  });

test("members of objects are written by their own paths, those beside them stay", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, "customers");
  const [id = ""] = server.customers.keys();
  const write = (values: { [name: string]: string | null }) =>
    connection.write?.({
      entity,
      operations: [{ kind: "update", id, values, idempotencyKey: `k ${Object.keys(values).join()}` }],
    });
  await write({ address_city: "Graz", address_country: "AT" });
  await write({ address_city: "Wien" });
  expect(server.customers.get(id)).toMatchObject({ address: { city: "Wien", country: "AT" } });
});

test("a creation that is sent again makes no second customer", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, "customers");
  const count = server.customers.size;
  const create = { kind: "create", values: { name: "Once" }, idempotencyKey: "the same key" } as const;
  const [one] = (await connection.write?.({ entity, operations: [create] })) ?? [];
  const [two] = (await connection.write?.({ entity, operations: [create] })) ?? [];
  expect(one).toMatchObject({ status: "done" });
  expect(two).toMatchObject({ status: "done", id: one?.status === "done" ? one.id : "" });
  expect(server.customers.size).toBe(count + 1);
});
