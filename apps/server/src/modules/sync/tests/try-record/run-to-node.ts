/** A version of a pipeline cut down to what leads to one node, so that a record is tried up to there. Pure. */
import { pipelineTests as words } from "@accord/contracts/messages/en/sync/pipeline-tests";
import { fill } from "@accord/contracts/messages/fill";
import { EDGE_TYPE_DEFAULT, type Graph, type GraphNode } from "@accord/contracts/sync/graph";
import {
  type GraphProblem,
  graphUpTo,
  isCore,
  isSink,
  isSource,
  nodeById,
  nodeTitle,
  type PartialGraph,
  reachableFrom,
} from "@accord/sync-engine/graph";
import { AppError } from "../../../../platform/http/app-error.ts";
import type { TestedVersion } from "../../pipelines/index.ts";

/** What is tried: a version, and the core field whose graph is shown; undefined: the graph of the entity is. */
export interface Tried {
  tested: TestedVersion;
  field: string | undefined;
}

export interface RunToNode {
  tested: TestedVersion;
  /** Nodes of the graph that is shown that run. */
  nodeIds: ReadonlySet<string>;
  /** Sources that are not read and only take part in what the core decides. */
  besideIds: readonly string[];
}

const shownGraph = ({ tested: { version }, field }: Tried): Graph | undefined =>
  field === undefined ? version.graph : version.fieldGraphs?.[field];

/** Throws `test_failed` where nothing leads from the source to the node. */
export function runToNode(tried: Tried, sourceId: string, nodeId: string): RunToNode {
  const shown = shownGraph(tried);
  const node = shown && nodeById(shown, nodeId);
  const found = node && (tried.field === undefined ? inEntity(tried, sourceId, node) : inField(tried, sourceId, node));
  if (found) return found;
  const source = nodeById(tried.tested.version.graph, sourceId);
  const facts = { node: node ? nodeTitle(node) : nodeId, source: source ? nodeTitle(source) : sourceId };
  throw new AppError("test_failed", { reason: fill(words.noPathTo, facts) });
}

/** Without sources beside the tried one that can't run as they are. */
export function withoutSources({ tested, ...run }: RunToNode, ids: ReadonlySet<string>): RunToNode {
  const { graph } = tested.version;
  const nodes = graph.nodes.filter(({ id }) => !ids.has(id));
  const edges = graph.edges.filter(({ source }) => !ids.has(source.nodeId));
  return { ...run, tested: { ...tested, version: { ...tested.version, graph: { ...graph, nodes, edges } } } };
}

/** Of what the run leaves out nothing is judged. A source is not mapped before the core. */
export const isJudged =
  ({ tested: { version } }: RunToNode, whole: Tried, nodeId: string) =>
  ({ nodeId: at, code }: GraphProblem): boolean => {
    const drawn = [whole.tested.version.graph, ...Object.values(whole.tested.version.fieldGraphs ?? {})];
    const isDrawn = at === null || drawn.some((graph) => nodeById(graph, at) !== undefined);
    const isBeforeCore = whole.field === undefined && !reachesCore(whole.tested.version.graph, nodeId);
    return (
      isDrawn &&
      !(isBeforeCore && code === "mapping_missing" && at !== null && nodeById(version.graph, at) !== undefined)
    );
  };

/** Whether the node is the core, or behind it. */
function reachesCore(graph: Graph, nodeId: string): boolean {
  const core = graph.nodes.find(isCore);
  return core !== undefined && reachableFrom(graph, [core.id]).has(nodeId);
}

function inEntity({ tested }: Tried, sourceId: string, node: GraphNode): RunToNode | null {
  const { graph, fieldGraphs = {} } = tested.version;
  const partial = graphUpTo(graph, { sourceIds: [sourceId], nodeId: node.id });
  if (!partial) return null;
  if (!reachesCore(graph, node.id)) {
    // What the core does with the record is not seen, so that its rules need not be complete.
    const nodes = partial.graph.nodes.map((one) => (isCore(one) ? { ...one, configuration: {} } : one));
    const version = { ...tested.version, graph: { ...partial.graph, nodes }, fieldGraphs: {} };
    return { tested: { ...tested, version }, nodeIds: partial.nodeIds, besideIds: [] };
  }
  const { graph: whole, besideIds } = withOtherSources(graph, partial);
  const fields = Object.entries(fieldGraphs).map(([field, one]) => [field, withinPlaces(one, whole)] as const);
  const version = { ...tested.version, graph: whole, fieldGraphs: Object.fromEntries(fields) };
  return { tested: { ...tested, version }, nodeIds: partial.nodeIds, besideIds };
}

