/** The connector entities that a pipeline touches, and which of their fields. */
import { type Graph, type GraphNode, SinkConfiguration, SourceConfiguration } from "@accord/contracts/sync/graph";
import { readableConfiguration } from "../../actions/mail-body.ts";
import { actionsBehindCore } from "../graph/path-nodes.ts";
import { reachableFrom } from "../../graph/walk.ts";

/** A connector entity that a graph reads or writes, with the fields it touches there. */
export interface EndpointFields {
  connectorId: string;
  entity: string;
  readFields: string[];
  writeFields: string[];
}

/** Graphs of field pipelines by the core field they belong to. */
export type FieldGraphs = ReadonlyMap<string, Graph>;

/** Names the place of the actions behind the core that lead to no destination: nothing is read or written there. */
export const ACTIONS_ENDPOINT = { connectorId: "actions", entity: "actions" } as const;
export const isActionsEndpoint = ({ connectorId }: { connectorId: string }): boolean =>
  connectorId === ACTIONS_ENDPOINT.connectorId;

/** The places of a graph, so that storage can number them and fix their field orders before the plan is made. */
export function placesOf(graph: Graph, fieldGraphs: FieldGraphs = new Map()): EndpointFields[] {
  const needs = new Map<string, EndpointFields>();
  for (const node of graph.nodes) {
    if (node.nodeType !== "ENTITY_SOURCE" && node.nodeType !== "ENTITY_SINK") continue;
    const isSource = node.nodeType === "ENTITY_SOURCE";
    const config = (isSource ? SourceConfiguration : SinkConfiguration).parse(node.configuration);
    const { connectorId, entityDefinition: entity } = config;
    const key = `${connectorId}/${entity}`;
    const need = needs.get(key) ?? { connectorId, entity, readFields: [], writeFields: [] };
    const fields = isSource ? need.readFields : need.writeFields;
    const named = [
      ...config.fieldMappings.map(({ connectorField }) => connectorField),
      ...attributesAt(fieldGraphs, isSource ? "ATTRIBUTE_SOURCE" : "ATTRIBUTE_SINK", { connectorId, entity }),
      ...(isSource ? tokenFields(graph, node, fieldGraphs) : []),
    ];
    for (const field of named) if (!fields.includes(field)) fields.push(field);
    needs.set(key, need);
  }
  const places = [...needs.values()];
  if (actionsBehindCore(graph).size > 0) places.push({ ...ACTIONS_ENDPOINT, readFields: [], writeFields: [] });
  return places;
}

/** The place that a field pipeline's source or sink node belongs to. */
export const endpointOfFieldNode = ({
  configuration,
}: GraphNode): { connectorId: string; entity: string; field: string } => ({
  connectorId: configuration.connectorId ?? "",
  entity: configuration.entityDefinition ?? "",
  field: configuration.attributeDefinition ?? "",
});

function attributesAt(
  fieldGraphs: FieldGraphs,
  nodeType: "ATTRIBUTE_SOURCE" | "ATTRIBUTE_SINK",
  place: { connectorId: string; entity: string },
): string[] {
  return [...fieldGraphs.values()].flatMap(({ nodes }) =>
    nodes
      .filter((node) => node.nodeType === nodeType)
      .map(endpointOfFieldNode)
      .filter(({ connectorId, entity, field }) => connectorId === place.connectorId && entity === place.entity && field)
      .map(({ field }) => field),
  );
}

/** Connector fields that functions after a source name by `{{source.field}}` or `{{connector.entity.field}}`. */
function tokenFields(graph: Graph, source: GraphNode, fieldGraphs: FieldGraphs): string[] {
  const after = reachableFrom(graph, [source.id]);
  const nodes = [
    ...graph.nodes.filter((node) => after.has(node.id)),
    ...[...fieldGraphs.values()].flatMap((one) => one.nodes),
  ];
  const text = JSON.stringify(nodes.map(readableConfiguration));
  const entity = String(source.configuration.entityDefinition ?? "");
  const found = new Set<string>();
  for (const [, token = ""] of text.matchAll(/(?:\{\{|"token":")([^{}"]+)/g)) {
    if (token.startsWith("source.")) found.add(token.slice("source.".length));
    const at = token.indexOf(`.${entity}.`);
    if (at > 0) found.add(token.slice(at + entity.length + 2));
  }
  return [...found];
}
