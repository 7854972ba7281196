/** From a published graph to a plan: once per graph version, everything that can be known beforehand is. */
import type { FieldSchema } from "@accord/contracts/data/schema";
import {
  CoreConfiguration,
  type Graph,
  type GraphNode,
  SinkConfiguration,
  SourceConfiguration,
} from "@accord/contracts/sync/graph";
import type { SourceSchedule } from "@accord/contracts/sync/schedules";
import { isSecretField } from "@accord/expressions";
import type { SecretNames } from "../../actions/secret-results.ts";
import { compileAttach, nodeContext } from "../../functions/compile.ts";
import type { CompileContext } from "../../functions/context.ts";
import { isBypassed } from "../../graph/bypass.ts";
import { isCore } from "../../graph/elements.ts";
import { reachableFrom } from "../../graph/walk.ts";
import { compileAuthority } from "../merge/authority/authority.ts";
import { asForeignId, converter } from "../graph/field-conversion.ts";
import type {
  AttachPlan,
  EndpointPlan,
  Plan,
  ReferencePlan,
  SinkMapping,
  SinkPlan,
  SourceMapping,
  SourcePlan,
} from "./plan.ts";
import { compileMerge } from "../merge/duplicates/merge-plan.ts";
import {
  type CompileFieldNodes,
  computedName,
  computedSinkFields,
  hasSourceAt,
  plainSinkFields,
  plainSourceFields,
  sinkFieldPath,
  sourceFieldPath,
} from "../graph/field-paths.ts";
import { pipelineContext } from "../graph/pipeline-context.ts";
import type { CompileInput, EndpointSchema } from "./compile-input.ts";
import { compiledNodes } from "./compile-nodes.ts";
import { type FieldGraphs, isActionsEndpoint, type EndpointFields, placesOf } from "./endpoints.ts";
import { fitVersion, pathVersion } from "./path-version.ts";
import { readIndexOf } from "../state/fields/read-index.ts";
import { compilePath } from "../graph/compiled-path.ts";
import { chainPaths } from "../graph/chained-paths.ts";
import { actionsBehindCore, nodesToCore, nodesToSink } from "../graph/path-nodes.ts";
import { fieldsReadOnPath } from "../graph/sink-fields.ts";

const scheduleOf = (seconds: number | undefined): SourceSchedule =>
  seconds === undefined ? { kind: "minute" } : { kind: "interval", every: seconds, unit: "seconds" };

/** Compiles a validated graph. Throws when the graph names a place or node kind that `facts` do not know. */
export function compilePipeline(graph: Graph, facts: CompileInput): Plan {
  const core = graph.nodes.find(isCore);
  if (!core) throw new Error(`version ${facts.versionId} has no core node`);
  const coreConfig = CoreConfiguration.parse(core.configuration);
  const coreFields = new Map(facts.coreFields.map((field) => [field.apiName, field]));
  const fieldGraphs = facts.fieldGraphs ?? new Map<string, Graph>();
  const needs = placesOf(graph, fieldGraphs);
  const places = new Map(facts.places.map((place) => [place.id, placePlan(place, needs)]));
  const compiling: Compiling = {
    graph,
    facts,
    core,
    coreFields,
    places,
    fieldGraphs,
    ...pipelineContext(graph, facts),
    compiled: compiledNodes(facts, [graph, ...fieldGraphs.values()]),
  };
  const sinkNodes = graph.nodes.filter((node) => node.nodeType === "ENTITY_SINK");
  const sourceNodes = graph.nodes.filter((node) => node.nodeType === "ENTITY_SOURCE");
  const sinks = [...sinkNodes.map((node) => compileSink(compiling, node)), ...actionsOnlySinks(compiling)];
  const sources = sourceNodes.map((node) => compileSource(compiling, node, sinks));
  const isDeduplicating = coreConfig.deduplicate && sources.length > 0;
  const policy = facts.mergePolicy ?? { retainFields: [], dependentPicklists: [] };
  const coreContext = nodeContext(core, compiling.context);
  const merge = isDeduplicating ? compileMerge(coreConfig.merge, policy, coreFields, coreContext) : null;
  const originFields = merge
    ? coreConfig.merge.fields.flatMap(({ field, policy: how }) => (how === "latest" ? [field] : []))
    : [];
  const { pipelineId, versionId, versionNumber } = facts;
  return {
    pipelineId,
    versionId,
    versionNumber,
    coreFields,
    authority: {
      ...compileAuthority(coreConfig, sources, originFields),
      ...(facts.remapped && { remapped: facts.remapped }),
    },
    merge,
    hasReferences: [...sources, ...sinks].some(({ mappings }) => mappings.some(({ reference }) => reference !== null)),
    sources,
    sinks,
    places,
  };
}

