/** Answers that are torn, empty, hostile or say something else than they seem to: what is read of them all the same. */
import { entityNamed, readToEnd } from "@accord/connector-sdk/test-kit";
import { describe, expect, test } from "vitest";
import { ids, manifestOf, NAME, paths, world } from "../../../../test-systems/manifest-world.ts";
import { describeManifest } from "../../document/describe.ts";
import { processorTime } from "../../fixtures/processor-time.ts";

const problemsOf = (manifest: string): string[] => describeManifest(manifest).streams[0]?.problems ?? [];
const pageOf = async ({ connection }: ReturnType<typeof world>) => {
  const entity = await entityNamed(connection, "things");
  return connection.read({ entity, fields: ["id", "name"], cursor: null, mode: "all", pageSize: 100 });
};

describe("answers that would take all memory are refused", () => {
  const csv = manifestOf({ retriever: "decoder: { type: CsvDecoder }", properties: NAME });
  test.each([
    ["very many columns", `${",".repeat(6_000)}\n1`, /more than 5000 columns/],
    ["rows that are mostly missing", `id${",".repeat(4_000)}\n${"1\n".repeat(4_000)}`, /more than 5000000 values/],
    ["a row of nothing but commas", `id\n${",".repeat(5_100_000)}`, /more than 5000000 values/],
  ])("CSV of %s", async (_, text, message) => {
    await expect(pageOf(world(csv, () => new TextEncoder().encode(text)))).rejects.toThrow(message);
  });
  test("several ** in a path lead to the same values in very many ways; side by side they are one", async () => {
    expect(problemsOf(manifestOf({ field_path: '["**", a, "**", "**", b]' }))[0]).toMatch(
      /field_path may hold one \*\*/,
    );
    const stream = 'transformations: [{ type: RemoveFields, field_pointers: [["**", a, "**", b]] }]';
    expect(problemsOf(manifestOf({ stream }))[0]).toMatch(/field_pointers may hold one \*\*/);
    const answer = { a: { list: [{ id: 1 }] } };
    const { read } = world(manifestOf({ field_path: '["**", "**", list]', properties: NAME }), () => answer);
    expect(ids(await read())).toEqual([1]);
  });
});

describe("what can't be read costs itself alone", () => {
  test("a record that a condition or a transformation fails on is reported, the others are read", async () => {
    const stream = `transformations: [{ type: AddFields, fields: [{ path: [name], value: "{{ format_datetime(record.at, '%Y') }}" }] }]`;
    const selector = 'record_filter: { condition: "{{ record.amount > 0 }}" }';
    const page = await pageOf(
      world(manifestOf({ stream, selector, properties: NAME }), () => [
        { id: 1, amount: 5, at: "2024-01-01" },
        { id: 2, amount: "much", at: "2024-01-01" },
        { id: 3, amount: 5, at: "soon" },
        { id: 4, amount: 6, at: "2023-01-01" },
      ]),
    );
    expect(page.records.map(({ id, values }) => [id, values["name"]])).toEqual([
      ["1", "2024"],
      ["4", "2023"],
    ]);
    expect(page.bad?.map(({ message, excerpt }) => [message, excerpt])).toEqual([
      [expect.stringMatching(/record\.amount > 0.*can't be compared/), expect.stringContaining('"id":2')],
      [expect.stringMatching(/no date and time/), expect.stringContaining('"id":3')],
    ]);
  });
  test("a torn line of JSON is reported, the others are read; an answer without a whole line is an error", async () => {
    const manifest = manifestOf({ retriever: "decoder: { type: JsonlDecoder }", properties: NAME });
    const page = await pageOf(world(manifest, () => '{"id":1}\n{"id":2\n{"id":3}\n'));
    expect(page.records.map(({ id }) => id)).toEqual(["1", "3"]);
    expect(page.bad).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/^Line 2 .* not JSON/), excerpt: '{"id":2' }),
    ]);
    await expect(pageOf(world(manifest, () => "<html>sorry</html>"))).rejects.toThrow(/Line 1 .* is not JSON/);
  });
  test("a row of CSV with too many values is reported, the others are read", async () => {
    const manifest = manifestOf({ retriever: "decoder: { type: CsvDecoder }", properties: NAME });
    const page = await pageOf(world(manifest, () => "id,name\n1,a\n2,b,c\n3,d\n"));
    expect(page.records.map(({ id }) => id)).toEqual(["1", "3"]);
    expect(page.bad?.map(({ message, excerpt }) => [message, excerpt])).toEqual([
      [expect.stringMatching(/^Row 3 /), "2,b,c"],
    ]);
  });
  test("a record of very many levels is reported, the others are read", async () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const page = await pageOf(world(manifestOf({ properties: NAME }), () => `[{"id":1},{"id":2,"name":${deep}}]`));
    expect(page.records.map(({ id }) => id)).toEqual(["1"]);
    expect(page.bad?.map(({ message }) => message)).toEqual([expect.stringMatching(/more than 200 levels/)]);
  });
  test("what was found before an error that is final is handed on, and the error comes with the next page", async () => {
    const retriever =
      "paginator: { type: DefaultPaginator, page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: page }, pagination_strategy: { type: PageIncrement } }";
    const { connection } = world(manifestOf({ retriever, properties: NAME }), (url) =>
      url.searchParams.has("page") ? { status: 403 } : [{ id: 1 }],
    );
    const entity = await entityNamed(connection, "things");
    const request = { entity, fields: ["id"], mode: "all" as const, pageSize: 10 };
    const first = await connection.read({ ...request, cursor: null });
    expect(first.records.map(({ id }) => id)).toEqual(["1"]);
    await expect(connection.read({ ...request, cursor: first.cursor })).rejects.toMatchObject({ kind: "permission" });
  });
});

