/** The draft of a field pipeline as the server answers it: for tests of what works on it. */
import { id } from "@accord/contracts";
import { OpenedFieldGraph } from "@accord/contracts/sync/field-pipelines";
import type { Graph } from "@accord/contracts/sync/graph";
import { ENTITY } from "../draft/opened-draft.fixtures.ts";

export const FIELD = id("field").parse("b".repeat(24));

export const openedFieldDraft = (graph: Graph, more: Partial<OpenedFieldGraph> = {}): OpenedFieldGraph =>
  OpenedFieldGraph.parse({
    entityId: ENTITY,
    fieldId: FIELD,
    field: "name",
    graphVersion: "draft",
    graph,
    revision: 7,
    ready: false,
    hasDraft: true,
    hasPublished: false,
    readOnly: false,
    updatedAt: null,
    ...more,
  });
