/** Use cases of field pipelines: their drafts, what is wrong with them, and what of them is published. */
import type { FieldChoice, FieldDraftRevisions } from "@accord/contracts/sync/field-choice";
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { pipelines as words } from "@accord/contracts/messages/en/sync/pipelines";
import { Graph } from "@accord/contracts/sync/graph";
import type { FieldPipelineRow, OpenedFieldGraph } from "@accord/contracts/sync/field-pipelines";
import type { GraphVersion } from "@accord/contracts/sync/pipelines";
import {
  crossFieldProblems,
  type GraphProblem,
  isEmptyFieldGraph,
  isPublishable,
  isSource,
  normaliseGraph,
  refusedEdges,
  validateFieldGraph,
} from "@accord/sync-engine/graph";
import { openedVersion } from "@accord/sync-engine/lifecycle";
import type { Caller } from "../../../../platform/ctx.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { transaction } from "../../../../platform/db/transaction.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import { changedSinceShown } from "./field-draft-changes.ts";
import { deleteFieldDrafts, type FieldDraft, readFieldDrafts, writeFieldDraft } from "./field-pipelines.store.ts";
import { firstFieldGraph } from "./first-field-graph.ts";
import { graphContext } from "../graph-world.ts";
import type { PipelineCore } from "../pipeline-core.ts";
import { findHead, readDraftGraph } from "../pipelines.store.ts";
import { findVersion } from "../versions/versions.store.ts";

type InstanceId = Id<"instance">;
type EntityId = Id<"entity">;
type FieldId = Id<"field">;
type Field = CoreEntity["fields"][number];

/** Published field pipelines by core field. */
export type PublishedFields = { [field: string]: Graph };

