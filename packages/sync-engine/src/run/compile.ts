/** From a published graph to a plan: once per graph version, everything that can be known beforehand is. */
import type { EntitySchema, FieldSchema } from "@accord/contracts/data/schema";
import {
  CoreConfiguration,
  type Graph,
  type GraphNode,
  SinkConfiguration,
  SourceConfiguration,
} from "@accord/contracts/sync/graph";
import type { SourceSchedule } from "@accord/contracts/sync/schedules";
import type { Value } from "@accord/contracts/data/values";
import { convertValue } from "@accord/expressions";
import { compileAttach, compileNode, nodeContext } from "../functions/compile.ts";
import { type CompileContext, compileContext } from "../functions/context.ts";
import type { CompiledNode } from "../functions/define.ts";
import { isCore } from "../graph/elements.ts";
import { reachableFrom, upstreamOf } from "../graph/walk.ts";
import { compileAuthority } from "./authority.ts";
import { hashText } from "./fingerprint.ts";
import {
  type AttachPlan,
  type Convert,
  Inconvertible,
  type PlacePlan,
  type Plan,
  type ReferencePlan,
  type SinkMapping,
  type SinkPlan,
  type SourceMapping,
  type SourcePlan,
} from "./plan.ts";
import { compileMerge, type MergePolicy } from "./merge-plan.ts";
import { makeRoad } from "./road.ts";

/** What a connector's entity is and can, as far as the engine needs it. */
export interface PlaceFacts {
  /** Number storage gave this place of this pipeline. */
  id: number;
  connectorId: string;
  connectorName: string;
  schema: EntitySchema;
  /** Fields read and told there, in the order of the fingerprints: grows at the end only. */
  readFields: readonly string[];
  toldFields: readonly string[];
  writeBatchSize: number;
  readDelayMs: number;
  idempotentCreate: boolean;
  canLookup: boolean;
}

export interface PipelineFacts {
  pipelineId: string;
  versionId: string;
  versionNumber: number;
  pipelineName: string;
  instanceName: string;
  timeZone: string;
  coreFields: readonly FieldSchema[];
  places: readonly PlaceFacts[];
  /** Wraps each node that records go through, to see what goes in and comes out. */
  observe?: ObserveNode;
  /** Of the pipeline's row; nothing retained when absent. */
  mergePolicy?: MergePolicy;
}

/** Called once for each compiled node; what it answers runs in its place and must answer the same routes. */
export type ObserveNode = (node: GraphNode, run: CompiledNode) => CompiledNode;

/** A connector entity that a graph reads or writes, with the fields it touches there. */
export interface PlaceNeed {
  connectorId: string;
  entity: string;
  readFields: string[];
  toldFields: string[];
}

const scheduleOf = (seconds: number | undefined): SourceSchedule =>
  seconds === undefined ? { kind: "minute" } : { kind: "interval", every: seconds, unit: "seconds" };

/** The places of a graph, so that storage can number them and fix their field orders before the plan is made. */
export function placesOf(graph: Graph): PlaceNeed[] {
  const needs = new Map<string, PlaceNeed>();
  for (const node of graph.nodes) {
    if (node.nodeType !== "ENTITY_SOURCE" && node.nodeType !== "ENTITY_SINK") continue;
    const isSource = node.nodeType === "ENTITY_SOURCE";
    const config = (isSource ? SourceConfiguration : SinkConfiguration).parse(node.configuration);
    const key = `${config.connectorId}/${config.entityDefinition}`;
    const need = needs.get(key) ?? {
      connectorId: config.connectorId,
      entity: config.entityDefinition,
      readFields: [],
      toldFields: [],
    };
    const fields = isSource ? need.readFields : need.toldFields;
    const extra = isSource ? tokenFields(graph, node) : [];
    for (const field of [...config.fieldMappings.map(({ connectorField }) => connectorField), ...extra]) {
      if (!fields.includes(field)) fields.push(field);
    }
    needs.set(key, need);
  }
  return [...needs.values()];
}

