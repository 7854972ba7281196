/** Problems of sources stand until a reading to the end no longer gives them, and no longer. */
import { type CycleProblem, type CycleSummary, noCounts } from "@accord/sync-engine/run";
import { expect, test } from "vitest";
import { hasEffect, newsOf, standingAfter } from "./cycle-summaries.ts";

const problem = (more: Partial<CycleProblem> = {}): CycleProblem => ({
  severity: "warning",
  nodeId: "source",
  code: "total_not_reached",
  message: "The list ended before 3 records.",
  detail: null,
  count: 1,
  isOfSource: true,
  ...more,
});
const summary = (more: Partial<CycleSummary> = {}): CycleSummary => ({
  outcome: "finished",
  counts: noCounts(),
  problems: [],
  failures: {},
  positions: [],
  resync: null,
  nextAt: null,
  ...more,
});
const before = { problems: [problem(), problem({ code: "not_convertible", isOfSource: undefined })] };

test("what a source warned of stands while the source is not read to its end", () => {
  expect(standingAfter(summary(), before, ["source"])).toEqual([problem()]);
  expect(standingAfter(summary({ readThrough: ["other"] }), before, ["source"])).toEqual([problem()]);
  expect(standingAfter(summary({ readThrough: ["source"] }), before, ["source"])).toEqual([]);
});

test("a warning of a source that is no longer in the pipeline is over", () => {
  expect(standingAfter(summary(), before, ["another"])).toEqual([]);
  expect(standingAfter(summary(), before, null), "where nobody knows which sources there are").toEqual([problem()]);
});

test("a warning that is given again with another count takes the place of the earlier one", () => {
  const again = summary({ problems: [problem({ count: 51 })] });
  expect(standingAfter(again, before, ["source"])).toEqual([]);
});

test("a cycle that only left a failing system alone is no further failed cycle; the one that asked it again is", () => {
  const failed = problem({ severity: "error", code: "notFound", message: "There is nothing here.", count: undefined });
  const failure = (attempts: number) => ({ 7: { attempts, since: 1, nextAt: 9, problem: failed } });
  const cycle = summary({ outcome: "failed", problems: [failed], failures: failure(2) });
  const quiet = newsOf(cycle, { lastCycle: cycle, failures: failure(2) });
  expect([hasEffect(quiet), quiet.outcome]).toEqual([false, "finished"]);
  expect(hasEffect(newsOf(cycle, { lastCycle: cycle, failures: failure(1) }))).toBe(true);
  expect(hasEffect(newsOf(cycle, { lastCycle: null, failures: {} }))).toBe(true);
  // What it did besides is kept, and so is what went wrong besides.
  const counts = { ...noCounts(), updated: 1 };
  expect(hasEffect(newsOf({ ...cycle, counts }, { lastCycle: cycle, failures: failure(2) }))).toBe(true);
  const other = problem({ severity: "error", code: "timeout", message: "No answer.", count: undefined });
  const both = newsOf({ ...cycle, problems: [failed, other] }, { lastCycle: cycle, failures: failure(2) });
  expect([hasEffect(both), both.outcome]).toEqual([true, "failed"]);
});