interface Compiling {
  graph: Graph;
  facts: CompileInput;
  core: GraphNode;
  coreFields: ReadonlyMap<string, FieldSchema>;
  places: ReadonlyMap<number, EndpointPlan>;
  context: CompileContext;
  secretNames: SecretNames;
  fieldGraphs: FieldGraphs;
  compiled: CompileFieldNodes;
}

function placePlan(facts: EndpointSchema, needs: readonly EndpointFields[]): EndpointPlan {
  const { id, connectorId, readFields, writeFields } = facts;
  const entity = facts.schema.apiName;
  const need = needs.find((one) => one.connectorId === connectorId && one.entity === entity);
  const lapsed = readFields.flatMap((field, index) => (need?.readFields.includes(field) ? [] : [index]));
  const fields = { readFields, ...(lapsed.length > 0 ? { lapsed: new Set(lapsed) } : {}) };
  const shared = writeFields.flatMap((field, writeIndex) => {
    const read = readIndexOf(fields, field);
    return read < 0 ? [] : [{ read, writeIndex }];
  });
  return { id, connectorId, entity, ...fields, writeFields, shared };
}

function placeAt(compiling: Compiling, connectorId: string, entity: string): [EndpointPlan, EndpointSchema] {
  const facts = compiling.facts.places.find(
    (place) => place.connectorId === connectorId && place.schema.apiName === entity,
  );
  const place = facts && compiling.places.get(facts.id);
  if (!facts || !place) throw new Error(`unknown place ${connectorId}/${entity}`);
  return [place, facts];
}

function compileSource(compiling: Compiling, node: GraphNode, sinks: readonly SinkPlan[]): SourcePlan {
  const config = SourceConfiguration.parse(node.configuration);
  const [place, facts] = placeAt(compiling, config.connectorId, config.entityDefinition);
  const { fieldGraphs } = compiling;
  const plain = plainSourceFields(fieldGraphs, place);
  // A field pipeline takes the place of the direct mapping of its field, which the entity pipeline still works with.
  const direct = config.fieldMappings
    .map((row) => ({ ...row, isProvisional: hasSourceAt(fieldGraphs, row.coreField, place) }))
    .filter(({ coreField, isProvisional }) => {
      const isPlain = plain.some((row) => row.coreField === coreField);
      return !isProvisional || (!isPlain && compiling.coreFields.get(coreField)?.dataType !== "reference");
    });
  const rows = [...direct, ...plain.map((row) => ({ ...row, isProvisional: false }))];
  const mappings = rows.flatMap(({ connectorField, coreField, isProvisional }): SourceMapping[] => {
    const from = facts.schema.fields.find((field) => field.apiName === connectorField);
    const to = compiling.coreFields.get(coreField);
    if (!from || !to) return [];
    const reference = to.dataType === "reference" ? referenceOf(from, config.connectorId) : null;
    const convert = converter(from, to, compiling.facts.timeZone);
    const readIndex = place.readFields.indexOf(connectorField);
    return [{ connectorField, readIndex, coreField, convert, reference, isProvisional, ...gone(from) }];
  });
  const { graph, core, context } = compiling;
  const ends = { from: node.id, to: core.id };
  const nodes = nodesToCore(graph, node.id, core.id);
  const { path, letsAllPass } = compilePath(graph, ends, nodes, compiling.compiled(graph, context, "source"));
  const fields = sourceFieldPath(compiling, place);
  return {
    nodeId: node.id,
    label: node.label || node.name || config.entityDefinition,
    place,
    program: pathVersion(compiling, node),
    mappings,
    path: fields ? chainPaths(path, fields) : path,
    letsAllPass,
    attach: attachRules(compiling, node),
    acceptDeletes: config.acceptDeletes,
    schedule: config.schedule ?? scheduleOf(config.scheduleSeconds),
    readMode: config.readMode,
    isAlsoSink: sinks.some((sink) => sink.place.id === place.id),
    readDelayMs: facts.readDelayMs,
    canGetById: facts.canGetById,
    listsAll: facts.listsAll,
  };
}

function attachRules(compiling: Compiling, source: GraphNode): AttachPlan[] {
  const after = reachableFrom(compiling.graph, [source.id]);
  return compiling.graph.nodes
    .filter((node) => node.apiName === "advancedAttachRecord" && after.has(node.id) && !isBypassed(node))
    .map((node) => compileAttach(node, compiling.context));
}

