/** Calls by which a draft is saved, validated and discarded: of an entity pipeline here, of a field pipeline in its folder. */
import type { Id } from "@accord/contracts";
import { listFieldPipelines } from "@accord/contracts/sync/field-pipelines";
import type { Graph } from "@accord/contracts/sync/graph";
import {
  createPipelineDraft,
  discardPipelineDraft,
  OpenedGraph,
  type PipelineProblem,
  savePipelineDraft,
  validatePipeline,
} from "@accord/contracts/sync/pipelines";
import { isSameContent } from "@accord/sync-engine/graph";
import { z } from "zod";
import { isStale } from "../../../../app/api-error.ts";
import { call } from "../../../../app/api.ts";
import { refresh } from "../../../../app/queries.ts";

interface SaveOptions {
  background: boolean;
  signal: AbortSignal;
}

export interface DraftCalls {
  save(body: { graph: Graph; revision: number }, options: SaveOptions): Promise<OpenedGraph>;
  /** What the server has instead of the draft that was saved over; undefined where the error says nothing of it. */
  newestIn(error: unknown): OpenedGraph | null | undefined;
  validate(graph: Graph): Promise<{ problems: readonly PipelineProblem[]; publishable: boolean }>;
  discard(): Promise<void>;
  /**
   * The draft to save over where `opened` was published or discarded meanwhile, and `newest` is what is published now.
   * Not new: somebody else made and changed it.
   */
  beginAnew(newest: OpenedGraph | null, opened: OpenedGraph): Promise<{ draft: OpenedGraph; isNew: boolean }>;
}

/** The newest version that a refusal of an older one brings; undefined where the error is about something else. */
export const newestOf = <Opened>(error: unknown, opened: z.ZodType<Opened>): Opened | null | undefined =>
  isStale(error) ? z.object({ newest: opened.nullable() }).safeParse(error.details).data?.newest : undefined;

export function entityDraftCalls(entityId: Id<"entity">): DraftCalls {
  const params = { entityId };
  return {
    save: (body, options) => call(savePipelineDraft, { params, body }, options),
    newestIn: (error) => newestOf(error, OpenedGraph),
    validate: (graph) => call(validatePipeline, { params, body: { graph } }),
    discard: async () => {
      await call(discardPipelineDraft, { params });
      await refresh(listFieldPipelines);
    },
    beginAnew: async (newest) => {
      const draft = await call(createPipelineDraft, { params, body: {} });
      return { draft, isNew: newest ? isSameContent(draft.graph, newest.graph) : draft.graph.nodes.length <= 1 };
    },
  };
}
