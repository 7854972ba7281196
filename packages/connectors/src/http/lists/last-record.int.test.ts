/** Lists of a real HTTP server whose next page is asked for by the id of the last record, which may be deleted by then. */
import type { Cursor, ReadPage } from "@accord/connector-sdk";
import { connectTo, entityNamed, latestById, readToEnd } from "@accord/connector-sdk/test-kit";
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import { afterEach, beforeEach, expect, test } from "vitest";
import { companies, configFor } from "../../../test-systems/json-api-entities.ts";
import { API_KEY, startJsonApi, type JsonApi } from "../../../test-systems/json-api.ts";
import { httpConnector } from "../index.ts";

let api: JsonApi;
beforeEach(async () => {
  api = await startJsonApi(12);
});
afterEach(() => api.stop());

const paging = { kind: "lastRecord" as const, sizeParam: "size", size: 4 };
const byLast = companies("after", paging, { stop: { hasMoreSelector: "has_more" } });

async function open(entity: HttpEntityInput) {
  const config = configFor(api.url, [entity]);
  const connection = connectTo(httpConnector, { config, authType: "apiKey", credentials: { apiKey: API_KEY } });
  return { connection, schema: await entityNamed(connection, "companies") };
}

async function read(entity: HttpEntityInput, mode: "all" | "changes" = "all"): Promise<number[]> {
  const { connection, schema } = await open(entity);
  const { records } = await readToEnd(connection, { entity: schema, cursor: null, pageSize: 4, mode });
  return [...latestById(records).keys()].map(Number);
}

test("the last page is the one after which the answer says that there are no more", async () => {
  expect(await read(byLast)).toHaveLength(12);
  const asked = api.calls.map((call) => new URL(call.slice(4), api.url).searchParams.get("starting_after"));
  expect(asked).toEqual([null, "4", "8"]);
});

test("where no answer says so, the first page without records ends the list", async () => {
  expect(await read(companies("after", paging))).toHaveLength(12);
  expect(api.calls).toHaveLength(4);
});

test.each(["all", "changes"] as const)(
  "a pass begins anew when the record is deleted after which its next page would begin (%s)",
  async (mode) => {
    let isDeleted = false;
    api.habits.beforeCall = (call) => {
      if (call.includes("starting_after=8") && !isDeleted) isDeleted = api.companies.delete(8);
    };
    expect(await read(byLast, mode)).toEqual(expect.arrayContaining([...api.companies.keys()]));
    expect(api.calls.filter((call) => !call.includes("starting_after"))).toHaveLength(2);
  },
);

test("a list that refuses each such id is not begun anew for ever", async () => {
  api.habits.beforeCall = (call) =>
    call.includes("starting_after") ? { status: 400, text: '{"error":{"message":"No such parameter"}}' } : undefined;
  await expect(read(byLast)).rejects.toMatchObject({
    kind: "invalidRequest",
    message: expect.stringContaining("No such parameter"),
  });
  expect(api.calls).toHaveLength(8);
});

test("the next cycle begins such a list anew, whatever the one before stopped at", async () => {
  let { connection, schema } = await open(byLast);
  const fields = ["name"];
  let cursor: Cursor | null = null;
  api.habits.beforeCall = (call) => (call.includes("starting_after") ? { status: 400 } : undefined);
  const readOn = async (): Promise<void> => {
    for (let isDrained = false; !isDrained;) {
      const page: ReadPage = await connection.read({ entity: schema, fields, cursor, mode: "changes", pageSize: 4 });
      [cursor, isDrained] = [page.cursor, page.drained];
    }
  };
  await expect(readOn()).rejects.toMatchObject({ kind: "invalidRequest" });
  // The list goes on, but the record is gone at which the position stands.
  api.habits.beforeCall = () => undefined;
  api.companies.delete(4);
  ({ connection, schema } = await open(byLast));
  const from = api.calls.length;
  await readOn();
  expect(api.calls.slice(from).some((call) => !call.includes("starting_after"))).toBe(true);
});

test("a page without records though there are more begins the pass anew", async () => {
  let isEmptied = false;
  api.habits.change = (list) => {
    const isSecond = api.calls.at(-1)?.includes("starting_after=4") === true;
    if (!isSecond || isEmptied) return list;
    isEmptied = true;
    return { items: [], has_more: true };
  };
  expect(new Set(await read(byLast))).toEqual(new Set(api.companies.keys()));
  expect(isEmptied).toBe(true);
  api.habits.change = () => ({ items: [], has_more: true });
  await expect(read(byLast)).rejects.toMatchObject({ message: expect.stringContaining("without records") });
});

test("the next page is asked for by the description's id, whichever field a person chose", async () => {
  const { connection, schema } = await open(byLast);
  const entity = {
    ...schema,
    fields: schema.fields.map((field) => ({ ...field, isIdField: field.apiName === "email" })),
  };
  const { records } = await readToEnd(connection, { entity, cursor: null, pageSize: 4, mode: "all" });
  expect(records.map(({ id }) => id)).toContain("c12@example.com");
  const asked = api.calls.map((call) => new URL(call.slice(4), api.url).searchParams.get("starting_after"));
  expect(asked).toEqual([null, "4", "8"]);
});
