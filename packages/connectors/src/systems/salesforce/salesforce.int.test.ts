/** Salesforce, read and written as its REST API developer guide says: the conformance kit, and what is special about it. */
import { connectTo, entityNamed, readToEnd, testConnector, type SystemUnderTest } from "@accord/connector-sdk/test-kit";
import type { Values } from "@accord/contracts/data/values";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { longId } from "../../../test-systems/vendors/salesforce/ids.ts";
import {
  SALESFORCE_CLIENT_ID,
  SALESFORCE_CLIENT_SECRET,
  startSalesforce,
  type SalesforceServer,
} from "../../../test-systems/vendors/salesforce/salesforce.ts";
import { systemUnderTest } from "../../../test-systems/vendors/under-test.ts";
import { salesforce } from "./index.ts";

const BASE = "/services/data/v68.0";
const CREDENTIALS = { clientId: SALESFORCE_CLIENT_ID, clientSecret: SALESFORCE_CLIENT_SECRET };

function salesforceUnderTest(
  server: SalesforceServer,
  facts: Pick<SystemUnderTest, "entity" | "emptyEntity" | "expected" | "outside" | "writes" | "seeded">,
): Promise<SystemUnderTest> {
  return systemUnderTest({
    ...facts,
    server,
    authType: "oauthClientCredentials",
    settings: { domain: "acme" },
    basePath: BASE,
    credentials: CREDENTIALS,
    wrongCredentials: { ...CREDENTIALS, clientSecret: "guess-word-1" },
    rateLimitNext: (waitMs) => server.rateLimitNext(waitMs),
  });
}

describe("accounts, which have tags", () => {
  testConnector({
    definition: salesforce,
    async start() {
      const server = await startSalesforce(530);
      server.opportunities.clear();
      return salesforceUnderTest(server, {
        entity: "Account",
        emptyEntity: "Opportunity",
        seeded: 530,
        expected: {
          idField: "Id",
          types: {
            Name: "string",
            Industry: "picklist",
            NumberOfEmployees: "integer",
            AnnualRevenue: "double",
            Active__c: "boolean",
            Renewal__c: "datetime",
            SystemModstamp: "datetime",
          },
          references: { ParentId: "Account" },
        },
        outside: server.outside,
        writes: {
          valid: (n) => ({
            Name: `Written ${n} & 'quoted' \\ Müller`,
            Phone: "+43 1 234",
            Industry: "Banking",
            NumberOfEmployees: 7,
            AnnualRevenue: 1000,
            Active__c: true,
            Renewal__c: "2026-01-31T09:30:00.000Z",
            Regions__c: "North;West",
            BillingCity: "Graz",
          }),
          change: { Name: "Changed", Phone: null, NumberOfEmployees: null, Renewal__c: null, BillingCity: null },
          invalid: { Name: "Broken", Segment__c: "Huge" },
          missingId: longId("001gK0000999999"),
          lookupField: "Name",
        },
      });
    },
  });
});

describe("contacts, which have times alone", () => {
  testConnector({
    definition: salesforce,
    async start() {
      const server = await startSalesforce(260);
      return salesforceUnderTest(server, {
        entity: "Contact",
        seeded: 260,
        expected: {
          idField: "Id",
          types: { LastName: "string", Email: "string", Birthdate: "date" },
          references: { AccountId: "Account", ReportsToId: "Contact" },
        },
        outside: server.outsideOf("Contact"),
        writes: {
          valid: (n) => ({ LastName: `Written ${n}`, Email: `w${n}@example.com`, Birthdate: "1990-02-28" }),
          change: { LastName: "Changed", Birthdate: null },
          invalid: { LastName: "Broken", Email: "no address" },
          missingId: longId("003gK0000999999"),
          lookupField: "Email",
        },
      });
    },
  });
});

let server: SalesforceServer;
beforeAll(async () => void (server = await startSalesforce(12)));
afterAll(() => server.stop());

const connect = () =>
  connectTo(salesforce, {
    config: { domain: "acme", baseUrl: server.url + BASE },
    authType: "oauthClientCredentials",
    credentials: CREDENTIALS,
  });

test("fields are those that the org describes: formulas and what the system keeps are read only, addresses come part by part", async () => {
  const entity = await entityNamed(connect(), "Account");
  const facts = (name: string) => entity.fields.find(({ apiName }) => apiName === name);
  expect(facts("Score__c")).toMatchObject({ calculated: true, updateable: false, initializable: false });
  expect(facts("SystemModstamp")).toMatchObject({ updateable: false, isUpdatedAtField: true });
  expect(facts("External_Id__c")).toMatchObject({ unique: true, custom: true });
  expect(facts("Segment__c")?.picklist?.map(({ id }) => id)).toEqual(["Small", "Medium", "Large"]);
  expect(facts("BillingAddress")).toBeUndefined();
  expect(facts("BillingCity")).toMatchObject({ dataType: "string", length: 40 });
});

test("what only the system touches comes with the changes, and so does what was deleted, with its contacts", async () => {
  const connection = connect();
  const [account, contact] = [await entityNamed(connection, "Account"), await entityNamed(connection, "Contact")];
  const request = { pageSize: 100, mode: "changes" as const };
  const first = await readToEnd(connection, { ...request, entity: account, cursor: null });
  const firstContacts = await readToEnd(connection, { ...request, entity: contact, cursor: null });
  const [one = "", two = ""] = server.accounts.keys();
  server.touchBySystem(one);
  await server.outside.remove(two);
  const second = await readToEnd(connection, { ...request, entity: account, cursor: first.cursor });
  expect(second.records.map(({ id }) => id)).toContain(one);
  expect(second.records.filter(({ id }) => id === two)).toMatchObject([{ deleted: true }]);
  const contacts = await readToEnd(connection, { ...request, entity: contact, cursor: firstContacts.cursor });
  expect(contacts.records.filter(({ deleted }) => deleted)).toHaveLength(1);
});

test("a lead, an opportunity and a contact of an account are created with what Salesforce requires of them", async () => {
  const connection = connect();
  const AccountId = [...server.accounts.keys()].at(-1) ?? "";
  const cases: [string, Values, string][] = [
    ["Lead", { LastName: "Lovelace", Company: "Analytical" }, "Company"],
    ["Opportunity", { Name: "D", StageName: "Prospecting", CloseDate: "2026-12-31", AccountId }, "CloseDate"],
    ["Contact", { LastName: "Lovelace", AccountId }, "LastName"],
  ];
  for (const [name, values, lacking] of cases) {
    const entity = await entityNamed(connection, name);
    const create = { kind: "create", values, idempotencyKey: `full ${name}` } as const;
    expect(await connection.write?.({ entity, operations: [create] })).toMatchObject([{ status: "done" }]);
    const rest = Object.fromEntries(Object.entries(values).filter(([field]) => field !== lacking));
    const less = { kind: "create", values: rest, idempotencyKey: `less ${name}` } as const;
    expect(await connection.write?.({ entity, operations: [less] })).toMatchObject([
      { status: "rejected", message: expect.stringContaining(`Required fields are missing: [${lacking}]`) },
    ]);
  }
});

test("a session that ended is opened anew, in the middle of the work", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, "Account");
  server.endSessions();
  const { records } = await readToEnd(connection, { entity, cursor: null, pageSize: 100, mode: "all" });
  expect(records.length).toBeGreaterThan(10);
});

test("calls beyond the org's limit are a wait, though Salesforce refuses them as forbidden and names no time", async () => {
  server.rateLimitNext();
  await expect(connect().check()).rejects.toMatchObject({ kind: "rateLimited", retryable: true });
});
