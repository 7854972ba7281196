/** Component types one by one: what each sends and makes of what is answered. */
import { entityNamed, readToEnd } from "@accord/connector-sdk/test-kit";
import type { Values } from "@accord/contracts/data/values";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { ids, manifestOf, NAME, paths, world } from "../../../test-systems/manifest-world.ts";

describe("requests", () => {
  test.each([
    [
      "RequestBodyJsonObject",
      '{ type: RequestBodyJsonObject, value: { a: "{{ 1 + 1 }}", b: ["{{ config.key }}"] } }',
      '{"a":2,"b":["k"]}',
      "application/json",
    ],
    [
      "RequestBodyUrlEncodedForm",
      '{ type: RequestBodyUrlEncodedForm, value: { a: "{{ 1 + 1 }}", b: x y } }',
      "a=2&b=x+y",
      "application/x-www-form-urlencoded",
    ],
    ["RequestBodyPlainText", '{ type: RequestBodyPlainText, value: "<a>{{ config.key }}</a>" }', "<a>k</a>", undefined],
  ])("%s is sent as the body", async (_, body, expected, type) => {
    const { sent, read } = world(
      manifestOf({ requester: `http_method: POST\nrequest_body: ${body}`, properties: NAME }),
      () => [],
      { key: "k" },
    );
    await read();
    expect(sent[0]).toMatchObject({ method: "POST", body: expected });
    expect(sent[0]?.headers["content-type"]).toBe(type);
  });
  test("parameters: lists repeat, truth values as Python writes them, nothing is left out; a link's own go first", async () => {
    const requester = `request_parameters: { ids: "{{ [1, 2] }}", all: true, none: "{{ config.missing }}", text: "007" }`;
    const retriever =
      'paginator: { type: DefaultPaginator, page_token_option: { type: RequestPath }, pagination_strategy: { type: CursorPagination, cursor_value: "{{ response.next }}" } }';
    const { sent, read } = world(manifestOf({ requester, retriever, field_path: "[data]", properties: NAME }), (url) =>
      url.searchParams.has("page") ? { data: [] } : { data: [], next: "/things?page=2&text=8" },
    );
    await read();
    expect(paths(sent)).toEqual([
      "/things?ids=1&ids=2&all=True&text=007",
      "/things?page=2&text=8&ids=1&ids=2&all=True",
    ]);
  });
  test("RequestOption puts values into forms and nested JSON", async () => {
    const paginator = (option: string): string =>
      `paginator: { type: DefaultPaginator, page_size_option: { type: RequestOption, ${option} }, pagination_strategy: { type: PageIncrement, page_size: 10 } }`;
    const form = world(
      manifestOf({
        requester: "http_method: POST",
        retriever: paginator("inject_into: body_data, field_name: size"),
        properties: NAME,
      }),
      () => [],
    );
    await form.read();
    expect(form.sent[0]?.body).toBe("size=10");
    const json = world(
      manifestOf({
        requester: "http_method: POST",
        retriever: paginator("inject_into: body_json, field_path: [a, b]"),
        properties: NAME,
      }),
      () => [],
    );
    await json.read();
    expect(json.sent[0]?.body).toBe('{"a":{"b":10}}');
  });
});

