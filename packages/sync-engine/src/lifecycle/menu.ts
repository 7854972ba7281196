/** What can be done to a pipeline in each state: read by the row menu and by the server's guard alike. */
import type { Permission } from "@accord/contracts";
import type { PipelineStatus, SyncStatus } from "@accord/contracts/sync/pipelines";
import { isCancelling, isResyncing, isRunningLike, type ResyncStatus } from "./status.ts";

export const PIPELINE_ACTIONS = [
  "publish",
  "pause",
  "resume",
  "goToPipeline",
  "goToDraft",
  "createDraft",
  "manageFieldMap",
  "resync",
  "cancelResync",
  "cloneDraft",
  "clonePublished",
  "deleteDraft",
  "deletePublished",
  "deleteEntity",
] as const;
export type PipelineAction = (typeof PIPELINE_ACTIONS)[number];

/** Stands for pause or resume, and for resync or cancel resync, whichever fits. */
type Slot = PipelineAction | "pauseOrResume" | "resyncOrCancel";

const MENU: Record<PipelineStatus, readonly Slot[]> = {
  PUBLISHED: [
    "pauseOrResume",
    "goToPipeline",
    "createDraft",
    "manageFieldMap",
    "resyncOrCancel",
    "clonePublished",
    "deletePublished",
    "deleteEntity",
  ],
  PUBLISHED_WITH_DRAFT: [
    "publish",
    "pauseOrResume",
    "goToPipeline",
    "goToDraft",
    "resyncOrCancel",
    "manageFieldMap",
    "cloneDraft",
    "clonePublished",
    "deleteDraft",
    "deletePublished",
    "deleteEntity",
  ],
  DRAFT: ["publish", "goToDraft", "manageFieldMap", "cloneDraft", "deleteDraft", "deleteEntity"],
  UNMAPPED: ["createDraft", "manageFieldMap", "deleteEntity"],
};

/** Everybody who may see the studio sees these. */
const FREE: readonly PipelineAction[] = ["goToPipeline", "goToDraft", "manageFieldMap"];
const HIDDEN_IN_REALTIME: readonly PipelineAction[] = ["pause", "resume", "resync", "cancelResync"];

export interface MenuState {
  pipelineStatus: PipelineStatus;
  syncStatus: SyncStatus;
  resync: ResyncStatus;
  realtime: boolean;
}

export type DisabledReason = "resumeWhilePausing" | "cancelingResync" | "deleteEntityRefused";

export interface MenuItem {
  action: PipelineAction;
  disabled: DisabledReason | null;
}

/** The items of a row's menu, in order; disabled ones say why. */
export function rowMenu(state: MenuState, can: (permission: Permission) => boolean): MenuItem[] {
  return MENU[state.pipelineStatus]
    .map((slot) => fill(slot, state))
    .filter((item) => FREE.includes(item.action) || can("WRITE_STUDIO"))
    .filter((item) => !state.realtime || !HIDDEN_IN_REALTIME.includes(item.action));
}

/** Whether the server carries an action out now. */
export const isAllowed = (state: MenuState, action: PipelineAction): boolean =>
  rowMenu(state, () => true).some((item) => item.action === action && item.disabled === null);

function fill(slot: Slot, { pipelineStatus, syncStatus, resync }: MenuState): MenuItem {
  switch (slot) {
    case "pauseOrResume":
      if (isRunningLike(syncStatus)) return { action: "pause", disabled: null };
      return { action: "resume", disabled: syncStatus === "PAUSING" ? "resumeWhilePausing" : null };
    case "resyncOrCancel":
      if (isCancelling(resync)) return { action: "cancelResync", disabled: "cancelingResync" };
      return { action: isResyncing(resync) ? "cancelResync" : "resync", disabled: null };
    case "deleteEntity":
      return { action: slot, disabled: pipelineStatus === "UNMAPPED" ? null : "deleteEntityRefused" };
    default:
      return { action: slot, disabled: null };
  }
}
