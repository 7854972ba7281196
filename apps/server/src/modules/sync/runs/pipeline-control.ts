/** Use cases of stopping and starting: pause, resume, run now. */
import type { SyncState } from "@accord/contracts/sync/monitoring/runs";
import type { Caller } from "../../../platform/ctx.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { PipelineStates } from "./monitoring/pipeline-states.ts";
import { refuseRealtime } from "./webhook-replies.ts";
import { type EntityId, requirePublishedPipeline, type ServiceContext } from "./published-pipelines.ts";

export function pipelineControl(parts: ServiceContext, states: PipelineStates) {
  const { schedule, missing } = parts;
  return {
    async pause(ctx: Caller, entityId: EntityId): Promise<SyncState> {
      const { firstName, lastName } = ctx.actor;
      await requirePublishedPipeline(parts, ctx.instanceId, entityId);
      await refuseRealtime(parts, ctx.instanceId, entityId);
      await schedule.pause(ctx.instanceId, entityId, `${firstName} ${lastName}`.trim());
      return states.one(ctx.instanceId, entityId);
    },

    async resume(ctx: Caller, entityId: EntityId): Promise<SyncState> {
      await requirePublishedPipeline(parts, ctx.instanceId, entityId);
      await refuseRealtime(parts, ctx.instanceId, entityId);
      await schedule.resume(ctx.instanceId, entityId);
      return states.one(ctx.instanceId, entityId);
    },

    async runNow(ctx: Caller, entityId: EntityId): Promise<SyncState> {
      const row = await requirePublishedPipeline(parts, ctx.instanceId, entityId);
      if (row.isPaused) throw new AppError("resync_on_paused");
      await missing.hurry(ctx.instanceId, entityId);
      await schedule.runNow(ctx.instanceId, entityId);
      return states.one(ctx.instanceId, entityId);
    },
  };
}