describe("sign-in", () => {
  test("OAuthAuthenticator asks with client credentials, scopes and names of its own", async () => {
    const requester = `authenticator:
  type: OAuthAuthenticator
  token_refresh_endpoint: https://login.example.com/token
  grant_type: client_credentials
  client_id: me
  client_secret: "{{ config.secret }}"
  scopes: [read, list]
  access_token_name: key
  expires_in_name: lives
  refresh_request_body: { audience: all }`;
    const { sent, read } = world(
      manifestOf({ requester, properties: NAME }),
      (url) => (url.host.startsWith("login") ? { data: { key: "t", lives: 60 } } : []),
      { secret: "s" },
    );
    await read();
    expect(sent[0]).toMatchObject({
      method: "POST",
      body: "grant_type=client_credentials&client_id=me&client_secret=s&scopes=read&scopes=list&audience=all",
    });
    expect(sent[1]?.headers["authorization"]).toBe("Bearer t");
  });
  test("SessionTokenRequestBearerAuthenticator carries the session's token as a bearer", async () => {
    const requester = `authenticator:
  type: SessionTokenAuthenticator
  session_token_path: [token]
  login_requester: { type: HttpRequester, url_base: https://api.example.com, path: login, http_method: POST }
  request_authentication: { type: Bearer }`;
    const { sent, read } = world(manifestOf({ requester, properties: NAME }), (url) =>
      url.pathname === "/login" ? { token: "t1" } : [],
    );
    await read();
    expect(sent.at(-1)?.headers["authorization"]).toBe("Bearer t1");
    expect(sent.at(-1)?.secretHeaders).toContain("authorization");
  });
});

describe("answers", () => {
  test("GzipDecoder unpacks what its decoder reads", async () => {
    const { read } = world(
      manifestOf({ retriever: "decoder: { type: GzipDecoder, decoder: { type: JsonlDecoder } }", properties: NAME }),
      () => gzipSync('{"id":1}\n\n{"id":2}\n'),
    );
    expect(ids(await read())).toEqual([1, 2]);
  });
  test("ExponentialBackoffStrategy doubles the wait with each try that fails in a row", async () => {
    const requester =
      "error_handler: { type: DefaultErrorHandler, backoff_strategies: [{ type: ExponentialBackoffStrategy, factor: 3 }] }";
    const { connection } = world(manifestOf({ requester, properties: NAME }), () => ({ status: 500 }));
    const waits: unknown[] = [];
    for (let tries = 0; tries < 3; tries += 1)
      await connection.check().catch((error: unknown) => waits.push((error as { retryAfterMs?: number }).retryAfterMs));
    expect(waits).toEqual([3_000, 6_000, 12_000]);
  });
  test("DpathExtractor goes through stars to records at any depth", async () => {
    const answer = { a: { list: [{ id: 1 }, { id: 2 }] }, b: { list: [{ id: 3 }], deep: { list: { id: 4 } } } };
    expect(ids(await world(manifestOf({ field_path: '["*", list]', properties: NAME }), () => answer).read())).toEqual([
      1, 2, 3,
    ]);
    expect(ids(await world(manifestOf({ field_path: '["**", list]', properties: NAME }), () => answer).read())).toEqual(
      [1, 2, 3, 4],
    );
  });
  test("a number of many digits keeps them, and what is no record is reported", async () => {
    const { connection } = world(
      manifestOf({ retriever: "decoder: { type: JsonDecoder }", properties: NAME }),
      () => '[{"id":12345678901234567890,"name":"a"},5,{"name":"b"}]',
    );
    const entity = await entityNamed(connection, "things");
    const page = await connection.read({ entity, fields: ["id", "name"], cursor: null, mode: "all", pageSize: 10 });
    expect(page.records).toEqual([{ id: "12345678901234567890", values: { id: "12345678901234567890", name: "a" } }]);
    expect(page.bad?.map(({ message }) => message)).toEqual(["It is no JSON object.", "It has no id."]);
  });
  test("fields are found out from records where the manifest has no schema", async () => {
    const { connection } = world(manifestOf({}), () => [{ id: 1, at: "2024-01-01", ok: true }]);
    const { fields } = await entityNamed(connection, "things");
    expect(fields.map(({ apiName, dataType }) => [apiName, dataType])).toEqual([
      ["id", "integer"],
      ["at", "date"],
      ["ok", "boolean"],
    ]);
  });
});

