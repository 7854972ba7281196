/** What waits in memory for an outside record that another record has: known by its key, and tried again once that is free. */
import { describe, expect, test } from "vitest";
import { A, B, intentOf, linkOf, NOW, quarantineOf, taken, wanting } from "./fixtures/two-places.ts";

describe("a creation that was answered with another record's own", () => {
  const answeredWith = (written: { nextAt: number } | null) => {
    const it = wanting("r1", "r2");
    it.settle("r2", { link: linkOf("x", "r2", { lastWritten: "--------aaaaaaaabbbbbbbb" }) });
    const stray = written && { attempt: "stray", fields: [1], ...written };
    const ifTaken = taken("r1", { key: "k", written: stray });
    it.settle("r1", { link: linkOf("x", "r1"), ifTaken, result: "parked" });
    return it;
  };
  const TAKEN = { externalId: "x", key: "k" };

  test("knows whose it is and how often that was so, as long as it is", () => {
    const { store, claim, delivery, settle, written } = answeredWith(null);
    expect(delivery("r1")).toMatchObject({ isParked: true, taken: TAKEN, takenTimes: 1 });
    settle("r1", { link: linkOf("x", "r1"), ifTaken: taken("r1", { key: "k", written: null }), result: "parked" });
    expect(delivery("r1")?.takenTimes).toBe(2);
    Object.assign(delivery("r1") ?? {}, { isParked: false });
    expect(claim().deliveries).toMatchObject([{ recordId: "r1", taken: TAKEN, takenTimes: 2 }]);
    written("x", "r2", { isNew: false, dead: true });
    expect(claim().deliveries[0]).not.toHaveProperty("taken");
    expect(store.deliveries.has(`${B}|r2`), "nothing was written there").toBe(false);
  });

  test("may have written over the other record's copy: that one is told again, once it can be seen", () => {
    const { store, delivery } = answeredWith({ nextAt: NOW + 300 });
    expect(delivery("r2")).toMatchObject({
      unanswered: { intent: "update", written: ["stray"] },
      nextAt: NOW + 300,
      isParked: false,
    });
    expect(store.linkOf(B, "r2")?.lastWritten, "nobody knows what that field holds").toBe("--------aaaaaaaa--------");
  });

  test("adds to what is in doubt of that copy, and leaves a copy alone that is gone", () => {
    const it = wanting("r1", "r2");
    it.settle("r2", { link: linkOf("x", "r2") });
    it.want("r2");
    it.store.intend(it.epoch, B, [intentOf(it.store, "r2", { intent: "update", written: ["own"], holdMs: 900 })], NOW);
    const answer = { attempt: "stray", fields: [], nextAt: NOW + 300 };
    const ifTaken = taken("r1", { key: "k", written: answer });
    it.settle("r1", { link: linkOf("x", "r1"), ifTaken, result: "parked" });
    expect(it.delivery("r2")).toMatchObject({
      ...{ unanswered: { intent: "update", written: ["own", "stray"] }, nextAt: NOW + 900 },
    });
    const gone = wanting("r1", "r2");
    gone.settle("r2", { link: linkOf("x", "r2", { dead: true }) });
    gone.settle("r1", { link: linkOf("x", "r1"), ifTaken, result: "parked" });
    expect([gone.delivery("r1")?.taken, gone.delivery("r2")]).toEqual([TAKEN, undefined]);
  });
});

describe("what waits for another record's own", () => {
  /** R1 found x, which is r2's; r3 waits for y, which is r2's at A. */
  const held = () => {
    const it = wanting("r1", "r2", "r3");
    it.settle("r2", { link: linkOf("x", "r2") });
    it.settle("r1", { link: linkOf("x", "r1"), ifTaken: taken("r1") });
    expect(it.delivery("r1")?.isParked).toBe(true);
    return it;
  };

  test("is tried again once that is gone, and not for what happens to others", () => {
    const { delivery, written, commit, settle } = held();
    commit({ placeId: A, links: [linkOf("x", "r3", { dead: true })] });
    settle("r3", { link: linkOf("y", "r3", { dead: true }) });
    expect(delivery("r1"), "another place's, and another one").toMatchObject({ isParked: true });
    written("x", "r2", { isNew: false, dead: true });
    expect(delivery("r1")).toMatchObject({ isParked: false, attempts: 0, nextAt: NOW });
    expect(delivery("r1")?.taken).toBeUndefined();
  });

  test("is tried again once a write says that it is gone", () => {
    const { delivery, settle, want } = held();
    want("r2");
    settle("r2", { link: linkOf("x", "r2", { isNew: false, dead: true }) }, NOW + 4);
    expect(delivery("r1")).toMatchObject({ isParked: false, nextAt: NOW + 4 });
  });

  test("is tried again when the other one has another key, as soon as look-ups show that", () => {
    const { delivery, settle, want } = held();
    want("r2");
    settle("r2", { link: linkOf("x", "r2", { isNew: false, rekeyedForMs: 700 }) });
    expect(delivery("r1")).toMatchObject({ isParked: false, nextAt: NOW + 700 });
  });

  test("is tried again when a person lets the other record go", () => {
    const { store, delivery } = held();
    store.removeByHand("r2", NOW);
    expect(delivery("r1")).toMatchObject({ isParked: false });
  });

  test("is not tried again while another record has it, or where it was quarantined for something else", () => {
    const { store, delivery, settle } = held();
    settle("r3", {
      result: "parked",
      waitsFor: { externalId: "x", unlessFree: true },
      quarantine: quarantineOf("r3", "refused"),
    });
    expect([delivery("r1")?.isParked, delivery("r3")?.isParked], "r2 has it").toEqual([true, true]);
    expect(delivery("r3")?.taken).toEqual({ externalId: "x", key: null });
    store.removeByHand("r2", NOW);
    expect([delivery("r1")?.isParked, delivery("r3")?.isParked]).toEqual([false, true]);
  });

  test("is due at once where nobody has it any more by the time it is quarantined for that", () => {
    const { delivery, settle } = wanting("r1", "r2");
    const waits = (unlessFree: boolean) => ({
      ...{ result: "parked" as const, quarantine: quarantineOf("r1", "already_linked") },
      waitsFor: { externalId: "free", unlessFree },
    });
    settle("r1", waits(false));
    expect(delivery("r1")).toMatchObject({ isParked: true, taken: { externalId: "free", key: null } });
    settle("r1", waits(true), NOW + 3);
    expect(delivery("r1")).toMatchObject({ isParked: false, nextAt: NOW + 3 });
  });

  test("keeps the key that its creation was answered with", () => {
    const { delivery, settle } = held();
    Object.assign(delivery("r1") ?? {}, { taken: { externalId: "x", key: "k" } });
    const waitsFor = { externalId: "x", unlessFree: false };
    settle("r1", { result: "parked", waitsFor, quarantine: quarantineOf("r1", "already_linked") });
    expect(delivery("r1")?.taken).toEqual({ externalId: "x", key: "k" });
  });

  test("is tried again as something new once a person asks for it", () => {
    const { store, delivery } = held();
    store.replayParked(NOW + 8);
    expect(delivery("r1")).toMatchObject({ isParked: false, attempts: 0, nextAt: NOW + 8 });
    expect(delivery("r1")?.taken).toBeUndefined();
    expect(delivery("r3")?.nextAt, "it was not quarantined").toBe(NOW);
  });
});
