/** A source's way through a cycle, step by step: pages looked up, decided and committed, and what is written down of them. */
import type { ReadPage, SourceRecord } from "@accord/connector-sdk";
import { describe, expect, test } from "vitest";
import { advance } from "../advance.ts";
import { seenFingerprint } from "../state/fingerprint.ts";
import type { Plan, SourcePlan } from "../plan/plan.ts";
import type { Effect, Input, SystemFailure } from "../protocol/protocol.ts";
import { newRun, type Run, type SourceRun } from "../run.ts";
import { newSourceRun, replaySlot } from "./source-reading.ts";
import { momentOf, NOW, resolvedWith, storedLink, storedRecord, twoSystems } from "../protocol/stored.fixtures.ts";
import type { CutKey } from "../protocol/match-requests.ts";
import type { CommitBatch, Resolved, Signal } from "../protocol/storage.ts";

const { plan: both, source } = twoSystems();
const NODE = source.nodeId;
const A = source.place.id;
const B = both.sinks[1]?.place.id ?? 0;
const failure: SystemFailure = { kind: "unavailable", message: "503", retryable: true, isSafeToRetry: true };
const person = (id: string, more: Partial<SourceRecord> = {}): SourceRecord => ({
  id,
  values: { email: `${id}@example.com`, name: id },
  ...more,
});
const pageOf = (records: SourceRecord[], more: Partial<ReadPage> = {}): ReadPage => ({
  records,
  cursor: "next",
  drained: true,
  ...more,
});

interface Options {
  plan?: Partial<Plan>;
  source?: Partial<SourcePlan>;
  mode?: SourceRun["mode"];
  resync?: Run["resync"];
  sinkPlaces?: number[];
}

/** A cycle that reads A, one input at a time. */
function cycle({
  plan: changed = {},
  source: change = {},
  mode = "changes",
  resync = null,
  sinkPlaces = [],
}: Options = {}) {
  const plan: Plan = {
    ...both,
    ...changed,
    sources: both.sources.map((one) => (one.nodeId === NODE ? { ...one, attach: [], ...change } : one)),
  };
  const state = newSourceRun(source, { mode, since: null, until: null, next: null, slots: [] });
  const start = { cycleId: "c", epoch: 1, sources: [], resync, failures: {} };
  const run = newRun(start, { sources: [state], unreadPlaces: [], sinkPlaces });
  let now = NOW;
  let ids = 0;
  const give = (input: Input): Effect[] =>
    advance(plan, run, input, { now, newId: () => `new${(ids += 1)}`, random: () => 0.5 }).effects;
  const ticketOf = (effects: readonly Effect[], kind: "read" | "resolve", index = 0): number => {
    const found = effects.filter((effect) => effect.kind === kind)[index];
    return found && "requestId" in found ? found.requestId : -1;
  };
  const read = (requestId: number, page: ReadPage): Effect[] =>
    give({ kind: "pageRead", nodeId: NODE, requestId, page });
  const resolve = (requestId: number, resolved: Partial<Resolved> = {}): Effect[] =>
    give({ kind: "resolved", nodeId: NODE, requestId, resolved: resolvedWith(resolved) });
  const committed = (signal: Signal = "none"): Effect[] =>
    give({ kind: "committed", nodeId: NODE, answer: { status: "done", signal } });
  const wait = (ms: number): void => void (now += ms);
  return { run, state, give, ticketOf, read, resolve, committed, wait };
}
const kindsOf = (effects: readonly Effect[]) => effects.map(({ kind }) => kind);
const batchOf = (effects: readonly Effect[]): CommitBatch | undefined =>
  effects.flatMap((effect) => (effect.kind === "commit" ? [effect.batch] : []))[0];
/** A cycle whose first page is there and looked up. */
function processed(page: ReadPage, resolved: Partial<Resolved> = {}, options: Options = {}) {
  const it = cycle(options);
  const requestId = it.ticketOf(it.give({ kind: "start" }), "read");
  const asked = it.read(requestId, page);
  const effects = it.resolve(it.ticketOf(asked, "resolve"), resolved);
  return { ...it, asked, effects };
}

