/** Lists that are read by POST, and changes that are asked for by another call than the list, of a real HTTP server. */
import type { Cursor, ReadRequest } from "@accord/connector-sdk";
import { connectTo, entityNamed, readToEnd } from "@accord/connector-sdk/test-kit";
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { companies, configFor } from "../../../test-systems/json-api-entities.ts";
import { API_KEY, startJsonApi, type JsonApi } from "../../../test-systems/json-api.ts";
import { httpConnector } from "../index.ts";

let api: JsonApi;
beforeEach(async () => {
  api = await startJsonApi(12);
});
afterEach(() => api.stop());

const search = {
  method: "POST" as const,
  path: "/all/companies/search",
  body: JSON.stringify({ updated_after: "{{watermark.start}}", after: "{{cursor}}", limit: "{{limit}}" }),
  recordSelector: "results",
  paging: {
    kind: "cursor" as const,
    cursorSelector: "paging.next.after",
    cursorParam: "",
    sizeParam: "size",
    size: 5,
  },
};

async function open(entity: HttpEntityInput) {
  const config = configFor(api.url, [entity]);
  const connection = connectTo(httpConnector, { config, authType: "apiKey", credentials: { apiKey: API_KEY } });
  return { connection, schema: await entityNamed(connection, "companies") };
}

const pass = async (
  { connection, schema }: Awaited<ReturnType<typeof open>>,
  cursor: Cursor | null,
  request: Partial<ReadRequest> = {},
) => {
  const read = await readToEnd(connection, { entity: schema, cursor, pageSize: 5, ...request });
  return { ids: read.records.map(({ id }) => Number(id)), cursor: read.cursor };
};

describe("lists that are read by POST", () => {
  const leavingOut = { ...search, leavesOutBlank: true };

  test("a member that is a placeholder alone is left out where it comes to nothing, if so described", async () => {
    const opened = await open(companies("all", search.paging, { ...leavingOut, watermark: { overlapSeconds: 2 } }));
    const { ids, cursor } = await pass(opened, null, { mode: "changes" });
    expect(ids).toHaveLength(12);
    expect(api.bodies.map((body) => JSON.parse(body))).toEqual([
      { limit: 5 },
      { limit: 5, after: "5" },
      { limit: 5, after: "10" },
    ]);
    await pass(opened, cursor, { mode: "changes" });
    expect(JSON.parse(api.bodies[3] ?? "")).toEqual({ limit: 5, updated_after: expect.any(String) });
  });

  test("it is sent as null otherwise", async () => {
    const opened = await open(companies("all", search.paging, { ...search, watermark: { overlapSeconds: 2 } }));
    await expect(pass(opened, null, { mode: "changes" })).rejects.toMatchObject({ kind: "invalidRequest" });
    expect(api.bodies.map((body) => JSON.parse(body))).toEqual([{ updated_after: null, after: null, limit: 5 }]);
  });

  test("the connection is tested by the same call", async () => {
    const { connection } = await open(companies("all", search.paging, leavingOut));
    await connection.check();
    expect(JSON.parse(api.bodies.at(-1) ?? "")).toEqual({ limit: 5 });
  });
});

const withChanges = companies(
  "cursor",
  { kind: "cursor", cursorSelector: "paging.cursor", sizeParam: "size", size: 5 },
  { watermark: { overlapSeconds: 0, sorted: true }, changes: { ...search, stop: { maxRecords: 10 } } },
);
const withUnsorted = companies("cursor", withChanges.list.paging ?? search.paging, {
  watermark: { overlapSeconds: 0 },
  changes: { ...search, stop: { maxRecords: 10 } },
});
const TOMORROW = new Date(Date.now() + 86_400_000);
/** Changes companies, one a second from tomorrow on. */
const change = (ids: readonly number[], secondsApart = 1): void => {
  for (const [at, id] of ids.entries()) {
    const company = api.companies.get(id);
    const updated_at = new Date(TOMORROW.getTime() + at * secondsApart * 1000).toISOString();
    if (company) api.companies.set(id, { ...company, name: `Changed ${id}`, updated_at });
  }
};
const callsSince = (from: number): Set<string> =>
  new Set(api.calls.slice(from).map((call) => call.split("?")[0] ?? ""));
