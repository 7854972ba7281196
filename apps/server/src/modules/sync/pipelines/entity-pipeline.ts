/** A pipeline as one object: its graph, its versions, and what it is doing. */
import type { Id } from "@accord/contracts";
import type { EntityPipeline } from "@accord/contracts/sync/entity-pipelines";
import type { GraphVersion, PipelineRow } from "@accord/contracts/sync/pipelines";
import { isPublishable } from "@accord/sync-engine/graph";
import { openedVersion } from "@accord/sync-engine/lifecycle";
import type { Caller } from "../../../platform/ctx.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { nodeStepCases } from "./node-steps.ts";
import type { PipelineCore } from "./pipeline-core.ts";
import { findHead } from "./pipelines.store.ts";
import { findVersion } from "./versions/versions.store.ts";

/** Pipelines read whole, and their nodes step by step. `rows`: as the table has them. */
export function entityPipelineCases(
  core: PipelineCore,
  rows: (at: Id<"instance">, entityId: Id<"entity">) => Promise<PipelineRow[]>,
) {
  return {
    ...nodeStepCases(core),
    async entityPipeline(ctx: Caller, entityId: Id<"entity">, version: GraphVersion): Promise<EntityPipeline> {
      const [row] = await rows(ctx.instanceId, entityId);
      if (!row) throw new AppError("not_found", { what: "Pipeline" });
      return entityPipeline(core, ctx, row, version);
    },
  };
}

/** Throws `not_found` when there is no such version. */
async function entityPipeline(
  core: PipelineCore,
  ctx: Caller,
  row: PipelineRow,
  version: GraphVersion,
): Promise<EntityPipeline> {
  const at = ctx.instanceId;
  const entity = await core.entityOf(at, row.id);
  const opened = await core.opened(ctx, row.id, openedVersion(version));
  const head = await findHead(core.deps.appDb, at, row.id);
  const approved = head?.published && (await findVersion(core.deps.appDb, at, row.id, head.published.id));
  const states = core.runs ? await core.runs.states(at) : [];
  const { nodes, edges, groups, notes } = opened.graph;
  return {
    id: row.id,
    apiName: row.apiName,
    targetId: row.id,
    nodes,
    draft: opened.graphVersion === "draft",
    graph: {
      ...{ nodes, edges, groups, notes },
      draft: head?.draft
        ? {
            version: head.revision,
            name: null,
            updatedAt: head.draft.updatedAt,
            updatedBy: personOf(head.draft.updatedBy),
          }
        : null,
      approved: approved
        ? {
            version: head?.published?.number ?? 0,
            name: head?.published?.name ?? null,
            updatedAt: approved.publishedAt,
            updatedBy: personOf(approved.publishedBy),
          }
        : null,
      // Code is run for this: not where the rules say enough.
      ready:
        isPublishable(await core.ruleProblemsIn(at, entity, opened.graph)) &&
        isPublishable(await core.codeProblemsIn(at, entity.id, opened.graph)),
    },
    lastSyncedTime: row.lastCompletedSync,
    pausedBy: states.find(({ entityId }) => entityId === row.id)?.pausedBy ?? null,
    readOnlyReason: opened.readOnlyReason,
    syncStatus: row.syncStatus,
    pipelineStatus: row.pipelineStatus,
    warningCount: row.warningCount,
    tags: [...row.pipelineStatusTagData, ...row.pipelineStateTagData],
  };
}

const personOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => ({ firstName, lastName });
