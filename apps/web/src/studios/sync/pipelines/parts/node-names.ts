/** What people call the nodes of a pipeline that runs, for lists of what happened at them. */
import { getPipelineGraph, type PipelineRow } from "@accord/contracts/sync/pipelines";
import { nodeTitle } from "@accord/sync-engine/graph";
import { useEndpoint } from "../../../../app/queries.ts";

/** Labels of the published graph's nodes. */
export function useNodeNames(row: PipelineRow): (nodeId: string | null) => string {
  const params = { entityId: row.id, graphVersion: "published" as const };
  const isPublished = row.pipelineStatus === "PUBLISHED" || row.pipelineStatus === "PUBLISHED_WITH_DRAFT";
  const opened = useEndpoint(getPipelineGraph, { params }, { enabled: isPublished });
  const nodes = new Map(opened.data?.graph.nodes.map((node) => [node.id, nodeTitle(node)]));
  return (nodeId) => nodes.get(nodeId ?? "") ?? nodeId ?? "";
}
