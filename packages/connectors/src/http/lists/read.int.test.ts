/** Lists of a real HTTP server that move while they are read, whose clocks are off, and whose answers are cut: nothing is passed over. */
import { setTimeout as sleep } from "node:timers/promises";
import { fieldNames } from "@accord/connector-sdk/test-kit";
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import { describe, expect, test } from "vitest";
import { companies } from "../../../test-systems/json-api-entities.ts";
import { type Habits } from "../../../test-systems/json-api.ts";
import { SEEDED, api, open, pass, idsOf, disturb, SEEDS, setUp } from "./fixtures/read.ts";

setUp();

const byPage = companies("page", { kind: "page", sizeParam: "size", size: 5 });

const byOffset = companies("offset", { kind: "offset", size: 5 });

describe("lists that move while they are paged", () => {
  test("rows that slide over a seam when others are deleted are read in the same pass", async () => {
    const opened = await open(byPage);
    api.habits.beforeCall = (call) => {
      if (call.includes("page=3")) for (const id of [1, 2, 3]) api.companies.delete(id);
      if (call.includes("page=6")) api.companies.delete(7);
    };
    const { ids } = await pass(opened, null);
    for (const id of api.companies.keys()) expect(ids).toContain(id);
  });

  const KINDS: [string, HttpEntityInput][] = [
    ["page numbers", byPage],
    ["offsets", byOffset],
  ];
  describe.each(KINDS)("%s", (_, entity) => {
    test.each(SEEDS)(
      "every record that was there throughout is read, after one pass more at most (%i)",
      async (seed) => {
        const opened = await open(entity);
        const list = disturb(seed);
        const first = await pass(opened, null);
        list.rest();
        const second = await pass(opened, first.cursor);
        const read = new Set([...first.ids, ...second.ids]);
        expect(list.throughout().filter((id) => !read.has(id))).toEqual([]);
      },
    );

    const MODES = SEEDS.slice(0, 10).flatMap((seed) => [["all", seed] as const, ["changes", seed] as const]);
    test.each(MODES)(
      "a reading of %s is not through before a list that moved was read anew (%i)",
      async (mode, seed) => {
        const opened = await open(entity);
        const list = disturb(seed);
        let calls = 0;
        const { beforeCall } = api.habits;
        api.habits.beforeCall = (call) => {
          if ((calls += 1) > 20) list.rest();
          return beforeCall?.(call);
        };
        const { ids } = await pass(opened, null, { mode });
        expect(list.throughout().filter((id) => !ids.includes(id))).toEqual([]);
        expect(calls).toBeGreaterThan(20);
      },
    );
  });

  test("ids are listed whole as well", async () => {
    const opened = await open(byPage);
    api.habits.beforeCall = (call) => {
      if (call.includes("page=3")) for (const id of [1, 2, 3]) api.companies.delete(id);
    };
    const ids = await idsOf(opened);
    for (const id of api.companies.keys()) expect(ids).toContain(id);
  });

  test("records that are added in front cost no second pass", async () => {
    api.habits.order = (left, right) => right.id - left.id;
    const opened = await open(byPage);
    api.habits.beforeCall = (call) => {
      if (call.includes("page=3") && api.companies.size === SEEDED) api.create({ name: "Added" });
    };
    const { ids } = await pass(opened, null, { mode: "all" });
    expect(new Set(ids).size).toBeGreaterThanOrEqual(SEEDED);
    expect(api.calls.filter((call) => call.endsWith("page=1&size=5"))).toHaveLength(2);
  });

  test("offsets of a list that stands still are read once", async () => {
    const { ids } = await pass(await open(byOffset), null, { mode: "all" });
    expect(ids).toHaveLength(SEEDED);
    expect(api.calls).toHaveLength(15);
    expect(new Set(api.calls).size, "no page twice").toBe(15);
  });

  test("a list of two pages that moves between them is read again", async () => {
    for (const id of api.companies.keys()) if (id > 8) api.companies.delete(id);
    const opened = await open(byOffset);
    api.habits.beforeCall = (call) => {
      if (call.includes("offset=4")) for (const id of [2, 3]) api.companies.delete(id);
    };
    expect((await pass(opened, null, { mode: "all" })).ids).toContain(6);
  });

  test("pages that never move are not read twice where the description says so", async () => {
    const opened = await open(companies("page", { kind: "page", sizeParam: "size", size: 5, readAgain: false }));
    await pass(opened, null);
    expect(api.calls).toHaveLength(SEEDED / 5 + 1);
  });

  test("of one id twice on a page the newer copy counts, wherever it stands", async () => {
    const opened = await open(companies("all", { kind: "none" }));
    const [older] = [...api.companies.values()];
    if (!older) throw new Error("nothing there");
    api.touch(1, { name: "Newer" });
    const newer = api.companies.get(1);
    for (const items of [
      [newer, older],
      [older, newer],
    ]) {
      api.habits.afterCall = () => ({ status: 200, text: JSON.stringify({ items }) });
      const { records } = await pass(opened, null);
      expect(records).toMatchObject([{ id: "1", values: { name: "Newer" } }]);
    }
  });
});