describe("a page", () => {
  test("is looked up, decided, committed with where reading goes on, and counted", () => {
    const { asked, effects, run, state, committed } = processed(pageOf([person("A1"), person("A2")]));
    expect(kindsOf(asked)).toEqual(["resolve"]);
    expect(kindsOf(effects)).toEqual(["commit"]);
    expect(batchOf(effects)).toMatchObject({
      placeId: A,
      creates: [{ recordId: "new1" }, { recordId: "new2" }],
      position: { nodeId: NODE, cursor: "next", of: "changes", isComplete: true, read: 2 },
    });
    const [finish] = committed();
    expect(finish).toMatchObject({
      kind: "finish",
      summary: {
        outcome: "finished",
        counts: {
          read: { [NODE]: 2 },
          created: 2,
          updated: 0,
          deleted: 0,
          refused: 0,
          absorbed: 0,
          filtered: 0,
          quarantined: 0,
        },
        positions: [],
      },
    });
    expect(run.reached[NODE]).toBe("next");
    expect(state).toMatchObject({ state: "done", readAt: NOW, committedAt: NOW, uncommittedPages: 0 });
    expect(run.pages).toBe(1);
  });

  test("wakes those who have to learn of it, once it is committed", () => {
    const { run, effects, committed } = processed(pageOf([person("A1")]), {}, { sinkPlaces: [A, B] });
    for (const sink of run.sinks) Object.assign(sink, { dirty: false, state: { stage: "done" } });
    expect(batchOf(effects)?.deliveries).toEqual([
      { placeId: A, recordId: "new1", onlyIfOutstanding: true },
      { placeId: B, recordId: "new1", onlyIfOutstanding: false },
    ]);
    expect(kindsOf(committed())).toEqual(["claim", "claim"]);
    expect(run.sinks.map(({ state: { stage } }) => stage)).toEqual(["claiming", "claiming"]);
  });

  test("of which nothing has to be written is not committed, but its position is told in the end", () => {
    const known = { absorbed: new Set([0]) };
    const { effects, state } = processed(pageOf([person("A1")]), known);
    expect(effects).toMatchObject([
      {
        kind: "finish",
        summary: {
          counts: { absorbed: 1, read: { [NODE]: 1 } },
          positions: [{ nodeId: NODE, cursor: "next", isComplete: true }],
        },
      },
    ]);
    expect(state.uncommittedPages).toBe(1);
  });

  test("of which only is to be written that a source agrees again is committed", () => {
    const record = person("A1");
    const seen = seenFingerprint(source.program, source.place.readFields, record.values);
    const known = {
      links: new Map([["A1", storedLink({ seen })]]),
      records: new Map([["r1", storedRecord({ values: record.values })]]),
    };
    const authority = { ...both.authority, findsConflicts: true };
    const { effects } = processed(pageOf([record]), known, {
      plan: { sinks: [], authority },
      source: { isAlsoSink: false },
      mode: "all",
    });
    expect(kindsOf(effects)).toEqual(["commit"]);
    expect(batchOf(effects)).toMatchObject({ updates: [], links: [], ledger: [], deliveries: [] });
    expect(batchOf(effects)?.agreed).toContainEqual({ recordId: "r1", field: "name" });
  });

  test("that is empty is not even looked up", () => {
    const it = cycle();
    const effects = it.read(it.ticketOf(it.give({ kind: "start" }), "read"), pageOf([]));
    expect(kindsOf(effects)).toEqual(["finish"]);
    expect(it.run.reached[NODE]).toBe("next");
    const bad = cycle();
    const asked = bad.read(
      bad.ticketOf(bad.give({ kind: "start" }), "read"),
      pageOf([], { bad: [{ place: "line 1", message: "?" }] }),
    );
    expect(kindsOf(asked), "what can't be read is put aside").toEqual(["resolve"]);
    expect(batchOf(bad.resolve(bad.ticketOf(asked, "resolve")))?.quarantine).toHaveLength(1);
  });

  test("with nothing to write is written down all the same after twenty others, or three seconds", () => {
    const emptyPages = (count: number, ms: number): string[] => {
      const it = cycle();
      let effects = it.give({ kind: "start" });
      for (let index = 0; index < count; index += 1) {
        effects = it.read(it.ticketOf(effects, "read"), pageOf([], { cursor: `${index}`, drained: false }));
        it.wait(ms);
      }
      return kindsOf(it.read(it.ticketOf(effects, "read"), pageOf([], { cursor: "x", drained: false })));
    };
    expect(emptyPages(19, 0)).toEqual(["read"]);
    expect(emptyPages(20, 0)).toEqual(["read", "resolve"]);
    expect(emptyPages(1, 2_999)).toEqual(["read"]);
    expect(emptyPages(1, 3_000)).toEqual(["read", "resolve"]);
  });

  test("that was quarantined earlier gets reading nowhere", () => {
    const it = cycle();
    it.state.slots.push(replaySlot([person("A7")]));
    it.state.next = undefined;
    const asked = it.give({ kind: "start" });
    const batch = batchOf(it.resolve(it.ticketOf(asked, "resolve")));
    expect(batch).toMatchObject({ creates: [{ recordId: "new1" }], position: null });
    const [finish] = it.committed();
    expect(finish).toMatchObject({ kind: "finish" });
    expect(it.run.reached).toEqual({});
  });

  test("of a source that gives one a cycle is its last one; the rest stays unread", () => {
    const single = { source: { readMode: "single" as const } };
    const { effects, committed, state, run } = processed(pageOf([person("A1")], { drained: false }), {}, single);
    expect(batchOf(effects)?.position).toMatchObject({ isComplete: true, cursor: "next" });
    expect(kindsOf(committed())).toEqual(["finish"]);
    expect(state).toMatchObject({ state: "done", readAt: null });
    expect(run.reached[NODE]).toBe("next");
    const whole = processed(pageOf([person("A1")], { drained: false }), {}, { ...single, mode: "all" });
    expect(kindsOf(whole.committed()), "all is read again").toEqual([]);
    expect(whole.state.state).toBe("open");
  });

  test("in the middle of others is not the end", () => {
    const { effects, asked, committed, state, run } = processed(pageOf([person("A1")], { drained: false }));
    expect(batchOf(effects)?.position).toMatchObject({ isComplete: false });
    expect(kindsOf(asked)).toEqual(["read", "resolve"]);
    expect(kindsOf(committed())).toEqual([]);
    expect([state.state, state.readAt, run.reached[NODE]]).toEqual(["open", null, undefined]);
  });
});

