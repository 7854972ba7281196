/** References in memory whose targets are missing, and what records are called at a place, those of merges among them. */
import type { CommitBatch, PendingReference } from "@accord/sync-engine/run";
import { REMOVED_BY_US } from "@accord/sync-engine/run";
import { describe, expect, test } from "vitest";
import { A, B, linkOf, NOW, settled, storeOf } from "./fixtures/two-places.ts";

function referring(...ids: string[]) {
  const it = storeOf(...ids);
  const { store, commit, epoch } = it;
  const link = (placeId: number, externalId: string, recordId: string, more: object = {}) =>
    commit({ placeId, links: [linkOf(externalId, recordId, more)] });
  const merge = (winnerId: string, loserId: string) => {
    const [winner, loser] = [store.records.get(winnerId), store.records.get(loserId)];
    if (!winner || !loser) throw new Error("no such records");
    const write = { mergeId: winnerId, winner, values: winner.values, origin: {}, changes: {}, losers: [loser] };
    const mergeBatch = { merges: [write], reports: [], notifySinkIds: [], deleteAt: [] };
    expect(commit({ mergeBatch }).status).toBe("done");
  };
  /** What a page asks of the records that external ids of a place stand for. */
  const behind = (connectorId: string, ...externalIds: string[]) => {
    const references = [{ connectorId, entity: "contact", externalIds }];
    const { references: found, renamed } = store.resolve({ placeId: A, records: [], absorb: false, references });
    return { found: Object.fromEntries(found.get(`${connectorId}/contact`) ?? []), renamed: [...(renamed ?? [])] };
  };
  const names = (placeId: number = B) => {
    const references = [{ coreField: "boss", connectorId: placeId === A ? "a" : "b", entity: "contact" }];
    const { references: found } = store.claim({ placeId, limit: 1, references }, NOW);
    return Object.fromEntries(found.get(`${placeId === A ? "a" : "b"}/contact`) ?? []);
  };
  const pending = (recordId: string, externalId: string, more: Partial<PendingReference> = {}): PendingReference => ({
    ...{ recordId, field: "boss", connectorId: "b", entity: "contact", externalId, at: "2026" },
    ...more,
  });
  const resolved = () =>
    store.findResolved().map(({ record, field, targetId, placeId }) => [record.recordId, field, targetId, placeId]);
  return { store, commit, epoch, link, merge, behind, names, pending, resolved };
}

describe("an external id that a page names", () => {
  test("stands for its living record, at its own place", () => {
    const { link, behind } = referring("r1", "r2");
    link(B, "x", "r1");
    link(A, "y", "r2");
    link(B, "gone", "r2", { dead: true });
    expect(behind("b", "x", "y", "gone", "nobody")).toEqual({ found: { x: "r1" }, renamed: [] });
    expect(behind("a", "x", "y")).toEqual({ found: { y: "r2" }, renamed: [] });
  });

  test("of a merged record stands for the winner, whose name its place has yet to learn", () => {
    const { link, merge, behind } = referring("w", "l");
    link(B, "b-w", "w");
    link(B, "b-l", "l");
    merge("w", "l");
    expect(behind("b", "b-w", "b-l")).toEqual({ found: { "b-w": "w", "b-l": "w" }, renamed: ["b-l"] });
    link(B, "b-l", "l", { isNew: false, dead: true });
    expect(behind("b", "b-l"), "though its copy is gone").toEqual({ found: { "b-l": "w" }, renamed: ["b-l"] });
  });

  test("that was removed for a merge stands for its own record again once that was taken back", () => {
    const { store, link, merge, behind } = referring("w", "l", "other");
    for (const id of ["w", "l"]) link(B, `b-${id}`, id);
    merge("w", "l");
    link(B, "b-l", "l", { isNew: false, dead: true, lastWritten: REMOVED_BY_US });
    link(B, "b-other", "other", { dead: true, lastWritten: REMOVED_BY_US });
    store.undoMerge("w", [], NOW);
    expect(behind("b", "b-l", "b-other")).toEqual({ found: { "b-l": "l" }, renamed: ["b-l"] });
  });
});

