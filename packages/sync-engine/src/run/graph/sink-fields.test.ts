/** Which changes are news for a destination, judged by the nodes on its path. */
import { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { fieldsReadOnPath } from "./sink-fields.ts";

const path = (apiName: string, configuration: object): ReturnType<typeof fieldsReadOnPath> => {
  const graph = Graph.parse({
    nodes: [
      { id: "on-the-road", nodeType: "FUNCTION", apiName, label: "Step", configuration },
      { id: "elsewhere-1", nodeType: "FUNCTION", apiName: "trim", label: "Trim", configuration: {} },
    ],
    edges: [],
  });
  return fieldsReadOnPath(graph, new Set(["on-the-road"]));
};
const isFilled = (right: object[]): object => ({
  evaluatesToTrue: {
    type: "group",
    combinator: "or",
    children: [{ type: "condition", left: { kind: "field", field: "accountNumber" }, operator: "equals", right }],
  },
});

test("a decision looks at the fields of its condition, on both sides", () => {
  expect(path("predicate", isFilled([{ kind: "literal", value: "a" }]))).toEqual(new Set(["accountNumber"]));
  expect(path("predicate", isFilled([{ kind: "field", field: "oldNumber" }]))).toEqual(
    new Set(["accountNumber", "oldNumber"]),
  );
});

test("a decision by a token may look at anything", () => {
  expect(path("predicate", isFilled([{ kind: "token", token: "previous.values.city" }]))).toBeNull();
  expect(path("filter", { condition: "{{previous.values.city}}" })).toBeNull();
});

test("a function may change values on the way: any change may matter", () => {
  expect(path("upperCase", { value: "a" })).toBeNull();
});

test("settings of any shape say nothing but the fields they name", () => {
  const settings = {
    limit: 5,
    isOn: true,
    note: null,
    odd: { kind: "field" },
    list: [1, null, { kind: "field", field: "b" }],
  };
  expect(path("predicate", { ...settings, left: { kind: "field", field: "a" } })).toEqual(new Set(["a", "b"]));
  expect(path("predicate", { left: { kind: "literal", field: "a" } }), "a literal's own word").toEqual(new Set());
  expect(path("predicate", { list: [5, { kind: "token", token: "x" }] })).toBeNull();
});
