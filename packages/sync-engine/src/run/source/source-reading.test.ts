/** How a source is read: pages joined without losing anything, again where it failed, and before anything is written over. */
import type { ReadPage, SourceRecord } from "@accord/connector-sdk";
import { describe, expect, test } from "vitest";
import { FakeSystem, PLAIN_TRAITS, planFor } from "@accord/sync-simulation/testing";
import { advance } from "../advance.ts";
import type { Effect, Input, SystemFailure } from "../protocol/protocol.ts";
import { newRun, type Run, type Slot, type SourceRun } from "../run.ts";
import {
  stopReading,
  enqueueRecords,
  coalescePages,
  newSourceRun,
  pageRead,
  releaseDeletions,
  reopenSources,
  replaySlot,
} from "./source-reading.ts";
import { storedLink } from "../protocol/fixtures/stored.ts";

const plan = planFor([new FakeSystem("A", PLAIN_TRAITS), new FakeSystem("B", PLAIN_TRAITS)], "NONE");
const [source] = plan.sources;
if (!source) throw new Error("the plan has no source");
const A = source.place.id;
const NODE = source.nodeId;
const NOW = 1_000_000;

const STEP = { plan, source, env: { now: NOW, newId: () => "id", random: () => 0.5 } };

const recordsOf = (...ids: string[]): SourceRecord[] => ids.map((id) => ({ id, values: {} }));
const badLine = (place: string) => ({ place, message: "unreadable" });
const slotOf = (page: ReadPage | null, more: Partial<Slot> = {}): Slot => ({
  ...replaySlot([]),
  requestId: 1,
  isReplay: false,
  page,
  ...more,
});

/** A cycle that reads A from `next` on. */
function reading(
  next: SourceRun["next"] = null,
  slots: Slot[] = [],
): { run: Run; state: SourceRun; give: (input: Input, now?: number) => Effect[] } {
  const state = newSourceRun(source!, { mode: "changes", since: null, until: null, next, slots });
  const start = { cycleId: "c", epoch: 1, sources: [], resync: null, failures: {} };
  const run = newRun(start, { sources: [state], unreadPlaces: [], sinkPlaces: [] });
  const give = (input: Input, now = NOW): Effect[] =>
    advance(plan, run, input, { now, newId: () => "id", random: () => 0.5 }).effects;
  return { run, state, give };
}

const reads = (effects: readonly Effect[]) => effects.flatMap((effect) => (effect.kind === "read" ? [effect] : []));

const problem = { severity: "error" as const, nodeId: "from", code: "unavailable", message: "503", detail: null };

describe("pages that are there already", () => {
  const joined = (first: ReadPage, second: ReadPage, more: Partial<Slot> = {}): Slot[] => {
    const { state } = reading(undefined, [slotOf(first, more), slotOf(second, { requestId: 2 })]);
    coalescePages(state, 0);
    return state.slots;
  };
  const page = (ids: string[], more: Partial<ReadPage> = {}): ReadPage => ({
    records: recordsOf(...ids),
    cursor: ids.at(-1) ?? null,
    drained: false,
    ...more,
  });

  test("are worked on as one, with the records of both, and those of both that could not be read", () => {
    const [one, ...rest] = joined(
      page(["1", "2"], { bad: [badLine("line 3")] }),
      page(["4"], { bad: [badLine("line 5")], drained: true }),
    );
    expect(rest).toEqual([]);
    expect(one?.page).toMatchObject({ cursor: "4", drained: true, bad: [badLine("line 3"), badLine("line 5")] });
    expect(one?.page?.records.map(({ id }) => id)).toEqual(["1", "2", "4"]);
  });

  test("tell how records stand now only where both do", () => {
    const isCurrent = (first: boolean, second: boolean) =>
      joined(page(["1"], { isCurrent: first }), page(["2"], { isCurrent: second }))[0]?.page?.isCurrent;
    expect([isCurrent(true, true), isCurrent(true, false), isCurrent(false, true)]).toEqual([true, false, false]);
  });

  test("are joined up to two thousand records, and not to records that are tried again", () => {
    const many = (count: number) => page(Array.from({ length: count }, (_, index) => `${count}-${index}`));
    expect(joined(many(1_000), many(999))).toHaveLength(1);
    expect(joined(many(1_001), many(999))).toHaveLength(1);
    expect(joined(many(1_001), many(1_000))).toHaveLength(2);
    expect(joined(page(["1"]), page(["2"]), { isReplay: true })).toHaveLength(2);
  });

  test("are not joined where a column was made anew between them", () => {
    const withIds = (id: string, name: string) => page([id], { fieldIds: { name } });
    expect(joined(withIds("1", "a"), withIds("2", "a"))).toHaveLength(1);
    expect(joined(withIds("1", "a"), withIds("2", "b"))).toHaveLength(2);
    expect(joined(page(["1"]), withIds("2", "b"))).toHaveLength(2);
  });

  test("are another page together: what was asked for the first of them is asked again", () => {
    const asked = { hasHolders: true, ids: new Set(["1"]) };
    expect(joined(page(["1"]), page(["2"]), asked)).toMatchObject([{ hasHolders: false, ids: null }]);
    expect(joined(page(["1"]), page(["2"], { fieldIds: { a: "1" } }), asked)[0]).toMatchObject(asked);
  });
});

