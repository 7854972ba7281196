/** The draft of a pipeline that was never published, as the editor opens it: for tests of what works on it. */
import type { Graph } from "@accord/contracts/sync/graph";
import { OpenedGraph } from "@accord/contracts/sync/pipelines";

export const ENTITY = OpenedGraph.shape.entityId.parse("a".repeat(24));

export const openedDraft = (graph: Graph, more: Partial<OpenedGraph> = {}): OpenedGraph =>
  OpenedGraph.parse({
    entityId: ENTITY,
    graphVersion: "draft",
    status: "NEW",
    graph,
    revision: 1,
    versionNumber: 0,
    versionName: null,
    hasDraft: true,
    hasPublished: false,
    readOnly: false,
    readOnlyReason: null,
    updatedAt: null,
    updatedBy: null,
    ...more,
  });