describe("pages that are smaller than asked for", () => {
  const everything = { watermark: null };
  const numbered = (size: number, list: Partial<HttpEntityInput["list"]> = everything): [string, HttpEntityInput][] => [
    ["page numbers", companies("page", { kind: "page", sizeParam: "size", size }, list)],
    ["offsets", companies("offset", { kind: "offset", size }, list)],
    [
      "page numbers asked ahead",
      companies("page", { kind: "page", sizeParam: "size", size }, { ...list, pagesAhead: 3 }),
    ],
    ["offsets asked ahead", companies("offset", { kind: "offset", size }, { ...list, pagesAhead: 3 })],
  ];
  const told = { watermark: null, stop: { totalSelector: "total" } };
  const PAST_END: [string, Habits["pastEnd"]][] = [
    ["an empty page", undefined],
    ["its last page again", "sameAgain"],
    ["that it was not found", { status: 404 }],
  ];
  const CASES = numbered(100).flatMap(([kind, entity]) =>
    PAST_END.flatMap(([answer, pastEnd]) =>
      // The last page is shorter than the others, as long as they are, alone, or of one record.
      [25, 20, 60, 70, 59].map((largest) => [kind, largest, answer, entity, pastEnd] as const),
    ),
  );
  test.each(CASES)("a list by %s of at most %i a page that ends with %s is read to its end", async (...args) => {
    const [, largestPage, , entity, pastEnd] = args;
    Object.assign(api.habits, { largestPage, pastEnd });
    const opened = await open(entity);
    for (const mode of ["all", "changes"] as const) {
      const { ids } = await pass(opened, null, { mode });
      expect(ids.toSorted((left, right) => left - right)).toEqual([...api.companies.keys()]);
    }
    expect(await idsOf(opened)).toEqual([...api.companies.keys()]);
  });

  test.each(numbered(100, {}))("more changes than a page holds are read in one pass: %s", async (_, entity) => {
    const opened = await open(entity);
    const { cursor } = await pass(opened, null);
    await sleep(3_000);
    api.habits.largestPage = 25;
    for (const id of api.companies.keys()) api.touch(id, { name: "Imported" });
    expect(new Set((await pass(opened, cursor)).ids).size).toBe(SEEDED);
  });

  test("more changes than a page of a sorted list holds are read in one pass", async () => {
    const watermark = { param: "updated_after", sorted: true, overlapSeconds: 0 };
    const list = { watermark, stop: { totalSelector: "total" } };
    const opened = await open(companies("sorted", { kind: "page", sizeParam: "size", size: 100 }, list));
    api.habits.largestPage = 7;
    expect(new Set((await pass(opened, null)).ids).size).toBe(SEEDED);
  });

  test.each(numbered(100, told))(
    "a page that reaches the total and is shorter than others ends a list: %s",
    async (_, entity) => {
      api.habits.largestPage = 25;
      const opened = await open(entity);
      expect((await pass(opened, null, { mode: "all" })).ids).toHaveLength(SEEDED);
      expect(
        api.calls.filter((call) => /page=4|offset=(59|60)/.test(call)),
        "nothing is asked for behind it",
      ).toEqual([]);
    },
  );

  test.each(numbered(5))("a refusal in the middle of a list is an error and not its end: %s", async (_, entity) => {
    const opened = await open(entity);
    api.habits.beforeCall = (call) => (/page=4|offset=1[2-9]/.test(call) ? { status: 404 } : undefined);
    await expect(pass(opened, null, { mode: "all" })).rejects.toMatchObject({ kind: "notFound" });
  });

  test.each(numbered(100).slice(0, 2))("a short list costs one call more, an empty one none: %s", async (_, entity) => {
    const opened = await open(entity);
    await pass(opened, null, { mode: "all" });
    expect(api.calls).toHaveLength(2);
    api.companies.clear();
    await pass(opened, null, { mode: "all" });
    expect(api.calls).toHaveLength(3);
  });

  test("records that are added in front, as many as a page holds, do not end a list", async () => {
    api.habits.largestPage = 25;
    api.habits.order = (left, right) => right.id - left.id;
    const opened = await open(companies("page", { kind: "page", sizeParam: "size", size: 100 }, everything));
    api.habits.beforeCall = (call) => {
      if (call.includes("page=2") && api.companies.size === SEEDED)
        for (let n = 0; n < 25; n += 1) api.create({ name: "Added" });
    };
    const { ids } = await pass(opened, null, { mode: "all" });
    for (let id = 1; id <= SEEDED; id += 1) expect(ids).toContain(id);
  });
});

