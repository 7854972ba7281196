/** Use cases of drafts: making, saving, discarding, checking, and looking tokens up. */
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { pipelines as words } from "@accord/contracts/messages/en/sync/pipelines";
import { Graph, GraphNode } from "@accord/contracts/sync/graph";
import type { Token } from "@accord/contracts/sync/palette";
import type { OpenedGraph } from "@accord/contracts/sync/pipelines";
import { TOKEN_GROUPS, tokensFor } from "@accord/sync-engine/functions";
import {
  CORE_LOCATION,
  isPublishable,
  normaliseGraph,
  refusedEdges,
  spreadOverlaps,
  validateGraph,
} from "@accord/sync-engine/graph";
import type { Caller } from "../../../platform/ctx.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { deleteFieldDrafts } from "./field-pipelines/field-pipelines.store.ts";
import { graphContext } from "./graph-world.ts";
import type { PipelineCore } from "./pipeline-core.ts";
import { deleteDraft, findHead, readDraftGraph, touch } from "./pipelines.store.ts";
import { findVersion } from "./versions/versions.store.ts";

type EntityId = Id<"entity">;

export function draftCases(core: PipelineCore) {
  const { deps } = core;
  return {
    /** A copy of the published graph, or a new one with its core entity alone; the draft there is when there is one. */
    async createDraft(ctx: Caller, entityId: EntityId): Promise<OpenedGraph> {
      const at = ctx.instanceId;
      const entity = await core.entityOf(at, entityId);
      const before = await findHead(deps.appDb, at, entityId);
      if (before?.draft) return core.opened(ctx, entityId, "draft");
      return core.changeDraft(ctx, entityId, async (head, db) => {
        const draft = await readDraftGraph(db, at, entityId);
        if (draft) return draft;
        const version = head?.published && (await findVersion(db, at, entityId, head.published.id));
        return version ? version.graph : emptyGraph(entity, deps.newId);
      });
    },

    async saveDraft(
      ctx: Caller,
      entityId: EntityId,
      { graph, revision }: { graph: Graph; revision: number },
    ): Promise<OpenedGraph> {
      await core.entityOf(ctx.instanceId, entityId);
      refuseBrokenEdges(graph);
      return core.changeDraft(ctx, entityId, async (head, db) => {
        if (head?.revision !== revision) throw await core.stale(ctx, entityId, head, db);
        if (!head.draft) throw new AppError("pipeline_read_only");
        return spreadOverlaps(normaliseGraph(graph, deps.newId));
      });
    },

    async discardDraft(ctx: Caller, entityId: EntityId): Promise<void> {
      const at = ctx.instanceId;
      await core.entityOf(at, entityId);
      const revision = await transaction(deps.appPool, async ({ db }) => {
        const head = await findHead(db, at, entityId, true);
        if (!head?.draft) throw new AppError("not_found", { what: words.draftMissing });
        await core.demandNoTest(at, entityId);
        await deleteDraft(db, at, entityId);
        await deleteFieldDrafts(db, at, entityId);
        return touch(db, at, entityId, core.mark(ctx));
      });
      await core.tell(ctx, entityId, "draftDiscarded", revision);
    },

    /** Problems of the graph that was sent, or of the saved draft. */
    async validate(ctx: Caller, entityId: EntityId, sent: Graph | undefined) {
      const entity = await core.entityOf(ctx.instanceId, entityId);
      const graph = sent ?? (await core.opened(ctx, entityId, "draft")).graph;
      const problems = await core.problemsIn(ctx.instanceId, entity, graph);
      return { problems, publishable: isPublishable(problems) };
    },

    async tokens(ctx: Caller, nodeId: string, body: Pick<Graph, "nodes" | "edges"> & { entityId: EntityId }) {
      const entity = await core.entityOf(ctx.instanceId, body.entityId);
      const graph = Graph.parse({ nodes: body.nodes, edges: body.edges });
      const { tokens } = await graphContext(core.needs, ctx.instanceId, entity, graph);
      // What lookups find is of the entities as they are published.
      const others = await core.needs.schema.listEntities(ctx.instanceId);
      const entities = new Map(others.map(({ apiName, fields }) => [apiName, fields]));
      const groups = Map.groupBy(tokensFor(graph, nodeId, { ...tokens, entities }), (token: Token) => token.group);
      return Object.values(TOKEN_GROUPS).flatMap((group) => {
        const found = groups.get(group);
        return found ? [{ group, tokens: found }] : [];
      });
    },
  };
}

/** A pipeline begins with its core entity alone. */
function emptyGraph(entity: CoreEntity, newId: () => string): Graph {
  const node = GraphNode.parse({
    id: newId(),
    nodeType: "CORE_ENTITY",
    apiName: entity.apiName,
    name: entity.displayName,
    label: entity.displayName,
    displayName: entity.displayName,
    location: CORE_LOCATION,
  });
  return Graph.parse({ nodes: [node], edges: [] });
}

/** A graph with edges that the editor would have refused is not stored. */
function refuseBrokenEdges(graph: Graph): void {
  if (refusedEdges(graph).length === 0) return;
  const problems = validateGraph(graph, {
    scope: "entity",
    coreEntity: { apiName: "", displayName: "", fields: [] },
    functionFacts: () => undefined,
    connectorEntity: () => undefined,
    customActions: null,
    unknownTokens: () => [],
  }).filter((problem) => problem.code === "edge_refused");
  throw new AppError("pipeline_invalid", { problems });
}
