/** A destination's way through a cycle, step by step: what is asked of the world after each answer. */
import type { SourceRecord, WriteOutcome } from "@accord/connector-sdk";
import { describe, expect, test } from "vitest";
import { lossIn, writtenFingerprint } from "../state/fingerprint.ts";
import type { SinkPlan } from "../plan/plan.ts";
import type { Effect, Input } from "../protocol/protocol.ts";
import { claimedOf, NOW, storedLink } from "../protocol/fixtures/stored.ts";
import type { ClaimedDelivery } from "../protocol/storage.ts";
import {
  sink,
  A,
  failure,
  seen,
  delivery,
  type Options,
  cycle,
  settlements,
  sending,
  done,
} from "./fixtures/sink-machine.ts";

describe("a destination", () => {
  test("claims, writes its intents down, sends, settles, and looks for more", () => {
    const it = cycle();
    expect(it.give({ kind: "start" })).toMatchObject([
      { kind: "claim", placeId: A, request: { placeId: A, limit: 3 } },
    ]);
    expect(it.state).toMatchObject({ dirty: false, state: { stage: "claiming" } });
    expect(it.give(it.claimed(delivery()))).toMatchObject([
      { kind: "intend", placeId: A, intents: [{ recordId: "r1", intent: "update" }] },
    ]);
    expect(it.state.dirty, "more may be behind").toBe(true);
    expect(it.give(it.intended(["r1"]))).toMatchObject([
      { kind: "send", placeId: A, operations: [{ kind: "update", id: "A1" }] },
    ]);
    it.wait(300);
    const [settle] = it.give(it.sent(done()));
    expect(settle).toMatchObject({ kind: "settle", placeId: A, settlements: [{ recordId: "r1", result: "done" }] });
    expect(it.state.operationMs).toBe(300);
    expect(it.run.counts.delivered).toEqual({ [A]: 1 });
    expect(it.kinds(it.settled)).toEqual(["claim"]);
    expect(it.kinds(it.claimed())).toEqual(["finish"]);
    expect(it.state.state.stage).toBe("done");
  });

  test("that finds nothing waits where something may have come meanwhile, and is done where not", () => {
    const it = cycle();
    it.give({ kind: "start" });
    it.state.dirty = true;
    expect(it.kinds(it.claimed())).toEqual(["claim"]);
    expect(it.kinds(it.claimed())).toEqual(["finish"]);
  });

  test("counts the time of one operation, of many at once too", () => {
    const it = sending([delivery("r1"), delivery("r2")]);
    it.wait(300);
    it.give(it.sent(done("A1"), done("A2")));
    expect(it.state.operationMs).toBe(150);
    expect(it.run.counts.delivered).toEqual({ [A]: 2 });
  });

  test("sends what still stands; what is tied elsewhere waits, what has newer reasons is claimed again", () => {
    const it = cycle();
    it.give({ kind: "start" });
    it.give(it.claimed(delivery("r1"), delivery("r2"), delivery("r3")));
    expect(it.give(it.intended(["r1"], ["r2"]))).toMatchObject([{ kind: "send", operations: [{ id: "A1" }] }]);
    expect(settlements(it.give(it.sent(done()))).map(({ recordId, result }) => [recordId, result])).toEqual([
      ["r2", "again"],
      ["r1", "done"],
    ]);
    const none = cycle();
    none.give({ kind: "start" });
    none.give(none.claimed(delivery()));
    expect(none.kinds(none.intended([]))).toEqual(["claim"]);
    const taken = cycle();
    taken.give({ kind: "start" });
    taken.give(taken.claimed(delivery()));
    expect(settlements(taken.give(taken.intended([], ["r1"])))).toMatchObject([{ recordId: "r1", result: "again" }]);
  });

  test("that lost its pipeline writes nothing more", () => {
    const it = cycle();
    it.give({ kind: "start" });
    it.give(it.claimed(delivery()));
    expect(it.give({ kind: "intended", placeId: A, answer: { status: "lost" } })).toMatchObject([
      { kind: "finish", summary: { outcome: "lost" } },
    ]);
    const late = sending();
    late.give(late.sent(done()));
    expect(late.give({ kind: "settled", placeId: A, answer: { status: "lost" } })).toMatchObject([
      { kind: "finish", summary: { outcome: "lost" } },
    ]);
  });

  test("hears with its settling that somebody paused the pipeline; of two words the first counts", () => {
    const pause: Input = { kind: "settled", placeId: A, answer: { status: "done", signal: "pause" } };
    const it = sending();
    it.give(it.sent(done()));
    expect(it.give(pause)).toMatchObject([{ kind: "finish", summary: { outcome: "paused" } }]);
    const cancelled = sending();
    cancelled.give(cancelled.sent(done()));
    cancelled.run.stopping = "cancelResync";
    expect(cancelled.give(pause)).toMatchObject([{ kind: "finish", summary: { outcome: "cancelled" } }]);
  });

  test("says nothing to answers that it did not wait for, nor to those of others", () => {
    const it = cycle();
    it.give({ kind: "start" });
    for (const input of [
      it.intended(["r1"]),
      it.sent(done()),
      it.settled,
      { kind: "lookedUp", placeId: A, records: [] },
    ] as Input[])
      expect(it.kinds(input)).toEqual([]);
    expect(it.kinds({ kind: "claimed", placeId: 99, claimed: claimedOf([delivery()]) })).toEqual([]);
    expect(it.state.state.stage).toBe("claiming");
  });

  test("with more answers or fewer than records knows nothing of the rest", () => {
    const it = sending([delivery("r1"), delivery("r2")]);
    expect(settlements(it.give(it.sent(done()))).map(({ result, answered }) => [result, answered])).toEqual([
      ["done", true],
      ["again", false],
    ]);
  });
});

