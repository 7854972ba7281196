/** Values of tokens at one node, for the record that is tried. */
import type { GraphNode } from "@accord/contracts/sync/graph";
import { useMemo } from "react";
import type { TokenSamples } from "../../../../shared/token-picker/token-samples.tsx";
import { useEditor } from "../editor-context.tsx";
import { useConnectors } from "../queries.ts";
import { sampleOfToken } from "./token-samples.model.ts";
import { useTried } from "./try-context.tsx";

/** Null where no record is tried, or nothing has come of it yet. */
export function useNodeSamples(node: GraphNode): TokenSamples | null {
  const graph = useEditor((state) => state.graph);
  const chosen = useTried((state) => state.chosen);
  const result = useTried((state) => state.result);
  const connectors = useConnectors(chosen !== null).data?.connectors;
  return useMemo(() => {
    if (!chosen || !result) return null;
    const { connectorId, entityDefinition: entity } =
      graph.nodes.find(({ id }) => id === chosen.nodeId)?.configuration ?? {};
    const connector = connectors?.find(({ id }) => id === connectorId)?.name;
    const source = connector === undefined || !entity ? null : { nodeId: chosen.nodeId, connector, entity };
    return { record: chosen.name, sampleOf: (token) => sampleOfToken(token, { result, graph, node, source }) };
  }, [chosen, connectors, graph, node, result]);
}
