/** A JSON API, by its description and by a manifest: numbered pages, each once, and one creation a call; by hand with `fetch`. */
import { connectTo, entityNamed } from "@accord/connector-sdk/test-kit";
import type { Values } from "@accord/contracts/data/values";
import { Worker } from "node:worker_threads";
import { connectorType, createAll, readAll, type ConnectorCase, type NamedCase } from "./case.ts";

const PAGE = 100;
/** A call a record: fewer of them say as much. */
const CREATED = 2_000;

export const jsonApiCases = (records: number): NamedCase[] => [
  { name: "http, read", open: () => readThrough(records, "http") },
  { name: "http, create", open: creating },
  { name: "manifest, read", open: () => readThrough(records, "manifest") },
];

/** Answers in a thread of its own, so that serving costs neither side. */
const SERVER = `
const { createServer } = require("node:http");
const { parentPort, workerData } = require("node:worker_threads");
const { records, size } = workerData;
const pages = [];
for (let from = 0; from < records; from += size)
  pages.push(JSON.stringify({ items: Array.from({ length: Math.min(size, records - from) }, (_, at) => ({
    id: from + at + 1, name: "Customer " + (from + at + 1), amount: from + at + 0.25, pieces: (from + at) % 1000,
    active: at % 3 === 0, tags: ["a", "b"], address: { city: "Graz" }, updated_at: "2026-03-01T10:00:00Z" })) }));
let last = 0;
createServer((request, reply) => {
  reply.setHeader("content-type", "application/json");
  if (request.method === "GET")
    return reply.end(pages[Number(new URL(request.url, "http://x").searchParams.get("page")) - 1] ?? '{"items":[]}');
  const parts = [];
  request.on("data", (part) => parts.push(part)).on("end", () => {
    const body = JSON.parse(Buffer.concat(parts).toString());
    reply.statusCode = 201;
    reply.end(JSON.stringify({ ...body, id: (last += 1), updated_at: "2026-03-01T10:00:00Z" }));
  });
}).listen(0, "127.0.0.1", function () { parentPort.postMessage(this.address().port); });
`;

async function startServer(records: number): Promise<{ url: string; stop(): Promise<unknown> }> {
  const worker = new Worker(SERVER, { eval: true, workerData: { records, size: PAGE } });
  const port = await new Promise<number>((listening, fail) => worker.once("message", listening).once("error", fail));
  return { url: `http://127.0.0.1:${port}`, stop: () => worker.terminate() };
}

const DESCRIBED = {
  apiName: "customers",
  displayName: "Customer",
  idField: "id",
  fields: [
    { apiName: "id", displayName: "Id", dataType: "integer", updateable: false, initializable: false },
    { apiName: "name", displayName: "Name" },
    { apiName: "amount", displayName: "Amount", dataType: "decimal" },
    { apiName: "pieces", displayName: "Pieces", dataType: "integer" },
    { apiName: "active", displayName: "Active", dataType: "boolean" },
    { apiName: "tags", displayName: "Tags", isMultiValueField: true },
    { apiName: "city", displayName: "City", path: "address.city" },
    { apiName: "updated_at", displayName: "Updated", dataType: "datetime", updateable: false },
  ],
  list: {
    path: "/customers",
    recordSelector: "items",
    paging: { kind: "page", pageParam: "page", sizeParam: "size", firstPage: 1, readAgain: false },
  },
  create: { method: "POST", path: "/customers", idempotencyHeader: "Idempotency-Key" },
};

const MANIFEST = `
version: 6.0.0
type: DeclarativeSource
check: { type: CheckStream, stream_names: [customers] }
streams:
  - type: DeclarativeStream
    name: customers
    primary_key: id
    retriever:
      type: SimpleRetriever
      requester: { type: HttpRequester, url_base: "{{ config['url'] }}", path: customers }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [items] } }
      paginator:
        type: DefaultPaginator
        page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: page }
        page_size_option: { type: RequestOption, inject_into: request_parameter, field_name: size }
        pagination_strategy: { type: PageIncrement, page_size: ${PAGE}, start_from_page: 1, inject_on_first_request: true }
    schema_loader:
      type: InlineSchemaLoader
      schema:
        type: object
        properties:
          id: { type: integer }
          name: { type: string }
          amount: { type: number }
          pieces: { type: integer }
          active: { type: boolean }
          tags: { type: array, items: { type: string } }
          address: { type: object }
          updated_at: { type: string, format: date-time }
spec:
  type: Spec
  connection_specification: { type: object, properties: { url: { type: string } } }
`;

async function readThrough(records: number, type: "http" | "manifest"): Promise<ConnectorCase> {
  const server = await startServer(records);
  const config: Values =
    type === "http"
      ? JSON.parse(JSON.stringify({ baseUrl: server.url, entities: [DESCRIBED] }))
      : { manifest: MANIFEST, inputs: JSON.stringify({ url: server.url }) };
  const connection = connectTo(connectorType(type), { config, authType: "none", credentials: {} });
  const entity = await entityNamed(connection, "customers");
  return {
    ours: () => readAll(connection, entity, PAGE),
    async limit() {
      for (let page = 1, read = 0; ; page += 1) {
        const reply = await fetch(`${server.url}/customers?page=${page}&size=${PAGE}`);
        const { items } = (await reply.json()) as { items: unknown[] };
        read += items.length;
        if (items.length < PAGE) return read;
      }
    },
    async close() {
      await connection.close();
      await server.stop();
    },
  };
}

async function creating(): Promise<ConnectorCase> {
  const server = await startServer(0);
  const config: Values = JSON.parse(JSON.stringify({ baseUrl: server.url, entities: [DESCRIBED] }));
  const connection = connectTo(connectorType("http"), { config, authType: "none", credentials: {} });
  const entity = await entityNamed(connection, "customers");
  const rows: Values[] = Array.from({ length: CREATED }, (_, n) => ({
    ...{ name: `Customer ${n}`, pieces: n % 1000, active: true, city: "Graz" },
  }));
  const batch = connectorType("http").writeBatchSize;
  return {
    ours: () => createAll(connection, entity, { rows, batch }),
    async limit() {
      let made = 0;
      for (const body of rows) {
        const reply = await fetch(`${server.url}/customers`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        await reply.json();
        made += reply.ok ? 1 : 0;
      }
      return made;
    },
    async close() {
      await connection.close();
      await server.stop();
    },
  };
}
