/** Airtable, read and written as its Web API reference says: the conformance kit, and what is special about it. */
import { connectTo, entityNamed, testConnector } from "@accord/connector-sdk/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fixedId } from "../../../test-systems/vendors/airtable/fields.ts";
import {
  AIRTABLE_BASE,
  AIRTABLE_TOKEN,
  startAirtable,
  type Airtable,
} from "../../../test-systems/vendors/airtable/airtable.ts";
import { systemUnderTest } from "../../../test-systems/vendors/under-test.ts";
import { airtable } from "./index.ts";

const CONTACTS = fixedId("tbl", "Contacts");
const COMPANIES = fixedId("tbl", "Companies");
const column = (name: string): string => fixedId("fld", `Contacts.${name}`);

testConnector({
  definition: airtable,
  async start() {
    const server = await startAirtable(130);
    server.companies.clear();
    return systemUnderTest({
      server,
      authType: "bearerToken",
      settings: { baseId: AIRTABLE_BASE },
      basePath: "/v0",
      credentials: { token: AIRTABLE_TOKEN },
      wrongCredentials: { token: "guess-word-1" },
      entity: CONTACTS,
      emptyEntity: COMPANIES,
      seeded: 130,
      expected: {
        idField: "id",
        types: {
          [column("Name")]: "string",
          [column("Visits")]: "integer",
          [column("Budget")]: "double",
          [column("Active")]: "boolean",
          [column("Next call")]: "datetime",
          [column("Stage")]: "picklist",
        },
        references: { [column("Company")]: COMPANIES },
      },
      outside: server.outside,
      writes: {
        valid: (n) => ({
          [column("Name")]: `Written ${n}`,
          [column("Email")]: `w${n}@example.com`,
          [column("Visits")]: 7,
          [column("Active")]: true,
          [column("Stage")]: "Lead",
          [column("Interests")]: ["Tea", "Cocoa"],
        }),
        change: { [column("Name")]: "Changed", [column("Visits")]: null, [column("Interests")]: null },
        invalid: { [column("Name")]: "Broken", [column("Stage")]: "No such stage" },
        missingId: "recNobodyHasThis1",
        isNeverFoundAgain: true,
      },
    });
  },
});

let server: Airtable;
beforeAll(async () => void (server = await startAirtable(3)));
afterAll(() => server.stop());

const connect = () =>
  connectTo(airtable, {
    config: { baseId: AIRTABLE_BASE, baseUrl: `${server.url}/v0` },
    authType: "bearerToken",
    credentials: { token: AIRTABLE_TOKEN },
  });

test("what Airtable computes is read only, and what has no type of ours is kept as it comes", async () => {
  const entity = await entityNamed(connect(), CONTACTS);
  const facts = (name: string) => entity.fields.find(({ apiName }) => apiName === column(name));
  expect(facts("Label")).toMatchObject({ dataType: "string", updateable: false, initializable: false });
  expect(facts("Last modified")).toMatchObject({ dataType: "datetime", updateable: false });
  expect(facts("Files")).toMatchObject({ dataType: "object" });
  expect(facts("Stage")?.picklist?.map(({ id }) => id)).toEqual(["Lead", "Customer", "Former"]);
});

test("after too many calls nothing is sent for 30 seconds, which Airtable's answer does not say", async () => {
  server.refuseNext({ status: 429, body: { errors: [{ error: "RATE_LIMIT_REACHED" }] } });
  await expect(connect().check()).rejects.toMatchObject({ kind: "rateLimited", retryAfterMs: 30_000 });
});