describe("a system that can't be read", () => {
  const failure: SystemFailure = { kind: "unavailable", message: "503", retryable: true, isSafeToRetry: true };

  test("is asked for the same page twice more, then the cycle goes on without it and says so", () => {
    const { run, state, give } = reading("here");
    let [asked] = reads(give({ kind: "start" }));
    expect(asked).toMatchObject({ cursor: "here" });
    for (const delayMs of [1_000, 4_000]) {
      [asked] = reads(give({ kind: "readFailed", nodeId: NODE, requestId: asked?.requestId ?? 0, failure }));
      expect(asked).toMatchObject({ cursor: "here", delayMs });
      expect(state.slots[0]?.askedAt, "what is read is as old as the call").toBe(NOW + delayMs);
    }
    const effects = give({ kind: "readFailed", nodeId: NODE, requestId: asked?.requestId ?? 0, failure });
    expect(effects.map(({ kind }) => kind)).toEqual(["finish"]);
    expect(run.failures[A]).toMatchObject({ attempts: 1 });
    expect(run.problems).toMatchObject([{ severity: "error", nodeId: NODE, message: "503" }]);
  });

  test("is asked once a cycle while it is known to be down, unless it only asks for patience", () => {
    for (const [kind, again] of [
      ["unavailable", 0],
      ["rateLimited", 1],
    ] as const) {
      const { run, give } = reading("here");
      run.failures[A] = { attempts: 1, since: 0, nextAt: NOW, problem };
      const [asked] = reads(give({ kind: "start" }));
      const more = give({
        kind: "readFailed",
        nodeId: NODE,
        requestId: asked?.requestId ?? 0,
        failure: { ...failure, kind },
      });
      expect(reads(more)).toHaveLength(again);
    }
  });

  test("is left alone until its back-off is over; the cycle says so and the next one comes then", () => {
    const { run, give } = reading("here");
    run.failures[A] = { attempts: 3, since: 0, nextAt: NOW + 60_000, problem };
    const effects = give({ kind: "start" });
    expect(reads(effects)).toEqual([]);
    expect(effects).toMatchObject([
      { kind: "finish", summary: { outcome: "failed", problems: [problem], nextAt: NOW + 60_000 } },
    ]);
    expect(run.failures[A]).toMatchObject({ attempts: 3 });
  });

  test("that only takes no writes is read all the same", () => {
    const { run, give } = reading("here");
    run.failures[A] = { attempts: 3, since: 0, nextAt: NOW + 60_000, problem, isOfWrites: true };
    expect(reads(give({ kind: "start" }))).toHaveLength(1);
  });

  test("when a page ahead fails, that page is read again in its turn", () => {
    const { state, give } = reading("one");
    const [first] = reads(give({ kind: "start" }));
    const page = { records: recordsOf("1"), cursor: "two", drained: false };
    const [second] = reads(give({ kind: "pageRead", nodeId: NODE, requestId: first?.requestId ?? 0, page }));
    expect(second).toMatchObject({ cursor: "two" });
    const [again] = reads(give({ kind: "readFailed", nodeId: NODE, requestId: second?.requestId ?? 0, failure }));
    expect(again).toMatchObject({ cursor: "two" });
    expect(again?.requestId).not.toBe(second?.requestId);
    expect(state.state).toBe("open");
  });

  test("when one of many pages ahead fails, reading goes on with that page, though those behind it are there", () => {
    const { state, give } = reading("0");
    const [first] = reads(give({ kind: "start" }));
    const ahead = Array.from({ length: 7 }, (_, index) => `${index + 1}`);
    const page = { records: recordsOf("1"), cursor: "1", drained: false, ahead };
    const asked = reads(give({ kind: "pageRead", nodeId: NODE, requestId: first?.requestId ?? 0, page }));
    const last = { records: recordsOf("7"), cursor: "8", drained: false };
    give({ kind: "pageRead", nodeId: NODE, requestId: asked[6]?.requestId ?? 0, page: last });
    const [again] = reads(give({ kind: "readFailed", nodeId: NODE, requestId: asked[2]?.requestId ?? 0, failure }));
    expect([again?.cursor ?? state.next, state.slots.map(({ cursor }) => cursor).slice(0, 3)]).toEqual([
      "3",
      ["0", "1", "2"],
    ]);
  });

  test("answers that came too late are of no account", () => {
    const { state, give } = reading("one");
    give({ kind: "start" });
    give({
      kind: "pageRead",
      nodeId: NODE,
      requestId: 99,
      page: { records: recordsOf("1"), cursor: "x", drained: true },
    });
    give({ kind: "readFailed", nodeId: NODE, requestId: 99, failure });
    expect(state.slots.map(({ page }) => page)).toEqual([null]);
    expect(state.state).toBe("open");
  });
});

