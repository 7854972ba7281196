/** Attempts counted by several processes in one database: refused, slowed down, taken back and forgotten. */
import { beforeAll, expect, test } from "vitest";
import { fakeClock, testDatabase, type FakeClock, type TestDatabase } from "../../../test-kit/index.ts";
import { rateLimiter } from "./postgres-rate-limiter.ts";
import type { PacedLimit, RateLimiter } from "./rate-limiter.ts";

let databases: TestDatabase;
let clock: FakeClock;
/** Two processes. */
let [one, two]: [RateLimiter, RateLimiter] = [] as never;
beforeAll(async () => {
  databases = await testDatabase();
  clock = fakeClock();
  one = rateLimiter({ appDb: databases.app.db, clock });
  two = rateLimiter({ appDb: databases.app.db, clock });
  return () => databases.drop();
});

const MINUTE = 60_000;
const limit = (scope: string) => ({ scope, attempts: 5, windowMs: 15 * MINUTE });
const paced = (scope: string): PacedLimit => ({ ...limit(scope), maxGapMs: MINUTE });
const codes = (results: PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === "fulfilled").length;

test("of many at once, through two processes, as many pass as may", async () => {
  const attempts = Array.from({ length: 40 }, (_, index) =>
    (index % 2 ? one : two).consumeAttempt(limit("many"), "ada"),
  );
  expect(codes(await Promise.allSettled(attempts))).toBe(5);
  await expect(one.consumeAttempt(limit("many"), "ben")).resolves.toBe(1);
  expect(await one.countAttempts(limit("many"), ["ada", "ben", "cas"])).toEqual(
    new Map([
      ["ada", expect.any(Number)],
      ["ben", 1],
    ]),
  );
});

test("a refusal says how long to wait, and after that time one may again", async () => {
  for (let index = 0; index < 5; index++) await one.consumeAttempt(limit("wait"), "ada");
  clock.advance(5 * MINUTE);
  await expect(one.consumeAttempt(limit("wait"), "ada")).rejects.toMatchObject({
    code: "too_many_tries",
    facts: { wait: "10 minutes", retryAfterSeconds: 600 },
  });
  clock.advance(9 * MINUTE + 20_000);
  await expect(one.consumeAttempt(limit("wait"), "ada")).rejects.toMatchObject({
    facts: { wait: "40 seconds", retryAfterSeconds: 40 },
  });
  clock.advance(40_000);
  await expect(one.consumeAttempt(limit("wait"), "ada")).resolves.toBe(1);
});

test("what is taken back or forgotten does not count, also for the parts of a subject", async () => {
  for (let index = 0; index < 20; index++) {
    await one.consumeAttempt(limit("back"), "ada");
    await one.refundAttempt(limit("back"), "ada");
  }
  for (const part of ["here", "there"])
    for (let index = 0; index < 5; index++) await one.consumeAttempt(limit("parts"), ["ada", part]);
  await expect(one.consumeAttempt(limit("parts"), ["ada", "here"])).rejects.toMatchObject({ code: "too_many_tries" });
  await expect(one.consumeAttempt(limit("parts"), ["ada", "elsewhere"])).resolves.toBe(1);
  await one.resetAttempts(limit("parts"), ["ada", "here"]);
  await expect(one.consumeAttempt(limit("parts"), ["ada", "here"])).resolves.toBe(1);
  await expect(one.consumeAttempt(limit("parts"), ["ada", "there"])).rejects.toMatchObject({ code: "too_many_tries" });
  await one.resetAttempts(limit("parts"), "ada");
  await expect(one.consumeAttempt(limit("parts"), ["ada", "there"])).resolves.toBe(1);
});

test("a paced limit refuses nobody who comes one after the other, and lets few of a flood through", async () => {
  const flood = Array.from({ length: 300 }, (_, index) => (index % 2 ? one : two).awaitAttempt(paced("pace"), "ada"));
  const passed = codes(await Promise.allSettled(flood));
  expect(passed).toBeGreaterThanOrEqual(5);
  expect(passed).toBeLessThanOrEqual(10);
  const refusal = await one.awaitAttempt(paced("pace"), "ada").catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: "too_many_tries" });
  const { retryAfterSeconds } = (refusal as { facts: { retryAfterSeconds: number } }).facts;
  expect(retryAfterSeconds).toBeLessThanOrEqual(61);
  clock.advance(retryAfterSeconds * 1_000);
  await expect(one.awaitAttempt(paced("pace"), "ada")).resolves.toBe(passed + 1);
});

test("the gaps of a paced limit grow, up to the largest", async () => {
  const waits: number[] = [];
  for (let index = 0; index < 20; index++) {
    const refusal = await one.awaitAttempt(paced("gaps"), "ada").catch((error: unknown) => error);
    if (typeof refusal === "number") continue;
    const { retryAfterSeconds } = (refusal as { facts: { retryAfterSeconds: number } }).facts;
    waits.push(retryAfterSeconds);
    clock.advance(retryAfterSeconds * 1_000);
  }
  expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  expect(waits.at(-1)).toBe(60);
});

test("what has ended is removed", async () => {
  await one.consumeAttempt(limit("old"), "ada");
  clock.advance(16 * MINUTE);
  await one.consumeAttempt(limit("new"), "ada");
  await one.removeEnded();
  const { rows } = await databases.app.pool.query("SELECT DISTINCT scope FROM rate_limit");
  expect(rows.map((row) => row.scope)).toContain("new");
  expect(rows.map((row) => row.scope)).not.toContain("old");
});
