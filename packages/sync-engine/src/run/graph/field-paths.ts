/**
 * Field pipelines: for each record that passed the entity pipeline one value travels from its source field to the core
 * field, or from the core field to its destination field. A graph without nodes between is a plain mapping.
 */
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Value, Values } from "@accord/contracts/data/values";
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { convertValue, isSecretField } from "@accord/expressions";
import { type CompileContext, compileContext } from "../../functions/context.ts";
import { conversionMessage } from "../../functions/kinds/conversion.ts";
import { addWarning, type FlowRecord, setField, setResult } from "../../functions/flow.ts";
import { type SecretNames, secretResults } from "../../actions/secret-results.ts";
import { isCore } from "../../graph/elements.ts";
import { edgesOutOf } from "../../graph/elements.ts";
import { nodesToCore, nodesToSink } from "./path-nodes.ts";
import { endpointOfFieldNode, type FieldGraphs } from "../plan/endpoints.ts";
import { compilePath, type CompiledPath, type PathExecution } from "./compiled-path.ts";
import { chainPaths } from "./chained-paths.ts";
import type { CompiledNode } from "../../functions/define.ts";

interface Place {
  connectorId: string;
  entity: string;
}

/** A source or sink node of a field pipeline at some place. */
interface Attribute {
  coreField: string;
  connectorField: string;
  graph: Graph;
  node: GraphNode;
  core: GraphNode;
}

/** Compiles the nodes of a field pipeline. */
export type CompileFieldNodes = (
  graph: Graph,
  context: CompileContext,
  side: "source" | "destination",
) => (nodeId: string) => CompiledNode | null;

/** Name under which a value made for a destination field travels with the record; no field is called like that. */
export const computedName = (connectorField: string): string => `> ${connectorField}`;

function attributesAt(fieldGraphs: FieldGraphs, nodeType: GraphNode["nodeType"], place: Place): Attribute[] {
  return [...fieldGraphs].flatMap(([coreField, graph]) => {
    const core = graph.nodes.find(isCore);
    if (!core) return [];
    return graph.nodes.flatMap((node): Attribute[] => {
      const { connectorId, entity, field } = endpointOfFieldNode(node);
      const isHere = connectorId === place.connectorId && entity === place.entity && field !== "";
      return node.nodeType === nodeType && isHere ? [{ coreField, connectorField: field, graph, node, core }] : [];
    });
  });
}

/** Nothing but an edge between the source and the core. */
const isPlainSource = ({ graph, node, core }: Attribute): boolean => {
  const out = edgesOutOf(graph, node.id);
  return out.length === 1 && out[0]?.destination.nodeId === core.id;
};
const isPlainSink = ({ graph, node, core }: Attribute): boolean =>
  graph.edges.some((edge) => edge.source.nodeId === core.id && edge.destination.nodeId === node.id) &&
  nodesToSink(graph, core.id, node.id).size === 0;

/** Whether the field pipeline of a core field reads at this place. */
export const hasSourceAt = (fieldGraphs: FieldGraphs, coreField: string, place: Place): boolean =>
  attributesAt(fieldGraphs, "ATTRIBUTE_SOURCE", place).some((attribute) => attribute.coreField === coreField);

const pairOf = ({ coreField, connectorField }: Attribute) => ({ coreField, connectorField });

export const plainSourceFields = (fieldGraphs: FieldGraphs, place: Place) =>
  attributesAt(fieldGraphs, "ATTRIBUTE_SOURCE", place).filter(isPlainSource).map(pairOf);
export const plainSinkFields = (fieldGraphs: FieldGraphs, place: Place) =>
  attributesAt(fieldGraphs, "ATTRIBUTE_SINK", place).filter(isPlainSink).map(pairOf);
/** Destination fields whose values are made on the path. */
export const computedSinkFields = (fieldGraphs: FieldGraphs, place: Place) =>
  attributesAt(fieldGraphs, "ATTRIBUTE_SINK", place)
    .filter((attribute) => !isPlainSink(attribute))
    .map(pairOf);

export interface FieldPathContext {
  fieldGraphs: FieldGraphs;
  coreFields: ReadonlyMap<string, FieldSchema>;
  context: CompileContext;
  secretNames: SecretNames;
  compiled: CompileFieldNodes;
}

