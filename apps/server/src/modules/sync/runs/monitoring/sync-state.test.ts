/** How a resync's way is told while it runs. */
import { expect, test } from "vitest";
import type { PipelineRow, ResyncRow } from "../schedule/pipeline-rows.store.ts";
import { lastCompletedAt, syncState } from "./sync-state.ts";

const at = (resync: Partial<ResyncRow>): ReturnType<typeof syncState>["resync"] => {
  const row: Partial<PipelineRow> = { isPaused: false, failures: {}, lastResyncAt: null, activity: "Waiting" };
  const begun = { status: "PROCESSING", requestedAt: "2026-01-01T00:00:00.000Z", recordsRead: 50, ...resync };
  return syncState({ ...row, resync: begun } as PipelineRow).resync;
};

test("a resync tells how far it is: earlier cycles and the one under way, of what is known", () => {
  expect(at({ reading: 50, about: 200 })).toMatchObject({ recordsRead: 100, progressPercentage: 50 });
});

test("it is not through before it is, even where more is read than was known", () => {
  expect(at({ reading: 500, about: 200 })).toMatchObject({ recordsRead: 550, progressPercentage: 99 });
});

test("the first one says how many it read, not which part", () => {
  expect(at({ reading: 10, about: null })).toMatchObject({ recordsRead: 60, progressPercentage: null });
});

test("while a system fails, a pipeline is trying again, whatever it does just now, and completed nothing since", () => {
  const since = Date.parse("2026-01-01T10:00:00.000Z");
  const failed = {
    attempts: 3,
    since,
    nextAt: since,
    problem: { severity: "error", nodeId: null, code: "x", message: "down", detail: null },
  };
  const row = {
    isPaused: false,
    activity: "Reading",
    failures: {},
    resync: null,
    stalledAt: null,
    silentMs: 0,
    lastCycle: null,
    lastFinishedAt: "2026-01-01T10:05:00.000Z",
    isRunning: true,
  } as unknown as PipelineRow;
  const failing = { ...row, failures: { 1: failed } } as PipelineRow;
  expect(syncState(row).status).toBe("RUNNING");
  for (const isRunning of [true, false]) expect(syncState({ ...failing, isRunning }).status).toBe("RETRYING");
  expect(syncState({ ...failing, isRunning: false, activity: "Waiting" }).currentActivity).toBe("Waiting to try again");
  expect(lastCompletedAt(row)).toBe("2026-01-01T10:05:00.000Z");
  expect(lastCompletedAt(failing)).toBe("2026-01-01T10:00:00.000Z");
  const patient = { ...row, failures: { 1: { ...failed, isPatience: true } } } as PipelineRow;
  expect([syncState(patient).status, lastCompletedAt(patient)]).toEqual(["RUNNING", "2026-01-01T10:05:00.000Z"]);
});