function inField({ tested, field = "" }: Tried, sourceId: string, node: GraphNode): RunToNode | null {
  const { graph, fieldGraphs = {} } = tested.version;
  const own = fieldGraphs[field];
  const source = nodeById(graph, sourceId);
  const core = graph.nodes.find(isCore);
  if (!own || !source || !core) return null;
  const isBehindCore = reachesCore(own, node.id) && !isCore(node);
  const sink = isBehindCore ? sinkFor(graph, node) : undefined;
  if (isBehindCore && !sink) return null;
  const entity = graphUpTo(graph, { sourceIds: [sourceId], nodeId: sink?.id ?? core.id });
  const partial = graphUpTo(own, {
    sourceIds: own.nodes.filter((one) => isSource(one) && isSamePlace(one, source)).map(({ id }) => id),
    nodeId: node.id,
    sinkPlace: sink && placeOf(sink),
  });
  if (!entity || !partial) return null;
  const { graph: whole, besideIds } = withOtherSources(graph, entity);
  const others = Object.entries(fieldGraphs).filter(([name]) => name !== field);
  const fields = others.map(([name, one]) => [name, withinPlaces(one, whole)] as const);
  const version = {
    ...tested.version,
    graph: whole,
    fieldGraphs: { ...Object.fromEntries(fields), [field]: partial.graph },
  };
  return { tested: { ...tested, version }, nodeIds: partial.nodeIds, besideIds };
}

const placeOf = ({ configuration: { connectorId = "", entityDefinition = "" } }: GraphNode) => ({
  connectorId,
  entityDefinition,
});

function isSamePlace(a: GraphNode, b: GraphNode): boolean {
  const [one, other] = [placeOf(a), placeOf(b)];
  return one.connectorId === other.connectorId && one.entityDefinition === other.entityDefinition;
}

/** The destination of the entity that a node of a field pipeline is tried with: its own, else the first one. */
function sinkFor(graph: Graph, node: GraphNode): GraphNode | undefined {
  const core = graph.nodes.find(isCore);
  const behind = core ? reachableFrom(graph, [core.id]) : new Set<string>();
  const sinks = graph.nodes.filter((one) => isSink(one) && behind.has(one.id) && placeOf(one).entityDefinition !== "");
  return isSink(node) ? sinks.find((one) => isSamePlace(one, node)) : sinks[0];
}

/** The other sources take part in what the core decides among systems: they lead there directly, and are not read. */
function withOtherSources(graph: Graph, partial: PartialGraph): { graph: Graph; besideIds: string[] } {
  const core = graph.nodes.find(isCore);
  const others = graph.nodes.filter((node) => {
    const { connectorId, entityDefinition } = placeOf(node);
    return isSource(node) && !partial.nodeIds.has(node.id) && connectorId !== "" && entityDefinition !== "";
  });
  if (!core) return { graph: partial.graph, besideIds: [] };
  const edges = others.map(({ id }) => ({
    id: `${id}-beside`,
    source: { nodeId: id },
    destination: { nodeId: core.id },
    sourceAnchor: 2,
    targetAnchor: 0,
    edgeType: EDGE_TYPE_DEFAULT,
  }));
  return {
    graph: {
      ...partial.graph,
      nodes: [...partial.graph.nodes, ...others],
      edges: [...partial.graph.edges, ...edges],
    },
    besideIds: others.map(({ id }) => id),
  };
}

/** What is left of a field pipeline beside an entity graph that lacks places. */
function withinPlaces(fieldGraph: Graph, entityGraph: Graph): Graph {
  const core = fieldGraph.nodes.find(isCore);
  if (!core) return fieldGraph;
  const isThere = (node: GraphNode): boolean =>
    entityGraph.nodes.some((one) => (isSource(node) ? isSource(one) : isSink(one)) && isSamePlace(one, node));
  const ends = fieldGraph.nodes.filter((node) => (isSource(node) || isSink(node)) && isThere(node));
  const kept = new Set([core.id]);
  for (const node of ends) {
    const part = graphUpTo(
      fieldGraph,
      isSource(node) ? { sourceIds: [node.id], nodeId: core.id } : { sourceIds: [], nodeId: node.id },
    );
    for (const id of part?.nodeIds ?? [node.id]) kept.add(id);
  }
  return {
    ...fieldGraph,
    nodes: fieldGraph.nodes.filter(({ id }) => kept.has(id)),
    edges: fieldGraph.edges.filter(
      ({ source, destination }) => kept.has(source.nodeId) && kept.has(destination.nodeId),
    ),
  };
}
