/** Background work: typed, repeated when it fails, woken at once, one waiting per key. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { testDatabase, type TestDatabase } from "../../../test-kit/database/database.ts";
import { makeLog } from "../log/log.ts";
import { bossJobs, type BossJobs } from "./boss.ts";
import { defineJob } from "./jobs.ts";

let database: TestDatabase;
let jobs: BossJobs;
beforeAll(async () => {
  database = await testDatabase();
  jobs = bossJobs({ url: database.appUrl, log: makeLog({ logLevel: "silent" }) });
});
afterAll(async () => {
  await jobs.stop();
  await database.drop();
});

const counting = (name: string, more: object = {}) =>
  defineJob({ name, data: z.strictObject({ n: z.int() }), ...more });

describe("jobs", () => {
  test("reach a worker soon after they are sent, with their data checked", async () => {
    const job = counting("test.soon");
    const seen: number[] = [];
    const stop = await jobs.work(job, async ({ n }) => void seen.push(n));
    const waits: number[] = [];
    for (let n = 1; n <= 6; n++) {
      const began = performance.now();
      await jobs.send(job, { n });
      await expect.poll(() => seen.at(-1), { interval: 10 }).toBe(n);
      waits.push(performance.now() - began);
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
    // With polling alone each after the first would take the two seconds until the next look; some may on a busy machine.
    expect(Math.min(...waits.slice(1))).toBeLessThan(1_500);
    await expect(jobs.send(job, { n: "x" } as never)).rejects.toBeInstanceOf(z.ZodError);
    await stop();
  });

  test("that fail are tried again", async () => {
    const job = counting("test.again", { retries: 1, retryDelay: 0 });
    let tries = 0;
    const stop = await jobs.work(job, async () => {
      if (++tries < 2) throw new Error("not yet");
    });
    await jobs.send(job, { n: 1 });
    await expect.poll(() => tries).toBe(2);
    await stop();
  });

  test("with one waiting per key, more of the same are not piled up", async () => {
    const job = counting("test.key", { oneWaitingPerKey: true });
    for (let n = 0; n < 5; n++) await jobs.send(job, { n }, { key: "a" });
    await jobs.send(job, { n: 9 }, { key: "b" });
    const seen: number[] = [];
    const stop = await jobs.work(job, async ({ n }) => void seen.push(n));
    await expect.poll(() => seen.toSorted((a, b) => a - b)).toEqual([0, 9]);
    await stop();
  });

  test("can wait until a time, and go before others", async () => {
    const job = counting("test.order");
    await jobs.send(job, { n: 3 }, { startAfter: new Date(Date.now() + 3_600_000) });
    await jobs.send(job, { n: 2 });
    await jobs.send(job, { n: 1 }, { priority: 5 });
    const seen: number[] = [];
    const stop = await jobs.work(job, async ({ n }) => void seen.push(n));
    await expect.poll(() => seen).toEqual([1, 2]);
    await stop();
  });
});
