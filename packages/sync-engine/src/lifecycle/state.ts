/** What a pipeline is doing: its sync status, the tags it shows and how menus treat it. */
import type { PipelineHealth } from "@accord/contracts/sync/monitoring/health";
import {
  type PipelineRow,
  type ResyncDetails,
  type StateTag,
  SYNC_STATUSES,
  type SyncStatus,
} from "@accord/contracts/sync/pipelines";

/** A status as it came: undefined while loading, `UNPUBLISHED` when it is none we know. */
export function readSyncStatus(value: string | undefined): SyncStatus | undefined {
  if (value === undefined) return undefined;
  return SYNC_STATUSES.find((status) => status === value) ?? "UNPUBLISHED";
}

const STATE_TAG: Readonly<Record<SyncStatus, StateTag | null>> = {
  RUNNING: "Running",
  QUEUED: "Queued",
  RESYNCING: "Resyncing",
  RETRYING: "Running",
  TEST: "Running",
  PAUSING: "Pausing",
  PAUSED: "Paused",
  ERROR: "Error",
  STALLED: "Error",
  UNPUBLISHED: null,
};

/** How menus treat a pipeline: resyncing is as good as running, an error as good as paused. */
export const MENU_STATE: Readonly<Record<SyncStatus, "running" | "pausing" | "paused">> = {
  RUNNING: "running",
  QUEUED: "running",
  RESYNCING: "running",
  RETRYING: "running",
  TEST: "running",
  STALLED: "running",
  PAUSING: "pausing",
  PAUSED: "paused",
  ERROR: "paused",
  UNPUBLISHED: "paused",
};

export type ResyncState = "resyncing" | "cancelling" | null;

export function resyncState(details: Pick<ResyncDetails, "status"> | null): ResyncState {
  switch (details?.status ?? null) {
    case "NEW":
    case "PROCESSING":
      return "resyncing";
    case "CANCEL_REQUESTED":
      return "cancelling";
    default:
      return null;
  }
}

type Sync = Pick<PipelineRow, "syncStatus"> & {
  health: Pick<PipelineHealth, "severity"> | null;
  resyncDetails: Pick<ResyncDetails, "status" | "syncStatus"> | null;
};

/** At work: what fails meanwhile is its own tag then. */
const AT_WORK: ReadonlySet<StateTag> = new Set(["Running", "Queued", "Resyncing"]);

/** Tags of the State column; none while nothing is published. */
export function stateTags(sync: Sync): StateTag[] {
  const tag = mainTag(sync);
  const severity = sync.health?.severity ?? "ok";
  if (tag === null) return [];
  if (tag === "Error" || (severity === "error" && AT_WORK.has(tag))) return ["Error"];
  return severity === "error" || severity === "warning" ? [tag, "Warning"] : [tag];
}

function mainTag({ syncStatus, resyncDetails }: Sync): StateTag | null {
  const own = STATE_TAG[syncStatus];
  if (own !== "Running" && own !== "Queued") return own;
  // Cancelling still reads until the page it is in is done.
  const stillResyncing = resyncState(resyncDetails) === "cancelling" && resyncDetails?.syncStatus === "RESYNCING";
  return stillResyncing || resyncState(resyncDetails) === "resyncing" ? "Resyncing" : own;
}

/** What the Current activity column says: a fixed text by key, or the engine's own words. */
export type Activity = { key: "notPublished" | "idle" | "acceptingRequests" | "waiting" } | { text: string };

export function activity(pipeline: {
  isPublished: boolean;
  isPaused: boolean;
  isRealtime: boolean;
  current: string | null;
}): Activity {
  if (!pipeline.isPublished) return { key: "notPublished" };
  if (pipeline.isPaused) return { key: "idle" };
  if (pipeline.isRealtime) return { key: "acceptingRequests" };
  return pipeline.current ? { text: pipeline.current } : { key: "waiting" };
}
