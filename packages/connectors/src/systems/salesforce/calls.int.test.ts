/** The calls that Salesforce gets, as its reference asks for them: SOQL of the fields there are, pages by their address, conditions on changes, codes of refusals. */
import { connectTo, entityNamed, readToEnd } from "@accord/connector-sdk/test-kit";
import { hashValue, type WriteOperation } from "@accord/connector-sdk";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startVendor, type Call, type Reply, type VendorServer } from "../../../test-systems/vendors/server.ts";
import { salesforce } from "./index.ts";

const API = "/services/data/v68.0";
const column = (name: string, type = "string", more = {}) => ({
  ...{ name, type, label: `The ${name}`, nillable: true, createable: true, updateable: true, custom: false },
  ...more,
});
const SYSTEM = { createable: false, updateable: false };
const COLUMNS = [
  column("Rating__c", "picklist", {
    custom: true,
    picklistValues: [
      { active: true, value: "Hot", label: "Very hot" },
      { active: false, value: "Cold", label: "Cold" },
    ],
  }),
  column("Id", "id", SYSTEM),
  column("Email", "email"),
  column("AccountId", "reference", { referenceTo: ["Account"] }),
  column("OwnerId", "reference", { referenceTo: ["Group", "User"] }),
  column("MailingAddress", "address", SYSTEM),
  column("IsDeleted", "boolean", SYSTEM),
  column("LastModifiedDate", "datetime", SYSTEM),
  column("SystemModstamp", "datetime", SYSTEM),
];
const row = (Id: string, more = {}) => ({
  attributes: { type: "Contact", url: `${API}/sobjects/Contact/${Id}` },
  ...{ Id, Email: `${Id}@example.com`, AccountId: null, OwnerId: "005A", Rating__c: "Cold", IsDeleted: false },
  ...{ LastModifiedDate: "2026-01-02T10:00:07.000+0000", SystemModstamp: "2026-01-02T10:00:07.000+0000" },
  ...more,
});

let server: VendorServer;
let received: Call[] = [];
let answer: (call: Call) => Reply | null;
const refused = (status: number, errorCode: string, message: string): Reply => ({
  status,
  body: [{ errorCode, message, fields: [] }],
});

beforeEach(async () => {
  received = [];
  answer = () => null;
  server = await startVendor((call) => {
    received.push(call);
    if (call.path === "/services/oauth2/token")
      return { status: 200, body: { access_token: "00Dx!token", token_type: "Bearer", instance_url: server.url } };
    if (call.headers["authorization"] !== "Bearer 00Dx!token")
      return refused(401, "INVALID_SESSION_ID", "Session expired or invalid");
    const special = answer(call);
    if (special) return special;
    if (call.path.endsWith("/Lead/describe")) return refused(404, "NOT_FOUND", "The requested resource does not exist");
    if (call.path.endsWith("/describe")) return { status: 200, body: { label: "Contact", fields: COLUMNS } };
    if (call.path === `${API}/query/01g-2000`)
      return { status: 200, body: { totalSize: 2, done: true, records: [row("003B", { IsDeleted: true })] } };
    if (call.path.startsWith(`${API}/query`))
      return {
        status: 200,
        body: { totalSize: 2, done: false, nextRecordsUrl: `${API}/query/01g-2000`, records: [row("003A")] },
      };
    if (call.method === "POST") return { status: 201, body: { id: "003C", success: true, errors: [] } };
    if (call.method === "GET")
      return { status: 200, headers: { etag: '"abc=-gzip"' }, body: row(call.path.split("/").at(-1) ?? "") };
    return { status: 204 };
  });
});
afterEach(() => server.stop());

const connect = (moreObjects = "") =>
  connectTo(salesforce, {
    config: { domain: "acme", moreObjects, baseUrl: server.url + API },
    authType: "oauthClientCredentials",
    credentials: { clientId: "key", clientSecret: "secret" },
  });
const asked = (): string[] => received.map(({ query }) => query.get("q") ?? "").filter((soql) => soql !== "");

test("fields come from the describe: choices, references to one object, and what Salesforce sets itself", async () => {
  const entity = await entityNamed(connect(), "Contact");
  const facts = (name: string) => entity.fields.find(({ apiName }) => apiName === name);
  expect(entity.displayName).toBe("Contact");
  expect(facts("Rating__c")).toMatchObject({ dataType: "picklist", picklist: [{ id: "Hot", label: "Very hot" }] });
  expect(facts("AccountId")).toMatchObject({ dataType: "reference", referenceTo: "Account" });
  expect(facts("OwnerId")).toMatchObject({ dataType: "string" });
  expect(facts("SystemModstamp")).toMatchObject({ dataType: "datetime", updateable: false, isWatermarkField: true });
  expect(facts("MailingAddress")).toBeUndefined();
});

test("an object that the user may not see is left out, further ones are entities by their API names", async () => {
  const found: string[] = [];
  for await (const { entity } of connect("Case, Invoice__c").discover({})) found.push(entity.apiName);
  expect(found).toEqual(["Account", "Contact", "Opportunity", "Case", "Invoice__c"]);
});

