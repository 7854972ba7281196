/** What a turn of a loop leaves in the record that goes round, of one copy and of several. */
import { expect, test } from "vitest";
import type { FlowRecord } from "../../functions/flow.ts";
import { flowOf } from "../protocol/fixtures/stored.ts";
import { mergeLoopResult } from "./loop-results.ts";

const intent = (nodeId: string): FlowRecord["attach"][number] => ({ nodeId, keys: [], now: 0 });
const warning = (code: string): FlowRecord["warnings"][number] => ({ nodeId: "n", code, message: code });
const [kept, added] = [intent("kept"), intent("added")];
const [known, said] = [warning("known"), warning("said")];

/** A record with a value, a variable, an intent and a warning; and a copy of it that changed some and added others. */
function turn() {
  const record = {
    ...flowOf({ values: { a: 1, b: 1 } }),
    variables: { v: 1, w: 1 },
    attach: [kept],
    warnings: [known],
  };
  const copy = {
    ...flowOf({ values: { b: 2 } }),
    variables: { w: 2 },
    attach: [kept, added],
    warnings: [known, said],
    results: ["result"],
  };
  return { record, copy };
}

test("the first copy of a turn is what the record is now", () => {
  const { record, copy } = turn();
  mergeLoopResult(record, copy, false);
  expect(record).toMatchObject({ values: copy.values, variables: copy.variables, results: ["result"] });
  expect([record.attach, record.warnings]).toEqual([copy.attach, copy.warnings]);
  expect(record.values).not.toHaveProperty("a");
});

test("a later copy adds what it changed, and each intent and each warning once", () => {
  const { record, copy } = turn();
  mergeLoopResult(record, copy, true);
  expect(record).toMatchObject({ values: { a: 1, b: 2 }, variables: { v: 1, w: 2 }, results: ["result"] });
  expect(record.attach).toEqual([kept, added]);
  expect(record.warnings).toEqual([known, said]);
});

test("a record that went round itself stays as it is", () => {
  const { record } = turn();
  const before = structuredClone(record);
  mergeLoopResult(record, record, true);
  expect(record).toEqual(before);
});
