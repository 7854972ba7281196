/** APIs that answer a call with a success and name an error in the body: nothing counts as done, missing or not found by that. */
import { ConnectorError, hashValue, type WriteOperation } from "@accord/connector-sdk";
import { connectTo, entityNamed, fieldNames } from "@accord/connector-sdk/test-kit";
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import { afterEach, beforeEach, expect, test } from "vitest";
import { companies, configFor } from "../../test-systems/json-api-entities.ts";
import { API_KEY, startJsonApi, type JsonApi } from "../../test-systems/json-api.ts";
import { httpConnector } from "./index.ts";

let api: JsonApi;
beforeEach(async () => {
  api = await startJsonApi(5);
});
afterEach(() => api.stop());

const withSingles = companies("all", { kind: "none" });
const { getById: _, ...withoutSingles } = withSingles;

async function open(entity: HttpEntityInput = withSingles) {
  const connection = connectTo(httpConnector, {
    config: configFor(api.url, [entity]),
    authType: "apiKey",
    credentials: { apiKey: API_KEY },
  });
  const schema = await entityNamed(connection, "companies");
  return { connection, schema, asked: { entity: schema, fields: fieldNames(schema) } };
}

const answering = (start: string, body: unknown): void => {
  api.habits.beforeCall = (call) => (call.startsWith(start) ? { status: 200, text: JSON.stringify(body) } : undefined);
};
const write = async (operation: WriteOperation, entity?: HttpEntityInput) => {
  const { connection, asked } = await open(entity);
  return connection.write?.({ ...asked, operations: [operation] });
};
const update: WriteOperation = { kind: "update", id: "3", values: { name: "Ours" }, idempotencyKey: "update" };
const deletion: WriteOperation = { kind: "delete", id: "3", idempotencyKey: "delete" };

const errors: [string, unknown][] = [
  ["a message in an object", { error: { message: "Try later" } }],
  ["a text", { error: "Try later" }],
  ["a list", { data: null, errors: [{ message: "Try later" }] }],
  ["an object without words", { error: { code: 423 } }],
  ["a host that the API does not find", { error: "getaddrinfo ENOTFOUND database" }],
  ["an account that is not found", { error: "account_not_found" }],
  ["a field that does not exist", { errors: [{ message: "Field 'size' doesn't exist on Company" }] }],
  ["an address that is not found", { error: { code: 404, message: "No such endpoint: /v2/companies" } }],
  ["a server behind it that is not found", { error: "Upstream answered 404" }],
  ["a flag", { success: false, message: "The service is busy" }],
  ["another flag", { ok: false }],
  ["a status in words", { status: "error", message: "Try later" }],
  ["a number", { error: 503 }],
  ["a code beside no data", { code: 50_001, msg: "System busy", data: null }],
  ["a fault", { fault: { faultstring: "Rate limit quota violation" } }],
  ["messages in a list", { errorMessages: ["Try later"] }],
];

test.each(errors)("a record that can't be read is not taken for deleted: %s", async (_name, body) => {
  const { connection, asked } = await open();
  answering("GET /all/companies/3", body);
  await expect(connection.getByIds?.({ ...asked, ids: ["2", "3"] })).rejects.toMatchObject({ kind: "unexpected" });
});

test.each(errors)("a search that fails is not taken for one that finds nothing: %s", async (_name, body) => {
  const { connection, asked } = await open();
  answering("GET /all/companies?email=", body);
  await expect(connection.lookup?.({ ...asked, field: "email", values: ["c3@example.com"] })).rejects.toMatchObject({
    kind: "unexpected",
  });
});

test.each(errors)("a deletion that fails is tried again: %s", async (_name, body) => {
  answering("DELETE", body);
  expect(await write(deletion)).toMatchObject([{ status: "rejected", isTransient: true }]);
  expect(api.companies.has(3)).toBe(true);
});

test.each(errors)("a change that fails where records can't be read alone is tried again: %s", async (_name, body) => {
  answering("PATCH", body);
  expect(await write(update, withoutSingles)).toMatchObject([{ status: "rejected", isTransient: true }]);
});

test.each([
  ["no error", { error: null, errors: [] }],
  ["a flag that says no", { error: false, message: "Done" }],
  ["blank words", { error: "", errors: {} }],
])("an answer that only has room for errors is a success: %s", async (_name, body) => {
  answering("PATCH", body);
  expect(await write(update, withoutSingles)).toMatchObject([{ status: "done" }]);
  answering("DELETE", body);
  expect(await write(deletion)).toMatchObject([{ status: "done" }]);
});

test.each([
  ["words alone", { message: "Try later" }],
  ["a wrapper that nobody described", { data: { id: 3, name: "Company 3" } }],
  ["an object without anything", {}],
  ["empty errors", { error: null, errors: [] }],
])("an answer without a record that can be read proves no deletion: %s", async (_name, body) => {
  const { connection, asked } = await open();
  answering("GET /all/companies/3", body);
  await expect(connection.getByIds?.({ ...asked, ids: ["3"] })).rejects.toMatchObject({ kind: "unexpected" });
  const expected = { name: hashValue("Company 3") };
  expect(await write({ ...update, expected })).not.toMatchObject([{ status: "missing" }]);
});

test.each([
  ["no list", {}],
  ["a code beside no data", { code: 50_001, msg: "System busy", data: null }],
  ["a failed status", { status: "fail" }],
  ["an error beside an empty list", { companies: [], error: "Try later" }],
  ["words", { message: "Try later" }],
])("a list that was not answered is not empty: %s", async (_name, body) => {
  const wrapped = { ...withSingles, list: { ...withSingles.list, recordSelector: "companies" } };
  const { connection, asked } = await open(wrapped);
  answering("GET /all/companies", body);
  await expect(connection.read({ ...asked, cursor: null, mode: "all", pageSize: 10 })).rejects.toBeInstanceOf(
    ConnectorError,
  );
});

