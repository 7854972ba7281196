/** Makes a published version the draft again. */
import type { Id } from "@accord/contracts";
import { listFieldPipelines } from "@accord/contracts/sync/field-pipelines";
import { restorePipelineVersion } from "@accord/contracts/sync/pipeline-versions";
import { getPipeline, getPipelineGraph } from "@accord/contracts/sync/pipelines";
import { call } from "../../../app/api.ts";
import { refresh } from "../../../app/queries.ts";

export async function restoreVersion(entityId: Id<"entity">, versionId: Id<"pipelineVersion">): Promise<void> {
  await call(restorePipelineVersion, { params: { entityId, versionId }, body: {} });
  await refresh(getPipelineGraph, getPipeline, listFieldPipelines);
}
