/** Judges a pipeline's health from what is known of it: the one answer that tables, editor, home and bell show. */
import {
  HEALTH_STATES,
  type HealthReason,
  type HealthSeverity,
  type HealthState,
  type PipelineHealth,
} from "@accord/contracts/sync/monitoring/health";
import type { SyncStatus } from "@accord/contracts/sync/pipelines";

/** A system that could not be asked, or refused everything. */
export interface SystemFailureFact {
  nodeId: string | null;
  /** The other node at its place. */
  alsoAtNodeId?: string | undefined;
  connectorId: string | null;
  /** Its name. */
  system: string;
  /** UTC milliseconds. */
  since: number;
  /** When it is asked again by itself, UTC milliseconds. */
  nextTryAt?: number | undefined;
  /** Kind of the failure, as connectors classify it. */
  code: string;
  message: string;
}

/** A system that keeps the pipeline waiting: it takes no calls for now, or a call to it has been under way for long. */
export interface HeldUpFact extends Pick<
  SystemFailureFact,
  "nodeId" | "connectorId" | "system" | "since" | "nextTryAt"
> {
  isLimited: boolean;
}

/** Records, values or deliveries at a source or destination. */
export interface NodeCount {
  nodeId: string | null;
  count: number;
  /** There may be more: it ended at a bound before all was looked at. */
  isLowerBound?: true | undefined;
}

export interface HealthFacts {
  status: SyncStatus;
  failures: readonly SystemFailureFact[];
  heldUp: readonly HeldUpFact[];
  /** Why the pipeline is stopped in error. */
  stopped: string | null;
  /** Why the last cycle could not run or broke off; null when it ran. */
  cannotRun: string | null;
  pausedBy: string | null;
  quarantined: readonly NodeCount[];
  refused: readonly NodeCount[];
  /** Other warnings that stand. */
  warnings: readonly (NodeCount & { message: string })[];
  waiting: readonly NodeCount[];
  /** Milliseconds since the cycle that is due or under way should have begun; 0 while none is. */
  overdueMs: number;
  /** How long the last cycle took; null before the first. */
  usualCycleMs: number | null;
}

/** A running pipeline with nothing against it. */
export const UNTROUBLED: HealthFacts = {
  status: "RUNNING",
  failures: [],
  heldUp: [],
  stopped: null,
  cannotRun: null,
  pausedBy: null,
  quarantined: [],
  refused: [],
  warnings: [],
  waiting: [],
  overdueMs: 0,
  usualCycleMs: 500,
};

/** Failures that end without anybody changing anything; all others need a person. */
const TRANSIENT: ReadonlySet<string> = new Set(["unreachable", "timeout", "unavailable", "unexpected", "rateLimited"]);
export const needsPerson = ({ code }: { code: string }): boolean => !TRANSIENT.has(code);

/** A cycle may be this late, and take this many times as long as the one before it. */
const MIN_LAG_MS = 120_000;
const NORMAL_CYCLES = 3;

const SEVERITY: Readonly<Record<HealthState, HealthSeverity>> = {
  FAILING: "error",
  RETRYING: "warning",
  QUARANTINED: "warning",
  REFUSED: "warning",
  WARNING: "warning",
  STALLED: "error",
  LAGGING: "warning",
  PAUSED: "info",
  WAITING: "info",
  IN_AGREEMENT: "ok",
};
export const healthSeverity = (state: HealthState): HealthSeverity => SEVERITY[state];

const RANK: Readonly<Record<HealthSeverity, number>> = { error: 0, warning: 1, info: 2, ok: 3 };

/** Null while nothing is published. */
export function pipelineHealth(facts: HealthFacts): PipelineHealth | null {
  if (facts.status === "UNPUBLISHED") return null;
  const reasons = [
    ...failureReasons(facts),
    ...countReasons("QUARANTINED", "quarantined", "quarantine", facts.quarantined),
    ...countReasons("REFUSED", "refused", "refused", facts.refused),
    ...facts.warnings.map(({ nodeId, count, message }) =>
      reason("WARNING", "warning", { nodeId, count, tab: "problems", facts: { reason: message } }),
    ),
    ...stateReasons(facts),
    ...heldUpReasons(facts),
    ...countReasons("WAITING", "waiting", "waiting", facts.waiting),
  ].sort((left, right) => HEALTH_STATES.indexOf(left.state) - HEALTH_STATES.indexOf(right.state));
  const state = reasons[0]?.state ?? "IN_AGREEMENT";
  return {
    state,
    severity: worstSeverity(reasons),
    reasons,
    counts: {
      failing: facts.failures.length,
      quarantined: total(facts.quarantined),
      refused: total(facts.refused),
      warnings: facts.warnings.length,
      waiting: total(facts.waiting),
    },
  };
}

