/** Which values tokens have at a node for the record that is tried, and of which nothing is known. */
import type { Values } from "@accord/contracts/data/values";
import { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { sampleOfToken } from "./token-samples.model.ts";
import { triedRecord } from "./tried-record.fixtures.ts";

const graph = Graph.parse({
  nodes: [
    { id: "crm", label: "CRM companies", nodeType: "ENTITY_SOURCE" },
    { id: "upper", label: "Upper", nodeType: "FUNCTION", apiName: "upperCase" },
    { id: "more", label: "Upper.more", nodeType: "FUNCTION", apiName: "upperCase" },
    { id: "mail", label: "Mail", nodeType: "ACTION", apiName: "sendEmail" },
    { id: "never", label: "Never", nodeType: "FUNCTION", apiName: "upperCase" },
  ],
  edges: [
    { id: "1", source: { nodeId: "crm" }, destination: { nodeId: "upper" } },
    { id: "2", source: { nodeId: "upper" }, destination: { nodeId: "mail" } },
  ],
});
const at = (nodeId: string, input: Values, output: Values) => ({
  nodeId,
  label: nodeId,
  nodeType: "FUNCTION",
  status: "success" as const,
  isTruncated: false,
  testData: [{ recordId: "1", input, output, route: null, message: null, warnings: [], skipped: [] }],
});
const result = triedRecord({
  record: { externalId: "c-1", values: { name: "Acme", address: { city: "Oslo" } }, assumed: [] },
  nodes: [
    at("upper", { Name: "Acme" }, { Name: "Acme", value: "ACME" }),
    at("more", { Name: "Acme" }, { Name: "Acme", value: { city: "Rome" } }),
    at("mail", { Name: "Acme", "first.name": "Ann" }, { Name: "Acme" }),
  ],
});
const [mail = GraphNode.parse({ id: "mail" })] = graph.nodes.filter(({ id }) => id === "mail");
const source = { nodeId: "crm", connector: "CRM", entity: "company" };
const sampleOf = (token: string) => sampleOfToken(token, { result, graph, node: mail, source });

test("fields of the source and of the core have the values with which the record comes to the node", () => {
  expect(sampleOf("CRM.company.name")).toBe("Acme");
  expect(sampleOf("source.name")).toBe("Acme");
  expect(sampleOf("CRM.company.address.city")).toBe("Oslo");
  expect(sampleOf("CRM companies.name")).toBe("Acme");
  expect(sampleOf("previous.values.Name")).toBe("Acme");
  expect(sampleOf("previous.values.first.name"), "a name with a dot").toBe("Ann");
  expect(sampleOf("record.externalId")).toBe("c-1");
});

test("results of nodes are their own, by the longest label that is meant, and the last one is the node's before", () => {
  expect(sampleOf("Value From Upper")).toBe("ACME");
  expect(sampleOf("Value From Upper.more.city")).toBe("Rome");
  expect(sampleOf("previousValue")).toBe("ACME");
});

test("nothing is said of what the result doesn't know: another source, a node that was not reached, and what no path leads to", () => {
  for (const token of [
    "Billing.account.name",
    "Value From Never",
    "Value From Nobody",
    "previous.values.Other",
    "system.now",
  ])
    expect(sampleOf(token), token).toBeUndefined();
});