describe("the last page of a reading of changes", () => {
  const knownUntil = (page: Partial<ReadPage>, options: Options = {}) => {
    const { effects } = processed(pageOf([person("A1")], page), {}, options);
    return batchOf(effects)?.position?.knownUntil;
  };
  const delay = { source: { readMode: "drain" as const, readDelayMs: 2_000 } };

  test("brought what was done before the reading began, as far as the system showed it by then", () => {
    expect(knownUntil({}, delay)).toBe(new Date(NOW - 2_000).toISOString());
  });

  test.each<[string, Partial<ReadPage>, Options]>([
    ["a page with others behind it", { drained: false }, delay],
    ["a list whose rest was put off", { isPutOff: true }, delay],
    ["a page with others behind it, of a list whose rest was put off", { drained: false, isPutOff: true }, delay],
    ["a source that gives one page a cycle", {}, { source: { ...delay.source, readMode: "single" } }],
    ["a reading of everything", {}, { ...delay, mode: "all" }],
  ])("%s says nothing of that", (_name, page, options) => {
    expect(knownUntil(page, options)).toBeUndefined();
  });
});

describe("a resync", () => {
  const resync = () => ({ resyncId: "r", nodeIds: [NODE], since: null, until: null, cursors: {}, finished: [] });

  test("has its own position, absorbs nothing, and is through when its sources are", () => {
    const it = processed(pageOf([person("A1")]), {}, { mode: "all", resync: resync() });
    expect(it.asked).toMatchObject([{ kind: "resolve", request: { absorb: false } }]);
    expect(batchOf(it.effects)?.position).toMatchObject({ of: "resync" });
    expect(it.committed()).toMatchObject([{ kind: "finish", summary: { resync: { done: true, finished: [NODE] } } }]);
  });

  test("gives others a turn after a hundred pages, not on its last", () => {
    const stoppedAfter = (pages: number, drained: boolean) => {
      const it = processed(pageOf([person("A1")], { drained }), {}, { mode: "all", resync: resync() });
      it.run.pages = pages;
      it.committed();
      return it.run.stopping;
    };
    expect([stoppedAfter(98, false), stoppedAfter(99, false), stoppedAfter(99, true)]).toEqual([
      null,
      "timeSlice",
      null,
    ]);
    const live = processed(pageOf([person("A1")], { drained: false }));
    live.run.pages = 500;
    live.committed();
    expect(live.run.stopping).toBeNull();
  });
});

