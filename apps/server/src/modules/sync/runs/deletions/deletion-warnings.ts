/** What people learn of a look that found more records missing than it may believe. */
import { syncRefusals } from "@accord/contracts/messages/en/sync/run/refusals";
import { fill } from "@accord/contracts/messages/fill";
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
          errorMessage: fill(syncRefusals.manyGone, {
            missing: problem.missing,
            known: problem.known,
            source: node.label || entity,
          }),
          errorDetail: syncRefusals.manyGoneDetail,
          count: problem.missing,
        },
      ];
    })
    .sort((left, right) => right.count - left.count);
}
