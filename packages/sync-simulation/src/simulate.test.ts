/** Nothing lost, nothing doubled, nothing stuck: over many histories, and every injected fault is noticed. */
import { expect, test } from "vitest";
import { REGRESSION_SEEDS, FAULTS, runSimulation, simulate } from "./index.ts";

/** A slice; `npm run sim` plays the rest. */
const SEEDS = 300;
/** Other tests may have the cores; how long it takes is not what is tested. */
const LONG_TIMEOUT = { timeout: 120_000 };
/** Histories within which each injected fault has to show. */
const WITHIN = 2_000;

test(
  "[F1] [F3] [F4] [F6] [F7] [F13] [F14] [F15] through crashes, refusals, lost answers, late reads, new versions and pauses nothing is lost or doubled",
  LONG_TIMEOUT,
  () => {
    const { drifts, renames, newFields, typeChanges, ...report } = simulate({ seeds: SEEDS });
    expect(Math.min(drifts, renames, newFields, typeChanges)).toBeGreaterThan(3);
    expect(report).toEqual({
      runs: SEEDS,
      lost: 0,
      doubled: 0,
      stuck: 0,
      violations: 0,
      failedSeeds: [],
    });
  },
);

test("no seed that ever failed fails again", LONG_TIMEOUT, () => {
  expect(REGRESSION_SEEDS.filter((from) => simulate({ seeds: 1, from }).failedSeeds.length > 0)).toEqual([]);
});

test("a seed replays the same history to the last step", () => {
  const lines: [string[], string[]] = [[], []];
  for (const into of lines) runSimulation(77, {}, (line) => into.push(line));
  expect(lines[0].length).toBeGreaterThan(100);
  expect(lines[0]).toEqual(lines[1]);
});

test("at least thirty faults are planted, each said in words", () => {
  const says = Object.values(FAULTS).map((fault) => fault.says);
  expect(says.length).toBeGreaterThanOrEqual(30);
  expect(new Set(says).size).toBe(says.length);
});

test.each(Object.entries(FAULTS).map(([name, { says }]) => [name, says]))(
  "the injected fault %s is caught: %s",
  LONG_TIMEOUT,
  (fault) => {
    const report = simulate({ seeds: WITHIN, from: FAULTS[fault]?.from ?? 1, fault, untilFailure: true });
    expect(report.failedSeeds).toHaveLength(1);
  },
);
