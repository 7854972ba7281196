/** Lists of a real HTTP server whose cursors and next addresses end, as when a position is older than they last. */
import type { ReadPage } from "@accord/connector-sdk";
import { connectTo, entityNamed, readToEnd } from "@accord/connector-sdk/test-kit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { companies, configFor } from "../../../test-systems/json-api-entities.ts";
import { API_KEY, startJsonApi, type JsonApi } from "../../../test-systems/json-api.ts";
import { httpConnector } from "../index.ts";

let api: JsonApi;
beforeEach(async () => {
  api = await startJsonApi(12);
});
afterEach(() => api.stop());

const byCursor = companies("cursor", {
  kind: "cursor",
  cursorSelector: "paging.cursor",
  cursorParam: "cursor",
  sizeParam: "limit",
  size: 4,
});

async function open() {
  const config = configFor(api.url, [byCursor]);
  const connection = connectTo(httpConnector, { config, authType: "apiKey", credentials: { apiKey: API_KEY } });
  return { connection, entity: await entityNamed(connection, "companies") };
}

test("a pass whose cursor is not known any more begins anew with the next cycle", async () => {
  const first = await open();
  const request = { entity: first.entity, fields: ["name"], mode: "changes" as const, pageSize: 4 };
  const { cursor }: ReadPage = await first.connection.read({ ...request, cursor: null });
  let isEnded = false;
  api.habits.beforeCall = (call) => {
    if (!call.includes("cursor=") || isEnded) return undefined;
    isEnded = true;
    return { status: 400, text: '{"error":{"message":"INVALID_QUERY_LOCATOR"}}' };
  };
  const { connection, entity } = await open();
  const { records } = await readToEnd(connection, { ...request, entity, cursor });
  expect(isEnded).toBe(true);
  expect(new Set(records.map(({ id }) => Number(id)))).toEqual(new Set(api.companies.keys()));
});

test("a list that knows none of its cursors is not begun anew for ever", async () => {
  api.habits.beforeCall = (call) => (call.includes("cursor=") ? { status: 404 } : undefined);
  const { connection, entity } = await open();
  await expect(readToEnd(connection, { entity, cursor: null, mode: "all", pageSize: 4 })).rejects.toMatchObject({
    kind: "notFound",
  });
});
