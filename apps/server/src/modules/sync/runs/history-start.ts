/** Where the history of sources begins that were never read, and what has to be read before a resync may begin. */
import type { Acquired } from "./pipeline-rows.store.ts";
import type { ReadyPipeline, RunsNeeds } from "./plans.ts";
import type { CycleTurns } from "./source-turns.ts";

type Positions = CycleTurns["positions"];

/** Since when changes of each source count: told to connectors, of account only for the first read. */
export async function historyStarts(
  needs: RunsNeeds,
  { instanceId, pipelineId }: Pick<Acquired, "instanceId" | "pipelineId">,
  { plan, publishedAt }: Pick<ReadyPipeline, "plan" | "publishedAt">,
  positions: Positions,
): Promise<(nodeId: string) => string> {
  if (plan.sources.every(({ nodeId }) => positions.has(nodeId))) return () => publishedAt;
  const since = await needs.pipelines.publishedSince(instanceId, pipelineId);
  return (nodeId) => since.get(nodeId) ?? publishedAt;
}

/**
 * Sources of the resync that have no position yet: they take one first, else what changes between the resync's reading
 * and their first own would belong to neither. A source that fails holds nobody up.
 */
export function unreadOfResync(
  { resync, failures }: Pick<Acquired, "resync" | "failures">,
  { plan }: Pick<ReadyPipeline, "plan">,
  positions: Positions,
): ReadonlySet<string> {
  const unread = plan.sources.filter(
    ({ nodeId, place }) =>
      resync?.nodeIds.includes(nodeId) && !positions.has(nodeId) && failures[place.id] === undefined,
  );
  return new Set(unread.map(({ nodeId }) => nodeId));
}

/** Whether what a source held before its first reading is yet to be brought in: until then nothing says what is there. */
export const awaitsHistory = (
  { resync, wholeSources }: Pick<Acquired, "resync" | "wholeSources">,
  nodeId: string,
): boolean =>
  resync !== null &&
  resync.nodeIds.includes(nodeId) &&
  !resync.finished.includes(nodeId) &&
  !wholeSources.includes(nodeId);
