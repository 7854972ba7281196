/** The graph of a new pipeline: one source, the match with existing records, the core entity and perhaps the way back. Pure. */
import type { Connector } from "@accord/contracts/connections/connectors";
import type { Predicate } from "@accord/contracts/data/predicate";
import type { FieldMapping, Graph, GraphNode } from "@accord/contracts/sync/graph";
import { addEdge, addNode, isCore, tidyGraph } from "@accord/sync-engine/graph";
import { nodeFrom } from "../pipeline-editor/canvas/new-node.ts";
import { systemItem } from "../pipeline-editor/palette/palette-items.ts";

export interface NewPipeline {
  connector: Connector;
  entity: { apiName: string; displayName: string };
  mappings: readonly FieldMapping[];
  /** Core fields; a record is always created where there are none. */
  matchOn: readonly string[];
  matchLabel: string;
  /** What is written back to the same entity; null: nothing. */
  back: readonly FieldMapping[] | null;
}

/** Ids of the graph's elements: the same for each try at saving it. */
export type ElementIds = (element: string) => string;

/** Two records are the same when any of these fields says so; blanks never do. */
export function matchPredicate(fields: readonly string[]): Predicate {
  return {
    type: "group",
    combinator: "or",
    children: fields.map((field) => ({
      type: "condition",
      left: { kind: "field", field },
      operator: "equals",
      right: [{ kind: "field", field }],
    })),
  };
}

/** The draft with its core entity alone, completed. */
export function pipelineGraph(draft: Graph, wanted: NewPipeline, idOf: ElementIds): Graph {
  const core = draft.nodes.find(isCore);
  if (!core) return draft;
  const { connector, entity } = wanted;
  const place = (kind: "source" | "sink", configuration: object): GraphNode => {
    const node = nodeFrom(systemItem(kind, connector, entity));
    return { ...node, id: idOf(kind), configuration: { ...node.configuration, ...configuration } };
  };
  const before = [place("source", { fieldMappings: [...wanted.mappings] }), ...matchNode(wanted, idOf)];
  const after = wanted.back ? [place("sink", { fieldMappings: [...wanted.back], ...writes(connector) })] : [];
  const way = [...before, core, ...after];
  let graph: Graph = { ...draft, nodes: [core], edges: [], groups: [] };
  for (const node of [...before, ...after]) graph = addNode(graph, node);
  for (const [index, node] of way.entries()) {
    const next = way[index + 1];
    const added = next
      ? addEdge(graph, { id: idOf(`edge ${index}`), source: node.id, target: next.id }, "inserted")
      : null;
    if (added?.ok) graph = added.graph;
  }
  return tidyGraph(graph);
}

function matchNode({ matchOn, matchLabel }: NewPipeline, idOf: ElementIds): GraphNode[] {
  if (matchOn.length === 0) return [];
  const node = nodeFrom({
    kind: "function",
    apiName: "advancedAttachRecord",
    label: matchLabel,
    defaults: { attachPredicate: matchPredicate(matchOn) },
  });
  return [{ ...node, id: idOf("match") }];
}

/** Only what the system can do is asked of it. */
const writes = ({ metadata: { capabilities } }: Connector) => ({
  create: capabilities.includes("create"),
  update: capabilities.includes("update"),
});
