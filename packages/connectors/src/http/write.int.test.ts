/** Writes to a real HTTP server that others edit, that answers little, and that fails: what is compared, sent and reported. */
import { hashValue, type ExpectedValues, type WriteOperation, type WriteOutcome } from "@accord/connector-sdk";
import { connectTo, entityNamed, fieldNames, sendPlainly } from "@accord/connector-sdk/test-kit";
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import type { Values } from "@accord/contracts/data/values";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { companies, configFor } from "../../test-systems/json-api-entities.ts";
import { API_KEY, startJsonApi, type Company, type Fault, type JsonApi } from "../../test-systems/json-api.ts";
import { httpConnector } from "./index.ts";

let api: JsonApi;
beforeEach(async () => {
  api = await startJsonApi(40);
});
afterEach(() => api.stop());

const plain = companies("all", { kind: "none" });
const withETags: HttpEntityInput = { ...plain, concurrency: { kind: "etag" } };

async function open(
  entity: HttpEntityInput,
  config: Values = {},
  authType: "apiKey" | "oauthClientCredentials" = "apiKey",
  world: Parameters<typeof connectTo>[1]["world"] = {},
) {
  const credentials: Record<string, string> =
    authType === "apiKey" ? { apiKey: API_KEY } : { clientId: "register", clientSecret: API_KEY };
  const all = { ...configFor(api.url, [entity]), ...config };
  const connection = connectTo(httpConnector, { config: all, authType, credentials, world });
  const schema = await entityNamed(connection, "companies");
  const { write } = connection;
  if (!write) throw new Error("It can't write.");
  const capabilities = httpConnector.capabilitiesOf(all, schema);
  return {
    connection,
    capabilities,
    schema,
    write: (operations: WriteOperation[], options: { assertMaySend?: () => void; signal?: AbortSignal } = {}) =>
      write({ entity: schema, operations, fields: fieldNames(schema), ...options }),
  };
}

let keys = 0;
const update = (id: number, values: Values, expected?: ExpectedValues): WriteOperation => ({
  kind: "update",
  id: String(id),
  values,
  idempotencyKey: `key-${(keys += 1)}`,
  ...(expected ? { expected } : {}),
});
const create = (values: Values): WriteOperation => ({ kind: "create", values, idempotencyKey: `key-${(keys += 1)}` });
const expecting = (values: Values): ExpectedValues =>
  Object.fromEntries(Object.entries(values).map(([field, value]) => [field, hashValue(value)]));
const callsLike = (start: string): string[] => api.calls.filter((call) => call.startsWith(start));
/** Answers calls that begin so with a fault. */
const failing = (start: string, fault: Fault, isHit: (call: string) => boolean = () => true) => {
  api.habits.beforeCall = (call) => (call.startsWith(start) && isHit(call) ? fault : undefined);
};
/** Somebody edits a record when a call comes in, so many times. */
const editing = (start: string, id: number, values: () => Partial<Company>, times = 1): void => {
  let left = times;
  api.habits.beforeCall = (call) => {
    if (call.startsWith(start) && (left -= 1) >= 0) api.touch(id, values());
  };
};

