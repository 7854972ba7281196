/** An uploaded synapse as a connector: its code in a sandbox, its requests through the guarded way out, its answers checked. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ConnectorError, type ConnectContext, type Connection, type ReadRequest } from "@accord/connector-sdk";
import { uploadedType } from "@accord/connectors";
import { SynapseDescription } from "@accord/contracts/connections/synapse-description";
import { EntitySchema } from "@accord/contracts/data/schema";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { outbound, type ClosableOutbound } from "../../../platform/outbound/guard.ts";
import { systemClock } from "../../../platform/clock.ts";
import { makeLog } from "../../../platform/log/log.ts";
import { readConfig } from "../../../config.ts";
import { makeNewId } from "../../../platform/ids.ts";
import { makeSandbox } from "../../../platform/sandbox/sandbox.ts";
import { sandbox, whereAvailable } from "../../../platform/sandbox/where-available.fixtures.ts";
import { connectContext } from "../connectors/connection-context.ts";
import { readCode } from "./archive.ts";
import { describeProgram, startProgram } from "./run-program.ts";
import { sampleSynapse } from "./sample-synapse.fixtures.ts";

let api: Server;
let other: Server;
let base: string;
let elsewhere: string;
let egress: ClosableOutbound;
let contacts: { id: number; name: string; age: unknown }[] = [];
let othersVisits = 0;
const opened: Connection[] = [];

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

beforeAll(async () => {
  other = createServer((_, response) => {
    othersVisits += 1;
    response.end("[]");
  });
  elsewhere = await listen(other);
  api = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const url = new URL(request.url ?? "", base);
    if (url.pathname === "/away") return response.writeHead(302, { location: `${elsewhere}/` }).end();
    if (url.pathname === "/huge") return response.end("x".repeat(7_000_000));
    if (request.headers.authorization !== "Bearer right") return response.writeHead(401).end();
    if (request.method === "POST") {
      contacts.push({ ...JSON.parse(body), id: contacts.length + 1 });
      return response.end(JSON.stringify(contacts.at(-1)));
    }
    const from = Number(url.searchParams.get("from"));
    return response.end(JSON.stringify(contacts.slice(from, from + Number(url.searchParams.get("count") ?? 1))));
  });
  base = await listen(api);
  // Both are allowed to the server: what holds a synapse back are its own origins.
  egress = outbound({ allow: ["127.0.0.1"] });
});
afterAll(async () => {
  api.close();
  other.close();
  await egress.close();
});
beforeEach(() => {
  contacts = [
    { id: 1, name: "Ada", age: 36 },
    { id: 2, name: "Bob", age: "many" },
    { id: 3, name: "Cleo", age: 12 },
  ];
  othersVisits = 0;
});

const world = (): Parameters<typeof connectContext>[0] => ({
  outbound: egress,
  config: readConfig(),
  clock: systemClock,
  log: makeLog({ logLevel: "error" }),
});

const START = { instanceId: "a" };

async function connect(code: string, token = "right", signal = new AbortController().signal): Promise<Connection> {
  const files = readCode("synapse.mjs", new TextEncoder().encode(code));
  const type = uploadedType("x", await describeProgram(sandbox, files, START));
  const config = { baseUrl: base };
  const context: ConnectContext = connectContext(
    world(),
    {
      ...{ type, config, authType: "bearerToken", credentials: { token } },
      instanceId: makeNewId(systemClock)<"instance">(),
    },
    signal,
  );
  const connection = type.connect({ ...context, openProgram: () => startProgram(sandbox, files, START) });
  opened.push(connection);
  return connection;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((connection) => connection.close()));
});

const CONTACT = EntitySchema.parse({
  apiName: "contact",
  displayName: "Contact",
  fields: [
    { apiName: "id", displayName: "Id", isIdField: true },
    { apiName: "name", displayName: "Name" },
    { apiName: "age", displayName: "Age", dataType: "integer" },
  ],
});
const READ: ReadRequest = {
  entity: CONTACT,
  fields: ["id", "name", "age"],
  cursor: null,
  mode: "changes",
  pageSize: 2,
};

test(
  "[PLT-056] it describes itself, is checked, discovered, read page by page and written",
  whereAvailable(async () => {
    const connection = await connect(sampleSynapse());
    await connection.check();
    const found = [];
    for await (const one of connection.discover({})) found.push(one);
    expect(found.map(({ entity, total }) => [entity.apiName, entity.fields.length, total])).toEqual([
      ["contact", 3, 1],
    ]);
    const first = await connection.read(READ);
    expect(first).toMatchObject({ drained: false, cursor: 2 });
    expect(first.records[0]).toEqual({ id: "1", values: { id: "1", name: "Ada", age: 36 } });
    // A value that does not fit costs its field alone.
    expect(first.records[1]).toMatchObject({ values: { id: "2", name: "Bob" }, badFields: [{ field: "age" }] });
    const second = await connection.read({ ...READ, cursor: first.cursor });
    expect([second.records.length, second.drained]).toEqual([1, true]);
    const outcomes = await connection.write?.({
      entity: CONTACT,
      operations: [{ kind: "create", values: { name: "Dan", age: 5 }, idempotencyKey: "k" }],
    });
    expect(outcomes).toEqual([{ status: "done", id: "4" }]);
    expect(contacts[3]).toMatchObject({ name: "Dan", age: 5 });
  }),
);

test(
  "[PLT-056] what it throws stays classified, with its hint",
  whereAvailable(async () => {
    const refused = await connect(sampleSynapse(), "wrong");
    const error: unknown = await refused.check().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectorError);
    expect(error).toMatchObject({
      kind: "authentication",
      message: "The token is not accepted.",
      hint: "Enter another.",
    });
  }),
);

const withCheck = (code: string): string => sampleSynapse(`async check() { ${code} },`);

test.each([
  {
    from: "an address that it does not declare",
    code: 'await ask({ ...context, config: { baseUrl: "https://example.com" } }, "GET", "/")',
    kind: "outboundRefused",
  },
  {
    from: "another port of its host",
    code: "await ask({ ...context, config: { baseUrl: ELSEWHERE } }, 'GET', '/')",
    kind: "outboundRefused",
  },
  {
    from: "the metadata service",
    code: 'await ask({ ...context, config: { baseUrl: "http://169.254.169.254" } }, "GET", "/latest")',
    kind: "outboundRefused",
  },
  {
    from: "a file",
    code: 'await context.send({ method: "GET", url: "file:///etc/passwd", headers: {}, timeoutMs: 1000 })',
    kind: "outboundRefused",
  },
  {
    from: "what its own address redirects to",
    code: 'await sendRequest(context, { method: "GET", url: new URL("/away", context.config.baseUrl) })',
    kind: "configuration",
  },
  {
    from: "a name and password in an address",
    code: 'await context.send({ method: "GET", url: "http://a:b@" + new URL(context.config.baseUrl).host, headers: {}, timeoutMs: 1000 })',
    kind: "configuration",
  },
  {
    from: "a request of no form",
    code: 'await context.send({ method: "GET\\r\\nX: y", url: context.config.baseUrl, headers: {}, timeoutMs: 1000 })',
    kind: "invalidRequest",
  },
  {
    from: "headers that are none",
    code: 'await context.send({ method: "GET", url: context.config.baseUrl, headers: { a: { b: 1 } }, timeoutMs: 1000 })',
    kind: "invalidRequest",
  },
  {
    from: "another system by the header Host",
    code: 'await context.send({ method: "GET", url: context.config.baseUrl, headers: { host: "example.com" }, timeoutMs: 1000 })',
    kind: "outboundRefused",
  },
  {
    from: "more than an answer may hold",
    code: 'await context.send({ method: "GET", url: context.config.baseUrl + "/huge", headers: {}, timeoutMs: 9000 })',
    kind: "unexpected",
  },
])(
  "[PLT-105] it gets nothing from $from",
  whereAvailable(async ({ code, kind }: { code: string; kind: string }) => {
    const connection = await connect(withCheck(code.replace("ELSEWHERE", JSON.stringify(elsewhere))));
    await expect(connection.check()).rejects.toMatchObject({ kind });
    expect(othersVisits).toBe(0);
  }),
);

test.each([
  { has: "no page", code: "return 5" },
  { has: "a record without an id", code: "return { records: [{ values: {} }], cursor: null, drained: true }" },
  {
    has: "too many records",
    code: "return { records: Array.from({ length: 6000 }, (_, id) => ({ id: String(id), values: {} })), cursor: null, drained: true }",
  },
  {
    has: "a time that is none",
    code: 'return { records: [{ id: "1", values: {}, modifiedAt: "yesterday" }], cursor: null, drained: true }',
  },
  { has: "nothing", code: "" },
])(
  "[PLT-105] a page is refused that has $has",
  whereAvailable(async ({ code }: { code: string }) => {
    const connection = await connect(sampleSynapse(`async read() { ${code} },`));
    await expect(connection.read(READ)).rejects.toThrow("The synapse answered read with");
  }),
);

test(
  "[PLT-105] an endless loop costs its own call: the next one has a fresh process",
  whereAvailable(async () => {
    const given = new AbortController();
    const connection = await connect(
      sampleSynapse(
        "async read({ cursor }) { if (cursor === null) for (;;) {} return { records: [], cursor: 1, drained: true } },",
      ),
    );
    const stuck = connection.read({ ...READ, signal: given.signal });
    setTimeout(() => given.abort(), 300);
    await expect(stuck).rejects.toThrow("given up");
    expect(await connection.read({ ...READ, cursor: 1 })).toMatchObject({ drained: true });
  }),
);

test(
  "[PLT-056] a request that a finished call left behind is refused inside, and the process stays",
  whereAvailable(async () => {
    const connection = await connect(
      withCheck(`if (globalThis.left) throw new ConnectorError("unexpected", globalThis.left);
        context.sleep(20).then(() => ask(context, "GET", "/contacts")).catch((error) => { globalThis.left = error.message; });`),
    );
    const said = (): Promise<string> =>
      connection.check().then(
        () => "",
        (error: Error) => error.message,
      );
    await expect.poll(said).toBe("The call that this request belongs to is over.");
  }),
);

test(
  "[PLT-105] a write whose program gets no place never happened: it is tried again",
  whereAvailable(async () => {
    const hurried = makeSandbox(systemClock, { waitMs: 300 });
    const files = readCode("synapse.mjs", new TextEncoder().encode(sampleSynapse()));
    const start = { instanceId: "a", isTest: true };
    const running = await Promise.all([1, 2].map(() => startProgram(hurried, files, start)));
    await expect(startProgram(hurried, files, start)).rejects.toMatchObject({ kind: "unavailable", neverSent: true });
    await Promise.all(running.map((one) => one.close()));
    const loops = readCode(
      "synapse.mjs",
      new TextEncoder().encode("await new Promise(() => {}); export const synapse = 1;"),
    );
    const loading = startProgram(hurried, loops, { ...start, signal: AbortSignal.timeout(2_000) });
    await expect(loading).rejects.toMatchObject({ kind: "unexpected", neverSent: true });
  }),
);

test(
  "[PLT-056] nothing is sent once the lease is over",
  whereAvailable(async () => {
    const connection = await connect(sampleSynapse());
    let asked = 0;
    const assertMaySend = (): void => {
      asked += 1;
      if (asked > 1) throw new ConnectorError("unexpected", "The lease is over.", { neverSent: true });
    };
    const operations = [{ kind: "create", values: { name: "Eve" }, idempotencyKey: "k" } as const];
    await expect(connection.write?.({ entity: CONTACT, operations, assertMaySend })).rejects.toThrow(
      "The lease is over",
    );
    expect(contacts.length).toBe(3);
  }),
);

test("[PLT-056] a description is refused that names unknown inputs, marks no secrets or declares paths", () => {
  const fine = { displayName: "X", capabilities: ["read"], origins: ["https://a.example.com"] };
  expect(SynapseDescription.safeParse(fine).success).toBe(true);
  for (const wrong of [
    { origins: ["https://{account}.example.com"] },
    { origins: ["https://a.example.com/path"] },
    { origins: ["ftp://a.example.com"] },
    { capabilities: ["notifies"] },
    { authMethods: [{ type: "oauth", label: "x", fields: [] }] },
    { authMethods: [{ type: "apiKey", label: "x", fields: [{ name: "key", label: "Key", datatype: "password" }] }] },
    { configFields: [{ name: "__proto__", label: "x" }] },
    { displayName: "" },
  ])
    expect(SynapseDescription.safeParse({ ...fine, ...wrong }).success).toBe(false);
});
