/** How a pipeline stands: its status from draft and published version, its tags, and which graphs may be edited. */
import type { PipelineStatus, StateTag, StatusTag, SyncStatus } from "@accord/contracts/sync/pipelines";
import { SYNC_STATUSES } from "@accord/contracts/sync/pipelines";

export function pipelineStatus(has: { draft: boolean; published: boolean }): PipelineStatus {
  if (has.published) return has.draft ? "PUBLISHED_WITH_DRAFT" : "PUBLISHED";
  return has.draft ? "DRAFT" : "UNMAPPED";
}

const STATUS_TAGS_OF: Record<PipelineStatus, readonly StatusTag[]> = {
  UNMAPPED: ["Unmapped"],
  DRAFT: ["Draft"],
  PUBLISHED: ["Published"],
  PUBLISHED_WITH_DRAFT: ["Draft", "Published"],
};

export const statusTags = (status: PipelineStatus): StatusTag[] => [...STATUS_TAGS_OF[status]];

/** A sync status as the server or an older client spells it; unknown ones count as unpublished. */
export const toSyncStatus = (text: string): SyncStatus =>
  SYNC_STATUSES.find((status) => status === text.toUpperCase()) ?? "UNPUBLISHED";

const STATE_TAG_OF: Record<SyncStatus, StateTag | null> = {
  RUNNING: "Running",
  QUEUED: "Queued",
  RESYNCING: "Resyncing",
  PAUSING: "Pausing",
  PAUSED: "Paused",
  ERROR: "Error",
  STALLED: "Error",
  RETRYING: "Error",
  TEST: "Running",
  UNPUBLISHED: null,
};

export type ResyncStatus = "NEW" | "PROCESSING" | "CANCEL_REQUESTED" | null;

export const isResyncing = (resync: ResyncStatus): boolean => resync === "NEW" || resync === "PROCESSING";
export const isCancelling = (resync: ResyncStatus): boolean => resync === "CANCEL_REQUESTED";

interface Activity {
  syncStatus: SyncStatus;
  resync: ResyncStatus;
  warningCount: number;
}

/** One state tag, plus Warning when the last cycle left warnings and nothing worse is shown. */
export function stateTags({ syncStatus, resync, warningCount }: Activity): StateTag[] {
  // A resync that is being cancelled still runs until the end of its page.
  const resyncing = isResyncing(resync) || (isCancelling(resync) && syncStatus === "RESYNCING");
  const tag = resyncing ? "Resyncing" : STATE_TAG_OF[syncStatus];
  if (tag === null) return [];
  return warningCount > 0 && tag !== "Error" ? [tag, "Warning"] : [tag];
}

/** Resyncing counts as running and an error as paused where a menu asks "running or not". */
export const isRunningLike = (status: SyncStatus): boolean =>
  status === "RUNNING" || status === "QUEUED" || status === "RESYNCING" || status === "TEST" || status === "RETRYING";

export interface ActivityWords {
  notPublished: string;
  idle: string;
  accepting: string;
  waiting: string;
}

export function activityText(
  at: { published: boolean; syncStatus: SyncStatus; realtime: boolean; current: string | null },
  words: ActivityWords,
): string {
  if (!at.published) return words.notPublished;
  if (at.syncStatus === "PAUSED") return words.idle;
  if (at.realtime) return words.accepting;
  return at.current || words.waiting;
}

export type GraphStatus = "NEW" | "DRAFT" | "APPROVED" | "APPROVED_WITH_DRAFT";

/** The opened version decides what can be edited; the status only drives tags. */
export const isEditable = (opened: "draft" | "published"): boolean => opened === "draft";

/** Server status of a node as graphs show it: new and approved stay, published is approved, all else is new. */
export function nodeGraphStatus(status: string): "new" | "approved" | "draft" {
  switch (status.toLowerCase().replaceAll("-", "_")) {
    case "approved":
    case "published":
      return "approved";
    case "published_with_draft":
      return "draft";
    default:
      return "new";
  }
}
