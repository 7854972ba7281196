/** What home says: which pipelines come first, what their state looks like, what changed last. Pure. */
import type { Connector } from "@accord/contracts/connections/connectors";
import type { PipelineRow, SyncStatus } from "@accord/contracts/sync/pipelines";
import type { Transaction } from "@accord/contracts/sync/runs";
import type { Tone } from "@accord/ui";

export const SYNC_TONE: Record<SyncStatus, { tone: Tone; busy?: true }> = {
  RUNNING: { tone: "ok", busy: true },
  QUEUED: { tone: "ok" },
  PAUSING: { tone: "idle", busy: true },
  PAUSED: { tone: "idle" },
  ERROR: { tone: "error" },
  STALLED: { tone: "error" },
  UNPUBLISHED: { tone: "idle" },
  TEST: { tone: "info", busy: true },
  RESYNCING: { tone: "info", busy: true },
  RETRYING: { tone: "warn", busy: true },
};

const URGENCY: Record<SyncStatus, number> = {
  ERROR: 0,
  STALLED: 0,
  RETRYING: 1,
  RESYNCING: 2,
  RUNNING: 3,
  TEST: 3,
  PAUSING: 4,
  PAUSED: 4,
  QUEUED: 5,
  UNPUBLISHED: 9,
};

export const needsAttention = (row: Pick<PipelineRow, "syncStatus" | "errorCount">): boolean =>
  row.syncStatus === "ERROR" || row.syncStatus === "STALLED" || row.errorCount > 0;

/** Waits for its first cycle: nothing can be said about agreement yet. */
export const isFirstDue = (row: Pick<PipelineRow, "syncStatus" | "lastCompletedSync">): boolean =>
  row.syncStatus === "QUEUED" && row.lastCompletedSync === null;

/** At work or at rest with nothing to say: nothing of it is set aside, refused, failing, waiting or paused. */
export const isInAgreement = (row: Pick<PipelineRow, "syncStatus" | "errorCount" | "warningCount">): boolean =>
  (row.syncStatus === "RUNNING" || row.syncStatus === "QUEUED") && row.errorCount === 0 && row.warningCount === 0;

/** What the row of a published pipeline opens: its draft where there is one. */
export const openedVersion = ({ pipelineStatus }: Pick<PipelineRow, "pipelineStatus">): "draft" | "published" =>
  pipelineStatus === "PUBLISHED_WITH_DRAFT" ? "draft" : "published";

/** Where a count of pipelines leads: one of them itself, several as the table filtered by their tags, none the table. */
export function addressOf(rows: readonly Pick<PipelineRow, "id" | "pipelineStatus" | "pipelineStateTagData">[]): {
  to: string;
  search: { pipelineState?: string };
} {
  const [only, ...others] = rows;
  if (!only) return { to: "/sync-studio/details", search: {} };
  if (others.length === 0) return { to: `/sync-studio/entity/${only.id}/pipeline/${openedVersion(only)}`, search: {} };
  const tags = new Set(
    rows.flatMap(({ pipelineStateTagData: all }) => {
      // Those in agreement are running too: it is the other tag that tells these apart.
      const telling = all.filter((tag) => tag !== "Running");
      return telling.length > 0 ? telling : all;
    }),
  );
  return { to: "/sync-studio/details", search: { pipelineState: [...tags].join(",") } };
}

/** Published pipelines, those in trouble first, then those at work, then by name. */
export const urgentFirst = <Row extends Pick<PipelineRow, "syncStatus" | "errorCount" | "name">>(
  rows: readonly Row[],
): readonly Row[] =>
  rows
    .filter((row) => row.syncStatus !== "UNPUBLISHED")
    .toSorted(
      (a, b) =>
        Number(needsAttention(b)) - Number(needsAttention(a)) ||
        URGENCY[a.syncStatus] - URGENCY[b.syncStatus] ||
        a.name.localeCompare(b.name),
    );

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