describe("transformations", () => {
  const record = { id: 1, Name: "Ann", "odd Key": { innerKey: 5, secret: "x" }, list: [{ secret: 1, keep: 2 }] };
  const made = async (transformations: string, selector = ""): Promise<Values[]> => {
    const properties =
      "name: {}, Name: {}, odd_key: {}, list: {}, label: {}, n: {}, t: {}, 'odd Key': {}, 'odd-Key': {}";
    return world(manifestOf({ stream: `transformations: ${transformations}`, selector, properties }), () => [
      record,
    ]).read();
  };
  test("AddFields: types, conditions, nested paths, fields added before", async () => {
    const [made1] = await made(`[{ type: AddFields, fields: [
      { path: [label], value: "{{ record.Name }}!" },
      { path: [n], value: "{{ record.label ~ 1 }}", value_type: string },
      { path: [t, inner], value: "5", value_type: string }]},
      { type: AddFields, condition: "{{ record.id > 1 }}", fields: [{ path: [label], value: never }] }]`);
    expect(made1).toMatchObject({ label: "Ann!", n: "Ann!1", t: { inner: "5" } });
  });
  test("RemoveFields takes away at paths, with stars, under its condition", async () => {
    const [gone] = await made(
      `[{ type: RemoveFields, field_pointers: [["odd Key", secret], [list, "*", secret]] }, { type: RemoveFields, condition: "{{ record.id == 2 }}", field_pointers: [[Name]] }]`,
    );
    expect(gone).toMatchObject({ Name: "Ann", "odd Key": { innerKey: 5 }, list: [{ keep: 2 }] });
    const [deep] = await made(`[{ type: RemoveFields, field_pointers: [["**", secret]] }]`);
    expect(deep).toMatchObject({ "odd Key": { innerKey: 5 }, list: [{ keep: 2 }] });
  });
  test("KeysToLower, KeysToSnakeCase and KeysReplace rename", async () => {
    expect((await made("[{ type: KeysToLower }]"))[0]).toMatchObject({ name: "Ann" });
    expect((await made("[{ type: KeysToSnakeCase }]"))[0]).toMatchObject({ odd_key: { inner_key: 5, secret: "x" } });
    expect((await made('[{ type: KeysReplace, old: " ", new: "-" }]'))[0]).toMatchObject({
      "odd-Key": { innerKey: 5, secret: "x" },
    });
  });
  test("RecordFilter sees records before their transformations, or after them where the selector says so", async () => {
    const add = `[{ type: AddFields, fields: [{ path: [label], value: a }] }]`;
    const filter = `record_filter: { type: RecordFilter, condition: "{{ record.get('label') == 'a' }}" }`;
    expect(await made(add, filter)).toEqual([]);
    expect(await made(add, `${filter}\ntransform_before_filtering: true`)).toHaveLength(1);
  });
});

describe("pages", () => {
  const paged = (strategy: string, option = "page"): string =>
    `paginator: { type: DefaultPaginator, page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: ${option} }, pagination_strategy: ${strategy} }`;
  test("PageIncrement without a size goes on until a page is empty, the first page without a number", async () => {
    const { sent, read } = world(
      manifestOf({ retriever: paged("{ type: PageIncrement, start_from_page: 1 }"), properties: NAME }),
      (url) => {
        const page = Number(url.searchParams.get("page") ?? 1);
        return page > 2 ? [] : [{ id: page }];
      },
    );
    expect(ids(await read())).toEqual([1, 2]);
    expect(paths(sent)).toEqual(["/things", "/things?page=2", "/things?page=3"]);
  });
  test("a filtered page does not end a list: what it held before counts", async () => {
    const { read } = world(
      manifestOf({
        retriever: paged("{ type: PageIncrement, page_size: 2, inject_on_first_request: true }"),
        selector: 'record_filter: { condition: "{{ record.id != 1 }}" }',
        properties: NAME,
      }),
      (url) => [[{ id: 0 }, { id: 1 }], [{ id: 2 }]][Number(url.searchParams.get("page"))] ?? [],
    );
    expect(ids(await read())).toEqual([0, 2]);
  });
  test("CursorPagination knows the last record, the page's size and headers; a cursor that stays is an error", async () => {
    const strategy =
      "{ type: CursorPagination, cursor_value: \"{{ last_record['id'] }}\", stop_condition: \"{{ last_page_size < 2 or headers['X-Last'] == 'yes' }}\" }";
    const { read } = world(manifestOf({ retriever: paged(strategy, "after"), properties: NAME }), (url) => {
      const after = Number(url.searchParams.get("after") ?? 0);
      return {
        status: 200,
        headers: after >= 4 ? { "x-last": "yes" } : {},
        body: [{ id: after + 1 }, { id: after + 2 }],
      };
    });
    expect(ids(await read())).toEqual([1, 2, 3, 4, 5, 6]);
    const stuck = world(
      manifestOf({ retriever: paged("{ type: CursorPagination, cursor_value: x }", "after"), properties: NAME }),
      () => [{ id: 1 }],
    );
    await expect(stuck.read()).rejects.toThrow(/Stream things: the next page is the same page again/);
  });
});

