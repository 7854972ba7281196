/** Who waits for whom: lanes and clients take turns, and nobody waits without end. */
import { expect, test } from "vitest";
import { fairQueue } from "./fair-queue.ts";

/** A queue whose tasks end when the test says so; `started` in the order of their starting. */
function observed(options: { maxParallel: number; maxWaiting: number }) {
  const queue = fairQueue(options);
  const started: string[] = [];
  const running: (() => void)[] = [];
  const add = (lane: string, client: string) =>
    queue.run({ lane, client }, async () => {
      started.push(`${lane} ${client}`);
      await new Promise<void>((resolve) => running.push(resolve));
    });
  const finishOne = async () => {
    running.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { add, started, finishOne };
}

test("no more run at once than may", async () => {
  const { add, started, finishOne } = observed({ maxParallel: 2, maxWaiting: 10 });
  const all = Promise.all(["a", "b", "c", "d"].map((client) => add("staff", client)));
  expect(started).toHaveLength(2);
  await finishOne();
  expect(started).toHaveLength(3);
  for (let left = 3; left > 0; left--) await finishOne();
  await all;
  expect(started).toHaveLength(4);
});

test("one from another lane, and one from another client, wait for one task of a flood", async () => {
  const { add, started, finishOne } = observed({ maxParallel: 1, maxWaiting: 100 });
  const flood = Array.from({ length: 50 }, () => add("guests", "flood"));
  const others = [add("guests", "somebody"), add("staff", "ada")];
  for (let index = 0; index < 5; index++) await finishOne();
  expect(started.indexOf("staff ada")).toBeLessThanOrEqual(3);
  expect(started.indexOf("guests somebody")).toBeLessThanOrEqual(4);
  while (started.length < 52) await finishOne();
  await finishOne();
  await Promise.all([...flood, ...others]);
});

test("too many of one lane are refused; the others' lane is not full", async () => {
  const { add, started, finishOne } = observed({ maxParallel: 1, maxWaiting: 3 });
  const waiting = Array.from({ length: 4 }, () => add("guests", "flood"));
  await expect(add("guests", "one more")).rejects.toMatchObject({
    code: "server_busy",
    facts: { retryAfterSeconds: expect.any(Number) },
  });
  const staff = add("staff", "ada");
  while (started.length < 5) await finishOne();
  await finishOne();
  await Promise.all([...waiting, staff]);
});

test("a task that fails makes room for the next", async () => {
  const queue = fairQueue({ maxParallel: 1, maxWaiting: 3 });
  const place = { lane: "staff", client: "ada" };
  const failing = queue.run(place, () => Promise.reject(new Error("no")));
  const next = queue.run(place, async () => "done");
  await expect(failing).rejects.toThrow("no");
  await expect(next).resolves.toBe("done");
  await expect(queue.run(place, async () => "again")).resolves.toBe("again");
});
