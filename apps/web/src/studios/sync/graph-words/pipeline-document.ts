/** The documentation of a pipeline: what its graph does in words, in the order a record takes. */
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import {
  edgesInto,
  edgesOutOf,
  isCore,
  isSink,
  isSource,
  nodeById,
  nodesOn,
  nodeTitle,
} from "@accord/sync-engine/graph";
import { summaryOf } from "../pipeline-editor/cards/card-summary.ts";
import { nodeKind } from "../pipeline-editor/canvas/canvas.model.ts";
import type { GraphWords, Setting } from "./graph-words.ts";
import { mappingOf, settingsOf, titleOfGroup } from "./setting-words.ts";

export interface DocumentedMapping {
  connectorField: string;
  coreField: string;
}

export interface DocumentedNode {
  id: string;
  title: string;
  /** One line of what it does. */
  line: string;
  description: string;
  group: string | null;
  settings: Setting[];
  /** Of sources and destinations. */
  mapping: DocumentedMapping[];
  /** Where records come from, and where they go: "True → Update Billing". */
  from: string[];
  to: string[];
}

export const SECTIONS = ["sources", "sourceSteps", "core", "destinationSteps", "destinations", "unconnected"] as const;
export type SectionName = (typeof SECTIONS)[number];

export interface PipelineDocument {
  /** "Harbor CRM and Billing → Account → Billing", in words. */
  summary: string;
  sections: { name: SectionName; nodes: DocumentedNode[] }[];
  groups: { title: string; description: string; members: string[] }[];
  /** Notes of the canvas that say something, with the titles of the nodes that they are around. */
  notes: { id: string; text: string; nodes: string[] }[];
}

export function documentOf(graph: Graph, words: GraphWords, name: string): PipelineDocument {
  const titled: GraphWords = {
    ...words,
    title: (nodeId) => {
      const node = nodeById(graph, nodeId);
      return node ? nodeTitle(node) : nodeId;
    },
  };
  const order = inOrder(graph);
  const sides = sidesOf(graph);
  const sections = SECTIONS.map((section) => ({
    name: section,
    nodes: order.filter((node) => sectionOf(node, sides) === section).map((node) => documented(node, graph, titled)),
  })).filter(({ nodes }) => nodes.length > 0);
  return {
    summary: summaryWords(graph, titled, name),
    sections,
    groups: graph.groups.map((group) => ({
      title: group.label || group.name,
      description: group.description ?? "",
      members: order.filter(({ groupId }) => groupId === group.id).map(nodeTitle),
    })),
    notes: graph.notes
      .filter(({ text }) => text.trim() !== "")
      .toSorted((a, b) => a.location.x - b.location.x || a.location.y - b.location.y)
      .map((note) => ({ id: note.id, text: note.text.trim(), nodes: nodesOn(graph, note).map(nodeTitle) })),
  };
}

function summaryWords(graph: Graph, { t, connectorName }: GraphWords, name: string): string {
  const systems = (nodes: readonly GraphNode[]): string =>
    [...new Set(nodes.map(({ configuration: { connectorId } }) => (connectorId ? connectorName(connectorId) : "")))]
      .filter(Boolean)
      .join(", ");
  const [from, to] = [systems(graph.nodes.filter(isSource)), systems(graph.nodes.filter(isSink))];
  if (from && to) return t("documentation.both", { from, to, name });
  if (from) return t("documentation.fromOnly", { from, name });
  return to ? t("documentation.toOnly", { to, name }) : t("documentation.neither", { name });
}

/** The nodes that lead to the core entity, and those that it leads to. */
interface Sides {
  before: ReadonlySet<string>;
  after: ReadonlySet<string>;
}

function sidesOf(graph: Graph): Sides {
  const cores = graph.nodes.filter(isCore).map(({ id }) => id);
  return {
    before: reached(cores, (id) => edgesInto(graph, id).map(({ source }) => source.nodeId)),
    after: reached(cores, (id) => edgesOutOf(graph, id).map(({ destination }) => destination.nodeId)),
  };
}

function reached(from: readonly string[], next: (id: string) => readonly string[]): Set<string> {
  const found = new Set<string>();
  const open = [...from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const other of next(id)) {
      if (found.has(other)) continue;
      found.add(other);
      open.push(other);
    }
  }
  return found;
}

function sectionOf(node: GraphNode, { before, after }: Sides): SectionName {
  if (isCore(node)) return "core";
  if (isSource(node)) return "sources";
  if (isSink(node)) return "destinations";
  if (before.has(node.id)) return "sourceSteps";
  return after.has(node.id) ? "destinationSteps" : "unconnected";
}

/** Each node after those that lead to it; what is left of circles follows in the order of drawing. */
function inOrder(graph: Graph): GraphNode[] {
  const waiting = new Map(graph.nodes.map((node) => [node.id, node]));
  const ordered: GraphNode[] = [];
  for (;;) {
    const next =
      [...waiting.values()].find(({ id }) => edgesInto(graph, id).every(({ source }) => !waiting.has(source.nodeId))) ??
      [...waiting.values()][0];
    if (!next) return ordered;
    waiting.delete(next.id);
    ordered.push(next);
  }
}

function documented(node: GraphNode, graph: Graph, words: GraphWords): DocumentedNode {
  const { t, title, portName, definition } = words;
  const kind = nodeKind(node);
  const isPlace = kind === "source" || kind === "sink";
  const mapping = isPlace ? mappingOf(node, words) : [];
  const mappedLabels = new Set(mapping.map(({ connectorField }) => t("words.mapping", { field: connectorField })));
  const branch = (from: GraphNode | undefined, port: string): string => (from ? portName(from, port) : "");
  return {
    id: node.id,
    title: nodeTitle(node),
    line: summaryOf(node, {
      fields: words.fields,
      functionLabel: (apiName) => definition(apiName)?.label,
      words: {
        notConfigured: t("node.notConfigured"),
        bypassed: t("flow.bypass.card"),
        kind: (of) => t(`node.${of}`),
        coreField: t("node.coreField"),
        mapped: (count) => t("node.mapped", { count }),
        of: (name, value) => t("node.of", { name, value }),
      },
    }),
    description: node.description ?? "",
    group: titleOfGroup(graph.groups.find(({ id }) => id === node.groupId)) || null,
    // The mapping has a table of its own.
    settings: settingsOf(node, words).filter(({ label }) => !mappedLabels.has(label)),
    mapping,
    from: edgesInto(graph, node.id).map(({ source, edgeType }) =>
      withBranch(title(source.nodeId), branch(nodeById(graph, source.nodeId), edgeType)),
    ),
    to: edgesOutOf(graph, node.id).map(({ destination, edgeType }) =>
      withBranch(title(destination.nodeId), branch(node, edgeType)),
    ),
  };
}

const withBranch = (title: string, branch: string): string => (branch ? `${title} (${branch})` : title);
