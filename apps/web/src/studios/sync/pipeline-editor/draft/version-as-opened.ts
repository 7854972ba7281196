/** A published version as the editor opens it: to look at, to compare, to restore. */
import type { Id, ReplyOf } from "@accord/contracts";
import type { getPipelineVersion } from "@accord/contracts/sync/pipeline-versions";
import type { OpenedGraph, PipelineStatus } from "@accord/contracts/sync/pipelines";

export const versionAsOpened = (
  entityId: Id<"entity">,
  version: ReplyOf<typeof getPipelineVersion>,
  status: PipelineStatus | undefined,
  readOnlyReason: string,
): OpenedGraph => ({
  entityId,
  graphVersion: "published",
  status: "APPROVED",
  graph: version.graph,
  revision: 0,
  versionNumber: version.number,
  versionName: version.name,
  hasDraft: status === "DRAFT" || status === "PUBLISHED_WITH_DRAFT",
  hasPublished: status === "PUBLISHED" || status === "PUBLISHED_WITH_DRAFT",
  readOnly: true,
  readOnlyReason,
  updatedAt: version.publishedAt,
  updatedBy: version.publishedBy,
});