test("a list is empty where the API says so", async () => {
  const wrapped = { ...withSingles, list: { ...withSingles.list, recordSelector: "companies" } };
  for (const [entity, body] of [
    [wrapped, { companies: [], message: "Done" }],
    [wrapped, { companies: null }],
    [{ ...wrapped, leavesOutEmpty: true }, {}],
    [{ ...wrapped, list: { ...wrapped.list, stop: { totalSelector: "total" } } }, { total: 0 }],
  ] as const) {
    const { connection, asked } = await open(entity);
    answering("GET /all/companies", body);
    expect((await connection.read({ ...asked, cursor: null, mode: "all", pageSize: 10 })).records).toEqual([]);
  }
});

test("an address that finds none of the listed records proves no deletion", async () => {
  const { connection, asked } = await open();
  api.habits.beforeCall = (call) => (/^GET \/all\/companies\/\d/.test(call) ? { status: 404, text: "" } : undefined);
  await expect(connection.getByIds?.({ ...asked, ids: ["99"] })).rejects.toMatchObject({ kind: "unexpected" });
  const expected = { name: hashValue("Company 3") };
  expect(await write({ ...update, expected })).toMatchObject([{ status: "retry" }]);
  api.habits.beforeCall = (call) => (call === "GET /all/companies/3" ? { status: 404, text: "" } : undefined);
  expect(await write({ ...update, expected })).toEqual([{ status: "missing" }]);
});

test("what single reads find is compared with the list once, and an empty list says nothing", async () => {
  const { connection, asked } = await open();
  expect(await connection.getByIds?.({ ...asked, ids: ["98", "99"] })).toEqual([]);
  expect(await connection.getByIds?.({ ...asked, ids: ["97"] })).toEqual([]);
  expect(api.calls.filter((call) => call.startsWith("GET /all/companies") && !/companies\/\d/.test(call))).toHaveLength(
    1,
  );
  api.companies.clear();
  const other = await open();
  expect(await other.connection.getByIds?.({ ...other.asked, ids: ["99"] })).toEqual([]);
});

test("a record that is gone is gone where the list may not be read, and where listed ones are locked", async () => {
  const { connection, asked } = await open();
  api.habits.beforeCall = (call) =>
    call.startsWith("GET /all/companies?") || call === "GET /all/companies" ? { status: 403, text: "" } : undefined;
  expect(await connection.getByIds?.({ ...asked, ids: ["99"] })).toEqual([]);
  const other = await open();
  api.habits.beforeCall = (call) => (/companies\/[1-5]$/.test(call) ? { status: 403, text: "" } : undefined);
  expect(await other.connection.getByIds?.({ ...other.asked, ids: ["99"] })).toEqual([]);
});

const orders = { ...withSingles, list: { ...withSingles.list, recordSelector: "data.items" } };
test.each([
  ["a code of its own for success", { code: 20_000, data: { items: [] } }],
  ["words of success", { code: 0, msg: "success", data: { items: null } }],
  ["an error that says ok", { error: { code: "ok", message: "", log_id: "7" }, data: { items: [] } }],
  ["an error with an empty message", { error: { code: 0, message: "" }, data: { items: [] } }],
  ["a status of 200", { status: 200, message: "OK", data: { items: null } }],
])("an empty list beside %s is empty", async (_name, body) => {
  const { connection, asked } = await open(orders);
  answering("GET /all/companies", body);
  expect((await connection.read({ ...asked, cursor: null, mode: "all", pageSize: 10 })).records).toEqual([]);
});

test.each([
  ["a code of its own for success", { code: 20_000, data: { id: 77 } }],
  ["an error that says ok", { error: { code: "ok", message: "", log_id: "7" }, data: { id: 77 } }],
])("a creation that answers its id beside %s is done, once", async (_name, body) => {
  const create = withSingles.create ? { ...withSingles.create, recordSelector: "none", idSelector: "data.id" } : null;
  answering("POST", body);
  const made: WriteOperation = { kind: "create", values: { name: "New" }, idempotencyKey: "new" };
  expect(await write(made, { ...withSingles, create })).toMatchObject([{ status: "done", id: "77" }]);
});

test("an id that would lead elsewhere is not asked for", async () => {
  const { connection, asked } = await open();
  await expect(connection.getByIds?.({ ...asked, ids: [".."] })).rejects.toMatchObject({ kind: "invalidRequest" });
});

test.each([
  { error: "company_not_found" },
  { error: "No such company: 3" },
  { error: { code: 404 } },
  { errors: ["It doesn't exist."] },
])("an error that says that there is no such record is believed: %j", async (body) => {
  const { connection, asked } = await open();
  answering("GET /all/companies/3", body);
  expect(await connection.getByIds?.({ ...asked, ids: ["3"] })).toEqual([]);
  answering("GET /all/companies?email=", body);
  expect(await connection.lookup?.({ ...asked, field: "email", values: ["c3@example.com"] })).toEqual([]);
  answering("DELETE", body);
  expect(await write(deletion)).toEqual([{ status: "missing" }]);
});

test("a record that the API answers another one for, having merged the two, is gone", async () => {
  const { connection, asked } = await open();
  answering("GET /all/companies/3", api.companies.get(4));
  expect(await connection.getByIds?.({ ...asked, ids: ["3"] })).toEqual([]);
  const expected = { name: hashValue("Company 3") };
  expect(await write({ ...update, expected })).toEqual([{ status: "missing" }]);
  expect(api.companies.get(4)?.name).toBe("Company 4");
});
