/** Use cases of pipelines, and what the engine asks of them. */
import type { Id } from "@accord/contracts";
import type { Graph } from "@accord/contracts/sync/graph";
import type { GraphVersion, OpenedGraph, PipelineRow } from "@accord/contracts/sync/pipelines";
import { openedVersion } from "@accord/sync-engine/lifecycle";
import type { Remapped } from "@accord/sync-engine/run";
import type { Caller } from "../../../platform/ctx.ts";
import { clonePipeline } from "./cloning.ts";
import { draftCases } from "./drafts.ts";
import { entityPipelineCases } from "./entity-pipeline.ts";
import { fieldCases } from "./field-pipelines/fields.ts";
import { usesOfActions } from "./action-uses.ts";
import { connectorFields, picklistFields } from "./node-fields.ts";
import type { PipelineDependencies, PipelineRuns, PipelineTests } from "./needs.ts";
import { pipelineCore, type PipelineDeps } from "./pipeline-core.ts";
import { readHeads } from "./pipelines.store.ts";
import { publishedVersions } from "./versions/published-versions.ts";
import { publishingCases } from "./versions/publishing.ts";
import { remappedFields, sourcesOf } from "./versions/remapped-fields.ts";
import { pipelineRow, placeNames } from "./rows.ts";
import { testVersions } from "./versions/test-versions.ts";
import {
  countVersions,
  readAllPublished,
  readVersionNodes,
  readVersionSources,
  readGraphsInUse,
  readPastConnectorFields,
} from "./versions/versions.store.ts";

type InstanceId = Id<"instance">;
type EntityId = Id<"entity">;

export type PipelineService = ReturnType<typeof pipelineService>;

export function pipelineService(deps: PipelineDeps, needs: PipelineDependencies) {
  const core = pipelineCore(deps, needs);
  const published = publishedVersions(deps.appDb);

  /** Rows of the table, or the one of an entity. */
  async function rows(at: InstanceId, entityId?: EntityId): Promise<PipelineRow[]> {
    const entities = entityId ? [await core.entityOf(at, entityId)] : await needs.schema.listEntities(at, "draft");
    const heads = await readHeads(deps.appDb, at, entityId ? { entityId } : {});
    const states = core.runs ? await core.runs.states(at) : [];
    const names = await placeNames(needs.connectors, at, heads);
    const headOf = new Map(heads.map((head) => [head.entityId, head]));
    const stateOf = new Map(states.map((state) => [state.entityId, state]));
    return entities.map((entity) => pipelineRow(entity, headOf.get(entity.id), stateOf.get(entity.id), names));
  }

  const drafts = draftCases(core);
  const graphsInUse = (at: InstanceId, entityId?: EntityId) => readGraphsInUse(deps.appDb, at, entityId);
  return {
    ...drafts,
    ...fieldCases(core, async (ctx, entityId) => (await drafts.createDraft(ctx, entityId)).revision),
    ...publishingCases(core),
    ...entityPipelineCases(core, rows),
    rows,

    async open(ctx: Caller, entityId: EntityId, version: GraphVersion): Promise<OpenedGraph> {
      await core.entityOf(ctx.instanceId, entityId);
      return core.opened(ctx, entityId, openedVersion(version));
    },

    picklistFields: (
      ctx: Caller,
      node: { entityId: EntityId; nodeId: string },
      wanted: Parameters<typeof picklistFields>[3],
    ) => picklistFields(core, ctx, node, wanted),

    connectorFields: (ctx: Caller, entityId: EntityId, version: GraphVersion) =>
      connectorFields(core, ctx, entityId, version),

    clone: (ctx: Caller, entityId: EntityId, wish: Parameters<typeof clonePipeline>[3]) =>
      clonePipeline(core, ctx, entityId, wish),

    /** The engine makes itself known once, at composition. */
    connectRuns: (engine: PipelineRuns): void => {
      core.runs = engine;
    },

    /** Tests make themselves known once, at composition. */
    connectTests: (tests: PipelineTests): void => {
      core.tests = tests;
    },

    ...testVersions(core, published),

    /** What the engine runs; null while nothing is published. */
    publishedVersion: published.find,
    /** Any version, by its id. */
    versionById: published.version,

    /**
     * Since when each node has been in every version: a source that was never read begins there, however often the
     * pipeline was published anew before it could be. And when the first version was published; null: none was.
     */
    async publishedSince(
      at: InstanceId,
      entityId: EntityId,
    ): Promise<{ nodes: ReadonlyMap<string, string>; first: string | null }> {
      const nodes = new Map<string, string>();
      const [newest, ...earlier] = await readVersionNodes(deps.appDb, at, entityId);
      let unbroken = newest?.nodeIds ?? [];
      for (const nodeId of unbroken) nodes.set(nodeId, newest?.publishedAt ?? "");
      for (const { publishedAt, nodeIds } of earlier) {
        unbroken = unbroken.filter((nodeId) => nodeIds.includes(nodeId));
        for (const nodeId of unbroken) nodes.set(nodeId, publishedAt);
      }
      return { nodes, first: (earlier.at(-1) ?? newest)?.publishedAt ?? null };
    },

    /** Core fields that sources map to other columns than an earlier version did, and since when; `next`: as if it were published. */
    remappedFields: async (
      at: InstanceId,
      entityId: EntityId,
      next?: { graph: Graph; publishedAt: string },
    ): Promise<Remapped> => {
      const versions = await readVersionSources(deps.appDb, at, entityId);
      return remappedFields(next ? [...versions, sourcesOf(next)] : versions);
    },

    /** Everything that runs, over all instances. */
    listPublished: () => readAllPublished(deps.appDb),

    /** Nodes that perform custom actions. */
    usesOfActions: (at: InstanceId) => usesOfActions(graphsInUse, needs, at),

    /** Graphs in use: drafts and published versions. */
    publishCount: (at: InstanceId) => countVersions(deps.appDb, at),
    graphsInUse,
    /** Fields of a connector that any version ever moved to or from one of these core fields. */
    pastConnectorFields: (
      at: InstanceId,
      connector: { connectorId: string; entity: string | null },
      coreFields: readonly { entityId: string; field: string }[],
    ) => readPastConnectorFields(deps.appDb, at, connector, coreFields),
  };
}
