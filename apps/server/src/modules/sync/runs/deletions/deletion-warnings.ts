/** What people learn of a look that found more records missing than it may believe. */
import type { GraphNode } from "@accord/contracts/sync/graph";
import type { RunProblem } from "@accord/contracts/sync/monitoring/runs";
import type { ScanProblem } from "./deletion-detection.store.ts";
import { nodeOf } from "../worker/place-nodes.ts";

interface Place {
  id: number;
  connectorId: string;
  entity: string;
}

/** One warning for each source of the pipeline that misses too much, the most affected first. */
export function deletionWarnings(
  nodes: readonly GraphNode[],
  places: readonly Place[],
  problems: ReadonlyMap<number, ScanProblem>,
): RunProblem[] {
  return places
    .flatMap(({ id, connectorId, entity }): RunProblem[] => {
      const problem = problems.get(id);
      const node = nodeOf(nodes, { connectorId, entity }, "ENTITY_SOURCE");
      if (!problem || !node) return [];
      return [
        {
          nodeId: node.id,
          targetId: null,
          code: "too_many_missing",
          errorMessage: `${problem.missing} of ${problem.known} known records are no longer listed by ${node.label || entity}. Nothing was deleted.`,
          errorDetail:
            "So many at once look like a mistake or a lost permission. If they are really gone, raise the limit in the source's settings and run the pipeline.",
          count: problem.missing,
        },
      ];
    })
    .sort((left, right) => right.count - left.count);
}
