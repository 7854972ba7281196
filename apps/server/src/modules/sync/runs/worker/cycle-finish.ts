/** The end of a cycle: when the next one is due, whether the pipeline stops, and what people are notified of it. */
import { notices } from "@accord/contracts/messages/en/notices";
import { type CycleSummary, RETRY_WINDOW } from "@accord/sync-engine/run";
import type { Deps } from "../../../../platform/deps.ts";
import { hasEffect, newsOf, standingAfter } from "./cycle-summaries.ts";
import type { DatabaseTime } from "../schedule/database-time.ts";
import { cannotRunNews, notificationsOf } from "./cycle-notifications.ts";
import type { Acquired } from "../schedule/pipeline-rows.store.ts";
import type { CompiledPipeline, RunsDependencies } from "./plans.ts";
import type { ScheduleStore } from "../schedule/schedule.store.ts";
import { standingProblemsStore } from "../monitoring/standing-problems.store.ts";
import { type ScheduleContext, nextTurnIn } from "../schedule/source-schedule.ts";

/** From one look to the next whether an outage is over that has stopped a pipeline. */
export const PROBE_MS = 15 * 60_000;

/** A cycle that came to its end. */
export interface Ended {
  acquired: Acquired;
  pipeline: CompiledPipeline;
  summary: CycleSummary;
  turns: ScheduleContext;
  time: DatabaseTime;
}

interface Parts {
  deps: Pick<Deps, "log" | "dataPool">;
  needs: Pick<RunsDependencies, "connectors" | "notify">;
  schedule: Pick<ScheduleStore, "finish">;
}

/** Gives the lease back. Nothing is told when it was lost. */
export async function finishCycle(parts: Parts, { acquired, pipeline, summary, turns, time }: Ended): Promise<void> {
  const { needs, schedule } = parts;
  const now = time();
  const shortest = nextTurnIn(pipeline.plan.sources, turns, now);
  const isGoingOn = acquired.resync !== null && !summary.resync?.done && summary.outcome === "finished";
  const own = summary.nextAt === null ? shortest : Math.min(shortest, Math.max(0, summary.nextAt - now));
  const tooLong = Object.values(summary.failures).some(({ since }) => now - since > RETRY_WINDOW);
  const flood = summary.problems.find(({ code }) => code === "too_many_failures");
  const worst = flood ?? (tooLong ? summary.problems.find(({ severity }) => severity === "error") : undefined);
  const isProbing = worst !== undefined && worst !== flood;
  const soon = isGoingOn || summary.resync?.done ? 0 : Number.isFinite(own) ? own : 60_000;
  await schedule.finish({ ...acquired, versionNumber: pipeline.plan.versionNumber }, summary, {
    dueInMs: isProbing ? PROBE_MS : soon,
    isResync: summary.resync !== null,
    error: worst ? { message: worst.message, detail: detailOf(worst, isProbing) } : null,
    isProbing,
    isWorthKeeping: summary.resync !== null || hasEffect(newsOf(summary, acquired)),
    standing: standingAfter(
      summary,
      acquired.lastCycle,
      pipeline.plan.sources.map(({ nodeId }) => nodeId),
    ),
  });
  await notifyOfCycle(parts, { acquired, entity: pipeline.entity, summary, pipeline }, worst ?? null);
  if (summary.problems.some(({ severity }) => severity === "error")) return;
  for (const [connectorId, { status }] of pipeline.connectors) {
    if (status === "ERROR") await needs.connectors.reportWorking(acquired.instanceId, connectorId);
  }
}

type FinishedCycle = Pick<Ended, "acquired" | "summary"> &
  Pick<CompiledPipeline, "entity"> & { pipeline: CompiledPipeline | null };

async function quarantinedOf(
  { dataPool }: Pick<Deps, "dataPool">,
  { instanceId, pipelineId }: Acquired,
): Promise<{ count: number; oldestId: string } | null> {
  const { count, oldestId } = await standingProblemsStore(dataPool).openQuarantine(instanceId, pipelineId);
  return oldestId === null ? null : { count, oldestId };
}

function systemAt(pipeline: CompiledPipeline | null, placeId: number): string {
  const all = [...(pipeline?.plan.sources ?? []), ...(pipeline?.plan.sinks ?? [])];
  const connectorId = all.find(({ place }) => place.id === placeId)?.place.connectorId ?? "";
  return pipeline?.connectors.get(connectorId)?.name ?? "";
}

/** Says that a pipeline can't run; not again at each further attempt. */
export async function notifyCannotRun(
  { deps, needs }: { deps: Pick<Deps, "log">; needs: Pick<RunsDependencies, "notify" | "schema"> },
  { instanceId, pipelineId, cycleNumber, lastCycle }: Acquired,
  reason: string,
): Promise<void> {
  if (lastCycle?.problems.some(({ message }) => message === reason)) return;
  try {
    const entity = await needs.schema.getEntity(instanceId, pipelineId);
    if (entity) await needs.notify(cannotRunNews({ instanceId, entity, cycleNumber }, reason));
  } catch (error) {
    deps.log.warn({ err: error, instanceId, pipelineId }, "pipeline notification failed");
  }
}

/** Being told is no part of the cycle: where it fails, the cycle has ended all the same. */
export async function notifyOfCycle(
  { deps, needs }: { deps: Parts["deps"]; needs: Pick<RunsDependencies, "notify"> },
  { acquired, entity, summary, pipeline }: FinishedCycle,
  stopped: { message: string } | null,
): Promise<void> {
  const { instanceId, pipelineId, cycleNumber, isProbing } = acquired;
  try {
    const quarantined = summary.counts.quarantined > 0 ? await quarantinedOf(deps, acquired) : null;
    // What broke off says nothing new of its systems.
    const failedBefore = pipeline ? acquired.failures : {};
    const failures = pipeline ? summary.failures : {};
    const news = notificationsOf({
      instanceId,
      entity,
      cycleNumber,
      summary: { ...summary, failures },
      stopped,
      isProbing,
      failedBefore,
      systemAt: (placeId) => systemAt(pipeline, placeId),
      quarantined,
    });
    for (const told of news) await needs.notify(told);
  } catch (error) {
    deps.log.warn({ err: error, instanceId, pipelineId }, "cycle notification failed");
  }
}

/** What stops a pipeline, and that it goes on by itself if it does. */
const detailOf = ({ detail }: { detail: string | null }, isProbing: boolean): string | null =>
  isProbing ? [detail, notices.pipelineProbes].filter(Boolean).join(" ") : detail;
