/** Manifests of many shapes against a real HTTP server: read to the end, resumed from every position, and with faults. */
import { connectTo, entityNamed, readToEnd, sendPlainly, type SystemUnderTest } from "@accord/connector-sdk/test-kit";
import type { Cursor, HttpRequest, SourceRecord } from "@accord/connector-sdk";
import type { Values } from "@accord/contracts/data/values";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SECRET, startManifestApi, type ManifestApi } from "../../test-systems/manifest-api.ts";
import { BODIES, CURSOR, LINKS, OFFSETS, PAGES, REGIONS, SESSION, SUBSTREAM } from "../../test-systems/manifests.ts";
import { manifestConnector } from "./index.ts";

const SEEDED = 25;
let api: ManifestApi;
beforeEach(async () => {
  api = await startManifestApi(SEEDED);
});
afterEach(() => api.stop());

interface Shape {
  manifest: string;
  stream: string;
  inputs?: Values;
  secrets: Values;
  /** What the server holds, as it should be read. */
  expected?: () => Values[];
}

const plain = (): Values[] =>
  api.items.map(({ id, name, size, updated_at }) => ({ id, name, size, updated_at: updated_at.replace("Z", ".000Z") }));

const SHAPES: Record<string, Shape> = {
  "page numbers and an API key": { manifest: PAGES, stream: "items", secrets: { api_key: SECRET } },
  "cursor, bearer, added and filtered": {
    manifest: CURSOR,
    stream: "items",
    secrets: { token: SECRET },
    expected: () =>
      plain()
        .filter(({ id }) => id !== 3)
        .map((item) => ({
          ...item,
          label: `${String(item["name"]).toUpperCase()}-${Number(item["id"]) * 2}`,
          twice: Number(item["id"]) * 2,
        })),
  },
  "links and OAuth": {
    manifest: LINKS,
    stream: "items",
    inputs: { client_id: "me" },
    secrets: { client_secret: SECRET, refresh_token: "refresh" },
  },
  "offsets and basic sign-in": { manifest: OFFSETS, stream: "items", secrets: { password: SECRET } },
  "parents, steps of time": {
    manifest: SUBSTREAM,
    stream: "project_items",
    inputs: { end: "2024-01-10" },
    secrets: { key: SECRET },
    expected: () =>
      api.items.map(({ id, name, project, updated_at }) => ({
        id,
        name,
        owner: `o${project}`,
        project_id: project,
        updated_at: updated_at.replace("Z", ".000Z"),
      })),
  },
  "list partitions and a choice of sign-ins": {
    manifest: REGIONS,
    stream: "items",
    inputs: { regions: ["eu", "us", "apac"], credentials: { kind: "bearer" } },
    secrets: { credentials: { token: SECRET } },
    expected: () =>
      api.items.map((item) => ({
        ...item,
        updated_at: item.updated_at.replace("Z", ".000Z"),
        manifest_record_id: JSON.stringify([item.region, String(item.id)]),
      })),
  },
  "a session token": { manifest: SESSION, stream: "items", secrets: { password: SECRET } },
  "bodies of POST, lines of JSON": { manifest: BODIES, stream: "lines", secrets: { token: SECRET } },
  CSV: {
    manifest: BODIES,
    stream: "table",
    secrets: { token: SECRET },
    expected: () => plain().map((item) => ({ ...item, name: `${String(item["name"])}, "quoted"` })),
  },
};

const systemOf = ({ manifest, inputs = {}, secrets }: Shape, world: SystemUnderTest["world"] = {}) => ({
  config: { manifest, inputs: JSON.stringify({ url: api.url, ...inputs }) },
  authType: "apiSecretKey" as const,
  credentials: { secrets: JSON.stringify(secrets) },
  world,
});
const open = (shape: Shape, world?: SystemUnderTest["world"]) => connectTo(manifestConnector, systemOf(shape, world));

const byId = (records: readonly SourceRecord[]) => new Map(records.map(({ id, values }) => [id, values]));
const expectedById = ({ expected = plain }: Shape, ids: (values: Values) => string) =>
  new Map(expected().map((values) => [ids(values), values]));
const idIn = (values: Values): string => String(values["manifest_record_id"] ?? values["id"]);