describe("pages behind the first", () => {
  /** Three pages, of which the first is being looked up. */
  function three(second: SourceRecord[], options: Options = {}) {
    const it = cycle(options);
    const first = it.ticketOf(it.give({ kind: "start" }), "read");
    const effects = it.read(first, pageOf([person("A1")], { drained: false, cursor: "1" }));
    const more = it.read(it.ticketOf(effects, "read"), pageOf(second, { drained: true, cursor: "2" }));
    return {
      ...it,
      effects,
      more,
      firstResolve: it.ticketOf(effects, "resolve"),
      secondResolve: it.ticketOf(more, "resolve"),
    };
  }

  test("are looked up, decided and made ready meanwhile", () => {
    const it = three([person("A2")]);
    expect(kindsOf(it.more)).toEqual(["resolve"]);
    expect(kindsOf(it.resolve(it.secondResolve))).toEqual(["prepare"]);
    expect(batchOf(it.resolve(it.firstResolve))).toMatchObject({ creates: [{ values: { name: "A1" } }] });
    const next = it.committed();
    expect(kindsOf(next)).toEqual(["commit"]);
    expect(batchOf(next)).toMatchObject({
      creates: [{ values: { name: "A2" } }],
      position: { cursor: "2", isComplete: true },
    });
    expect(kindsOf(it.committed())).toEqual(["finish"]);
  });

  test("are looked up two at a time, where the first comes last and they are too large to be joined", () => {
    const it = cycle();
    const large = (name: string, more: Partial<ReadPage>): ReadPage =>
      pageOf(
        Array.from({ length: 1_100 }, (_, index) => person(`${name}${index}`)),
        more,
      );
    const first = it.ticketOf(it.give({ kind: "start" }), "read");
    const begun = it.read(first, pageOf([], { drained: false, cursor: "1", ahead: ["1", "2", "3", "4"] }));
    const [a, b, c, d] = [0, 1, 2, 3].map((index) => it.ticketOf(begun, "read", index));
    it.read(d ?? -1, large("D", { drained: true, cursor: "5" }));
    it.read(c ?? -1, large("C", { drained: false, cursor: "4" }));
    it.read(b ?? -1, large("B", { drained: false, cursor: "3" }));
    const effects = it.read(a ?? -1, large("A", { drained: false, cursor: "2" }));
    const asked = effects.flatMap((effect) => (effect.kind === "resolve" ? [effect.requestId] : []));
    expect(asked).toEqual([a, b, c]);
  });

  test("are not, while a page before them is yet to come: it may hold the same records", () => {
    const it = cycle();
    const first = it.ticketOf(it.give({ kind: "start" }), "read");
    const begun = it.read(first, pageOf([person("A1")], { drained: false, cursor: "1", ahead: ["1", "2"] }));
    expect(kindsOf(begun)).toEqual(["read", "read", "resolve"]);
    const [second, third] = [0, 1].map((index) => it.ticketOf(begun, "read", index));
    expect(kindsOf(it.read(third ?? -1, pageOf([person("A3")], { cursor: "3" })))).toEqual([]);
    const more = it.read(second ?? -1, pageOf([person("A2"), person("A3")], { drained: false, cursor: "2" }));
    expect(kindsOf(more), "both pages as one").toEqual(["resolve"]);
    it.resolve(it.ticketOf(begun, "resolve"));
    it.resolve(it.ticketOf(more, "resolve"));
    expect(batchOf(it.committed())?.links.map(({ externalId }) => externalId)).toEqual(["A2", "A3"]);
  });

  test("are not, where they hold a record of a page before, nothing, or names of others", () => {
    expect(kindsOf(three([person("A1")]).more)).toEqual([]);
    expect(kindsOf(three([]).more)).toEqual([]);
    const reference = { connectorId: "A", entity: "contact" };
    const naming = { mappings: source.mappings.map((mapping) => ({ ...mapping, reference })) };
    expect(kindsOf(three([person("A2")], { source: naming }).more)).toEqual([]);
  });

  test("leave out a record that has to be asked for, once it was: nobody asks for it again", () => {
    const it = three([person("A2"), person("A3")]);
    const gone = {
      links: new Map([["A2", storedLink({ externalId: "A2", dead: true })]]),
      deadSince: new Map([["A2", NOW - 60_000]]),
      records: new Map([["r1", storedRecord({ deleted: true })]]),
    };
    expect(kindsOf(it.resolve(it.secondResolve, gone)), "it may be back").toEqual([]);
    it.resolve(it.firstResolve);
    expect(it.committed()).toMatchObject([{ kind: "getById", ids: ["A2"] }]);
    const replayed = it.give({ kind: "gotById", nodeId: NODE, records: [person("A2")] });
    const asked = (effects: readonly Effect[]) =>
      effects
        .flatMap((effect) => (effect.kind === "resolve" ? effect.request.records : []))
        .map((one) => one.externalId);
    expect(asked(replayed)).toEqual(["A2", "A3"]);
    it.resolve(it.ticketOf(replayed, "resolve"));
    const others = it.ticketOf(replayed, "resolve", 1);
    it.resolve(others);
    expect(batchOf(it.committed())?.links.map(({ externalId }) => externalId)).toEqual(["A3"]);
  });

  test("go on from as far as they got", () => {
    const it = three([person("A2")]);
    it.resolve(it.firstResolve);
    expect(kindsOf(it.committed()), "its look-up is under way").toEqual([]);
    expect(kindsOf(it.resolve(it.secondResolve))).toEqual(["commit"]);
  });
});

