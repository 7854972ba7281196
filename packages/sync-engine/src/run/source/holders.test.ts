/** New rows of a page that other rows stand for already: those are asked for by their ids before anything is decided. */
import { describe, expect, test } from "vitest";
import type { Effect } from "../protocol/protocol.ts";
import { NOW, storedLink, storedRecord } from "../protocol/fixtures/stored.ts";
import { replaySlot } from "./source-reading.ts";
import {
  batchOf,
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
