/** What may be done with a dashboard in each of its states; menus and the server's guard read the same table. */
import type { Dashboard } from "@accord/contracts/insights/dashboards";

export const DASHBOARD_STAGES = ["newDraft", "draftOfPublished", "published", "publishedWithDraft", "example"] as const;
export type DashboardStage = (typeof DASHBOARD_STAGES)[number];

export type DashboardAction =
  | "edit"
  | "createDraft"
  | "openDraft"
  | "openPublished"
  | "publish"
  | "publishChanges"
  | "deleteDraft"
  | "delete"
  | "share"
  | "sharingDetails";

export const ALLOWED: Record<DashboardStage, readonly DashboardAction[]> = {
  newDraft: ["edit", "publish", "deleteDraft"],
  draftOfPublished: ["edit", "openPublished", "publish", "deleteDraft"],
  published: ["createDraft", "publishChanges", "delete", "share", "sharingDetails"],
  publishedWithDraft: ["openDraft", "delete", "share", "sharingDetails"],
  example: [],
};

export type DashboardState = Pick<Dashboard, "draftStatus" | "draft" | "parentId" | "seeded" | "isExample">;

export function dashboardStage(dashboard: DashboardState): DashboardStage {
  if (dashboard.seeded || dashboard.isExample) return "example";
  if (dashboard.draftStatus === "NEW") return dashboard.parentId === null ? "newDraft" : "draftOfPublished";
  return dashboard.draft === null ? "published" : "publishedWithDraft";
}

export const dashboardAllows = (dashboard: DashboardState, action: DashboardAction): boolean =>
  ALLOWED[dashboardStage(dashboard)].includes(action);
