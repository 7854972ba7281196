/** What a resync would change, counted before anything is written: the same reading and deciding, without the writes. */
import type { Connection } from "@accord/connector-sdk";
import type { ResyncRequest } from "@accord/contracts/sync/monitoring/runs";
import { findSource } from "@accord/sync-engine/run";
import { fairQueue } from "../../../../platform/access/fair-queue.ts";
import type { Caller } from "../../../../platform/ctx.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import { dryResults } from "./dry-results.ts";
import { type DryPorts, dryRun, NOTHING_CLAIMED } from "./dry-run.ts";
import type { CompiledPipeline, PipelinePlans } from "../worker/plans.ts";
import { readSingle } from "../worker/single-records.ts";
import { nothingToRead, schemaAt } from "./explain-runs.ts";
import { ResyncCounts } from "./resync-counts.ts";
import {
  type EntityId,
  type InstanceId,
  requirePublishedPipeline,
  type ServiceContext,
} from "../published-pipelines.ts";
import { resyncOf } from "../resync.ts";

/** A person waits for it. */
const TIME_MS = 20_000;
const PAGE_SIZE = 500;
/** In a process; of one instance one at a time. */
const MAX_AT_ONCE = 2;
/** Previews of one instance that wait for their turn. */
const MAX_WAITING = 5;

type PreviewParts = ServiceContext & { plans: Pick<PipelinePlans, "load"> };

export function resyncPreviews(parts: PreviewParts) {
  const turns = fairQueue({ maxParallel: MAX_AT_ONCE, maxParallelPerLane: 1, maxWaiting: MAX_WAITING });
  return {
    /** `gone`: nobody waits for the answer any more. Throws `server_busy` where too many of the instance wait already. */
    async previewResync(ctx: Caller, entityId: EntityId, request: ResyncRequest, gone?: AbortSignal) {
      const place = { lane: ctx.instanceId, client: ctx.actor.userId, ...(gone && { signal: gone }) };
      return turns.run(place, () => preview(parts, ctx.instanceId, { entityId, request }, gone));
    },
  };
}

async function preview(
  parts: PreviewParts,
  at: InstanceId,
  { entityId, request }: { entityId: EntityId; request: ResyncRequest },
  gone: AbortSignal | undefined,
) {
  const row = await requirePublishedPipeline(parts, at, entityId);
  if (row.isPaused) throw new AppError("resync_on_paused");
  const resync = await resyncOf(parts, at, entityId, request);
  const pipeline = await parts.plans.load(at, entityId);
  const signal = AbortSignal.any([AbortSignal.timeout(TIME_MS), ...(gone ? [gone] : [])]);
  const open = new Map<string, Connection>();
  const counts = new ResyncCounts();
  try {
    const { summary } = await dryRun(
      pipeline,
      { ...nothingToRead(pipeline), resync },
      {
        ...sourcePorts(parts, at, pipeline, open),
        claim: async () => NOTHING_CLAIMED,
        answer: dryResults(parts.needs, at, pipeline),
        commit: async (batch) => counts.add(batch, await pipeline.storage.findLacking(batch.lacking ?? [])),
      },
      { deps: parts.deps, signal },
    );
    return counts.preview(pipeline.plan, summary, pipeline.secrets.core);
  } finally {
    for (const connection of open.values()) await connection.close();
  }
}

/** Reads sources as a resync does; `open`: connections by connector, which the caller closes. */
function sourcePorts(
  { needs }: PreviewParts,
  at: InstanceId,
  pipeline: CompiledPipeline,
  open: Map<string, Connection>,
): Pick<DryPorts, "read" | "getById"> {
  const sourceAt = async (nodeId: string) => {
    const { place } = findSource(pipeline.plan, nodeId);
    const connection = open.get(place.connectorId) ?? (await needs.connectors.openConnection(at, place.connectorId));
    open.set(place.connectorId, connection);
    return { connection, place, entity: schemaAt(pipeline, place.id), fields: [...place.readFields] };
  };
  return {
    async read({ nodeId, cursor, mode, since, until }) {
      const { connection, place, entity, fields } = await sourceAt(nodeId);
      return connection.read({
        entity,
        fields,
        cursor,
        mode,
        pageSize: pipeline.connectors.get(place.connectorId)?.readPageSize ?? PAGE_SIZE,
        ...(since === null ? {} : { since: new Date(since) }),
        ...(until === null ? {} : { until: new Date(until) }),
      });
    },
    async getById({ nodeId, ids }) {
      const { connection, entity, fields } = await sourceAt(nodeId);
      return readSingle(connection, { entity, fields, ids });
    },
  };
}
