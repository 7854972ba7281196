/** Writes to a real HTTP server that others edit, that answers little, and that fails: what is compared, sent and reported. */
import { fieldNames, sendPlainly } from "@accord/connector-sdk/test-kit";
import { beforeEach, describe, expect, test } from "vitest";
import { configFor } from "../../test-systems/json-api-entities.ts";
import { type Company } from "../../test-systems/json-api.ts";
import { httpConnector } from "./index.ts";
import { api, plain, withETags, open, update, create, expecting, callsLike, failing, setUp } from "./fixtures/write.ts";

setUp();

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
