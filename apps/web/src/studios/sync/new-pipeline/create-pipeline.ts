/**
 * Makes a new pipeline step by step: the core entity, its publication, the draft, its graph, publishing. Each step can
 * be repeated after a failure, and what exists already is not made again.
 */
import type { Id } from "@accord/contracts";
import { createEntityFromConnector, getEntity, publishEntity } from "@accord/contracts/data/core-schema";
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { Graph } from "@accord/contracts/sync/graph";
import {
  createPipelineDraft,
  getPipelineGraph,
  publishPipeline,
  savePipelineDraft,
  type OpenedGraph,
} from "@accord/contracts/sync/pipelines";
import { isSameContent } from "@accord/sync-engine/graph";
import { isNotFound, isStale, isTransient } from "../../../app/api-error.ts";
import { call } from "../../../app/api.ts";

export type Step = "entity" | "publishEntity" | "draft" | "publish";

/** The core entity to make, as it is sent at each try. */
export interface EntityToMake {
  connectorId: Id<"connector">;
  entityApiName: string;
  fields: string[];
  displayName: string;
}

export interface Wanted {
  /** The core entity that exists already, or what to make. */
  into: CoreEntity | EntityToMake;
  graphOf: (draft: Graph) => Graph;
  /** undefined: the draft is kept for the editor. */
  versionName: string | undefined;
}

/** What was done so far, kept between tries. */
export interface Progress {
  /** Sent with each try at making the entity, so that it is made once. */
  idempotencyKey: string;
  /** What the entity is made from, while it exists or the answer to that is not known: sent again as it was. */
  asked: EntityToMake | undefined;
  /** The core entity that was made. */
  entity: CoreEntity | undefined;
  /** Graphs sent: the draft that holds one of them is our own. */
  readonly sent: Graph[];
  hasDraft: boolean;
  /** The graph of a try at publishing whose answer was lost. */
  publishing: Graph | undefined;
  /** That try had worked, and something was changed since. */
  isEarlierPublished: boolean;
}

/** The version of the pipeline that holds what is wanted. */
export interface MadePipeline {
  entityId: Id<"entity">;
  graphVersion: "draft" | "published";
}

export const newProgress = (): Progress => ({
  idempotencyKey: crypto.randomUUID(),
  asked: undefined,
  entity: undefined,
  sent: [],
  hasDraft: false,
  publishing: undefined,
  isEarlierPublished: false,
});

/** The draft is somebody else's work: it is not replaced. */
export class ForeignDraft extends Error {}

export class StepFailed extends Error {
  readonly step: Step;
  constructor(step: Step, cause: unknown) {
    super("", { cause });
    this.step = step;
  }
}

const during = async <Result>(step: Step, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    throw new StepFailed(step, error);
  }
};

/** `StepFailed` names the step that did not work. */
export async function createPipeline(wanted: Wanted, progress: Progress): Promise<MadePipeline> {
  const { into } = wanted;
  const entity = "id" in into ? into : await during("entity", () => madeEntity(into, progress));
  const { id: entityId } = entity;
  if (entity.version === 0) await during("publishEntity", () => publishOnce(entity, progress));
  const published = progress.publishing && (await during("publish", () => publishedGraph(entityId)));
  if (published && isSameContent(wanted.graphOf(published), published)) return { entityId, graphVersion: "published" };
  progress.isEarlierPublished = published !== undefined && isSameContent(published, progress.publishing);
  const draft = await during("draft", () => savedDraft(entityId, wanted, progress));
  const { versionName } = wanted;
  // A second version is published in the editor, which compares it with the first.
  if (versionName === undefined || progress.isEarlierPublished) return { entityId, graphVersion: "draft" };
  const body = { versionName, revision: draft.revision };
  await during("publish", () => call(publishPipeline, { params: { entityId }, body })).catch((error: unknown) => {
    progress.publishing = error instanceof StepFailed && isTransient(error.cause) ? draft.graph : undefined;
    throw error;
  });
  return { entityId, graphVersion: "published" };
}

async function madeEntity(wanted: EntityToMake, progress: Progress): Promise<CoreEntity> {
  if (progress.entity) return progress.entity;
  progress.asked ??= wanted;
  const body = { ...progress.asked, publish: false };
  const { idempotencyKey } = progress;
  try {
    progress.entity = await call(createEntityFromConnector, { body }, { idempotencyKey });
    return progress.entity;
  } catch (error) {
    // Refused, nothing was made: the next try may ask for something else.
    if (!isTransient(error)) Object.assign(progress, { asked: undefined, idempotencyKey: crypto.randomUUID() });
    throw error;
  }
}

/** Only the revision that the page shows; a change by somebody else is reported before it is published. */
async function publishOnce({ id: entityId, revision }: CoreEntity, progress: Progress): Promise<void> {
  const params = { entityId };
  const newest = await call(getEntity, { params, query: { version: "draft" } });
  const publish = () =>
    call(publishEntity, { params, body: { revision } }).catch((error: unknown) => {
      if (progress.entity && isStale(error)) progress.entity = newest;
      throw error;
    });
  progress.entity = newest.version > 0 ? newest : await publish();
}

async function publishedGraph(entityId: Id<"entity">): Promise<Graph | undefined> {
  const params = { entityId, graphVersion: "published" as const };
  return call(getPipelineGraph, { params }).then(
    ({ graph }) => graph,
    (error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    },
  );
}

async function savedDraft(entityId: Id<"entity">, { graphOf }: Wanted, progress: Progress): Promise<OpenedGraph> {
  const params = { entityId };
  const draft = await call(createPipelineDraft, { params, body: {} });
  const isOurs = draft.graph.nodes.length <= 1 || progress.sent.some((graph) => isSameContent(graph, draft.graph));
  if (!isOurs || (draft.hasPublished && !progress.isEarlierPublished)) throw new ForeignDraft();
  progress.hasDraft = true;
  const graph = graphOf(draft.graph);
  if (isSameContent(graph, draft.graph)) return draft;
  progress.sent.push(graph);
  return call(savePipelineDraft, { params, body: { graph, revision: draft.revision } });
}
