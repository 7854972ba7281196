/** A field pipeline in the form in which the editor holds any open graph. Pure. */
import type { OpenedFieldGraph } from "@accord/contracts/sync/field-pipelines";
import type { OpenedGraph } from "@accord/contracts/sync/pipelines";

export const fieldAsOpened = ({
  entityId,
  graphVersion,
  graph,
  revision,
  hasDraft,
  hasPublished,
  readOnly,
  updatedAt,
}: OpenedFieldGraph): OpenedGraph => ({
  entityId,
  graphVersion,
  status: graphVersion === "draft" ? "DRAFT" : hasDraft ? "APPROVED_WITH_DRAFT" : "APPROVED",
  graph,
  revision,
  // Field pipelines have no numbers of their own: they are published with their entity pipeline.
  versionNumber: 0,
  versionName: null,
  hasDraft,
  hasPublished,
  readOnly,
  readOnlyReason: null,
  updatedAt,
  updatedBy: null,
});
