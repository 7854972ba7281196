/** The calls that Notion gets, as its reference asks for them: data sources by search, queries and their pages, property values by type. */
import { connectTo, entityNamed, readToEnd } from "@accord/connector-sdk/test-kit";
import type { WriteOperation } from "@accord/connector-sdk";
import type { Values } from "@accord/contracts/data/values";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startVendor, type Call, type VendorServer } from "../../../test-systems/vendors/server.ts";
import { notion } from "./index.ts";

const SOURCE = "2f26ee68-df30-4251-aad4-8ddc420cba3d";
const OTHER = "c174b72c-d782-432f-8dc0-b647e1c96df6";
const property = (name: string, type: string, settings: unknown = {}) => ({
  [name]: { id: name, name, type, [type]: settings },
});
const options = (...names: string[]) => ({ options: names.map((name) => ({ id: name, name, color: "default" })) });
const PROPERTIES = {
  ...property("Name", "title"),
  ...property('The "why"', "rich_text"),
  ...property("Budget", "number", { format: "euro" }),
  ...property("Stage", "select", options("Lead", "Customer")),
  ...property("State", "status", options("Open", "Done")),
  ...property("Tags", "multi_select", options("tea", "cocoa")),
  ...property("Due", "date"),
  ...property("Active", "checkbox"),
  ...property("Company", "relation", { data_source_id: OTHER, type: "single_property", single_property: {} }),
  ...property("Total", "formula", { expression: "1" }),
  ...property("Run", "button"),
};
const parts = (...texts: string[]) =>
  texts.map((plain_text) => ({ type: "text", text: { content: plain_text }, plain_text }));
const page = (id: string, more: Record<string, unknown> = {}) => ({
  ...{ object: "page", id, url: `https://www.notion.so/${id}`, in_trash: false },
  ...{ created_time: "2026-01-01T08:00:00.000Z", last_edited_time: "2026-01-02T10:00:00.000Z" },
  properties: {
    Name: { id: "title", type: "title", title: parts("Tea ", "time") },
    'The "why"': { id: "a", type: "rich_text", rich_text: [] },
    Budget: { id: "b", type: "number", number: 12.5 },
    Stage: { id: "c", type: "select", select: { id: "1", name: "Lead", color: "red" } },
    State: { id: "d", type: "status", status: null },
    Tags: { id: "e", type: "multi_select", multi_select: [{ name: "tea" }, { name: "cocoa" }] },
    Due: { id: "f", type: "date", date: { start: "2026-03-01", end: null, time_zone: null } },
    Active: { id: "g", type: "checkbox", checkbox: true },
    Company: { id: "h", type: "relation", relation: [{ id: "p9" }], has_more: false },
    Total: { id: "i", type: "formula", formula: { type: "number", number: 3 } },
    Run: { id: "j", type: "button", button: {} },
    ...more,
  },
});
const source = (id: string, title: string, more = {}) => ({
  ...{ object: "data_source", id, title: parts(title), properties: PROPERTIES, in_trash: false },
  parent: { type: "database_id", database_id: "842a0286-cef0-46a8-abba-eac4c8ca644e" },
  ...more,
});
const list = (results: unknown[], next_cursor: string | null = null) => ({
  status: 200,
  body: { object: "list", results, next_cursor, has_more: next_cursor !== null, type: "page_or_data_source" },
});
const isFirst = (call: Call) => !call.text.includes("start_cursor");

let server: VendorServer;
let received: Call[] = [];
let stored = page("p1");
beforeEach(async () => {
  received = [];
  stored = page("p1");
  server = await startVendor((call) => {
    received.push(call);
    if (call.headers["authorization"] !== "Bearer ntn_1" || call.headers["notion-version"] !== "2025-09-03")
      return {
        status: 401,
        body: { object: "error", status: 401, code: "unauthorized", message: "API token is invalid." },
      };
    if (call.path === "/v1/users/me") return { status: 200, body: { object: "user", type: "bot" } };
    if (call.path === "/v1/search")
      return isFirst(call)
        ? list([source(SOURCE, "Customers"), source("gone", "Old", { in_trash: true })], "more")
        : list([source(OTHER, "Companies")]);
    if (call.path === `/v1/data_sources/${SOURCE}/query`)
      return isFirst(call) ? list([page("p1"), source(OTHER, "Inner")], "next") : list([page("p2")]);
    return { status: 200, body: stored };
  });
});
afterEach(() => server.stop());

