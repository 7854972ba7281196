/** What the use cases of pipelines share: finding the entity, opening a graph, changing the draft under a lock. */
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { pipelines as words } from "@accord/contracts/messages/en/sync/pipelines";
import type { Graph } from "@accord/contracts/sync/graph";
import { type OpenedGraph, pipelineChanged } from "@accord/contracts/sync/pipelines";
import type { GraphProblem } from "@accord/sync-engine/graph";
import { graphStatus } from "@accord/sync-engine/lifecycle";
import type { Caller } from "../../../platform/ctx.ts";
import type { Db } from "../../../platform/db/db.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { codeProblems } from "./code-problems.ts";
import { graphContext, problemsOf } from "./graph-world.ts";
import type { PipelineDependencies, PipelineRuns, PipelineTests } from "./needs.ts";
import { outlineOf } from "./outline.ts";
import { findHead, type Person, type PipelineHead, readDraftGraph, touch, writeDraft } from "./pipelines.store.ts";
import { findVersion, type StoredVersion } from "./versions/versions.store.ts";

type InstanceId = Id<"instance">;
type EntityId = Id<"entity">;
export type Change = "draftSaved" | "draftDiscarded" | "published" | "unpublished" | "settings";
export type PipelineDeps = Pick<Deps, "appDb" | "appPool" | "clock" | "codeSandbox" | "newId" | "realtime">;

export interface PipelineCore {
  deps: PipelineDeps;
  needs: PipelineDependencies;
  /** The engine, once it has made itself known. */
  runs: PipelineRuns | undefined;
  /** Its tests, once they have made themselves known. */
  tests: PipelineTests | undefined;
  /** Whether a test of the pipeline runs. */
  isTesting(at: InstanceId, entityId: EntityId): Promise<boolean>;
  /** Throws `test_running` while a test of the pipeline runs: what it tests stays as it is. */
  demandNoTest(at: InstanceId, entityId: EntityId): Promise<void>;
  /** Who does it and when, for the rows that are written. */
  mark(ctx: Caller): { now: string; by: Person };
  /** Throws `not_found`. */
  entityOf(at: InstanceId, entityId: EntityId): Promise<CoreEntity>;
  /** Throws `not_found` when there is no such version. */
  opened(ctx: Caller, entityId: EntityId, version: "draft" | "published", db?: Db): Promise<OpenedGraph>;
  /** The newer draft (or what was published) as the facts of a refusal. */
  stale(ctx: Caller, entityId: EntityId, head: PipelineHead | undefined, db: Db): Promise<AppError>;
  /** `edit` gets what there is and answers the next graph. */
  changeDraft(
    ctx: Caller,
    entityId: EntityId,
    edit: (head: PipelineHead | undefined, db: Db) => Promise<Graph>,
  ): Promise<OpenedGraph>;
  problemsIn(at: InstanceId, entity: CoreEntity, graph: Graph): Promise<GraphProblem[]>;
  /** Of these, those that the code of the graph has: it is read and begun in the sandbox, never in a transaction. */
  codeProblemsIn(at: InstanceId, entityId: EntityId, graph: Graph): Promise<GraphProblem[]>;
  /** Of these, all others. */
  ruleProblemsIn(at: InstanceId, entity: CoreEntity, graph: Graph): Promise<GraphProblem[]>;
  tell(ctx: Caller, entityId: EntityId, change: Change, revision: number): Promise<void>;
}

export function pipelineCore(deps: PipelineDeps, needs: PipelineDependencies): PipelineCore {
  const core: PipelineCore = {
    deps,
    needs,
    runs: undefined,
    tests: undefined,
    isTesting: async (at, entityId) => (await core.tests?.isTesting(at, entityId)) ?? false,
    async demandNoTest(at, entityId) {
      if (await core.isTesting(at, entityId)) throw new AppError("test_running");
    },
    mark: (ctx) => ({ now: deps.clock.now().toISOString(), by: personOf(ctx) }),
    entityOf: (at, entityId) => entityOf(needs, at, entityId),
    opened: (ctx, entityId, version, db = deps.appDb) => opened(core, ctx, entityId, version, db),
    async stale(ctx, entityId, head, db) {
      const version = head?.draft ? "draft" : head?.published ? "published" : null;
      return new AppError("stale_version", { newest: version && (await opened(core, ctx, entityId, version, db)) });
    },
    async changeDraft(ctx, entityId, edit) {
      const at = ctx.instanceId;
      const saved = await transaction(deps.appPool, async ({ db }) => {
        const head = await findHead(db, at, entityId, true);
        // Under the lock: a test that starts later reads what is saved here.
        await core.demandNoTest(at, entityId);
        const graph = await edit(head, db);
        const mark = core.mark(ctx);
        await touch(db, at, entityId, mark);
        await writeDraft(db, at, entityId, { graph, outline: outlineOf(graph), ...mark });
        return opened(core, ctx, entityId, "draft", db);
      });
      await core.tell(ctx, entityId, "draftSaved", saved.revision);
      return saved;
    },
    problemsIn: async (at, entity, graph) => [
      ...(await core.ruleProblemsIn(at, entity, graph)),
      ...(await core.codeProblemsIn(at, entity.id, graph)),
    ],
    codeProblemsIn: (instanceId, pipelineId, graph) => codeProblems(deps, { instanceId, pipelineId }, graph),
    async ruleProblemsIn(at, entity, graph) {
      const { catalogue } = await graphContext(needs, at, entity, graph);
      return problemsOf(graph, catalogue, entity);
    },
    tell: (ctx, entityId, change, revision) =>
      deps.realtime.publish(ctx.instanceId, pipelineChanged, {
        entityId,
        change,
        revision,
        byUserId: ctx.actor.userId,
      }),
  };
  return core;
}

const personOf = ({ actor: { userId, firstName, lastName } }: Caller): Person => ({ userId, firstName, lastName });

/** The published fields are those that records have; a new entity has only its draft. */
async function entityOf(needs: PipelineDependencies, at: InstanceId, entityId: EntityId): Promise<CoreEntity> {
  const entity = (await needs.schema.getEntity(at, entityId)) ?? (await needs.schema.getEntity(at, entityId, "draft"));
  if (!entity) throw new AppError("not_found", { what: "Pipeline" });
  return entity;
}

async function opened(
  core: Pick<PipelineCore, "isTesting">,
  ctx: Caller,
  entityId: EntityId,
  version: "draft" | "published",
  db: Db,
): Promise<OpenedGraph> {
  const at = ctx.instanceId;
  const head = await findHead(db, at, entityId);
  const draft = version === "draft" ? await readDraftGraph(db, at, entityId) : null;
  const frozen =
    version === "published" && head?.published ? await findVersion(db, at, entityId, head.published.id) : undefined;
  const graph = draft ?? frozen?.graph;
  if (!head || !graph)
    throw new AppError("not_found", { what: version === "draft" ? words.draftMissing : words.publishedMissing });
  const isTesting = version === "draft" && (await core.isTesting(at, entityId));
  return openedGraph(ctx, head, version, { graph, frozen, isTesting });
}

function openedGraph(
  ctx: Caller,
  head: PipelineHead,
  version: "draft" | "published",
  { graph, frozen, isTesting }: { graph: Graph; frozen: StoredVersion | undefined; isTesting: boolean },
): OpenedGraph {
  const has = { published: head.published !== null, draft: head.draft !== null };
  const mayWrite = ctx.can("WRITE_STUDIO");
  const draftReason = isTesting ? words.readOnly.testing : null;
  const readOnlyReason =
    version === "published" ? words.readOnly.published : mayWrite ? draftReason : words.readOnly.permission;
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
