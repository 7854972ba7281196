/** Publishing after tests: where a pipeline's settings demand it, all its tests pass on the draft before it is frozen. */
import type { FieldChoice, FieldDraftRevisions } from "@accord/contracts/sync/field-choice";
import type { Id } from "@accord/contracts";
import { pipelineTests as words } from "@accord/contracts/messages/en/sync/pipeline-tests";
import { fill } from "@accord/contracts/messages/fill";
import type { Caller } from "../../../../platform/ctx.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import type { PublishedVersion, TestedVersion } from "../needs.ts";
import type { PipelineCore } from "../pipeline-core.ts";
import { findHead } from "../pipelines.store.ts";
import { draftVersion } from "./test-versions.ts";

/** Failed tests that an error names. */
const MAX_NAMED = 10;

/** What was tested; null where no tests are demanded. Throws `test_failed` with the names of tests that did not pass. */
export async function runTestsFirst(
  core: PipelineCore,
  ctx: Caller,
  entityId: Id<"entity">,
  publication: {
    versionName: string;
    revision: number;
    fieldPipelines?: FieldChoice;
    fieldDrafts?: FieldDraftRevisions | undefined;
  },
): Promise<TestedVersion | null> {
  const { appDb } = core.deps;
  const head = await findHead(appDb, ctx.instanceId, entityId);
  if (!core.tests || !head?.draft || !head.settings.testBeforePublish) return null;
  if (head.revision !== publication.revision) throw await core.stale(ctx, entityId, head, appDb);
  const entity = await core.entityOf(ctx.instanceId, entityId);
  const version = await draftVersion(core, ctx.instanceId, entity, publication.fieldPipelines, publication.fieldDrafts);
  if (!version) return null;
  const tested: TestedVersion = { entity, graphVersion: "draft", version };
  const runName = fill(words.beforePublishing, { version: publication.versionName }).slice(0, 100);
  const failed = await core.tests.runAll(ctx, tested, runName);
  if (failed.length === 0) return tested;
  const more = failed.length > MAX_NAMED ? fill(words.andMore, { count: failed.length - MAX_NAMED }) : "";
  const tests = failed.slice(0, MAX_NAMED).join(", ") + more;
  throw new AppError("test_failed", { reason: fill(words.publishBlocked, { tests }) });
}

/** Tests run without holding the pipeline: what is frozen later must be what passed them. */
export const isSameVersion = (
  tested: TestedVersion | null,
  { graph, fieldGraphs }: Pick<PublishedVersion, "graph" | "fieldGraphs">,
): boolean =>
  tested !== null &&
  JSON.stringify([tested.version.graph, tested.version.fieldGraphs]) === JSON.stringify([graph, fieldGraphs]);