describe("edits made there meanwhile", () => {
  test("one that falls between the comparison and the write is seen by the API, and wins", async () => {
    api.habits.etags = true;
    const { write, capabilities } = await open(withETags);
    expect(capabilities).toContain("conditionalWrite");
    editing("PATCH", 3, () => ({ name: "Edited there" }));
    const [outcome] = await write([update(3, { name: "Ours" }, expecting({ name: "Company 3" }))]);
    expect(outcome).toMatchObject({ status: "conflict", record: { id: "3", values: { name: "Edited there" } } });
    expect(api.companies.get(3)?.name).toBe("Edited there");
  });

  test("one to another field stands in nobody's way, and survives", async () => {
    api.habits.etags = true;
    const { write } = await open(withETags);
    editing("PATCH", 3, () => ({ size: 77 }));
    const [outcome] = await write([update(3, { name: "Ours" }, expecting({ name: "Company 3" }))]);
    expect(outcome).toMatchObject({ status: "done", id: "3" });
    expect(api.companies.get(3)).toMatchObject({ name: "Ours", size: 77 });
  });

  describe("while a write waits for the system's limit", () => {
    /** Changes wait so many times for their turn, five seconds each, in which somebody may edit. */
    const waiting = (times: number, edits: () => void) => {
      let [now, left] = [Date.now(), times];
      const send: typeof sendPlainly = async (request) => {
        if (request.method !== "GET" && (left -= 1) >= 0) {
          now += 5_000;
          edits();
        }
        return sendPlainly(request);
      };
      return open(plain, {}, "apiKey", { now: () => new Date(now), send });
    };

    test("they are seen, and win", async () => {
      const { write } = await waiting(1, () => api.touch(3, { name: "Edited there" }));
      const [outcome] = await write([update(3, { name: "Ours" }, expecting({ name: "Company 3" }))]);
      expect(outcome).toMatchObject({ status: "conflict", record: { id: "3", values: { name: "Edited there" } } });
      expect(callsLike("PATCH")).toEqual([]);
    });

    test("a system that makes each write wait is written all the same", async () => {
      const { write } = await waiting(100, () => {});
      const [outcome] = await write([update(3, { name: "Ours" }, expecting({ name: "Company 3" }))]);
      expect(outcome).toMatchObject({ status: "done", id: "3" });
      expect(callsLike("GET")).toHaveLength(3);
      expect(callsLike("PATCH")).toHaveLength(1);
    });
  });

  test("a refusal for another reason than the version is none for the version, whatever that is made of", async () => {
    const concurrency = { kind: "versionField" as const, field: "tags", sendAs: "header" as const };
    const { write } = await open({ ...plain, concurrency });
    failing("PATCH", { status: 409, text: '{"error":{"message":"The name is taken"}}' });
    const [outcome] = await write([update(3, { name: "Ours" }, expecting({ name: "Company 3" }))]);
    expect(outcome).toMatchObject({ status: "rejected", code: "duplicate" });
    expect(callsLike("PATCH")).toHaveLength(1);
  });

  test("a record that never rests is tried again later", async () => {
    api.habits.etags = true;
    const { write } = await open(withETags);
    let size = 100;
    editing("PATCH", 3, () => ({ size: (size += 1) }), 100);
    const [outcome] = await write([update(3, { name: "Ours" }, expecting({ name: "Company 3" }))]);
    expect(outcome).toMatchObject({ status: "retry" });
    expect(api.companies.get(3)?.name).toBe("Company 3");
  });

  test("a version field is named by every change, and a 409 about something else stays a refusal", async () => {
    api.habits.versions = true;
    const version = { apiName: "version", displayName: "Version", dataType: "integer" as const, updateable: false };
    const { write } = await open({
      ...plain,
      fields: [...(plain.fields ?? []), version],
      concurrency: { kind: "versionField", field: "version" },
    });
    expect(await write([update(3, { name: "Unasked" })])).toMatchObject([{ status: "done" }]);
    editing("PATCH", 3, () => ({ name: "Edited there" }));
    expect(await write([update(3, { name: "Ours" }, expecting({ name: "Unasked" }))])).toMatchObject([
      { status: "conflict", record: { values: { name: "Edited there" } } },
    ]);
    failing("PATCH", { status: 409, text: '{"error":{"message":"Name taken"}}' });
    expect(await write([update(3, { name: "Ours" }, expecting({ name: "Edited there" }))])).toMatchObject([
      { status: "rejected", code: "duplicate", isTransient: true, message: expect.stringContaining("Name taken") },
    ]);
  });

  test("an API that takes no change without a version gets one", async () => {
    api.habits.etags = true;
    const { write } = await open(withETags);
    let isFirst = true;
    failing("PATCH", { status: 428 }, () => isFirst && !(isFirst = false));
    expect(await write([update(3, { name: "Ours" })])).toMatchObject([{ status: "done" }]);
    expect(api.calls.slice(-3)).toEqual(["PATCH /all/companies/3", "GET /all/companies/3", "PATCH /all/companies/3"]);
  });

  test("an ETag nobody described is compared with nothing: proxies add tags the API never finds equal", async () => {
    api.habits.etags = true;
    const { write, capabilities } = await open(plain);
    expect(capabilities).toContain("checkedWrite");
    expect(capabilities).not.toContain("conditionalWrite");
    editing("GET", 3, () => ({ name: "Edited there" }));
    const stale = await write([update(3, { name: "Ours" }, expecting({ name: "Company 3" }))]);
    expect(stale).toMatchObject([{ status: "conflict" }]);
    // Edited after the read: nobody compares any more.
    editing("PATCH", 4, () => ({ size: 1 }));
    expect(await write([update(4, { name: "Ours" }, expecting({ name: "Company 4" }))])).toMatchObject([
      { status: "done" },
    ]);
  });

  test("what can't be read alone is written as it is, and says so", async () => {
    const { write, capabilities } = await open({ ...plain, getById: null });
    expect(capabilities).not.toContain("checkedWrite");
    expect(capabilities).not.toContain("conditionalWrite");
    const outcomes = await write([update(3, { name: "Ours" }, expecting({ name: "Something else" }))]);
    expect(outcomes).toMatchObject([{ status: "done" }]);
    expect(callsLike("GET")).toEqual([]);
  });

  test("nothing is read for a write that expects nothing", async () => {
    const { write } = await open(withETags);
    await write([update(3, { name: "Ours" }), { kind: "delete", id: "4", idempotencyKey: "d" }]);
    expect(callsLike("GET")).toEqual([]);
  });

  test("a precondition without the call that reads one record is refused when it is saved", () => {
    const problems = httpConnector.problems(configFor(api.url, [{ ...withETags, getById: null }]));
    expect(problems).toEqual([
      { path: "entities.0.concurrency", message: expect.stringContaining("reads one record") },
    ]);
  });
});

