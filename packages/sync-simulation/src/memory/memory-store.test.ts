/** Storage in memory by itself: the lease, who is whose, what waits for people, and actions. Histories play the rest. */
import { describe, expect, test } from "vitest";
import type { ActionCall } from "@accord/sync-engine/actions";
import { emptyBatch, type CommitBatch, type DeliveryResult, type MergeWrite } from "@accord/sync-engine/run";
import { HOLD_MS, MemoryActions } from "./memory-actions.ts";
import { A, B, linkOf, NOW, settled, storeOf, storeWith } from "./fixtures/two-places.ts";
import type { MemoryStore, StoreFaults } from "./memory-store.ts";

describe("the lease", () => {
  test("is had by one at a time, until it runs out or is given back", () => {
    const { store, epoch } = storeOf();
    expect(epoch).toBe(1);
    expect(store.acquire("you", NOW + 9_999)).toBeNull();
    expect(store.renew(epoch, NOW + 5_000)).toBe(true);
    expect(store.acquire("you", NOW + 14_999)).toBeNull();
    expect(store.acquire("you", NOW + 15_000)).toBe(2);
    expect(store.lease).toMatchObject({ owner: "you", epoch: 2, wasHeld: true });
    expect(store.renew(epoch, NOW + 15_000)).toBe(false);
    expect(store.commit(epoch, emptyBatch(A, null), NOW)).toEqual({ status: "lost" });
    const summary = { outcome: "finished", positions: [], failures: { a: 1 }, resync: null };
    store.finish(epoch, summary as never);
    expect([store.lease.owner, store.failures], "it is somebody else's").toEqual(["you", {}]);
    store.finish(2, { ...summary, outcome: "lost" } as never);
    expect(store.lease.owner).toBe("you");
    store.finish(2, summary as never);
    expect([store.lease.owner, store.failures]).toEqual([null, { a: 1 }]);
    expect([store.acquire("me", NOW), store.lease.wasHeld]).toEqual([3, false]);
  });

  test.each<[string, StoreFaults, object]>([
    [
      "the next owner knows what was sent without an answer, under an epoch of its own",
      {},
      { epoch: 2, inDoubt: ["r1"] },
    ],
    ["an injected fault forgets what was sent", { forgetsDoubts: true }, { epoch: 2, inDoubt: [] }],
    ["an injected fault gives two owners one epoch", { keepsEpoch: true }, { epoch: 1, inDoubt: ["r1"] }],
  ])("%s", (_, faults, expected) => {
    const { store, epoch, commit } = storeWith(faults, "r1");
    commit({ deliveries: [{ placeId: B, recordId: "r1", onlyIfOutstanding: false }] });
    const wanted = store.reasonOf(B, "r1") ?? 0;
    const intent = { recordId: "r1", wanted, intent: "create", written: [""], holdMs: 0, adopts: null } as const;
    store.intend(epoch, B, [intent], NOW);
    const next = store.acquire("you", NOW + 10_000) ?? 0;
    const { deliveries } = store.claim({ placeId: B, limit: 9, references: [] }, NOW + 10_000);
    const inDoubt = deliveries.flatMap(({ recordId, unanswered }) => (unanswered ? [recordId] : []));
    expect({ epoch: next, inDoubt }).toEqual(expected);
  });

  test("brings what people want along: a pause, a newer version, the end of a resync", () => {
    const { store, commit } = storeOf();
    const signal = () => commit({});
    expect(signal()).toEqual({ status: "done", signal: "none" });
    store.signal = "cancelResync";
    expect(signal()).toEqual({ status: "done", signal: "cancelResync" });
    store.version += 1;
    expect(signal()).toEqual({ status: "done", signal: "pause" });
    store.version -= 1;
    store.signal = "pause";
    expect(signal()).toEqual({ status: "done", signal: "pause" });
  });
});

