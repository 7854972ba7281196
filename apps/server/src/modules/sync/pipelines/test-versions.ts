/** What a test of a pipeline runs: its draft with the drafts of all its field pipelines, or its published version. */
import { type Id, id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { type GraphProblem, isPublishable } from "@accord/sync-engine/graph";
import { transaction } from "../../../platform/db/transaction.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { type FieldChoice, fieldProblems, nextFields } from "./fields.ts";
import type { PublishedVersion, TestedVersion } from "./needs.ts";
import type { PipelineCore } from "./pipeline-core.ts";
import { findHead, readDraftGraph } from "./pipelines.store.ts";
import type { publishedVersions } from "./published-versions.ts";

type InstanceId = Id<"instance">;
type EntityId = Id<"entity">;

/** A draft has no id of its own yet. */
const DRAFT_ID = id("pipelineVersion").parse("0".repeat(24));

/** Without `wanted` the draft where there is one. Answers null when there is no such version. */
export async function testedVersion(
  core: PipelineCore,
  published: ReturnType<typeof publishedVersions>,
  at: InstanceId,
  entityId: EntityId,
  wanted?: "draft" | "published",
): Promise<TestedVersion | null> {
  const entity = await core.entityOf(at, entityId);
  const draft = wanted === "published" ? null : await draftVersion(core, at, entity);
  if (draft) return { entity, graphVersion: "draft", version: draft };
  const version = wanted === "draft" ? null : await published.find(at, entityId);
  return version && { entity, graphVersion: "published", version };
}

/** Read under the pipeline's lock: a draft that is just being saved is waited for. */
export async function draftVersion(
  core: PipelineCore,
  at: InstanceId,
  entity: CoreEntity,
  choice: FieldChoice = "all",
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
      fieldGraphs: (await nextFields(db, at, entity, choice)).graphs,
      settings: head.settings,
      mergeConfig: head.mergeConfig,
      publishedAt: core.deps.clock.now().toISOString(),
    };
  });
}

/** Throws `pipeline_invalid` with what keeps the version from running; that its entity is not published does not. */
export async function demandRunnable(
  core: PipelineCore,
  at: InstanceId,
  { entity, version }: TestedVersion,
): Promise<void> {
  const fieldGraphs = new Map(Object.entries(version.fieldGraphs ?? {}));
  const problems: GraphProblem[] = [
    ...(await core.problemsIn(at, entity, version.graph)),
    ...(await fieldProblems(core, at, entity, fieldGraphs, version.graph)),
  ].filter(({ code }) => code !== "core_unpublished");
  if (!isPublishable(problems)) throw new AppError("pipeline_invalid", { problems });
}