test("a source that says what comes next is read ahead, up to eight pages in hand", () => {
  const { state, give } = reading("0");
  const [first] = reads(give({ kind: "start" }));
  const ahead = Array.from({ length: 12 }, (_, index) => `${index + 1}`);
  const page = { records: recordsOf("1"), cursor: "1", drained: false, ahead };
  const asked = reads(give({ kind: "pageRead", nodeId: NODE, requestId: first?.requestId ?? 0, page }));
  expect(asked.map(({ cursor }) => cursor)).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
  expect(state.slots).toHaveLength(8);
});

test("a page that is the last one drops what was asked for behind it; one without room for more goes on from its end", () => {
  const behind = [2, 3, 4, 5, 6, 7, 8].map((requestId) => slotOf(null, { requestId }));
  const last = reading(undefined, [slotOf(null), ...behind]);
  const page = { records: recordsOf("1"), cursor: "1", drained: true };
  pageRead({ ...STEP, ...last, effects: [] }, { kind: "pageRead", nodeId: NODE, requestId: 1, page });
  expect([last.state.slots.length, last.state.next]).toEqual([1, undefined]);
  const full = reading(undefined, [...behind, slotOf(null)]);
  const ahead = { ...page, drained: false, ahead: ["a", "b"] };
  pageRead({ ...STEP, ...full, effects: [] }, { kind: "pageRead", nodeId: NODE, requestId: 1, page: ahead });
  expect([full.state.slots.length, full.state.next]).toEqual([8, "1"]);
});

describe("records as they were just found at a place", () => {
  test("go ahead of what is read there, behind the page that is worked on", () => {
    const { run, state } = reading("here", [slotOf({ records: recordsOf("1"), cursor: "1", drained: false })]);
    expect(enqueueRecords(plan, run, A, recordsOf("7"))).toBe(true);
    expect(state.slots.map(({ page }) => page?.records[0]?.id)).toEqual(["7", "1"]);
    expect(state.slots[0]).toMatchObject({ isReplay: true, page: { isCurrent: true, drained: false } });
    state.work = {
      stage: "resolving",
      seen: { records: [], seen: [], bad: [], warnings: [], isReplay: false, isCurrent: false, askedAt: 0 },
    };
    enqueueRecords(plan, run, A, recordsOf("8"));
    expect(state.slots.map(({ page }) => page?.records[0]?.id)).toEqual(["7", "8", "1"]);
  });

  test("open a source again that is through, or had no turn; not one that failed, nor a run that is about to stop", () => {
    const { run, state } = reading();
    state.state = "done";
    expect(enqueueRecords(plan, run, A, recordsOf("7"))).toBe(true);
    expect(state.state).toBe("waiting");
    state.state = "failed";
    expect(enqueueRecords(plan, run, A, recordsOf("7"))).toBe(false);
    run.sources = [];
    expect(enqueueRecords(plan, run, A, recordsOf("7"))).toBe(true);
    expect(run.sources).toMatchObject([
      { nodeId: NODE, state: "waiting", mode: "changes", slots: [{ isReplay: true }] },
    ]);
    expect(enqueueRecords(plan, run, 99, recordsOf("7")), "nobody reads there").toBe(false);
    run.stopping = "pause";
    expect(enqueueRecords(plan, run, A, recordsOf("7"))).toBe(false);
  });
});

