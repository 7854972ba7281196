/** Which pages are written down, and who learns of them. */
import { describe, expect, test } from "vitest";
import { newRun } from "../run.ts";
import { type CommitBatch, emptyBatch } from "../protocol/storage.ts";
import { NOW, processedPage, twoSystems } from "../protocol/fixtures/stored.ts";
import { afterCommit, countPage, mayStayUnsaved, requestCommit } from "./page-commit.ts";
import { newSourceRun, replaySlot, type SourceStep } from "./source-reading.ts";

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

describe("what a page shows its place to have lost", () => {
  const [field = ""] = source.mappings.map(({ connectorField }) => connectorField);
  const identities = (id: string) => ({ records: [], cursor: null, drained: true, fieldIds: { [field]: id } });
  const committed = (step: SourceStep, page: object) => {
    step.state.slots = [{ ...replaySlot([]), page: { records: [], cursor: null, drained: true, ...page } }];
    const decided = decidedOf();
    const isWritten = requestCommit(step, decided);
    if (isWritten) afterCommit(step, { stage: "committing", decided, affectedSinks: new Set() }, "none");
    return isWritten;
  };

  test("is written down though there is nothing else to write, and known from then on", () => {
    const step = stepOf();
    expect(committed(step, identities("1"))).toBe(true);
    expect(step.run.lostFields[source.place.id]).toMatchObject({ [field]: { id: "1", loss: 0 } });
    expect(committed(step, identities("1")), "it is no news").toBe(false);
    expect(committed(step, {})).toBe(false);
    expect(committed(step, identities("2")), "another field of that name").toBe(true);
    expect(step.run.lostFields[source.place.id]).toMatchObject({ [field]: { id: "2", loss: 1 } });
  });

  test("stays as it was known where a page says nothing of it", () => {
    const step = stepOf();
    const known = { [field]: { loss: 3, isGone: false } };
    step.run.lostFields[source.place.id] = known;
    afterCommit(step, { stage: "committing", decided: decidedOf(), affectedSinks: new Set() }, "none");
    expect(step.run.lostFields[source.place.id]).toBe(known);
  });
});

describe("a page that is written down", () => {
  const quarantined = { direction: "source", externalId: "A1", recordId: null, nodeId: null } as const;
  const entry = { ...quarantined, code: "bad", message: "Bad", payload: null };

  test("counts with all that came of it, and with its warnings", () => {
    const step = stepOf();
    const warning = (code: string) => ({ nodeId: "n", code, message: code, record: "A1" });
    const { processed, decision } = decidedOf({ quarantine: [entry] });
    const page = {
      ...processed,
      absorbed: 1,
      filtered: 2,
      warnings: [warning("path")],
      pathCounts: { passed: { e: 7 }, ended: { n: 1 } },
    };
    const counts = { created: 3, updated: 4, deleted: 5, refused: 6 };
    const decided = { processed: page, decision: { ...decision, ...counts, warnings: [warning("merge")] } };
    for (const times of [1, 2]) {
      countPage(step, decided);
      const once = { absorbed: 1, filtered: 2, created: 3, updated: 4, deleted: 5, refused: 6, quarantined: 1 };
      const all = Object.fromEntries(Object.entries(once).map(([name, count]) => [name, count * times]));
      expect(step.run.counts).toMatchObject({
        ...all,
        flow: { sources: { passed: { e: 7 * times }, ended: { n: times } }, failed: { [source.nodeId]: times } },
      });
      expect(step.run.problems.map(({ code, count }) => [code, count])).toEqual([
        ["path", times],
        ["merge", times],
        ["bad", times],
      ]);
    }
  });

  test("wakes the destinations that it concerns, those that are done with theirs", () => {
    const step = stepOf();
    const sinkOf = (placeId: number, stage: "done" | "claiming") => ({ placeId, dirty: false, state: { stage } });
    Object.assign(step.run, { sinks: [sinkOf(7, "done"), sinkOf(8, "claiming"), sinkOf(9, "done")] });
    afterCommit(step, { stage: "committing", decided: decidedOf(), affectedSinks: new Set([7, 8, 99]) }, "none");
    expect(step.run.sinks.map(({ dirty, state }) => [dirty, state.stage])).toEqual([
      [true, "waiting"],
      [true, "claiming"],
      [false, "done"],
    ]);
  });

  test("may wait to be written down for twenty pages, or three seconds, from when its source began", () => {
    const step = stepOf();
    expect([mayStayUnsaved(step), step.state.committedAt]).toEqual([true, NOW]);
    step.env = { ...step.env, now: NOW + 2_999 };
    expect(mayStayUnsaved(step)).toBe(true);
    step.env = { ...step.env, now: NOW + 3_000 };
    expect(mayStayUnsaved(step)).toBe(false);
    step.state.committedAt = NOW + 3_000;
    step.state.uncommittedPages = 19;
    expect(mayStayUnsaved(step)).toBe(true);
    step.state.uncommittedPages = 20;
    expect(mayStayUnsaved(step)).toBe(false);
  });
});
