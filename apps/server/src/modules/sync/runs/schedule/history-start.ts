/** Where the history of sources begins that were never read, and what has to be read before a resync may begin. */
import type { ResyncStart, SourceStart } from "@accord/sync-engine/run";
import type { Acquired } from "./pipeline-rows.store.ts";
import type { CompiledPipeline, RunsDependencies } from "../worker/plans.ts";
import type { ScheduleContext } from "./source-schedule.ts";

type Positions = ScheduleContext["positions"];

type HistoryStart = Pick<SourceStart, "since" | "followedSince" | "joinedAfter">;

/**
 * Since when changes of each source count, and which sources joined a pipeline that ran before: of account for a first
 * read and for a resync only.
 */
export async function historyStarts(
  needs: RunsDependencies,
  { instanceId, pipelineId, resync }: Pick<Acquired, "instanceId" | "pipelineId" | "resync">,
  { plan, publishedAt }: Pick<CompiledPipeline, "plan" | "publishedAt">,
  positions: Positions,
): Promise<(nodeId: string) => HistoryStart> {
  const areAllKnown = plan.sources.every(({ nodeId }) => positions.has(nodeId));
  if (areAllKnown && resync === null) return () => ({ since: publishedAt, followedSince: publishedAt });
  const { nodes, first } = await needs.pipelines.publishedSince(instanceId, pipelineId);
  return (nodeId) => {
    const own = nodes.get(nodeId);
    const since = areAllKnown ? publishedAt : (own ?? publishedAt);
    const hasJoined = first !== null && own !== undefined && own > first;
    return { since, followedSince: since, ...(hasJoined ? { joinedAfter: first } : {}) };
  };
}

/**
 * Sources of the resync that have no position yet: they take one first, else what changes between the resync's reading
 * and their first own would belong to neither. A source that fails holds nobody up.
 */
export function unreadOfResync(
  { resync, failures }: Pick<Acquired, "resync" | "failures">,
  { plan }: Pick<CompiledPipeline, "plan">,
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
  {
    resync,
    wholeSources,
  }: { resync: Pick<ResyncStart, "nodeIds" | "finished"> | null; wholeSources: readonly string[] },
  nodeId: string,
): boolean =>
  resync !== null &&
  resync.nodeIds.includes(nodeId) &&
  !resync.finished.includes(nodeId) &&
  !wholeSources.includes(nodeId);
