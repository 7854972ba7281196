/** Who waits for whom: lanes and clients take turns, and nobody waits without end. */
import { expect, test } from "vitest";
import { fairQueue, type FairQueueOptions } from "./fair-queue.ts";

/** A queue whose tasks end when the test says so; `started` in the order of their starting. */
function observed(options: FairQueueOptions) {
  const queue = fairQueue(options);
  const started: string[] = [];
  const running: (() => void)[] = [];
  const add = (lane: string, client: string, signal?: AbortSignal) =>
    queue.run({ lane, client, ...(signal ? { signal } : {}) }, async () => {
      started.push(`${lane} ${client}`);
      await new Promise<void>((resolve) => running.push(resolve));
    });
  const finishOne = async () => {
    running.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { add, started, finishOne, waiting: (lane: string) => queue.waiting(lane) };
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

test("a lane never has all places when it may not", async () => {
  const { add, started, finishOne } = observed({ maxParallel: 3, maxParallelPerLane: 2, maxWaiting: 100 });
  const flood = Array.from({ length: 20 }, () => add("first", "flood"));
  expect(started).toEqual(["first flood", "first flood"]);
  const other = [add("second", "ada"), add("second", "ada")];
  expect(started).toEqual(["first flood", "first flood", "second ada"]);
  await finishOne();
  // The place goes to the lane whose turn it is, not to the one that left it and would fill it again.
  expect(started).toHaveLength(4);
  for (let index = 0; index < 2; index++) await finishOne();
  expect(started.filter((one) => one === "second ada")).toHaveLength(2);
  while (started.length < 22) await finishOne();
  for (let index = 0; index < 3; index++) await finishOne();
  await Promise.all([...flood, ...other]);
});

test("who leaves while waiting is never started, and keeps their turn from nobody", async () => {
  const { add, started, finishOne, waiting } = observed({ maxParallel: 1, maxWaiting: 2 });
  const leaving = new AbortController();
  const all = [add("staff", "ada")];
  const left = add("staff", "grace", leaving.signal);
  all.push(add("staff", "edsger"));
  await expect(add("staff", "one too many")).rejects.toMatchObject({ code: "server_busy" });
  leaving.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  expect(waiting("staff")).toBe(1);
  await expect(add("staff", "grace", leaving.signal)).rejects.toThrow("gone");
  await finishOne();
  await finishOne();
  await Promise.all(all);
  expect(started).toEqual(["staff ada", "staff edsger"]);
});

test("a lane that has every place gets no second one back while a lane without any waits", async () => {
  const { add, started, finishOne } = observed({ maxParallel: 2, maxWaiting: 100 });
  const flood = Array.from({ length: 5 }, () => add("flood", "ada"));
  const others = [add("second", "grace"), add("third", "edsger")];
  expect(started).toEqual(["flood ada", "flood ada"]);
  await finishOne();
  expect(started.at(-1), "the lane that waited longest still has one").toBe("second grace");
  await finishOne();
  expect(started.at(-1), "now it has none, and its turn is first").toBe("flood ada");
  await finishOne();
  expect(started.at(-1)).toBe("third edsger");
  while (started.length < 7) await finishOne();
  for (let index = 0; index < 2; index++) await finishOne();
  await Promise.all([...flood, ...others]);
});