const connect = (token = "ntn_1") =>
  connectTo(notion, { config: { baseUrl: `${server.url}/v1` }, authType: "bearerToken", credentials: { token } });
const customers = `database-${SOURCE}`;
const written = (): unknown => received.findLast(({ method }) => method !== "GET")?.json();

test("the data sources that are shared are entities, their properties fields of their types", async () => {
  const connection = connect();
  const names: string[] = [];
  for await (const { entity } of connection.discover({})) names.push(`${entity.displayName} ${entity.apiName}`);
  expect(names).toEqual([`Customers ${customers}`, `Companies database-${OTHER}`]);
  expect(received.map((call) => call.json())).toEqual([
    { filter: { property: "object", value: "data_source" }, page_size: 100 },
    { filter: { property: "object", value: "data_source" }, page_size: 100, start_cursor: "more" },
  ]);
  const entity = await entityNamed(connection, customers);
  const facts = (name: string) => entity.fields.find(({ apiName }) => apiName === name);
  expect(facts("select.Stage")).toMatchObject({
    displayName: "Stage",
    dataType: "picklist",
    picklist: [{ id: "Lead" }, { id: "Customer" }],
  });
  expect(facts("multi_select.Tags")).toMatchObject({ dataType: "picklist", isMultiValueField: true });
  expect(facts("relation.Company")).toMatchObject({ dataType: "reference", referenceTo: `database-${OTHER}` });
  expect(facts("formula.Total")).toMatchObject({ dataType: "object", updateable: false, calculated: true });
  expect(facts("last_edited_time")).toMatchObject({ isWatermarkField: true, updateable: false });
  expect(facts("button.Run")).toBeUndefined();
});

test("a query is read to its end page by page, and what is no page of it is left out", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, customers);
  received = [];
  const { records } = await readToEnd(connection, { entity, cursor: null, mode: "all", pageSize: 100 });
  expect(records.map(({ id }) => id)).toEqual(["p1", "p2"]);
  expect(records[0]?.values).toMatchObject({
    "title.Name": "Tea time",
    'rich_text.The "why"': null,
    "number.Budget": 12.5,
    "select.Stage": "Lead",
    "status.State": null,
    "multi_select.Tags": ["tea", "cocoa"],
    "date.Due": "2026-03-01",
    "date_range.Due": { start: "2026-03-01", end: null },
    "checkbox.Active": true,
    "relation.Company": ["p9"],
    "formula.Total": { type: "number", number: 3 },
  });
  const sorts = [{ timestamp: "created_time", direction: "ascending" }];
  expect(received.map((call) => call.json())).toEqual([
    { page_size: 100, sorts },
    { page_size: 100, start_cursor: "next", sorts },
  ]);
});

test("changes are asked for from some minutes before, since times are cut off to the minute", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, customers);
  received = [];
  const since = { since: "2026-01-01T00:00:00.000Z", again: 0, pass: null };
  const { cursor } = await readToEnd(connection, { entity, cursor: since, mode: "changes", pageSize: 100 });
  expect(received[0]?.json()).toEqual({
    page_size: 100,
    filter: { timestamp: "last_edited_time", last_edited_time: { on_or_after: "2026-01-01T00:00:00.000Z" } },
    sorts: [{ timestamp: "last_edited_time", direction: "ascending" }],
  });
  const next = Date.parse(JSON.stringify(cursor).match(/"since":"([^"]+)"/)?.[1] ?? "");
  expect(Date.now() - next).toBeGreaterThanOrEqual(3 * 60_000);
});

