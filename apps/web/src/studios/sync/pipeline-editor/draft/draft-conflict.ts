/** What somebody else did to the draft that is being edited here. Pure. */
import type { OpenedGraph } from "@accord/contracts/sync/pipelines";

export interface DraftConflict {
  kind: "saved" | "published" | "discarded";
  /** What the server has now; null when neither a draft nor a published version is left. */
  newest: OpenedGraph | null;
}

export function draftConflict(base: OpenedGraph, newest: OpenedGraph | null): DraftConflict {
  if (newest?.graphVersion === "draft") return { kind: "saved", newest };
  const isPublished = newest !== null && newest.versionNumber > base.versionNumber;
  return { kind: isPublished ? "published" : "discarded", newest };
}
