/** A few records are tried at a time: the others wait, and whoever leaves gives the turn up. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { tryTurns } from "./try-turns.ts";

const never = new AbortController().signal;
const at = (instanceId: string, signal = never) => ({ instanceId, userId: "ada", signal });

/** Work that ends when it is let go, and says whether it has begun. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = { hasBegun: false, end: resolve };
  const run = async (): Promise<void> => {
    work.hasBegun = true;
    await promise;
  };
  return { work, run };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("no more than two are tried at a time, and the next one takes the turn that is free", async () => {
  const turns = tryTurns();
  const all = [held(), held(), held()];
  const runs = all.map(({ run }) => turns.run(at("instance"), run));
  await settled();
  expect(all.map(({ work }) => work.hasBegun)).toEqual([true, true, false]);
  all[1]?.work.end();
  await settled();
  expect(all[2]?.work.hasBegun).toBe(true);
  for (const { work } of all) work.end();
  await Promise.all(runs);
});

test("one that nobody waits for any more is not tried, and keeps no turn", async () => {
  const turns = tryTurns();
  const running = [held(), held()];
  const runs = running.map(({ run }) => turns.run(at("instance"), run));
  const left = new AbortController();
  const abandoned = held();
  const refused = expect(turns.run(at("instance", left.signal), abandoned.run)).rejects.toThrow("left");
  left.abort(new Error("left"));
  await refused;
  for (const { work } of running) work.end();
  await Promise.all(runs);
  expect(abandoned.work.hasBegun).toBe(false);
  const next = held();
  next.work.end();
  await turns.run(at("instance"), next.run);
  expect(next.work.hasBegun).toBe(true);
});

test("one instance with too many waiting is refused, another one still waits", async () => {
  const turns = tryTurns();
  const all = Array.from({ length: 13 }, held);
  const runs = all.slice(0, 12).map(({ run }) => turns.run(at("busy"), run));
  await expect(turns.run(at("busy"), async () => {})).rejects.toMatchObject({ code: "test_failed" });
  const other = turns.run(at("other"), async () => "done");
  for (const { work } of all) work.end();
  await Promise.all(runs);
  expect(await other).toBe("done");
});

test("one try of another instance is next after a flood's first, and the flood has one place while others wait", async () => {
  const turns = tryTurns();
  const order: string[] = [];
  const all = ["busy", "busy", "busy", "busy", "second", "third"].map((instanceId) => ({ instanceId, ...held() }));
  const runs = all.map(({ instanceId, run }) => turns.run(at(instanceId), () => (order.push(instanceId), run())));
  for (const { work } of all) {
    work.end();
    await settled();
  }
  await Promise.all(runs);
  expect(order).toEqual(["busy", "busy", "second", "busy", "third", "busy"]);
});

test("the time of a try begins with it: waiting for the others costs none", async () => {
  const seconds = 0.2;
  const turns = tryTurns({ seconds });
  const running = [held(), held()];
  const runs = running.map(({ run }) => turns.run(at("busy"), run));
  const waiting = turns.run(at("busy"), async (signal) => signal.aborted);
  await sleep(2 * seconds * 1000);
  for (const { work } of running) work.end();
  expect(await waiting).toBe(false);
  await Promise.all(runs);
  const tooLong = turns.run(at("busy"), async (signal) => {
    await sleep(60_000, undefined, { signal });
  });
  await expect(tooLong).rejects.toMatchObject({
    code: "test_failed",
    facts: { reason: expect.stringContaining("0.2") },
  });
});
