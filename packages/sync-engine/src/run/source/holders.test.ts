/** New rows of a page that other rows stand for already: those are asked for before anything is decided, and deletions wait. */
import { describe, expect, test } from "vitest";
import type { Effect } from "../protocol/protocol.ts";
import { newRun, type Slot } from "../run.ts";
import { NOW, processedPage, storedLink, storedRecord } from "../protocol/fixtures/stored.ts";
import { holdDeletions, newSourceRun, releaseDeletions, replaySlot } from "./source-reading.ts";
import {
  batchOf,
  both,
  cycle,
  failure,
  kindsOf,
  NODE,
  pageOf,
  person,
  processed,
  source,
} from "./fixtures/source-machine.ts";

const seeking = { source: { attach: source.attach, canGetById: true, acceptDeletes: true } };
const matched = (holders: string[]) => ({ kind: "matched" as const, nodeId: NODE, candidates: [], holders });
const gotById = (...records: ReturnType<typeof person>[]) => ({ kind: "gotById" as const, nodeId: NODE, records });
const askedOf = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => (effect.kind === "resolve" ? effect.request.records : [])).map((one) => one.externalId);

/** A page of two new rows, for which these rows stand already. */
function held(holders: string[]) {
  const it = processed(pageOf([person("A1"), person("A2")]), {}, seeking);
  expect(kindsOf(it.effects)).toEqual(["match"]);
  return { ...it, asked: it.give(matched(holders)) };
}

describe("rows that stand for what new rows are", () => {
  test("are asked for by their ids, those that the page tells of itself excepted", () => {
    expect(held(["A7", "A2", "A8"]).asked).toEqual([{ kind: "getById", nodeId: NODE, ids: ["A7", "A8"] }]);
    expect(kindsOf(held(["A2"]).asked)).toEqual(["commit"]);
    expect(kindsOf(held([]).asked)).toEqual(["commit"]);
  });

  test("that are still there have the page decided as it is", () => {
    const { give, run } = held(["A7"]);
    const [commit] = give(gotById(person("A7")));
    expect(batchOf(commit ? [commit] : [])?.creates).toHaveLength(2);
    expect(run.counts.read[NODE]).toBe(2);
  });

  test("that are gone become part of the page, before its own rows, and are asked for once", () => {
    const { give, run, resolve, ticketOf } = held(["A7", "A8"]);
    const again = give(gotById(person("A7", { deleted: true }), person("A8")));
    expect(kindsOf(again)).toEqual(["resolve"]);
    expect(askedOf(again)).toEqual(["A7", "A1", "A2"]);
    expect(run.counts.read[NODE], "each row is counted once").toBe(3);
    const links = new Map([["A7", storedLink({ externalId: "A7" })]]);
    const records = new Map([["r1", storedRecord()]]);
    const match = resolve(ticketOf(again, "resolve"), { links, records });
    expect(kindsOf(match)).toEqual(["match"]);
    const written = give(matched(["A8"]));
    expect(kindsOf(written), "they were asked for").toEqual(["commit"]);
    expect(batchOf(written)).toMatchObject({ updates: [{ recordId: "r1", deleted: true }], creates: [{}, {}] });
  });

  test("that can't be asked for have the page decided all the same", () => {
    const { give, state } = held(["A7"]);
    expect(kindsOf(give({ kind: "requestFailed", nodeId: NODE, placeId: null, failure }))).toEqual(["commit"]);
    expect(state.state).not.toBe("failed");
  });

  test("nobody waits for are of no account", () => {
    const it = processed(pageOf([person("A1")]), {}, seeking);
    expect(it.give(gotById(person("A7", { deleted: true })))).toEqual([]);
    expect(it.state.work.stage).toBe("matching");
    expect(it.run.counts.read[NODE]).toBe(1);
  });
});

describe("a row of a page that may have come back", () => {
  /** A1 was deleted here before; A2 is new. */
  const back = () => {
    const gone = {
      links: new Map([["A1", storedLink({ dead: true, seen: "", modifiedAt: null })]]),
      records: new Map([["r1", storedRecord({ deleted: true })]]),
      deadSince: new Map([["A1", 0]]),
    };
    const it = cycle({ source: { canGetById: true, acceptDeletes: true } });
    const page = pageOf([person("A1"), person("A2")]);
    const asked = it.read(it.ticketOf(it.give({ kind: "start" }), "read"), page);
    return { ...it, asked: it.resolve(it.ticketOf(asked, "resolve"), gone) };
  };

  test("goes before the page as it stands now, which goes on without it", () => {
    const { asked, give, run, resolve, ticketOf, committed } = back();
    expect(asked).toEqual([{ kind: "getById", nodeId: NODE, ids: ["A1"] }]);
    const replayed = give(gotById(person("A1", { values: { name: "now" } })));
    expect(askedOf(replayed)).toEqual(["A1", "A2"]);
    expect(run.counts.read[NODE], "the page is counted when its turn comes").toBe(1);
    resolve(ticketOf(replayed, "resolve"));
    resolve(ticketOf(replayed, "resolve", 1));
    committed();
    expect(run.counts.read[NODE]).toBe(2);
  });

  test("that can't be asked for ends the source's turn", () => {
    const { asked, give, state } = back();
    expect(kindsOf(asked)).toEqual(["getById"]);
    expect(give({ kind: "requestFailed", nodeId: NODE, placeId: null, failure })).toMatchObject([
      { kind: "finish", summary: { outcome: "failed" } },
    ]);
    expect(state.state).toBe("failed");
  });
});

