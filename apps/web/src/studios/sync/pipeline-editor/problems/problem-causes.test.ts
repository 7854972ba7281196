/** Problems of runs are grouped by cause and found by node, field and text. */
import type { RunProblem } from "@accord/contracts/sync/monitoring/runs";
import { expect, test } from "vitest";
import { causesOf, isOfFieldPipeline, matchesFilter } from "./problem-causes.ts";

const problem = (part: Partial<RunProblem>): RunProblem => ({
  nodeId: "source",
  targetId: null,
  code: "not_convertible",
  errorMessage: "Values were left out",
  errorDetail: "",
  count: 1,
  ...part,
});

test("[SYN-130] problems are found by node, by field and by text of message or detail, whatever its case", () => {
  const all = [
    problem({ nodeId: "a", targetId: "phone", errorDetail: "“Twelve” is no number" }),
    problem({ nodeId: "b", targetId: "phone" }),
    problem({ nodeId: "b", targetId: "city", errorMessage: "TWELVE values were left out" }),
  ];
  const found = (filter: Parameters<typeof matchesFilter>[0]) =>
    all.filter(matchesFilter(filter)).map((one) => all.indexOf(one));
  expect(found({ nodeId: "b" })).toEqual([1, 2]);
  expect(found({ targetId: "phone" })).toEqual([0, 1]);
  expect(found({ text: " twelve " })).toEqual([0, 2]);
  expect(found({ text: "TWELVE", nodeId: "b" })).toEqual([2]);
  expect(found({})).toEqual([0, 1, 2]);
});

test("a cause has all its nodes and fields, errors come first, then what most records have", () => {
  const warning = [
    problem({ count: 2 }),
    problem({ code: "other", count: 9 }),
    problem({ targetId: "city", count: 5 }),
  ];
  const causes = causesOf({ error: [problem({ code: "unreachable" })], warning });
  expect(causes.map(({ code, count, problems }) => [code, count, problems.length])).toEqual([
    ["unreachable", 1, 1],
    ["other", 9, 1],
    ["not_convertible", 7, 2],
  ]);
  expect(causes.at(-1)?.problems[0]?.targetId).toBe("city");
});

test("a field pipeline shows what went wrong at its own nodes, and neither that of others nor of the pipeline as a whole", () => {
  const all = [problem({ nodeId: "core" }), problem({ nodeId: "trim" }), problem({ nodeId: null, targetId: "name" })];
  expect(all.filter(isOfFieldPipeline(new Set(["trim"]))).map(({ nodeId }) => nodeId)).toEqual(["trim"]);
});