test("what Notion shows only a part of is reported, not taken for the value", async () => {
  stored = page("p1", {
    Due: { type: "date", date: { start: "2026-03-01", end: "2026-03-05", time_zone: null } },
    Company: { type: "relation", relation: [{ id: "p9" }], has_more: true },
  });
  const connection = connect();
  const entity = await entityNamed(connection, customers);
  const fields = ["date.Due", "date_range.Due", "relation.Company"];
  const [record] = (await connection.getByIds?.({ entity, fields, ids: ["p1"] })) ?? [];
  expect(record?.badFields?.map(({ field }) => field)).toEqual(["date.Due", "relation.Company"]);
  expect(record?.values).toMatchObject({ "date_range.Due": { end: "2026-03-05" } });
  expect(record?.values).not.toHaveProperty("date.Due");
});

async function write(operation: WriteOperation) {
  const connection = connect();
  const entity = await entityNamed(connection, customers);
  return connection.write?.({ entity, operations: [operation] });
}
const update = (values: Values): WriteOperation => ({ kind: "update", id: "p1", values, idempotencyKey: "k" });

test("values are sent in the form of their property's type", async () => {
  const long = `${"x".repeat(1_999)}😀y`;
  const values = {
    "title.Name": "As & it < is",
    'rich_text.The "why"': long,
    "number.Budget": 3,
    "select.Stage": "Customer",
    "status.State": "Done",
    "multi_select.Tags": ["tea"],
    "date.Due": "2026-04-01",
    "checkbox.Active": false,
    "relation.Company": ["p7", "p8"],
  };
  expect(await write({ kind: "create", values, idempotencyKey: "k" })).toMatchObject([{ status: "done", id: "p1" }]);
  const text = (content: string) => ({ type: "text", text: { content } });
  expect(written()).toEqual({
    parent: { type: "data_source_id", data_source_id: SOURCE },
    properties: {
      Name: { title: [text("As & it < is")] },
      'The "why"': { rich_text: [text("x".repeat(1_999)), text("😀y")] },
      Budget: { number: 3 },
      Stage: { select: { name: "Customer" } },
      State: { status: { name: "Done" } },
      Tags: { multi_select: [{ name: "tea" }] },
      Due: { date: { start: "2026-04-01" } },
      Active: { checkbox: false },
      Company: { relation: [{ id: "p7" }, { id: "p8" }] },
    },
  });
});

test("each type is cleared as Notion clears it", async () => {
  const names = ["title.Name", "number.Budget", "select.Stage", "multi_select.Tags", "date.Due", "relation.Company"];
  await write(update(Object.fromEntries(names.map((name) => [name, null]))));
  expect(written()).toEqual({
    properties: {
      Name: { title: [] },
      Budget: { number: null },
      Stage: { select: null },
      Tags: { multi_select: [] },
      Due: { date: null },
      Company: { relation: [] },
    },
  });
});

test("a page is deleted by moving it to the trash, and one in the trash is missing", async () => {
  expect(await write({ kind: "delete", id: "p1", idempotencyKey: "k" })).toMatchObject([{ status: "done" }]);
  expect(server.calls.at(-1)).toBe("PATCH /v1/pages/p1");
  expect(written()).toEqual({ in_trash: true });
  stored = { ...page("p1"), in_trash: true };
  const connection = connect();
  const entity = await entityNamed(connection, customers);
  expect(await connection.getByIds?.({ entity, fields: ["url"], ids: ["p1"] })).toEqual([]);
});

test("pages are searched by their title, and only those with the very title are taken", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, customers);
  const request = { entity, fields: ["title.Name"], field: "title.Name" };
  expect(await connection.lookup?.({ ...request, values: ["Tea time"] })).toMatchObject([{ id: "p1" }]);
  expect(written()).toEqual({ filter: { property: "Name", title: { equals: "Tea time" } } });
  expect(await connection.lookup?.({ ...request, values: ["Tea"] })).toEqual([]);
});

test("too many calls wait as long as Notion says, other refusals are in its own words", async () => {
  server.refuseNext({
    status: 429,
    headers: { "retry-after": "7" },
    body: { object: "error", status: 429, code: "rate_limited", message: "Slow down." },
  });
  await expect(connect().check()).rejects.toMatchObject({ kind: "rateLimited", retryAfterMs: 7_000 });
  await expect(connect("wrong").check()).rejects.toMatchObject({
    kind: "authentication",
    message: expect.stringContaining("API token is invalid"),
  });
});
