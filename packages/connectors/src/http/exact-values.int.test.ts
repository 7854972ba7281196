/** Values of a JSON API to the last digit: numbers beyond floating point, blank and null items of lists, microseconds. */
import { hashValue, type SourceRecord } from "@accord/connector-sdk";
import { connectTo, entityNamed, fieldNames } from "@accord/connector-sdk/test-kit";
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import type { Values } from "@accord/contracts/data/values";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { configFor } from "../../test-systems/json-api-entities.ts";
import { httpConnector } from "./index.ts";

const DOCUMENT = '{"n":0.1234567890123456789,"price":1.10,"none":null,"list":[],"deep":[[1e2],""]}';
const RECORD =
  '{"id":12345678901234567890,"price":1.10,"count":9223372036854775807,"whole":10.0,"rate":0.25,' +
  '"tags":["",null,"a",["b"]],"empty":[],"none":null,"at":"2024-05-06T07:08:09.123456+00:00",' +
  `"numbers":[12345678901234567890,1.50,null],"document":${DOCUMENT}}`;

const ENTITY: HttpEntityInput = {
  apiName: "items",
  displayName: "Item",
  idField: "id",
  watermarkField: "at",
  fields: [
    { apiName: "id", displayName: "Id" },
    { apiName: "price", displayName: "Price", dataType: "decimal" },
    { apiName: "count", displayName: "Count", dataType: "integer" },
    { apiName: "whole", displayName: "Whole", dataType: "integer" },
    { apiName: "rate", displayName: "Rate", dataType: "double" },
    { apiName: "tags", displayName: "Tags", isMultiValueField: true },
    { apiName: "empty", displayName: "Empty", isMultiValueField: true },
    { apiName: "none", displayName: "None", isMultiValueField: true },
    { apiName: "at", displayName: "At", dataType: "datetime" },
    { apiName: "numbers", displayName: "Numbers", dataType: "decimal", isMultiValueField: true },
    { apiName: "document", displayName: "Document", dataType: "object" },
    { apiName: "first", displayName: "First", dataType: "double", path: "document.deep[0][0]" },
  ],
  list: { path: "/items", recordSelector: "items", paging: { kind: "none" } },
  getById: { path: "/items/{{id}}" },
  update: { method: "PATCH", path: "/items/{{id}}" },
};

const bodies: string[] = [];
const paths: string[] = [];
let server: Server;
let url = "";
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => (body += String(part)));
    request.on("end", () => {
      paths.push(request.url ?? "");
      if (body !== "") bodies.push(body);
      response.setHeader("content-type", "application/json");
      response.end(request.url === "/items" ? `{"items":[${RECORD}]}` : RECORD);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

async function open(described = ENTITY) {
  const config = configFor(url, [described]);
  const connection = connectTo(httpConnector, { config, authType: "none", credentials: {} });
  const entity = await entityNamed(connection, "items");
  const { records } = await connection.read({
    entity,
    fields: fieldNames(entity),
    cursor: null,
    mode: "all",
    pageSize: 10,
  });
  return { connection, entity, record: records[0] as SourceRecord };
}

test("every digit is read, and every item at its place", async () => {
  const { record } = await open();
  expect(record.badFields).toBeUndefined();
  const { document, ...plain } = record.values;
  expect(plain).toEqual({
    id: "12345678901234567890",
    price: "1.1",
    count: "9223372036854775807",
    whole: 10,
    rate: 0.25,
    tags: ["", null, "a", ["b"]],
    empty: [],
    none: null,
    at: "2024-05-06T07:08:09.123456Z",
    numbers: ["12345678901234567890", "1.5", null],
    first: 100,
  });
  expect(record.id).toBe("12345678901234567890");
  expect(record.modifiedAt).toBe("2024-05-06T07:08:09.123Z");
  expect(JSON.stringify(document)).toBe(DOCUMENT);
});

test("every digit is written", async () => {
  const { connection, entity, record } = await open();
  const { document = null, tags = null, empty = null, count = null, at = null } = record.values;
  const values: Values = { document, tags, empty, count, at };
  const operation = { kind: "update", id: record.id, values, idempotencyKey: "k" } as const;
  const [outcome] = (await connection.write?.({ entity, fields: fieldNames(entity), operations: [operation] })) ?? [];
  expect(outcome).toMatchObject({ status: "done" });
  expect(paths).toContain("/items/12345678901234567890");
  expect(bodies).toEqual([
    `{"document":${DOCUMENT},"tags":["",null,"a",["b"]],"empty":[],"count":9223372036854775807,` +
      '"at":"2024-05-06T07:08:09.123456Z"}',
  ]);
});

test.each([
  ["whole", "10.0"],
  ["count", "9223372036854775807"],
  ["price", "1.10"],
])("every digit is written beside the version of the record, and of a version in %s", async (field, digits) => {
  const concurrency = { kind: "versionField", field, sendAs: "body" } as const;
  const { connection, entity, record } = await open({ ...ENTITY, concurrency });
  const values: Values = { document: record.values["document"] ?? null };
  const expected = { document: hashValue(record.values["document"]) };
  const operation = { kind: "update", id: record.id, values, expected, idempotencyKey: "k" } as const;
  const [outcome] = (await connection.write?.({ entity, fields: fieldNames(entity), operations: [operation] })) ?? [];
  expect(outcome).toMatchObject({ status: "done" });
  expect(bodies.at(-1)).toBe(`{"document":${DOCUMENT},"${field}":${digits}}`);
});