describe("answers without the record", () => {
  beforeEach(() => {
    api.habits.quiet = true;
    api.habits.spell = ({ name, ...values }) => ({
      ...values,
      ...(name === undefined ? {} : { name: name.toLowerCase() }),
    });
  });

  test("what is stored is read back at once, in the system's own spelling", async () => {
    const { write } = await open(plain);
    const [changed, created] = await write([
      update(3, { name: "LOUD" }),
      create({ name: "NEW", email: "n@example.com" }),
    ]);
    expect(changed).toMatchObject({
      status: "done",
      id: "3",
      values: { name: "loud" },
      modifiedAt: expect.any(String),
    });
    expect(created).toMatchObject({ status: "done", id: "41", values: { name: "new" } });
  });

  test("a system that keeps storing what is sent is not asked for ever", async () => {
    const { write } = await open(plain, { parallelWrites: 1 });
    await write(Array.from({ length: 30 }, (_, index) => update(index + 1, { name: `quiet ${index}` })));
    expect(callsLike("GET")).toHaveLength(10);
  });

  test("nor one that is described to do so", async () => {
    const { write } = await open({ ...plain, storedAsSent: true });
    await write([update(3, { name: "loud" })]);
    expect(callsLike("GET")).toEqual([]);
  });

  test("a read-back that fails leaves the write done", async () => {
    const { write } = await open(plain);
    failing("GET", { status: 500 });
    expect(await write([update(3, { name: "LOUD" })])).toEqual([{ status: "done", id: "3" }]);
  });

  test("an edit made right after ours is not taken for our value's spelling", async () => {
    api.habits.etags = true;
    const { write } = await open(withETags);
    api.habits.afterCall = (call) =>
      call.startsWith("PATCH") ? { status: 204, headers: { etag: '"3.2"' } } : undefined;
    editing("GET", 3, () => ({ name: "somebody" }));
    expect(await write([update(3, { name: "LOUD" })])).toEqual([{ status: "done", id: "3" }]);
  });

  test("the end of a Location that finds no record is no id", async () => {
    const { write } = await open(plain);
    api.habits.afterCall = (call) =>
      call.startsWith("POST") ? { status: 201, headers: { location: "/jobs/pending" } } : undefined;
    expect(await write([create({ name: "NEW" })])).toMatchObject([{ status: "unknown" }]);
  });
});

