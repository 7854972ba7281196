/** How a resync's way is told while it runs. */
import { expect, test } from "vitest";
import type { PipelineRow, ResyncRow } from "./pipeline-rows.store.ts";
import { syncState } from "./sync-state.ts";

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
