/** Calls that repeat one another by their key: one of them is the first, also where it is taken for dead and comes back. */
import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { testApp } from "../../../../test-kit/index.ts";
import { once } from "./idempotency.ts";

/** A call whose work ends when it is told to. */
async function world() {
  const t = await testApp();
  onTestFinished(() => t.close());
  const call = {
    userId: "ada",
    instanceId: "one",
    endpointName: "createThing",
    key: randomUUID(),
    input: { name: "x" },
  };
  function begin() {
    const [begun, work] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()];
    const answer = once(t.deps, call, () => {
      begun.resolve();
      return work.promise;
    });
    answer.catch(() => {});
    return { begun: begun.promise, answer, ...work };
  }
  return { begin, passTime: () => t.clock.advance(120_001) };
}

test("a call that was taken for dead answers what the one that took its key over answered", async () => {
  const { begin, passTime } = await world();
  const first = begin();
  await first.begun;
  passTime();
  const second = begin();
  await second.begun;
  second.resolve({ made: 2 });
  expect(await second.answer).toEqual({ made: 2 });
  first.resolve({ made: 1 });
  expect(await first.answer).toEqual({ made: 2 });
  expect(await begin().answer).toEqual({ made: 2 });
});

test("nor does it free the key when it fails, or save its answer while the other one is at it", async () => {
  const { begin, passTime } = await world();
  const first = begin();
  await first.begun;
  passTime();
  const taker = begin();
  await taker.begun;
  first.reject(new Error("too late"));
  await expect(first.answer).rejects.toThrow("too late");
  const waiting = begin();
  taker.resolve({ made: 2 });
  expect(await taker.answer).toEqual({ made: 2 });
  expect(await waiting.answer).toEqual({ made: 2 });
});