describe("a commit", () => {
  test("that met somebody else's change is decided anew from the start, twenty times", () => {
    const { give, run, state, resolve, ticketOf } = processed(pageOf([person("A1")]));
    const conflict: Input = { kind: "committed", nodeId: NODE, answer: { status: "conflict" } };
    for (let index = 0; index < 20; index += 1) {
      const again = give(conflict);
      expect(again).toMatchObject([{ kind: "resolve", nodeId: NODE, request: { absorb: true } }]);
      expect(kindsOf(resolve(ticketOf(again, "resolve")))).toEqual(["commit"]);
    }
    expect(run.counts.created).toBe(0);
    expect(give(conflict)).toMatchObject([
      { kind: "finish", summary: { outcome: "failed", problems: [{ code: "conflict" }] } },
    ]);
    expect(state).toMatchObject({ state: "failed", slots: [] });
  });

  test("begins to count conflicts anew with each page", () => {
    const it = processed(pageOf([person("A1")], { drained: false }));
    it.give({ kind: "committed", nodeId: NODE, answer: { status: "conflict" } });
    expect(it.state.conflicts).toBe(1);
    it.resolve(it.state.slots[0]?.requestId ?? -1);
    it.committed();
    expect(it.state.conflicts).toBe(0);
  });

  test("tells what people want meanwhile; of two words the first counts; a lost pipeline is let go", () => {
    expect(processed(pageOf([person("A1")], { drained: false })).committed("pause")).toMatchObject([
      { kind: "finish", summary: { outcome: "paused" } },
    ]);
    const cancelled = processed(pageOf([person("A1")], { drained: false }));
    cancelled.run.stopping = "cancelResync";
    expect(cancelled.committed("pause")).toMatchObject([{ kind: "finish", summary: { outcome: "cancelled" } }]);
    const lost = processed(pageOf([person("A1")]));
    expect(lost.give({ kind: "committed", nodeId: NODE, answer: { status: "lost" } })).toMatchObject([
      { kind: "finish", summary: { outcome: "lost", counts: { created: 0 } } },
    ]);
  });

  test("nobody waits for changes nothing", () => {
    const it = cycle();
    it.give({ kind: "start" });
    expect(it.committed()).toEqual([]);
    expect(it.resolve(99)).toEqual([]);
    expect(it.give({ kind: "matched", nodeId: NODE, candidates: [] })).toEqual([]);
    expect(it.give({ kind: "requestFailed", nodeId: NODE, placeId: null, failure })).toEqual([]);
    expect(it.give({ kind: "committed", nodeId: "nobody", answer: { status: "done", signal: "pause" } })).toEqual([]);
    expect(it.state.state).toBe("open");
  });
});

