/** The draft that the server has: what was built is compared with what was meant. */
import { API_PREFIX } from "@accord/contracts";
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { OpenedGraph } from "@accord/contracts/sync/pipelines";
import { NODE_SIZE, nodeById, nodeHeight, nodeTitle, outPorts } from "@accord/sync-engine/graph";
import type { Page } from "playwright-core";
import { expect } from "vitest";

export interface MeantGraph {
  /** Each as "from → to", with the branch where a node has several: "from (branch) → to". */
  edges: readonly string[];
  group: { name: string; members: readonly string[] };
}

async function storedDraft(page: Page): Promise<Graph> {
  const [, entityId] = /\/entity\/([^/]+)\/pipeline\//.exec(page.url()) ?? [];
  const reply = await page.request.get(`${API_PREFIX}/pipelines/${entityId}/graph/draft`);
  return OpenedGraph.parse(await reply.json()).graph;
}

const edgesOf = (graph: Graph): string[] =>
  graph.edges
    .map(({ source, destination, edgeType }) => {
      const [from, to] = [nodeById(graph, source.nodeId), nodeById(graph, destination.nodeId)];
      const branch = from && outPorts(from).length > 1 ? ` (${edgeType})` : "";
      return `${from ? nodeTitle(from) : "?"}${branch} → ${to ? nodeTitle(to) : "?"}`;
    })
    .toSorted();

const groupsOf = (graph: Graph): MeantGraph["group"][] =>
  graph.groups.map(({ id, name }) => ({
    name,
    members: graph.nodes
      .filter(({ groupId }) => groupId === id)
      .map(nodeTitle)
      .toSorted(),
  }));

function overlapping({ nodes }: Graph): string[] {
  const meet = (a: GraphNode, b: GraphNode): boolean =>
    Math.abs(a.location.x - b.location.x) < NODE_SIZE.width &&
    a.location.y < b.location.y + nodeHeight(b) &&
    b.location.y < a.location.y + nodeHeight(a);
  return nodes.flatMap((node, index) =>
    nodes
      .slice(index + 1)
      .filter((other) => meet(node, other))
      .map((other) => `${nodeTitle(node)} over ${nodeTitle(other)}`),
  );
}

/** As soon as the last change is saved. */
export async function draftIsStored(page: Page, { edges, group }: MeantGraph): Promise<void> {
  const stored = async () => {
    const graph = await storedDraft(page);
    return { edges: edgesOf(graph), groups: groupsOf(graph), overlapping: overlapping(graph) };
  };
  const members = group.members.toSorted();
  await expect
    .poll(stored)
    .toEqual({ edges: edges.toSorted(), groups: [{ name: group.name, members }], overlapping: [] });
}
