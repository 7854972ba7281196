/** Totals of an API that are not those of its list. */
import type { Connection, Cursor, PageWarning } from "@accord/connector-sdk";
import { fieldNames } from "@accord/connector-sdk/test-kit";
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import { describe, expect, test } from "vitest";
import { companies } from "../../../test-systems/json-api-entities.ts";
import { SEEDED, api, open, type Opened, pass, idsOf, disturb, SEEDS, setUp } from "./fixtures/read.ts";

setUp();

describe("totals that are not those of the list", () => {
  const stop = { totalSelector: "total" };
  const list = { watermark: null, stop };
  const KINDS: [string, HttpEntityInput][] = [
    ["page numbers", companies("page", { kind: "page", sizeParam: "size", size: 10 }, list)],
    ["offsets", companies("offset", { kind: "offset", size: 10 }, list)],
    ["pages asked ahead", companies("page", { kind: "page", sizeParam: "size", size: 10 }, { ...list, pagesAhead: 3 })],
    [
      "cursors",
      companies(
        "cursor",
        { kind: "cursor", cursorSelector: "paging.cursor", cursorParam: "cursor", sizeParam: "size", size: 10 },
        list,
      ),
    ],
    ["next links", companies("next", { kind: "nextLink", linkSelector: "next", sizeParam: "size", size: 10 }, list)],
    [
      "pages sorted by time",
      companies(
        "sorted",
        { kind: "page", sizeParam: "size", size: 10 },
        { watermark: { param: "updated_after", sorted: true, overlapSeconds: 0 }, stop },
      ),
    ],
  ];
  const TOTALS: [string, (page: { items: unknown[]; total: number }) => number][] = [
    ["the number on the page", ({ items }) => items.length],
    ["half of what there is", ({ total }) => Math.floor(total / 2)],
    ["one too small", ({ total }) => total - 1],
    ["the number of pages", ({ total }) => Math.ceil(total / 10)],
    ["nothing", () => 0],
  ];
  const tell = (totalOf: (typeof TOTALS)[number][1]): void => {
    api.habits.change = (answer) => {
      const page = answer as { items: unknown[]; total: number };
      return { ...page, total: totalOf(page) };
    };
  };
  const toldBy = async ({ connection, schema }: Opened): Promise<PageWarning[]> => {
    const warnings: PageWarning[] = [];
    for (let cursor: Cursor | null = null; ;) {
      const page: Awaited<ReturnType<Connection["read"]>> = await connection.read({
        entity: schema,
        fields: fieldNames(schema),
        cursor,
        mode: "all",
        pageSize: 5,
      });
      warnings.push(...(page.warnings ?? []));
      if (page.drained) return warnings;
      cursor = page.cursor;
    }
  };
  const warningsOf = async (opened: Opened): Promise<string[]> => (await toldBy(opened)).map(({ code }) => code);
  const CASES = KINDS.flatMap(([kind, entity]) =>
    TOTALS.flatMap(([told, totalOf]) => [60, 55, 7].map((there) => [kind, told, there, entity, totalOf] as const)),
  );

  test.each(CASES)("%s with a total that is %s: all of %i are read, and their ids listed", async (...args) => {
    const [kind, , there, entity, totalOf] = args;
    for (const id of api.companies.keys()) if (id > there) api.companies.delete(id);
    tell(totalOf);
    const opened = await open(entity);
    expect(new Set((await pass(opened, null)).ids).size).toBe(there);
    expect(new Set((await pass(opened, null, { mode: "all" })).ids).size).toBe(there);
    api.calls.length = 0;
    expect(new Set(await idsOf(opened)).size).toBe(there);
    // Not read over and over, as a list that moves is: offsets and seams make two calls a page at most.
    if (!kind.includes("sorted")) expect(api.calls.length).toBeLessThanOrEqual(2 * (there / 10 + 2));
  });

  test.each(KINDS.slice(0, 5))("a warning says once what to change in the description: %s", async (_, entity) => {
    tell(({ items }) => items.length);
    const opened = await open(entity);
    expect(await warningsOf(opened)).toEqual(["total_too_small"]);
    api.habits.change = undefined;
    expect(await warningsOf(opened), "nothing is said of a total that is right").toEqual([]);
  });

  test.each(KINDS.slice(0, 5))(
    "a pass that another cycle goes on with warns in the cycle that ends it: %s",
    async (_, entity) => {
      tell(({ items }) => items.length);
      const { connection, schema } = await open(entity);
      const codes: string[][] = [];
      for (let cursor: Cursor | null = null, isOver = false; !isOver;) {
        const request = { entity: schema, fields: fieldNames(schema), cursor, mode: "all" as const, pageSize: 5 };
        const page: Awaited<ReturnType<Connection["read"]>> = await connection.read(request);
        codes.push((page.warnings ?? []).map(({ code }) => code));
        [cursor, isOver] = [page.cursor, page.drained];
      }
      expect(codes.length).toBeGreaterThan(2);
      expect(codes.at(-1)).toEqual(["total_too_small"]);
    },
  );

  test.each(KINDS.slice(0, 5))(
    "a warning says that a list ends before its total, with both numbers: %s",
    async (_, entity) => {
      tell(({ total }) => total + 3);
      const opened = await open(entity);
      expect(await warningsOf(opened)).toEqual(["total_not_reached"]);
      const messages = (await toldBy(opened)).map(({ message }) => message);
      expect(messages).toEqual([
        expect.stringMatching(new RegExp(`ended after ${SEEDED} records.*there are ${SEEDED + 3}`, "u")),
      ]);
    },
  );

  test.each(KINDS.slice(0, 5))(
    "a refusal of the page behind a reached total is the end of the list: %s",
    async (_, entity) => {
      api.habits.pastEnd = { status: 400 };
      const opened = await open(entity);
      expect((await pass(opened, null, { mode: "all" })).ids).toHaveLength(SEEDED);
      expect(await idsOf(opened)).toHaveLength(SEEDED);
    },
  );

  test.each(SEEDS)("nothing is said of a list that moves while it is paged (%i)", async (seed) => {
    for (const [, entity] of KINDS.slice(0, 2)) {
      const opened = await open(entity);
      const moving = disturb(seed);
      let calls = 0;
      const { beforeCall } = api.habits;
      api.habits.beforeCall = (call) => {
        if ((calls += 1) > 30) moving.rest();
        return beforeCall?.(call);
      };
      expect(await warningsOf(opened)).toEqual([]);
    }
  });
});
