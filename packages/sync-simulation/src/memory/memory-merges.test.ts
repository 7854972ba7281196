/** Merges in memory: whose external records, references and doubts follow to the winner, who is told, and what taking back restores. */
import type { CommitBatch, MergeWrite } from "@accord/sync-engine/run";
import { describe, expect, test } from "vitest";
import { A, B, intentOf, linkOf, NOW, storeOf } from "./fixtures/two-places.ts";

/** Records, of which `merge` makes some one. */
function merging(...ids: string[]) {
  const it = storeOf(...ids);
  const { store, commit, epoch } = it;
  const merge = (winnerId: string, loserIds: string[], more: Partial<NonNullable<CommitBatch["mergeBatch"]>> = {}) => {
    const [winner, ...losers] = [winnerId, ...loserIds].map((id) => store.records.get(id));
    if (!winner) throw new Error(`no record ${winnerId}`);
    const write: MergeWrite = {
      ...{ mergeId: `m-${winnerId}`, winner, values: winner.values, origin: {}, changes: {} },
      losers: losers.flatMap((loser) => loser ?? []),
    };
    return commit({ mergeBatch: { merges: [write], reports: [], notifySinkIds: [], deleteAt: [], ...more } });
  };
  const link = (placeId: number, externalId: string, recordId: string, more: object = {}) =>
    commit({ placeId, links: [linkOf(externalId, recordId, more)] });
  const want = (recordId: string, placeId: number = B) =>
    commit({ deliveries: [{ placeId, recordId, onlyIfOutstanding: false }] });
  const send = (recordId: string, intent: "create" | "update" | "delete", text: string) => {
    want(recordId);
    store.intend(epoch, B, [intentOf(store, recordId, { intent, written: [text] })], NOW);
  };
  const delivery = (recordId: string, placeId: number = B) => store.deliveries.get(`${placeId}|${recordId}`);
  return { ...it, merge, link, want, send, delivery };
}

describe("a merge", () => {
  test("gives the winner one external record a place, of the first of the losers that has one there", () => {
    const { store, merge, link } = merging("w", "l1", "l2", "other");
    link(A, "a-w", "w");
    link(A, "a-1", "l1");
    link(B, "b-2", "l2", { lastWritten: "t" });
    link(B, "b-1", "l1", { lastWritten: "t1" });
    link(B, "b-other", "other");
    merge("w", ["l2", "l1"]);
    const owners = ["a-w", "a-1", "b-1", "b-2", "b-other"].map((id) => store.recordAt(A, id) ?? store.recordAt(B, id));
    expect(owners).toEqual(["w", "l1", "w", "l2", "other"]);
    expect(store.linkOf(B, "w")?.lastWritten).toBe("t1");
    expect(["w", "l1", "l2", "other"].map((id) => store.records.get(id)?.deleted)).toEqual([false, true, true, false]);
  });

  test("takes the place of a dead one, and none where the winner is just being created", () => {
    const { store, merge, link, send } = merging("w", "l", "v", "k");
    link(A, "a-w", "w", { dead: true });
    link(A, "a-l", "l");
    link(B, "b-k", "k");
    send("v", "create", "v");
    merge("w", ["l"]);
    merge("v", ["k"]);
    expect([store.recordAt(A, "a-l"), store.recordAt(B, "b-k")]).toEqual(["w", "k"]);
  });

  test("hands on what is in doubt of the loser's copy: nobody knows what it was told", () => {
    const { store, merge, link, send, delivery, want } = merging("w", "l");
    link(B, "b-l", "l", { lastWritten: "t" });
    send("l", "update", "loser's");
    want("w");
    merge("w", ["l"]);
    expect(store.linkOf(B, "w")).toMatchObject({ externalId: "b-l", lastWritten: null });
    expect(delivery("w")).toMatchObject({
      unanswered: { intent: "update", written: ["loser's"] },
      nextAt: NOW + 9_000,
    });
  });

  test("hands on no deletion, and nothing where nobody is told", () => {
    const deleted = merging("w", "l");
    deleted.link(B, "b-l", "l");
    deleted.send("l", "delete", "");
    deleted.want("w");
    deleted.merge("w", ["l"]);
    expect(deleted.delivery("w")).toMatchObject({ unanswered: null, nextAt: NOW });
    const untold = merging("w", "l");
    untold.link(B, "b-l", "l");
    untold.send("l", "update", "x");
    untold.merge("w", ["l"]);
    expect(untold.delivery("w")).toBeUndefined();
  });

  test("has the winner told everywhere; losers where they may be deleted, and where something is outstanding", () => {
    const { merge, link, want, delivery } = merging("w", "l", "k");
    link(A, "a-w", "w");
    link(A, "a-l", "l");
    link(A, "a-k", "k");
    link(B, "b-w", "w");
    link(B, "b-l", "l");
    want("k");
    const before = delivery("k")?.wanted ?? 0;
    merge("w", ["l", "k"], { notifySinkIds: [A, B], deleteAt: [B] });
    expect([delivery("w", A), delivery("w", B)]).toMatchObject([{ nextAt: NOW }, { nextAt: NOW }]);
    expect([delivery("l", A), delivery("k", A)], "nothing may be deleted there").toEqual([undefined, undefined]);
    expect(delivery("l", B), "its copy is to go").toMatchObject({ nextAt: NOW, isParked: false });
    expect(delivery("k", B)?.wanted, "it was to be told already").toBe(before + 1);
  });

  test("points references to the winner, in records that are told of it where they live", () => {
    const { store, merge, link, delivery } = merging("w", "l", "names l", "names w", "names nobody");
    const boss = (recordId: string, id: string | null) =>
      store.change(recordId, { values: { name: recordId, boss: id, note: "l" } });
    boss("names l", "l");
    boss("names w", "w");
    boss("names nobody", null);
    link(A, "a-1", "names l");
    link(B, "b-1", "names l", { dead: true });
    merge("w", ["l"]);
    expect(store.records.get("names l")).toMatchObject({ version: 3, values: { boss: "w", note: "l" } });
    expect(store.records.get("names w")?.version).toBe(2);
    expect([delivery("names l", A)?.nextAt, delivery("names l", B), delivery("names w", A)]).toEqual([
      NOW,
      undefined,
      undefined,
    ]);
    expect(store.ledger.at(-1)).toMatchObject({
      ...{ recordId: "names l", operation: "update", changes: { boss: ["l", "w"] } },
    });
  });

  test("is a conflict once one of its records moved on", () => {
    const { store, commit } = merging("w", "l");
    const [winner, loser] = [store.records.get("w"), store.records.get("l")];
    if (!winner || !loser) throw new Error("no records");
    const write = { mergeId: "m", winner, values: {}, origin: {}, changes: {}, losers: [loser] };
    store.change("l", {});
    const mergeBatch = { merges: [write], reports: [], notifySinkIds: [], deleteAt: [] };
    expect(commit({ mergeBatch })).toEqual({ status: "conflict" });
    expect([store.merges.merged, store.records.get("l")?.deleted]).toEqual([[], false]);
  });
});

