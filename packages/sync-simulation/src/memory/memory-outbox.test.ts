/** What destinations have yet to be told, in memory: what is claimed, what an intent holds back, and what answers settle. */
import { describe, expect, test } from "vitest";
import { A, B, intentOf, linkOf, NOW, quarantineOf, taken, wanting } from "./fixtures/two-places.ts";

describe("what is claimed", () => {
  test("is what is due at its place, the longest due first, as many as asked for", () => {
    const { claim, claimed, delivery, want } = wanting("r3", "r1", "r2");
    want("r1", A);
    Object.assign(delivery("r3") ?? {}, { nextAt: NOW - 5 });
    expect(claimed()).toEqual(["r3", "r1", "r2"]);
    expect(claimed({ limit: 2 })).toEqual(["r3", "r1"]);
    Object.assign(delivery("r1") ?? {}, { isParked: true });
    expect(claimed({ limit: 2 }), "what is quarantined waits for people").toEqual(["r3", "r2"]);
    expect(claim().deliveries[0]).toMatchObject({ dueForMs: 5, writtenForMs: null, attempts: 0, link: null });
    expect(claimed({ placeId: A })).toEqual(["r1"]);
  });

  test("comes with when the next one is due, where not all that is due was claimed nothing of that", () => {
    const { claim, delivery } = wanting("r1", "r2", "r3");
    expect(claim().nextAt).toBeNull();
    Object.assign(delivery("r2") ?? {}, { nextAt: NOW + 7 });
    Object.assign(delivery("r3") ?? {}, { nextAt: NOW + 3 });
    expect([claim().nextAt, claim().deliveries.length]).toEqual([NOW + 3, 1]);
    expect(claim({ limit: 1 }).nextAt, "there may be more").toBeNull();
    expect(claim({}, NOW + 3).nextAt).toBe(NOW + 7);
  });

  test("creates nothing while a place takes no new records: such deliveries stay due", () => {
    const { claim, claimed, written } = wanting("r1", "r2");
    written("x", "r2");
    expect(claimed({ onlyLinked: true })).toEqual(["r2"]);
    expect(claim({ onlyLinked: true }, NOW + 9).nextAt).toBe(NOW + 9);
    expect(claim({ onlyLinked: true }).deliveries[0]).toMatchObject({ link: { externalId: "x" } });
  });

  test("does not go over news from there that are quarantined", () => {
    const { commit, claimed, written } = wanting("r1", "r2");
    written("x", "r1");
    written("y", "r2");
    commit({ placeId: B, quarantine: [{ ...quarantineOf("r1", "bad"), direction: "source", externalId: "x" }] });
    expect(claimed()).toEqual(["r2"]);
  });

  test("says how long ago the place last answered a write of the record", () => {
    const { claim, settle, want } = wanting("r1");
    settle("r1", { link: linkOf("x", "r1") });
    want("r1");
    expect(claim({}, NOW + 40).deliveries).toMatchObject([{ writtenForMs: 40, link: { externalId: "x" } }]);
  });
});

describe("an attempt", () => {
  test("is written down for what is wanted now, and counted; another wish makes it fall out", () => {
    const { store, epoch, delivery, want } = wanting("r1", "r2");
    const [first, second] = [intentOf(store, "r1"), intentOf(store, "r2")];
    want("r2");
    expect(store.intend(epoch, B, [first, second], NOW)).toEqual({
      ...{ status: "done", standing: new Set(["r1"]), taken: new Set() },
    });
    expect(delivery("r1")).toMatchObject({ attempts: 1, nextAt: NOW + 9_000, unanswered: { intent: "create" } });
    expect(delivery("r2")).toMatchObject({ attempts: 0, nextAt: NOW, unanswered: null });
  });

  test("adopts no outside record that is another record's, unless that one was let go", () => {
    const { store, epoch, written } = wanting("r1", "r2", "gone");
    written("x", "r2");
    written("y", "gone");
    store.removeByHand("gone", NOW);
    const adopting = (adopts: string) => store.intend(epoch, B, [intentOf(store, "r1", { adopts })], NOW);
    expect(adopting("x")).toMatchObject({ standing: new Set(), taken: new Set(["r1"]) });
    expect(adopting("y")).toMatchObject({ standing: new Set(["r1"]), taken: new Set() });
    expect(adopting("nobody's")).toMatchObject({ standing: new Set(["r1"]), taken: new Set() });
  });

  test("without an answer is held back longer where the place shows late, at that place alone", () => {
    const { store, create, delivery } = wanting("r1", "r2", "r3");
    create("r1");
    create("r3");
    Object.assign(delivery("r3") ?? {}, { nextAt: NOW + 99_000 });
    store.holdUnanswered(B, 20_000, NOW);
    store.holdUnanswered(A, 90_000, NOW);
    expect(["r1", "r2", "r3"].map((id) => delivery(id)?.nextAt)).toEqual([NOW + 20_000, NOW, NOW + 99_000]);
  });
});

