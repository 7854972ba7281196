/** Pages, partitions and intervals at their edges: lists that end in odd ways, parents that move, and times that are none. */
import { entityNamed, readToEnd } from "@accord/connector-sdk/test-kit";
import type { Value } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import { ids, manifestOf, NAME, paths, world } from "../../../../test-systems/manifest-world.ts";
import { describeManifest } from "../../document/describe.ts";

const problemsOf = (manifest: string): string[] => describeManifest(manifest).streams[0]?.problems ?? [];

describe("pages", () => {
  const paginator = (strategy: string): string =>
    `paginator: { type: DefaultPaginator, page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: after }, pagination_strategy: ${strategy} }`;
  test.each(["{}", "[]"])("a cursor that is %s leads to no further page", async (nothing) => {
    const retriever = paginator(
      `{ type: CursorPagination, cursor_value: "{{ response.get('next_cursor', ${nothing}) }}" }`,
    );
    const { read, sent } = world(manifestOf({ retriever, field_path: "[data]", properties: NAME }), (url) =>
      url.searchParams.has("after") ? { data: [{ id: 2 }] } : { data: [{ id: 1 }], next_cursor: "b" },
    );
    expect(ids(await read())).toEqual([1, 2]);
    expect(sent).toHaveLength(2);
  });
});

describe("addresses", () => {
  test("a path that is a whole address is used as it is, and refused where it leads to strangers", async () => {
    const manifest = (path: string): string =>
      manifestOf({ properties: NAME }).replace("path: things", `path: "${path}"`);
    const own = world(manifest("https://api.example.com/other/list"), () => [{ id: 1 }]);
    expect(ids(await own.read())).toEqual([1]);
    expect(paths(own.sent)).toEqual(["/other/list"]);
    const strange = world(manifest("https://strange.example.com/list"), () => [{ id: 1 }]);
    await expect(strange.read()).rejects.toThrow(/strange\.example\.com is none of those/);
    expect(strange.sent).toEqual([]);
  });
});