describe("partitions", () => {
  const parent = (name: string, more = ""): string =>
    `{ type: ParentStreamConfig, parent_key: id, partition_field: ${name}, stream: { type: DeclarativeStream, name: ${name}s, primary_key: id, retriever: { type: SimpleRetriever, ${more} requester: { type: HttpRequester, url_base: https://api.example.com, path: "${name}s" }, record_selector: { extractor: { field_path: [] } } } }`;
  test("several routers are combined, each putting its value where it says", async () => {
    const retriever = `partition_router:
  - { type: ListPartitionRouter, cursor_field: kind, values: [a, b], request_option: { inject_into: request_parameter, field_name: kind } }
  - { type: SubstreamPartitionRouter, parent_stream_configs: [${parent("owner")}, request_option: { inject_into: header, field_name: X-Owner } }] }`;
    const { sent, read } = world(manifestOf({ retriever, properties: NAME }), (url, { headers }) =>
      url.pathname === "/owners"
        ? [{ id: 1 }, { id: 2 }]
        : [{ id: `${url.searchParams.get("kind")}${headers["x-owner"]}` }],
    );
    await read();
    expect(
      sent.filter(({ url }) => url.includes("kind")).map(({ url, headers }) => [url.slice(-1), headers["x-owner"]]),
    ).toEqual([
      ["a", "1"],
      ["a", "2"],
      ["b", "1"],
      ["b", "2"],
    ]);
  });
  test("parents may have parents: their partition is known as parent_slice, and all their pages are read", async () => {
    const outer = `partition_router: { type: SubstreamPartitionRouter, parent_stream_configs: [${parent("org")} }] },`;
    const inner = parent("team", outer).replace('path: "teams"', `path: "orgs/{{ stream_partition.org }}/teams"`);
    const retriever = `partition_router: { type: SubstreamPartitionRouter, parent_stream_configs: [${inner} }] }`;
    const manifest = manifestOf({ retriever, properties: NAME }).replace(
      "path: things",
      'path: "{{ stream_slice.parent_slice.org }}/{{ stream_slice.team }}"',
    );
    const { read } = world(manifest, ({ pathname }) => {
      if (pathname === "/orgs") return [{ id: "x" }, { id: "y" }];
      if (pathname.endsWith("/teams")) return Array.from({ length: 2 }, (_, n) => ({ id: `${pathname[6]}${n}` }));
      return [{ id: 1, name: pathname }];
    });
    expect((await read()).map(({ name }) => name)).toEqual(["/x/x0", "/x/x1", "/y/y0", "/y/y1"]);
  });
  test("a parent's page of very many records is gone through in parts", async () => {
    const retriever = `partition_router: { type: SubstreamPartitionRouter, parent_stream_configs: [${parent("owner")} }] }`;
    const manifest = manifestOf({ retriever, properties: NAME }).replace(
      "path: things",
      'path: "things/{{ stream_partition.owner }}"',
    );
    const { read } = world(manifest, ({ pathname }) =>
      pathname === "/owners" ? Array.from({ length: 1200 }, (_, id) => ({ id })) : [{ id: Number(pathname.slice(8)) }],
    );
    expect(new Set(ids(await read())).size).toBe(1200);
  });
});

