/** The simulated HubSpot: exchanges as its API reference shows them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { HUBSPOT_TOKEN, HUBSPOT_WRONG_TOKEN, startHubspot, type HubspotServer } from "./hubspot.ts";

let hubspot: HubspotServer;
beforeAll(async () => void (hubspot = await startHubspot(12)));
afterAll(() => hubspot.stop());

const CONTACTS = "/crm/v3/objects/contacts";

async function call(method: string, path: string, body?: unknown, token = HUBSPOT_TOKEN) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(hubspot.url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}

it("refuses a wrong token in its own form", async () => {
  const refused = { status: 401, body: { status: "error", category: "INVALID_AUTHENTICATION" } };
  expect(await call("GET", CONTACTS, undefined, HUBSPOT_WRONG_TOKEN)).toMatchObject(refused);
});

it("lists ten at a time with the properties that were asked for", async () => {
  const first = await call("GET", `${CONTACTS}?properties=seats,nothing`);
  expect(first.body.results).toHaveLength(10);
  const { properties } = first.body.results[0];
  expect(Object.keys(properties)).toEqual(["createdate", "hs_object_id", "lastmodifieddate", "seats"]);
  expect(properties.seats).toBe("1");
  const rest = await call("GET", `${CONTACTS}?after=${first.body.paging.next.after}`);
  expect(rest.body.results).toHaveLength(2);
  expect(rest.body.paging).toBeUndefined();
  expect(rest.body.results[0].properties).toMatchObject({ email: "c11@example.com", lastname: null });
  expect(await call("GET", `${CONTACTS}?limit=101`)).toMatchObject({
    status: 400,
    body: { category: "VALIDATION_ERROR" },
  });
});

it("creates, refuses doubles and unknown properties, updates and archives", async () => {
  const made = await call("POST", CONTACTS, { properties: { email: "Jane@Example.com", seats: 4 } });
  expect(made).toMatchObject({
    status: 201,
    body: { archived: false, properties: { email: "jane@example.com", seats: "4" } },
  });
  const { id } = made.body;
  const double = await call("POST", CONTACTS, { properties: { email: "jane@example.com" } });
  expect(double).toMatchObject({
    status: 409,
    body: { category: "CONFLICT", message: `Contact already exists. Existing ID: ${id}` },
  });
  const unknown = await call("PATCH", `${CONTACTS}/${id}`, { properties: { shoe: "8" } });
  expect(unknown).toMatchObject({ status: 400, body: { errors: [{ code: "PROPERTY_DOESNT_EXIST" }] } });
  const changed = await call("PATCH", `${CONTACTS}/${id}`, { properties: { seats: "" } });
  expect(changed).toMatchObject({ status: 200, body: { id, properties: { seats: null } } });
  expect(await call("DELETE", `${CONTACTS}/${id}`)).toEqual({ status: 204, body: null });
  expect(await call("GET", `${CONTACTS}/${id}`)).toMatchObject({ status: 404, body: { status: "error" } });
  expect((await call("GET", `${CONTACTS}?archived=true`)).body.results).toMatchObject([{ id, archived: true }]);
});

it("searches by the time of change and describes its properties", async () => {
  const from = String(Date.now());
  const id = await hubspot.outside.create();
  const filters = [{ propertyName: "lastmodifieddate", operator: "GTE", value: from }];
  const sorts = [{ propertyName: "lastmodifieddate", direction: "ASCENDING" }];
  const found = await call("POST", `${CONTACTS}/search`, { filterGroups: [{ filters }], sorts, limit: 100 });
  expect(found.body).toMatchObject({ total: 1, results: [{ id }] });
  const past = await call("POST", `${CONTACTS}/search`, { limit: 100, after: "9950" });
  expect(past.status).toBe(400);
  const { results } = (await call("GET", "/crm/v3/properties/deals")).body;
  expect(results.find(({ name }: { name: string }) => name === "amount")).toMatchObject({
    type: "number",
    label: "Amount",
  });
});