describe("lists that are not whole", () => {
  const whole = companies("all", { kind: "none" }, { stop: { totalSelector: "total" } });
  const answering = (text: string, status = 200): void => {
    api.habits.afterCall = () => ({ status, text });
  };
  const items = (): string => JSON.stringify([...api.companies.values()].slice(0, 40));

  test.each([
    ["a web page", () => "<html><body>Maintenance</body></html>"],
    ["cut JSON", () => `{"items":${items().slice(0, -20)}`],
    ["nothing at all", () => ""],
    ["an error in words", () => '{"error":{"message":"Try later"}}'],
  ])("%s with a success is a failure that is tried again", async (_, text) => {
    const opened = await open(whole);
    answering(text());
    await expect(pass(opened, null)).rejects.toMatchObject({ kind: "unexpected", retryable: true });
    await expect(idsOf(opened)).rejects.toMatchObject({ kind: "unexpected", retryable: true });
  });

  test("a list shorter than the total it tells is no list of ids", async () => {
    const opened = await open(whole);
    answering(`{"items":${items()},"total":${SEEDED}}`);
    await expect(idsOf(opened)).rejects.toMatchObject({ message: expect.stringContaining("40 of 60") });
    answering(`{"items":${items()},"total":40}`);
    expect(await idsOf(opened)).toHaveLength(40);
  });

  test("an answer without content is an empty list", async () => {
    const opened = await open(whole);
    answering("", 204);
    expect(await idsOf(opened)).toEqual([]);
  });
});

describe("clocks", () => {
  const changes = companies("all", { kind: "none" }, { watermark: { param: "updated_after", overlapSeconds: 5 } });
  const MINUTES = 60_000;

  test.each([
    ["slow", -10 * MINUTES],
    ["fast", 10 * MINUTES],
  ])("where history begins is told by the system's own clock when it is %s", async (_, offset) => {
    const opened = await open(changes);
    api.habits.clockOffsetMs = offset;
    for (const id of api.companies.keys()) api.touch(id, {});
    const first = await pass(opened, null, { since: new Date() });
    expect(first.ids).toHaveLength(SEEDED);
    const later = await pass(opened, null, { since: new Date(Date.now() + MINUTES) });
    expect(later.ids).toEqual([]);
    api.touch(3, { name: "Changed" });
    expect((await pass(opened, first.cursor, { since: new Date(Date.now() + MINUTES) })).ids).toContain(3);
  });

  test("a change is read whatever its time stamp says, once there is a position", async () => {
    const opened = await open(companies("all", { kind: "none" }, { watermark: null }));
    const first = await pass(opened, null, { since: new Date() });
    const again = await pass(opened, first.cursor, { since: new Date(Date.now() + MINUTES) });
    expect(again.ids).toHaveLength(SEEDED);
  });

  test("a system that tells no time is asked on from the newest time stamp it showed", async () => {
    api.habits.isTimeless = true;
    api.habits.clockOffsetMs = -10 * MINUTES;
    for (const id of api.companies.keys()) api.touch(id, {});
    const opened = await open(changes);
    const first = await pass(opened, null);
    expect(first.ids).toHaveLength(SEEDED);
    api.touch(3, { name: "Changed" });
    expect((await pass(opened, first.cursor)).ids).toContain(3);
  });

  test("a time range of everything is kept", async () => {
    const opened = await open(changes);
    const times = [...api.companies.values()].map(({ updated_at }) => updated_at).sort();
    const range = { since: new Date(times[10] ?? 0), until: new Date(times[20] ?? 0) };
    const { records } = await pass(opened, null, { mode: "all", ...range });
    expect(records.length).toBeGreaterThan(0);
    for (const { modifiedAt = "" } of records)
      expect(modifiedAt >= range.since.toISOString() && modifiedAt < range.until.toISOString()).toBe(true);
  });
});

test("positions of earlier versions are read on from", async () => {
  const { connection, schema } = await open(byPage);
  const at = { kind: "page", number: 3 };
  const began = new Date().toISOString();
  const cursor = { since: null, again: 0, pass: { began, at, step: null, pages: 2, read: 10, moved: false } };
  const page = await connection.read({
    entity: schema,
    fields: fieldNames(schema),
    cursor,
    mode: "changes",
    pageSize: 5,
  });
  expect(page.records.map(({ id }) => id)).toEqual(["11", "12", "13", "14", "15"]);
});