describe("systems that fail", () => {
  const updates = (count: number): WriteOperation[] =>
    Array.from({ length: count }, (_, index) => update(index + 1, { name: `Ours ${index}` }));
  const FAULTS: [string, Fault][] = [
    ["502", { status: 502 }],
    ["500", { status: 500 }],
    ["504", { status: 504 }],
    ["a connection that breaks off", "reset"],
    ["a web page with a success", { status: 200, text: "<!DOCTYPE html><html><body>Maintenance</body></html>" }],
  ];

  test.each(FAULTS)(
    "%s, several times in a row: it is left alone, and nobody takes its writes for undone",
    async (_, fault) => {
      const { write } = await open(plain);
      failing("PATCH", fault);
      const outcomes = await write(updates(40));
      const isInDoubt = ({ status }: WriteOutcome): boolean => status === "unknown";
      expect(outcomes.filter(isInDoubt), "those that were sent may have been done").toHaveLength(
        callsLike("PATCH").length,
      );
      expect(outcomes.every((one) => isInDoubt(one) || (one.status === "retry" && one.neverSent))).toBe(true);
      // Three in a row, and what was under way beside them.
      expect(callsLike("PATCH").length).toBeLessThanOrEqual(3 + 3);
    },
  );

  test("creations that may have been done are told apart from those that were never sent", async () => {
    const { write } = await open(plain, { parallelWrites: 1 });
    failing("POST", { status: 502 });
    const outcomes = await write(Array.from({ length: 8 }, (_, index) => create({ name: `New ${index}` })));
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...["unknown", "unknown", "unknown"],
      ...["retry", "retry", "retry", "retry", "retry"],
    ]);
    expect(outcomes.slice(3).every((outcome) => outcome.status === "retry" && outcome.neverSent)).toBe(true);
    expect(callsLike("POST")).toHaveLength(3);
  });

  test("a record that fails alone costs nobody else anything", async () => {
    const { write } = await open(plain, { parallelWrites: 1 });
    failing("PATCH", { status: 500 }, (call) => /\/(3|4|9)$/.test(call));
    const outcomes = await write(updates(12));
    expect(outcomes.flatMap(({ status }, index) => (status === "done" ? [] : [[index + 1, status]]))).toEqual([
      [3, "unknown"],
      [4, "unknown"],
      [9, "unknown"],
    ]);
  });

  test("a comparison that fails is the system's failure too, and nothing was sent", async () => {
    const { write } = await open(plain, { parallelWrites: 1 });
    failing("GET", { status: 502 });
    const operations = updates(6).map((operation, index) => ({
      ...operation,
      expected: expecting({ name: `Company ${index + 1}` }),
    }));
    await expect(write(operations)).rejects.toMatchObject({ kind: "unavailable" });
    expect(callsLike("PATCH")).toEqual([]);
    expect(callsLike("GET")).toHaveLength(3);
  });
});

describe("writes that the API forbids", () => {
  const LOCKED: Fault = { status: 403, text: '{"message":"Record is locked for your role"}' };
  const updates = (ids: number[], isCompared = false): WriteOperation[] =>
    ids.map((id) => update(id, { name: "Ours" }, isCompared ? expecting({ name: `Company ${id}` }) : undefined));
  const locked = {
    status: "rejected",
    code: "forbidden",
    isTransient: true,
    message: expect.stringContaining("locked"),
  };

  test.each([
    ["a change", "PATCH"],
    ["the read before it", "GET"],
  ])("%s of locked records is their own, be they the first ones; others are written", async (_, method) => {
    const { write } = await open(plain, { parallelWrites: 1 });
    failing(method, LOCKED, (call) => /\/[1-4]$/.test(call));
    const outcomes = await write(updates([1, 2, 3, 4, 5, 6], true));
    expect(outcomes).toMatchObject([locked, locked, locked, locked, { status: "done" }, { status: "done" }]);
    expect(await write(updates([1])), "alone as well").toMatchObject([method === "GET" ? { status: "done" } : locked]);
  });

  test("of several records, and none that is answered otherwise, are the system's failure; most are never sent", async () => {
    const { write } = await open(plain, { parallelWrites: 1 });
    failing("PATCH", LOCKED);
    await expect(write(updates([1, 2, 3]))).rejects.toMatchObject({ kind: "permission" });
    expect(await write(updates([1, 2]))).toMatchObject([locked, locked]);
    api.calls.length = 0;
    await expect(write(updates(Array.from({ length: 40 }, (__, at) => at + 1)))).rejects.toMatchObject({
      kind: "permission",
    });
    expect(callsLike("PATCH")).toHaveLength(10);
  });

  test("that ask for fewer calls are no matter of permission", async () => {
    const { write } = await open(plain, { parallelWrites: 1 });
    failing("PATCH", { ...LOCKED, headers: { "retry-after": "5" } });
    await expect(write(updates([1]))).rejects.toMatchObject({ kind: "rateLimited", retryAfterMs: 5_000 });
  });
});

