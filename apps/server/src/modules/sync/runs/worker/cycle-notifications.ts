/** What people are notified of a cycle that ended: a pipeline that stopped, a resync that is over, duplicates to look at. */
import type { Id } from "@accord/contracts";
import { notices as words } from "@accord/contracts/messages/en/notices";
import { fill } from "@accord/contracts/messages/fill";
import { COUNTED_UP_TO } from "@accord/contracts/sync/monitoring/health";
import { needsPerson } from "@accord/sync-engine/lifecycle";
import type { CycleSummary, FailureRecord } from "@accord/sync-engine/run";
import type { NotificationInput } from "../../../operations/notifications/index.ts";

export interface EndedCycle {
  instanceId: Id<"instance">;
  entity: { id: string; displayName: string };
  cycleNumber: number;
  summary: Pick<CycleSummary, "outcome" | "problems" | "resync" | "failures">;
  /** Systems that failed when the cycle began. */
  failedBefore: CycleSummary["failures"];
  /** Name of the system of a place. */
  systemAt: (placeId: number) => string;
  /** Records in quarantine, where the cycle added some. */
  quarantined: { count: number; oldestId: string } | null;
  /** Why the pipeline no longer runs; null while it does. */
  stopped: { message: string } | null;
  /** It was paused in error by an outage when the cycle began. */
  isProbing: boolean;
}

/** Those who look after pipelines. */
const ROLES = ["SYNC_MANAGER", "INSTANCE_ADMIN", "ORG_ADMIN", "SUPER_ADMIN"];

/** At most one of each kind for a cycle, however often it is told. */
export function notificationsOf(ended: EndedCycle): NotificationInput[] {
  const { instanceId, entity, cycleNumber, summary, stopped, isProbing } = ended;
  const about = { name: entity.displayName };
  const editor = `/sync-studio/entity/${entity.id}/pipeline/published`;
  const told = (
    kind: string,
    one: Pick<NotificationInput, "severity" | "message" | "detail">,
    link = editor,
  ): NotificationInput => ({
    instanceId,
    subject: `${kind} ${entity.id} ${cycleNumber}`,
    link,
    roles: ROLES,
    ...one,
  });
  const news: NotificationInput[] = [];
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
  return [...news, ...systemNews(ended), ...quarantineNews(ended)];
}

/** Failures that pass by themselves are told from the second attempt on: a moment without an answer is no news. */
const isNotified = ({ attempts, isPatience, problem }: FailureRecord): boolean =>
  !isPatience && (attempts > 1 || needsPerson(problem));

/** Each outage of a system once when it begins and once when it is over. */
function systemNews({ instanceId, entity, summary, failedBefore, systemAt }: EndedCycle): NotificationInput[] {
  const tell = (
    kind: string,
    placeId: string,
    { since }: FailureRecord,
    one: Pick<NotificationInput, "severity" | "message" | "detail">,
  ) => ({
    instanceId,
    subject: `${kind} ${entity.id} ${placeId} ${since}`,
    link: activityLink(entity.id, "problems"),
    roles: ROLES,
    ...one,
  });
  const about = (placeId: string) => ({ name: entity.displayName, system: systemAt(Number(placeId)) });
  const failing = Object.entries(summary.failures).flatMap(([placeId, failure]) => {
    if (!isNotified(failure)) return [];
    const since = `${new Date(failure.since).toISOString().slice(0, 16).replace("T", " ")} UTC`;
    const detail = fill(words.systemFailsSince, { reason: asSentence(failure.problem.message), since });
    const severity = needsPerson(failure.problem) ? ("error" as const) : ("warning" as const);
    return [tell("failing", placeId, failure, { severity, message: fill(words.systemFails, about(placeId)), detail })];
  });
  const working = Object.entries(failedBefore).flatMap(([placeId, failure]) => {
    if (!isNotified(failure) || placeId in summary.failures) return [];
    return [
      tell("working", placeId, failure, { severity: "success", message: fill(words.systemWorks, about(placeId)) }),
    ];
  });
  return [...failing, ...working];
}

/** A pipeline that can't run as things are, once until it could again. */
export const cannotRunNews = (
  { instanceId, entity, cycleNumber }: Pick<EndedCycle, "instanceId" | "entity" | "cycleNumber">,
  reason: string,
): NotificationInput => ({
  instanceId,
  subject: `cannot run ${entity.id} ${cycleNumber}`,
  link: activityLink(entity.id, "problems"),
  roles: ROLES,
  severity: "error",
  message: fill(words.pipelineCannotRun, { name: entity.displayName }),
  detail: reason,
});

/** Once for as long as any record waits, however many follow. */
function quarantineNews({ instanceId, entity, quarantined }: EndedCycle): NotificationInput[] {
  if (!quarantined) return [];
  const { count, oldestId } = quarantined;
  const text = count === 1 ? words.recordsQuarantined_one : words.recordsQuarantined_other;
  return [
    {
      instanceId,
      subject: `quarantine ${entity.id} ${oldestId}`,
      link: activityLink(entity.id, "quarantine"),
      roles: ROLES,
      severity: "warning",
      message: fill(text, {
        name: entity.displayName,
        count: count > COUNTED_UP_TO ? `${COUNTED_UP_TO.toLocaleString("en-US")}+` : count,
      }),
      detail: words.recordsQuarantinedDetail,
    },
  ];
}

const activityLink = (entityId: string, tab: "problems" | "quarantine"): string =>
  `/sync-studio/details?panel=activity&activity=${entityId}&tab=${tab}`;

const asSentence = (text: string): string => (text === "" || /[.!?]$/.test(text) ? text : `${text}.`);
