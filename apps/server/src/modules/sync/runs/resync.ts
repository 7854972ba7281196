/** Use cases of a resync: begin one over chosen sources and a range of time, and cancel it. */
import { syncRefusals } from "@accord/contracts/messages/en/sync/run/refusals";
import { fill } from "@accord/contracts/messages/fill";
import type { Caller } from "../../../platform/ctx.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { type ResyncRequest, resyncStatusUpdate, type SyncState } from "@accord/contracts/sync/monitoring/runs";
import { invalid } from "./keyset-paging.ts";
import type { PipelineStates } from "./monitoring/pipeline-states.ts";
import {
  type EntityId,
  type InstanceId,
  requirePublishedPipeline,
  type ServiceContext,
} from "./published-pipelines.ts";
import { refuseRealtime } from "./webhook-replies.ts";
import type { ResyncRow } from "./schedule/pipeline-rows.store.ts";

export function resyncs(parts: ServiceContext, states: PipelineStates) {
  const { deps, schedule, missing } = parts;

  async function tell(at: InstanceId, entityId: EntityId): Promise<SyncState> {
    const state = await states.one(at, entityId);
    await deps.realtime.publish(at, resyncStatusUpdate, { entityId, resync: state.resync });
    return state;
  }

  return {
    async startResync(ctx: Caller, entityId: EntityId, request: ResyncRequest): Promise<SyncState> {
      const at = ctx.instanceId;
      const row = await requirePublishedPipeline(parts, at, entityId);
      await refuseRealtime(parts, at, entityId);
      if (row.isPaused) throw new AppError("resync_on_paused");
      const resync = await resyncOf(parts, at, entityId, request);
      const started = await schedule.startResync(at, entityId, resync);
      if (!started) throw new AppError("resync_running");
      if (request.scope === "all") await missing.hurry(at, entityId);
      return tell(at, entityId);
    },

    async cancelResync(ctx: Caller, entityId: EntityId): Promise<SyncState> {
      const at = ctx.instanceId;
      await requirePublishedPipeline(parts, at, entityId);
      if (!(await schedule.cancelResync(at, entityId)))
        throw new AppError("invalid_state", { reason: syncRefusals.noResync });
      return tell(at, entityId);
    },
  };
}

/** A request as it will run; refuses dates in the future and sources that are not this pipeline's. */
export async function resyncOf(
  { deps, needs }: ServiceContext,
  at: InstanceId,
  entityId: EntityId,
  request: ResyncRequest,
): Promise<ResyncRow> {
  const now = deps.clock.now().toISOString();
  for (const path of ["from", "to"] as const) {
    const date = request[path];
    if (date && date > now) throw invalid(path, syncRefusals.inTheFuture);
  }
  const version = await needs.pipelines.publishedVersion(at, entityId);
  const sources = (version?.graph.nodes ?? []).filter(({ nodeType }) => nodeType === "ENTITY_SOURCE");
  const nodeIds = request.sourceEntityIds.flatMap((wanted) => {
    const found = sources.filter(
      ({ id, configuration }) =>
        id === wanted || `${configuration.connectorId}/${configuration.entityDefinition}` === wanted,
    );
    if (found.length === 0) throw invalid("sourceEntityIds", fill(syncRefusals.noSuchSource, { source: wanted }));
    return found.map(({ id }) => id);
  });
  if (request.scope !== "all") {
    for (const { configuration } of sources.filter(({ id }) => nodeIds.includes(id)))
      await demandTimes(needs, at, configuration);
  }
  return newResync(deps, {
    scope: request.scope,
    nodeIds: [...new Set(nodeIds)],
    since: request.scope === "all" ? null : (request.from ?? null),
    until: request.scope === "between" ? (request.to ?? null) : null,
  });
}

/** A range of time needs records that say when they changed. */
async function demandTimes(
  { connectors }: ServiceContext["needs"],
  at: InstanceId,
  { connectorId = "", entityDefinition = "" }: { connectorId?: string; entityDefinition?: string },
): Promise<void> {
  const facts = await connectors.entitySchema(at, connectorId, entityDefinition);
  if (!facts || facts.watermarkField || facts.capabilities.includes("readByWatermark")) return;
  throw invalid("scope", fill(syncRefusals.onlyAll, { source: facts.displayName }));
}

export function newResync(
  deps: Pick<ServiceContext["deps"], "clock" | "newId">,
  wish: { scope: ResyncRow["scope"]; nodeIds: string[]; since?: string | null; until?: string | null },
): ResyncRow {
  return {
    resyncId: deps.newId(),
    status: "NEW",
    scope: wish.scope,
    nodeIds: wish.nodeIds,
    since: wish.since ?? null,
    until: wish.until ?? null,
    cursors: {},
    finished: [],
    requestedAt: deps.clock.now().toISOString(),
    recordsRead: 0,
  };
}
