/** Use cases of what runs: publishing, its versions, settings, and taking it down. */
import type { FieldChoice, FieldDraftRevisions } from "@accord/contracts/sync/field-choice";
import type { Id, ParsedInput } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { pipelines as words } from "@accord/contracts/messages/en/sync/pipelines";
import { fill } from "@accord/contracts/messages/fill";
import { Graph } from "@accord/contracts/sync/graph";
import type { VersionRow } from "@accord/contracts/sync/pipeline-versions";
import { type OpenedGraph, type patchPipelineSettings, PipelineSettings } from "@accord/contracts/sync/pipelines";
import { type GraphProblem, isPublishable } from "@accord/sync-engine/graph";
import type { Caller } from "../../../../platform/ctx.ts";
import { transaction } from "../../../../platform/db/transaction.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import { mergePolicyProblems } from "../merge-policy.ts";
import { deleteFieldDrafts, writeFieldDraft } from "../field-pipelines/field-pipelines.store.ts";
import {
  fieldProblems,
  firstRevisionFrom,
  nextFields,
  type PublishedFields,
  publishedFields,
} from "../field-pipelines/fields.ts";
import { outlineOf } from "../outline.ts";
import type { TestedVersion } from "../needs.ts";
import type { PipelineCore } from "../pipeline-core.ts";
import { isSameVersion, runTestsFirst } from "./publish-gate.ts";
import {
  deleteDraft,
  findHead,
  type PipelineHead,
  readDraftGraph,
  setPublished,
  setSettings,
  touch,
} from "../pipelines.store.ts";
import { findVersion, insertVersion, readVersions, type StoredVersion } from "./versions.store.ts";

type EntityId = Id<"entity">;
type VersionId = Id<"pipelineVersion">;

/** A field pipeline that moves nothing: publishing it removes it. */
const NO_GRAPH: Graph = Graph.parse({ nodes: [], edges: [] });

interface Publication {
  versionName: string;
  summary: string;
  revision: number;
  bringInExisting: boolean;
  fieldPipelines?: FieldChoice;
  fieldDrafts?: FieldDraftRevisions | undefined;
}

export function publishingCases(core: PipelineCore) {
  const { deps } = core;
  return {
    /** Validates the draft, freezes it as the next version and lets it run; a draft with errors stays a draft. */
    async publish(ctx: Caller, entityId: EntityId, publication: Publication): Promise<OpenedGraph> {
      await core.needs.limits.demandWithinLimits(ctx.instanceId, "publish");
      const tested = await runTestsFirst(core, ctx, entityId, publication);
      const { versionId, revision } = await freeze(core, ctx, entityId, { ...publication, tested });
      const { bringInExisting } = publication;
      await core.runs?.published({ instanceId: ctx.instanceId, entityId, versionId, bringInExisting });
      await core.tell(ctx, entityId, "published", revision);
      return core.opened(ctx, entityId, "published");
    },

    async deletePublished(ctx: Caller, entityId: EntityId): Promise<void> {
      const at = ctx.instanceId;
      await core.entityOf(at, entityId);
      const revision = await transaction(deps.appPool, async ({ db }) => {
        const head = await findHead(db, at, entityId, true);
        if (!head?.published) throw new AppError("pipeline_not_published");
        await setPublished(db, at, entityId, null);
        return touch(db, at, entityId, core.mark(ctx));
      });
      await core.runs?.unpublished({ instanceId: at, entityId });
      await core.tell(ctx, entityId, "unpublished", revision);
    },

    async patchSettings(
      ctx: Caller,
      entityId: EntityId,
      { mergeConfig, ...change }: ParsedInput<typeof patchPipelineSettings>["body"],
    ): Promise<void> {
      const at = ctx.instanceId;
      const entity = await core.entityOf(at, entityId);
      const errors = mergeConfig ? mergePolicyProblems(entity, mergeConfig) : [];
      if (errors.length > 0) throw new AppError("validation_failed", {}, { errors });
      const revision = await transaction(deps.appPool, async ({ db }) => {
        const before = await findHead(db, at, entityId, true);
        const settings = PipelineSettings.parse({ ...before?.settings, ...change });
        if (before?.published && settings.realtimePipeline !== before.settings.realtimePipeline)
          throw new AppError("invalid_state", { reason: words.realtimePublished });
        const next = before?.revision ?? (await touch(db, at, entityId, core.mark(ctx)));
        await setSettings(db, at, entityId, {
          settings,
          mergeConfig: mergeConfig ?? before?.mergeConfig ?? { retainFields: [], dependentPicklists: [] },
        });
        return next;
      });
      await core.tell(ctx, entityId, "settings", revision);
    },

    async versions(ctx: Caller, entityId: EntityId): Promise<VersionRow[]> {
      await core.entityOf(ctx.instanceId, entityId);
      const head = await findHead(deps.appDb, ctx.instanceId, entityId);
      const versions = await readVersions(deps.appDb, ctx.instanceId, entityId);
      return versions.map((version) => versionRow(version, head));
    },

    async version(ctx: Caller, entityId: EntityId, versionId: VersionId): Promise<VersionRow & { graph: Graph }> {
      const version = await versionOf(core, ctx, entityId, versionId);
      const head = await findHead(deps.appDb, ctx.instanceId, entityId);
      return { ...versionRow(version, head), graph: version.graph };
    },

    /** Copies a version into the draft; what runs is not touched, nor are drafts of fields that neither of the two has. */
    async restore(ctx: Caller, entityId: EntityId, versionId: VersionId): Promise<OpenedGraph> {
      const { graph, fieldGraphs } = await versionOf(core, ctx, entityId, versionId);
      return core.changeDraft(ctx, entityId, async (_head, db) => {
        const mark = core.mark(ctx);
        const now = await publishedFields(db, ctx.instanceId, entityId);
        const fields = new Set([...Object.keys(fieldGraphs), ...Object.keys(now)]);
        await deleteFieldDrafts(db, ctx.instanceId, entityId, [...fields]);
        for (const field of fields) {
          const firstRevision = firstRevisionFrom(core.deps.newId());
          const draft = { field, graph: fieldGraphs[field] ?? NO_GRAPH, ready: true, firstRevision, ...mark };
          await writeFieldDraft(db, ctx.instanceId, entityId, draft);
        }
        return graph;
      });
    },
  };
}