describe("what is due later", () => {
  const nextAt = (found: number, options: Options = {}, wait: number | null = null) => {
    const it = cycle(options);
    it.give({ kind: "start" });
    it.run.nextAt = wait;
    it.give({ kind: "claimed", placeId: A, claimed: claimedOf([], { nextAt: found }) });
    return it.run.nextAt;
  };

  test("has the next cycle begin then, late enough to read first; the earliest counts", () => {
    expect(nextAt(NOW + 60_000)).toBe(NOW + 60_500);
    expect(nextAt(NOW + 60_000, { sink: { place: { ...sink.place, readFields: [], shared: [] } } })).toBe(NOW + 60_000);
    expect(nextAt(NOW + 60_000, {}, NOW + 1)).toBe(NOW + 1);
    expect(nextAt(NOW + 60_000, {}, NOW + 90_000)).toBe(NOW + 60_500);
  });

  test("is not asked about while its system's back-off lasts", () => {
    const it = cycle();
    it.give({ kind: "start" });
    const problem = { severity: "error" as const, nodeId: "n", code: "c", message: "", detail: null };
    it.run.failures[A] = { attempts: 1, since: 0, nextAt: NOW + 300_000, problem };
    it.give({ kind: "claimed", placeId: A, claimed: claimedOf([], { nextAt: NOW + 60_000 }) });
    expect(it.run.nextAt).toBe(NOW + 300_500);
  });

  test("is a record that has to be tried again, not one that is done", () => {
    const it = sending([delivery("r1"), delivery("r2"), delivery("r3")]);
    it.give(
      it.sent(
        done("A1"),
        { status: "retry", message: "busy", retryAfterMs: 9_000 },
        { status: "rejected", code: "x", message: "no" },
      ),
    );
    expect(it.run.nextAt).toBe(NOW + 9_500);
    expect(it.run.counts.quarantined).toBe(1);
    expect(it.run.failedBefore).toBe(0);
    expect(it.run.problems).toMatchObject([{ severity: "warning", nodeId: sink.nodeId, code: "x" }]);
  });

  test("counts as one that failed before when it is quarantined only after several attempts", () => {
    const it = sending([delivery("r1", { attempts: 4 }), delivery("r2")]);
    const taken: WriteOutcome = { status: "rejected", code: "duplicate", message: "Taken", isTransient: true };
    it.give(it.sent(taken, taken));
    expect([it.run.counts.quarantined, it.run.failedBefore]).toEqual([1, 1]);
    const refused = sending([delivery("r1", { attempts: 1 }), delivery("r2")]);
    const never: WriteOutcome = { status: "rejected", code: "too_long", message: "Too long" };
    refused.give(refused.sent(never, never));
    expect([refused.run.counts.quarantined, refused.run.failedBefore], "one was tried before").toEqual([2, 1]);
  });
});

