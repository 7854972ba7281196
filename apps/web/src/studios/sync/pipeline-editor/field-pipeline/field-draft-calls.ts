/** Calls by which the draft of a field pipeline is saved, validated and discarded. */
import type { Id } from "@accord/contracts";
import {
  discardFieldDraft,
  listFieldPipelines,
  OpenedFieldGraph,
  saveFieldDraft,
  validateFieldPipeline,
} from "@accord/contracts/sync/field-pipelines";
import { Graph } from "@accord/contracts/sync/graph";
import { call } from "../../../../app/api.ts";
import { refresh } from "../../../../app/queries.ts";
import { newestOf, type DraftCalls } from "../draft/draft-calls.ts";
import { fieldAsOpened } from "./field-as-opened.ts";

const NO_GRAPH = Graph.parse({ nodes: [], edges: [] });

interface Props {
  entityId: Id<"entity">;
  fieldId: Id<"field">;
  /** Each saved draft as the server answers it. */
  onSaved: (saved: OpenedFieldGraph) => void;
}

export function fieldDraftCalls({ entityId, fieldId, onSaved }: Props): DraftCalls {
  const params = { entityId, fieldId };
  return {
    save: async (body, options) => {
      const saved = await call(saveFieldDraft, { params, body }, options);
      onSaved(saved);
      return fieldAsOpened(saved);
    },
    newestIn: (error) => {
      const newest = newestOf(error, OpenedFieldGraph);
      return newest ? fieldAsOpened(newest) : newest;
    },
    validate: (graph) => call(validateFieldPipeline, { params, body: { graph } }),
    discard: async () => {
      await call(discardFieldDraft, { params });
      await refresh(listFieldPipelines);
    },
    // Revision 0 saves a draft where there is none: one that somebody made meanwhile answers with another conflict.
    beginAnew: async (_newest, opened) => ({ draft: { ...opened, graph: NO_GRAPH, revision: 0 }, isNew: true }),
  };
}
