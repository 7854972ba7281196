/** Counts on nodes: each node says what became of records there, and nothing where nothing happened. */
import type { PipelineFlowCounts } from "@accord/contracts/sync/monitoring/flow";
import { expect, test } from "vitest";
import { countsAt, isTelling } from "./flow-counts.model.ts";

const COUNTS: PipelineFlowCounts = {
  read: { crm: 20 },
  changed: 3,
  written: { billing: 2 },
  passed: { e1: 3 },
  ended: { filter: 17 },
  failed: { billing: 1, filter: 2 },
};

test("a node says what became of records there, and nothing where nothing happened", () => {
  expect(countsAt(COUNTS, { id: "crm" }, "source")).toEqual([{ outcome: "read", records: 20 }]);
  expect(countsAt(COUNTS, { id: "core" }, "core")).toEqual([{ outcome: "changed", records: 3 }]);
  expect(countsAt(COUNTS, { id: "filter" }, "function")).toEqual([
    { outcome: "ended", records: 17 },
    { outcome: "failed", records: 2 },
  ]);
  expect(countsAt(COUNTS, { id: "billing" }, "sink")).toEqual([
    { outcome: "written", records: 2 },
    { outcome: "failed", records: 1 },
  ]);
  expect(countsAt(COUNTS, { id: "other" }, "source")).toEqual([]);
});

test("a cycle that has let no record through leaves the counts of the one before it on screen", () => {
  expect(isTelling(COUNTS)).toBe(true);
  expect(isTelling({ ...COUNTS, passed: {}, failed: {} })).toBe(false);
});
