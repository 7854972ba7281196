/** What home says: which pipelines come first, what their state looks like, what changed last. Pure. */
import type { Connector } from "@accord/contracts/connections/connectors";
import type { HealthSeverity } from "@accord/contracts/sync/monitoring/health";
import type { AgreementFilter, PipelineRow } from "@accord/contracts/sync/pipelines";
import type { Transaction } from "@accord/contracts/sync/monitoring/transactions";

type Judged = Pick<PipelineRow, "health">;

const URGENCY: Record<HealthSeverity, number> = { error: 0, warning: 1, info: 2, ok: 3 };

/** What the row of a published pipeline opens: its draft where there is one. */
export const openedVersion = ({ pipelineStatus }: Pick<PipelineRow, "pipelineStatus">): "draft" | "published" =>
  pipelineStatus === "PUBLISHED_WITH_DRAFT" ? "draft" : "published";

/** Where a count of pipelines leads: one of them itself, several as the table of exactly those, none the table. */
export function addressOf(
  rows: readonly Pick<PipelineRow, "id" | "pipelineStatus">[],
  agreement: AgreementFilter,
): { to: string; search: { agreement?: AgreementFilter } } {
  const [only, ...others] = rows;
  if (!only) return { to: "/sync-studio/details", search: {} };
  if (others.length === 0) return { to: `/sync-studio/entity/${only.id}/pipeline/${openedVersion(only)}`, search: {} };
  return { to: "/sync-studio/details", search: { agreement } };
}

/** Published pipelines, those in trouble first, then by name. */
export const byUrgency = <Row extends Judged & Pick<PipelineRow, "name">>(rows: readonly Row[]): readonly Row[] => {
  const urgency = ({ health }: Row): number => URGENCY[health?.severity ?? "ok"];
  return rows
    .filter(({ health }) => health !== null)
    .toSorted((a, b) => urgency(a) - urgency(b) || a.name.localeCompare(b.name));
};

export interface FirstStep {
  id: "connect" | "draw" | "publish";
  state: "done" | "next" | "later";
  to: string;
}

/** The way to a first running pipeline; the first step not yet done is the next one. */
export function firstSteps(
  connectors: readonly Pick<Connector, "status">[],
  rows: readonly Pick<PipelineRow, "id" | "pipelineStatus">[],
): FirstStep[] {
  const draft = rows.find(({ pipelineStatus }) => pipelineStatus === "DRAFT");
  const steps = [
    {
      id: "connect" as const,
      isDone: connectors.some(({ status }) => status === "ACTIVE"),
      to: "/synapses/connections/new",
    },
    { id: "draw" as const, isDone: draft !== undefined, to: "/sync-studio" },
    {
      id: "publish" as const,
      isDone: false,
      to: draft ? `/sync-studio/entity/${draft.id}/pipeline/draft` : "/sync-studio",
    },
  ];
  const next = steps.findIndex(({ isDone }) => !isDone);
  return steps.map(({ id, isDone, to }, place) => ({
    id,
    to,
    state: isDone ? "done" : place === next ? "next" : "later",
  }));
}

/** "1.2 M", "20,855": short enough for a tile. */
export const shortCount = (count: number): string =>
  count < 1_000_000
    ? count.toLocaleString("en-US")
    : new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 }).format(count);

export interface ChangeGroup {
  /** The newest change of the group. */
  newest: Transaction;
  /** Records it happened to. */
  records: number;
}

const groupKey = ({ entityId, operation, actor, cycleId, recordId }: Transaction): string => {
  const who = actor.kind === "source" ? actor.connectorId : actor.kind === "user" ? actor.userId : "";
  // What a person did stands for itself; what a cycle did to thousands of records is one line.
  return [entityId, operation, actor.kind, who, cycleId ?? recordId].join(" ");
};

/** Changes (newest first) with those of one cycle, kind and origin as one line, in the order of their newest one. */
export function groupChanges(transactions: readonly Transaction[], most: number): ChangeGroup[] {
  const groups = new Map<string, { newest: Transaction; records: Set<string> }>();
  for (const change of transactions) {
    const group = groups.get(groupKey(change));
    if (group) group.records.add(change.recordId);
    else groups.set(groupKey(change), { newest: change, records: new Set([change.recordId]) });
  }
  return [...groups.values()].slice(0, most).map(({ newest, records }) => ({ newest, records: records.size }));
}