test("a changed value that is only written on creation is a warning of the cycle; the rest is sent", () => {
  const mappings = sink.mappings.map((mapping) => ({ ...mapping, createOnly: mapping.connectorField === "name" }));
  const it = cycle({ sink: { mappings } });
  it.give({ kind: "start" });
  const made = writtenFingerprint(sink.place.writeFields, { email: "was@example.com", name: "Old" });
  const link = storedLink({ lastWritten: made, seen });
  const effects = it.give(
    it.claimed(delivery("r1", { link }), delivery("r2", { link: { ...link, recordId: "r2", externalId: "A2" } })),
  );
  expect(effects).toMatchObject([{ kind: "intend" }]);
  expect(it.run.problems).toMatchObject([
    { severity: "warning", code: "create_only", targetId: "name", nodeId: sink.nodeId, count: 2 },
  ]);
});

test("what was written counts as known since the losses of fields that were known when it was claimed, not since later ones", () => {
  const it = cycle();
  const lose = (loss: number): void => void (it.run.lostFields[A] = { fax: { loss, isGone: false } });
  const lossesOf = (effects: readonly Effect[]) =>
    settlements(effects).map(({ link }) => (link?.seen ? lossIn(link.seen) : null));
  lose(2);
  it.give({ kind: "start" });
  it.give(it.claimed(delivery("r1", { link: null })));
  it.give(it.intended(["r1"]));
  lose(3);
  expect(lossesOf(it.give(it.sent(done())))).toEqual([2]);
  it.give(it.settled);
  it.give(it.claimed(delivery("r1", { link: null })));
  it.give(it.intended(["r1"]));
  expect(lossesOf(it.give(it.sent(done())))).toEqual([3]);
});