describe.each(Object.entries(SHAPES))("%s", (_, shape) => {
  test("is read to its end, record by record as the system holds it", async () => {
    const connection = open(shape);
    await connection.check();
    const entity = await entityNamed(connection, shape.stream);
    const { records } = await readToEnd(connection, { entity, cursor: null, pageSize: 3 });
    expect(byId(records)).toEqual(expectedById(shape, idIn));
    expect(records.length).toBe(expectedById(shape, idIn).size);
  });

  test("goes on from each of its positions with a new connection, and leaves no gap", async () => {
    const connection = open(shape);
    const entity = await entityNamed(connection, shape.stream);
    const stops: { before: SourceRecord[]; cursor: Cursor }[] = [];
    const before: SourceRecord[] = [];
    await readToEnd(connection, { entity, cursor: null, pageSize: 3 }, async (records, cursor) => {
      before.push(...records);
      stops.push({ before: [...before], cursor });
    });
    expect(stops.length).toBeGreaterThan(3);
    for (const stop of stops) {
      const { records } = await readToEnd(open(shape), { entity, cursor: stop.cursor, pageSize: 3 });
      expect(byId([...stop.before, ...records])).toEqual(expectedById(shape, idIn));
    }
  });

  test("waits, fails and breaks off in the middle lose nothing", async () => {
    let waited = 0;
    const connection = open(shape, { now: () => new Date(Date.now() + waited) });
    const entity = await entityNamed(connection, shape.stream);
    const faults = [
      { status: 429, headers: { "retry-after": "2" }, body: "{}" },
      { status: 500, body: "{}" },
      { status: 200, isTorn: true },
    ];
    const records: SourceRecord[] = [];
    let hits = 0;
    let cursor: Cursor | null = null;
    for (let turn = 0; turn < 500; turn += 1) {
      hits += turn > 0 && turn % 2 === 1 && api.faults.length === 0 ? 1 : 0;
      api.faults = turn % 2 === 0 ? faults.slice(turn % 3, (turn % 3) + 1) : [];
      try {
        const page = await connection.read({
          entity,
          fields: entity.fields.map(({ apiName }) => apiName),
          mode: "changes",
          pageSize: 3,
          cursor,
        });
        records.push(...page.records);
        cursor = JSON.parse(JSON.stringify(page.cursor)) as Cursor;
        if (page.drained) break;
      } catch (error) {
        expect(error).toMatchObject({ name: "ConnectorError", retryable: true });
        waited += (error as { retryAfterMs?: number }).retryAfterMs ?? 0;
      }
    }
    expect(byId(records)).toEqual(expectedById(shape, idIn));
    expect(hits).toBeGreaterThan(0);
  });
});

test("a changed and a new record come with the next pass, the others do not", async () => {
  const shape = SHAPES["cursor, bearer, added and filtered"];
  if (!shape) throw new Error("no shape");
  const connection = open(shape);
  const entity = await entityNamed(connection, "items");
  expect(manifestConnector.capabilitiesOf(systemOf(shape).config, entity)).toContain("readChanges");
  const first = await readToEnd(connection, { entity, cursor: null, pageSize: 50 });
  api.touch(5);
  const added = api.add({ updated_at: new Date().toISOString().replace(/\.\d+/, "") });
  const second = await readToEnd(connection, { entity, cursor: first.cursor, pageSize: 50 });
  const ids = second.records.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(["5", String(added.id)]));
  expect(ids).not.toContain("7");
});

test.each(["page numbers and an API key", "cursor, bearer, added and filtered"])(
  "history begins where it was asked to, in the passes after the first as well (%s)",
  async (name) => {
    const shape = SHAPES[name];
    if (!shape) throw new Error("no shape");
    const connection = open(shape);
    const entity = await entityNamed(connection, "items");
    const since = new Date();
    let cursor: Cursor | null = null;
    for (let pass = 0; pass < 3; pass += 1) {
      const { records, cursor: next } = await readToEnd(connection, {
        entity,
        cursor,
        pageSize: 50,
        ...(pass === 0 && { since }),
      });
      expect(records).toEqual([]);
      cursor = next;
    }
    const added = Array.from({ length: 12 }, () =>
      api.add({ updated_at: new Date().toISOString().replace(/\.\d+/, "") }),
    );
    for (let pass = 0; pass < 3; pass += 1) {
      const { records, cursor: next } = await readToEnd(connection, { entity, cursor, pageSize: 50 });
      for (const { id } of records) expect(added.map((item) => String(item.id))).toContain(id);
      if (pass === 0) expect(records).toHaveLength(12);
      cursor = next;
    }
  },
);

test("what slid past between numbered pages comes with the next pass", async () => {
  const shape = SHAPES["page numbers and an API key"];
  if (!shape) throw new Error("no shape");
  const connection = open(shape);
  const entity = await entityNamed(connection, "items");
  const removed = api.items[0];
  const first = await readToEnd(connection, { entity, cursor: null, pageSize: 4 }, async (records) => {
    if (records.some(({ id }) => id === "4")) api.items.splice(0, 1);
  });
  expect(first.records.map(({ id }) => id)).not.toContain("5");
  const second = await readToEnd(connection, { entity, cursor: first.cursor, pageSize: 4 });
  expect(second.records.map(({ id }) => id)).toContain("5");
  const third = await readToEnd(connection, { entity, cursor: second.cursor, pageSize: 4 });
  expect(third.records.length).toBeLessThan(4);
  expect(removed?.id).toBe(1);
});

