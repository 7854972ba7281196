/** The simulated Salesforce answers as the REST API developer guide says: signing in, metadata, records and their conditions. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { isObject } from "../kit.ts";
import { client, refused } from "./client.ts";
import {
  SALESFORCE_CLIENT_ID,
  SALESFORCE_CLIENT_SECRET,
  startSalesforce,
  type SalesforceServer,
} from "./salesforce.ts";

let server: SalesforceServer;
beforeAll(async () => void (server = await startSalesforce(30)));
afterAll(() => server.stop());
const { ask, names, created } = client(() => server);
const tokenFor = (form: Record<string, string>) =>
  ask("POST", "/services/oauth2/token", {
    body: new URLSearchParams(form).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });

test("an application signs in with its own key and secret, and gets a token without a time of expiry", async () => {
  const good = { grant_type: "client_credentials", client_id: SALESFORCE_CLIENT_ID };
  const answer = await tokenFor({ ...good, client_secret: SALESFORCE_CLIENT_SECRET });
  expect(answer).toMatchObject({ status: 200, body: { token_type: "Bearer", instance_url: server.url, scope: "api" } });
  expect(answer.body).not.toHaveProperty("expires_in");
  const token = isObject(answer.body) ? String(answer.body["access_token"]) : "";
  expect(await ask("GET", "limits", { token })).toMatchObject({ status: 200, body: { DailyApiRequests: {} } });
  for (const [form, error] of [
    [{ ...good, client_secret: "no" }, "invalid_client"],
    [{ ...good, client_id: "no" }, "invalid_client_id"],
    [{ ...good, grant_type: "magic" }, "unsupported_grant_type"],
  ] as const)
    expect(await tokenFor(form)).toMatchObject({ status: 400, body: { error } });
  expect(await ask("GET", "limits", { token: "other" })).toMatchObject(refused(401, "INVALID_SESSION_ID"));
});

test("versions are listed; those of the future are not found, those retired are gone", async () => {
  const { body } = await ask("GET", "/services/data");
  expect(body).toContainEqual({ label: "Winter '26", url: "/services/data/v65.0", version: "65.0" });
  expect(await ask("GET", "/services/data/v999.0/limits")).toMatchObject(refused(404, "NOT_FOUND"));
  expect(await ask("GET", "/services/data/v20.0/limits")).toMatchObject({ status: 410 });
});

test("an object is described with the facts of its fields", async () => {
  const { body } = await ask("GET", "sobjects/account/describe");
  const fields = isObject(body) && Array.isArray(body["fields"]) ? body["fields"] : [];
  for (const field of [
    { name: "Id", type: "id", createable: false, updateable: false },
    { name: "Name", type: "string", nillable: false, length: 255, nameField: true },
    { name: "ParentId", type: "reference", referenceTo: ["Account"], relationshipName: "Parent" },
    { name: "BillingAddress", type: "address", createable: false },
    { name: "BillingCity", compoundFieldName: "BillingAddress" },
    { name: "Score__c", calculated: true, custom: true, updateable: false },
    { name: "Segment__c", type: "picklist", restrictedPicklist: true },
    { name: "External_Id__c", externalId: true, unique: true, idLookup: true },
  ])
    expect(fields).toContainEqual(expect.objectContaining(field));
  expect(await ask("GET", "sobjects/Nothing__c/describe")).toMatchObject(refused(404, "NOT_FOUND"));
});

test("what a creation lacks, may not set or can't hold is refused by field", async () => {
  for (const [object, lacking] of [
    ["Account", ["Name"]],
    ["Contact", ["LastName"]],
    ["Lead", ["LastName", "Company"]],
    ["Opportunity", ["Name", "StageName", "CloseDate"]],
  ] as const)
    expect(await ask("POST", `sobjects/${object}`, { body: { Description: "x" } })).toMatchObject(
      refused(400, "REQUIRED_FIELD_MISSING", { fields: lacking }),
    );
  const deal = { Name: "D", StageName: "Prospecting", CloseDate: "2026-01-31" };
  for (const [object, body, code] of [
    ["Account", { Name: "A", Nothing: 1 }, "INVALID_FIELD"],
    ["Account", { Name: "A", Id: "001gK00000000001AAA" }, "INVALID_FIELD"],
    ["Account", { Name: "A", CreatedDate: "2024-01-01T00:00:00Z" }, "INVALID_FIELD_FOR_INSERT_UPDATE"],
    ["Account", { Name: "A", Score__c: 3 }, "INVALID_FIELD_FOR_INSERT_UPDATE"],
    ["Account", { Name: "A", BillingAddress: "Graz" }, "INVALID_FIELD_FOR_INSERT_UPDATE"],
    ["Account", { Name: "A".repeat(256) }, "STRING_TOO_LONG"],
    ["Account", { Name: 7 }, "JSON_PARSER_ERROR"],
    ["Account", { Name: "A", NumberOfEmployees: "many" }, "JSON_PARSER_ERROR"],
    ["Account", { Name: "A", NumberOfEmployees: 2.5 }, "JSON_PARSER_ERROR"],
    ["Account", { Name: "A", Active__c: null }, "JSON_PARSER_ERROR"],
    ["Account", { Name: "A", Segment__c: "Huge" }, "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST"],
    ["Account", { Name: "A", ParentId: "x" }, "MALFORMED_ID"],
    ["Account", { Name: "A", ParentId: "001gK0000999999" }, "INVALID_CROSS_REFERENCE_KEY"],
    ["Account", { Name: "A", ParentId: "003gK0000999999" }, "FIELD_INTEGRITY_EXCEPTION"],
    ["Contact", { LastName: "C", Email: "no address" }, "INVALID_EMAIL_ADDRESS"],
    ["Contact", { LastName: "C", Name: "C" }, "INVALID_FIELD_FOR_INSERT_UPDATE"],
    ["Opportunity", { ...deal, CloseDate: "31.1.2026" }, "JSON_PARSER_ERROR"],
    ["Opportunity", { ...deal, Probability: 1000 }, "NUMBER_OUTSIDE_VALID_RANGE"],
  ] as const)
    expect([object, body, await ask("POST", `sobjects/${object}`, { body })]).toMatchObject([
      object,
      body,
      refused(400, code),
    ]);
  expect(await ask("POST", "sobjects/Account", { body: "{" })).toMatchObject(refused(400, "JSON_PARSER_ERROR"));
  expect(await ask("PUT", "sobjects/Account", { body: {} })).toMatchObject(refused(405, "METHOD_NOT_ALLOWED"));
  const headers = { "content-type": "text/plain" };
  expect(await ask("POST", "sobjects/Account", { body: {}, headers })).toMatchObject({ status: 415 });
});

test("a record is created, read by 15 and by 18 characters, changed and deleted; names have no case", async () => {
  const id = await created("contact", { lastname: "  Ärzte ", FIRSTNAME: "", Email: "A@Example.com", Phone: null });
  expect(id).toMatch(/^003\w{15}$/);
  for (const one of [id, id.slice(0, 15)])
    expect(await ask("GET", `sobjects/Contact/${one}?fields=Name,FirstName,IsDeleted,SystemModstamp`)).toMatchObject({
      status: 200,
      body: {
        attributes: { type: "Contact", url: `/services/data/v65.0/sobjects/Contact/${id}` },
        Id: id,
        Name: "Ärzte",
        FirstName: null,
        IsDeleted: false,
        SystemModstamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000\+0000$/),
      },
    });
  const changed = await ask("PATCH", `sobjects/Contact/${id}`, { body: { FirstName: "Ada", MailingCity: "Graz" } });
  expect(changed).toMatchObject({ status: 204, body: null });
  expect(await ask("GET", `sobjects/Contact/${id}`)).toMatchObject({
    body: { Name: "Ada Ärzte", MailingAddress: { city: "Graz", country: null } },
  });
  expect(await ask("PATCH", `sobjects/Contact/${id}`, { body: { LastName: null } })).toMatchObject(
    refused(400, "REQUIRED_FIELD_MISSING", { fields: ["LastName"] }),
  );
  expect(await ask("GET", `sobjects/Contact/${id}?fields=Nothing`)).toMatchObject(refused(400, "INVALID_FIELD"));
  expect(await ask("DELETE", `sobjects/Contact/${id}`)).toMatchObject({ status: 204, body: null });
  for (const method of ["GET", "PATCH", "DELETE"])
    expect(await ask(method, `sobjects/Contact/${id}`, method === "PATCH" ? { body: {} } : {})).toMatchObject(
      refused(404, "ENTITY_IS_DELETED"),
    );
  expect(await ask("GET", "sobjects/Contact/003gK0000999999")).toMatchObject(refused(404, "NOT_FOUND"));
  expect(await ask("GET", "sobjects/Contact/nobody")).toMatchObject(refused(404, "NOT_FOUND"));
  expect(await ask("DELETE", "sobjects/Contact/003gK0000999999")).toMatchObject(
    refused(404, "INVALID_CROSS_REFERENCE_KEY"),
  );
});

test("picklists that are not restricted take any text, multiple choices are a text with semicolons", async () => {
  const id = await created("Account", { Name: "A", Rating: "Lukewarm", Regions__c: "West;North", Segment__c: "large" });
  expect(await ask("GET", `sobjects/Account/${id}`)).toMatchObject({
    body: { Rating: "Lukewarm", Regions__c: "North;West", Segment__c: "Large", Active__c: false },
  });
  expect(await names("SELECT Name FROM Account WHERE Regions__c INCLUDES ('North;West','South')")).toEqual(["A"]);
  await ask("DELETE", `sobjects/Account/${id}`);
});

test("an external id finds its record or makes it, and stands once", async () => {
  const path = "sobjects/Account/External_Id__c/key-1";
  expect(await ask("PATCH", path, { body: { Name: "E" } })).toMatchObject({ status: 201, body: { created: true } });
  expect(await ask("PATCH", path, { body: { Name: "F" } })).toMatchObject({ status: 200, body: { created: false } });
  expect(await ask("GET", path)).toMatchObject({ status: 200, body: { Name: "F" } });
  const body = { Name: "G", External_Id__c: "KEY-1" };
  expect(await ask("POST", "sobjects/Account", { body })).toMatchObject(refused(400, "DUPLICATE_VALUE"));
  expect(await ask("DELETE", path)).toMatchObject({ status: 204 });
});

test("a change goes only with the conditions that callers set: tags for accounts, times for all, none for deletions", async () => {
  const [account, contact] = [await created("Account", { Name: "A" }), await created("Contact", { LastName: "C" })];
  const read = await ask("GET", `sobjects/Account/${account}`);
  const tag = read.headers.get("etag") ?? "";
  expect(tag).toMatch(/^".+--gzip"$/);
  expect((await ask("GET", `sobjects/Contact/${contact}`)).headers.get("etag")).toBeNull();
  const change = (object: string, id: string, name: string, value: string) =>
    ask("PATCH", `sobjects/${object}/${id}`, { body: { Phone: "1" }, headers: { [name]: value } });
  expect(await change("Account", account, "if-match", tag)).toMatchObject({ status: 204 });
  expect(await change("Account", account, "if-match", tag)).toMatchObject({ status: 412 });
  expect(await change("Contact", contact, "if-unmodified-since", "Mon, 01 Jan 2024 00:00:00 GMT")).toMatchObject({
    status: 412,
  });
  expect(await change("Contact", contact, "if-unmodified-since", new Date().toUTCString())).toMatchObject({
    status: 204,
  });
  expect(await change("Contact", contact, "if-unmodified-since", "yesterday")).toMatchObject({ status: 400 });
  const headers = { "if-unmodified-since": "Mon, 01 Jan 2024 00:00:00 GMT" };
  expect(await ask("DELETE", `sobjects/Contact/${contact}`, { headers })).toMatchObject({ status: 204 });
  await ask("DELETE", `sobjects/Account/${account}`);
});

test("calls beyond the limit and ended sessions are refused, and every answer counts the calls", async () => {
  expect((await ask("GET", "limits")).headers.get("sforce-limit-info")).toMatch(/^api-usage=\d+\/\d+$/);
  server.rateLimitNext();
  expect(await ask("GET", "limits")).toMatchObject(refused(403, "REQUEST_LIMIT_EXCEEDED"));
  server.endSessions();
  expect(await ask("GET", "limits")).toMatchObject(refused(401, "INVALID_SESSION_ID"));
});