/** `ensureDraft` makes the draft of the entity pipeline where there is none, and answers its revision. */
export function fieldCases(core: PipelineCore, ensureDraft: (ctx: Caller, entityId: EntityId) => Promise<number>) {
  const { deps } = core;

  async function fieldOf(at: InstanceId, entityId: EntityId, fieldId: FieldId): Promise<[CoreEntity, Field]> {
    const entity = await core.entityOf(at, entityId);
    const field = entity.fields.find(({ id }) => id === fieldId);
    if (!field) throw new AppError("not_found", { what: "Field" });
    return [entity, field];
  }

  async function opened(ctx: Caller, entityId: EntityId, field: Field, version: "draft" | "published", db: Db) {
    const drafts = await readFieldDrafts(db, ctx.instanceId, entityId);
    const published = await publishedFields(db, ctx.instanceId, entityId);
    const draft = drafts.get(field.apiName);
    const graph = version === "draft" ? draft?.graph : published[field.apiName];
    if (!graph) throw new AppError("not_found", { what: words.draftMissing });
    const answer: OpenedFieldGraph = {
      entityId,
      fieldId: field.id,
      field: field.apiName,
      graphVersion: version,
      graph,
      revision: version === "draft" ? (draft?.revision ?? 0) : 0,
      ready: draft?.ready ?? false,
      hasDraft: draft !== undefined,
      hasPublished: Object.hasOwn(published, field.apiName),
      readOnly: version === "published" || !ctx.can("WRITE_STUDIO") || (await core.isTesting(ctx.instanceId, entityId)),
      updatedAt: version === "draft" ? (draft?.updatedAt ?? null) : null,
    };
    return answer;
  }

  /** Changes the draft of one field under the pipeline's lock; there is always an entity draft beside it. */
  async function change(
    ctx: Caller,
    entityId: EntityId,
    fieldId: FieldId,
    edit: (draft: FieldDraft | undefined, field: Field, db: Db) => Promise<{ graph: Graph; ready: boolean }>,
  ): Promise<OpenedFieldGraph> {
    const at = ctx.instanceId;
    const [, field] = await fieldOf(at, entityId, fieldId);
    const entityDraft = await ensureDraft(ctx, entityId);
    const saved = await transaction(deps.appPool, async ({ db }) => {
      await findHead(db, at, entityId, true);
      await core.demandNoTest(at, entityId);
      const drafts = await readFieldDrafts(db, at, entityId, true);
      const next = await edit(drafts.get(field.apiName), field, db);
      const firstRevision = firstRevisionFrom(deps.newId());
      await writeFieldDraft(db, at, entityId, { field: field.apiName, ...next, firstRevision, ...core.mark(ctx) });
      return opened(ctx, entityId, field, "draft", db);
    });
    await core.tell(ctx, entityId, "draftSaved", entityDraft);
    return saved;
  }

  /** Throws `stale_version` with the newer draft, or null where there is none any more. */
  async function demandRevision(
    ctx: Caller,
    entityId: EntityId,
    field: Field,
    { draft, revision, db }: { draft: FieldDraft | undefined; revision: number; db: Db },
  ): Promise<void> {
    if ((draft?.revision ?? 0) === revision) return;
    const newest = draft ? await opened(ctx, entityId, field, "draft", db) : null;
    throw new AppError("stale_version", { newest });
  }

  async function problemsOf(at: InstanceId, entity: CoreEntity, field: Field, graph: Graph): Promise<GraphProblem[]> {
    const entityGraph = await readDraftGraph(deps.appDb, at, entity.id);
    const head = await findHead(deps.appDb, at, entity.id);
    const version = head?.published && (await findVersion(deps.appDb, at, entity.id, head.published.id));
    const own = new Map([[field.apiName, graph]]);
    return [
      ...(await fieldProblems(core, at, entity, own, entityGraph ?? version?.graph ?? EMPTY)),
      ...(await problemsBeside(at, entity.id, own)),
    ];
  }

  /** Destination fields of a field pipeline that another one writes too, in its draft or, without one, as published. */
  async function problemsBeside(
    at: InstanceId,
    entityId: EntityId,
    own: ReadonlyMap<string, Graph>,
  ): Promise<GraphProblem[]> {
    const drafts = await readFieldDrafts(deps.appDb, at, entityId);
    const published = Object.entries(await publishedFields(deps.appDb, at, entityId));
    const others = [...published, ...[...drafts].map(([name, { graph }]) => [name, graph] as const)];
    const nodes = new Set([...own.values()].flatMap((graph) => graph.nodes.map(({ id }) => id)));
    // The one that is looked at comes last: of two that write the same field the later one is named.
    const all = new Map([...others.filter(([name]) => !own.has(name)), ...own]);
    return crossFieldProblems(all).filter(({ nodeId }) => nodeId !== null && nodes.has(nodeId));
  }

  return {
    async listFields(ctx: Caller, entityId: EntityId): Promise<FieldPipelineRow[]> {
      const entity = await core.entityOf(ctx.instanceId, entityId);
      const drafts = await readFieldDrafts(deps.appDb, ctx.instanceId, entityId);
      const published = await publishedFields(deps.appDb, ctx.instanceId, entityId);
      return entity.fields
        .filter(({ status }) => status === "ACTIVE")
        .map(({ id, apiName, displayName }) => {
          const draft = drafts.get(apiName);
          const hasChanges = JSON.stringify(draft?.graph) !== JSON.stringify(published[apiName]);
          const { ready = false, revision = 0, updatedAt = "" } = draft ?? {};
          return {
            id,
            apiName,
            displayName,
            hasPublished: Object.hasOwn(published, apiName),
            draft: draft ? { ready, revision, hasChanges, updatedAt } : null,
          };
        });
    },

    async openField(ctx: Caller, entityId: EntityId, fieldId: FieldId, version: GraphVersion) {
      const [, field] = await fieldOf(ctx.instanceId, entityId, fieldId);
      return opened(ctx, entityId, field, openedVersion(version), deps.appDb);
    },

    createFieldDraft: (ctx: Caller, entityId: EntityId, fieldId: FieldId) =>
      change(ctx, entityId, fieldId, async (draft, field, db) => {
        if (draft) return draft;
        const published = await publishedFields(db, ctx.instanceId, entityId);
        const entityGraph = await readDraftGraph(db, ctx.instanceId, entityId);
        const graph = published[field.apiName] ?? firstFieldGraph(field, entityGraph ?? EMPTY, deps.newId);
        return { graph, ready: false };
      }),

    saveFieldDraft: (
      ctx: Caller,
      entityId: EntityId,
      fieldId: FieldId,
      { graph, revision }: { graph: Graph; revision: number },
    ) => {
      if (refusedEdges(graph).length > 0) throw new AppError("pipeline_invalid", { problems: refusedEdges(graph) });
      return change(ctx, entityId, fieldId, async (draft, field, db) => {
        await demandRevision(ctx, entityId, field, { draft, revision, db });
        return { graph: normaliseGraph(graph, deps.newId), ready: false };
      });
    },

    setFieldReady: (
      ctx: Caller,
      entityId: EntityId,
      fieldId: FieldId,
      { ready, revision }: { ready: boolean; revision?: number | undefined },
    ) =>
      change(ctx, entityId, fieldId, async (draft, field, db) => {
        if (revision !== undefined) await demandRevision(ctx, entityId, field, { draft, revision, db });
        if (!draft) throw new AppError("not_found", { what: words.draftMissing });
        const entity = await core.entityOf(ctx.instanceId, entityId);
        const problems = ready ? await problemsOf(ctx.instanceId, entity, field, draft.graph) : [];
        if (!isPublishable(problems)) throw new AppError("pipeline_invalid", { problems });
        return { graph: draft.graph, ready };
      }),

    async discardFieldDraft(ctx: Caller, entityId: EntityId, fieldId: FieldId): Promise<void> {
      const [, field] = await fieldOf(ctx.instanceId, entityId, fieldId);
      const drafts = await readFieldDrafts(deps.appDb, ctx.instanceId, entityId);
      if (!drafts.has(field.apiName)) throw new AppError("not_found", { what: words.draftMissing });
      await core.demandNoTest(ctx.instanceId, entityId);
      await deleteFieldDrafts(deps.appDb, ctx.instanceId, entityId, [field.apiName]);
      const head = await findHead(deps.appDb, ctx.instanceId, entityId);
      await core.tell(ctx, entityId, "draftDiscarded", head?.revision ?? 0);
    },

    async validateField(ctx: Caller, entityId: EntityId, fieldId: FieldId, sent: Graph | undefined) {
      const [entity, field] = await fieldOf(ctx.instanceId, entityId, fieldId);
      const graph = sent ?? (await opened(ctx, entityId, field, "draft", deps.appDb)).graph;
      const problems = await problemsOf(ctx.instanceId, entity, field, graph);
      return { problems, publishable: isPublishable(problems) };
    },
  };
}

