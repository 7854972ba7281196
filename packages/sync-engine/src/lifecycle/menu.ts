/** What can be done to a pipeline in each state: the row menu shows it and the server guards by the same table. */
import type { Permission } from "@accord/contracts";
import type { PipelineRow, PipelineStatus } from "@accord/contracts/sync/pipelines";
import { MENU_STATE, resyncState } from "./state.ts";

export const PIPELINE_ACTIONS = [
  "publish",
  "pause",
  "resume",
  "goToPipeline",
  "goToDraft",
  "createDraft",
  "resync",
  "cancelResync",
  "cancelingResync",
  "manageFieldMap",
  "cloneDraft",
  "clonePublished",
  "deleteDraft",
  "deletePublished",
  "deleteEntity",
] as const;
export type PipelineAction = (typeof PIPELINE_ACTIONS)[number];

/** Actions by status, in menu order. `pauseOrResume` and `resync` are settled by what the pipeline is doing. */
const BY_STATUS: Readonly<Record<PipelineStatus, readonly (PipelineAction | "pauseOrResume")[]>> = {
  UNMAPPED: ["createDraft", "manageFieldMap", "deleteEntity"],
  DRAFT: ["publish", "goToDraft", "manageFieldMap", "cloneDraft", "deleteDraft", "deleteEntity"],
  PUBLISHED: [
    "pauseOrResume",
    "goToPipeline",
    "createDraft",
    "manageFieldMap",
    "resync",
    "clonePublished",
    "deletePublished",
    "deleteEntity",
  ],
  PUBLISHED_WITH_DRAFT: [
    "publish",
    "pauseOrResume",
    "goToPipeline",
    "goToDraft",
    "resync",
    "manageFieldMap",
    "cloneDraft",
    "clonePublished",
    "deleteDraft",
    "deletePublished",
    "deleteEntity",
  ],
};

/** Looking is free; everything else changes something. */
const FREE: ReadonlySet<PipelineAction> = new Set(["goToPipeline", "goToDraft", "manageFieldMap"]);

export type DisabledReason = "pausing" | "cancelling" | "publishedOrDraft";

export interface MenuItem {
  action: PipelineAction;
  /** Why it can't be chosen now; the words are the menu's tooltip. */
  disabled: DisabledReason | null;
}

export type MenuSubject = Pick<PipelineRow, "pipelineStatus" | "syncStatus"> & {
  settings: Pick<PipelineRow["settings"], "realtimePipeline">;
  resyncDetails: Pick<NonNullable<PipelineRow["resyncDetails"]>, "status"> | null;
};

/** The items of a row's menu in order, for a person with these permissions. */
export function rowMenu(row: MenuSubject, can: (permission: Permission) => boolean): MenuItem[] {
  return BY_STATUS[row.pipelineStatus]
    .flatMap((entry) => settle(entry, row))
    .filter((item) => FREE.has(item.action) || can("WRITE_STUDIO"));
}

function settle(entry: PipelineAction | "pauseOrResume", row: MenuSubject): MenuItem[] {
  const realtime = row.settings.realtimePipeline;
  switch (entry) {
    case "pauseOrResume": {
      if (realtime) return [];
      const state = MENU_STATE[row.syncStatus];
      if (state === "running") return [{ action: "pause", disabled: null }];
      return [{ action: "resume", disabled: state === "pausing" ? "pausing" : null }];
    }
    case "resync": {
      if (realtime) return [];
      const state = resyncState(row.resyncDetails);
      if (state === "cancelling") return [{ action: "cancelingResync", disabled: "cancelling" }];
      return [{ action: state === "resyncing" ? "cancelResync" : "resync", disabled: null }];
    }
    case "deleteEntity":
      return [{ action: entry, disabled: row.pipelineStatus === "UNMAPPED" ? null : "publishedOrDraft" }];
    default:
      return [{ action: entry, disabled: null }];
  }
}

/** Whether the server may do this now. */
export const isAllowed = (action: PipelineAction, row: MenuSubject): boolean =>
  rowMenu(row, () => true).some((item) => item.action === action && item.disabled === null);
