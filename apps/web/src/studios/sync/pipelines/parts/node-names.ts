/** What people call the nodes of a pipeline that runs, for lists of what happened at them. */
import type { GraphNode } from "@accord/contracts/sync/graph";
import { getPipelineGraph, type PipelineRow } from "@accord/contracts/sync/pipelines";
import { nodeTitle } from "@accord/sync-engine/graph";
import { useEndpoint } from "../../../../app/queries.ts";

function usePublishedNodes(row: PipelineRow): readonly GraphNode[] {
  const params = { entityId: row.id, graphVersion: "published" as const };
  const isPublished = row.pipelineStatus === "PUBLISHED" || row.pipelineStatus === "PUBLISHED_WITH_DRAFT";
  return useEndpoint(getPipelineGraph, { params }, { enabled: isPublished }).data?.graph.nodes ?? [];
}

/** Labels of the published graph's nodes. */
export function useNodeNames(row: PipelineRow): (nodeId: string | null) => string {
  const nodes = new Map(usePublishedNodes(row).map((node) => [node.id, nodeTitle(node)]));
  return (nodeId) => nodes.get(nodeId ?? "") ?? nodeId ?? "";
}

/** Connector ids of the published graph's sources and destinations. */
export function useNodeConnectors(row: PipelineRow): (nodeId: string | null) => string | undefined {
  const nodes = usePublishedNodes(row);
  return (nodeId) => nodes.find(({ id }) => id === nodeId)?.configuration.connectorId;
}