describe("a record is called at a place", () => {
  test("what its living record there is called", () => {
    const { link, names } = referring("r1", "r2");
    link(B, "x", "r1");
    link(B, "gone", "r2", { dead: true });
    link(A, "y", "r2");
    expect([names(B), names(A)]).toEqual([{ r1: "x" }, { r2: "y" }]);
  });

  test("as the first of those that were merged into it, where it has none of its own and that one is not to go", () => {
    const { store, link, merge, names } = referring("w", "l", "k", "v");
    link(B, "b-own", "w");
    link(B, "b-2", "k");
    link(B, "b-1", "l");
    merge("w", "l");
    store.merges.merged.push({ loserId: "k", winnerId: "w", mergeId: "2", undone: false });
    expect(names()).toEqual({ w: "b-own", l: "b-1", k: "b-2" });
    link(B, "b-own", "w", { isNew: false, dead: true });
    expect(names()).toEqual({ l: "b-1", k: "b-2", w: "b-1" });
    merge("v", "w");
    expect(names(), "whoever stands for it").toEqual({ l: "b-1", k: "b-2", w: "b-1", v: "b-1" });
    store.want(B, "l", false, NOW);
    expect(names()).toEqual({ l: "b-1", k: "b-2", w: "b-2", v: "b-2" });
  });
});

describe("a reference whose target is missing", () => {
  test("is resolved once that is known, in records that stand", () => {
    const { store, commit, link, pending, resolved } = referring("r1", "r2", "gone", "boss");
    commit({
      placeId: A,
      pending: [pending("r1", "x"), pending("r2", "y"), pending("gone", "x"), pending("lost", "x")],
    });
    store.change("gone", { deleted: true });
    expect(resolved()).toEqual([]);
    link(B, "x", "boss");
    expect(resolved()).toEqual([["r1", "boss", "boss", A]]);
    commit({ resolvedPending: [{ recordId: "r1", field: "boss" }] });
    expect(resolved()).toEqual([]);
  });

  test("is void once its place has said it anew, not where another place did, but for what counts everywhere", () => {
    const cleared = (more: Partial<CommitBatch>): number => {
      const { store, commit, pending } = referring("r1");
      commit({ placeId: A, pending: [pending("r1", "x"), pending("r1", "x", { field: "other" })] });
      commit(more);
      return store.pending.size;
    };
    const one = { recordId: "r1", field: "boss" };
    expect(cleared({ placeId: A, clearedPending: [{ ...one, isEverywhere: false }] })).toBe(1);
    expect(cleared({ placeId: B, clearedPending: [{ ...one, isEverywhere: false }] })).toBe(2);
    expect(cleared({ placeId: B, clearedPending: [{ ...one, isEverywhere: true }] })).toBe(1);
  });

  test("is named by its place with each claim: it is not told over that", () => {
    const { store, commit, pending } = referring("r1", "r2");
    commit({ placeId: B, pending: [pending("r1", "x"), pending("r1", "y", { field: "other" })] });
    commit({ placeId: A, pending: [pending("r2", "x")] });
    for (const id of ["r1", "r2"]) store.want(B, id, false, NOW);
    const { deliveries } = store.claim({ placeId: B, limit: 9, references: [] }, NOW);
    expect(deliveries.map(({ recordId, open }) => [recordId, open])).toEqual([
      ["r1", ["boss", "other"]],
      ["r2", []],
    ]);
  });

  test("that was left out is sent once its target, or who stands for that, is there, to that place alone", () => {
    const { store, epoch, link, merge } = referring("r1", "w", "l");
    store.want(B, "r1", false, NOW);
    const wanted = store.deliveries.get(`${B}|r1`)?.wanted ?? 0;
    store.settle(
      epoch,
      B,
      [settled("r1", { wanted, waits: [{ connectorId: "b", entity: "contact", targetId: "l" }] })],
      NOW,
    );
    expect(store.deliveries.size).toBe(0);
    const renew = (): string[] => {
      store.renewWaiting([A, B], NOW + 5);
      return [...store.deliveries.keys()];
    };
    expect(renew()).toEqual([]);
    link(A, "a-w", "w");
    merge("w", "l");
    expect(renew(), "it is at another place").toEqual([]);
    link(B, "b-w", "w");
    expect(renew()).toEqual([`${B}|r1`]);
    expect([store.waiting.size, store.deliveries.get(`${B}|r1`)?.nextAt]).toEqual([0, NOW + 5]);
  });
});
