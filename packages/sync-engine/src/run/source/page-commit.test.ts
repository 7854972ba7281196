/** Which pages are written down, and who learns of them. */
import { describe, expect, test } from "vitest";
import { newRun } from "../run.ts";
import { type CommitBatch, emptyBatch } from "../protocol/storage.ts";
import { NOW, processedPage, twoSystems } from "../protocol/fixtures/stored.ts";
import { requestCommit } from "./page-commit.ts";
import { newSourceRun, type SourceStep } from "./source-reading.ts";

const { plan, source } = twoSystems();

function stepOf(): SourceStep {
  const state = newSourceRun(source, { mode: "changes", since: null, until: null, next: null, slots: [] });
  const run = newRun(
    { cycleId: "c", epoch: 1, sources: [], resync: null, failures: {} },
    { sources: [state], unreadPlaces: [], historyPlaces: [], sinkPlaces: [] },
  );
  return { plan, run, source, state, env: { now: NOW, newId: () => "new", random: () => 0.5 }, effects: [] };
}

const decidedOf = (batch: Partial<CommitBatch> = {}) => ({
  processed: processedPage(),
  decision: {
    batch: { ...emptyBatch(source.place.id, null), ...batch },
    pending: null,
    ...{ created: 0, updated: 0, deleted: 0, refused: 0 },
    warnings: [],
  },
});

describe("a page is written down", () => {
  const LISTS = [
    ...(["creates", "updates", "links", "ledger", "deliveries", "quarantine", "settled", "actions"] as const),
    ...(["endedOccurrences", "pending", "conflicts", "agreed", "lacking"] as const),
  ];
  const one = (...lists: readonly (typeof LISTS)[number][]): Partial<CommitBatch> =>
    Object.fromEntries(lists.map((list) => [list, [{ placeId: 1 }]]));

  test("whatever it changes, be it one thing or two of a kind", () => {
    const isWritten = (batch: Partial<CommitBatch>): boolean => requestCommit(stepOf(), decidedOf(batch));
    expect(isWritten({}), "it changes nothing").toBe(false);
    expect(LISTS.filter((list) => !isWritten(one(list)))).toEqual([]);
    const pairs = LISTS.flatMap((left) => LISTS.map((right) => [left, right] as const));
    expect(pairs.filter((pair) => !isWritten(one(...pair)))).toEqual([]);
    expect(isWritten({ mergeBatch: { merges: [], reports: [], notifySinkIds: [], deleteAt: [] } })).toBe(true);
    expect(isWritten({ lostFields: {} })).toBe(true);
  });

  test("with how much was read so far, and wakes the destinations that it concerns", () => {
    const step = stepOf();
    Object.assign(step.run.counts.read, { one: 3, two: 4 });
    const position = { nodeId: source.nodeId, cursor: 5, of: "changes", isComplete: true } as const;
    const notified = {
      deliveries: [{ placeId: 7, recordId: "r1", onlyIfOutstanding: false }],
      lacking: [{ placeId: 8, recordId: "r1" }],
      mergeBatch: { merges: [], reports: [], notifySinkIds: [9], deleteAt: [] },
    };
    expect(requestCommit(step, decidedOf({ position, ...notified }))).toBe(true);
    expect(step.effects).toMatchObject([{ kind: "commit", nodeId: source.nodeId, batch: { position: { read: 7 } } }]);
    expect(step.state.work).toMatchObject({ stage: "committing", affectedSinks: new Set([7, 8, 9]) });
  });
});
