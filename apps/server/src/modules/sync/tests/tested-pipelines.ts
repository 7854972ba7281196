/** Finds what a test is about: whose tests they are, the pipeline's versions, and a version compiled for a run. */
import type { FieldChoice } from "@accord/contracts/sync/field-choice";
import type { Id } from "@accord/contracts";
import { pipelineTests as words } from "@accord/contracts/messages/en/sync/pipeline-tests";
import { fill } from "@accord/contracts/messages/fill";
import type { Graph } from "@accord/contracts/sync/graph";
import type { GraphProblem } from "@accord/sync-engine/graph";
import { CompileError } from "@accord/sync-engine/functions";
import { newTrace, type ObserveNode, type Remapped } from "@accord/sync-engine/run";
import type { Caller } from "../../../platform/ctx.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { PipelineService, TestedVersion } from "../pipelines/index.ts";
import {
  compileTest,
  PipelineNotRunnable,
  secretNames,
  type StoredState,
  type TestGraphs,
  type TestNeeds,
  type TestPipeline,
  testSecrets,
} from "../runs/index.ts";
import { graphsHash } from "./graphs-hash.ts";
import type { TestOwner } from "./pipeline-tests.store.ts";
import type { Today } from "./test-views.ts";

/** Whose tests: those of an entity pipeline, or of the pipeline of a field. */
export type Context = { kind: "entity"; id: Id<"entity"> } | { kind: "field"; id: Id<"field"> };
export type Owner = TestOwner & { instanceId: Id<"instance">; pipelineId: Id<"entity"> };

export interface TestedParts {
  needs: TestNeeds;
  pipelines: Pick<PipelineService, "testedVersion" | "testedProblems" | "demandRunnable">;
}

export type TestedPipelines = ReturnType<typeof testedPipelines>;

export function testedPipelines({ needs, pipelines }: TestedParts) {
  /** Throws `not_found`. */
  async function ownerOf({ instanceId }: Pick<Caller, "instanceId">, context: Context): Promise<Owner> {
    const entities = [
      ...(await needs.schema.listEntities(instanceId, "draft")),
      ...(await needs.schema.listEntities(instanceId)),
    ];
    const entity = entities.find((one) =>
      context.kind === "entity" ? one.id === context.id : one.fields.some((field) => field.id === context.id),
    );
    if (!entity) throw new AppError("not_found", { what: context.kind === "entity" ? "Pipeline" : "Field" });
    return { instanceId, pipelineId: entity.id, fieldId: context.kind === "field" ? context.id : "" };
  }

  /** Throws `test_failed` where there is no such version. */
  async function versionOf(
    { instanceId, pipelineId }: Owner,
    wanted?: "draft" | "published",
    choice?: FieldChoice,
  ): Promise<TestedVersion> {
    const tested = await pipelines.testedVersion(instanceId, pipelineId, wanted, choice);
    const reason = wanted ? fill(words.noVersion, { version: wanted }) : words.nothingToTest;
    if (!tested) throw new AppError("test_failed", { reason });
    return tested;
  }

  /** The draft and the published version, as far as there are any. */
  async function versionsOf({ instanceId, pipelineId }: Owner): Promise<TestedVersion[]> {
    const versions = [
      await pipelines.testedVersion(instanceId, pipelineId, "draft"),
      await pipelines.testedVersion(instanceId, pipelineId, "published"),
    ];
    return versions.filter((one) => one !== null);
  }

  const graphsOf = async (owner: Owner): Promise<TestGraphs[]> =>
    (await versionsOf(owner)).map(({ version }) => version);

  /** Fields that are secret today, whatever they were when something was stored. */
  const secretsOf = async (owner: Owner, graphs?: TestGraphs[]): Promise<Set<string>> =>
    secretNames(await testSecrets(needs, owner.instanceId, owner.pipelineId, graphs ?? (await graphsOf(owner))));

  /** What tests are answered with: names of secret fields, and the versions as they are now. */
  async function today(owner: Owner): Promise<Today> {
    const versions = await versionsOf(owner);
    const hashes = versions.map(({ graphVersion, version }) => [graphVersion, graphsHash(version)] as const);
    const names = await secretsOf(
      owner,
      versions.map(({ version }) => version),
    );
    return { names, hashes: new Map(hashes) };
  }

  /**
   * `stored`: what its records meet; without it each is new. Throws `pipeline_invalid` with the problems of its graph, or
   * `test_failed` where it can't run for another reason.
   */
  async function compiled(
    { instanceId }: Owner,
    tested: TestedVersion,
    { graphs, stored, remapped, isJudged, observe = newTrace().observe }: Compiling,
  ): Promise<TestPipeline> {
    await pipelines.demandRunnable(instanceId, tested, isJudged);
    try {
      return await compileTest(needs, instanceId, { ...tested, graphs, stored, remapped }, observe);
    } catch (error) {
      if (error instanceof PipelineNotRunnable || error instanceof CompileError)
        throw new AppError("test_failed", { reason: error.message });
      throw error;
    }
  }

  /** Ids of nodes that have errors. */
  async function brokenNodes({ instanceId }: Owner, tested: TestedVersion): Promise<Set<string>> {
    const errors = (await pipelines.testedProblems(instanceId, tested)).filter(({ severity }) => severity === "error");
    return new Set(errors.flatMap(({ nodeId }) => nodeId ?? []));
  }

  return { ownerOf, versionOf, versionsOf, graphsOf, secretsOf, today, brokenNodes, compiled };
}

interface Compiling {
  graphs: readonly TestGraphs[];
  stored?: StoredState | undefined;
  remapped?: Remapped | undefined;
  observe?: ObserveNode;
  /** Which problems of its graph keep it from running; all where it is not given. */
  isJudged?: ((problem: GraphProblem) => boolean) | undefined;
}

/** The graph whose nodes a test is about. */
export function graphOf(owner: Owner, tested: TestedVersion): Graph {
  const graph = findGraph(owner, tested);
  if (graph) return graph;
  const field = tested.entity.fields.find(({ id }) => id === owner.fieldId)?.displayName ?? owner.fieldId;
  throw new AppError("test_failed", { reason: fill(words.noFieldPipeline, { field }) });
}

export function findGraph({ fieldId }: Owner, { entity, version }: TestedVersion): Graph | undefined {
  if (fieldId === "") return version.graph;
  const field = entity.fields.find((one) => one.id === fieldId);
  return field && version.fieldGraphs?.[field.apiName];
}
