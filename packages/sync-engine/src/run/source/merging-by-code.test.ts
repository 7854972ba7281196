/** A page whose duplicates code of a person's own judges: it is asked until it has said all, and then the page is written. */
import { expect, test } from "vitest";
import type { Effect } from "../protocol/protocol.ts";
import { twoSystems } from "../protocol/fixtures/stored.ts";
import { batchOf, failure, kindsOf, NODE, pageOf, person, processed } from "./fixtures/source-machine.ts";

/** Two rows of one address came in; code chooses who stays, and with which values. */
function judgedByCode() {
  const { plan } = twoSystems(
    {},
    { scenario: { duplicates: { reportOnly: false, most: 5, deletesLosers: true, winner: "oldest" } } },
  );
  if (!plan.merge) throw new Error("the plan has no merge rules");
  const merge = { ...plan.merge, winnerCode: "choose", valuesCode: "values" };
  const twins = ["A1", "A2"].map((id) => person(id, { values: { email: "ada@example.com", name: id } }));
  const it = processed(pageOf(twins, { drained: false }), {}, { plan: { merge } });
  expect(kindsOf(it.effects)).toEqual(["match"]);
  const duplicates = { records: [], places: new Map(), separated: [] };
  const asked = it.give({ kind: "matched", nodeId: NODE, candidates: [], duplicates });
  const answer = (found: object): Effect[] =>
    it.give({ kind: "answered", nodeId: NODE, placeId: null, answers: [{ ok: true, found: [{ ...found }] }] });
  return { ...it, asked, answer };
}

const questions = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => (effect.kind === "ask" ? effect.dataRequests : []));

test("code is asked who stays, then for its values, and the page is written with what it said", () => {
  const { asked, answer, committed, state } = judgedByCode();
  expect(kindsOf(asked)).toEqual(["ask"]);
  expect(questions(asked)).toMatchObject([{ kind: "code", entry: "chooseWinner", script: "choose" }]);
  const next = answer({ winner: "new2" });
  expect(kindsOf(next), "nothing is written before it has said all").toEqual(["ask"]);
  expect(questions(next)).toMatchObject([{ kind: "code", entry: "mergeValues", script: "values" }]);
  const written = answer({ name: "Ada Lovelace" });
  expect(kindsOf(written)).toEqual(["commit"]);
  const [merged] = batchOf(written)?.mergeBatch?.merges ?? [];
  expect(merged).toMatchObject({
    winner: { recordId: "new2" },
    losers: [{ recordId: "new1" }],
    values: { name: "Ada Lovelace", email: "ada@example.com" },
  });
  committed();
  expect(state.uncommittedPages, "reading goes on behind it").toBe(0);
  expect(state.work.stage).toBe("idle");
});

test("where code gives no answer the source's turn ends: its page is read again in a later cycle", () => {
  const { give, run, state } = judgedByCode();
  expect(give({ kind: "requestFailed", nodeId: NODE, placeId: null, failure })).toMatchObject([
    { kind: "finish", summary: { outcome: "failed", problems: [{ nodeId: NODE, message: "503" }] } },
  ]);
  expect(state).toMatchObject({ state: "failed", slots: [], work: { stage: "idle" } });
  expect(run.reached).toEqual({});
});
