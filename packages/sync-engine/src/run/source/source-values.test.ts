/** Values of a page that can't be stored, and pages that ask for more stored records than one may load. */
import type { ReadPage } from "@accord/connector-sdk";
import { describe, expect, test } from "vitest";
import type { Effect } from "../protocol/protocol.ts";
import type { CutKey } from "../protocol/match-requests.ts";
import type { CommitBatch } from "../protocol/storage.ts";
import { source, NODE, person, pageOf, type Options, kindsOf, batchOf, processed } from "./fixtures/source-machine.ts";

describe("a value that can't be stored", () => {
  /** Refuses every batch that creates the record of one of these external ids; answers what was committed instead. */
  function refusing(ids: readonly string[], page: ReadPage, options: Options = {}) {
    const it = processed(page, {}, options);
    const kept: CommitBatch[] = [];
    const queue = [...it.effects];
    const finished: Effect[] = [];
    for (let effect = queue.shift(); effect; effect = queue.shift()) {
      if (effect.kind === "resolve") queue.push(...it.resolve(effect.requestId));
      else if (effect.kind === "finish") finished.push(effect);
      else if (effect.kind === "commit") {
        const isRefused = effect.batch.links.some(({ externalId }) => ids.includes(externalId));
        if (!isRefused) kept.push(effect.batch);
        const refusal = { kind: "unstorable", nodeId: NODE, reason: "Email is too long." } as const;
        queue.push(...(isRefused ? it.give(refusal) : it.committed()));
      }
    }
    return { ...it, kept, effects: finished };
  }

  test("puts its record aside, and the others of its page are stored in their order; reading gets on with the last part", () => {
    const people = ["A1", "A2", "A3", "A4", "A5"].map((id) => person(id));
    const { run, kept, effects } = refusing(["A2"], pageOf(people));
    expect(kept.flatMap(({ links }) => links.map(({ externalId }) => externalId))).toEqual(["A1", "A3", "A4", "A5"]);
    expect(kept.flatMap(({ quarantine }) => quarantine)).toEqual([
      {
        direction: "source",
        externalId: "A2",
        recordId: null,
        nodeId: NODE,
        code: "unstorable",
        message: "Email is too long.",
        payload: people[1]?.values,
      },
    ]);
    expect(kept.map(({ position }) => position?.cursor ?? null)).toEqual([null, null, "next"]);
    expect(run.counts).toMatchObject({ read: { [NODE]: 5 }, created: 4, quarantined: 1 });
    expect(run.problems).toMatchObject([{ severity: "warning", code: "unstorable", count: 1 }]);
    expect(effects).toMatchObject([{ kind: "finish", summary: { outcome: "finished" } }]);
  });

  test("in each of several records puts those aside alone", () => {
    const { run, kept } = refusing(["A1", "A4"], pageOf(["A1", "A2", "A3", "A4"].map((id) => person(id))));
    expect(kept.flatMap(({ quarantine }) => quarantine.map(({ externalId }) => externalId))).toEqual(["A1", "A4"]);
    expect(run.counts).toMatchObject({ read: { [NODE]: 4 }, created: 2, quarantined: 2 });
  });

  test("keeps versions of one record together, and a source that gives one page a cycle gives all of it", () => {
    const page = pageOf([person("A1"), person("A2"), person("A1", { values: { name: "later" } })], { drained: false });
    const { kept, run } = refusing(["A2"], page, { source: { readMode: "single" } });
    expect(kept.map(({ creates }) => creates.map(({ values }) => values["name"]))).toEqual([["later"], []]);
    expect(run.reached[NODE]).toBe("next");
  });

  test("that is of no record ends the cycle with the reason", () => {
    const it = processed(pageOf([], { bad: [{ place: "line 1", message: "broken" }] }));
    expect(() => it.give({ kind: "unstorable", nodeId: NODE, reason: "too long" })).toThrow("too long");
  });

  test("is found before anything is written where records are compared", () => {
    const it = processed(pageOf([person("A1")]), {}, { source: { attach: source.attach } });
    expect(kindsOf(it.effects)).toEqual(["match"]);
    const [again] = it.give({ kind: "unstorable", nodeId: NODE, reason: "out of range" });
    const batch = batchOf(it.resolve(again?.kind === "resolve" ? again.requestId : -1));
    expect(batch?.quarantine).toMatchObject([{ externalId: "A1", message: "out of range" }]);
    expect(batch?.creates).toEqual([]);
  });
});

describe("a page that asks for more stored records than one may load", () => {
  /** Answers each match request as storage does that has room for the candidates of `room` records. */
  function matching(room: number, page: ReadPage, cut: readonly CutKey[] = []) {
    const it = processed(page, {}, { source: { attach: source.attach } });
    const asked: string[][] = [];
    const batches: CommitBatch[] = [];
    const queue = [...it.effects];
    for (let effect = queue.shift(); effect; effect = queue.shift()) {
      if (effect.kind === "resolve") queue.push(...it.resolve(effect.requestId));
      if (effect.kind === "commit") {
        batches.push(effect.batch);
        queue.push(...it.committed());
      }
      if (effect.kind !== "match") continue;
      const keys = effect.request.fields.flatMap((one) => one.keys.map(String));
      asked.push(keys);
      const isFull = keys.length > room;
      queue.push(...it.give({ kind: "matched", nodeId: NODE, candidates: [], cut, isFull }));
    }
    return { run: it.run, asked, batches };
  }
  const people = ["A1", "A2", "A3"].map((id) => person(id));

  test("goes on in halves, so that each of its records is compared with all it has to be", () => {
    const { run, asked, batches } = matching(1, pageOf(people));
    expect(asked.map((keys) => keys.length)).toEqual([3, 1, 2, 1, 1]);
    expect(batches.flatMap(({ creates }) => creates.map(({ values }) => values["name"]))).toEqual(["A1", "A2", "A3"]);
    expect(batches.flatMap(({ quarantine }) => quarantine)).toEqual([]);
    expect(batches.map(({ position }) => position?.cursor ?? null)).toEqual([null, null, "next"]);
    expect(run.counts).toMatchObject({ read: { [NODE]: 3 }, created: 3, quarantined: 0 });
  });

  test("quarantines a record that asks for more all by itself, and says why", () => {
    const cut = [{ entry: 0, key: 0, lastId: null }];
    const { run, asked, batches } = matching(0, pageOf(people.slice(0, 1)), cut);
    expect(asked).toHaveLength(1);
    expect(batches).toMatchObject([{ creates: [], quarantine: [{ externalId: "A1", code: "too_many_candidates" }] }]);
    expect(run.problems).toMatchObject([{ severity: "warning", code: "too_many_candidates", count: 1 }]);
  });
});