describe("a merge that is taken back", () => {
  test("gives external records and references back that the winner still has", () => {
    const { store, merge, link } = merging("w", "l", "named", "renamed");
    link(A, "a-l", "l");
    link(B, "b-l", "l");
    for (const id of ["named", "renamed"]) store.change(id, { values: { boss: "l" } });
    merge("w", ["l"]);
    expect([store.recordAt(A, "a-l"), store.recordAt(B, "b-l")]).toEqual(["w", "w"]);
    store.putLink(B, { ...linkOf("b-l", "named") });
    store.change("renamed", { values: { boss: "somebody" } });
    expect(store.undoMerge("m-w", [], NOW)).toBe(true);
    expect([store.recordAt(A, "a-l"), store.recordAt(B, "b-l")]).toEqual(["l", "named"]);
    expect(["named", "renamed"].map((id) => store.records.get(id)?.values["boss"])).toEqual(["l", "somebody"]);
  });

  test("hands doubts back to whoever has the external record again", () => {
    const { store, merge, link, send, delivery } = merging("w", "l");
    link(B, "b-l", "l");
    merge("w", ["l"]);
    send("w", "update", "winner's");
    expect(store.undoMerge("m-w", [B], NOW)).toBe(true);
    expect(delivery("l")).toMatchObject({
      unanswered: { intent: "update", written: ["winner's"] },
      nextAt: NOW + 9_000,
    });
  });

  test("makes nobody a new version of a record that lives, and leaves the fields alone that the merge did not change", () => {
    const { store, merge } = merging("w", "l");
    store.change("w", { origin: { name: { by: "a", at: "1" } } });
    merge("w", ["l"]);
    store.change("l", { deleted: false });
    const entries = store.ledger.length;
    expect(store.undoMerge("m-w", [], NOW)).toBe(true);
    expect(store.records.get("l")?.version).toBe(3);
    expect(store.ledger.length, "no value came back").toBe(entries);
    expect(store.undoMerge("nothing", [], NOW)).toBe(false);
  });
});

test("duplicates that are found come with where they live, and with whom they were parted from", () => {
  const { store, merge, link } = merging("w", "l", "gone", "other");
  for (const id of ["w", "l", "gone"]) store.change(id, { values: { email: "Ada@x" }, deleted: id === "gone" });
  link(A, "a-w", "w");
  link(B, "b-l", "l");
  merge("w", ["l"]);
  store.undoMerge("m-w", [], NOW);
  const found = store.findDuplicates([{ field: "email", keys: ["ada@x"] }]);
  expect(found.records.map(({ recordId }) => recordId).sort()).toEqual(["l", "w"]);
  expect([found.places.get("w"), found.places.get("l")]).toEqual([[A], [B]]);
  expect(found.separated).toEqual([["l", "w"]]);
  expect(store.findDuplicates([{ field: "email", keys: ["eve@x"] }])).toMatchObject({ records: [], separated: [] });
});
