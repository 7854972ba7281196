/** What a cycle begins with, what it says of itself in the end, and what a person's word does to it. */
import { describe, expect, test } from "vitest";
import { FakeSystem, PLAIN_TRAITS, PipelineDriver, planFor } from "@accord/sync-simulation/testing";
import { advance, beginRun } from "./advance.ts";
import type { CycleSummary, Effect, Input, ResyncStart, RunStart, SourceStart } from "./protocol/protocol.ts";
import type { Run } from "./run.ts";

const plan = planFor([new FakeSystem("A", PLAIN_TRAITS), new FakeSystem("B", PLAIN_TRAITS)], "NONE");
const [A, B] = ["source-A", "source-B"];
const sourceStart = (nodeId: string, more: Partial<SourceStart> = {}): SourceStart => ({
  nodeId,
  cursor: null,
  isComplete: true,
  since: null,
  due: true,
  replay: [],
  ...more,
});
const resync: ResyncStart = {
  resyncId: "r",
  nodeIds: [A!, B!],
  since: "2026",
  until: "2027",
  cursors: { [B!]: "b5" },
  finished: [A!],
};
const startOf = (more: Partial<RunStart> = {}): RunStart => ({
  cycleId: "c",
  epoch: 1,
  sources: [sourceStart(A!), sourceStart(B!)],
  resync: null,
  failures: {},
  ...more,
});
const give = (run: Run, input: Input): Effect[] =>
  advance(plan, run, input, { now: 1_000, newId: () => "id", random: () => 0.5 }).effects;
const summaryOf = (effects: readonly Effect[]): CycleSummary | undefined =>
  effects.flatMap((effect) => (effect.kind === "finish" ? [effect.summary] : []))[0];

describe("a cycle", () => {
  test("reads the sources whose turn it is, each from where it stands, records to try again first", () => {
    const replay = [{ id: "7", values: {} }];
    const sources = [
      sourceStart(A!, { due: false, cursor: "a1" }),
      sourceStart(B!, { cursor: "b1", since: "2026", replay }),
    ];
    const run = beginRun(plan, startOf({ sources }));
    expect(run.sources).toMatchObject([
      {
        nodeId: B,
        mode: "changes",
        next: "b1",
        since: "2026",
        until: null,
        state: "waiting",
        slots: [{ isReplay: true, page: { records: replay } }],
      },
    ]);
    expect(run.reached).toEqual({ [A!]: "a1", [B!]: "b1" });
    expect(beginRun(plan, startOf({ sources: [sourceStart(A!)] })).sources, "nothing is said of B").toMatchObject([
      { nodeId: A, slots: [] },
    ]);
  });

  test("knows which places nobody has read through yet", () => {
    expect(beginRun(plan, startOf()).unreadPlaces).toEqual([]);
    expect(
      beginRun(plan, startOf({ sources: [sourceStart(A!), sourceStart(B!, { isComplete: false })] })).unreadPlaces,
    ).toEqual([2]);
  });

  test("of a resync reads what is left of it, from where that stands, and nothing that waits to be tried again", () => {
    const sources = [
      sourceStart(A!, { due: false }),
      sourceStart(B!, { due: false, cursor: "b1", replay: [{ id: "7", values: {} }] }),
    ];
    expect(beginRun(plan, startOf({ sources, resync })).sources).toMatchObject([
      { nodeId: B, mode: "all", next: "b5", since: "2026", until: "2027", slots: [] },
    ]);
    const whole = { ...resync, finished: [], cursors: {}, nodeIds: [A!] };
    expect(beginRun(plan, startOf({ resync: whole })).sources).toMatchObject([{ nodeId: A, next: null }]);
  });

  test("reads one source after the other", () => {
    const run = beginRun(plan, startOf());
    expect(give(run, { kind: "start" }).map((effect) => "nodeId" in effect && effect.nodeId)).toEqual([A]);
    expect(run.sources.map(({ state }) => state)).toEqual(["open", "waiting"]);
  });

  test("with nothing to do claims what is outstanding, then ends; after that nothing more comes of it", () => {
    const run = beginRun(plan, startOf({ sources: [] }));
    const claims = give(run, { kind: "start" });
    expect(claims.map((effect) => effect.kind === "claim" && effect.placeId)).toEqual([1, 2]);
    const claimed = { deliveries: [], references: new Map(), nextAt: null };
    expect(give(run, { kind: "claimed", placeId: 1, claimed: { ...claimed, nextAt: 9_000 } })).toEqual([]);
    const summary = summaryOf(give(run, { kind: "claimed", placeId: 2, claimed }));
    // Where a place is read too, the next cycle begins late enough to read it first.
    expect(summary).toMatchObject({ outcome: "finished", nextAt: 9_500, resync: null, positions: [], problems: [] });
    expect(give(run, { kind: "start" })).toEqual([]);
  });

  test("of a resync tells nobody what is read too, and says what is through", () => {
    const run = beginRun(plan, startOf({ sources: [], resync: { ...resync, nodeIds: [A!] } }));
    expect(summaryOf(give(run, { kind: "start" }))).toMatchObject({
      resync: { resyncId: "r", done: true, finished: [A] },
    });
    const open = beginRun(plan, startOf({ resync }));
    expect(summaryOf(give(open, { kind: "signal", signal: "cancelResync" }))).toMatchObject({
      outcome: "cancelled",
      resync: { done: false, finished: [A] },
    });
  });

  test("at its end names the sources that were read to their end, and those alone", () => {
    const run = beginRun(plan, startOf());
    for (const source of run.sources)
      Object.assign(source, { state: "done", readAt: source.nodeId === B ? 900 : null });
    run.stopping = "pause";
    expect(summaryOf(give(run, { kind: "start" }))?.readThrough).toEqual([B]);
  });
});

