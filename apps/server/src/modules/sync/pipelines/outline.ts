/** What lists show of a graph, worked out when it is saved. */
import type { Graph } from "@accord/contracts/sync/graph";
import { FieldMapping } from "@accord/contracts/sync/graph";
import { isSink, isSource } from "@accord/sync-engine/graph";
import { z } from "zod";

const Place = z.object({ connectorId: z.string(), entity: z.string() });
export type Place = z.output<typeof Place>;

export const Outline = z.object({
  sources: z.array(Place),
  destinations: z.array(Place),
  /** Core fields that some source or destination maps. */
  fields: z.array(z.string()),
});
export type Outline = z.output<typeof Outline>;

export function outlineOf(graph: Graph): Outline {
  const places = (wanted: (node: Graph["nodes"][number]) => boolean): Place[] =>
    graph.nodes.filter(wanted).flatMap(({ configuration: { connectorId, entityDefinition } }) => {
      return connectorId && entityDefinition ? [{ connectorId, entity: entityDefinition }] : [];
    });
  return { sources: places(isSource), destinations: places(isSink), fields: [...new Set(mappedFields(graph))] };
}

function mappedFields(graph: Graph): string[] {
  return graph.nodes.flatMap((node) => {
    if (!isSource(node) && !isSink(node)) return [];
    const rows = node.configuration["fieldMappings"];
    // A draft may hold rows that somebody has not finished yet.
    return Array.isArray(rows) ? rows.flatMap((row) => FieldMapping.safeParse(row).data?.coreField ?? []) : [];
  });
}
