/** Counts on nodes: each node says what became of records there, and nothing where nothing happened. */
import type { PipelineFlowCounts } from "@accord/contracts/sync/monitoring/flow";
import { expect, test } from "vitest";
import { countsAt, isTelling } from "./flow-counts.model.ts";

const COUNTS: PipelineFlowCounts = {
  read: { crm: 40 },
  changed: 3,
  written: { billing: 2 },
  passed: { e1: 20, e2: 3 },
  ended: { filter: 17 },
  failed: { billing: 1, filter: 2 },
};

const edge = (id: string, nodeId: string) => ({ id, source: { nodeId } });
const EDGES = [edge("e1", "crm"), edge("e2", "filter")];

test("a node says what became of records there, and nothing where nothing happened", () => {
  expect(countsAt(COUNTS, { id: "crm" }, "source", EDGES)).toEqual([
    { outcome: "read", records: 40 },
    { outcome: "notPassedOn", records: 20 },
  ]);
  expect(countsAt(COUNTS, { id: "core" }, "core", EDGES)).toEqual([{ outcome: "changed", records: 3 }]);
  expect(countsAt(COUNTS, { id: "filter" }, "function", EDGES)).toEqual([
    { outcome: "ended", records: 17 },
    { outcome: "failed", records: 2 },
  ]);
  expect(countsAt(COUNTS, { id: "billing" }, "sink", EDGES)).toEqual([
    { outcome: "written", records: 2 },
    { outcome: "failed", records: 1 },
  ]);
  expect(countsAt(COUNTS, { id: "other" }, "source", EDGES)).toEqual([]);
});

test("of what a source read it says what left by none of its edges, and never less than nothing", () => {
  const both = [...EDGES, edge("e3", "crm")];
  expect(countsAt({ ...COUNTS, passed: { e1: 20, e3: 38 } }, { id: "crm" }, "source", both)).toContainEqual({
    outcome: "notPassedOn",
    records: 2,
  });
  // Records of quarantine that were tried again.
  expect(countsAt({ ...COUNTS, passed: { e1: 41 } }, { id: "crm" }, "source", EDGES)).toEqual([
    { outcome: "read", records: 40 },
  ]);
});

test("a cycle that has let no record through leaves the counts of the one before it on screen", () => {
  expect(isTelling(COUNTS)).toBe(true);
  expect(isTelling({ ...COUNTS, passed: {}, failed: {} })).toBe(false);
});
