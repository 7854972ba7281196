/** How a real HTTP server tells values: times by its own clocks, and records without their empty fields. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { SourceRecord } from "@accord/connector-sdk";
import { connectTo, entityNamed, readToEnd } from "@accord/connector-sdk/test-kit";
import { HttpEntityConfig, type HttpEntityInput } from "@accord/contracts/connections/http-entity";
import { afterEach, beforeEach, expect, test } from "vitest";
import { httpConnector } from "./index.ts";

interface Note {
  id: number;
  title?: string;
  body?: string;
  changed: string | number;
}

const notes = new Map<number, Note>();
const calls: URL[] = [];
let server: Server;

beforeEach(async () => {
  notes.clear();
  calls.length = 0;
  server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://notes");
    calls.push(url);
    response.setHeader("content-type", "application/json");
    const id = Number(url.pathname.split("/")[2]);
    if (request.method === "POST") {
      notes.set(9, { id: 9, title: "Made", body: "here", changed: "2026-07-01T12:00:00" });
      return void response.end(JSON.stringify({ id: 9 }));
    }
    if (id > 0) {
      const note = notes.get(id);
      response.statusCode = note ? 200 : 404;
      return void response.end(JSON.stringify(note ?? {}));
    }
    // As a database compares its local times: by their texts.
    const after = url.searchParams.get("after") ?? "";
    response.end(JSON.stringify([...notes.values()].filter(({ changed }) => String(changed) >= after)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const described = (own: Partial<HttpEntityInput>): HttpEntityInput => ({
  apiName: "notes",
  displayName: "Note",
  idField: "id",
  watermarkField: "changed",
  fields: [
    { apiName: "id", displayName: "Id", dataType: "integer" },
    { apiName: "title", displayName: "Title" },
    { apiName: "body", displayName: "Body" },
    { apiName: "changed", displayName: "Changed", dataType: "datetime" },
  ],
  list: { path: "/notes" },
  getById: { path: "/notes/{{id}}" },
  create: { method: "POST", path: "/notes" },
  ...own,
});

async function open(own: Partial<HttpEntityInput>) {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = JSON.parse(JSON.stringify({ baseUrl, entities: [described(own)] }));
  const connection = connectTo(httpConnector, { config, authType: "none", credentials: {} });
  const entity = await entityNamed(connection, "notes");
  const read = async (since?: Date): Promise<SourceRecord[]> =>
    (await readToEnd(connection, { entity, cursor: null, pageSize: 100, ...(since ? { since } : {}) })).records;
  return { connection, entity, read };
}

const VIENNA = { timeZone: "Europe/Vienna" };

test.each([
  ["in winter", "2026-01-31T12:00:00", "2026-01-31T11:00:00.000Z"],
  ["in summer, with a blank", "2026-07-31 12:00:00", "2026-07-31T10:00:00.000Z"],
  ["right before clocks are put on", "2026-03-29T01:59:59", "2026-03-29T00:59:59.000Z"],
  ["right after", "2026-03-29T03:00:00", "2026-03-29T01:00:00.000Z"],
  ["while clocks show each time twice", "2026-10-25T02:30:00", "2026-10-25T01:30:00.000Z"],
  ["with its own zone", "2026-01-31T12:00:00-05:00", "2026-01-31T17:00:00.000Z"],
  ["as UTC", "2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z"],
  ["as seconds", 1_769_860_800, "2026-01-31T12:00:00.000Z"],
])("a time of change without a zone is the described one's: %s", async (_, changed, moment) => {
  notes.set(1, { id: 1, title: "One", changed });
  const { read, connection, entity } = await open(VIENNA);
  expect((await read())[0]?.modifiedAt).toBe(moment);
  const [single] = (await connection.getByIds?.({ entity, fields: ["title"], ids: ["1"] })) ?? [];
  expect(single?.modifiedAt, "asked for alone").toBe(moment);
});

test("its field shows the time as the API tells it, and without a zone in the description it is UTC", async () => {
  notes.set(1, { id: 1, title: "One", changed: "2026-01-31T12:00:00" });
  const [local] = await (await open(VIENNA)).read();
  expect(local?.values["changed"]).toBe("2026-01-31T12:00:00.000Z");
  const [utc] = await (await open({})).read();
  expect(utc?.modifiedAt).toBe("2026-01-31T12:00:00.000Z");
});

test("a time of change that is kept as a text is one too", async () => {
  notes.set(1, { id: 1, title: "One", changed: "2026-01-31 12:00:00" });
  const fields = described({}).fields?.map((field) => ({ ...field, dataType: "string" as const }));
  const [record] = await (await open({ ...VIENNA, ...(fields ? { fields } : {}) })).read();
  expect(record?.modifiedAt).toBe("2026-01-31T11:00:00.000Z");
});

const asked = (format?: "iso" | "date" | "epochSeconds"): Partial<HttpEntityInput> => ({
  list: { path: "/notes", watermark: { param: "after", overlapSeconds: 0, ...(format ? { format } : {}) } },
});

/** What the API was asked for, by the clocks of this machine and of the server: they are the same. */
async function startOf(own: Partial<HttpEntityInput>, since: string): Promise<string | null> {
  const { read } = await open(own);
  await read(new Date(since));
  return (
    calls
      .at(-1)
      ?.searchParams.get("after")
      ?.replace(/\.\d{3}/, "") ?? null
  );
}

