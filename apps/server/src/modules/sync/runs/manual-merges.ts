/** Merging reported duplicates by hand, as the matching module calls for it: done, told to screens, sent on. */
import type { Id } from "@accord/contracts";
import { recordsChanged } from "@accord/contracts/data/records";
import { type ManualMerge, mergeByHand, type MergeRefusal } from "./manual-merges.store.ts";
import { NotReady } from "./outside-places.ts";
import type { PipelinePlans } from "./plans.ts";
import { type EntityId, type InstanceId, publishedRow, type ServiceParts } from "./published-pipelines.ts";

export interface MergeWish extends Omit<ManualMerge, "rest" | "instanceId" | "pipelineId"> {
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
  mergeDuplicates(wish: MergeWish): Promise<MergeOutcome>;
}

export function manualMerges(parts: ServiceParts & { plans: Pick<PipelinePlans, "load"> }): DuplicateMerger {
  const { deps, plans } = parts;
  return {
    async mergeDuplicates({ instanceId, entityId, othersReported, ...wish }) {
      await publishedRow(parts, instanceId, entityId);
      const pipeline = await plans.load(instanceId, entityId).catch((error: unknown) => {
        if (error instanceof NotReady) return error;
        throw error;
      });
      if (pipeline instanceof NotReady) return { status: "notReady", message: pipeline.message };
      const rest = othersReported.length > 0 ? { mergeId: deps.newId<"merge">(), recordIds: othersReported } : null;
      const reason = await mergeByHand(deps.dataPool, pipeline, { ...wish, rest, instanceId, pipelineId: entityId });
      if (reason) return { status: "refused", reason };
      await deps.realtime.publish(instanceId, recordsChanged, { entityId, count: wish.loserIds.length + 1 });
      return { status: "done" };
    },
  };
}
