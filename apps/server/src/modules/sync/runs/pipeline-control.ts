/** Use cases of stopping and starting: pause, resume, run now. */
import type { SyncState } from "@accord/contracts/sync/runs";
import type { Caller } from "../../../platform/ctx.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { PipelineStates } from "./pipeline-states.ts";
import { refuseRealtime } from "./realtime.ts";
import { type EntityId, publishedRow, type ServiceParts } from "./published-pipelines.ts";

export function pipelineControl(parts: ServiceParts, states: PipelineStates) {
  const { schedule, missing } = parts;
  return {
    async pause(ctx: Caller, entityId: EntityId): Promise<SyncState> {
      const { firstName, lastName } = ctx.actor;
      await publishedRow(parts, ctx.instanceId, entityId);
      await refuseRealtime(parts, ctx.instanceId, entityId);
      await schedule.pause(ctx.instanceId, entityId, `${firstName} ${lastName}`.trim());
      return states.one(ctx.instanceId, entityId);
    },

    async resume(ctx: Caller, entityId: EntityId): Promise<SyncState> {
      await publishedRow(parts, ctx.instanceId, entityId);
      await refuseRealtime(parts, ctx.instanceId, entityId);
      await schedule.resume(ctx.instanceId, entityId);
      return states.one(ctx.instanceId, entityId);
    },

    async runNow(ctx: Caller, entityId: EntityId): Promise<SyncState> {
      const row = await publishedRow(parts, ctx.instanceId, entityId);
      if (row.isPaused) throw new AppError("resync_on_paused");
      await missing.hurry(ctx.instanceId, entityId);
      await schedule.runNow(ctx.instanceId, entityId);
      return states.one(ctx.instanceId, entityId);
    },
  };
}
