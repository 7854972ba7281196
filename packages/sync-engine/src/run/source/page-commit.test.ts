/** When a page is written down, and when a cycle stops since most of what it reads fails. */
import { describe, expect, test } from "vitest";
import { newRun } from "../run.ts";
import { type CommitBatch, emptyBatch } from "../protocol/storage.ts";
import { NOW, processedPage, twoSystems } from "../protocol/stored.fixtures.ts";
import { afterCommit, mayStayUnsaved, requestCommit } from "./page-commit.ts";
import { newSourceRun, type SourceStep } from "./source-reading.ts";

const { plan, source } = twoSystems();

function stepOf(now = NOW): SourceStep {
  const state = newSourceRun(source, { mode: "changes", since: null, until: null, next: null, slots: [] });
  const run = newRun(
    { cycleId: "c", epoch: 1, sources: [], resync: null, failures: {} },
    { sources: [state], unreadPlaces: [], historyPlaces: [], sinkPlaces: [] },
  );
  return { plan, run, source, state, env: { now, newId: () => "new", random: () => 0.5 }, effects: [] };
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

  test("though it changes nothing, once the last one was written twenty pages or three seconds ago", () => {
    const mayWait = (pages: number, elapsedMs: number): boolean => {
      const step = stepOf(NOW + elapsedMs);
      Object.assign(step.state, { uncommittedPages: pages, committedAt: NOW });
      return mayStayUnsaved(step);
    };
    expect([mayWait(19, 0), mayWait(20, 0), mayWait(0, 2_999), mayWait(0, 3_000)]).toEqual([true, false, true, false]);
  });

  test("with how much was read so far, and wakes the destinations that hear of it", () => {
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

describe("a cycle", () => {
  const stopsAt = (failed: number, read: number, { failedBefore = 0 } = {}) => {
    const step = stepOf();
    Object.assign(step.run.counts, { quarantined: failed + failedBefore, read: { [source.nodeId]: read } });
    step.run.failedBefore = failedBefore;
    afterCommit(step, { stage: "committing", decided: decidedOf(), affectedSinks: new Set() }, "none");
    return [step.run.stopping, step.run.problems.map(({ code }) => code)];
  };
  const GOES_ON = [null, []];
  const STOPS = ["tooManyFailures", ["too_many_failures"]];

  test("stops once more than 500 records and more than half of what it read are in quarantine", () => {
    expect(stopsAt(500, 600), "as many as may be").toEqual(GOES_ON);
    expect(stopsAt(501, 1_002), "half of them").toEqual(GOES_ON);
    expect(stopsAt(501, 1_001)).toEqual(STOPS);
    expect(stopsAt(501, 600, { failedBefore: 300 })).toEqual(STOPS);
    expect(stopsAt(400, 600, { failedBefore: 300 }), "what an earlier cycle read is no failure of this one").toEqual(
      GOES_ON,
    );
  });

  test("is told to stop by what storage answers, and wakes a destination that is through", () => {
    const step = stepOf();
    const [sink] = plan.sinks;
    const placeId = sink?.place.id ?? 0;
    const sinkRun = { placeId, state: { stage: "done" as const }, dirty: false };
    Object.assign(step.run, { sinks: [sinkRun] });
    afterCommit(step, { stage: "committing", decided: decidedOf(), affectedSinks: new Set([placeId, 99]) }, "pause");
    expect(step.run.stopping).toBe("pause");
    expect(sinkRun).toMatchObject({ state: { stage: "waiting" }, dirty: true });
  });
});
