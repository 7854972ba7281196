/** The calls that Intercom gets, as its reference asks for them: the version, searches for changes, attributes, pages of companies. */
import { connectTo, entityNamed, readToEnd } from "@accord/connector-sdk/test-kit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startVendor, type Call, type VendorServer } from "../../../test-systems/vendors/server.ts";
import { intercom } from "./index.ts";

const attribute = (name: string, data_type: string, more = {}) => ({
  ...{ type: "data_attribute", name, full_name: `custom_attributes.${name}`, label: `The ${name}`, data_type },
  ...{ custom: true, archived: false, api_writable: true, ...more },
});
const ATTRIBUTES = [
  attribute("paid.plan", "string"),
  attribute("seats", "integer"),
  attribute("gone", "string", { archived: true }),
  attribute("name", "string", { custom: false }),
];
const contact = (id: string) => ({
  ...{ type: "contact", id, role: "user", name: `Person ${id}`, updated_at: 1_767_260_000 + Number(id) },
  custom_attributes: { "paid.plan": "gold", seats: 3 },
});

let server: VendorServer;
let received: Call[] = [];
beforeEach(async () => {
  received = [];
  server = await startVendor((call) => {
    received.push(call);
    if (call.headers["authorization"] !== "Bearer token" || call.headers["intercom-version"] !== "2.11")
      return {
        status: 401,
        body: { type: "error.list", errors: [{ code: "unauthorized", message: "Access Token Invalid" }] },
      };
    if (call.path === "/data_attributes") return { status: 200, body: { type: "list", data: ATTRIBUTES } };
    if (call.method === "PUT") return { status: 200, body: contact("1") };
    const page = Number(call.query.get("page") ?? "1");
    if (call.path === "/companies/list")
      return {
        status: 200,
        body: {
          type: "list",
          total_count: 3,
          data: [1, 2, 3].slice((page - 1) * 2, page * 2).map((id) => ({ id: `c${id}`, plan: { name: "Pro" } })),
        },
      };
    const after =
      JSON.stringify(call.json() ?? {}).includes("next-page") || call.query.get("starting_after") === "next-page";
    const pages = after ? {} : { next: { page: 2, starting_after: "next-page" } };
    return {
      status: 200,
      body: { type: "list", data: [contact(after ? "2" : "1")], pages: { type: "pages", ...pages } },
    };
  });
});
afterEach(() => server.stop());

const connect = (token = "token") =>
  connectTo(intercom, { config: { baseUrl: server.url }, authType: "bearerToken", credentials: { token } });

test("a workspace's own attributes are fields, whatever they are called", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, "contacts");
  const own = entity.fields.filter(({ custom }) => custom);
  expect(own).toMatchObject([
    { apiName: "custom_attributes.paid.plan", displayName: "The paid.plan", dataType: "string" },
    { apiName: "custom_attributes.seats", dataType: "integer" },
  ]);
  const { records } = await readToEnd(connection, { entity, cursor: null, mode: "all", pageSize: 150 });
  expect(records.map(({ id }) => id)).toEqual(["1", "2"]);
  expect(records[0]?.values).toMatchObject({ "custom_attributes.paid.plan": "gold", "custom_attributes.seats": 3 });
  const values = { name: "New", "custom_attributes.paid.plan": "silver" };
  await connection.write?.({ entity, operations: [{ kind: "update", id: "1", values, idempotencyKey: "k" }] });
  expect(received.at(-1)?.json()).toEqual({ name: "New", custom_attributes: { "paid.plan": "silver" } });
});

test("changes are searched for by the day, and the day itself is among them", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, "contacts");
  const since = { since: "2026-01-01T09:30:00.000Z", again: 0, pass: null };
  const from = received.length;
  const { records } = await readToEnd(connection, { entity, cursor: since, mode: "changes", pageSize: 150 });
  expect(records.map(({ id }) => id)).toEqual(["1", "2"]);
  const clauses = ["=", ">"].map((operator) => ({ field: "updated_at", operator, value: 1_767_259_800 }));
  const query = { operator: "OR", value: clauses };
  expect(received.slice(from).map((call) => [call.path, call.json()])).toEqual([
    ["/contacts/search", { query, pagination: { per_page: 150 } }],
    ["/contacts/search", { query, pagination: { per_page: 150, starting_after: "next-page" } }],
  ]);
});

test("companies are read page by page; a plan is read by its name", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, "companies");
  const { records } = await readToEnd(connection, { entity, cursor: null, mode: "all", pageSize: 50 });
  expect(records.map(({ id, values }) => [id, values["plan"]])).toEqual(["c1", "c2", "c3"].map((id) => [id, "Pro"]));
  expect(server.calls).toContain("POST /companies/list?page=1&per_page=50");
});

test("a token that is refused is shown in Intercom's own words", async () => {
  await expect(connect("other").check()).rejects.toMatchObject({
    kind: "authentication",
    message: expect.stringContaining("Access Token Invalid"),
  });
});
