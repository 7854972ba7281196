/** What a branch behind a Switch may stand for. */
import { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { caseNames, withCases } from "./node-options.ts";

const node = (id: string, apiName: string, configuration: object = {}) => ({
  id,
  label: id,
  nodeType: "FUNCTION",
  apiName,
  configuration,
});
const graph = Graph.parse({
  nodes: [
    node("switch", "case", { cases: [{ name: "Large" }, { name: "Small" }] }),
    node("branch", "caseBranch"),
    node("alone", "caseBranch"),
  ],
  edges: [{ id: "e", source: { nodeId: "switch" }, destination: { nodeId: "branch" } }],
});

test("a branch stands for a case of the Switch before it, or for default or any", () => {
  expect(caseNames(graph, "branch")).toEqual(["Large", "Small", "Default", "Any"]);
  expect(caseNames(graph, "alone")).toEqual(["Default", "Any"]);
  const inputs = [
    { name: "case", label: "Case", renderType: "caseName" },
    { name: "other", label: "Other" },
  ];
  expect(withCases(inputs, graph, "branch").map((input) => input.values?.length)).toEqual([4, undefined]);
});