describe("what answers mean", () => {
  const offsets = (): Shape =>
    SHAPES["offsets and basic sign-in"] ?? SHAPES["CSV"] ?? { manifest: "", stream: "", secrets: {} };
  const failure = async (fault: ManifestApi["faults"][number]) => {
    const connection = open(offsets());
    const entity = await entityNamed(connection, "items");
    api.faults = [fault];
    return connection.read({ entity, fields: ["id"], mode: "all", pageSize: 5, cursor: null }).then(
      (page) => page.records.length,
      (error: unknown) => error,
    );
  };
  test.each([
    [
      "too many calls, by the words of the answer, until the time of a header",
      {
        status: 403,
        body: '{"message":"quota used up"}',
        headers: { "x-reset": String(Math.ceil(Date.now() / 1000) + 20) },
      },
      { kind: "rateLimited" },
    ],
    [
      "another try by a condition on the answer, after the seconds of a header",
      { status: 200, body: '{"code":"BUSY"}', headers: { "x-wait": "in 12 seconds" } },
      { kind: "unavailable", retryAfterMs: 12_000 },
    ],
    ["another try after a constant time", { status: 503, body: "{}" }, { kind: "unavailable", retryAfterMs: 7_000 }],
    [
      "a failure in the manifest's own words",
      { status: 400, body: '{"message":"closed"}' },
      { kind: "configuration", message: expect.stringContaining("Check the account: closed.") },
    ],
  ])("%s", async (_, fault, expected) => {
    expect(await failure(fault)).toMatchObject(expected);
  });
  test("the time of a header is waited for", async () => {
    const error = await failure({
      status: 403,
      body: '{"message":"quota"}',
      headers: { "x-reset": String(Math.ceil(Date.now() / 1000) + 20) },
    });
    expect(error).toMatchObject({ kind: "rateLimited", retryable: true });
    expect((error as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(15_000);
  });
  test("an answer to be ignored has no records", async () => {
    expect(await failure({ status: 404, body: "{}" })).toBe(0);
  });
});

describe("signing in", () => {
  test("calls side by side ask for one token, and for one more when it was withdrawn", async () => {
    const shape = SHAPES["links and OAuth"];
    if (!shape) throw new Error("no shape");
    const connection = open(shape);
    const entity = await entityNamed(connection, "items");
    const read = () => connection.read({ entity, fields: ["id"], mode: "all", pageSize: 2, cursor: null });
    await Promise.all([read(), read(), read()]);
    expect(api.tokens).toBe(1);
    api.revoke();
    expect((await Promise.all([read(), read()])).every(({ records }) => records.length > 0)).toBe(true);
    expect(api.tokens).toBe(2);
    // Renewed just now: a refusal counts, and nothing is asked for again at once.
    api.revoke();
    for (const _ of [1, 2]) await expect(read()).rejects.toMatchObject({ kind: "authentication" });
    expect(api.tokens).toBe(2);
  });

  test("a session that was begun just now is not begun again with each call that refuses it", async () => {
    const shape = SHAPES["a session token"];
    if (!shape) throw new Error("no shape");
    const connection = open(shape);
    const entity = await entityNamed(connection, "items");
    const read = () => connection.read({ entity, fields: ["id"], mode: "all", pageSize: 2, cursor: null });
    const before = api.tokens;
    await read();
    api.revoke();
    await read();
    for (const _ of [1, 2, 3]) {
      api.revoke();
      await expect(read()).rejects.toMatchObject({ kind: "authentication" });
    }
    expect(api.tokens - before).toBe(2);
  });

  test("credentials go to no other origin than those of the manifest, whatever an answer links to", async () => {
    const other = await startManifestApi(1);
    try {
      const shape = SHAPES["links and OAuth"];
      if (!shape) throw new Error("no shape");
      const sent: HttpRequest[] = [];
      const connection = open(shape, { send: (request) => (sent.push(request), sendPlainly(request)) });
      const entity = await entityNamed(connection, "items");
      api.faults = [
        {
          status: 200,
          at: "/link",
          body: '{"results":[{"id":1}]}',
          headers: { link: `<${other.url}/link?after=4>; rel="next"` },
        },
      ];
      const page = await connection.read({ entity, fields: ["id"], mode: "all", pageSize: 1, cursor: null });
      await expect(
        connection.read({ entity, fields: ["id"], mode: "all", pageSize: 1, cursor: page.cursor }),
      ).rejects.toMatchObject({ kind: "configuration" });
      expect(other.calls).toEqual([]);
      const signed = sent.filter(({ headers }) => headers["authorization"]);
      expect(signed.length).toBeGreaterThan(0);
      for (const { secretHeaders } of signed) expect(secretHeaders).toContain("authorization");
      expect(manifestConnector.destinations(systemOf(shape).config)).toEqual([api.url]);
    } finally {
      await other.stop();
    }
  });

  test("a refused login and a choice that is none say so", async () => {
    const session = SHAPES["a session token"];
    const regions = SHAPES["list partitions and a choice of sign-ins"];
    if (!session || !regions) throw new Error("no shape");
    await expect(open({ ...session, secrets: { password: "wrong" } }).check()).rejects.toMatchObject({
      kind: "authentication",
    });
    const chosen = { ...regions, inputs: { regions: ["eu"], credentials: { kind: "magic" } } };
    await expect(open(chosen).check()).rejects.toThrow(/must be one of bearer, key, none/);
    await expect(open({ ...session, secrets: {} }).check()).rejects.toMatchObject({ kind: "authentication" });
  });
});