describe("links", () => {
  test("are taken by another living one of either end, free where that one is dead", () => {
    const { store, commit } = storeOf("r1", "r2");
    commit({ links: [linkOf("x", "r1")] });
    expect(store.isTaken(A, linkOf("x", "r2"))).toBe(true);
    expect(store.isTaken(A, linkOf("x", "r1")), "it is new no more").toBe(true);
    expect(store.isTaken(A, linkOf("y", "r1"))).toBe(true);
    expect([store.isTaken(B, linkOf("x", "r2")), store.isTaken(A, linkOf("y", "r2"))]).toEqual([false, false]);
    commit({ links: [linkOf("x", "r1", { isNew: false, dead: true })] });
    expect(store.isTaken(A, linkOf("x", "r2")), "it stays its record's own").toBe(true);
    expect([store.isTaken(A, linkOf("x", "r1")), store.isTaken(A, linkOf("y", "r1"))]).toEqual([false, false]);
  });

  test("live at their places, and lead to one record each", () => {
    const { store, commit } = storeOf("r1", "r2");
    commit({ links: [linkOf("x", "r1"), linkOf("y", "r2", { dead: true })] });
    commit({ placeId: B, links: [linkOf("z", "r1")] });
    expect([store.livePlaces("r1"), store.livePlaces("r2")]).toEqual([[A, B], []]);
    expect(store.liveLinks(A).map(({ externalId }) => externalId)).toEqual(["x"]);
    expect([store.recordAt(A, "x"), store.recordAt(B, "x"), store.recordAt(A, "y")]).toEqual(["r1", null, "r2"]);
  });

  test("of a record that comes back are read and written anew where a page says so, unless their copy is gone", () => {
    const { store, commit } = storeOf("r1", "r2");
    commit({ placeId: B, links: [linkOf("x", "r1"), linkOf("y", "r2", { dead: true })] });
    const others = [{ placeId: B, unread: [], untold: [0], isAsked: false }];
    const links = () => ["r1", "r2"].map((recordId) => store.linkOf(B, recordId));
    const [living, gone] = links();
    commit({ returned: ["r1", "r2"].map((recordId) => ({ recordId, others })) });
    expect(links()).toEqual([expect.not.objectContaining(living ?? {}), gone]);
  });
});