function failureReasons({ failures, stopped, cannotRun }: HealthFacts): HealthReason[] {
  const reasons = failures.map((failure) => {
    const state = needsPerson(failure) ? ("FAILING" as const) : ("RETRYING" as const);
    const { nodeId, alsoAtNodeId, connectorId, system, since, nextTryAt, message } = failure;
    return reason(state, state === "FAILING" ? "systemFailing" : "systemRetrying", {
      nodeId,
      ...(alsoAtNodeId === undefined ? {} : { alsoAtNodeId }),
      connectorId,
      since: new Date(since).toISOString(),
      ...(nextTryAt === undefined ? {} : { nextTryAt: new Date(nextTryAt).toISOString() }),
      facts: { system, reason: message },
    });
  });
  if (stopped !== null) reasons.unshift(reason("FAILING", "stopped", { facts: { reason: stopped } }));
  else if (cannotRun !== null && failures.length === 0)
    reasons.push(reason("FAILING", "cannotRun", { facts: { reason: cannotRun } }));
  return reasons;
}

/** A system that is known to fail is said to fail. */
function heldUpReasons({ heldUp, failures }: HealthFacts): HealthReason[] {
  const failing = new Set(failures.map(({ connectorId }) => connectorId));
  return heldUp
    .filter(({ connectorId }) => !failing.has(connectorId))
    .map(({ nodeId, connectorId, system, since, nextTryAt, isLimited }) =>
      reason("WAITING", isLimited ? "systemLimited" : "systemSlow", {
        nodeId,
        connectorId,
        since: new Date(since).toISOString(),
        ...(nextTryAt === undefined ? {} : { nextTryAt: new Date(nextTryAt).toISOString() }),
        tab: "cycles",
        facts: { system },
      }),
    );
}

function stateReasons({ status, overdueMs, usualCycleMs, pausedBy, waiting }: HealthFacts): HealthReason[] {
  switch (status) {
    case "STALLED":
      return [reason("STALLED", "stalled", { tab: "cycles" })];
    case "PAUSED":
    case "PAUSING":
      return [
        pausedBy === null
          ? reason("PAUSED", "paused", { tab: "cycles" })
          : reason("PAUSED", "pausedBy", { tab: "cycles", facts: { who: pausedBy } }),
      ];
    case "RESYNCING":
      return [reason("WAITING", "resyncing", { tab: "cycles" })];
    case "QUEUED":
      return total(waiting) > 0 ? [] : [reason("WAITING", "firstCycle", { tab: "cycles" })];
    case "RUNNING":
    case "TEST": {
      const isLagging = usualCycleMs !== null && overdueMs > Math.max(MIN_LAG_MS, NORMAL_CYCLES * usualCycleMs);
      const minutes = Math.floor(overdueMs / 60_000);
      return isLagging ? [reason("LAGGING", "lagging", { tab: "cycles", facts: { count: minutes } })] : [];
    }
    default:
      return [];
  }
}

function countReasons(
  state: HealthState,
  message: "quarantined" | "refused" | "waiting",
  tab: HealthReason["tab"],
  counts: readonly NodeCount[],
): HealthReason[] {
  const byNode = new Map<string | null, Counted>();
  for (const { nodeId, ...more } of counts) byNode.set(nodeId, addCounts(byNode.get(nodeId) ?? { count: 0 }, more));
  return [...byNode]
    .filter(([, { count, isLowerBound }]) => count > 0 || isLowerBound)
    .sort(([, left], [, right]) => right.count - left.count)
    .map(([nodeId, counted]) => reason(state, message, { nodeId, ...counted, tab }));
}

type Counted = Omit<NodeCount, "nodeId">;

/** A sum with a lower bound in it is one. */
export const addCounts = (left: Counted, right: Counted): Counted => ({
  count: left.count + right.count,
  ...(left.isLowerBound || right.isLowerBound ? { isLowerBound: true } : {}),
});

const reason = (state: HealthState, message: HealthReason["message"], more: Partial<HealthReason>): HealthReason => ({
  state,
  message,
  facts: {},
  count: 1,
  nodeId: null,
  connectorId: null,
  since: null,
  tab: "problems",
  ...more,
});

const worstSeverity = (reasons: readonly HealthReason[]): HealthSeverity =>
  reasons
    .map(({ state }) => SEVERITY[state])
    .reduce<HealthSeverity>((worst, one) => (RANK[one] < RANK[worst] ? one : worst), "ok");

const total = (counts: readonly NodeCount[]): number => counts.reduce((sum, { count }) => sum + count, 0);

/** What is wrong at one source or destination, the worst first. */
export const reasonsAt = (health: Pick<PipelineHealth, "reasons"> | null, nodeId: string): HealthReason[] =>
  (health?.reasons ?? []).filter(
    (one) => (one.nodeId === nodeId || one.alsoAtNodeId === nodeId) && SEVERITY[one.state] !== "info",
  );
