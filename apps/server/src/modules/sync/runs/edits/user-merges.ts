/** Merging reported duplicates by hand, as the matching module calls for it: done, told to screens, sent on. */
import type { Id } from "@accord/contracts";
import { recordsChanged } from "@accord/contracts/data/records";
import { type UserMerge, applyUserMerge, type MergeRefusal } from "./user-merges.store.ts";
import { PipelineNotRunnable } from "../worker/pipeline-endpoints.ts";
import type { PipelinePlans } from "../worker/plans.ts";
import {
  type EntityId,
  type InstanceId,
  requirePublishedPipeline,
  type ServiceContext,
} from "../published-pipelines.ts";

export interface MergeRequest extends Omit<UserMerge, "rest" | "instanceId" | "pipelineId"> {
  instanceId: InstanceId;
  entityId: EntityId;
  /** Reported as well, and not to be merged. */
  othersReported: readonly Id<"record">[];
}

export type MergeOutcome = { status: "done" } | { status: "refused"; reason: MergeRefusal } | NotMergeable;
/** The pipeline can't run as it is, so nobody knows how values are to be joined. */
interface NotMergeable {
  status: "notReady";
  message: string;
}

export interface DuplicateMerger {
  /** Throws `pipeline_not_published` when no version runs. */
  mergeDuplicates(wish: MergeRequest): Promise<MergeOutcome>;
}

export function userMerges(parts: ServiceContext & { plans: Pick<PipelinePlans, "load"> }): DuplicateMerger {
  const { deps, plans } = parts;
  return {
    async mergeDuplicates({ instanceId, entityId, othersReported, ...wish }) {
      await requirePublishedPipeline(parts, instanceId, entityId);
      const pipeline = await plans.load(instanceId, entityId).catch((error: unknown) => {
        if (error instanceof PipelineNotRunnable) return error;
        throw error;
      });
      if (pipeline instanceof PipelineNotRunnable) return { status: "notReady", message: pipeline.message };
      const rest = othersReported.length > 0 ? { mergeId: deps.newId<"merge">(), recordIds: othersReported } : null;
      const reason = await applyUserMerge(deps.dataPool, pipeline, { ...wish, rest, instanceId, pipelineId: entityId });
      if (reason) return { status: "refused", reason };
      await deps.realtime.publish(instanceId, recordsChanged, { entityId, count: wish.loserIds.length + 1 });
      return { status: "done" };
    },
  };
}
