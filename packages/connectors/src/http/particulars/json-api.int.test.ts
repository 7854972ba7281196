/** What JSON APIs do that other systems don't: addresses, answers, signs of deletion. */
import { connectTo, entityNamed, fieldNames, latestById, readToEnd, sendPlainly } from "@accord/connector-sdk/test-kit";
import type { Connection } from "@accord/connector-sdk";
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import type { Values } from "@accord/contracts/data/values";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { API_KEY, startJsonApi, type JsonApi } from "../../../test-systems/json-api.ts";
import { companies, configFor } from "../../../test-systems/json-api-entities.ts";
import { httpConnector, previewEntity } from "../index.ts";

describe("JSON APIs in particular", () => {
  let api: JsonApi;
  beforeAll(async () => {
    api = await startJsonApi(12);
  });
  afterAll(() => api?.stop());
  const byPage = companies("page", { kind: "page", sizeParam: "size", size: 5 });
  const connect = (
    entity: HttpEntityInput,
    authType: "apiKey" | "bearerToken" | "userPassword" | "oauthClientCredentials" = "apiKey",
    credentials: Record<string, string> = { apiKey: API_KEY },
    config: Values = {},
  ) => connectTo(httpConnector, { config: { ...configFor(api.url, [entity]), ...config }, authType, credentials });

  test("signs in with a key in the address, a bearer token, a password, and client credentials", async () => {
    await connect(byPage, "apiKey", { apiKey: API_KEY }, { apiKeyPlace: "query", apiKeyName: "key" }).check();
    await connect(byPage, "bearerToken", { token: API_KEY }).check();
    await connect(byPage, "userPassword", { username: "register", password: API_KEY }).check();
    const oauth = { tokenUrl: `${api.url}/token` };
    const connection = connect(
      byPage,
      "oauthClientCredentials",
      { clientId: "register", clientSecret: API_KEY },
      oauth,
    );
    await connection.check();
    await connection.check();
    expect(api.calls.filter((call) => call === "POST /token")).toHaveLength(1);
    await expect(
      connect(byPage, "oauthClientCredentials", { clientId: "register", clientSecret: "no" }, oauth).check(),
    ).rejects.toMatchObject({ kind: "authentication" });
  });

  test("a token withdrawn early is renewed once", async () => {
    const connection = connect(
      byPage,
      "oauthClientCredentials",
      { clientId: "register", clientSecret: API_KEY },
      { tokenUrl: `${api.url}/token` },
    );
    await connection.check();
    api.refuseNext(401);
    await connection.check();
  });

  test("a system that refuses every token, or names no life for them, is not asked for a new one with each call", async () => {
    let time = Date.parse("2026-01-01T00:00:00Z");
    const asked = { tokens: 0, calls: 0 };
    const habits = { refuses: true, answer: {} };
    const server = createServer((request, response) => {
      const isToken = request.url === "/token";
      asked[isToken ? "tokens" : "calls"] += 1;
      response.writeHead(habits.refuses && !isToken ? 401 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(isToken ? { access_token: `t${asked.tokens}`, ...habits.answer } : { items: [] }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const system = {
      config: { ...configFor(url, [byPage]), tokenUrl: `${url}/token` },
      authType: "oauthClientCredentials" as const,
      credentials: { clientId: "c", clientSecret: "s" },
      world: { now: () => new Date(time) },
    };
    const open = () => connectTo(httpConnector, system);
    const refused = open();
    for (const counts of [
      { tokens: 2, calls: 2 },
      { tokens: 2, calls: 3 },
      { tokens: 2, calls: 4 },
    ]) {
      await expect(refused.check()).rejects.toMatchObject({ kind: "authentication" });
      expect(asked).toEqual(counts);
    }
    time += 10_000;
    await expect(refused.check()).rejects.toMatchObject({ kind: "authentication" });
    expect(asked).toEqual({ tokens: 3, calls: 6 });
    habits.refuses = false;
    const check = async (connection: Connection): Promise<void> => {
      await connection.check();
      time += 1_000;
    };
    for (const expires_in of [0, 1, -5]) {
      habits.answer = { expires_in };
      asked.tokens = 0;
      const connection = open();
      for (const _ of [1, 2, 3, 4]) await check(connection);
      expect(asked.tokens).toBe(2);
      time += 10_000;
      for (const _ of [1, 2]) await check(connection);
      expect(asked.tokens).toBe(3);
    }
    await new Promise((resolve) => server.close(resolve));
  });

  test("credentials never leave for another host, whatever an answer or a path says", async () => {
    const elsewhere = companies("page", { kind: "none" }, { path: "http://elsewhere.example/companies" });
    await expect(connect(elsewhere).check()).rejects.toMatchObject({ kind: "configuration", neverSent: true });
    const away = companies("page", { kind: "nextLink", linkSelector: "items[0].email" });
    api.touch(1, { email: "http://elsewhere.example/next" });
    const connection = connect(away);
    const entity = await entityNamed(connection, "companies");
    await expect(readToEnd(connection, { entity, cursor: null, pageSize: 5 })).rejects.toMatchObject({
      kind: "configuration",
      message: expect.stringContaining("elsewhere.example"),
    });
  });

  test("text in a number field costs that field alone; the rest is read", async () => {
    api.touch(2, { size: "many" as never });
    const entity = companies("all", { kind: "none" });
    const connection = connect(entity);
    const page = await connection.read({
      entity: await entityNamed(connection, "companies"),
      fields: ["size", "name"],
      cursor: null,
      mode: "all",
      pageSize: 100,
    });
    expect(page.records).toHaveLength(12);
    expect(page.bad).toBeUndefined();
    expect(page.records.find(({ id }) => id === "2")).toEqual({
      id: "2",
      values: expect.not.objectContaining({ size: expect.anything() }),
      badFields: [{ field: "size", message: 'Size: "many" is not a whole number.', excerpt: '"many"' }],
      modifiedAt: expect.any(String),
    });
    api.touch(2, { size: 1 });
  });

  test("without a way to ask for changes each pass reads everything", async () => {
    const entity = companies("all", { kind: "none" }, { watermark: null });
    const connection = connect(entity);
    const schema = await entityNamed(connection, "companies");
    const first = await readToEnd(connection, { entity: schema, cursor: null, pageSize: 5 });
    const second = await readToEnd(connection, { entity: schema, cursor: first.cursor, pageSize: 5 });
    expect(second.records).toHaveLength(12);
    expect(httpConnector.capabilitiesOf(configFor(api.url, [entity]), schema)).not.toContain("readChanges");
  });

  test("pages ahead can be fetched side by side and together hold everything", async () => {
    const entity = companies("page", { kind: "page", sizeParam: "size", size: 3 }, { pagesAhead: 3 });
    const connection = connect(entity);
    const schema = await entityNamed(connection, "companies");
    const request = { entity: schema, fields: fieldNames(schema), mode: "all" as const, pageSize: 3 };
    const first = await connection.read({ ...request, cursor: null });
    expect(first.ahead?.[0]).toEqual(first.cursor);
    const rest = await Promise.all((first.ahead ?? []).map((cursor) => connection.read({ ...request, cursor })));
    expect(latestById([first, ...rest].flatMap((page) => page.records)).size).toBe(12);
  });

  test("a time range is kept", async () => {
    const connection = connect(byPage);
    const schema = await entityNamed(connection, "companies");
    const times = [...api.companies.values()].map((company) => company.updated_at).sort();
    const since = new Date(times[4] ?? 0);
    const until = new Date(times[8] ?? 0);
    const pass = await readToEnd(connection, { entity: schema, cursor: null, pageSize: 5, mode: "all", since, until });
    expect(
      pass.records.every(
        (record) =>
          record.values["updated_at"]! >= since.toISOString() && record.values["updated_at"]! < until.toISOString(),
      ),
    ).toBe(true);
  });

  test("a list that names the same next page again and again is stopped", async () => {
    const entity = companies("all", { kind: "cursor", cursorSelector: "items[0].id" });
    const connection = connect(entity);
    const schema = await entityNamed(connection, "companies");
    await expect(readToEnd(connection, { entity: schema, cursor: null, pageSize: 5 })).rejects.toMatchObject({
      kind: "configuration",
    });
  });

  test("a body of one's own: whole placeholders keep their type, texts are filled in, data is never a template", async () => {
    const entity: HttpEntityInput = {
      ...byPage,
      create: {
        method: "POST",
        path: "/page/companies",
        body: JSON.stringify({
          name: "{{record.name}}",
          size: "{{record.size}}",
          email: "{{record.name}}@{{record.city}}.example",
        }),
      },
    };
    const connection = connect(entity);
    const schema = await entityNamed(connection, "companies");
    const values = { name: "{{record.size}}", size: 12, city: "kiel" };
    const [outcome] =
      (await connection.write?.({ entity: schema, operations: [{ kind: "create", values, idempotencyKey: "b" }] })) ??
      [];
    const id = outcome?.status === "done" ? Number(outcome.id) : 0;
    expect(api.companies.get(id)).toMatchObject({
      name: "{{record.size}}",
      size: 12,
      email: "{{record.size}}@kiel.example",
    });
    api.companies.delete(id);
  });

  test("an id with odd characters stays inside its place in the path", async () => {
    const connection = connect(byPage);
    const schema = await entityNamed(connection, "companies");
    const from = api.calls.length;
    const id = "1/../../token?x=1#y";
    expect(await connection.getByIds?.({ entity: schema, fields: ["name"], ids: [id] })).toEqual([]);
    expect(api.calls[from]).toBe(`GET /page/companies/${encodeURIComponent(id)}`);
    expect(api.calls.slice(from).filter((call) => !call.startsWith("GET /page/companies"))).toEqual([]);
  });

  test("too many calls in the middle of a batch: what is done is done, the rest waits as long as asked", async () => {
    const connection = connect(byPage, "apiKey", { apiKey: API_KEY }, { parallelWrites: 1 });
    const schema = await entityNamed(connection, "companies");
    const operation = (n: number) => ({
      kind: "create" as const,
      values: { name: `Limited ${n}` },
      idempotencyKey: `l${n}`,
    });
    api.refuseNext(429, { "retry-after": "3" });
    await expect(
      connection.write?.({ entity: schema, operations: [operation(1), operation(2)] }),
    ).rejects.toMatchObject({
      kind: "rateLimited",
      retryAfterMs: 3000,
    });
    const outcomes = connection.write?.({ entity: schema, operations: [operation(1), operation(2), operation(3)] });
    await expect.poll(() => api.calls.at(-1)).toContain("POST");
    expect((await outcomes)?.map((outcome) => outcome.status)).toContain("done");
  });

  test("a system that does not say how long to wait is waited for as long as its settings say", async () => {
    const connection = connectTo(httpConnector, {
      config: { ...configFor(api.url, [byPage]), rateLimitWaitSeconds: 30 },
      authType: "apiKey",
      credentials: { apiKey: API_KEY },
    });
    api.refuseNext(429);
    await expect(connection.check()).rejects.toMatchObject({ kind: "rateLimited", retryAfterMs: 30_000 });
    api.refuseNext(429, { "retry-after": "3" });
    await expect(connection.check()).rejects.toMatchObject({ kind: "rateLimited", retryAfterMs: 3000 });
  });

  test("a preview proposes where the records are, their fields with paths, id and watermark", async () => {
    const preview = await previewEntity(
      {
        config: configFor(api.url, []),
        authType: "apiKey",
        credentials: { apiKey: API_KEY },
        send: sendPlainly,
        signal: new AbortController().signal,
        now: () => new Date(),
      } as never,
      { list: { path: "/page/companies" } },
    );
    expect(preview).toMatchObject({
      status: 200,
      recordSelectors: ["items"],
      recordCount: api.companies.size,
      problem: null,
    });
    const fields = new Map(preview.proposed.map((field) => [field.apiName, field]));
    expect(fields.get("id")).toMatchObject({ isIdField: true, dataType: "integer", initializable: false });
    expect(fields.get("updated_at")).toMatchObject({ isWatermarkField: true, dataType: "datetime" });
    expect(fields.get("address_city")).toMatchObject({ path: "address.city", displayName: "Address city" });
    expect(fields.get("tags")).toMatchObject({ isMultiValueField: true, dataType: "string" });
  });
});
