/** Writes that fail, are forbidden, or only look done. */
import { type WriteOperation, type WriteOutcome } from "@accord/connector-sdk";
import { describe, expect, test } from "vitest";
import { type Fault } from "../../../test-systems/json-api.ts";
import {
  api,
  plain,
  withETags,
  open,
  update,
  create,
  expecting,
  callsLike,
  failing,
  setUp,
} from "../fixtures/write.ts";

setUp();

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
