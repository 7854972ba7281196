/** What cards say of their nodes. */
import { GraphNode } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import "../../../../app/words.ts";
import { summaryOf, type SummaryWorld } from "./card-summary.ts";

const world: SummaryWorld = {
  fields: [
    { apiName: "state", displayName: "State", dataType: "string" },
    { apiName: "companyName", displayName: "Name", dataType: "string" },
  ],
  functionLabel: (apiName) => ({ titleCase: "Title case", filter: "Filter", predicate: "Decision" })[apiName],
  words: {
    notConfigured: "Not configured yet",
    bypassed: "Disabled: records pass unchanged",
    kind: (kind) => `a ${kind}`,
    coreField: "Core field",
    mapped: (count) => `${count} fields mapped`,
    of: (name, value) => `${name} of ${value}`,
  },
};
const say = (node: object) =>
  summaryOf(GraphNode.parse({ id: "n", label: "Mine", nodeType: "FUNCTION", ...node }), world);
const isTexas = {
  type: "condition",
  left: { kind: "field", field: "state" },
  operator: "equals",
  right: [{ kind: "literal", value: "TX" }],
};

test("a condition, a value and a function are said in one line with the names of fields", () => {
  expect(say({ apiName: "filter", configuration: { condition: isTexas } })).toBe("State equals TX");
  const both = { type: "group", combinator: "and", children: [isTexas, isTexas] };
  expect(say({ apiName: "predicate", configuration: { evaluatesToTrue: both } })).toMatch(/^State equals TX and State/);
  expect(say({ apiName: "titleCase", configuration: { value: "{{previous.values.companyName}}" } })).toBe(
    "Title case of Name",
  );
  expect(say({ apiName: "setValue", configuration: { target: "field", field: "state", value: "TX" } })).toBe(
    "State = TX",
  );
  expect(say({ apiName: "case", configuration: { cases: [{ name: "Big" }, { name: "Small" }] } })).toBe("Big, Small");
});

test("a source says how many fields it maps, unfinished rows left out, and an unset node what it is", () => {
  const fieldMappings = [
    { connectorField: "a", coreField: "b" },
    { connectorField: "a", coreField: "" },
  ];
  const configuration = { connectorId: "c", entityDefinition: "company", fieldMappings };
  expect(say({ nodeType: "ENTITY_SOURCE", configuration })).toBe("1 fields mapped");
  expect(say({ nodeType: "ENTITY_SINK" })).toBe("Not configured yet");
  expect(say({ apiName: "filter" })).toBe("Filter");
  expect(say({ apiName: "filter", label: "Filter" })).toBe("a function");
});