test("changes are asked for with the deleted records among them, and pages followed by their address", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, "Contact");
  const since = { since: "2026-01-01T00:00:00.250Z", again: 0, pass: null };
  const { records } = await readToEnd(connection, { entity, cursor: since, mode: "changes", pageSize: 2000 });
  expect(records).toMatchObject([
    { id: "003A", modifiedAt: "2026-01-02T10:00:07.000Z", values: { Email: "003A@example.com", Rating__c: "Cold" } },
    { id: "003B", deleted: true },
  ]);
  const names = "Id,IsDeleted,LastModifiedDate,SystemModstamp,Email,AccountId,OwnerId,Rating__c";
  expect(asked()).toEqual([
    `SELECT ${names} FROM Contact WHERE SystemModstamp >= 2026-01-01T00:00:00Z ORDER BY SystemModstamp`,
  ]);
  expect(server.calls.slice(-2).map((call) => call.split("?")[0])).toEqual([
    `GET ${API}/queryAll`,
    `GET ${API}/query/01g-2000`,
  ]);
});

test("a text that is searched for can't leave its quotes", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, "Contact");
  const value = "o'neil\\' OR Email != '\n@example.com";
  await connection.lookup?.({ entity, fields: ["Email"], field: "Email", values: [value] });
  expect(asked().at(-1)).toMatch(/WHERE Email = 'o\\'neil\\\\\\' OR Email != \\'\\n@example\.com'$/);
});

const update = (values = { Email: "new@example.com" }): WriteOperation => ({
  ...{ kind: "update", id: "003A", values, idempotencyKey: "k" },
  expected: { Email: hashValue("003A@example.com") },
});

test("a change of an account carries its tag, one of a contact the second of its last change, a deletion neither", async () => {
  const connection = connect();
  const conditionsOf = async (name: string, operation: WriteOperation) => {
    const entity = await entityNamed(connection, name);
    expect(await connection.write?.({ entity, fields: ["Email"], operations: [operation] })).toMatchObject([
      { status: "done" },
    ]);
    const { headers } = received.findLast(({ method }) => method === "PATCH" || method === "DELETE") ?? {};
    return [headers?.["if-match"], headers?.["if-unmodified-since"]];
  };
  expect(await conditionsOf("Account", update())).toEqual(['"abc=-gzip"', undefined]);
  expect(await conditionsOf("Contact", update())).toEqual([undefined, "Fri, 02 Jan 2026 10:00:07 GMT"]);
  const { expected } = { expected: { Email: hashValue("003A@example.com") } };
  const deletion: WriteOperation = { kind: "delete", id: "003A", idempotencyKey: "k", expected };
  expect(await conditionsOf("Account", deletion)).toEqual([undefined, undefined]);
  const entity = await entityNamed(connection, "Account");
  const capabilities = salesforce.capabilitiesOf({ domain: "acme" }, entity);
  expect(capabilities).toContain("checkedWrite");
  expect(capabilities).not.toContain("conditionalWrite");
});

test("a change that Salesforce finds outdated is compared anew, and an edit meanwhile is a conflict", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, "Account");
  let isEdited = false;
  answer = (call) => {
    if (call.method === "PATCH") {
      isEdited = true;
      return refused(412, "PRECONDITION_FAILED", "The record has been modified");
    }
    return isEdited && call.method === "GET"
      ? { status: 200, body: row("003A", { Email: "theirs@example.com" }) }
      : null;
  };
  expect(await connection.write?.({ entity, fields: ["Email"], operations: [update()] })).toMatchObject([
    { status: "conflict", record: { values: { Email: "theirs@example.com" } } },
  ]);
});

test("what is created is known by the id in the answer, and read back", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, "Contact");
  const operation: WriteOperation = { kind: "create", values: { Email: "n@example.com" }, idempotencyKey: "k" };
  expect(await connection.write?.({ entity, operations: [operation] })).toMatchObject([{ status: "done", id: "003C" }]);
  expect(received.find(({ method, path }) => method === "POST" && path.startsWith(API))?.json()).toEqual({
    Email: "n@example.com",
  });
  expect(server.calls.at(-1)).toBe(`GET ${API}/sobjects/Contact/003C`);
});

test("codes say what a refusal means, whatever its status: a limit, a lock, a deleted record, a duplicate", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, "Contact");
  answer = () => refused(403, "REQUEST_LIMIT_EXCEEDED", "TotalRequests Limit exceeded.");
  await expect(connection.check()).rejects.toMatchObject({
    kind: "rateLimited",
    message: expect.stringContaining("TotalRequests Limit exceeded"),
  });
  answer = () => refused(403, "INSUFFICIENT_ACCESS", "insufficient access rights");
  await expect(connection.check()).rejects.toMatchObject({ kind: "permission" });
  const outcomeOf = async (errorCode: string) => {
    answer = ({ method }) => (method === "PATCH" ? refused(400, errorCode, "Not now") : null);
    return connection.write?.({ entity, operations: [update()] });
  };
  expect(await outcomeOf("UNABLE_TO_LOCK_ROW")).toMatchObject([{ status: "rejected", isTransient: true }]);
  expect(await outcomeOf("ENTITY_IS_DELETED")).toMatchObject([{ status: "missing" }]);
  expect(await outcomeOf("DUPLICATES_DETECTED")).toMatchObject([{ status: "rejected", code: "duplicate" }]);
  expect(await outcomeOf("STRING_TOO_LONG")).toMatchObject([
    { status: "rejected", code: "refused", message: /Not now/ },
  ]);
});

test("a sandbox's domain is taken, an address in its place is not", () => {
  const isTaken = (domain: string) => salesforce.problems({ domain }).length === 0;
  expect(["acme", "acme--dev.sandbox"].map(isTaken)).toEqual([true, true]);
  expect(["acme.my.salesforce.com", "https://acme", "acme.evil.example"].map(isTaken)).toEqual([false, false, false]);
});