describe("a flood of records that fail", () => {
  const flooded = (quarantined: number, read: number, failedBefore = 0) => {
    const it = processed(pageOf([person("A1")], { drained: false }));
    Object.assign(it.run, { failedBefore, counts: { ...it.run.counts, quarantined } });
    it.run.counts.read["other"] = read - 1;
    it.committed();
    return it.run.stopping;
  };

  test("stops the pipeline where they are more than five hundred, and most of what is read", () => {
    expect([flooded(501, 1_001), flooded(500, 900), flooded(501, 1_002)]).toEqual(["tooManyFailures", null, null]);
    expect([flooded(9_501, 1_001, 9_000), flooded(9_500, 1, 9_000)], "of this cycle").toEqual([
      "tooManyFailures",
      null,
    ]);
    const it = processed(pageOf([person("A1")], { drained: false }));
    it.run.counts.quarantined = 600;
    expect(it.committed()).toMatchObject([
      {
        kind: "finish",
        summary: {
          outcome: "failed",
          problems: [{ severity: "error", nodeId: NODE, code: "too_many_failures", detail: null }],
        },
      },
    ]);
  });
});

describe("a path that asks", () => {
  const asking: Partial<SourcePlan> = {
    path: (page) => ({
      state: "suspended",
      dataRequests: [],
      resume: () => ({ state: "completed", completed: page, deferredActions: [], executedActions: [] }),
    }),
  };

  test("is gone on with once there are answers", () => {
    const it = processed(pageOf([person("A1")]), {}, { source: asking });
    expect(it.effects).toEqual([{ kind: "ask", nodeId: NODE, placeId: null, dataRequests: [] }]);
    expect(kindsOf(it.give({ kind: "answered", nodeId: NODE, placeId: null, answers: [] }))).toEqual(["commit"]);
  });

  test("that gets no answer ends the source's turn: its page is read again in a later cycle", () => {
    const it = processed(pageOf([person("A1")], { drained: false }), {}, { source: asking });
    expect(it.give({ kind: "requestFailed", nodeId: NODE, placeId: null, failure })).toMatchObject([
      { kind: "finish", summary: { outcome: "failed", problems: [{ nodeId: NODE, message: "503" }] } },
    ]);
    expect(it.state).toMatchObject({ state: "failed", slots: [], work: { stage: "idle" } });
    expect(it.run.reached).toEqual({});
    expect(it.run.failures[A]).toMatchObject({ attempts: 1 });
  });

  test("is not asked ahead of its turn", () => {
    const it = cycle({ source: asking });
    const effects = it.read(
      it.ticketOf(it.give({ kind: "start" }), "read"),
      pageOf([person("A1")], { drained: false }),
    );
    const more = it.read(it.ticketOf(effects, "read"), pageOf([person("A2")]));
    expect(kindsOf(it.resolve(it.ticketOf(more, "resolve")))).toEqual([]);
  });
});

test("a record that is tried again is taken as it was when it was quarantined: what was read of it since stays", () => {
  const tried = (modifiedAt: string) => {
    const it = cycle();
    it.state.slots.push(replaySlot([person("A1", { modifiedAt })], { askedAt: NOW }));
    const asked = it.give({ kind: "start" });
    const links = new Map([["A1", storedLink({ modifiedAt: momentOf(5) })]]);
    const records = new Map([["r1", storedRecord()]]);
    return batchOf(it.resolve(it.ticketOf(asked, "resolve"), { links, records }))?.updates ?? [];
  };
  expect(tried(momentOf(6))).toMatchObject([{ recordId: "r1", values: { name: "A1" } }]);
  expect(tried(momentOf(4))).toEqual([]);
});

