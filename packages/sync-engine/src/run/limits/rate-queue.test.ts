/** Whose call leaves next under a rate budget. */
import { expect, test } from "vitest";
import { newRateBudget, type RateBudget } from "./rate-budget.ts";
import { nextQueuedCall } from "./rate-queue.ts";

const NOW = 1_000_000;
const waiting = (...names: string[]) =>
  names.map((name) => ({ name, traffic: name.startsWith("resync") ? ("resync" as const) : ("live" as const) }));
const namesOf = (queue: readonly { name: string }[]): string[] => queue.map(({ name }) => name);
const counted = (left: number): RateBudget => ({ ...newRateBudget(), left, limit: 20, resetAt: NOW + 500 });

test("live calls leave first, in the order in which they came, and what is left is counted", () => {
  const queue = waiting("resync 1", "live 1", "resync 2", "live 2");
  const { budget, calls, nextInMs } = nextQueuedCall(queue, newRateBudget(), NOW);
  expect(namesOf(calls)).toEqual(["live 1", "live 2", "resync 1", "resync 2"]);
  expect(queue).toEqual([]);
  expect(budget.underWay).toBe(4);
  expect(nextInMs).toBe(Infinity);
});

test("a resync leaves the last tenth of a limit to live calls; all wait for the next count", () => {
  const queue = waiting("resync 1", "resync 2", "live 1");
  const first = nextQueuedCall(queue, counted(4), NOW);
  expect(namesOf(first.calls)).toEqual(["live 1", "resync 1"]);
  expect(namesOf(queue)).toEqual(["resync 2"]);
  expect(first.nextInMs).toBe(500);
  expect(namesOf(nextQueuedCall(queue, first.budget, NOW + 500).calls)).toEqual(["resync 2"]);
});

test("after a refusal one call feels its way, and no time is told for the others", () => {
  const queue = waiting("live 1", "live 2");
  const { calls, nextInMs } = nextQueuedCall(queue, { ...newRateBudget(), probe: "wanted" }, NOW);
  expect(namesOf(calls)).toEqual(["live 1"]);
  expect(nextInMs).toBe(Infinity);
});
