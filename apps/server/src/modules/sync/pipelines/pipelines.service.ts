/** Use cases of pipelines: opening, drafting, validating, publishing, cloning and their versions. */
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { fill } from "@accord/contracts/messages/fill";
import { pipelines as words } from "@accord/contracts/messages/en/pipelines";
import { Graph, GraphNode } from "@accord/contracts/sync/graph";
import {
  type GraphVersion,
  type OpenedGraph,
  pipelineChanged,
  type PipelineRow,
  type Token,
  type VersionRow,
} from "@accord/contracts/sync/pipelines";
import { TOKEN_GROUPS, tokensFor } from "@accord/sync-engine/functions";
import {
  CORE_LOCATION,
  type GraphProblem,
  isCore,
  isPublishable,
  normaliseGraph,
  refusedEdges,
  spreadOverlaps,
  uniqueName,
  validateGraph,
} from "@accord/sync-engine/graph";
import { graphStatus, openedVersion } from "@accord/sync-engine/lifecycle";
import type { Caller } from "../../../platform/ctx.ts";
import type { Db } from "../../../platform/db/db.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { graphWorld, problemsOf } from "./graph-world.ts";
import type { PipelineNeeds, PipelineRuns, PublishedVersion } from "./needs.ts";
import { outlineOf } from "./outline.ts";
import * as store from "./pipelines.store.ts";
import { pipelineRow, placeNames } from "./rows.ts";

type InstanceId = Id<"instance">;
type EntityId = Id<"entity">;
type VersionId = Id<"pipelineVersion">;
type Change = "draftSaved" | "draftDiscarded" | "published" | "unpublished" | "settings";

export type PipelineService = ReturnType<typeof pipelineService>;

