/** What a tried record came to: which edits make a result old, and what each node is said to have done. */
import { Graph } from "@accord/contracts/sync/graph";
import { moveNodes } from "@accord/sync-engine/graph";
import { expect, test } from "vitest";
import { changeNode } from "@accord/sync-engine/graph";
import { editable, fieldRows, passesAt, readPasted, runsAlike, statusAt } from "./try.model.ts";
import { triedRecord } from "./tried-record.fixtures.ts";

const graph = Graph.parse({
  nodes: [
    { id: "crm", label: "CRM", nodeType: "ENTITY_SOURCE" },
    { id: "mark", label: "Mark", nodeType: "FUNCTION", apiName: "setValue" },
  ],
  edges: [{ id: "e", source: { nodeId: "crm" }, destination: { nodeId: "mark" } }],
});

test("moving nodes and describing them makes no result old, changing what they do does", () => {
  expect(runsAlike(graph, moveNodes(graph, new Map([["mark", { x: 1, y: 2 }]])))).toBe(true);
  expect(runsAlike(graph, changeNode(graph, "mark", { description: "Why" }))).toBe(true);
  expect(runsAlike(graph, changeNode(graph, "mark", { configuration: { field: "name" } }))).toBe(false);
  expect(runsAlike(graph, changeNode(graph, "mark", { label: "Other" }))).toBe(false);
  expect(runsAlike(graph, { ...graph, edges: [] })).toBe(false);
});

test("changed fields stand first, and a field that came or went is a change", () => {
  const rows = fieldRows({ a: 1, b: "x", gone: 1 }, { a: 1, b: "y", new: null });
  expect(rows.map(({ field, isChanged }) => [field, isChanged])).toEqual([
    ["b", true],
    ["gone", true],
    ["new", true],
    ["a", false],
  ]);
});

test("a destination that holds all of it was reached, one behind a filter was not", () => {
  const destination = { nodeId: "to", label: "To", message: "", values: null };
  const with_ = (outcome: "up_to_date" | "filtered" | "failed") =>
    statusAt(triedRecord({ destinations: [{ ...destination, outcome }] }), "to");
  expect([with_("up_to_date"), with_("filtered"), with_("failed")]).toEqual(["passed", "not_reached", "failed"]);
  expect(statusAt(triedRecord({}), "unknown")).toBeNull();
});

test("the core shows what it holds and what it would hold", () => {
  const core = { outcome: "updated" as const, recordId: "r", before: { a: 1 }, after: { a: 2 }, message: null };
  const [node] = Graph.parse({ nodes: [{ id: "core", nodeType: "CORE_ENTITY" }], edges: [] }).nodes;
  if (!node) throw new Error("there is a node");
  expect(passesAt(triedRecord({ core }), node)).toMatchObject([{ input: { a: 1 }, output: { a: 2 } }]);
  expect(passesAt(triedRecord({ core, notRun: ["core"] }), node)).toEqual([]);
  expect(statusAt(triedRecord({ core, notRun: ["core"] }), "core")).toBe("not_run");
});

test("pasted text that is no record says what is wrong with it, and of which field", () => {
  expect(readPasted('{"a": 1.10, "b": null}')).toHaveProperty("values");
  expect(readPasted("{a: 1}")).toMatchObject({ problem: { kind: "notJson" } });
  expect(readPasted("[1]")).toEqual({ problem: { kind: "notObject" } });
});

test("values that are edited begin without the masks of secrets", () => {
  expect(JSON.parse(editable({ name: "Ada", pin: "••••••••" }))).toEqual({ name: "Ada" });
});
