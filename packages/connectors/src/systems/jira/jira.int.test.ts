/** Jira, read and written as its REST reference says: the conformance kit, and what is special about it. */
import { connectTo, entityNamed, testConnector } from "@accord/connector-sdk/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { USERS } from "../../../test-systems/vendors/jira/fields.ts";
import { JIRA_EMAIL, JIRA_PROJECT, JIRA_TOKEN, startJira, type Jira } from "../../../test-systems/vendors/jira/jira.ts";
import { systemUnderTest } from "../../../test-systems/vendors/under-test.ts";
import { jira } from "./index.ts";

const SETTINGS = { site: "acme", projectKey: JIRA_PROJECT };
const CREDENTIALS = { email: JIRA_EMAIL, apiToken: JIRA_TOKEN };

testConnector({
  definition: jira,
  async start() {
    const server = await startJira(130);
    return systemUnderTest({
      server,
      authType: "userPassword",
      settings: SETTINGS,
      basePath: "/rest/api/2",
      credentials: CREDENTIALS,
      wrongCredentials: { ...CREDENTIALS, apiToken: "guess-word-1" },
      entity: "issues",
      seeded: 130,
      expected: {
        idField: "id",
        types: { key: "string", summary: "string", updated: "datetime", customfield_10002: "double" },
      },
      outside: server.outside,
      writes: {
        valid: (n) => ({
          summary: `Written ${n}`,
          description: "As & it < is",
          issuetype: "Bug",
          priority: "High",
          labels: ["one", "two"],
          duedate: "2026-12-24",
          customfield_10001: `C-${n}`,
          customfield_10002: 2.5,
          customfield_10005: "Green",
        }),
        change: { summary: "Changed", description: null, labels: [] },
        invalid: { summary: "Broken", issuetype: "No such type" },
        missingId: "987654",
        isNeverFoundAgain: true,
      },
    });
  },
});

let server: Jira;
beforeAll(async () => void (server = await startJira(3)));
afterAll(() => server.stop());

const connect = () =>
  connectTo(jira, {
    config: { ...SETTINGS, baseUrl: `${server.url}/rest/api/2` },
    authType: "userPassword",
    credentials: CREDENTIALS,
  });

test("people are named by their account, choices of a site's own fields by their text; both are cleared", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, "issues");
  const [id = ""] = server.records.keys();
  const fields = ["assignee", "customfield_10005", "customfield_10008"];
  const write = (values: { [name: string]: string | string[] | null }, key: string) =>
    connection.write?.({ entity, operations: [{ kind: "update", id, values, idempotencyKey: key }] });
  const stored = async () => (await connection.getByIds?.({ entity, fields, ids: [id] }))?.[0]?.values;
  const values = { assignee: USERS[0]?.accountId ?? "", customfield_10005: "Blue", customfield_10008: ["tea"] };
  expect(await write(values, "one")).toMatchObject([{ status: "done" }]);
  expect(await stored()).toMatchObject(values);
  expect(await write({ assignee: null, customfield_10005: null }, "two")).toMatchObject([{ status: "done" }]);
  expect(await stored()).toMatchObject({ assignee: null, customfield_10005: null, customfield_10008: ["tea"] });
});

test("fields that no text stands for are read as they come, and not written", async () => {
  const entity = await entityNamed(connect(), "issues");
  const facts = (name: string) => entity.fields.find(({ apiName }) => apiName === name);
  expect(facts("customfield_10007")).toMatchObject({
    displayName: "Contact person",
    dataType: "object",
    updateable: false,
  });
  expect(facts("status")).toMatchObject({ updateable: false });
});