describe("what is empty is no record", () => {
  test.each([
    ["an empty object", { data: {} }, "[data]"],
    ["an empty text", { data: "" }, "[data]"],
    ["false", { data: false }, "[data]"],
    ["an answer without a body", "", "[]"],
  ])("%s", async (_, body, field_path) => {
    const page = await pageOf(world(manifestOf({ field_path, properties: NAME }), () => ({ status: 200, body })));
    expect(page).toMatchObject({ records: [] });
    expect(page.bad).toBe(undefined);
  });
});

describe("the words of an error are looked for where errors stand", () => {
  const requester =
    'error_handler: { type: DefaultErrorHandler, response_filters: [{ type: HttpResponseFilter, error_message_contains: access "denied", action: IGNORE }] }';
  const manifest = manifestOf({ requester, field_path: "[data]", properties: NAME });
  test("a record that holds them is a record", async () => {
    const records = [
      { id: 1, name: "access denied" },
      { id: 2, message: "access denied" },
    ];
    const { read } = world(manifest.replace('access "denied"', "access denied"), () => ({ data: records }));
    expect(ids(await read())).toEqual([1, 2]);
  });
  test("with quotes, behind very many other words, and in lists of errors", async () => {
    const long = `${"x".repeat(1_000)} access "denied"`;
    for (const body of [
      { message: long },
      { errors: [{ detail: "no" }, { detail: long }] },
      { error: { status_message: long } },
    ])
      expect(await world(manifest, () => ({ status: 403, body })).read()).toEqual([]);
  });
  test("in all of an answer that is no JSON", async () => {
    expect(await world(manifest, () => ({ status: 403, body: 'Sorry: access "denied".' })).read()).toEqual([]);
  });
});

describe("RemoveFields", () => {
  const made = async (pointers: string, condition: string) => {
    const stream = `transformations: [{ type: RemoveFields, field_pointers: ${pointers}, condition: "${condition}" }]`;
    const properties = "name: {}, note: {}, inner: {}, list: {}";
    const record = { id: 1, name: "", note: "n", inner: { a: "", b: 5, deep: { c: "" } }, list: ["", "x"] };
    const [first] = await world(manifestOf({ stream, properties }), () => [record]).read();
    return first;
  };
  test("asks its condition about the value that is found, at any depth under a ** at the end", async () => {
    expect(await made('[["**"]]', "{{ property|string == '' }}")).toEqual({
      id: 1,
      note: "n",
      inner: { b: 5, deep: {} },
      list: ["x"],
    });
    expect(await made("[[name], [note], [inner, b]]", "{{ property == 5 }}")).toMatchObject({
      note: "n",
      inner: { a: "", deep: { c: "" } },
    });
  });
});

describe("waits", () => {
  const requester = (strategy: string): string =>
    `error_handler: { type: DefaultErrorHandler, backoff_strategies: [${strategy}] }`;
  const failing = (strategy: string, headers: Record<string, string>) =>
    world(manifestOf({ requester: requester(strategy), properties: NAME }), () => ({ status: 429, headers }));
  test("a system that asks for a longer wait than the manifest takes is not asked again", async () => {
    const strategy = "{ type: WaitTimeFromHeader, header: X-Wait, max_waiting_time_in_seconds: 60 }";
    await expect(failing(strategy, { "x-wait": "30" }).connection.check()).rejects.toMatchObject({
      retryAfterMs: 30_000,
    });
    await expect(failing(strategy, { "x-wait": "90" }).connection.check()).rejects.toMatchObject({ retryable: false });
  });
  test("a header that takes its pattern for ever says nothing", async () => {
    const strategy = `{ type: WaitTimeFromHeader, header: X-Wait, regex: ".*a.*b.*c=(\\\\d+)" }`;
    const begun = processorTime();
    await expect(failing(strategy, { "x-wait": "ab".repeat(1_000) }).connection.check()).rejects.toMatchObject({
      kind: "rateLimited",
    });
    expect(processorTime() - begun).toBeLessThan(3_000);
  });
});

test("fields of several schemas are joined", async () => {
  const stream =
    "schema_loader: [{ type: InlineSchemaLoader, schema: { properties: { id: { type: integer } } } }, { type: InlineSchemaLoader, schema: { properties: { name: { type: string } } } }]";
  const { connection, sent } = world(manifestOf({ stream }), () => [{ id: 1, name: "a" }]);
  const { fields } = await entityNamed(connection, "things");
  expect(fields.map(({ apiName }) => apiName)).toEqual(["id", "name"]);
  expect(paths(sent)).toEqual([]);
  expect(
    await readToEnd(connection, { entity: await entityNamed(connection, "things"), cursor: null, pageSize: 5 }),
  ).toMatchObject({
    records: [{ id: "1" }],
  });
});
