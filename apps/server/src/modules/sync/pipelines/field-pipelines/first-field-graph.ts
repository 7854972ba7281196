/** The graph that a field pipeline begins with. Pure. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import { FieldMapping, Graph } from "@accord/contracts/sync/graph";

type Field = CoreEntity["fields"][number];

const PLACES = { source: ["ENTITY_SOURCE", "ATTRIBUTE_SOURCE"], sink: ["ENTITY_SINK", "ATTRIBUTE_SINK"] } as const;

/** A field pipeline begins with what the direct mappings of its field say. */
export function firstFieldGraph(field: Field, entityGraph: Graph, newId: () => string): Graph {
  const core = {
    id: newId(),
    nodeType: "CORE_ATTRIBUTE",
    apiName: field.apiName,
    name: field.displayName,
    label: field.displayName,
    location: { x: 600, y: 400 },
  };
  const nodes: object[] = [core];
  const edges: object[] = [];
  for (const [side, [entityType, nodeType]] of Object.entries(PLACES)) {
    const mapped = entityGraph.nodes.filter((node) => node.nodeType === entityType);
    for (const [index, place] of mapped.entries()) {
      const rows = FieldMapping.array().safeParse(place.configuration["fieldMappings"] ?? []);
      const row = rows.success ? rows.data.find(({ coreField }) => coreField === field.apiName) : undefined;
      if (!row) continue;
      const id = newId();
      const { connectorId, entityDefinition } = place.configuration;
      const label = `${place.label} ${row.connectorField}`;
      const configuration = { connectorId, entityDefinition, attributeDefinition: row.connectorField };
      const location = { x: side === "source" ? 200 : 1000, y: 300 + index * 140 };
      nodes.push({ id, nodeType, label, name: label, configuration, location });
      const [from, to] = side === "source" ? [id, core.id] : [core.id, id];
      edges.push({ id: newId(), source: { nodeId: from }, destination: { nodeId: to } });
    }
  }
  return Graph.parse({ nodes, edges });
}
