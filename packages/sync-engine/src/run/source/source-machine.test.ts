/** A source's way through a cycle, step by step: pages looked up, decided and committed, and what is written down of them. */
import type { ReadPage } from "@accord/connector-sdk";
import { describe, expect, test } from "vitest";
import { seenFingerprint } from "../state/fingerprint.ts";
import type { SourcePlan } from "../plan/plan.ts";
import { replaySlot } from "./source-reading.ts";
import { momentOf, NOW, storedLink, storedRecord } from "../protocol/fixtures/stored.ts";
import {
  both,
  source,
  NODE,
  failure,
  person,
  pageOf,
  type Options,
  cycle,
  kindsOf,
  batchOf,
  processed,
} from "./fixtures/source-machine.ts";

const A = source.place.id;

const B = both.sinks[1]?.place.id ?? 0;

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
