/** Pages read ahead, what is written down of them, and when a flood of failures stops the cycle. */
import type { ReadPage, SourceRecord } from "@accord/connector-sdk";
import { describe, expect, test } from "vitest";
import type { Effect, Input } from "../protocol/protocol.ts";
import { NOW, storedLink, storedRecord } from "../protocol/fixtures/stored.ts";
import { replaySlot } from "./source-reading.ts";
import {
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

describe("pages behind the first", () => {
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

  test("are looked up whole where all is read again, else without what has not changed", () => {
    const requests = (effects: readonly Effect[]) =>
      effects.flatMap((effect) => (effect.kind === "resolve" ? [effect.request.absorb] : []));
    expect(requests(three([person("A2")]).more)).toEqual([true]);
    expect(requests(three([person("A2")], { mode: "all" }).more)).toEqual([false]);
  });

  test("that are there when the first one comes are worked on with it, as one", () => {
    const it = cycle();
    const first = it.ticketOf(it.give({ kind: "start" }), "read");
    const begun = it.read(first, pageOf([], { drained: false, cursor: "1", ahead: ["1", "2"] }));
    it.read(it.ticketOf(begun, "read", 1), pageOf([person("A2")], { cursor: "3" }));
    const effects = it.read(it.ticketOf(begun, "read", 0), pageOf([person("A1")], { drained: false, cursor: "2" }));
    expect(effects).toMatchObject([
      { kind: "resolve", request: { records: [{ externalId: "A1" }, { externalId: "A2" }] } },
    ]);
    expect(it.run.counts.read).toEqual({ [NODE]: 2 });
    expect(batchOf(it.resolve(it.ticketOf(effects, "resolve")))?.position).toMatchObject({
      cursor: "3",
      isComplete: true,
    });
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
    const [first, ...others] = source.mappings;
    if (!first) throw new Error("nothing is mapped");
    const naming = { mappings: [{ ...first, reference }, ...others] };
    expect(kindsOf(three([person("A2")], { source: naming }).more)).toEqual([]);
  });

  test("are sent down their path once, those too that are to be matched when their turn comes", () => {
    const pages: unknown[] = [];
    const path: typeof source.path = (page, env) => {
      pages.push(page.map(({ source: from }) => from?.externalId));
      return source.path(page, env);
    };
    const it = three([person("A2")], { source: { attach: source.attach, path } });
    expect(kindsOf(it.resolve(it.secondResolve)), "it is matched in its turn").toEqual([]);
    expect(kindsOf(it.resolve(it.firstResolve))).toEqual(["match"]);
    it.give({ kind: "matched", nodeId: NODE, candidates: [] });
    expect(kindsOf(it.committed())).toEqual(["match"]);
    const written = it.give({ kind: "matched", nodeId: NODE, candidates: [] });
    expect(batchOf(written)).toMatchObject({ creates: [{ values: { name: "A2" } }] });
    expect(pages).toEqual([["A2"], ["A1"]]);
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

  test("that was not needed leaves its position to be told, also behind a page that has none", () => {
    const it = processed(pageOf([person("A1")], { drained: false, cursor: "1" }), { absorbed: new Set([0]) });
    expect(it.state.uncommittedPosition).toMatchObject({ cursor: "1" });
    it.state.slots.unshift(replaySlot([]));
    it.resolve(99);
    expect([it.run.pages, it.state.uncommittedPages]).toEqual([2, 2]);
    expect(it.state.uncommittedPosition).toMatchObject({ cursor: "1", isComplete: false });
    expect(it.run.reached, "reading is not through").toEqual({});
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
    const looking = three([person("A2")]);
    expect(looking.give({ kind: "unstorable", nodeId: NODE, reason: "too long" })).toEqual([]);
    expect(looking.state.work.stage, "nothing was decided yet").toBe("resolving");
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
