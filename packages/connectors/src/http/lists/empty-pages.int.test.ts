/** Pages without records of a real HTTP server, before others and at the end of a list. */
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

const size = { sizeParam: "size", size: 4 };
const byCursor = { kind: "cursor" as const, cursorSelector: "paging.cursor", ...size };
const byLink = { kind: "nextLink" as const, linkSelector: "next", ...size };

async function read(entity: HttpEntityInput): Promise<number[]> {
  const config = configFor(api.url, [entity]);
  const connection = connectTo(httpConnector, { config, authType: "apiKey", credentials: { apiKey: API_KEY } });
  const schema = await entityNamed(connection, "companies");
  const { records } = await readToEnd(connection, { entity: schema, cursor: null, pageSize: 4, mode: "all" });
  return records.map(({ id }) => Number(id));
}

interface List {
  items: { id: number }[];
  paging: { cursor: string | null };
}
/** Companies 5 to 8 are left out of pages that were made with them. */
const hideSecondPage = (): void => {
  api.habits.change = (list) => {
    const { items, ...rest } = list as List;
    return { ...rest, items: items.filter(({ id }) => id < 5 || id > 8) };
  };
};
const SHOWN = [1, 2, 3, 4, 9, 10, 11, 12];

describe("a page without records that names a next one", () => {
  test.each([
    ["cursor", byCursor],
    ["next", byLink],
  ] as const)("is gone on from (%s)", async (style, paging) => {
    hideSecondPage();
    expect(await read(companies(style, paging))).toEqual(SHOWN);
  });

  test("is gone on from where the address is in a header", async () => {
    const link = '</link/companies?size=4&cursor=8>; rel="next"';
    api.habits.beforeCall = (call) =>
      call.includes("cursor=4") ? { status: 200, text: '{"items":[]}', headers: { link } } : undefined;
    expect(await read(companies("link", { kind: "linkHeader", ...size }))).toEqual(SHOWN);
  });

  test("is the last one where the answer says that there are no more, or its total is reached", async () => {
    hideSecondPage();
    api.habits.beforeCall = (call) =>
      call.includes("cursor=4")
        ? { status: 200, text: '{"items":[],"total":4,"has_more":false,"paging":{"cursor":"8"}}' }
        : undefined;
    expect(await read(companies("cursor", byCursor, { stop: { hasMoreSelector: "has_more" } }))).toEqual([1, 2, 3, 4]);
    expect(await read(companies("cursor", byCursor, { stop: { totalSelector: "total" } }))).toEqual([1, 2, 3, 4]);
  });
});

describe("an export that always names where to go on from", () => {
  /** `isNew`: another place each time. */
  const exportAll = (isNew: boolean): void => {
    api.habits.change = (list) => {
      const { items } = list as List;
      const next = items.at(-1)?.id ?? (isNew ? 1000 + api.calls.length : 12);
      return { items, next: `/next/companies?size=4&cursor=${next}`, end: items.length === 0 };
    };
  };

  test("ends where its answer says so", async () => {
    exportAll(true);
    expect(await read(companies("next", byLink, { stop: { endSelector: "end" } }))).toHaveLength(12);
    expect(api.calls).toHaveLength(4);
  });

  test("ends where a page without records names itself", async () => {
    exportAll(false);
    expect(await read(companies("next", byLink))).toHaveLength(12);
    expect(api.calls).toHaveLength(4);
  });

  test("ends after many pages without records where nothing says whether more follow", async () => {
    exportAll(true);
    expect(await read(companies("next", byLink))).toHaveLength(12);
    expect(api.calls).toHaveLength(3 + 20);
  });

  test("is not asked for ever where nothing says so", async () => {
    exportAll(true);
    await expect(read(companies("next", byLink, { stop: { maxPages: 6 } }))).rejects.toMatchObject({
      kind: "configuration",
      message: expect.stringContaining("6 pages"),
    });
  });
});