describe("a word meanwhile", () => {
  test.each([
    ["pause", "paused"],
    ["cancelResync", "cancelled"],
  ] as const)("%s ends the cycle before anything is begun, and it is %s", (signal, outcome) => {
    const run = beginRun(plan, startOf());
    expect(summaryOf(give(run, { kind: "signal", signal }))).toMatchObject({ outcome });
  });

  test("that nothing is wanted changes nothing; of two the first counts", () => {
    const run = beginRun(plan, startOf());
    expect(give(run, { kind: "signal", signal: "none" }).map(({ kind }) => kind)).toContain("read");
    give(run, { kind: "signal", signal: "pause" });
    give(run, { kind: "signal", signal: "cancelResync" });
    expect(run.stopping).toBe("pause");
  });

  test("that the lease is lost ends it at once, without a position", () => {
    const run = beginRun(plan, startOf());
    give(run, { kind: "start" });
    const [state] = run.sources;
    if (state) state.uncommittedPosition = { nodeId: A!, cursor: "a9", of: "changes" };
    const effects = give(run, { kind: "leaseLost" });
    expect(effects).toHaveLength(1);
    expect(summaryOf(effects)).toMatchObject({ outcome: "lost", positions: [] });
    const page = { records: [{ id: "1", values: {} }], cursor: "1", drained: true };
    const late: Input[] = [
      { kind: "pageRead", nodeId: A!, requestId: 1, page },
      { kind: "leaseLost" },
      { kind: "start" },
    ];
    expect(
      late.flatMap((input) => give(run, input)),
      "what comes later is of no account",
    ).toEqual([]);
  });

  test("that a system failed makes it a failure, a warning does not; nor is a slice of a resync one", () => {
    const ended = (change: (run: Run) => void): string | undefined => {
      const run = beginRun(plan, startOf());
      run.stopping = "timeSlice";
      change(run);
      return summaryOf(give(run, { kind: "start" }))?.outcome;
    };
    const problem = { nodeId: null, code: "x", message: "", detail: null };
    expect(ended(() => {})).toBe("finished");
    expect(ended((run) => run.problems.push({ severity: "warning", ...problem }))).toBe("finished");
    expect(ended((run) => run.problems.push({ severity: "error", ...problem }))).toBe("failed");
    expect(ended((run) => (run.stopping = "tooManyFailures"))).toBe("failed");
  });
});

test("a system that has news while it is written is read once the writes under way are answered", () => {
  const driver = new PipelineDriver({ systems: [{}, {}] });
  driver.settle();
  driver.system("A").insert({ email: "ada@example.com", name: "Ada" }, driver.now);
  driver.answer = (_, system) => {
    if (system.name === "B") driver.interrupt = { kind: "sourcesDue", nodeIds: [B!] };
    return null;
  };
  // The driver throws where a system is read and written at once.
  const { counts } = driver.cycle();
  expect(counts.read[B!], "what was written there is read").toBe(1);
});
