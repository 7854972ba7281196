/** Where a pipeline stands between unmapped and published, and what that makes editable. */
import type { PipelineStatus, StatusTag } from "@accord/contracts/sync/pipelines";

export function pipelineStatus(has: { published: boolean; draft: boolean }): PipelineStatus {
  if (has.published) return has.draft ? "PUBLISHED_WITH_DRAFT" : "PUBLISHED";
  return has.draft ? "DRAFT" : "UNMAPPED";
}

const STATUS_TAGS: Readonly<Record<PipelineStatus, readonly StatusTag[]>> = {
  UNMAPPED: ["Unmapped"],
  DRAFT: ["Draft"],
  PUBLISHED: ["Published"],
  PUBLISHED_WITH_DRAFT: ["Published", "Draft"],
};
export const statusTags = (status: PipelineStatus): StatusTag[] => [...STATUS_TAGS[status]];

/** The status an entity shows: nothing of its own is `UNPUBLISHED`. */
export const entityStatus = (status: PipelineStatus): Exclude<PipelineStatus, "UNMAPPED"> | "UNPUBLISHED" =>
  status === "UNMAPPED" ? "UNPUBLISHED" : status;

export const GRAPH_STATUSES = ["NEW", "DRAFT", "APPROVED", "APPROVED_WITH_DRAFT"] as const;
export type GraphStatus = (typeof GRAPH_STATUSES)[number];

/** The status of an opened graph: the version that was opened decides, the rest of the pipeline only colours it. */
export function graphStatus(opened: "draft" | "published", has: { published: boolean; draft: boolean }): GraphStatus {
  if (opened === "published") return has.draft ? "APPROVED_WITH_DRAFT" : "APPROVED";
  return has.published ? "DRAFT" : "NEW";
}

/** A draft or new graph counts as new, everything else as approved. */
export const effectiveStatus = (status: GraphStatus): "new" | "approved" =>
  status === "DRAFT" || status === "NEW" ? "new" : "approved";

export const isEditable = (status: GraphStatus): boolean => effectiveStatus(status) === "new";

/** The graph status that a node's status on the server stands for. */
export function graphStatusOfNode(status: string | null | undefined): "new" | "approved" | "draft" {
  switch (status?.toLowerCase().replaceAll("_", "-")) {
    case "approved":
    case "published":
      return "approved";
    case "published-with-draft":
      return "draft";
    default:
      return "new";
  }
}

/** Which graph a path names. `approved` is the published one; `new` the draft. */
export const openedVersion = (version: "draft" | "published" | "approved" | "new"): "draft" | "published" =>
  version === "draft" || version === "new" ? "draft" : "published";
