/** The shared rules on what the browser knows. */
import { EntitySchema, FieldSchema } from "@accord/contracts/data/schema";
import { ActionVariable } from "@accord/contracts/sync/actions";
import { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { checkGraph, type KnownWorld, placeKey } from "./check-graph.ts";

const CRM = "c".repeat(24);
const field = (apiName: string) => ({ apiName, displayName: apiName });
const schema = EntitySchema.parse({
  apiName: "company",
  displayName: "Company",
  fields: [field("id"), field("name")],
});
const world = {
  coreEntity: { apiName: "Account", displayName: "Account", fields: [] },
  places: new Map([
    [
      placeKey(CRM, "company"),
      {
        connectorName: "CRM",
        status: "ACTIVE",
        entity: { apiName: "company", status: "ACTIVE" as const, readOnly: false, idField: "id", schema },
      },
    ],
  ]),
  customActions: new Map(),
};
const graph = Graph.parse({
  nodes: [
    {
      id: "crm",
      label: "CRM",
      nodeType: "ENTITY_SOURCE",
      configuration: { connectorId: CRM, entityDefinition: "company", fieldMappings: [] },
    },
    { id: "filter", label: "Filter", nodeType: "FUNCTION", apiName: "filter" },
    { id: "core", label: "Account", nodeType: "CORE_ENTITY" },
  ],
  edges: [
    { id: "edge-one-0000", source: { nodeId: "crm" }, destination: { nodeId: "filter" } },
    { id: "edge-two-0000", source: { nodeId: "filter" }, destination: { nodeId: "core" } },
  ],
});
const found = (known: Parameters<typeof checkGraph>[1]) =>
  checkGraph(graph, known).problems.map(({ nodeId, code }) => [nodeId, code]);

test("a function without its condition and a source without a mapping are found by the rules that the server applies", () => {
  expect(found(world)).toEqual([
    ["crm", "mapping_missing"],
    ["filter", "input_missing"],
  ]);
});

test("nothing is said about systems that can't be read", () => {
  expect(found({ ...world, places: null })).toEqual([["filter", "input_missing"]]);
});

test("a node whose custom action was deleted, or that leaves its required variable empty, is found without the server", () => {
  const notify = { id: "notify", label: "Notify", nodeType: "ACTION", apiName: "customAction" };
  const performing = (configuration: object) =>
    Graph.parse({ nodes: [...graph.nodes, { ...notify, configuration }], edges: graph.edges });
  const actionId = "d".repeat(24);
  const variables = [ActionVariable.parse({ name: "who", required: true })];
  const customActions = new Map([[actionId, { displayName: "Notify billing", variables }]]);
  const codes = (configuration: object, known: Partial<KnownWorld>) =>
    checkGraph(performing(configuration), { ...world, ...known }).problems.flatMap(({ nodeId, code }) =>
      nodeId === "notify" && code.startsWith("custom_action") ? [code] : [],
    );
  expect(codes({ actionId }, {})).toEqual(["custom_action_unknown"]);
  expect(codes({ actionId }, { customActions: null })).toEqual([]);
  expect(codes({ actionId }, { customActions })).toEqual(["custom_action_variable_missing"]);
  expect(codes({ actionId, variables: { who: "Ann" } }, { customActions })).toEqual([]);
});

test("a field pipeline is checked by its own rules, beside the entity pipeline that names its systems", () => {
  const core = { id: "field", label: "Name", nodeType: "CORE_ATTRIBUTE" };
  const attribute = (id: string, nodeType: string, attributeDefinition: string) => ({
    id,
    label: id,
    nodeType,
    configuration: { connectorId: CRM, entityDefinition: "company", attributeDefinition },
  });
  const ofField = { field: FieldSchema.parse(field("name")), entityGraph: graph };
  const problems = (nodes: object[], edges: [string, string][]) =>
    checkGraph(
      Graph.parse({
        nodes: [core, ...nodes],
        edges: edges.map(([from, to]) => ({
          id: `edge-${from}-to-${to}`,
          source: { nodeId: from },
          destination: { nodeId: to },
        })),
      }),
      { ...world, ofField },
    ).problems.map(({ nodeId, code }) => [nodeId, code]);
  expect(problems([attribute("in", "ATTRIBUTE_SOURCE", "name")], [["in", "field"]])).toEqual([]);
  expect(problems([attribute("in", "ATTRIBUTE_SOURCE", "name")], [])).toEqual([["in", "field_source_loose"]]);
  expect(problems([attribute("out", "ATTRIBUTE_SINK", "name")], [["field", "out"]])).toEqual([
    ["out", "field_place_missing"],
  ]);
  const attach = { id: "attach", label: "attach", nodeType: "FUNCTION", apiName: "advancedAttachRecord" };
  expect(
    problems(
      [attribute("in", "ATTRIBUTE_SOURCE", "name"), attach],
      [
        ["in", "attach"],
        ["attach", "field"],
      ],
    ).map(([, code]) => code),
  ).toContain("function_wrong_level");
});
