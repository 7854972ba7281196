/** HubSpot, read and written as its CRM reference says: the conformance kit, and what is special about it. */
import { connectTo, entityNamed, testConnector } from "@accord/connector-sdk/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HUBSPOT_TOKEN, HUBSPOT_WRONG_TOKEN, startHubspot } from "../../../test-systems/vendors/hubspot/hubspot.ts";
import { systemUnderTest } from "../../../test-systems/vendors/under-test.ts";
import { hubspot } from "./index.ts";

type Server = Awaited<ReturnType<typeof startHubspot>>;

testConnector({
  definition: hubspot,
  async start() {
    const server = await startHubspot(130);
    server.deals.clear();
    return systemUnderTest({
      server,
      authType: "bearerToken",
      settings: {},
      credentials: { token: HUBSPOT_TOKEN },
      wrongCredentials: { token: HUBSPOT_WRONG_TOKEN },
      entity: "contacts",
      emptyEntity: "deals",
      seeded: 130,
      expected: { idField: "id", types: { email: "string", firstname: "string", updatedAt: "datetime" } },
      outside: server.outside,
      writes: {
        valid: (n) => ({ email: `w${n}@example.com`, firstname: `Written ${n}`, lastname: "As & it < is" }),
        change: { firstname: "Changed", lastname: null },
        invalid: { email: "no address", firstname: "Broken" },
        missingId: "987654",
        lookupField: "email",
        deletesTwice: true,
      },
    });
  },
});

let server: Server;
beforeAll(async () => void (server = await startHubspot(3)));
afterAll(() => server.stop());

const connect = () =>
  connectTo(hubspot, {
    config: { baseUrl: server.url },
    authType: "bearerToken",
    credentials: { token: HUBSPOT_TOKEN },
  });

test("properties of the account are fields, what HubSpot computes is read only", async () => {
  const entity = await entityNamed(connect(), "contacts");
  const facts = (name: string) => entity.fields.find(({ apiName }) => apiName === name);
  expect(facts("email")).toMatchObject({ dataType: "string", unique: true });
  expect(facts("lastmodifieddate")).toMatchObject({ dataType: "datetime", updateable: false });
});

test("a contact whose address exists is refused in HubSpot's words", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, "contacts");
  const create = { kind: "create", values: { email: "twice@example.com" }, idempotencyKey: "k" } as const;
  await connection.write?.({ entity, operations: [create] });
  expect(await connection.write?.({ entity, operations: [{ ...create, idempotencyKey: "k2" }] })).toMatchObject([
    { status: "rejected", code: "duplicate", message: expect.stringContaining("already exists") },
  ]);
});
