/** Which fields of connector entities hold values of core fields of type `password`: those are secret there too. */
import { type Graph, SinkConfiguration, SourceConfiguration } from "@accord/contracts/sync/graph";
import { endpointOfFieldNode, type FieldGraphs } from "./endpoints.ts";

/**
 * Connector fields by `connectorId/entity`: mapped to a secret core field, or read or written by its field pipeline.
 * @param secretFields api names of the core entity's secret fields
 */
export function secretConnectorFields(
  graph: Graph,
  fieldGraphs: FieldGraphs,
  secretFields: ReadonlySet<string>,
): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const note = (connectorId: string, entity: string, field: string): void => {
    const key = `${connectorId}/${entity}`;
    found.set(key, (found.get(key) ?? new Set()).add(field));
  };
  for (const { nodeType, configuration } of graph.nodes) {
    if (nodeType !== "ENTITY_SOURCE" && nodeType !== "ENTITY_SINK") continue;
    // A draft may not be complete yet.
    const read = (nodeType === "ENTITY_SOURCE" ? SourceConfiguration : SinkConfiguration).safeParse(configuration);
    if (!read.success) continue;
    const { connectorId, entityDefinition, fieldMappings } = read.data;
    for (const { connectorField, coreField } of fieldMappings)
      if (secretFields.has(coreField)) note(connectorId, entityDefinition, connectorField);
  }
  for (const [coreField, { nodes }] of fieldGraphs) {
    if (!secretFields.has(coreField)) continue;
    for (const node of nodes) {
      if (node.nodeType !== "ATTRIBUTE_SOURCE" && node.nodeType !== "ATTRIBUTE_SINK") continue;
      const { connectorId, entity, field } = endpointOfFieldNode(node);
      note(connectorId, entity, field);
    }
  }
  return found;
}
