/** Fields in the palette of a field pipeline, and the nodes they become. */
import { id } from "@accord/contracts";
import { ConnectorField } from "@accord/contracts/sync/node-fields";
import { Graph } from "@accord/contracts/sync/graph";
import { addNode, edgesInto, edgesOutOf } from "@accord/sync-engine/graph";
import { expect, test } from "vitest";
import { nodeFrom } from "../canvas/new-node.ts";
import { placeItem } from "../canvas/place-item.ts";
import { searchEntries } from "../palette/palette-items.ts";
import { fieldEntry } from "./field-entries.ts";

const CRM = id("connector").parse("c".repeat(24));
const offered = (type: "SOURCE" | "SINK") =>
  ConnectorField.parse({
    id: `node.${type}`,
    connectorId: CRM,
    connectorName: "CRM",
    connectorEntity: "company",
    label: "VAT number",
    name: "vat",
    type,
    iconPath: "",
  });
const graph = addNode(
  Graph.parse({ nodes: [], edges: [] }),
  Graph.shape.nodes.element.parse({ id: "core", label: "Tax id", nodeType: "CORE_ATTRIBUTE" }),
);

test("a field that is placed reads from its system, or writes there, and is connected with the core field", () => {
  const [source, sink] = (["SOURCE", "SINK"] as const).map((type) => {
    const { item } = fieldEntry(offered(type), undefined);
    if (item.kind === "note") throw new Error("a field is no note");
    return placeItem(graph, item, {});
  });
  const configuration = { connectorId: CRM, entityDefinition: "company", attributeDefinition: "vat" };
  expect(source?.node).toMatchObject({ nodeType: "ATTRIBUTE_SOURCE", label: "CRM VAT number", configuration });
  expect(sink?.node).toMatchObject({ nodeType: "ATTRIBUTE_SINK", label: "CRM VAT number", configuration });
  expect(source && edgesOutOf(source.graph, source.node.id).map(({ destination }) => destination.nodeId)).toEqual([
    "core",
  ]);
  expect(sink && edgesInto(sink.graph, sink.node.id).map((edge) => edge.source.nodeId)).toEqual(["core"]);
});

test("fields are found by their label, their name and their system, and a long label is cut to what a node can hold", () => {
  const entry = fieldEntry(offered("SOURCE"), undefined);
  for (const text of ["vat", "crm", "company vat"]) expect(searchEntries([entry], text)).toEqual([entry]);
  const { item } = fieldEntry({ ...offered("SOURCE"), label: "x".repeat(150) }, undefined);
  expect(item.kind !== "fragment" && item.kind !== "note" && nodeFrom(item).label).toHaveLength(120);
});