export function pipelineService(
  deps: Pick<Deps, "appDb" | "appPool" | "clock" | "newId" | "realtime">,
  needs: PipelineNeeds,
) {
  let runs: PipelineRuns | undefined;
  const now = () => deps.clock.now().toISOString();

  async function entityOf(at: InstanceId, entityId: EntityId): Promise<CoreEntity> {
    // The published fields are those that records have; a new entity has only its draft.
    const entity =
      (await needs.schema.getEntity(at, entityId)) ?? (await needs.schema.getEntity(at, entityId, "draft"));
    if (!entity) throw new AppError("not_found", { what: "Pipeline" });
    return entity;
  }

  async function tell(ctx: Caller, entityId: EntityId, change: Change, revision: number): Promise<void> {
    await deps.realtime.publish(ctx.instanceId, pipelineChanged, {
      entityId,
      change,
      revision,
      byUserId: ctx.actor.userId,
    });
  }

  async function opened(ctx: Caller, entityId: EntityId, version: "draft" | "published", db: Db = deps.appDb) {
    const at = ctx.instanceId;
    const head = await store.findHead(db, at, entityId);
    const draft = version === "draft" ? await store.readDraftGraph(db, at, entityId) : null;
    const frozen =
      version === "published" && head?.published
        ? await store.findVersion(db, at, entityId, head.published.id)
        : undefined;
    const graph = draft ?? frozen?.graph;
    if (!head || !graph)
      throw new AppError("not_found", { what: version === "draft" ? words.draftMissing : words.publishedMissing });
    return openedGraph(ctx, head, version, graph, frozen);
  }

  /** Changes the draft under a lock; `edit` gets what there is and answers the next graph. */
  async function changeDraft(
    ctx: Caller,
    entityId: EntityId,
    edit: (head: store.PipelineHead | undefined, db: Db) => Promise<Graph>,
  ): Promise<OpenedGraph> {
    const at = ctx.instanceId;
    const saved = await transaction(deps.appPool, async ({ db }) => {
      const head = await store.findHead(db, at, entityId, true);
      const graph = await edit(head, db);
      const mark = { now: now(), by: person(ctx) };
      await store.touch(db, at, entityId, mark);
      await store.writeDraft(db, at, entityId, { graph, outline: outlineOf(graph), ...mark });
      return opened(ctx, entityId, "draft", db);
    });
    await tell(ctx, entityId, "draftSaved", saved.revision);
    return saved;
  }

  async function newest(ctx: Caller, entityId: EntityId, head: store.PipelineHead | undefined, db: Db) {
    if (head?.draft) return opened(ctx, entityId, "draft", db);
    return head?.published ? opened(ctx, entityId, "published", db) : null;
  }

  async function problemsIn(at: InstanceId, entity: CoreEntity, graph: Graph): Promise<GraphProblem[]> {
    const { catalogue } = await graphWorld(needs.connectors, at, entity, graph);
    return problemsOf(graph, catalogue, entity);
  }

  async function rows(at: InstanceId, entityId?: EntityId): Promise<PipelineRow[]> {
    const entities = entityId ? [await entityOf(at, entityId)] : await needs.schema.listEntities(at, "draft");
    const heads = await store.readHeads(deps.appDb, at, entityId ? { entityId } : {});
    const states = runs ? await runs.states(at) : [];
    const names = await placeNames(needs.connectors, at, heads);
    const headOf = new Map(heads.map((head) => [head.entityId, head]));
    const stateOf = new Map(states.map((state) => [state.entityId, state]));
    return entities.map((entity) => pipelineRow(entity, headOf.get(entity.id), stateOf.get(entity.id), names));
  }

  return {
    /** The engine makes itself known once, at composition. */
    connectRuns: (engine: PipelineRuns): void => void (runs = engine),

    rows,

    async row(ctx: Caller, entityId: EntityId): Promise<PipelineRow> {
      const [row] = await rows(ctx.instanceId, entityId);
      return row!;
    },

    async open(ctx: Caller, entityId: EntityId, version: GraphVersion): Promise<OpenedGraph> {
      await entityOf(ctx.instanceId, entityId);
      return opened(ctx, entityId, openedVersion(version));
    },

    async createDraft(ctx: Caller, entityId: EntityId): Promise<OpenedGraph> {
      const entity = await entityOf(ctx.instanceId, entityId);
      const head = await store.findHead(deps.appDb, ctx.instanceId, entityId);
      if (head?.draft) return opened(ctx, entityId, "draft");
      return changeDraft(ctx, entityId, async (current, db) => {
        const draft = await store.readDraftGraph(db, ctx.instanceId, entityId);
        if (draft) return draft;
        if (!current?.published) return emptyGraph(entity, deps.newId);
        return (await store.findVersion(db, ctx.instanceId, entityId, current.published.id))!.graph;
      });
    },

    async saveDraft(
      ctx: Caller,
      entityId: EntityId,
      { graph, revision }: { graph: Graph; revision: number },
    ): Promise<OpenedGraph> {
      await entityOf(ctx.instanceId, entityId);
      refuseBrokenEdges(graph);
      return changeDraft(ctx, entityId, async (head, db) => {
        if (!head?.draft || head.revision !== revision) {
          if (!head?.draft && head?.revision === revision) throw new AppError("pipeline_read_only");
          throw new AppError("stale_version", { newest: await newest(ctx, entityId, head, db) });
        }
        return spreadOverlaps(normaliseGraph(graph, deps.newId));
      });
    },

    async discardDraft(ctx: Caller, entityId: EntityId): Promise<void> {
      const at = ctx.instanceId;
      await entityOf(at, entityId);
      const revision = await transaction(deps.appPool, async ({ db }) => {
        const head = await store.findHead(db, at, entityId, true);
        if (!head?.draft) throw new AppError("not_found", { what: words.draftMissing });
        await store.deleteDraft(db, at, entityId);
        return store.touch(db, at, entityId, { now: now(), by: person(ctx) });
      });
      await tell(ctx, entityId, "draftDiscarded", revision);
    },

    async validate(ctx: Caller, entityId: EntityId, sent: Graph | undefined) {
      const entity = await entityOf(ctx.instanceId, entityId);
      const graph = sent ?? (await opened(ctx, entityId, "draft")).graph;
      const problems = await problemsIn(ctx.instanceId, entity, graph);
      return { problems, publishable: isPublishable(problems) };
    },

    async publish(
      ctx: Caller,
      entityId: EntityId,
      body: { versionName: string; summary: string; revision: number; bringInExisting: boolean },
    ): Promise<OpenedGraph> {
      const at = ctx.instanceId;
      const entity = await entityOf(at, entityId);
      const versionId = deps.newId<"pipelineVersion">();
      const revision = await transaction(deps.appPool, async ({ db }) => {
        const head = await store.findHead(db, at, entityId, true);
        const graph = await store.readDraftGraph(db, at, entityId);
        if (!head || !graph) throw new AppError("invalid_state", { reason: words.nothingToPublish });
        if (head.revision !== body.revision)
          throw new AppError("stale_version", { newest: await newest(ctx, entityId, head, db) });
        const problems = await problemsIn(at, entity, graph);
        if (!isPublishable(problems)) throw new AppError("pipeline_invalid", { problems });
        const mark = { now: now(), by: person(ctx) };
        const next = await store.touch(db, at, entityId, mark);
        await store.insertVersion(db, at, entityId, {
          id: versionId,
          name: body.versionName,
          summary: body.summary,
          graph,
          outline: outlineOf(graph),
          settings: head.settings,
          ...mark,
        });
        await store.deleteDraft(db, at, entityId);
        return next;
      });
      await runs?.published({ instanceId: at, entityId, versionId, bringInExisting: body.bringInExisting });
      await tell(ctx, entityId, "published", revision);
      return opened(ctx, entityId, "published");
    },

    async deletePublished(ctx: Caller, entityId: EntityId): Promise<void> {
      const at = ctx.instanceId;
      await entityOf(at, entityId);
      const revision = await transaction(deps.appPool, async ({ db }) => {
        const head = await store.findHead(db, at, entityId, true);
        if (!head?.published) throw new AppError("pipeline_not_published");
        await store.setPublished(db, at, entityId, null);
        return store.touch(db, at, entityId, { now: now(), by: person(ctx) });
      });
      await runs?.unpublished({ instanceId: at, entityId });
      await tell(ctx, entityId, "unpublished", revision);
    },

    async clone(ctx: Caller, entityId: EntityId, version: "draft" | "published"): Promise<{ entityId: EntityId }> {
      const at = ctx.instanceId;
      const origin = await entityOf(at, entityId);
      const { graph } = await opened(ctx, entityId, version);
      const entities = await needs.schema.listEntities(at, "draft");
      const displayName = uniqueName(
        fill(words.copyOf, { name: origin.displayName }),
        entities.map((entity) => entity.displayName),
      );
      const apiName = uniqueName(
        `${origin.apiName}_copy`,
        entities.map((entity) => entity.apiName),
      ).replaceAll(" ", "_");
      const { description, tags, nameField, fields } = origin;
      const copy = await needs.schema.createEntity(
        { instanceId: at, by: `${ctx.actor.firstName} ${ctx.actor.lastName}` },
        { apiName, displayName, description, tags, nameField, fields: fields.map(asInput), publish: true },
      );
      await changeDraft(ctx, copy.id, async () => renamed(graph, origin, copy));
      return { entityId: copy.id };
    },

    async patchSettings(
      ctx: Caller,
      entityId: EntityId,
      change: { realtimePipeline?: boolean; mergeConfig?: PipelineRow["mergeConfig"] },
    ): Promise<PipelineRow> {
      const at = ctx.instanceId;
      await entityOf(at, entityId);
      const revision = await transaction(deps.appPool, async ({ db }) => {
        const before = await store.findHead(db, at, entityId, true);
        const realtimePipeline = change.realtimePipeline ?? before?.settings.realtimePipeline ?? false;
        if (before?.published && realtimePipeline !== before.settings.realtimePipeline)
          throw new AppError("invalid_state", { reason: words.realtimePublished });
        const next = before?.revision ?? (await store.touch(db, at, entityId, { now: now(), by: person(ctx) }));
        await store.setSettings(db, at, entityId, {
          settings: { realtimePipeline },
          mergeConfig: change.mergeConfig ?? before?.mergeConfig ?? { retainFields: [], dependentPicklists: [] },
        });
        return next;
      });
      await tell(ctx, entityId, "settings", revision);
      return this.row(ctx, entityId);
    },

    async versions(ctx: Caller, entityId: EntityId): Promise<VersionRow[]> {
      await entityOf(ctx.instanceId, entityId);
      const head = await store.findHead(deps.appDb, ctx.instanceId, entityId);
      const versions = await store.readVersions(deps.appDb, ctx.instanceId, entityId);
      return versions.map((version) => versionRow(version, head));
    },

    async version(ctx: Caller, entityId: EntityId, versionId: VersionId): Promise<VersionRow & { graph: Graph }> {
      const head = await store.findHead(deps.appDb, ctx.instanceId, entityId);
      const version = await store.findVersion(deps.appDb, ctx.instanceId, entityId, versionId);
      if (!version) throw new AppError("not_found", { what: "Version" });
      return { ...versionRow(version, head), graph: version.graph };
    },

    async restore(ctx: Caller, entityId: EntityId, versionId: VersionId): Promise<OpenedGraph> {
      const version = await store.findVersion(deps.appDb, ctx.instanceId, entityId, versionId);
      if (!version) throw new AppError("not_found", { what: "Version" });
      return changeDraft(ctx, entityId, async () => version.graph);
    },

    async tokens(ctx: Caller, nodeId: string, body: Pick<Graph, "nodes" | "edges"> & { entityId: EntityId }) {
      const entity = await entityOf(ctx.instanceId, body.entityId);
      const graph = Graph.parse({ nodes: body.nodes, edges: body.edges });
      const { tokens } = await graphWorld(needs.connectors, ctx.instanceId, entity, graph);
      const groups = Map.groupBy(tokensFor(graph, nodeId, tokens), (token: Token) => token.group);
      return Object.values(TOKEN_GROUPS).flatMap((group) => {
        const found = groups.get(group);
        return found ? [{ group, tokens: found }] : [];
      });
    },

    /** What the engine runs; null while nothing is published. */
    async publishedVersion(at: InstanceId, entityId: EntityId): Promise<PublishedVersion | null> {
      const head = await store.findHead(deps.appDb, at, entityId);
      const version = head?.published && (await store.findVersion(deps.appDb, at, entityId, head.published.id));
      if (!version) return null;
      const { id: versionId, number, name, graph, settings, publishedAt } = version;
      return { versionId, number, name, graph, settings, publishedAt };
    },

    /** Everything that runs, over all instances. */
    listPublished: () => store.readAllPublished(deps.appDb),

    /** Graphs in use: drafts and published versions. */
    graphsInUse: (at: InstanceId, entityId?: EntityId) => store.readGraphsInUse(deps.appDb, at, entityId),
  };
}

