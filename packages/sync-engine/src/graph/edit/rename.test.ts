/** Renaming a node takes the tokens that name it along. */
import { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { changeNode } from "./edits.ts";

const node = (id: string, configuration = {}) => ({
  id,
  nodeType: "FUNCTION",
  apiName: "trim",
  label: id,
  name: id,
  configuration,
});

test("tokens in texts, lists and conditions follow a new label; longer labels and other words stay", () => {
  const left = { kind: "token", token: "Value From Clean" };
  const graph = Graph.parse({
    nodes: [
      node("Clean"),
      node("use", {
        value: "{{Value From Clean}} and {{Value From Cleaner}} in Clean",
        parts: ["{{Action Result From Clean.body.id}}"],
        condition: { type: "condition", left, operator: "isBlank", right: [] },
      }),
      node("other", { value: "{{previousValue}}" }),
    ],
    edges: [],
  });
  const changed = changeNode(graph, "Clean", { label: "Tidy" });
  expect(changed.nodes[0]?.label).toBe("Tidy");
  expect(changed.nodes[1]?.configuration).toMatchObject({
    value: "{{Value From Tidy}} and {{Value From Cleaner}} in Clean",
    parts: ["{{Action Result From Tidy.body.id}}"],
    condition: { left: { kind: "token", token: "Value From Tidy" } },
  });
  expect(changed.nodes[2]).toBe(graph.nodes[2]);
});

test("tokens of the whole record follow too; a system of the same name keeps its fields", () => {
  const graph = Graph.parse({
    nodes: [node("CRM"), node("use", { value: "{{CRM}} {{CRM.Name}} {{CRM.company.Name}}" })],
    edges: [],
  });
  expect(changeNode(graph, "CRM", { label: "Harbor" }).nodes[1]?.configuration).toMatchObject({
    value: "{{Harbor}} {{Harbor.Name}} {{CRM.company.Name}}",
  });
});

test("a label that stays changes nothing else", () => {
  const graph = Graph.parse({ nodes: [node("Clean"), node("use", { value: "{{Value From Clean}}" })], edges: [] });
  expect(changeNode(graph, "Clean", { description: "x" }).nodes[1]).toBe(graph.nodes[1]);
});
