/** What a test of a pipeline runs: its draft with the drafts of all its field pipelines, or its published version. */
import type { FieldChoice, FieldDraftRevisions } from "@accord/contracts/sync/field-choice";
import { type Id, id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { type GraphProblem, isPublishable } from "@accord/sync-engine/graph";
import { transaction } from "../../../../platform/db/transaction.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import { fieldProblems, nextFields } from "../field-pipelines/fields.ts";
import type { PublishedVersion, TestedVersion } from "../needs.ts";
import type { PipelineCore } from "../pipeline-core.ts";
import { findHead, readDraftGraph } from "../pipelines.store.ts";
import type { publishedVersions } from "./published-versions.ts";

type InstanceId = Id<"instance">;
type EntityId = Id<"entity">;

/** A draft has no id of its own yet. */
const DRAFT_ID = id("pipelineVersion").parse("0".repeat(24));

/** Without `wanted` the draft where there is one. `choice`: which drafts of field pipelines it has; all where none is given. Answers null when there is no such version. */
async function testedVersion(
  core: PipelineCore,
  published: ReturnType<typeof publishedVersions>,
  at: InstanceId,
  entityId: EntityId,
  wanted?: "draft" | "published",
  choice?: FieldChoice,
): Promise<TestedVersion | null> {
  const entity = await core.entityOf(at, entityId);
  const draft = wanted === "published" ? null : await draftVersion(core, at, entity, choice);
  if (draft) return { entity, graphVersion: "draft", version: draft };
  const version = wanted === "draft" ? null : await published.find(at, entityId);
  return version && { entity, graphVersion: "published", version };
}

/** Read under the pipeline's lock: a draft that is just being saved is waited for. `shown`: see `nextFields`. */
export async function draftVersion(
  core: PipelineCore,
  at: InstanceId,
  entity: CoreEntity,
  choice: FieldChoice = "all",
  shown?: FieldDraftRevisions,
): Promise<PublishedVersion | null> {
  return transaction(core.deps.appPool, async ({ db }) => {
    const head = await findHead(db, at, entity.id, true);
    const graph = await readDraftGraph(db, at, entity.id);
    if (!head || !graph) return null;
    return {
      versionId: DRAFT_ID,
      number: (head.published?.number ?? 0) + 1,
      name: "",
      graph,
      fieldGraphs: (await nextFields(db, at, entity, choice, shown)).graphs,
      settings: head.settings,
      mergeConfig: head.mergeConfig,
      publishedAt: core.deps.clock.now().toISOString(),
    };
  });
}

/** What keeps the version from running, and what else is wrong with it; that its entity is not published is not. */
async function testedProblems(
  core: PipelineCore,
  at: InstanceId,
  { entity, version }: TestedVersion,
): Promise<GraphProblem[]> {
  const fieldGraphs = new Map(Object.entries(version.fieldGraphs ?? {}));
  return [
    ...(await core.problemsIn(at, entity, version.graph)),
    ...(await fieldProblems(core, at, entity, fieldGraphs, version.graph)),
  ].filter(({ code }) => code !== "core_unpublished");
}

/** Throws `pipeline_invalid` with the problems that are judged where one of them keeps the version from running. */
async function demandRunnable(
  core: PipelineCore,
  at: InstanceId,
  tested: TestedVersion,
  isJudged: (problem: GraphProblem) => boolean = () => true,
): Promise<void> {
  const problems = (await testedProblems(core, at, tested)).filter(isJudged);
  if (!isPublishable(problems)) throw new AppError("pipeline_invalid", { problems });
}

export const testVersions = (core: PipelineCore, published: ReturnType<typeof publishedVersions>) => ({
  /** What a test runs, without `wanted` the draft where there is one; null when there is no such version. */
  testedVersion: (at: InstanceId, entityId: EntityId, wanted?: "draft" | "published", choice?: FieldChoice) =>
    testedVersion(core, published, at, entityId, wanted, choice),
  testedProblems: (at: InstanceId, tested: TestedVersion) => testedProblems(core, at, tested),
  demandRunnable: (at: InstanceId, tested: TestedVersion, isJudged?: (problem: GraphProblem) => boolean) =>
    demandRunnable(core, at, tested, isJudged),
});