/** Connector fields that functions after a source name by `{{source.field}}` or `{{connector.entity.field}}`. */
function tokenFields(graph: Graph, source: GraphNode): string[] {
  const after = reachableFrom(graph, [source.id]);
  const text = JSON.stringify(graph.nodes.filter((node) => after.has(node.id)).map((node) => node.configuration));
  const entity = String(source.configuration.entityDefinition ?? "");
  const found = new Set<string>();
  for (const [, token = ""] of text.matchAll(/(?:\{\{|"token":")([^{}"]+)/g)) {
    if (token.startsWith("source.")) found.add(token.slice("source.".length));
    const at = token.indexOf(`.${entity}.`);
    if (at > 0) found.add(token.slice(at + entity.length + 2));
  }
  return [...found];
}

/** Compiles a validated graph. Throws when the graph names a place or node kind that `facts` do not know. */
export function compilePipeline(graph: Graph, facts: PipelineFacts): Plan {
  const core = graph.nodes.find(isCore);
  if (!core) throw new Error(`version ${facts.versionId} has no core node`);
  const coreConfig = CoreConfiguration.parse(core.configuration);
  const coreFields = new Map(facts.coreFields.map((field) => [field.apiName, field]));
  const places = new Map(facts.places.map((place) => [place.id, placePlan(place)]));
  const compiling: Compiling = {
    graph,
    facts,
    core,
    coreFields,
    places,
    context: compileContext(graph, {
      coreFields,
      sources: facts.places.map((place) => ({
        connector: place.connectorName,
        entity: place.schema.apiName,
        fields: new Map(place.schema.fields.map((field) => [field.apiName, field])),
      })),
      timeZone: facts.timeZone,
      pipelineName: facts.pipelineName,
      instanceName: facts.instanceName,
    }),
  };
  const sinkNodes = graph.nodes.filter((node) => node.nodeType === "ENTITY_SINK");
  const sourceNodes = graph.nodes.filter((node) => node.nodeType === "ENTITY_SOURCE");
  const sinks = sinkNodes.map((node) => compileSink(compiling, node));
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
    authority: compileAuthority(coreConfig, sources, originFields),
    merge,
    hasReferences: [...sources, ...sinks].some(({ mappings }) => mappings.some(({ reference }) => reference !== null)),
    sources,
    sinks,
    places,
  };
}

interface Compiling {
  graph: Graph;
  facts: PipelineFacts;
  core: GraphNode;
  coreFields: ReadonlyMap<string, FieldSchema>;
  places: ReadonlyMap<number, PlacePlan>;
  context: CompileContext;
}

function placePlan(place: PlaceFacts): PlacePlan {
  const { id, connectorId, readFields, toldFields } = place;
  const shared = toldFields.flatMap((field, told) => {
    const read = readFields.indexOf(field);
    return read < 0 ? [] : [{ read, told }];
  });
  return { id, connectorId, entity: place.schema.apiName, readFields, toldFields, shared };
}

function placeAt(compiling: Compiling, connectorId: string, entity: string): [PlacePlan, PlaceFacts] {
  const facts = compiling.facts.places.find(
    (place) => place.connectorId === connectorId && place.schema.apiName === entity,
  );
  const place = facts && compiling.places.get(facts.id);
  if (!facts || !place) throw new Error(`unknown place ${connectorId}/${entity}`);
  return [place, facts];
}

function compiledNodes(compiling: Compiling): (nodeId: string) => ReturnType<typeof compileNode> | null {
  const { graph, context, facts } = compiling;
  return (nodeId) => {
    const node = graph.nodes.find((candidate) => candidate.id === nodeId);
    const compiled = node?.nodeType === "FUNCTION" ? compileNode(node, context) : null;
    return node && compiled && facts.observe ? facts.observe(node, compiled) : compiled;
  };
}

function compileSource(compiling: Compiling, node: GraphNode, sinks: readonly SinkPlan[]): SourcePlan {
  const config = SourceConfiguration.parse(node.configuration);
  const [place, facts] = placeAt(compiling, config.connectorId, config.entityDefinition);
  const mappings = config.fieldMappings.flatMap(({ connectorField, coreField }): SourceMapping[] => {
    const from = facts.schema.fields.find((field) => field.apiName === connectorField);
    const to = compiling.coreFields.get(coreField);
    if (!from || !to) return [];
    const reference = to.dataType === "reference" ? referenceOf(from, config.connectorId) : null;
    const convert = converter(from, to, compiling.facts.timeZone);
    return [{ connectorField, readIndex: place.readFields.indexOf(connectorField), coreField, convert, reference }];
  });
  const { graph, core } = compiling;
  const { road } = makeRoad(
    graph,
    { from: node.id, to: core.id },
    roadTo(graph, node.id, core.id),
    compiledNodes(compiling),
  );
  return {
    nodeId: node.id,
    label: node.label || node.name || config.entityDefinition,
    place,
    program: programName(compiling, node),
    mappings,
    road,
    attach: attachRules(compiling, node),
    acceptDeletes: config.acceptDeletes,
    schedule: config.schedule ?? scheduleOf(config.scheduleSeconds),
    readMode: config.readMode,
    isAlsoSink: sinks.some((sink) => sink.place.id === place.id),
  };
}

