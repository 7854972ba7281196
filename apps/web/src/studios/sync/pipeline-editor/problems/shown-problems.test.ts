/** Which problems are shown while a draft is edited. */
import { Graph } from "@accord/contracts/sync/graph";
import type { PipelineProblem } from "@accord/contracts/sync/pipelines";
import { changeNode, moveNodes, removeNodes } from "@accord/sync-engine/graph";
import { expect, test } from "vitest";
import { isOnlyMoved, shownProblems } from "./shown-problems.ts";

const graph = Graph.parse({
  nodes: [
    { id: "filter", label: "Filter", nodeType: "FUNCTION", apiName: "filter" },
    { id: "crm", label: "CRM", nodeType: "ENTITY_SINK" },
  ],
  edges: [],
});
const problem = (code: string, nodeId: string | null, severity: "error" | "warning" = "error"): PipelineProblem => ({
  code,
  nodeId,
  severity,
  targetId: null,
  errorMessage: code,
  errorDetail: code,
});
const codes = (problems: readonly PipelineProblem[] | null) => problems?.map(({ code }) => code);

test("nothing is said before anything was found, and what was found here is said without the server", () => {
  expect(shownProblems(graph, null, null)).toBeNull();
  const found = { problems: [problem("input_missing", "filter")], knowsPlaces: true, knowsActions: true };
  expect(codes(shownProblems(graph, null, found))).toEqual(["input_missing"]);
});

test("what only the server can say stays until its node changes, wherever the node is moved", () => {
  const found = { problems: [problem("label_repeated", "filter", "warning")], knowsPlaces: true, knowsActions: true };
  const validated = { graph, problems: [problem("sink_cannot_delete", "crm")] };
  const both = ["sink_cannot_delete", "label_repeated"];
  expect(codes(shownProblems(graph, validated, found))).toEqual(both);
  const moved = moveNodes(graph, new Map([["crm", { x: 9, y: 9 }]]));
  expect(codes(shownProblems(moved, validated, found))).toEqual(both);
  const other = changeNode(graph, "filter", { label: "Only large ones" });
  expect(codes(shownProblems(other, validated, found))).toEqual(both);
  const changed = changeNode(graph, "crm", { configuration: { delete: false } });
  expect(codes(shownProblems(changed, validated, found))).toEqual(["label_repeated"]);
});

test("what the rules here no longer find is gone, though the server once found it too", () => {
  const validated = { graph, problems: [problem("input_missing", "filter"), problem("source_missing", null)] };
  expect(codes(shownProblems(graph, validated, { problems: [], knowsPlaces: true, knowsActions: true }))).toEqual([]);
});

test("where connected systems can't be read, what the server found about them stays", () => {
  const validated = { graph, problems: [problem("mapping_missing", "crm"), problem("input_missing", "filter")] };
  expect(codes(shownProblems(graph, validated, { problems: [], knowsPlaces: false, knowsActions: true }))).toEqual([
    "mapping_missing",
  ]);
});

test("where custom actions can't be read, what the server found about them stays", () => {
  const validated = { graph, problems: [problem("custom_action_unknown", "filter")] };
  const found = { problems: [], knowsPlaces: true };
  expect(codes(shownProblems(graph, validated, { ...found, knowsActions: false }))).toEqual(["custom_action_unknown"]);
  expect(codes(shownProblems(graph, validated, { ...found, knowsActions: true }))).toEqual([]);
});

test("problems of a node go with it", () => {
  const found = { problems: [problem("input_missing", "filter")], knowsPlaces: true, knowsActions: true };
  expect(shownProblems(removeNodes(graph, new Set(["filter"])), null, found)).toEqual([]);
});

test("a graph whose nodes were only moved needs no new check", () => {
  expect(isOnlyMoved(graph, moveNodes(graph, new Map([["crm", { x: 9, y: 9 }]])))).toBe(true);
  expect(isOnlyMoved(graph, changeNode(graph, "crm", { label: "Other" }))).toBe(false);
  expect(isOnlyMoved(graph, removeNodes(graph, new Set(["crm"])))).toBe(false);
});
