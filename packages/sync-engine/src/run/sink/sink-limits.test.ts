/** How much a destination is sent at once, and when the next cycle begins for it. */
import { expect, test } from "vitest";
import { batchSize } from "./deliveries/batch-size.ts";
import { recordDue } from "./deliveries/due-deliveries.ts";
import { newRun, type Run, type SinkRun } from "../run.ts";
import { NOW, twoSystems } from "../protocol/fixtures/stored.ts";

const { sink } = twoSystems();
const runOf = (failures: Run["failures"] = {}): Run =>
  newRun(
    { cycleId: "c", epoch: 1, sources: [], resync: null, failures },
    { sources: [], unreadPlaces: [], sinkPlaces: [] },
  );
const failed = (more: object = {}): Run["failures"] => ({
  [sink.place.id]: {
    ...{ attempts: 1, since: NOW, nextAt: NOW + 9_000 },
    problem: { severity: "error", nodeId: "n", code: "unavailable", message: "", detail: null },
    ...more,
  },
});

test("a batch takes about two seconds, within what the connector takes; one record where it failed", () => {
  const size = (operationMs: number | null, run = runOf(), writeBatchSize = 200): number =>
    batchSize(run, { ...sink, writeBatchSize }, { operationMs } as SinkRun);
  expect([size(null), size(10), size(1), size(0), size(30), size(5_000)]).toEqual([20, 200, 200, 200, 66, 1]);
  expect([size(null, runOf(), 3), size(1, runOf(), 3)]).toEqual([3, 3]);
  expect([size(1, runOf(failed())), size(1, runOf(failed({ isPatience: true })))]).toEqual([1, 200]);
});

test("the next cycle begins once something is due, and its place can be read after that", () => {
  const due = (
    nextAt: number,
    {
      failures = {},
      before = null,
      readFields = sink.place.readFields,
    }: { failures?: Run["failures"]; before?: number | null; readFields?: readonly string[] } = {},
  ) => {
    const run = { ...runOf(failures), nextAt: before };
    recordDue({ run, sink: { ...sink, place: { ...sink.place, readFields } } }, nextAt);
    return (run.nextAt ?? 0) - NOW;
  };
  expect([due(NOW), due(NOW, { readFields: ["name"] }), due(NOW, { readFields: [] })]).toEqual([500, 500, 0]);
  expect([due(NOW, { before: NOW + 100 }), due(NOW, { before: NOW + 900 })]).toEqual([100, 500]);
  expect([due(NOW, { failures: failed() }), due(NOW + 10_000, { failures: failed() })]).toEqual([9_500, 10_500]);
});