describe("parents", () => {
  const substream = (key: string, more = ""): string =>
    `{ type: SubstreamPartitionRouter, parent_stream_configs: [{ type: ParentStreamConfig, parent_key: "${key}", partition_field: owner, ${more} stream: { type: DeclarativeStream, name: owners, primary_key: id, retriever: { type: SimpleRetriever, requester: { type: HttpRequester, url_base: https://api.example.com, path: owners }, record_selector: { extractor: { field_path: [] } } } } }] }`;
  const children = (router: string): string =>
    manifestOf({ retriever: `partition_router: ${router}`, properties: NAME }).replace(
      "path: things",
      'path: "things/{{ stream_partition.owner }}"',
    );
  const reading = (key: string, owners: readonly unknown[]) =>
    world(children(substream(key)), ({ pathname }) => (pathname === "/owners" ? owners : [{ id: pathname.slice(8) }]));

  test("a key may hold a dot, or lead into the record by slashes", async () => {
    expect(ids(await reading("owner.id", [{ "owner.id": 7 }]).read())).toEqual([7]);
    expect(ids(await reading("owner/id", [{ owner: { id: 8 } }]).read())).toEqual([8]);
  });
  test("a key that no parent has is an error, rather than an empty stream", async () => {
    await expect(reading("owner.id", [{ id: 1 }, { id: 2 }]).read()).rejects.toThrow(
      /Stream things: no record of its parent stream owners has owner\.id/,
    );
    expect(await reading("owner.id", []).read()).toEqual([]);
  });
  test("a page of very many parents that moves each time it is read comes to its end, each of them read", async () => {
    let owners = Array.from({ length: 1_200 }, (_, id) => ({ id }));
    const { read, sent } = world(children(substream("id")), ({ pathname }) => {
      if (pathname !== "/owners") return [{ id: Number(pathname.slice(8)) }];
      const page = owners;
      // What changes comes to the front.
      owners = [...owners.slice(600, 603), ...owners.slice(0, 600), ...owners.slice(603)];
      return page;
    });
    expect(new Set(ids(await read())).size).toBe(1_200);
    expect(paths(sent).filter((path) => path === "/owners").length).toBeLessThan(8);
  });
  test("a page of other parents each time comes to its end", async () => {
    let at = 0;
    const { read, sent } = world(children(substream("id")), ({ pathname }) => {
      if (pathname !== "/owners") return [{ id: Number(pathname.slice(8)) }];
      at += 1_200;
      return Array.from({ length: 1_200 }, (_, id) => ({ id: at + id }));
    });
    await read();
    expect(paths(sent).filter((path) => path === "/owners").length).toBeLessThan(15);
  });
  test("the last parent is known again whatever order its stored position has its names in", async () => {
    const { connection, sent } = world(children(substream("id")), ({ pathname }) =>
      pathname === "/owners" ? Array.from({ length: 700 }, (_, id) => ({ id })) : [{ id: Number(pathname.slice(8)) }],
    );
    const entity = await entityNamed(connection, "things");
    let cursor: Awaited<ReturnType<typeof connection.read>>["cursor"] | null = null;
    const found: string[] = [];
    for (;;) {
      const page = await connection.read({ entity, fields: ["id"], cursor, mode: "all", pageSize: 50 });
      found.push(...page.records.map(({ id }) => id));
      if (page.drained) break;
      cursor = JSON.parse(JSON.stringify(turned(page.cursor as Value)));
    }
    expect(found).toHaveLength(700);
    expect(paths(sent).filter((path) => path === "/owners")).toHaveLength(2);
  });
  test("routers that are combined stop in time where parents give no partitions, and go on there", async () => {
    const router = `\n  - { type: ListPartitionRouter, cursor_field: kind, values: [a, b] }\n  - ${substream("id")}`;
    let late = 0;
    const { connection, sent } = world(
      children(router).replace("path: owners", 'path: owners, request_parameters: { x: "1" }'),
      ({ pathname }) => {
        late += 20_000;
        return pathname === "/owners" ? [] : [{ id: 1 }];
      },
      {},
      () => late,
    );
    const entity = await entityNamed(connection, "things");
    const first = await connection.read({ entity, fields: ["id"], cursor: null, mode: "all", pageSize: 10 });
    expect(first.drained).toBe(false);
    expect(sent).toHaveLength(1);
    const rest = await readToEnd(connection, { entity, cursor: first.cursor, pageSize: 10, mode: "all" });
    expect(rest.records).toEqual([]);
    expect(sent).toHaveLength(2);
  });
});

/** The same value, names in another order: a stored position comes back so. */
function turned(value: Value): Value {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? 1 : -1))
      .map(([key, one]) => [key, turned(one)]),
  );
}

