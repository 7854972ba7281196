/** Intercom, read and written as its REST reference says: the conformance kit, and what is special about it. */
import { connectTo, entityNamed, testConnector } from "@accord/connector-sdk/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  INTERCOM_TOKEN,
  INTERCOM_WRONG_TOKEN,
  startIntercom,
  type IntercomServer,
} from "../../../test-systems/vendors/intercom/intercom.ts";
import { systemUnderTest } from "../../../test-systems/vendors/under-test.ts";
import { intercom } from "./index.ts";

testConnector({
  definition: intercom,
  async start() {
    const server = await startIntercom(170);
    server.companies.clear();
    return systemUnderTest({
      server,
      authType: "bearerToken",
      settings: {},
      credentials: { token: INTERCOM_TOKEN },
      wrongCredentials: { token: INTERCOM_WRONG_TOKEN },
      entity: "contacts",
      emptyEntity: "companies",
      seeded: 170,
      expected: { idField: "id", types: { email: "string", role: "picklist", updated_at: "datetime" } },
      outside: server.outside,
      writes: {
        valid: (n) => ({ role: "user", email: `w${n}@example.com`, name: `Written ${n}`, external_id: `x-${n}` }),
        change: { name: "Changed", phone: null },
        invalid: { role: "user", email: "no address" },
        missingId: "0".repeat(24),
        lookupField: "email",
      },
      rateLimitNext: (waitMs) => server.rateLimitNext(waitMs),
    });
  },
});

let server: IntercomServer;
beforeAll(async () => void (server = await startIntercom(3)));
afterAll(() => server.stop());

test("a contact whose address is taken is refused in Intercom's words", async () => {
  const connection = connectTo(intercom, {
    config: { baseUrl: server.url },
    authType: "bearerToken",
    credentials: { token: INTERCOM_TOKEN },
  });
  const entity = await entityNamed(connection, "contacts");
  const values = { role: "user", email: "twice@example.com" };
  const create = { kind: "create", values, idempotencyKey: "k" } as const;
  await connection.write?.({ entity, operations: [create] });
  expect(await connection.write?.({ entity, operations: [{ ...create, idempotencyKey: "k2" }] })).toMatchObject([
    { status: "rejected", code: "duplicate", message: expect.stringMatching(/already exists/i) },
  ]);
});
