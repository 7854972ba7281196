/** Nothing lost, nothing doubled, nothing stuck: over thousands of histories, and every planted fault is noticed. */
import { expect, test } from "vitest";
import { PLANTS, play, simulate } from "./index.ts";

const SEEDS = 2_000;

test("systems kept in agreement through crashes, lost answers and late reads lose and double nothing", () => {
  const report = simulate({ seeds: SEEDS });
  expect(report).toEqual({ runs: SEEDS, lost: 0, doubled: 0, stuck: 0, violations: 0, failedSeeds: [] });
});

test("a seed replays the same history to the last step", () => {
  const lines: [string[], string[]] = [[], []];
  for (const into of lines) play(77, {}, (line) => into.push(line));
  expect(lines[0].length).toBeGreaterThan(100);
  expect(lines[0]).toEqual(lines[1]);
});

test.each(Object.keys(PLANTS))("the planted fault %s is caught", (plant) => {
  const report = simulate({ seeds: 300, plant });
  expect(report.failedSeeds.length).toBeGreaterThan(0);
});