/**
 * The revision that a draft begins with. Drafts come and go with each publication: began all of them with 1, one made
 * anew could be saved over by somebody who still has the one before open. The digits of an id are as good as random.
 */
export const firstRevisionFrom = (newId: string): number => Number.parseInt(newId.slice(-7), 16) + 1;

const EMPTY: Graph = Graph.parse({ nodes: [], edges: [] });

/** What is published now. */
export async function publishedFields(db: Db, at: InstanceId, entityId: EntityId): Promise<PublishedFields> {
  const head = await findHead(db, at, entityId);
  const version = head?.published && (await findVersion(db, at, entityId, head.published.id));
  return version ? version.fieldGraphs : {};
}

/**
 * The field pipelines of the next version, and the fields whose drafts went into it. `shown`: what the choice was seen
 * to take; throws `stale_version` where it takes other drafts, and `not_found` for fields that the entity does not have.
 */
export async function nextFields(
  db: Db,
  at: InstanceId,
  entity: CoreEntity,
  choice: FieldChoice,
  shown?: FieldDraftRevisions,
): Promise<{ graphs: PublishedFields; taken: string[] }> {
  const drafts = await readFieldDrafts(db, at, entity.id, true);
  const chosen = typeof choice === "string" ? null : new Set(choice.map((fieldId) => nameOf(entity, fieldId)));
  const isTaken = ({ field, ready }: FieldDraft): boolean => chosen?.has(field) ?? (choice === "all" || ready);
  for (const { fieldId } of shown ?? []) nameOf(entity, fieldId);
  const taken = [...drafts.values()].filter(isTaken);
  const changes = shown ? changedSinceShown(entity, shown, taken) : [];
  if (changes.length > 0) throw new AppError("stale_version", { fieldPipelines: changes });
  const graphs = { ...(await publishedFields(db, at, entity.id)) };
  for (const { field, graph } of taken) {
    if (isEmptyFieldGraph(graph)) delete graphs[field];
    else graphs[field] = graph;
  }
  return { graphs, taken: taken.map(({ field }) => field) };
}

function nameOf({ fields }: CoreEntity, fieldId: string): string {
  const field = fields.find(({ id }) => id === fieldId);
  if (!field) throw new AppError("not_found", { what: "Field" });
  return field.apiName;
}

/** Problems of field pipelines beside the entity pipeline they would run with. */
export async function fieldProblems(
  core: PipelineCore,
  at: InstanceId,
  entity: CoreEntity,
  graphs: ReadonlyMap<string, Graph>,
  entityGraph: Graph,
): Promise<GraphProblem[]> {
  const found = crossFieldProblems(graphs);
  for (const [name, graph] of graphs) {
    const field = entity.fields.find(({ apiName }) => apiName === name);
    if (!field) continue;
    const world = { ...graph, nodes: [...graph.nodes, ...entityGraph.nodes.filter(isSource)] };
    const { catalogue } = await graphContext(core.needs, at, entity, world);
    found.push(...validateFieldGraph(graph, field, entityGraph, catalogue));
  }
  return found;
}