describe("a creation", () => {
  const fresh = (recordId = "r1", more: Partial<ClaimedDelivery> = {}) => delivery(recordId, { link: null, ...more });
  const begun = (options: Options, ...deliveries: ClaimedDelivery[]) => {
    const it = cycle(options);
    it.give({ kind: "start" });
    const effects = it.give(it.claimed(...(deliveries.length > 0 ? deliveries : [fresh()])));
    return { it, effects, kinds: effects.map(({ kind }) => kind) };
  };
  const asked: Partial<SinkPlan> = { canLookup: true, matchOn: "email" };

  test("is looked for first where the destination can be asked, and made where nothing is found", () => {
    const { it, effects } = begun({ sink: asked });
    expect(effects).toMatchObject([{ kind: "lookup", placeId: A, field: "email", values: ["ada@example.com"] }]);
    expect(it.give({ kind: "lookedUp", placeId: A, records: [] })).toMatchObject([
      { kind: "intend", intents: [{ intent: "create" }] },
    ]);
    const found: SourceRecord[] = [{ id: "A9", values: { email: "ada@example.com" } }];
    const tied = begun({ sink: asked }).it.give({ kind: "lookedUp", placeId: A, records: found });
    expect(settlements(tied)).toMatchObject([{ result: "again", link: { externalId: "A9" } }]);
  });

  test("waits while nobody has read its place through, unless it can be looked for", () => {
    const waits = (options: Options) =>
      settlements(begun({ unreadPlaces: [A], ...options }).effects).map(({ result, nextAt }) => [result, nextAt - NOW]);
    expect(waits({})).toEqual([["again", 2_000]]);
    expect(waits({ readAgo: 0 }), "read in this cycle").toEqual([]);
    expect(waits({ unreadPlaces: [] })).toEqual([]);
    expect(waits({ unreadPlaces: [99] })).toEqual([]);
    expect(waits({ sink: asked })).toEqual([]);
    expect(waits({ sink: { ...asked, matchOn: null } })).toHaveLength(1);
    expect(waits({ sink: { ...asked, canLookup: false } })).toHaveLength(1);
  });

  test("waits for what its place holds from before, though its changes have been read, unless it can be looked for", () => {
    const waits = (options: Options) =>
      settlements(begun({ historyPlaces: [A], readAgo: 0, ...options }).effects).map(({ result }) => result);
    expect(waits({})).toEqual(["again"]);
    expect(waits({ historyPlaces: [99] })).toEqual([]);
    expect(waits({ sink: asked })).toEqual([]);
  });

  test("is not held by what another place has been read", () => {
    const it = cycle({ unreadPlaces: [A] });
    for (const source of it.run.sources) if (source.placeId !== A) source.readAt = NOW;
    it.give({ kind: "start" });
    expect(it.kinds(it.claimed(fresh()))).toEqual(["settle"]);
  });

  test("alone waits: others go on, and a change of what is known does", () => {
    const it = cycle({ unreadPlaces: [A] });
    it.give({ kind: "start" });
    const effects = it.give(it.claimed(fresh("r1"), delivery("r2")));
    expect(effects).toMatchObject([{ kind: "intend", intents: [{ recordId: "r2" }] }]);
    it.give(it.intended(["r2"]));
    expect(settlements(it.give(it.sent(done("A2")))).map(({ recordId, result }) => [recordId, result])).toEqual([
      ["r1", "again"],
      ["r2", "done"],
    ]);
  });

  test("that can't be looked for now is tried again, then left for a later cycle", () => {
    const { it } = begun({ sink: asked });
    const failed: Input = { kind: "sendFailed", placeId: A, failure };
    expect(it.give(failed)).toMatchObject([{ kind: "lookup", placeId: A, field: "email", delayMs: 1_000 }]);
    expect(it.give(failed)).toMatchObject([{ kind: "lookup", delayMs: 4_000 }]);
    expect(it.give(failed)).toMatchObject([
      { kind: "finish", summary: { outcome: "failed", problems: [{ nodeId: sink.nodeId }] } },
    ]);
    expect(it.state.state.stage).toBe("failed");
    expect(it.run.failures[A]).toMatchObject({ attempts: 1, isOfWrites: true });
  });
});

test("a record of which something was never seen is read before it is written over", () => {
  const unseen = delivery("r1", { link: storedLink() });
  const kinds = (readAgo: number | null) => {
    const it = cycle({ readAgo });
    it.give({ kind: "start" });
    return it.kinds(it.claimed({ ...unseen, dueForMs: 10 }));
  };
  expect([kinds(null), kinds(11), kinds(10), kinds(0)]).toEqual([["settle"], ["settle"], ["intend"], ["intend"]]);
});

describe("a path behind the core that asks", () => {
  const asking: Partial<SinkPlan> = {
    path: (page) => ({
      state: "suspended",
      dataRequests: [],
      resume: () => ({
        state: "completed",
        completed: page.map((flow) => ({ ...flow, warnings: [{ nodeId: "n", code: "c", message: "m" }] })),
        deferredActions: [],
        executedActions: [],
      }),
    }),
  };

  test("waits for its answers, and says what records went on without", () => {
    const it = cycle({ sink: asking });
    it.give({ kind: "start" });
    expect(it.give(it.claimed(delivery()))).toEqual([
      { kind: "ask", nodeId: sink.nodeId, placeId: A, dataRequests: [] },
    ]);
    expect(it.kinds({ kind: "answered", nodeId: sink.nodeId, placeId: A, answers: [] })).toEqual(["intend"]);
    expect(it.run.problems).toMatchObject([{ nodeId: "n", code: "c", detail: "r1" }]);
  });

  test("ends with the cycle where there are none", () => {
    const it = cycle({ sink: asking });
    it.give({ kind: "start" });
    it.give(it.claimed(delivery()));
    const failed: Input = { kind: "requestFailed", nodeId: sink.nodeId, placeId: A, failure };
    expect(it.give(failed)).toMatchObject([{ kind: "finish", summary: { outcome: "failed" } }]);
    expect(it.state.state.stage).toBe("failed");
    expect(it.run.failures[A]).toMatchObject({ isOfWrites: true });
  });
});