describe("what waits", () => {
  test("is outstanding, or quarantined for people", () => {
    const { store, epoch, commit } = storeOf("r1", "r2");
    expect([store.hasParked(), store.waitsForPerson(), store.outstanding()]).toEqual([false, false, 0]);
    const log = (recordId: string) => ({ placeId: B, recordId, onlyIfOutstanding: false });
    commit({ deliveries: [log("r1"), log("r2")] });
    const wanted = (recordId: string) => store.reasonOf(B, recordId) ?? 0;
    expect([store.outstanding(), store.reasonOf(A, "r1"), wanted("r2") > wanted("r1")]).toEqual([2, null, true]);
    const quarantineEntries = (code: string, recordId: string): DeliveryResult["quarantine"] => ({
      ...{ direction: "destination", externalId: null, recordId, nodeId: null, code, message: "", payload: null },
    });
    const park = (code: string, recordId = "r1"): void => {
      const quarantine = quarantineEntries(code, recordId);
      store.settle(epoch, B, [settled("r1", { wanted: wanted("r1"), result: "parked", quarantine })], NOW);
    };
    park("refused");
    expect([store.hasParked(), store.waitsForPerson(), store.outstanding()]).toEqual([true, false, 1]);
    park("gave_up", "r2");
    expect(store.waitsForPerson(), "another record's reason").toBe(false);
    park("gave_up");
    expect(store.waitsForPerson()).toBe(true);
    park("no_answer");
    expect(store.waitsForPerson()).toBe(true);
    store.replayParked(NOW + 5);
    expect([store.hasParked(), store.waitsForPerson(), store.outstanding()]).toEqual([false, false, 2]);
  });

  test("of a newer version is due at once, or when the answer says while the outcome of what was sent is unknown", () => {
    const { store, epoch, commit } = storeOf("r1");
    const want = () => commit({ deliveries: [{ placeId: B, recordId: "r1", onlyIfOutstanding: false }] });
    const dueAfter = (answered: boolean): number | undefined => {
      want();
      const wanted = store.reasonOf(B, "r1") ?? 0;
      const intent = { recordId: "r1", wanted, intent: "update", written: [""], holdMs: 9_000, adopts: null } as const;
      store.intend(epoch, B, [intent], NOW);
      want();
      store.settle(epoch, B, [settled("r1", { wanted, answered, nextAt: NOW + 5_000 })], NOW);
      return store.deliveries.get(`${B}|r1`)?.nextAt;
    };
    expect([dueAfter(true), dueAfter(false)]).toEqual([NOW, NOW + 5_000]);
  });

  test("is held back once it is announced, until its outcome could be seen", () => {
    const { store, epoch, commit } = storeOf("r1");
    commit({ deliveries: [{ placeId: B, recordId: "r1", onlyIfOutstanding: false }] });
    const wanted = store.reasonOf(B, "r1") ?? 0;
    const intent = { recordId: "r1", wanted, intent: "create", written: [""], holdMs: 9_000, adopts: null } as const;
    store.intend(epoch, B, [intent], NOW);
    const claimed = (now: number) => store.claim({ placeId: B, limit: 9, references: [] }, now).deliveries.length;
    expect([claimed(NOW + 8_999), claimed(NOW + 9_000)]).toEqual([0, 1]);
  });

  test("of sources is tried again once a person asks for it, and ends with what got through", () => {
    const { store, commit } = storeOf();
    const quarantineEntries = (externalId: string | null, direction: "source" | "destination" = "source") => ({
      ...{ direction, externalId, recordId: null, nodeId: null, code: "bad", message: "", payload: { name: "Ada" } },
    });
    commit({
      quarantine: [
        quarantineEntries("1"),
        quarantineEntries("2"),
        quarantineEntries(null),
        quarantineEntries("3", "destination"),
      ],
    });
    expect([
      store.quarantineEntries.keys().length,
      store.quarantineEntries.toTry(),
      store.quarantineEntries.againAt(A),
      store.hasParked(),
    ]).toEqual([2, 0, [], true]);
    expect([
      store.quarantineEntries.has(A, "1"),
      store.quarantineEntries.has(B, "1"),
      store.quarantineEntries.has(A, "3"),
    ]).toEqual([true, false, false]);
    store.replayParked(NOW);
    commit({ quarantine: [quarantineEntries("2")] });
    expect([store.quarantineEntries.toTry(), store.quarantineEntries.againAt(B)]).toEqual([1, []]);
    expect(store.quarantineEntries.againAt(A)).toEqual([{ id: "1", values: { name: "Ada" } }]);
    commit({ settled: ["1", "2"] });
    expect(store.hasParked()).toBe(false);
  });
});

