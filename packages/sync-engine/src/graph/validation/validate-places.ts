/** Problems of sources and destinations: the synapse, its entity and the field mapping. */
import type { EntitySchema, FieldSchema } from "@accord/contracts/data/schema";
import { FieldMapping, type Graph, type GraphNode } from "@accord/contracts/sync/graph";
import { SourceSchedule } from "@accord/contracts/sync/schedules";
import { scheduleProblem } from "../../lifecycle/schedule.ts";
import type { ConnectorEntityFacts, GraphCatalogue } from "./catalogue.ts";
import { isSink, isSource } from "../elements.ts";
import { nodeProblem, type GraphProblem } from "./problem.ts";
import { typesFit } from "../edit/suggest-mappings.ts";

type Side = "source" | "sink";

export function placeProblems(graph: Graph, catalogue: GraphCatalogue): GraphProblem[] {
  const seen = new Set<string>();
  return graph.nodes.flatMap((node): GraphProblem[] => {
    const side: Side | null = isSource(node) ? "source" : isSink(node) ? "sink" : null;
    if (!side) return [];
    const { connectorId, entityDefinition } = node.configuration;
    if (!connectorId || !entityDefinition) return [nodeProblem("connector_not_chosen", node)];
    const facts = catalogue.connectorEntity(connectorId, entityDefinition);
    if (!facts) return [nodeProblem("connector_unknown", node)];
    const named = { connector: facts.connectorName, entity: entityDefinition };
    if (facts.status !== "ACTIVE")
      return [nodeProblem("connector_not_active", node, { ...named, status: facts.status.toLowerCase() })];
    if (!facts.entity) return [nodeProblem("connector_entity_unknown", node, named)];
    const place = `${side} ${connectorId} ${entityDefinition}`;
    const repeated = seen.has(place) ? [nodeProblem("place_repeated", node, named)] : [];
    seen.add(place);
    const able =
      side === "source"
        ? [...sourceProblems(node, facts, named), ...scheduleProblems(node)]
        : sinkProblems(node, facts, named);
    return [...repeated, ...able, ...mappingProblems(node, side, facts.entity, catalogue)];
  });
}

type Named = { connector: string; entity: string };

function sourceProblems(node: GraphNode, facts: ConnectorEntityFacts, named: Named): GraphProblem[] {
  if (!facts.hasId) return [nodeProblem("connector_entity_id_missing", node, named)];
  return facts.readsChanges
    ? []
    : [{ ...nodeProblem("connector_entity_watermark_missing", node, named), severity: "warning" }];
}

function scheduleProblems(node: GraphNode): GraphProblem[] {
  const parsed = SourceSchedule.optional().safeParse(node.configuration["schedule"]);
  const reason = parsed.success ? parsed.data && scheduleProblem(parsed.data) : parsed.error.issues[0]?.message;
  return reason ? [nodeProblem("schedule_invalid", node, { reason }, "schedule")] : [];
}

function sinkProblems(node: GraphNode, facts: ConnectorEntityFacts, named: Named): GraphProblem[] {
  if (!facts.canCreate && !facts.canUpdate) return [nodeProblem("connector_entity_read_only", node, named)];
  const { create = true, update = true, delete: deletes = false } = node.configuration;
  const found: GraphProblem[] = [];
  if (!facts.hasId) found.push(nodeProblem("connector_entity_id_missing", node, named));
  if (create === true && !facts.canCreate) found.push(nodeProblem("sink_cannot_create", node, named, "create"));
  if (update === true && !facts.canUpdate) found.push(nodeProblem("sink_cannot_update", node, named, "update"));
  if (deletes === true && !facts.canDelete) found.push(nodeProblem("sink_cannot_delete", node, named, "delete"));
  if (create === true && facts.canCreate && !facts.createsOnce)
    found.push({ ...nodeProblem("sink_creates_at_least_once", node, named, "create"), severity: "warning" });
  return found;
}

function mappingProblems(node: GraphNode, side: Side, entity: EntitySchema, catalogue: GraphCatalogue): GraphProblem[] {
  const held = node.configuration["fieldMappings"];
  const entered: unknown[] = Array.isArray(held) ? held : [];
  const rows = entered.flatMap((row) => FieldMapping.safeParse(row).data ?? []);
  const unfinished =
    rows.length < entered.length ? [nodeProblem("mapping_row_unfinished", node, {}, "fieldMappings")] : [];
  if (rows.length === 0 && unfinished.length === 0) {
    const severity = side === "sink" ? "warning" : "error";
    return [{ ...nodeProblem("mapping_missing", node, {}, "fieldMappings"), severity }];
  }
  const connector = new Map(entity.fields.map((field) => [field.apiName, field]));
  const core = new Map(catalogue.coreEntity.fields.map((field) => [field.apiName, field]));
  const written = new Set<string>();
  const found: GraphProblem[] = [...unfinished];
  for (const row of rows) {
    const target = side === "source" ? row.coreField : row.connectorField;
    if (written.has(target))
      found.push(nodeProblem("mapping_field_repeated", node, { field: target }, "fieldMappings"));
    written.add(target);
    found.push(
      ...rowProblems(node, side, row, connector.get(row.connectorField), core.get(row.coreField), entity.apiName),
    );
  }
  return [...found, ...(side === "sink" ? requiredProblems(node, entity, written) : [])];
}

function rowProblems(
  node: GraphNode,
  side: Side,
  row: FieldMapping,
  field: FieldSchema | undefined,
  core: FieldSchema | undefined,
  entity: string,
): GraphProblem[] {
  if (!field || field.status !== "ACTIVE") {
    return [nodeProblem("mapping_field_unknown", node, { field: row.connectorField, entity }, "fieldMappings")];
  }
  if (!core || core.status !== "ACTIVE") {
    return [nodeProblem("mapping_core_field_unknown", node, { field: row.coreField }, "fieldMappings")];
  }
  if (side === "sink" && (field.calculated || (!field.updateable && !field.initializable))) {
    return [nodeProblem("mapping_field_read_only", node, { field: field.displayName }, "fieldMappings")];
  }
  const [from, to] = side === "source" ? [field, core] : [core, field];
  if (mayConvert(from, to)) return [];
  const facts = { field: from.displayName, fieldType: from.dataType, other: to.displayName, otherType: to.dataType };
  return [{ ...nodeProblem("mapping_types_differ", node, facts, "fieldMappings"), severity: "error" }];
}

/** Text and JSON may hold anything: converting text, and JSON to lists, is decided record by record. The rest must fit by type. */
export const mayConvert = (from: FieldSchema, to: FieldSchema): boolean =>
  (from.isMultiValueField && to.dataType === "object") ||
  (from.dataType === "object" && to.isMultiValueField) ||
  from.dataType === "string" ||
  from.dataType === "picklist" ||
  to.dataType === "reference" ||
  from.dataType === "reference" ||
  typesFit(from.dataType, to.dataType);

function requiredProblems(node: GraphNode, entity: EntitySchema, written: ReadonlySet<string>): GraphProblem[] {
  if (node.configuration["create"] === false) return [];
  return entity.fields
    .filter((field) => field.status === "ACTIVE" && !field.nillable && field.initializable && !field.isIdField)
    .filter((field) => field.defaultValue === undefined && !field.calculated && !written.has(field.apiName))
    .map((field) => ({
      ...nodeProblem("required_field_unmapped", node, { field: field.displayName }, "fieldMappings"),
      severity: "warning" as const,
    }));
}
