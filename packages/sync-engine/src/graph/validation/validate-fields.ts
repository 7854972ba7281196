/** Validation of field pipelines: what keeps one from being published with its entity pipeline. */
import type { FieldSchema } from "@accord/contracts/data/schema";
import { FieldMapping, type Graph, type GraphNode } from "@accord/contracts/sync/graph";
import { graph as words } from "@accord/contracts/messages/en/sync/graph";
import type { GraphCatalogue } from "./catalogue.ts";
import { refusedEdges } from "../edge-rules.ts";
import { edgesInto, edgesOutOf, isCore, isSink, isSource, nodeTitle } from "../elements.ts";
import { type GraphProblem, nodeProblem, problem } from "./problem.ts";
import { customActionProblems } from "./validate-custom-actions.ts";
import { functionProblems } from "./validate-functions.ts";
import { loopProblems } from "./validate.ts";
import { nodeMap, topologicalOrder } from "../walk.ts";

/** Whether a field pipeline moves nothing: publishing it removes it. */
export const isEmptyFieldGraph = (graph: Graph): boolean => !graph.nodes.some((node) => isSource(node) || isSink(node));

/** All problems, errors first. `entityGraph` says which places are read and written. */
export function validateFieldGraph(
  graph: Graph,
  field: FieldSchema,
  entityGraph: Graph,
  catalogue: GraphCatalogue,
): GraphProblem[] {
  if (isEmptyFieldGraph(graph)) return [];
  const found = [
    ...shapeProblems(graph),
    ...graph.nodes.flatMap((node) => attributeProblems(node, field, entityGraph, catalogue)),
    ...functionProblems(graph, { ...catalogue, scope: "field" }),
    ...customActionProblems(graph, catalogue),
    ...loopProblems(graph),
  ];
  return [...found.filter((item) => item.severity === "error"), ...found.filter((item) => item.severity === "warning")];
}

function shapeProblems(graph: Graph): GraphProblem[] {
  const nodes = nodeMap(graph);
  const cores = graph.nodes.filter(isCore);
  const found: GraphProblem[] = cores.length === 0 ? [problem("field_core_missing")] : [];
  for (const extra of cores.slice(1)) found.push(nodeProblem("core_repeated", extra));
  if (topologicalOrder(graph) === null) found.push(problem("circle"));
  for (const { edgeId, source, target, reason } of refusedEdges(graph)) {
    const node = nodes.get(target) ?? nodes.get(source);
    const facts = { label: node ? nodeTitle(node) : "Edge", reason: words[reason] };
    found.push(problem("edge_refused", { nodeId: node?.id ?? null, targetId: edgeId, facts }));
  }
  for (const node of graph.nodes) {
    if (isSource(node) && edgesOutOf(graph, node.id).length === 0) found.push(nodeProblem("field_source_loose", node));
    if (isSink(node) && edgesInto(graph, node.id).length === 0) found.push(nodeProblem("field_sink_loose", node));
  }
  return found;
}

function attributeProblems(
  node: GraphNode,
  core: FieldSchema,
  entityGraph: Graph,
  catalogue: GraphCatalogue,
): GraphProblem[] {
  if (node.nodeType !== "ATTRIBUTE_SOURCE" && node.nodeType !== "ATTRIBUTE_SINK") return [];
  const { connectorId = "", entityDefinition = "", attributeDefinition = "" } = node.configuration;
  if (!connectorId || !entityDefinition || !attributeDefinition) return [nodeProblem("field_not_chosen", node)];
  const wanted = node.nodeType === "ATTRIBUTE_SOURCE" ? "ENTITY_SOURCE" : "ENTITY_SINK";
  const place = entityGraph.nodes.find(
    ({ nodeType, configuration }) =>
      nodeType === wanted &&
      configuration.connectorId === connectorId &&
      configuration.entityDefinition === entityDefinition,
  );
  if (!place) return [nodeProblem("field_place_missing", node, { entity: entityDefinition })];
  const field = catalogue
    .connectorEntity(connectorId, entityDefinition)
    ?.entity?.fields.find(({ apiName }) => apiName === attributeDefinition);
  if (!field || field.status !== "ACTIVE") {
    return [nodeProblem("mapping_field_unknown", node, { field: attributeDefinition, entity: entityDefinition })];
  }
  if (isSource(node)) return [];
  if (field.calculated || (!field.updateable && !field.initializable)) {
    return [nodeProblem("mapping_field_read_only", node, { field: field.displayName })];
  }
  const rows = FieldMapping.array().safeParse(place.configuration["fieldMappings"] ?? []);
  const isMapped =
    rows.success &&
    rows.data.some(({ connectorField, coreField }) => {
      return connectorField === attributeDefinition && coreField !== core.apiName;
    });
  return isMapped ? [nodeProblem("field_written_twice", node, { field: field.displayName })] : [];
}

/** Destination fields that two field pipelines write. */
export function crossFieldProblems(graphs: ReadonlyMap<string, Graph>): GraphProblem[] {
  const written = new Map<string, string>();
  const found: GraphProblem[] = [];
  for (const [coreField, graph] of graphs) {
    for (const node of graph.nodes) {
      if (!isSink(node)) continue;
      const { connectorId, entityDefinition, attributeDefinition = "" } = node.configuration;
      const key = `${connectorId} ${entityDefinition} ${attributeDefinition}`;
      if (written.has(key) && written.get(key) !== coreField) {
        found.push(nodeProblem("field_written_twice", node, { field: attributeDefinition }));
      }
      written.set(key, coreField);
    }
  }
  return found;
}