describe("reading by time", () => {
  const cursor = (more: string): string =>
    `incremental_sync: { type: DatetimeBasedCursor, cursor_field: updated_at, datetime_format: "%Y-%m-%d", ${more} }`;
  const times = "updated_at: { type: string }";
  test("MinMaxDatetime keeps a start within its bounds, steps touch without a gap, slices are named in templates", async () => {
    const stream = cursor(
      'start_datetime: { type: MinMaxDatetime, datetime: "2020-01-01", min_datetime: "{{ day_delta(-5, format=\'%Y-%m-%d\') }}" }, end_datetime: { type: MinMaxDatetime, datetime: "{{ today_utc() }}", max_datetime: "2024-03-09" }, step: P2D, cursor_granularity: P1D',
    );
    const requester = `request_parameters: { range: "{{ stream_interval['start_time'] }}..{{ stream_slice.end_time }}" }`;
    const { sent, read } = world(manifestOf({ stream, requester, properties: times }), () => []);
    await read();
    expect(sent.map(({ url }) => new URL(url).searchParams.get("range"))).toEqual([
      "2024-03-05..2024-03-06",
      "2024-03-07..2024-03-08",
      "2024-03-09..2024-03-09",
    ]);
  });
  test("lists that can't be asked for a time are cut here, and newest-first ones are not read on", async () => {
    const stream = cursor('start_datetime: "2024-03-01", is_client_side_incremental: true');
    const list = [
      { id: 1, updated_at: "2024-02-28" },
      { id: 2, updated_at: "2024-03-01" },
      { id: 3, updated_at: null },
    ];
    expect(ids(await world(manifestOf({ stream, properties: times }), () => list).read())).toEqual([2, 3]);
    const feed = cursor('start_datetime: "2024-03-01", is_data_feed: true');
    const retriever =
      "paginator: { type: DefaultPaginator, page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: page }, pagination_strategy: { type: PageIncrement } }";
    const { sent, read } = world(manifestOf({ stream: feed, retriever, properties: times }), (url) => [
      {
        id: Number(url.searchParams.get("page") ?? 0),
        updated_at: url.searchParams.has("page") ? "2024-02-01" : "2024-03-05",
      },
    ]);
    expect(ids(await read())).toEqual([0]);
    expect(sent).toHaveLength(2);
  });
  test("a time of creation does not show changes: such a stream is read completely each time", async () => {
    const stream = cursor('start_datetime: "2024-03-01", is_client_side_incremental: true').replace(
      "updated_at",
      "created_at",
    );
    const { connection } = world(manifestOf({ stream, properties: "created_at: { type: string }" }), () => [
      { id: 1, created_at: "2024-03-02" },
    ]);
    const entity = await entityNamed(connection, "things");
    expect(entity.fields.some(({ isWatermarkField }) => isWatermarkField)).toBe(false);
    const first = await readToEnd(connection, { entity, cursor: null, pageSize: 10 });
    const second = await readToEnd(connection, { entity, cursor: first.cursor, pageSize: 10 });
    expect([first, second].map(({ records }) => records.length)).toEqual([1, 1]);
  });
  test("a page of our own holds no more records than asked for, whatever the system answers", async () => {
    const { connection, sent } = world(manifestOf({ properties: NAME }), () =>
      Array.from({ length: 25 }, (_, id) => ({ id })),
    );
    const entity = await entityNamed(connection, "things");
    const sizes: number[] = [];
    const { records } = await readToEnd(
      connection,
      { entity, cursor: null, pageSize: 10 },
      async (page) => void sizes.push(page.length),
    );
    expect(sizes).toEqual([10, 10]);
    expect(ids(records.map(({ values }) => values))).toEqual(Array.from({ length: 25 }, (_, id) => id));
    expect(sent).toHaveLength(1);
  });
});
