/** What compiling a node may know of its pipeline. */
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Graph } from "@accord/contracts/sync/graph";
import { isCore, isSource } from "../graph/elements.ts";
import { namesIn, restAfter } from "./tokens/token-names.ts";

export interface SourceFacts {
  connector: string;
  entity: string;
  fields: ReadonlyMap<string, FieldSchema>;
}

export interface SecretResults {
  /** Names in the core and at the sources. */
  fields: ReadonlySet<string>;
  /** The same, and names of secret fields of other entities: records that were looked up hold them. */
  names: ReadonlySet<string>;
  /** Slots of nodes whose results are made of secret values. */
  slots: ReadonlySet<number>;
  /** Temporary variables that are. */
  variables: ReadonlySet<string>;
}

export const NOTHING_SECRET: SecretResults = {
  fields: new Set(),
  names: new Set(),
  slots: new Set(),
  variables: new Set(),
};

/** The same for all nodes of one graph version. */
export interface CompileContext {
  coreFields: ReadonlyMap<string, FieldSchema>;
  /** Where each node keeps its result, by node id. */
  slots: ReadonlyMap<string, number>;
  /** Node id by label: tokens name labels. */
  labels: ReadonlyMap<string, string>;
  /** Slot of the Switch before each case branch, by the branch's node id. */
  switches: ReadonlyMap<string, number>;
  /** Sources by `connector.entity`, lower case not folded: tokens are case-sensitive. */
  sources: readonly SourceFacts[];
  /** Names of temporary variables that any node sets. */
  variables: ReadonlySet<string>;
  /** Sources: the whole record at them is what was read. */
  sourceNodes: ReadonlySet<string>;
  /** Nodes whose label stands as a token of its own: the record is kept as it left them. */
  snapshotNodes: ReadonlySet<string>;
  /** What messages for people do not show. */
  secrets: SecretResults;
  /** Fields of the instance's other core entities by entity, for functions that look into them. */
  entities?: ReadonlyMap<string, ReadonlyMap<string, FieldSchema>>;
  /** Whether reference data has a text (small letters) in a column; undefined: there is no such column. */
  referenceData?: (dataset: string, column: string) => ((text: string) => boolean) | undefined;
  timeZone: string;
  pipelineName: string;
  instanceName: string;
}

/** The temporary variable that a node sets, if it sets one. */
export function variableOf({ apiName, configuration }: Graph["nodes"][number]): string[] {
  const name =
    apiName === "forEach"
      ? configuration["itemVariable"]
      : apiName === "setValue" && configuration["target"] === "variable"
        ? configuration["variable"]
        : "";
  return typeof name === "string" && name !== "" ? [name] : [];
}

/** Makes the context of a graph; the rest comes from the caller, what is secret as well. */
export function compileContext(
  graph: Graph,
  world: Pick<
    CompileContext,
    "coreFields" | "sources" | "timeZone" | "pipelineName" | "instanceName" | "entities" | "referenceData"
  >,
): CompileContext {
  const slots = new Map(graph.nodes.map((node, index) => [node.id, index]));
  const labels = new Map(graph.nodes.filter((node) => !isCore(node)).map((node) => [node.label, node.id]));
  const names = new Map(graph.nodes.map((node) => [node.id, node.apiName]));
  const switches = new Map<string, number>();
  for (const edge of graph.edges)
    if (names.get(edge.source.nodeId) === "case" && names.get(edge.destination.nodeId) === "caseBranch")
      switches.set(edge.destination.nodeId, slots.get(edge.source.nodeId)!);
  const variables = new Set(graph.nodes.flatMap(variableOf));
  const sourceNodes = new Set(graph.nodes.filter(isSource).map((node) => node.id));
  return {
    ...world,
    slots,
    labels,
    switches,
    variables,
    sourceNodes,
    snapshotNodes: snapshotNodes(graph, labels),
    secrets: NOTHING_SECRET,
  };
}

function snapshotNodes(graph: Graph, labels: ReadonlyMap<string, string>): ReadonlySet<string> {
  const tokens = graph.nodes.flatMap((node) => namesIn(node.configuration));
  const named = [...labels].filter(([label]) => tokens.some((token) => restAfter(token, label) !== null));
  return new Set(named.map(([, nodeId]) => nodeId));
}
