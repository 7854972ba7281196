/** What people are told of a cycle that ended: a pipeline that stopped, a resync that is over, duplicates to look at. */
import type { Id } from "@accord/contracts";
import { notices as words } from "@accord/contracts/messages/en/notices";
import { fill } from "@accord/contracts/messages/fill";
import type { CycleSummary } from "@accord/sync-engine/run";
import type { Told } from "../../operations/notifications/index.ts";

export interface EndedCycle {
  instanceId: Id<"instance">;
  entity: { id: string; displayName: string };
  cycleNumber: number;
  summary: Pick<CycleSummary, "outcome" | "problems" | "resync">;
  /** Why the pipeline no longer runs; null while it does. */
  stopped: { message: string } | null;
  /** It was paused in error by an outage when the cycle began. */
  isProbing: boolean;
}

/** Those who look after pipelines. */
const ROLES = ["SYNC_MANAGER", "INSTANCE_ADMIN", "ORG_ADMIN", "SUPER_ADMIN"];

/** At most one of each kind for a cycle, however often it is told. */
export function newsOf({ instanceId, entity, cycleNumber, summary, stopped, isProbing }: EndedCycle): Told[] {
  const about = { name: entity.displayName };
  const editor = `/sync-studio/entity/${entity.id}/pipeline/published`;
  const told = (kind: string, one: Pick<Told, "severity" | "message" | "detail">, link = editor): Told => ({
    instanceId,
    subject: `${kind} ${entity.id} ${cycleNumber}`,
    link,
    roles: ROLES,
    ...one,
  });
  const news: Told[] = [];
  if (stopped && !isProbing) {
    const one = { severity: "error" as const, message: fill(words.pipelineStopped, about), detail: stopped.message };
    news.push(told("stopped", one, `${editor}/pipeline-error`));
  }
  if (isProbing && !stopped) {
    news.push(told("goes on", { severity: "success", message: fill(words.pipelineGoesOn, about) }));
  }
  if (summary.resync?.done) {
    news.push(told("resync", { severity: "success", message: fill(words.resyncDone, about) }));
  } else if (summary.outcome === "cancelled") {
    news.push(told("resync", { severity: "info", message: fill(words.resyncCancelled, about) }));
  }
  if (summary.problems.some(({ code }) => code === "too_many_duplicates")) {
    const detail = words.tooManyDuplicatesDetail;
    news.push(told("duplicates", { severity: "warning", message: fill(words.tooManyDuplicates, about), detail }));
  }
  return news;
}