describe("times", () => {
  const cursor = (more: string, format = "%Y-%m-%d"): string =>
    `incremental_sync: { type: DatetimeBasedCursor, cursor_field: updated_at, datetime_format: "${format}", start_datetime: "${format === "%s" ? "1700000000" : "2024-03-08"}", ${more} }`;
  const times = "updated_at: { type: string }";
  test("a format that can't be read back, and clamping, are refused when the manifest is looked at", () => {
    expect(problemsOf(manifestOf({ stream: cursor('cursor_datetime_formats: ["%Y %e"]') }))[0]).toMatch(/%Y %e.*%e/);
    expect(problemsOf(manifestOf({ stream: cursor("clamping: { target: DAY }") }))).toEqual([
      "Stream things: the option clamping of DatetimeBasedCursor is not supported.",
    ]);
    expect(problemsOf(manifestOf({ stream: cursor('end_datetime: "{{ stream_state.at }}"') }))[0]).toMatch(
      /The name stream_state is not known/,
    );
  });
  test("a time outside the calendar of one format is read by the next; one that is none costs nothing else", async () => {
    const stream = cursor('cursor_datetime_formats: ["%s", "%epoch_microseconds"]', "%s");
    const { connection } = world(manifestOf({ stream, properties: times }), () => [
      { id: 1, updated_at: "1700000000000000" },
      { id: 2, updated_at: "9".repeat(60) },
    ]);
    const entity = await entityNamed(connection, "things");
    const { records } = await readToEnd(connection, { entity, cursor: null, pageSize: 10 });
    expect(records.map(({ id, modifiedAt }) => [id, modifiedAt?.slice(0, 10)])).toEqual([
      ["1", "2023-11-14"],
      ["2", undefined],
    ]);
  });
  test("a step or a lookback that leads out of the calendar ends at its edge", async () => {
    const stream = cursor("step: P99999999D, cursor_granularity: P1D, lookback_window: P99999999D");
    const { connection, sent } = world(manifestOf({ stream, properties: times }), () => [
      { id: 1, updated_at: "2024-03-09" },
    ]);
    const entity = await entityNamed(connection, "things");
    const first = await readToEnd(connection, { entity, cursor: null, pageSize: 10 });
    const second = await readToEnd(connection, { entity, cursor: first.cursor, pageSize: 10 });
    expect([first, second].map(({ records }) => records.length)).toEqual([1, 1]);
    expect(sent).toHaveLength(2);
  });
  test("is_compare_strictly skips an interval that would start where it ends, and loses no record of its start", async () => {
    const range =
      'start_time_option: { type: RequestOption, inject_into: request_parameter, field_name: from }, end_time_option: { type: RequestOption, inject_into: request_parameter, field_name: to }, end_datetime: "2024-03-10", step: P1D, cursor_granularity: P1D, is_client_side_incremental: true';
    const asked = async (more: string) => {
      const { sent, read } = world(manifestOf({ stream: cursor(`${range}${more}`), properties: times }), (url) =>
        url.searchParams.get("from") === "2024-03-08" ? [{ id: 1, updated_at: "2024-03-08" }] : [],
      );
      return { found: ids(await read()), days: sent.map(({ url }) => new URL(url).searchParams.get("from")) };
    };
    expect(await asked("")).toEqual({ found: [1], days: ["2024-03-08", "2024-03-09", "2024-03-10"] });
    expect(await asked(", is_compare_strictly: true")).toEqual({ found: [1], days: ["2024-03-08", "2024-03-09"] });
  });
  test("a partition that appears later is read from its beginning, those that were read before from their change on", async () => {
    const option = (name: string): string =>
      `{ type: RequestOption, inject_into: request_parameter, field_name: ${name} }`;
    const stream = cursor(`start_time_option: ${option("from")}`);
    const retriever = `partition_router: { type: ListPartitionRouter, cursor_field: kind, values: "{{ config.kinds }}", request_option: ${option("kind")} }`;
    let cursorAt: Awaited<ReturnType<typeof readToEnd>>["cursor"] = null;
    const asked = async (kinds: string[]): Promise<string[]> => {
      const { connection, sent } = world(
        manifestOf({ stream, retriever, properties: times }),
        () => [{ id: 1, updated_at: "2024-03-10" }],
        { kinds },
      );
      const entity = await entityNamed(connection, "things");
      cursorAt = (await readToEnd(connection, { entity, cursor: cursorAt, pageSize: 10 })).cursor;
      return paths(sent);
    };
    expect(await asked(["a", "b"])).toEqual(["/things?kind=a&from=2024-03-08", "/things?kind=b&from=2024-03-08"]);
    expect(await asked(["a", "b", "c"])).toEqual([
      "/things?kind=a&from=2024-03-09",
      "/things?kind=b&from=2024-03-09",
      "/things?kind=c&from=2024-03-08",
    ]);
    expect((await asked(["a", "b", "c"])).at(-1)).toBe("/things?kind=c&from=2024-03-09");
  });
  test.each([
    ["created_ts", false],
    ["exchange_date", false],
    ["updated_ts", true],
    ["last_changed", true],
    ["_ts", true],
  ])("whether %s is a time of change: %s", async (field, isChange) => {
    const stream = cursor("").replace("updated_at", field);
    const { connection } = world(manifestOf({ stream, properties: `${field}: { type: string }` }), () => []);
    const { fields } = await entityNamed(connection, "things");
    expect(fields.some(({ isWatermarkField }) => isWatermarkField)).toBe(isChange);
  });
});

test("a parameter that is a component is refused: written out as JSON it would mean nothing", () => {
  const requester = "request_parameters: { fields: { type: QueryProperties, property_list: [a, b] }, plain: { a: 1 } }";
  expect(problemsOf(manifestOf({ requester }))).toEqual([
    "Stream things: the parameter fields is a QueryProperties, which is not supported.",
  ]);
});