test("a deletion that was found one by one waits for what is yet to be read where holders are sought, and only there", () => {
  const asked = (attach: typeof source.attach) => {
    const it = cycle({ source: { attach, canGetById: true, acceptDeletes: true } });
    it.state.slots.push(replaySlot([person("A1", { deleted: true })], { askedAt: NOW }));
    const begun = it.give({ kind: "start" });
    const read = it.read(it.ticketOf(begun, "read"), pageOf([]));
    return [askedOf(begun), askedOf(read)];
  };
  expect(asked([])).toEqual([["A1"], []]);
  expect(asked(source.attach)).toEqual([[], ["A1"]]);
});

/** A source that is to be read from `next` on; undefined: to its end already. */
function deletionsOf(next: string | undefined) {
  const state = newSourceRun(source, { mode: "changes", since: null, until: null, next, slots: [] });
  const start = { cycleId: "c", epoch: 1, sources: [], resync: null, failures: {} };
  return { state, run: newRun(start, { sources: [state], unreadPlaces: [], sinkPlaces: [] }) };
}

describe("deletions that were found one by one", () => {
  const gone = (id: string) => ({ id, values: {}, deleted: true });
  const kept = { id: "stays", values: {} };
  const held = (more: Partial<Slot> = {}, isToRead = true) => {
    const { state } = deletionsOf(isToRead ? "0" : undefined);
    const slot = { ...replaySlot([gone("1"), kept, gone("2")], { askedAt: NOW }), ids: new Set(["x"]), ...more };
    state.slots = [slot];
    holdDeletions(state, slot);
    const ids = (records: readonly { id: string }[] = []) => records.map(({ id }) => id);
    return { held: ids(state.deletions.records), left: ids(slot.page?.records), state, slot };
  };

  test("leave their page, and are held until their source is read to its end", () => {
    const { held: ids, left, state, slot } = held();
    expect([ids, left]).toEqual([["1", "2"], ["stays"]]);
    expect([state.deletions.askedAt, slot.ids, slot.precomputed], "the page is another one now").toEqual([
      NOW,
      null,
      null,
    ]);
    state.deletions.askedAt = NOW + 5;
    const more = replaySlot([gone("3")], { askedAt: NOW });
    holdDeletions(state, more);
    expect(state.deletions, "of several the latest time of asking counts").toMatchObject({
      ...{ askedAt: NOW + 5, records: [{ id: "1" }, { id: "2" }, { id: "3" }] },
    });
  });

  test("are held while pages are there that were read, though nothing more is to be asked for", () => {
    const { state } = deletionsOf(undefined);
    const slot = replaySlot([gone("1")], { askedAt: NOW });
    state.slots = [slot, { ...replaySlot([kept]), isReplay: false }];
    holdDeletions(state, slot);
    expect(state.deletions.records).toHaveLength(1);
  });

  test.each<[string, Partial<Slot>, boolean?]>([
    ["are of a page that was read", { isReplay: false }],
    ["are not sure yet", { isUnsure: true }],
    ["are part of a page", { part: "first" }],
    [
      "were looked up already",
      { precomputed: { seen: processedPage().seen, resolved: null, processed: null, decided: null } },
    ],
    ["are all that is left to be read", {}, false],
  ])("stay where they are if they %s", (_, more, isToRead) => {
    expect(held(more, isToRead)).toMatchObject({ held: [], left: ["1", "stays", "2"] });
  });

  test("a page without any stays as it is", () => {
    const { held: none, slot } = held({ page: { records: [kept], cursor: null, drained: false } });
    expect([none, slot.ids]).toEqual([[], new Set(["x"])]);
  });

  test("may be there again a second after they were asked for", () => {
    const unsure = (ageMs: number) => {
      const { run, state } = deletionsOf(undefined);
      state.deletions = { records: [gone("1")], askedAt: NOW - ageMs };
      releaseDeletions({
        plan: both,
        run,
        source,
        state,
        env: { now: NOW, newId: () => "id", random: () => 0.5 },
        effects: [],
      });
      return state.slots[0]?.isUnsure;
    };
    expect([unsure(1_000), unsure(1_001)]).toEqual([false, true]);
  });
});
