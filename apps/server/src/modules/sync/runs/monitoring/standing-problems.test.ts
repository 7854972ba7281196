/** Which numbers of problems lead to a cycle: those that the newest cycle that is kept counted itself. */
import { expect, test } from "vitest";
import type { CycleProblem } from "@accord/sync-engine/run";
import type { PipelineRow } from "../schedule/pipeline-rows.store.ts";
import { type ProblemFacts, problemsOf } from "./standing-problems.ts";

const warning = (code: string, count: number): CycleProblem => ({
  severity: "warning",
  nodeId: "source",
  code,
  message: code,
  detail: null,
  count,
});

function listed(last: CycleProblem[], kept?: { number: number; problems: CycleProblem[] }) {
  const row = { pipelineId: "p", isPaused: false, failures: {}, resync: null, lastResyncAt: null, activity: "Waiting" };
  const facts: ProblemFacts = {
    causes: [],
    refused: [],
    resolved: new Set<string>(),
    places: [],
    actions: new Map<string, []>(),
    missing: new Map<number, never>(),
    slots: [],
    kept: kept ? new Map([["p", kept]]) : new Map<string, never>(),
  };
  const { others, errors } = problemsOf(
    { ...row, lastCycle: { problems: last } } as unknown as PipelineRow,
    [],
    facts,
    0,
  );
  return [...errors, ...others].map(({ code, listedIn, cycleId }) => [code, listedIn, cycleId?.replace(/^0+/, "")]);
}

test("what the kept cycle counted leads to it; what stands from earlier ones leads nowhere", () => {
  const [own, earlier] = [warning("respelled", 5), warning("empty_rejected", 2)];
  const error: CycleProblem = { severity: "error", nodeId: "sink", code: "timeout", message: "Late.", detail: null };
  expect(listed([error, own, earlier], { number: 26, problems: [own, error] })).toEqual([
    ["timeout", "cycle", "1a"],
    ["respelled", "cycle", "1a"],
    ["empty_rejected", undefined, undefined],
  ]);
});

test("a sum of several cycles, and what no cycle that is kept counted, leads nowhere", () => {
  const again = { ...warning("respelled", 3), detail: "record 7" };
  expect(listed([again, warning("respelled", 5)], { number: 26, problems: [again] })).toEqual([
    ["respelled", undefined, undefined],
  ]);
  expect(listed([again])).toEqual([["respelled", undefined, undefined]]);
});