test("changes are asked for by the same clocks, and by an hour more where they are put back", async () => {
  const own = { ...VIENNA, ...asked() };
  expect(await startOf(own, "2026-01-31T11:00:00Z")).toBe("2026-01-31T12:00:00");
  expect(await startOf(own, "2026-03-29T01:00:00Z")).toBe("2026-03-29T03:00:00");
  expect(await startOf(own, "2026-10-25T00:30:00Z")).toBe("2026-10-25T01:30:00");
  expect(await startOf(own, "2026-10-25T01:30:00Z")).toBe("2026-10-25T01:30:00");
  expect(await startOf({ ...VIENNA, ...asked("date") }, "2026-01-31T23:30:00Z")).toBe("2026-02-01");
  expect(await startOf({ ...VIENNA, ...asked("epochSeconds") }, "2026-01-31T11:00:00Z")).toBe("1769857200");
  expect(await startOf(asked(), "2026-01-31T11:00:00Z")).toBe("2026-01-31T11:00:00Z");
});

test("a change is read that an API west of Greenwich stamps with its local time", async () => {
  notes.set(1, { id: 1, title: "One", changed: "2026-01-31T06:00:01" });
  const { read } = await open({ timeZone: "America/New_York", ...asked() });
  expect(await read(new Date("2026-01-31T11:00:00Z"))).toMatchObject([{ modifiedAt: "2026-01-31T11:00:01.000Z" }]);
});

test.each(["+05:00", "Vienna", "", "Europe/Nowhere"])("%s is no time zone", (timeZone) => {
  const { error } = HttpEntityConfig.safeParse(described({ timeZone }));
  expect(error?.issues[0]).toMatchObject({ path: ["timeZone"], message: "must be a time zone such as Europe/Vienna" });
});

test.each([
  ["are empty where the description says so", true, { title: "One", body: null }],
  ["say nothing where it does not", false, { title: "One" }],
])("fields that no record of a page has %s", async (_, leavesOutEmpty, expected) => {
  notes.set(1, { id: 1, title: "One", changed: "2026-01-31T12:00:00Z" });
  const { read, connection, entity } = await open({ leavesOutEmpty });
  const told = ({ values }: SourceRecord) => ({
    title: values["title"],
    ...("body" in values ? { body: values["body"] } : {}),
  });
  expect((await read()).map(told)).toEqual([expected]);
  const alone = await connection.getByIds?.({ entity, fields: ["title", "body"], ids: ["1"] });
  expect(alone?.map(told), "asked for alone").toEqual([expected]);
});

test("the answer to a write leaves out what it likes: nothing of it is empty for that", async () => {
  const { connection, entity } = await open({ leavesOutEmpty: true, storedAsSent: true });
  const operations = [{ kind: "create" as const, values: { title: "Made", body: "here" }, idempotencyKey: "1" }];
  const [made] = (await connection.write?.({ entity, fields: ["title", "body"], operations })) ?? [];
  expect(made).toMatchObject({ status: "done", id: "9" });
  expect(JSON.stringify(made)).not.toContain("null,");
  const stored = made?.status === "done" ? made.values : undefined;
  expect(stored?.["title"] ?? "Made").toBe("Made");
});