describe("successes that are none", () => {
  const failed = { status: 200, text: '{"ok":false,"error":"quota used up"}' };
  const refused = {
    status: "rejected",
    code: "refused",
    isTransient: true,
    message: expect.stringContaining("quota used up"),
  };

  test("what the body says has failed is refused, and tried again", async () => {
    const { write } = await open(plain);
    failing("P", failed);
    expect(await write([update(3, { name: "Ours" }), create({ name: "New" })])).toMatchObject([refused, refused]);
    failing("DELETE", { status: 200, text: '{"success":false,"message":"quota used up"}' });
    expect(await write([{ kind: "delete", id: "3", idempotencyKey: "gone" }])).toMatchObject([refused]);
    expect(api.companies.get(3)?.name).toBe("Company 3");
  });

  test("a reason without the record, and a record as it was: nothing was written, after any number that were", async () => {
    const { write } = await open(plain, { parallelWrites: 1 });
    api.habits.quiet = true;
    await write(Array.from({ length: 12 }, (_, index) => update(index + 1, { name: `first ${index}` })));
    failing("PATCH", { status: 200, text: '{"error":{"message":"quota used up"}}' });
    const change = () => update(20, { name: "Ours" }, expecting({ name: "Company 20" }));
    expect(await write([change()])).toMatchObject([refused]);
    expect(api.companies.get(20)?.name).toBe("Company 20");
  });

  test("a reason beside a record that holds what was sent is none", async () => {
    const { write } = await open(plain);
    api.habits.afterCall = (call) =>
      call.startsWith("PATCH") ? { status: 200, text: '{"message":"Updated"}' } : undefined;
    const [outcome] = await write([update(3, { name: "Ours" }, expecting({ name: "Company 3" }))]);
    expect(outcome).toMatchObject({ status: "done", values: { name: "Ours" } });
  });

  test.each([423, 425])("what is answered %d to may pass in a moment", async (status) => {
    const { write } = await open(plain);
    failing("P", { status, text: '{"message":"quota used up"}' });
    expect(await write([update(3, { name: "Ours" }), create({ name: "New" })])).toMatchObject([refused, refused]);
  });
});

describe("permission and stopping", () => {
  test("it is asked for right before each request that changes something, renewed sign-ins included", async () => {
    const { connection, write } = await open(withETags, { tokenUrl: `${api.url}/token` }, "oauthClientCredentials");
    await connection.check();
    api.refuseNext(401);
    let asked = 0;
    await write(
      [
        update(3, { name: "Ours" }),
        update(4, { name: "Ours" }, expecting({ name: "Company 4" })),
        create({ name: "New" }),
        { kind: "delete", id: "5", idempotencyKey: "d" },
      ],
      { assertMaySend: () => void (asked += 1) },
    );
    const changing = api.calls.filter((call) => /^(PATCH|POST|DELETE) \/all/.test(call));
    expect(asked).toBe(changing.length);
    expect(changing.length).toBe(5);
  });

  test("what is under way is broken off, and what was not sent is told apart", async () => {
    const { write } = await open(plain, { parallelWrites: 1, timeoutSeconds: 60 });
    const stopping = new AbortController();
    api.habits.beforeCall = () => {
      stopping.abort();
      return new Promise(() => {});
    };
    const outcomes = await write([create({ name: "New" }), update(3, { name: "Ours" })], { signal: stopping.signal });
    expect(outcomes).toMatchObject([{ status: "unknown" }, { status: "retry", neverSent: true }]);
  });
});

test("a record with a value that can't be used is still there when it is asked for", async () => {
  const { connection, schema } = await open(plain);
  api.touch(3, { size: Number.NaN, tags: [] });
  api.habits.afterCall = (call) =>
    call === "GET /all/companies/3"
      ? { status: 200, text: JSON.stringify({ ...api.companies.get(3), size: "many" }) }
      : undefined;
  const records = await connection.getByIds?.({ entity: schema, fields: fieldNames(schema), ids: ["3"] });
  expect(records).toMatchObject([{ id: "3", values: { name: "Company 3" }, badFields: [{ field: "size" }] }]);
});

test("a search that brings along others is answered with those of the key alone, whatever its case", async () => {
  const emails = ["C1@example.com", "c1@example.com", "c2@example.com", "", null];
  const items = emails.map((email, index) => ({ id: index + 1, name: "Somebody", email, active: true, tags: [] }));
  failing("GET /all/companies?email=", {
    status: 200,
    text: JSON.stringify({ items }),
    headers: { "content-type": "application/json" },
  });
  const { connection, schema } = await open(plain);
  const request = { entity: schema, fields: fieldNames(schema), field: "email" };
  const found = await connection.lookup?.({ ...request, values: ["c1@example.com"] });
  expect(found?.map(({ id, values }) => [id, values["email"]])).toEqual([
    ["1", "C1@example.com"],
    ["2", "c1@example.com"],
  ]);
});
