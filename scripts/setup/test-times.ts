/** How long tests took, beside what is allowed for each kind: printed after a whole run, and never a failure by itself. */
import { relative } from "node:path";
import { ROOT } from "./root.mjs";
import type { Results } from "./test-results.ts";

/** Seconds from the first file of a kind to its last, on two cores with nothing else running. */
const BUDGETS: Readonly<Record<string, number>> = { unit: 120, browser: 120, integration: 660, e2e: 660 };
const SLOWEST = 10;

export function kindOf(file: string): string {
  if (file.endsWith(".e2e.test.ts")) return "e2e";
  if (file.endsWith(".int.test.ts")) return "integration";
  return file.endsWith(".test.tsx") || file.endsWith(".browser.test.ts") ? "browser" : "unit";
}

const seconds = (milliseconds: number): number => Math.round(milliseconds / 1000);

/** A line for each kind, and the slowest files. */
export function timesOf({ testResults }: Results): string[] {
  const timed = testResults.flatMap(({ name, startTime, endTime }) =>
    startTime === undefined || endTime === undefined ? [] : [{ name, startTime, endTime }],
  );
  const kinds = Object.entries(BUDGETS).flatMap(([kind, budget]) => {
    const files = timed.filter(({ name }) => kindOf(name) === kind);
    if (files.length === 0) return [];
    const span = Math.max(...files.map(({ endTime }) => endTime)) - Math.min(...files.map((file) => file.startTime));
    const sum = files.reduce((all, { startTime, endTime }) => all + endTime - startTime, 0);
    const isOver = seconds(span) > budget ? ", over it" : "";
    return `${kind}: ${files.length} files in ${seconds(span)} s of ${budget} s${isOver}; one after the other ${seconds(sum)} s`;
  });
  const slowest = timed
    .toSorted((left, right) => right.endTime - right.startTime - (left.endTime - left.startTime))
    .slice(0, SLOWEST)
    .map(({ name, startTime, endTime }) => `  ${seconds(endTime - startTime)} s  ${relative(ROOT, name)}`);
  return [...kinds, "Slowest files (scripts/setup/test-seconds.json gives their order):", ...slowest];
}