/** The path through the source-side field pipelines of a place; null when all of them are plain mappings. */
export function sourceFieldPath(world: FieldPathContext, place: Place): CompiledPath | null {
  const attributes = attributesAt(world.fieldGraphs, "ATTRIBUTE_SOURCE", place).filter((one) => !isPlainSource(one));
  return chainAll(
    attributes.map(({ graph, node, core, coreField, connectorField }) => {
      const context = fieldContext(world, graph);
      const between = nodesToCore(graph, node.id, core.id);
      const { path } = compilePath(
        graph,
        { from: node.id, to: core.id },
        between,
        world.compiled(graph, context, "source"),
      );
      const shape = world.coreFields.get(coreField);
      return fieldPath(path, context.slots.get(node.id) ?? 0, {
        begin: (record) => record.source?.values[connectorField] ?? null,
        take: (record, value) => {
          if (shape) takeValue(record, core.id, shape, value, world.context.timeZone);
        },
        // Filtered out on its way: this source says nothing about the field.
        miss: (record) => void (record.values = without(record.values, coreField)),
      });
    }),
  );
}

/** The path through the destination-side field pipelines of a place; null when all of them are plain mappings. */
export function sinkFieldPath(world: FieldPathContext, place: Place): CompiledPath | null {
  const attributes = attributesAt(world.fieldGraphs, "ATTRIBUTE_SINK", place).filter((one) => !isPlainSink(one));
  return chainAll(
    attributes.map(({ graph, node, core, coreField, connectorField }) => {
      const context = fieldContext(world, graph);
      const between = nodesToSink(graph, core.id, node.id);
      const compiled = world.compiled(graph, context, "destination");
      const { path } = compilePath(graph, { from: core.id, to: node.id }, between, compiled);
      return fieldPath(path, context.slots.get(core.id) ?? 0, {
        begin: (record) => record.values[coreField] ?? null,
        take: (record, value) => setField(record, computedName(connectorField), value),
        miss: () => {},
      });
    }),
  );
}

const chainAll = (paths: readonly CompiledPath[]): CompiledPath | null =>
  paths.length === 0 ? null : paths.reduce((first, second) => chainPaths(first, second));

/** Variables that the entity pipeline sets are there in field pipelines too. */
function fieldContext({ context, secretNames }: FieldPathContext, graph: Graph): CompileContext {
  const own = compileContext(graph, context);
  const secrets = secretResults(graph, own, secretNames);
  return {
    ...own,
    variables: new Set([...context.variables, ...own.variables]),
    secrets: { ...secrets, variables: new Set([...context.secrets.variables, ...secrets.variables]) },
  };
}

interface FieldBinding {
  begin(record: FlowRecord): Value;
  take(record: FlowRecord, value: Value): void;
  miss(record: FlowRecord): void;
}

/** Sends a copy of each record through the field's nodes, its value the result of a step before the first. */
function fieldPath(inner: CompiledPath, slot: number, way: FieldBinding): CompiledPath {
  return (page, env) => {
    const copies = page.map((record, rowIndex): FlowRecord => {
      const none = { results: [], outcomes: [], snapshots: [], branches: [], attach: [], warnings: [] };
      const copy: FlowRecord = { ...record, ...none, previous: -1, rowIndex };
      setResult(copy, slot, way.begin(record));
      return copy;
    });
    return collectResults(inner(copies, env), page, way);
  };
}

function collectResults(execution: PathExecution, page: FlowRecord[], way: FieldBinding): PathExecution {
  if (execution.state === "suspended")
    return { ...execution, resume: (answers) => collectResults(execution.resume(answers), page, way) };
  const there = new Set<number>();
  for (const copy of execution.completed) {
    const record = page[copy.rowIndex];
    if (!record) continue;
    there.add(copy.rowIndex);
    for (const warning of copy.warnings) addWarning(record, warning);
    record.failure ??= copy.failure;
    if (!copy.failure) way.take(record, copy.results[copy.previous] ?? null);
  }
  for (const [rowIndex, record] of page.entries()) if (!there.has(rowIndex)) way.miss(record);
  // Edges of field pipelines are not counted: there may be hundreds of them.
  const { counts: _uncounted, ...without } = execution;
  return { ...without, completed: page };
}

/** Converted to the core field; a value that does not fit costs the record this field alone. */
function takeValue(record: FlowRecord, nodeId: string, shape: FieldSchema, value: Value, timeZone: string): void {
  const converted = convertValue(value, shape, { timeZone });
  if (converted.ok) {
    setField(record, shape.apiName, converted.value);
    return;
  }
  record.values = without(record.values, shape.apiName);
  const shown = isSecretField(shape)
    ? { ...converted, facts: { ...converted.facts, value: PASSWORD_MASK } }
    : converted;
  addWarning(record, {
    nodeId,
    code: converted.code,
    message: `${shape.displayName}: ${conversionMessage(shown)}`,
  });
}

function without(values: Values, field: string): Values {
  const { [field]: _dropped, ...rest } = values;
  return rest;
}
