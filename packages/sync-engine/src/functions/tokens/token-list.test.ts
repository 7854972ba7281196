/** Which tokens a node is offered, and which it uses in vain. */
import { FieldSchema } from "@accord/contracts/data/schema";
import { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { compileContext } from "../context.ts";
import { newFlowRecord, setField, setVariable } from "../flow.ts";
import { tokensFor, unknownTokensOf } from "./token-list.ts";
import { tokenReader } from "./tokens.ts";

const field = (apiName: string, dataType = "string") => FieldSchema.parse({ apiName, displayName: apiName, dataType });
const node = (id: string, nodeType: string, apiName = "", configuration = {}) => ({
  id,
  nodeType,
  apiName,
  label: id,
  configuration,
});
const edge = (from: string, to: string) => ({
  id: `edge-${from}-${to}-x`,
  source: { nodeId: from },
  destination: { nodeId: to },
});

const graph = Graph.parse({
  nodes: [
    node("crm", "ENTITY_SOURCE"),
    node("Upper", "FUNCTION", "upperCase"),
    node("Var", "FUNCTION", "setValue", { target: "variable", variable: "region", dataType: "string", value: "x" }),
    node("Set", "FUNCTION", "setValue", { field: "Name", value: "{{Value From Upper}} {{nobody}} {{source.country}}" }),
    node("core", "CORE_ENTITY"),
    node("After", "FUNCTION", "filter"),
    node("sink", "ENTITY_SINK"),
  ],
  edges: [
    edge("crm", "Upper"),
    edge("Upper", "Var"),
    edge("Var", "Set"),
    edge("Set", "core"),
    edge("core", "After"),
    edge("After", "sink"),
  ],
});
const world = {
  coreFields: [field("Name"), field("size", "integer")],
  sources: [{ nodeId: "crm", connector: "CRM", entity: "company", fields: [field("country")] }],
};
const names = (nodeId: string) => tokensFor(graph, nodeId, world).map((token) => token.token);

test("[SYN-066] a node is offered what stands before it, with label, group, data type and value", () => {
  const token = tokensFor(graph, "Set", world).find((one) => one.token === "CRM.company.country");
  expect(token).toEqual({
    token: "CRM.company.country",
    label: "CRM › company › country",
    shortLabel: "country",
    group: "Source fields",
    datatype: "string",
    value: "{{CRM.company.country}}",
  });
  expect(names("Set")).toEqual(
    expect.arrayContaining(["previousValue", "Value From Upper", "previous.values.size", "region"]),
  );
  expect(names("Upper")).not.toContain("Value From Upper");
});

test("[SYN-066] fields of what a lookup finds are offered behind it, those of the core's entities alone", () => {
  const lookups = Graph.parse({
    nodes: [
      node("crm", "ENTITY_SOURCE"),
      node("Owner", "FUNCTION", "lookupRecord", { entity: "Person" }),
      node("There", "FUNCTION", "lookupExternalRecord", { entity: "Person" }),
      node("Upper", "FUNCTION", "upperCase"),
    ],
    edges: [edge("crm", "Owner"), edge("Owner", "There"), edge("There", "Upper")],
  });
  const entities = new Map([["Person", [field("email")]]]);
  const offered = tokensFor(lookups, "Upper", { ...world, entities }).filter(({ group }) => group === "Lookups");
  expect(offered.map(({ token }) => token)).toEqual(["Value From Owner", "Value From Owner.email", "Value From There"]);
  expect(offered[1]).toMatchObject({ label: "Owner › email", shortLabel: "email" });
});

test("source fields and results end at the core entity", () => {
  const after = names("After");
  expect(after).not.toContain("CRM.company.country");
  expect(after).not.toContain("Value From Upper");
  expect(after).toContain("previous.values.Name");
});

test("[SYN-133] an unknown token in use falls back to datatype object in the group Others", () => {
  const set = graph.nodes.find((one) => one.id === "Set")!;
  expect(unknownTokensOf(graph, set, world)).toEqual(["nobody"]);
  expect(tokensFor(graph, "Set", world).at(-1)).toMatchObject({ token: "nobody", datatype: "object", group: "Others" });
});

test("[T23] names of the language itself are no tokens and no fields", () => {
  const context = compileContext(graph, {
    coreFields: new Map(),
    sources: [{ connector: "CRM", entity: "company", fields: new Map() }],
    timeZone: "UTC",
    pipelineName: "",
    instanceName: "",
  });
  for (const name of ["__proto__", "constructor", "toString", "previous.values.__proto__", "source.constructor"])
    expect(tokenReader(name, context)).toBeNull();
  const record = newFlowRecord({ values: {} });
  setVariable(record, "__proto__", { polluted: true });
  setField(record, "__proto__", { polluted: true });
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

test("inside a loop its item is offered first, the inner loop's before the outer one's; behind the loop it is one variable among others", () => {
  const loop = (id: string, itemVariable: string) => node(id, "FUNCTION", "forEach", { list: "x", itemVariable });
  const looped = Graph.parse({
    nodes: [
      node("crm", "ENTITY_SOURCE"),
      node("Upper", "FUNCTION", "upperCase"),
      loop("Orders", "order"),
      node("Between", "FUNCTION", "trim"),
      loop("Lines", "line"),
      node("Inside", "FUNCTION", "trim"),
      node("End lines", "FUNCTION", "endLoop"),
      node("End orders", "FUNCTION", "endLoop"),
      node("Behind", "FUNCTION", "trim"),
      node("core", "CORE_ENTITY"),
    ].map((each) => ({ ...each, id: each.id.replace(" ", "-") })),
    edges: [
      ...[edge("crm", "Upper"), edge("Upper", "Orders"), edge("Orders", "Between"), edge("Between", "Lines")],
      ...[edge("Lines", "Inside"), edge("Inside", "End-lines"), edge("End-lines", "Lines")],
      ...[edge("End-lines", "End-orders"), edge("End-orders", "Orders"), edge("End-orders", "Behind")],
      edge("Behind", "core"),
    ],
  });
  const offered = (nodeId: string) => tokensFor(looped, nodeId, world);
  const items = (nodeId: string) =>
    offered(nodeId)
      .filter(({ group }) => group === "Loop item")
      .map(({ token }) => token);
  expect(offered("Inside")[0]).toMatchObject({ token: "line", label: "line: item of Lines", value: "{{line}}" });
  expect(items("Inside")).toEqual(["line", "Value From Lines", "order", "Value From Orders"]);
  expect(items("Between")).toEqual(["order", "Value From Orders"]);
  expect(items("End-lines")).toEqual(["line", "Value From Lines", "order", "Value From Orders"]);
  expect(items("Behind")).toEqual([]);
  expect(offered("Behind").find(({ token }) => token === "order")?.group).toBe("Variables");
  expect(new Set(offered("Inside").map(({ token }) => token)).size).toBe(offered("Inside").length);

  // An item without a name of its own is the value of its loop.
  const unnamed = { ...looped, nodes: looped.nodes.map((each) => ({ ...each, configuration: {} })) };
  expect(tokensFor(unnamed, "Inside", world)[0]).toMatchObject({
    token: "Value From Lines",
    label: "Item of Lines",
    group: "Loop item",
  });

  // Not closed yet, as it is while somebody builds it.
  const open = { ...looped, edges: looped.edges.filter(({ id }) => !/End/.test(id)) };
  expect(tokensFor(open, "Inside", world)[0]?.token).toBe("line");
});