describe("merged records", () => {
  const merge = (store: MemoryStore, winnerId: string, loserId: string): MergeWrite => ({
    mergeId: `${winnerId}${loserId}`,
    winner: store.records.get(winnerId)!,
    values: { name: winnerId },
    origin: {},
    changes: {},
    losers: [store.records.get(loserId)!],
  });
  const mergeBatch = (more: Partial<CommitBatch["mergeBatch"]>): Pick<CommitBatch, "mergeBatch"> => ({
    mergeBatch: { merges: [], reports: [], notifySinkIds: [], deleteAt: [], ...more },
  });

  test("lead to who stands for them, who is an alias's own while that lives", () => {
    const { store, commit } = storeOf("w", "l", "x");
    commit({ links: [linkOf("w", "w"), linkOf("l", "l"), linkOf("x", "x")] });
    commit(mergeBatch({ merges: [merge(store, "w", "l")] }));
    const { merges } = store;
    expect([merges.winnerOf("l"), merges.winnerOf("w"), merges.winnersOver("l")]).toEqual(["w", undefined, ["w"]]);
    expect([merges.isAliased("w"), merges.isAliased("l"), merges.isAliased("x")]).toEqual([true, false, false]);
    commit(mergeBatch({ merges: [merge(store, "x", "w")] }));
    expect([merges.winnerOf("l"), merges.directWinnerOf("l"), merges.winnersOver("l")]).toEqual(["x", "w", ["w", "x"]]);
    expect(store.undoMerge("wl", [], NOW), "its winner was merged on").toBe(false);
    expect(store.undoMerge("xw", [B], NOW)).toBe(true);
    expect([merges.winnerOf("w"), merges.winnerOf("l"), merges.wasSeparated("w"), merges.wasSeparated("l")]).toEqual([
      undefined,
      "w",
      true,
      false,
    ]);
    expect([store.isSeparated("x"), store.isSeparated("w"), store.isSeparated("l")]).toEqual([true, true, false]);
    expect([store.isTwice("x"), store.isTwice("w"), store.isTwice("l")]).toEqual([true, true, false]);
    expect([...store.deliveries.keys()].sort()).toEqual([`${B}|w`, `${B}|x`]);
    expect(merges.isAliased("x"), "nobody is merged into it any more").toBe(false);
  });

  test("are claimed as merged ones; a deleted record is deleted, and one that was parted again is not merged", () => {
    const { store, commit } = storeOf("w", "l", "gone");
    commit(mergeBatch({ merges: [merge(store, "w", "l")] }));
    Object.assign(store.records.get("gone") ?? {}, { deleted: true });
    const want = () =>
      commit({
        deliveries: ["w", "l", "gone"].map((recordId) => ({ placeId: B, recordId, onlyIfOutstanding: false })),
      });
    want();
    const merged = () =>
      store
        .claim({ placeId: B, limit: 9, references: [] }, NOW)
        .deliveries.flatMap(({ recordId, isMerged }) => (isMerged ? [recordId] : []));
    expect(merged()).toEqual(["l"]);
    expect(store.undoMerge("wl", [B], NOW)).toBe(true);
    want();
    expect(merged()).toEqual([]);
  });

  test("that are only reported are two, once", () => {
    const { store, commit } = storeOf("w", "l");
    const report = (why: "reportOnly" | "tooMany", ...loserIds: string[]) => ({
      mergeId: "m",
      winnerId: "w",
      loserIds,
      why,
    });
    commit(mergeBatch({ reports: [report("reportOnly", "l")] }));
    commit(mergeBatch({ reports: [report("tooMany", "l"), report("tooMany", "l", "k")] }));
    expect(store.merges.kept.map(({ status, loserIds }) => [status, loserIds])).toEqual([
      ["REPORTED", ["l"]],
      ["TOO_MANY", ["l", "k"]],
    ]);
    expect([store.isTwice("w"), store.isTwice("l"), store.isTwice("x"), store.isSeparated("w")]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test("that are parted again have their own values back, but what somebody changed since", () => {
    const { store, commit } = storeOf("w", "l");
    const before = { name: "Ada", phone: "1", note: "x" };
    store.change("w", { values: before, origin: { name: { by: "a", at: "1" }, email: { by: "a", at: "1" } } });
    commit(
      mergeBatch({
        merges: [
          {
            ...merge(store, "w", "l"),
            values: { name: "Eve", phone: "2", note: "x" },
            origin: { name: { by: "b", at: "2" }, phone: { by: "b", at: "2" } },
            changes: { name: ["Ada", "Eve"], phone: ["1", "2"] },
          },
        ],
      }),
    );
    expect(store.applyUserEdits("w", { phone: "3" }, [], NOW)).toBe(true);
    expect(store.undoMerge("wl", [], NOW)).toBe(true);
    expect(store.records.get("w")).toMatchObject({ values: { name: "Ada", phone: "3", note: "x" } });
    expect(store.records.get("w")?.origin).toMatchObject({ name: { by: "a", at: "1" }, phone: { by: "user" } });
    expect(store.records.get("l")?.deleted).toBe(false);
    expect(store.ledger.slice(-2).map(({ recordId, operation, changes }) => [recordId, operation, changes])).toEqual([
      ["w", "update", { name: ["Eve", "Ada"] }],
      ["l", "restore", {}],
    ]);
    expect(store.undoMerge("wl", [], NOW), "once").toBe(false);
  });
});

describe("actions", () => {
  const call = (key: string, externalId = key): ActionCall => ({ key, externalId, recordId: null }) as ActionCall;
  const due = (actions: MemoryActions, now: number) =>
    actions.claimDue(now).map(({ kept, isLeft }) => `${kept.id}${isLeft ? " left" : ""}`);

  test("are written once for each key, until their page lets it go", () => {
    const actions = new MemoryActions();
    actions.write([call("k"), call("k")], "keyed", NOW);
    actions.write([call("k")], "keyless", NOW);
    expect(actions.kept).toHaveLength(2);
    expect(actions.begin(call("k"), NOW)).toMatchObject({ isOwn: false, kept: { id: "action1" } });
    actions.letGo(["k", "other"]);
    expect(actions.begin(call("k"), NOW)).toMatchObject({
      isOwn: true,
      kept: { id: "action3", state: "BEGUN", isAwaited: true, attempts: 1, heldUntil: NOW + HOLD_MS },
    });
  });

  test("of one record come in their order; what somebody left is taken up once nobody can be at it", () => {
    const actions = new MemoryActions();
    actions.write([call("1", "r"), call("2", "r"), call("3", "q")], "keyed", NOW);
    expect(due(actions, NOW - 1)).toEqual([]);
    expect(due(actions, NOW)).toEqual(["action1", "action3"]);
    expect(due(actions, NOW + HOLD_MS - 1)).toEqual([]);
    expect(due(actions, NOW + HOLD_MS)).toEqual(["action1 left", "action3 left"]);
    expect(actions.kept.map(({ attempts }) => attempts)).toEqual([2, 0, 2]);
    actions.settle(actions.kept[0]!, { state: "DONE", outcome: null } as never, NOW);
    expect(due(actions, NOW)).toEqual(["action2"]);
  });

  test("that are waited for are taken up by who waits, not by others", () => {
    const actions = new MemoryActions();
    const { kept } = actions.begin(call("k", "r"), NOW);
    actions.write([call("2", "r")], "keyed", NOW);
    expect(actions.reclaim(kept, NOW + HOLD_MS - 1)).toBe(false);
    expect(due(actions, NOW + HOLD_MS - 1), "the record's next one waits").toEqual([]);
    expect(due(actions, NOW + HOLD_MS), "whoever waits is gone: the next one goes on").toEqual(["action2"]);
    expect(actions.reclaim(kept, NOW + HOLD_MS)).toBe(true);
    expect(kept).toMatchObject({ attempts: 2, heldUntil: NOW + 2 * HOLD_MS });
    actions.settle(kept, { state: "DONE", outcome: null } as never, NOW);
    expect(actions.reclaim(kept, NOW + 9 * HOLD_MS)).toBe(false);
  });

  test("are due again when they are to be tried again, and busy until then", () => {
    const actions = new MemoryActions();
    expect([actions.isBusy(NOW), actions.dueAt()]).toEqual([false, 0]);
    actions.write([call("k")], "keyed", NOW);
    expect(actions.isBusy(NOW)).toBe(true);
    const [claimed] = actions.claimDue(NOW);
    actions.settle(claimed!.kept, { state: "DUE", outcome: null, inMs: 500 } as never, NOW);
    expect([actions.dueAt(), due(actions, NOW + 499), due(actions, NOW + 500)]).toEqual([NOW + 500, [], ["action1"]]);
    expect(actions.isBusy(NOW + 99_999), "nobody waits for it").toBe(true);
    actions.settle(claimed!.kept, { state: "DONE", outcome: null } as never, NOW);
    expect([actions.isBusy(NOW), actions.dueAt()]).toEqual([false, 0]);
    actions.begin(call("w"), NOW);
    expect([actions.isBusy(NOW + HOLD_MS - 1), actions.isBusy(NOW + HOLD_MS)]).toEqual([true, false]);
  });
});