const person = ({ actor: { userId, firstName, lastName } }: Caller): store.Person => ({ userId, firstName, lastName });

function openedGraph(
  ctx: Caller,
  head: store.PipelineHead,
  version: "draft" | "published",
  graph: Graph,
  frozen: store.StoredVersion | undefined,
): OpenedGraph {
  const has = { published: head.published !== null, draft: head.draft !== null };
  const mayWrite = ctx.can("WRITE_STUDIO");
  const readOnlyReason =
    version === "published" ? words.readOnly.published : mayWrite ? null : words.readOnly.permission;
  const by = frozen?.publishedBy ?? head.draft?.updatedBy ?? null;
  return {
    entityId: head.entityId,
    graphVersion: version,
    status: graphStatus(version, has),
    graph,
    revision: head.revision,
    versionNumber: head.published?.number ?? 0,
    versionName: head.published?.name ?? null,
    hasDraft: has.draft,
    hasPublished: has.published,
    readOnly: readOnlyReason !== null,
    readOnlyReason,
    updatedAt: frozen?.publishedAt ?? head.draft?.updatedAt ?? null,
    updatedBy: by && { firstName: by.firstName, lastName: by.lastName },
  };
}

const versionRow = (version: store.StoredVersion, head: store.PipelineHead | undefined): VersionRow => ({
  id: version.id,
  number: version.number,
  name: version.name,
  summary: version.summary,
  publishedAt: version.publishedAt,
  publishedBy: { firstName: version.publishedBy.firstName, lastName: version.publishedBy.lastName },
  current: head?.published?.id === version.id,
});