function attachRules(compiling: Compiling, source: GraphNode): AttachPlan[] {
  const after = reachableFrom(compiling.graph, [source.id]);
  return compiling.graph.nodes
    .filter((node) => node.apiName === "advancedAttachRecord" && after.has(node.id))
    .map((node) => compileAttach(node, compiling.context));
}

/** Names everything that decides what a source's records become, so that a changed pipeline looks at them again. */
function programName(compiling: Compiling, source: GraphNode): string {
  const { graph, core } = compiling;
  const before = upstreamOf(graph, core.id);
  const after = reachableFrom(graph, [source.id]);
  const nodes = graph.nodes.filter((node) => before.has(node.id) && after.has(node.id));
  const onRoad = new Set(nodes.map((node) => node.id));
  const edges = graph.edges.filter((edge) => onRoad.has(edge.source.nodeId) && onRoad.has(edge.destination.nodeId));
  const text = JSON.stringify([
    nodes.map(({ id, apiName, configuration }) => [id, apiName, configuration]),
    edges.map((edge) => [edge.source.nodeId, edge.destination.nodeId, edge.edgeType]),
  ]);
  return hashText(text);
}

function compileSink(compiling: Compiling, node: GraphNode): SinkPlan {
  const config = SinkConfiguration.parse(node.configuration);
  const [place, facts] = placeAt(compiling, config.connectorId, config.entityDefinition);
  const mappings = config.fieldMappings.flatMap(({ connectorField, coreField }): SinkMapping[] => {
    const from = compiling.coreFields.get(coreField);
    const to = facts.schema.fields.find((field) => field.apiName === connectorField);
    if (!from || !to || to.calculated || (to.isIdField && !to.initializable)) return [];
    const reference = from.dataType === "reference" ? referenceOf(to, config.connectorId) : null;
    const convert = converter(from, to, compiling.facts.timeZone);
    const createOnly = to.createOnly || !to.updateable;
    return [
      {
        coreField,
        connectorField,
        toldIndex: place.toldFields.indexOf(connectorField),
        convert,
        reference,
        createOnly,
        isComputed: false,
      },
    ];
  });
  const { graph, core } = compiling;
  const ends = { from: core.id, to: node.id };
  const { road, isPlain } = makeRoad(graph, ends, roadTo(graph, core.id, node.id), compiledNodes(compiling));
  const matchOn = config["matchOn"];
  return {
    nodeId: node.id,
    label: node.label || node.name || config.entityDefinition,
    place,
    mappings,
    road,
    isActionsOnly: false,
    isPlain,
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
  };
}

/** Nodes between two others: those that lead from one to the other, and side paths of the source side to actions. */
function roadTo(graph: Graph, from: string, to: string): Set<string> {
  const after = reachableFrom(graph, [from]);
  const beyond = reachableFrom(graph, [to]);
  const leading = upstreamOf(graph, to);
  const actions = graph.nodes.filter(({ id, nodeType }) => nodeType === "ACTION" && after.has(id) && !beyond.has(id));
  const isSource = graph.nodes.some((node) => node.id === to && isCore(node));
  if (isSource) for (const { id } of actions) for (const before of upstreamOf(graph, id)) leading.add(before);
  return new Set([...leading].filter((id) => after.has(id) && id !== from && id !== to));
}

const referenceOf = (field: FieldSchema, connectorId: string): ReferencePlan | null =>
  field.referenceTo ? { connectorId, entity: field.referenceTo } : null;

const TEXT_LIKE = new Set(["string", "password"]);

/** Conversion for one mapping; plain text to plain text costs nothing. */
function converter(from: FieldSchema, to: FieldSchema, timeZone: string): Convert {
  const options = { timeZone };
  const general = (value: Value): Value | Inconvertible => {
    const converted = convertValue(value, to, options);
    return converted.ok ? converted.value : new Inconvertible(converted.code);
  };
  const isPlainText =
    TEXT_LIKE.has(to.dataType) && TEXT_LIKE.has(from.dataType) && !to.isMultiValueField && to.length === undefined;
  if (!isPlainText) return general;
  return (value) => (typeof value === "string" || value === null ? value : general(value));
}