describe("a system that is read again", () => {
  const problem = { severity: "error" as const, nodeId: NODE, code: "unavailable", message: "503", detail: null };

  test("works again, unless it was its writes that failed", () => {
    for (const [isOfWrites, left] of [
      [false, 0],
      [true, 1],
    ] as const) {
      const it = cycle();
      it.run.failures[A] = { attempts: 1, since: 0, nextAt: 0, problem, ...(isOfWrites ? { isOfWrites } : {}) };
      it.read(it.ticketOf(it.give({ kind: "start" }), "read"), pageOf([person("A1")]));
      expect(Object.keys(it.run.failures)).toHaveLength(left);
    }
  });

  test("whose turn came again while it was read is read once more", () => {
    const it = processed(pageOf([person("A1")]));
    it.give({ kind: "sourcesDue", nodeIds: [NODE] });
    expect(it.committed()).toMatchObject([{ kind: "read", cursor: "next" }]);
    expect(it.state.isDueAgain).toBe(false);
  });
});

test("a deleted record takes its core record along, and those who hold it learn of it", () => {
  const gone = pageOf([person("A1", { deleted: true })]);
  const known = { links: new Map([["A1", storedLink()]]), records: new Map([["r1", storedRecord()]]) };
  const deleting = processed(gone, known);
  expect(batchOf(deleting.effects)).toMatchObject({
    updates: [{ recordId: "r1", expectedVersion: 3, deleted: true }],
    links: [{ externalId: "A1", dead: true, isNew: false }],
    ledger: [{ recordId: "r1", operation: "delete", externalId: "A1" }],
    deliveries: [
      { placeId: B, recordId: "r1" },
      { placeId: A, recordId: "r1", onlyIfOutstanding: true },
    ],
  });
  expect(deleting.committed()).toMatchObject([{ summary: { counts: { deleted: 1, updated: 0, created: 0 } } }]);
});

describe("a value that can't be stored", () => {
  /** Refuses every batch that creates the record of one of these external ids; answers what was committed instead. */
  function refusing(ids: readonly string[], page: ReadPage, options: Options = {}) {
    const it = processed(page, {}, options);
    const kept: CommitBatch[] = [];
    const queue = [...it.effects];
    const finished: Effect[] = [];
    for (let effect = queue.shift(); effect; effect = queue.shift()) {
      if (effect.kind === "resolve") queue.push(...it.resolve(effect.requestId));
      else if (effect.kind === "finish") finished.push(effect);
      else if (effect.kind === "commit") {
        const isRefused = effect.batch.links.some(({ externalId }) => ids.includes(externalId));
        if (!isRefused) kept.push(effect.batch);
        const refusal = { kind: "unstorable", nodeId: NODE, reason: "Email is too long." } as const;
        queue.push(...(isRefused ? it.give(refusal) : it.committed()));
      }
    }
    return { ...it, kept, effects: finished };
  }

  test("puts its record aside, and the others of its page are stored in their order; reading gets on with the last part", () => {
    const people = ["A1", "A2", "A3", "A4", "A5"].map((id) => person(id));
    const { run, kept, effects } = refusing(["A2"], pageOf(people));
    expect(kept.flatMap(({ links }) => links.map(({ externalId }) => externalId))).toEqual(["A1", "A3", "A4", "A5"]);
    expect(kept.flatMap(({ quarantine }) => quarantine)).toEqual([
      {
        direction: "source",
        externalId: "A2",
        recordId: null,
        nodeId: NODE,
        code: "unstorable",
        message: "Email is too long.",
        payload: people[1]?.values,
      },
    ]);
    expect(kept.map(({ position }) => position?.cursor ?? null)).toEqual([null, null, "next"]);
    expect(run.counts).toMatchObject({ read: { [NODE]: 5 }, created: 4, quarantined: 1 });
    expect(run.problems).toMatchObject([{ severity: "warning", code: "unstorable", count: 1 }]);
    expect(effects).toMatchObject([{ kind: "finish", summary: { outcome: "finished" } }]);
  });

  test("in each of several records puts those aside alone", () => {
    const { run, kept } = refusing(["A1", "A4"], pageOf(["A1", "A2", "A3", "A4"].map((id) => person(id))));
    expect(kept.flatMap(({ quarantine }) => quarantine.map(({ externalId }) => externalId))).toEqual(["A1", "A4"]);
    expect(run.counts).toMatchObject({ read: { [NODE]: 4 }, created: 2, quarantined: 2 });
  });

  test("keeps versions of one record together, and a source that gives one page a cycle gives all of it", () => {
    const page = pageOf([person("A1"), person("A2"), person("A1", { values: { name: "later" } })], { drained: false });
    const { kept, run } = refusing(["A2"], page, { source: { readMode: "single" } });
    expect(kept.map(({ creates }) => creates.map(({ values }) => values["name"]))).toEqual([["later"], []]);
    expect(run.reached[NODE]).toBe("next");
  });

  test("that is of no record ends the cycle with the reason", () => {
    const it = processed(pageOf([], { bad: [{ place: "line 1", message: "broken" }] }));
    expect(() => it.give({ kind: "unstorable", nodeId: NODE, reason: "too long" })).toThrow("too long");
  });

  test("is found before anything is written where records are compared", () => {
    const it = processed(pageOf([person("A1")]), {}, { source: { attach: source.attach } });
    expect(kindsOf(it.effects)).toEqual(["match"]);
    const [again] = it.give({ kind: "unstorable", nodeId: NODE, reason: "out of range" });
    const batch = batchOf(it.resolve(again?.kind === "resolve" ? again.requestId : -1));
    expect(batch?.quarantine).toMatchObject([{ externalId: "A1", message: "out of range" }]);
    expect(batch?.creates).toEqual([]);
  });
});