/** Stands for the actions behind the core that lead to no destination; it is notified of every change and writes nothing. */
function actionsOnlySinks(compiling: Compiling): SinkPlan[] {
  const { graph, core, context, facts, places } = compiling;
  const nodes = actionsBehindCore(graph);
  const place = places.get(facts.places.find(isActionsEndpoint)?.id ?? -1);
  if (nodes.size === 0 || !place) return [];
  const compiled = compiling.compiled(graph, context, "destination");
  const { path } = compilePath(graph, { from: core.id, to: null }, nodes, compiled);
  const off = { create: false, update: false, delete: false, recreate: false, onlyChangedFields: true };
  const nothing = {
    readDelayMs: 0,
    idempotentCreate: true,
    canLookup: false,
    matchOn: null,
    isPlain: false,
    reads: null,
    fits: "",
  };
  const label = core.label || core.name;
  return [
    { nodeId: core.id, label, place, mappings: [], path, isActionsOnly: true, writeBatchSize: 200, ...off, ...nothing },
  ];
}

function compileSink(compiling: Compiling, node: GraphNode): SinkPlan {
  const config = SinkConfiguration.parse(node.configuration);
  const [place, facts] = placeAt(compiling, config.connectorId, config.entityDefinition);
  const own = [
    ...plainSinkFields(compiling.fieldGraphs, place).map((row) => ({ ...row, isComputed: false })),
    ...computedSinkFields(compiling.fieldGraphs, place).map((row) => ({ ...row, isComputed: true })),
  ];
  const taken = new Set(own.map(({ connectorField }) => connectorField));
  const direct = config.fieldMappings.filter(({ connectorField }) => !taken.has(connectorField));
  const rows = [...direct.map((row) => ({ ...row, isComputed: false })), ...own];
  const mappings = rows.flatMap(({ connectorField, coreField, isComputed }): SinkMapping[] => {
    const from = compiling.coreFields.get(coreField);
    const to = facts.schema.fields.find((field) => field.apiName === connectorField);
    if (!from || !to || to.calculated || (to.isIdField && !to.initializable)) return [];
    const isReference = from.dataType === "reference" && !isComputed;
    const reference = isReference ? referenceOf(to, config.connectorId) : null;
    // A value that is no record of ours is the id of one there, as it stands.
    const isForeignId = to.dataType === "reference" && !reference;
    const held = isForeignId ? { ...to, dataType: "string" as const } : to;
    const converted = converter(isComputed ? { ...from, dataType: "object" } : from, held, compiling.facts.timeZone);
    const convert = isForeignId ? asForeignId(converted) : converted;
    const createOnly = to.createOnly || !to.updateable;
    return [
      {
        coreField: isComputed ? computedName(connectorField) : coreField,
        connectorField,
        writeIndex: place.writeFields.indexOf(connectorField),
        convert,
        reference,
        createOnly,
        isComputed,
        ...(isSecretField(from) ? { isSecret: true } : {}),
        ...gone(to),
      },
    ];
  });
  const { graph, core, context } = compiling;
  const ends = { from: core.id, to: node.id };
  const nodes = nodesToSink(graph, core.id, node.id);
  const { path, isPlain } = compilePath(graph, ends, nodes, compiling.compiled(graph, context, "destination"));
  const fields = sinkFieldPath(compiling, place);
  const onPath = isPlain ? new Set<string>() : fieldsReadOnPath(graph, nodes);
  const matchOn = config["matchOn"];
  return {
    nodeId: node.id,
    label: node.label || node.name || config.entityDefinition,
    place,
    mappings,
    path: fields ? chainPaths(path, fields) : path,
    isActionsOnly: false,
    isPlain: isPlain && !fields,
    reads: onPath && !fields ? new Set([...onPath, ...mappings.map(({ coreField }) => coreField)]) : null,
    create: config.create,
    update: config.update,
    delete: config.delete,
    recreate: config.recreate,
    onlyChangedFields: config.onlyChangedFields,
    matchOn: typeof matchOn === "string" && matchOn !== "" ? matchOn : null,
    writeBatchSize: facts.writeBatchSize,
    readDelayMs: facts.readDelayMs,
    idempotentCreate: facts.idempotentCreate,
    canLookup: facts.canLookup,
    fits: fitVersion(compiling, facts.schema),
  };
}

/** Fields that vanished from a system keep their place in its schema. */
const gone = ({ status }: FieldSchema) => (status === "INACTIVE" ? { isMissing: true } : {});

const referenceOf = (field: FieldSchema, connectorId: string): ReferencePlan | null =>
  field.referenceTo ? { connectorId, entity: field.referenceTo } : null;
