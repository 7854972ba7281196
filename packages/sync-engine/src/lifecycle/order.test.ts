/** Tests of the order of rows in the Pipeline Details table. */
import type { PipelineSort } from "@accord/contracts/sync/pipeline-sort";
import { PipelineRow } from "@accord/contracts/sync/pipelines";
import { expect, test } from "vitest";
import { orderRows } from "./order.ts";

let ids = 0;
const row = (name: string, more: Partial<PipelineRow> = {}): PipelineRow =>
  PipelineRow.parse({
    ...{ id: String(++ids).padStart(24, "0"), name, apiName: name.toLowerCase(), pipelineStatus: "PUBLISHED" },
    ...{ pipelineStatusTagData: [], pipelineStateTagData: [], syncStatus: "RUNNING", health: null, warningCount: 0 },
    ...{ errorCount: 0, currentActivity: "", lastCompletedSync: null, lastCycleDuration: null, recentCycles: [] },
    ...{ transactionsInLastCycle: 0, sources: [], destinations: [], fieldsMapped: 0, numberOfVersions: 1 },
    ...{ mergeConfig: {}, settings: {}, lastModifiedOn: null, lastModifiedBy: null, lastPublishedOn: null },
    ...{ resyncDetails: null, lagInSeconds: null, lastPublishedBy: null, pausedBy: null },
    ...more,
  });
const names = (rows: PipelineRow[], sort: PipelineSort) => orderRows(rows, sort).map(({ name }) => name);

test("names are in natural order whatever their case, and numbers by their size", () => {
  const rows = ["User", "Gate 10", "airports", "Gate 9", "Ärzte", "flights"].map((name) => row(name));
  const ordered = ["airports", "Ärzte", "flights", "Gate 9", "Gate 10", "User"];
  expect(names(rows, "name")).toEqual(ordered);
  expect(names(rows, "-name")).toEqual(ordered.toReversed());
});

test("durations are compared in one unit; rows without a value are last in either direction", () => {
  const rows = [
    row("never"),
    row("two minutes", { lastCycleDuration: { duration: 2, durationUnit: "min" } }),
    row("half a second", { lastCycleDuration: { duration: 500, durationUnit: "ms" } }),
    row("three seconds", { lastCycleDuration: { duration: 3, durationUnit: "s" } }),
  ];
  expect(names(rows, "duration")).toEqual(["half a second", "three seconds", "two minutes", "never"]);
  expect(names(rows, "-duration")).toEqual(["two minutes", "three seconds", "half a second", "never"]);
});

test("rows are ordered by how late they are, by who published them and by who paused them", () => {
  const by = (firstName: string) => ({ firstName, lastName: "" });
  const rows = [
    row("one", { lagInSeconds: 90, lastPublishedBy: by("bo"), pausedBy: null }),
    row("two", { lagInSeconds: 9, lastPublishedBy: by("Al"), pausedBy: "Cy" }),
  ];
  expect(names(rows, "-lag")).toEqual(["one", "two"]);
  expect(names(rows, "publishedBy")).toEqual(["two", "one"]);
  expect(names(rows, "pausedBy")).toEqual(["two", "one"]);
});

test("equal rows are in the order of their names in either direction", () => {
  const rows = [row("b", { fieldsMapped: 1 }), row("C", { fieldsMapped: 2 }), row("a", { fieldsMapped: 1 })];
  expect(names(rows, "fields")).toEqual(["a", "b", "C"]);
  expect(names(rows, "-fields")).toEqual(["C", "a", "b"]);
});
