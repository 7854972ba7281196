/** Nodes of the graph that runs, by what people call them. */
import type { Id } from "@accord/contracts";
import { getPipelineGraph } from "@accord/contracts/sync/pipelines";
import { nodeTitle } from "@accord/sync-engine/graph";
import { useMemo } from "react";
import { useEndpoint } from "../../../app/queries.ts";

export interface NamedNode {
  id: string;
  title: string;
}

export function useNodes(entityId: Id<"entity">) {
  const { data } = useEndpoint(getPipelineGraph, { params: { entityId, graphVersion: "published" } });
  return useMemo(() => {
    const all = (data?.graph.nodes ?? []).map((node): NamedNode => ({ id: node.id, title: nodeTitle(node) }));
    return { all, nameOf: (nodeId: string): string => all.find(({ id }) => id === nodeId)?.title ?? nodeId };
  }, [data]);
}