/** A pipeline begins with its core entity alone. */
function emptyGraph(entity: CoreEntity, newId: () => string): Graph {
  const core = GraphNode.parse({
    id: newId(),
    nodeType: "CORE_ENTITY",
    apiName: entity.apiName,
    name: entity.displayName,
    label: entity.displayName,
    displayName: entity.displayName,
    location: CORE_LOCATION,
  });
  return Graph.parse({ nodes: [core], edges: [] });
}

function renamed(graph: Graph, origin: CoreEntity, copy: CoreEntity): Graph {
  const nodes = graph.nodes.map((node) =>
    isCore(node) && node.label === origin.displayName
      ? {
          ...node,
          apiName: copy.apiName,
          name: copy.displayName,
          label: copy.displayName,
          displayName: copy.displayName,
        }
      : node,
  );
  return { ...graph, nodes };
}

/** A graph with edges that the editor would have refused is not stored. */
function refuseBrokenEdges(graph: Graph): void {
  if (refusedEdges(graph).length === 0) return;
  const catalogue = { scope: "entity", coreEntity: { apiName: "", displayName: "", fields: [] } } as const;
  const problems = validateGraph(graph, {
    ...catalogue,
    functionFacts: () => undefined,
    connectorEntity: () => undefined,
    unknownTokens: () => [],
  }).filter((problem) => problem.code === "edge_refused");
  throw new AppError("pipeline_invalid", { problems });
}

/** A field as a new entity takes it. */
function asInput(field: CoreEntity["fields"][number]) {
  const { id, status, isSystem, isIdField, isWatermarkField, isCreatedAtField, isUpdatedAtField, ...rest } = field;
  void [id, status, isSystem, isIdField, isWatermarkField, isCreatedAtField, isUpdatedAtField];
  return rest;
}
