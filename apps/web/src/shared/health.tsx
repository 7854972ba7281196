/** Health of a pipeline in words and tags, the same on every screen; each count leads to what it counts. */
import {
  COUNTED_UP_TO,
  type HealthReason,
  type HealthSeverity,
  type PipelineHealth,
} from "@accord/contracts/sync/monitoring/health";
import { addCounts, healthSeverity } from "@accord/sync-engine/lifecycle";
import { StatusTag, type Tone } from "@accord/ui";
import { Tooltip } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import { useWords } from "../app/words.ts";
import { Since } from "./since.tsx";
import "./health.css";

export const HEALTH_TONES: Record<HealthSeverity, Tone> = { error: "error", warning: "warn", info: "idle", ok: "ok" };

export const reasonTone = ({ state }: Pick<HealthReason, "state">): Tone => HEALTH_TONES[healthSeverity(state)];

/** "9,000+" where there may be more than was counted. */
export function useCountText(): (counted: { count: number; isLowerBound?: boolean | undefined }) => string {
  const { t } = useWords("sync");
  return ({ count, isLowerBound }) => (isLowerBound ? t("health.atLeast", { count }) : count.toLocaleString("en-US"));
}

/** "Billing fails", "3 in quarantine". */
export function useReasonText(): (reason: HealthReason) => string {
  const { t } = useWords("sync");
  const countText = useCountText();
  return ({ message, facts, count, isLowerBound }) => {
    const system = String(facts["system"] ?? "");
    const who = String(facts["who"] ?? "");
    const shown = countText({
      count: Math.min(count, COUNTED_UP_TO),
      isLowerBound: isLowerBound ?? count > COUNTED_UP_TO,
    });
    return t(`health.${message}`, { ...facts, system, who, shown, count: Number(facts["count"] ?? count) });
  };
}

/** The whole of it, for a tooltip: the system's own words behind what is said. */
const detailOf = ({ facts }: HealthReason): string => String(facts["reason"] ?? "");

interface ReasonsProps {
  entityId: string;
  health: PipelineHealth | null;
  /** As many at most; the rest is a number that leads to all. */
  max?: number;
  /** Words only, for places where a tag stands beside them. */
  plain?: boolean;
  /** Opens the pipeline's activity where one is; else a link leads to it. */
  onOpen?: (tab: HealthReason["tab"]) => void;
}

/** What stands between a pipeline and agreement, each a way to the records or cycles it is about. */
export function HealthReasons({ entityId, health, max = 3, plain = false, onOpen }: ReasonsProps) {
  const { t } = useWords("sync");
  const textOf = useReasonText();
  const reasons = joined(health?.reasons ?? []);
  if (reasons.length === 0) return null;
  const hidden = reasons.length - max;
  return (
    <span className="ac-health" data-plain={plain || undefined}>
      {reasons.slice(0, max).map((reason) => {
        const text = textOf(reason);
        const content = (
          <>
            {text}{" "}
            {reason.since ? (
              <span className="ac-health__since">
                <Since at={reason.since} words={(time) => t("health.since", { time })} />
              </span>
            ) : null}{" "}
            <NextTry at={reason.nextTryAt} />
          </>
        );
        return (
          <ReasonLink
            key={`${reason.message} ${reason.nodeId}`}
            entityId={entityId}
            tab={reason.tab}
            title={detailOf(reason)}
            onOpen={onOpen}
          >
            {plain ? content : <StatusTag tone={reasonTone(reason)}>{content}</StatusTag>}
          </ReasonLink>
        );
      })}
      {hidden > 0 ? (
        <ReasonLink entityId={entityId} tab="problems" title={t("health.showAll")} onOpen={onOpen}>
          {t("health.more", { count: hidden })}
        </ReasonLink>
      ) : null}
    </span>
  );
}

/** When a failing system is asked again by itself; nothing where nobody knows. */
export function NextTry({ at }: { at: string | undefined }) {
  const { t } = useWords("sync");
  if (at === undefined) return null;
  return (
    <span className="ac-health__next">
      <Since at={at} words={(time) => t("health.nextTry", { time })} />
    </span>
  );
}

/** Counts of several nodes are one number for the pipeline. */
export function joined(reasons: readonly HealthReason[]): HealthReason[] {
  const all: HealthReason[] = [];
  for (const reason of reasons) {
    const index = all.findIndex((one) => one.message === reason.message && isCount(one));
    const same = all[index];
    if (!same) all.push(reason);
    else {
      all[index] = { ...same, ...addCounts(same, reason) };
    }
  }
  return all;
}

const isCount = ({ message }: HealthReason): boolean =>
  message === "quarantined" || message === "refused" || message === "waiting";

interface ReasonLinkProps {
  entityId: string;
  tab: HealthReason["tab"];
  node?: string | undefined;
  field?: string | undefined;
  /** Id of the cycle that is opened. */
  cycle?: string | undefined;
  title?: string;
  onOpen?: ReasonsProps["onOpen"];
  children: React.ReactNode;
}

/** Leads to what a reason counts, in the table's activity drawer; `node`, `field`: only what happened there. */
export function ReasonLink({ entityId, tab, node, field, cycle, title, onOpen, children }: ReasonLinkProps) {
  if (onOpen)
    return (
      <Tooltip label={title} disabled={!title}>
        <button type="button" className="ac-health__link" onClick={() => onOpen(tab)}>
          {children}
        </button>
      </Tooltip>
    );
  return <LinkToActivity {...{ entityId, tab, node, field, cycle, title, children }} />;
}

/** From the table itself, what that was narrowed to and the row it shows stay. */
function LinkToActivity({ entityId, tab, node, field, cycle, title, children }: Omit<ReasonLinkProps, "onOpen">) {
  const isInTable = useLocation({ select: ({ pathname }) => /^\/sync-studio\/details(\/|$)/.test(pathname) });
  return (
    <Tooltip label={title} disabled={!title}>
      <Link
        className="ac-health__link"
        to={isInTable ? "." : "/sync-studio/details"}
        search={(shown: object) => ({
          ...(isInTable ? shown : {}),
          ...{ panel: "activity" as const, activity: entityId, tab: tab === "cycles" ? undefined : tab },
          ...{ node, field, cycle, change: undefined },
        })}
        onClick={(event) => event.stopPropagation()}
      >
        {children}
      </Link>
    </Tooltip>
  );
}