test("what did not fit is due again once its place takes something else, at that place alone", () => {
  const { store, settle, delivery } = wanting("r1", "r2", "r3");
  settle("r1", { result: "parked", unfit: "short" });
  settle("r2", { result: "parked", unfit: "long" });
  settle("r3", { result: "parked" });
  expect([store.hasParked(), store.outstanding()]).toEqual([true, 0]);
  expect([store.retryUnfit(A, "long", NOW), store.retryUnfit(B, "long", NOW + 5)]).toEqual([0, 1]);
  expect(["r1", "r2", "r3"].map((id) => delivery(id)?.isParked)).toEqual([false, true, true]);
  expect(delivery("r1")).toMatchObject({ nextAt: NOW + 5, attempts: 0, unfit: null });
});

describe("an answer", () => {
  test("ends what was told, with its link and its ledger; what is to be tried again is due when it says", () => {
    const { store, settle, delivery } = wanting("r1", "r2", "r3");
    const ledger = { recordId: "r1", operation: "write", externalId: "x", changes: {}, refused: null } as const;
    settle("r1", { link: linkOf("x", "r1"), ledger });
    expect([delivery("r1"), store.recordAt(B, "x"), store.ledger.at(-1)]).toMatchObject([undefined, "r1", ledger]);
    settle("r2", { result: "again", attempts: 3, nextAt: NOW + 70.4 });
    expect(delivery("r2")).toMatchObject({ attempts: 3, nextAt: NOW + 70, isParked: false });
    settle("r3", { result: "again", nextAt: NOW - 70 });
    expect(delivery("r3")?.nextAt, "not before now").toBe(NOW);
  });

  test("to an older wish leaves the newer one standing", () => {
    const { create, settle, delivery, want } = wanting("r1");
    create("r1");
    const wanted = delivery("r1")?.wanted ?? 0;
    want("r1");
    settle("r1", { wanted, result: "parked", attempts: 4, nextAt: NOW + 70 }, NOW + 1);
    expect(delivery("r1")).toMatchObject({ attempts: 0, isParked: false, unanswered: null, nextAt: NOW + 1 });
  });

  test("leaves what is known by reading alone as it was: whether a filter held the record back", () => {
    const { store, settle, written, want } = wanting("r1", "r2");
    written("x", "r1", { heldBack: "2026" });
    settle("r1", { link: linkOf("x", "r1", { isNew: false, lastWritten: "t" }) });
    expect(store.linkOf(B, "r1")).toMatchObject({ lastWritten: "t", heldBack: "2026" });
    want("r2");
    settle("r2", { link: linkOf("z", "r2") });
    expect(store.linkOf(B, "r2")?.heldBack).toBeUndefined();
  });

  test("that names another record's own is quarantined, and its link and its ledger are nobody's", () => {
    const { store, settle, written, delivery } = wanting("r1", "r2");
    written("x", "r2");
    const ledger = { recordId: "r1", operation: "write", externalId: "x", changes: {}, refused: null } as const;
    const count = store.ledger.length;
    settle("r1", { link: linkOf("x", "r1"), ledger, ifTaken: taken("r1") });
    expect([store.recordAt(B, "x"), store.linkOf(B, "r1"), store.ledger.length]).toEqual(["r2", null, count]);
    expect(delivery("r1")).toMatchObject({
      isParked: true,
      parkedAs: "already_linked",
      taken: { externalId: "x", key: null },
    });
    expect(store.quarantine.at(-1)).toMatchObject({ code: "already_linked", recordId: "r1" });
  });

  test("that names a second one for a record that lives there is taken too", () => {
    const { store, settle, written, delivery } = wanting("r1", "r2");
    written("x", "r1");
    settle("r1", { link: linkOf("y", "r1"), ifTaken: taken("r1", { key: "k", written: null }) });
    expect([store.recordAt(B, "y"), store.recordAt(B, "x"), delivery("r1")?.isParked]).toEqual([null, "r1", true]);
    written("x", "r1", { isNew: false, dead: true });
    settle("r1", { link: linkOf("y", "r1") });
    expect(store.recordAt(B, "y"), "the first is dead").toBe("r1");
  });

  test.each([
    ["always", undefined, "r1"],
    ["ifLater", "2027", "r1"],
  ] as const)("that made a deleted record anew (%s) makes it the record's own", (takesOver, modifiedAt, owner) => {
    const { store, settle, written, delivery } = wanting("r1", "r2");
    written("x", "r2", { dead: true, modifiedAt: "2026" });
    settle("r1", { link: linkOf("x", "r1", { modifiedAt: modifiedAt ?? null, lastWritten: "t" }), takesOver });
    expect([store.recordAt(B, "x"), store.linkOf(B, "r1")?.lastWritten, delivery("r1")]).toEqual([
      owner,
      "t",
      undefined,
    ]);
  });

  test("that repeats an earlier creation's did nothing: the dead link is the record's, which is due again", () => {
    const { store, settle, written, delivery } = wanting("r1", "r2");
    written("x", "r2", { dead: true, modifiedAt: "2026", lastWritten: "before" });
    const count = store.ledger.length;
    const ledger = { recordId: "r1", operation: "write", externalId: "x", changes: {}, refused: null } as const;
    settle("r1", { link: linkOf("x", "r1", { modifiedAt: "2026" }), ledger, takesOver: "ifLater", attempts: 2 });
    expect(store.linkOf(B, "r1")).toMatchObject({ externalId: "x", dead: true, lastWritten: "before" });
    expect([delivery("r1")?.attempts, delivery("r1")?.nextAt, delivery("r1")?.isParked]).toEqual([2, NOW, false]);
    expect(store.ledger.length, "nothing was written").toBe(count);
  });

  test("of what was only found is nobody's while another record's creation with that key has no answer", () => {
    const { store, settle, create, delivery, want } = wanting("r1", "r2", "r3", "r4", "r5");
    const written = (key: string): string => `--------${key}`;
    create("r2", written("key-ada1"));
    const found = (key: string) => ({
      result: "again" as const,
      link: linkOf(key, "r1"),
      foundBy: { writeIndex: 0, key },
    });
    settle("r1", found("key-ada1"));
    expect(store.recordAt(B, "key-ada1")).toBeNull();
    settle("r1", found("key-eve1"));
    expect(store.recordAt(B, "key-eve1"), "another key").toBe("r1");
    create("r3", written("key-own1"));
    settle("r3", { ...found("key-own1"), link: linkOf("key-own1", "r3") });
    expect(store.recordAt(B, "key-own1"), "its own creation").toBe("r3");
    want("r1", A);
    Object.assign(delivery("r1", A) ?? {}, { unanswered: { intent: "create", written: [written("key-far1")] } });
    settle("r4", { ...found("key-far1"), link: linkOf("key-far1", "r4") });
    expect(store.recordAt(B, "key-far1"), "another place's").toBe("r4");
    Object.assign(delivery("r2") ?? {}, { isParked: true });
    settle("r5", { ...found("key-ada1"), link: linkOf("key-ada1", "r5") });
    expect(store.recordAt(B, "key-ada1"), "nothing is tried of it any more").toBe("r5");
  });
});