test("a source whose turn comes again is read from where it stands; not in a resync, nor when the run is about to stop", () => {
  const { run, state } = reading();
  run.reached[NODE] = "there";
  state.state = "done";
  reopenSources(plan, run, [NODE]);
  expect(state).toMatchObject({ state: "waiting", next: "there" });
  reopenSources(plan, run, [NODE]);
  expect(state.isDueAgain, "it is under way").toBe(true);
  run.sources = [];
  reopenSources(plan, run, ["another node"]);
  expect(run.sources).toEqual([]);
  run.stopping = "pause";
  reopenSources(plan, run, [NODE]);
  expect(run.sources).toEqual([]);
  run.stopping = null;
  run.resync = { resyncId: "r", nodeIds: [], since: null, until: null, cursors: {}, finished: [] };
  reopenSources(plan, run, [NODE]);
  expect(run.sources).toEqual([]);
  run.resync = null;
  reopenSources(plan, run, [NODE]);
  expect(run.sources).toMatchObject([{ nodeId: NODE, next: "there", state: "waiting" }]);
});

test("a source that is closed drops what was read ahead and finishes its page", () => {
  const { state } = reading("next", [slotOf(null), slotOf(null, { requestId: 2 })]);
  stopReading(state);
  expect(state).toMatchObject({ slots: [], next: undefined });
  state.slots = [slotOf(null), slotOf(null, { requestId: 2 })];
  state.work = {
    stage: "resolving",
    seen: { records: [], seen: [], bad: [], warnings: [], isReplay: false, isCurrent: false, askedAt: 0 },
  };
  stopReading(state);
  expect(state.slots.map(({ requestId }) => requestId)).toEqual([1]);
});

describe("what an attempt without an answer did", () => {
  const delivery = {
    recordId: "r1",
    attempts: 1,
    wanted: 1,
    unanswered: { intent: "update" as const, written: [""] },
    record: { recordId: "r1", version: 2, values: { email: "a@example.com", name: "Ada" }, origin: {}, deleted: false },
    link: storedLink(),
  };
  /** What comes of a delivery that has been due for a second, where A was read that many milliseconds ago; null: not at all. */
  function claimed(readMsAgo: number | null): Effect["kind"][] {
    const { run, state, give } = reading(undefined);
    state.state = "done";
    state.readAt = readMsAgo === null ? null : NOW - readMsAgo;
    run.sinks = [
      {
        placeId: A,
        state: { stage: "claiming" },
        dirty: false,
        lacking: new Set(),
        refused: new Set(),
        loss: 0,
        operationMs: null,
      },
    ];
    const deliveries = [{ ...delivery, dueForMs: 1_000, writtenForMs: null }];
    const found = { deliveries, references: new Map(), nextAt: null };
    return give({ kind: "claimed", placeId: A, claimed: found }).map(({ kind }) => kind);
  }

  test("is read before anything is written over it: by a reading that began since the delivery fell due", () => {
    expect(claimed(null)).toEqual(["settle"]);
    expect(claimed(1_001), "read, but before").toEqual(["settle"]);
    expect(claimed(1_000)).not.toEqual(["settle"]);
    expect(claimed(0)).not.toEqual(["settle"]);
  });

  test("is not read by a reading that was asked for before and ended after", () => {
    const { state, give } = reading("0");
    const [asked] = reads(give({ kind: "start" }, NOW));
    const later = NOW + 60_000;
    const page = { records: [], cursor: "1", drained: true };
    give({ kind: "pageRead", nodeId: NODE, requestId: asked?.requestId ?? 0, page }, later);
    expect(state).toMatchObject({ state: "done", readAt: NOW });
  });
});

test("deletions that were held are taken up once, as unsure where they were asked for long before", () => {
  const released = (askedAt: number) => {
    const { run, state } = reading(undefined);
    state.deletions = { records: [{ id: "1", values: {}, deleted: true }], askedAt };
    const step = { plan, run, source, state, env: { now: NOW, newId: () => "id", random: () => 0.5 }, effects: [] };
    releaseDeletions(step);
    releaseDeletions(step);
    return state;
  };
  const { slots, deletions } = released(NOW);
  expect(slots).toMatchObject([{ isReplay: true, isUnsure: false, askedAt: NOW, page: { records: [{ id: "1" }] } }]);
  expect(deletions.records).toEqual([]);
  expect(released(0).slots).toMatchObject([{ isUnsure: true }]);
});