const LIST = new Set(["GET /cursor/companies"]);
const SEARCH = new Set(["POST /all/companies/search"]);
/** All of the list was read; what follows are changes since now. */
const AFTERWARDS: Cursor = { since: new Date(Date.now() + 3_600_000).toISOString(), again: 0, pass: null };
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe("changes that are asked for by another call", () => {
  test("the list is read first and when everything is wanted, the other call when a moment is known", async () => {
    const opened = await open(withChanges);
    const first = await pass(opened, null, { mode: "changes" });
    expect(first.ids).toEqual(upTo(12));
    expect(callsSince(0)).toEqual(LIST);
    // The list itself knows no moments.
    expect(api.calls.join()).not.toContain("updated_after");

    change([3]);
    let from = api.calls.length;
    const second = await pass(opened, first.cursor, { mode: "changes" });
    expect(second.ids).toContain(3);
    expect(callsSince(from)).toEqual(SEARCH);

    from = api.calls.length;
    expect((await pass(opened, null, { mode: "all" })).ids).toHaveLength(12);
    const since = new Date(TOMORROW.getTime() - 1000);
    expect((await pass(opened, null, { mode: "all", since })).ids).toEqual([3]);
    const { connection, schema } = opened;
    const listed = await connection.listIds?.({ entity: schema, cursor: null, pageSize: 5 });
    expect(listed?.ids).toHaveLength(5);
    expect(callsSince(from)).toEqual(LIST);
  });

  test("a first read that begins at a moment asks for changes since then", async () => {
    const opened = await open(withChanges);
    change([5]);
    const from = api.calls.length;
    const { ids } = await pass(opened, null, { mode: "changes", since: new Date(TOMORROW.getTime() - 1000) });
    expect(ids).toEqual([5]);
    expect(callsSince(from)).toEqual(SEARCH);
  });

  test("a pass goes on by the call it began with, one stored before there were two by the list", async () => {
    const { connection, schema } = await open(withChanges);
    const request = { entity: schema, fields: ["name"], mode: "changes" as const, pageSize: 5 };
    const { cursor } = await connection.read({ ...request, cursor: null });
    const { pass: inList, ...position } = cursor as { pass: { [name: string]: unknown } };
    const { isOfChanges: _, stepRead: __, ...old } = inList;
    const from = api.calls.length;
    const next = await connection.read({ ...request, cursor: { ...position, pass: old } as Cursor });
    expect(next.records.map(({ id }) => id)).toEqual(["6", "7", "8", "9", "10"]);
    expect(callsSince(from)).toEqual(LIST);

    change(upTo(12));
    const changes = await connection.read({ ...request, cursor: AFTERWARDS });
    const second = api.calls.length;
    expect((await connection.read({ ...request, cursor: changes.cursor })).records.length).toBeGreaterThan(0);
    expect(callsSince(second)).toEqual(SEARCH);
  });

  test("a pass over changes begins anew by the list when its call is described no more", async () => {
    const opened = await open(withChanges);
    change(upTo(12));
    const request = { entity: opened.schema, fields: ["name"], mode: "changes" as const, pageSize: 5 };
    const { cursor } = await opened.connection.read({ ...request, cursor: AFTERWARDS });
    const { changes: _, ...list } = withChanges.list;
    const without = await open({ ...withChanges, list: { ...list, watermark: { param: "updated_after" } } });
    expect((await pass(without, cursor, { mode: "changes" })).ids).toEqual(upTo(12));
  });

  test("a search that ends at so many records is gone on with from the last time of change", async () => {
    for (let n = 0; n < 28; n += 1) api.create({ name: `More ${n}` });
    api.habits.searchEnds = 10;
    const opened = await open(withChanges);
    change(upTo(40));
    const { ids } = await pass(opened, AFTERWARDS, { mode: "changes" });
    expect(new Set(ids)).toEqual(new Set(upTo(40)));
  });

  test("what slides forward beneath the cursors of a search while others change is read", async () => {
    const opened = await open(withChanges);
    change(upTo(12));
    let calls = 0;
    api.habits.beforeCall = () => {
      if ((calls += 1) === 2) api.touch(1, { name: "Again" });
      const first = api.companies.get(1);
      if (calls === 2 && first)
        api.companies.set(1, { ...first, updated_at: new Date(TOMORROW.getTime() + 100_000).toISOString() });
    };
    const { ids } = await pass(opened, AFTERWARDS, { mode: "changes" });
    expect(new Set(ids)).toEqual(new Set(upTo(12)));
    expect(ids.filter((id) => id === 1)).toHaveLength(2);
  });

  test("records of one time of change are read page by page, and an error where they reach beyond the search's end", async () => {
    api.habits.searchEnds = 10;
    const opened = await open(withChanges);
    change(upTo(9), 0);
    expect(new Set((await pass(opened, AFTERWARDS, { mode: "changes" })).ids)).toEqual(new Set(upTo(9)));
    change(upTo(12), 0);
    await expect(pass(opened, AFTERWARDS, { mode: "changes" })).rejects.toMatchObject({
      kind: "configuration",
      message: expect.stringContaining("10 records"),
    });
  });

  test("a search in no order fails at its end instead of passing over the rest", async () => {
    api.habits.searchEnds = 10;
    const opened = await open(withUnsorted);
    change(upTo(8));
    expect((await pass(opened, AFTERWARDS, { mode: "changes" })).ids).toEqual(upTo(8));
    change(upTo(12));
    await expect(pass(opened, AFTERWARDS, { mode: "changes" })).rejects.toMatchObject({ kind: "configuration" });
  });

  test("it needs the moment from which it asks", () => {
    const entity = { ...withChanges, list: { ...withChanges.list, watermark: null } };
    expect(httpConnector.problems(configFor(api.url, [entity]))).toEqual([
      { path: "entities.0.list.changes", message: expect.stringContaining("watermark") },
    ]);
  });
});

describe("records of something else in a list", () => {
  test("they are passed over, and count for the paging", async () => {
    for (const id of [2, 3, 4, 5, 6, 7, 8, 9]) {
      const company = api.companies.get(id);
      if (company) api.companies.set(id, { ...company, email: null });
    }
    const entity = companies("page", { kind: "page", sizeParam: "size", size: 4 }, { leaveOutSelector: "email" });
    const opened = await open({ ...entity, list: { ...entity.list, stop: { totalSelector: "total" } } });
    const { ids } = await pass(opened, null, { mode: "all" });
    expect(ids).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    expect(api.calls.some((call) => call.includes("page=3"))).toBe(true);
    const { connection, schema } = opened;
    const found = await connection.getByIds?.({ entity: schema, fields: ["name"], ids: ["1", "2"] });
    expect(found?.map(({ id }) => id)).toEqual(["2"]);
  });
});
