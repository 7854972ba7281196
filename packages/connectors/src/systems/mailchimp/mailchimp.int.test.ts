/** Mailchimp, read and written as its Marketing API reference says: the conformance kit, and what is special about it. */
import { connectTo, entityNamed, testConnector } from "@accord/connector-sdk/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hashOf } from "../../../test-systems/vendors/mailchimp/members.ts";
import {
  MAILCHIMP_KEY,
  MAILCHIMP_LIST,
  startMailchimp,
  type Mailchimp,
} from "../../../test-systems/vendors/mailchimp/mailchimp.ts";
import { systemUnderTest } from "../../../test-systems/vendors/under-test.ts";
import { mailchimp } from "./index.ts";

const SETTINGS = { dataCenter: "us1", audienceId: MAILCHIMP_LIST };

/** The simulated one names members by the hash of their address, as the calls of others do. */
function byContact({ records, outside }: Mailchimp): Pick<Mailchimp["outside"], "create" | "update" | "remove"> {
  const hash = (id: string): string => hashOf(records.get(id)?.email ?? "");
  return {
    async create() {
      const made = await outside.create();
      return [...records.values()].find(({ email }) => hashOf(email) === made)?.contactId ?? "";
    },
    update: (id) => outside.update(hash(id)),
    remove: (id) => outside.remove(hash(id)),
  };
}

testConnector({
  definition: mailchimp,
  async start() {
    const server = await startMailchimp(130);
    return systemUnderTest({
      server,
      authType: "apiKey",
      settings: SETTINGS,
      basePath: "/3.0",
      credentials: { apiKey: MAILCHIMP_KEY },
      wrongCredentials: { apiKey: "guess-word-1-us1" },
      entity: "members",
      seeded: 130,
      expected: {
        idField: "contact_id",
        types: {
          email_address: "string",
          status: "picklist",
          "merge_fields.FNAME": "string",
          "merge_fields.POINTS": "double",
          last_changed: "datetime",
        },
      },
      outside: byContact(server),
      writes: {
        valid: (n) => ({
          email_address: `w${n}@example.com`,
          status: "subscribed",
          "merge_fields.FNAME": `Written ${n}`,
          "merge_fields.TIER": "Gold",
          vip: true,
        }),
        change: { "merge_fields.FNAME": null, "merge_fields.LNAME": "Too", vip: false },
        invalid: { email_address: "no address", status: "subscribed" },
        missingId: "0".repeat(32),
        lookupField: "email_address",
      },
    });
  },
});

let server: Mailchimp;
beforeAll(async () => void (server = await startMailchimp(3)));
afterAll(() => server.stop());

test("a member whose address is changed stays the same record", async () => {
  const connection = connectTo(mailchimp, {
    config: { ...SETTINGS, baseUrl: `${server.url}/3.0` },
    authType: "apiKey",
    credentials: { apiKey: MAILCHIMP_KEY },
  });
  const entity = await entityNamed(connection, "members");
  const [id = ""] = server.records.keys();
  const values = { email_address: "new.address@example.org" };
  const operations = [{ kind: "update", id, values, idempotencyKey: "k" } as const];
  expect(await connection.write?.({ entity, operations })).toMatchObject([{ status: "done", id }]);
  const [record] = (await connection.getByIds?.({ entity, fields: ["email_address"], ids: [id] })) ?? [];
  expect(record).toMatchObject({ id, values });
});
