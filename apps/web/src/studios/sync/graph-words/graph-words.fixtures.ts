/** A small world and a pipeline in it, for the tests of what is said of graphs. */
import { sync } from "@accord/contracts/messages/en/sync";
import type { FunctionDescription } from "@accord/contracts/sync/palette";
import { Graph } from "@accord/contracts/sync/graph";
import { functionsFor } from "@accord/sync-engine/functions";
import { words as catalogue } from "../../../app/words.ts";
import type { GraphWords } from "./graph-words.ts";

catalogue.addResourceBundle("en", "sync", sync);

const definitions = new Map(functionsFor("entity").map((each): [string, FunctionDescription] => [each.name, each]));

const AREAS: ["sync", "builder" | "errors" | "shell" | "values"] = ["sync", "shell"];

export const words: GraphWords = {
  t: catalogue.getFixedT("en", AREAS),
  fields: [
    { apiName: "name", displayName: "Name", dataType: "string" },
    { apiName: "phone", displayName: "Phone", dataType: "string" },
    { apiName: "state", displayName: "State", dataType: "string" },
  ],
  definition: (apiName) => definitions.get(apiName),
  connectorName: (id) => ({ crm: "Harbor CRM", billing: "Billing" })[id] ?? id,
  title: (nodeId) => nodeId,
  portName: (_, port) => (port === "default" ? "" : port),
};

export const inTexas = (value = "TX") => ({
  type: "condition",
  left: { kind: "field", field: "state" },
  operator: "equals",
  right: [{ kind: "literal", value }],
});

const edge = (from: string, to: string, edgeType = "default") => ({
  id: `${from}-${to}-${edgeType}`,
  source: { nodeId: from },
  destination: { nodeId: to },
  edgeType,
});

const NODES = [
  {
    id: "crm",
    label: "Companies",
    nodeType: "ENTITY_SOURCE",
    connectorEntityName: "Company",
    configuration: {
      connectorId: "crm",
      entityDefinition: "company",
      schedule: { kind: "interval", every: 5, unit: "minutes" },
      fieldMappings: [
        { connectorField: "company_name", coreField: "name" },
        { connectorField: "tel", coreField: "phone" },
      ],
    },
  },
  {
    id: "filter",
    label: "Texas only",
    description: "The others belong to another team.",
    nodeType: "FUNCTION",
    apiName: "filter",
    groupId: "cleaning",
    configuration: { condition: inTexas() },
  },
  {
    id: "title",
    label: "Name in title case",
    nodeType: "FUNCTION",
    apiName: "titleCase",
    groupId: "cleaning",
    configuration: { value: "{{previous.values.name}}" },
  },
  {
    id: "core",
    label: "Account",
    nodeType: "CORE_ENTITY",
    configuration: {
      authority: "RANKED",
      ranking: ["crm"],
      fieldAuthority: { phone: { authority: "LATEST" } },
      deduplicate: true,
      merge: {
        reportOnly: false,
        match: {
          type: "condition",
          left: { kind: "field", field: "name" },
          operator: "equals",
          right: [{ kind: "token", token: "previous.values.name" }],
        },
        fields: [{ field: "phone", policy: "latest" }],
      },
    },
  },
  {
    id: "billing",
    label: "Customers",
    nodeType: "ENTITY_SINK",
    connectorEntityName: "Customer",
    configuration: {
      connectorId: "billing",
      entityDefinition: "customer",
      fieldMappings: [{ connectorField: "name", coreField: "name" }],
      delete: true,
      matchOn: "name",
    },
  },
];

/** CRM into Account, out of it to Billing. */
export const pipeline = (): Graph =>
  Graph.parse({
    nodes: NODES,
    edges: [edge("crm", "filter"), edge("filter", "title"), edge("title", "core"), edge("core", "billing")],
    groups: [{ id: "cleaning", name: "Cleaning", description: "Makes values comparable." }],
  });

/** The pipeline with one node changed. */
export const withNode = (graph: Graph, id: string, change: Record<string, unknown>): Graph =>
  Graph.parse({
    ...graph,
    nodes: graph.nodes.map((node) => (node.id === id ? { ...node, ...change } : node)),
  });

/** With some keys of one node's configuration changed. */
export const withSettings = (graph: Graph, id: string, change: Record<string, unknown>): Graph =>
  withNode(graph, id, {
    configuration: { ...graph.nodes.find((node) => node.id === id)?.configuration, ...change },
  });