describe("a page that asks for more stored records than one may load", () => {
  /** Answers each match request as storage does that has room for the candidates of `room` records. */
  function matching(room: number, page: ReadPage, cut: readonly CutKey[] = []) {
    const it = processed(page, {}, { source: { attach: source.attach } });
    const asked: string[][] = [];
    const batches: CommitBatch[] = [];
    const queue = [...it.effects];
    for (let effect = queue.shift(); effect; effect = queue.shift()) {
      if (effect.kind === "resolve") queue.push(...it.resolve(effect.requestId));
      if (effect.kind === "commit") {
        batches.push(effect.batch);
        queue.push(...it.committed());
      }
      if (effect.kind !== "match") continue;
      const keys = effect.request.fields.flatMap((one) => one.keys.map(String));
      asked.push(keys);
      const isFull = keys.length > room;
      queue.push(...it.give({ kind: "matched", nodeId: NODE, candidates: [], cut, isFull }));
    }
    return { run: it.run, asked, batches };
  }
  const people = ["A1", "A2", "A3"].map((id) => person(id));

  test("goes on in halves, so that each of its records is compared with all it has to be", () => {
    const { run, asked, batches } = matching(1, pageOf(people));
    expect(asked.map((keys) => keys.length)).toEqual([3, 1, 2, 1, 1]);
    expect(batches.flatMap(({ creates }) => creates.map(({ values }) => values["name"]))).toEqual(["A1", "A2", "A3"]);
    expect(batches.flatMap(({ quarantine }) => quarantine)).toEqual([]);
    expect(batches.map(({ position }) => position?.cursor ?? null)).toEqual([null, null, "next"]);
    expect(run.counts).toMatchObject({ read: { [NODE]: 3 }, created: 3, quarantined: 0 });
  });

  test("quarantines a record that asks for more all by itself, and says why", () => {
    const cut = [{ entry: 0, key: 0, lastId: null }];
    const { run, asked, batches } = matching(0, pageOf(people.slice(0, 1)), cut);
    expect(asked).toHaveLength(1);
    expect(batches).toMatchObject([{ creates: [], quarantine: [{ externalId: "A1", code: "too_many_candidates" }] }]);
    expect(run.problems).toMatchObject([{ severity: "warning", code: "too_many_candidates", count: 1 }]);
  });
});