/** `tested`: what passed its tests, where they have to pass first. */
async function freeze(
  core: PipelineCore,
  ctx: Caller,
  entityId: EntityId,
  publication: Publication & { tested: TestedVersion | null },
) {
  const at = ctx.instanceId;
  const entity = await core.entityOf(at, entityId);
  const codeProblems = await codeProblemsAt(core, at, entityId, publication.revision);
  return transaction(core.deps.appPool, async ({ db }) => {
    const head = await findHead(db, at, entityId, true);
    const graph = await readDraftGraph(db, at, entityId);
    if (!head || !graph) throw new AppError("invalid_state", { reason: words.nothingToPublish });
    await core.demandNoTest(at, entityId);
    if (head.revision !== publication.revision || !codeProblems) throw await core.stale(ctx, entityId, head, db);
    const fields = await nextFields(db, at, entity, publication.fieldPipelines ?? "all", publication.fieldDrafts);
    if (head.settings.testBeforePublish && !isSameVersion(publication.tested, { graph, fieldGraphs: fields.graphs }))
      throw await core.stale(ctx, entityId, head, db);
    const problems = [
      ...(await core.ruleProblemsIn(at, entity, graph)),
      ...codeProblems,
      ...withFields(entity, fields.graphs, await fieldProblems(core, at, entity, graphsOf(fields.graphs), graph)),
    ];
    if (!isPublishable(problems)) throw new AppError("pipeline_invalid", { problems });
    const mark = core.mark(ctx);
    const version = { id: core.deps.newId<"pipelineVersion">(), name: publication.versionName };
    const frozen = {
      summary: publication.summary,
      graph,
      fieldGraphs: fields.graphs,
      outline: outlineOf(graph),
      settings: head.settings,
    };
    const revision = await touch(db, at, entityId, mark);
    await insertVersion(db, at, entityId, { ...version, ...frozen, ...mark });
    await setPublished(db, at, entityId, version.id);
    await deleteDraft(db, at, entityId);
    await deleteFieldDrafts(db, at, entityId, fields.taken);
    return { versionId: version.id, revision };
  });
}

/**
 * What is wrong with the code of the draft; null where the draft is another one. Looked for before the pipeline is
 * held: code takes its time, and nobody could save by then.
 */
async function codeProblemsAt(core: PipelineCore, at: Id<"instance">, entityId: EntityId, revision: number) {
  const { appDb } = core.deps;
  const head = await findHead(appDb, at, entityId);
  // Read after the revision: where somebody saves in between, what is published is of an older one, and refused.
  const graph = await readDraftGraph(appDb, at, entityId);
  return head?.revision === revision && graph ? core.codeProblemsIn(at, entityId, graph) : null;
}

const graphsOf = (graphs: PublishedFields): Map<string, Graph> => new Map(Object.entries(graphs));

/** Problems of field pipelines with the name of the field: beside the entity's own nodes theirs are not on screen. */
function withFields(
  entity: CoreEntity,
  graphs: PublishedFields,
  problems: readonly GraphProblem[],
): readonly GraphProblem[] {
  return problems.map((problem) => {
    const [name] = Object.entries(graphs).find(([, { nodes }]) => nodes.some(({ id }) => id === problem.nodeId)) ?? [];
    const field = entity.fields.find(({ apiName }) => apiName === name)?.displayName;
    if (field === undefined) return problem;
    return { ...problem, errorMessage: fill(words.ofField, { field, message: problem.errorMessage }) };
  });
}

async function versionOf(core: PipelineCore, ctx: Caller, entityId: EntityId, versionId: VersionId) {
  const version = await findVersion(core.deps.appDb, ctx.instanceId, entityId, versionId);
  if (!version) throw new AppError("not_found", { what: "Version" });
  return version;
}

const versionRow = (version: StoredVersion, head: PipelineHead | undefined): VersionRow => ({
  id: version.id,
  number: version.number,
  name: version.name,
  summary: version.summary,
  publishedAt: version.publishedAt,
  publishedBy: { firstName: version.publishedBy.firstName, lastName: version.publishedBy.lastName },
  current: head?.published?.id === version.id,
});
