/** Turns: one at a time by key, others not held up, waiting bounded in number and time, and left by whoever goes. */
import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

const busy = () => new Error("busy");
const never = new AbortController().signal;

/** Work that ends when it is said. */
function work() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const state = { runs: 0 };
  return { state, end: resolve, run: () => ((state.runs += 1), promise) };
}

test("one runs at a time for a key, in their order, and other keys are not held up", async () => {
  const turns = new Turns({ waiting: 5, ms: 60_000, busy });
  const [first, second, other] = [work(), work(), work()];
  const one = turns.take("a", never, first.run);
  const two = turns.take("a", never, second.run);
  const three = turns.take("b", never, other.run);
  other.end();
  await three;
  expect([first.state.runs, second.state.runs]).toEqual([1, 0]);
  first.end();
  await one;
  second.end();
  await two;
  expect(second.state.runs).toBe(1);
  expect(await turns.take("a", never, async () => "free")).toBe("free");
});

test("work that fails makes room for the next", async () => {
  const turns = new Turns({ waiting: 5, ms: 60_000, busy });
  const failing = turns.take("a", never, () => Promise.reject(new Error("failed")));
  const next = turns.take("a", never, async () => "next");
  await expect(failing).rejects.toThrow("failed");
  expect(await next).toBe("next");
});

test("those who wait are bounded in number and in time, and leave when nobody waits for them", async () => {
  const turns = new Turns({ waiting: 1, ms: 20, busy });
  const first = work();
  const one = turns.take("a", never, first.run);
  const leaving = new AbortController();
  const left = turns.take("a", leaving.signal, async () => "left");
  await expect(turns.take("a", never, async () => "one too many")).rejects.toThrow("busy");
  leaving.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  await expect(turns.take("a", never, async () => "late")).rejects.toThrow("busy");
  first.end();
  await one;
  expect(await turns.take("a", never, async () => "free")).toBe("free");
});
