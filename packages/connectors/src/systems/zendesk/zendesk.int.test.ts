/** Zendesk, read and written as its API reference says: the conformance kit, and what is special about it. */
import { connectTo, entityNamed, readToEnd, testConnector } from "@accord/connector-sdk/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemUnderTest } from "../../../test-systems/vendors/under-test.ts";
import {
  startZendesk,
  ZENDESK_ACCESS_TOKEN,
  ZENDESK_API_TOKEN,
  ZENDESK_EMAIL,
  type Zendesk,
} from "../../../test-systems/vendors/zendesk/zendesk.ts";
import { zendesk } from "./index.ts";

testConnector({
  definition: zendesk,
  async start() {
    const server = await startZendesk(530);
    server.records.organizations.clear();
    return systemUnderTest({
      server,
      authType: "userPassword",
      settings: { subdomain: "acme" },
      basePath: "/api/v2",
      credentials: { email: ZENDESK_EMAIL, apiToken: ZENDESK_API_TOKEN },
      wrongCredentials: { email: ZENDESK_EMAIL, apiToken: "guess-word-1" },
      entity: "tickets",
      emptyEntity: "organizations",
      seeded: 530,
      expected: {
        idField: "id",
        types: { subject: "string", status: "picklist", tags: "string", updated_at: "datetime" },
        references: { requester_id: "users" },
      },
      outside: server.outside,
      writes: {
        valid: (n) => ({ subject: `Written ${n}`, description: `Case ${n}`, priority: "high", tags: ["one", "two"] }),
        change: { subject: "Changed", priority: null, tags: [] },
        invalid: { subject: "Broken", description: "x", priority: "no such priority" },
        missingId: "987654",
        isNeverFoundAgain: true,
      },
    });
  },
});

let server: Zendesk;
beforeAll(async () => void (server = await startZendesk(20)));
afterAll(() => server.stop());

const connect = () =>
  connectTo(zendesk, {
    config: { subdomain: "acme", baseUrl: `${server.url}/api/v2` },
    authType: "bearerToken",
    credentials: { token: ZENDESK_ACCESS_TOKEN },
  });

test("users are found by their e-mail address, changed, and deleted as far as Zendesk deletes them", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, "users");
  const fields = ["name", "email"];
  const [found] = (await connection.lookup?.({ entity, fields, field: "email", values: ["user6@example.com"] })) ?? [];
  expect(found?.values).toMatchObject({ name: "User 6" });
  const id = found?.id ?? "";
  const operations = [{ kind: "update", id, values: { name: "Ümit" }, idempotencyKey: "k" } as const];
  expect(await connection.write?.({ entity, operations })).toMatchObject([
    { status: "done", values: { name: "Ümit" } },
  ]);
  expect(
    await connection.write?.({ entity, operations: [{ kind: "delete", id, idempotencyKey: "k2" }] }),
  ).toMatchObject([{ status: "done" }]);
  expect(await connection.getByIds?.({ entity, fields, ids: [id] })).toEqual([]);
});

test("deleted tickets and users come as deleted with the changes", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, "tickets");
  const request = { entity, pageSize: 100, mode: "changes" as const };
  const first = await readToEnd(connection, { ...request, cursor: null });
  const [ticket] = first.records;
  await server.outside.remove(ticket?.id ?? "");
  const second = await readToEnd(connection, { ...request, cursor: first.cursor });
  expect(second.records.filter(({ id }) => id === ticket?.id)).toMatchObject([{ deleted: true }]);
});

test("a change of a ticket goes with the version that was read", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, "tickets");
  const [, id = ""] = server.records.tickets.keys();
  const before = server.calls.length;
  const operations = [{ kind: "update", id, values: { subject: "Ours" }, idempotencyKey: "k" } as const];
  expect(await connection.write?.({ entity, operations })).toMatchObject([{ status: "done" }]);
  expect(server.calls.slice(before)).toEqual([`GET /api/v2/tickets/${id}.json`, `PUT /api/v2/tickets/${id}.json`]);
  // Its versions are seconds: two changes within one have the same one, so no more is promised.
  const capabilities = zendesk.capabilitiesOf({ subdomain: "acme" }, entity);
  expect(capabilities).toContain("checkedWrite");
  expect(capabilities).not.toContain("conditionalWrite");
});
